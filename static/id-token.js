// Decodes and explains the ID token of a response that a developer pastes, checks its signature with the published
// keys, and asks for userinfo. Only the access token leaves the page, to this server, when the button is pressed.

/** How the Web Cryptography API names the algorithms. */
const ALGORITHMS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 },
  ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
};
const TIMES = ['exp', 'iat', 'auth_time', 'updated_at'];

const bytesOf = (base64url) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
const base64urlOf = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const jsonOf = (base64url) => JSON.parse(new TextDecoder().decode(bytesOf(base64url)));

/** @returns undefined if it is not a signed JWT */
function decode(jws) {
  const [header, payload, signature, ...more] = jws.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  try {
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    return { header: jsonOf(header), claims: jsonOf(payload), signature: bytesOf(signature), signed };
  } catch {
    return undefined;
  }
}

/** @returns whether the signature is valid, and a sentence about it */
async function checkSignature({ header: { alg, kid }, signature, signed }) {
  const algorithm = ALGORITHMS[alg];
  if (algorithm === undefined) return [false, `This server signs no token with the algorithm ${alg}.`];
  if (globalThis.crypto?.subtle === undefined)
    return [undefined, 'The signature was not checked: browsers can check it only over https and on localhost.'];
  const { keys } = await (await fetch('/.well-known/jwks.json')).json();
  const found = keys.find((key) => key.kid === kid);
  if (found === undefined) return [false, `The signature is not valid: this server publishes no key ${kid}.`];
  const { kty, crv, x, y, n, e } = found;
  try {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y, n, e }, algorithm, false, ['verify']);
    return (await crypto.subtle.verify(algorithm, key, signature, signed))
      ? [true, `The signature is valid: ${alg}, with the published key ${kid}.`]
      : [false, `The signature is not valid for the published key ${kid}.`];
  } catch {
    return [undefined, `The signature was not checked: this browser does not support ${alg}.`];
  }
}

/** Half of the hash of an access token (OpenID Connect Core §3.1.3.6). */
async function halfHash(text, alg) {
  const digest = await crypto.subtle.digest(alg === 'EdDSA' ? 'SHA-512' : 'SHA-256', new TextEncoder().encode(text));
  return base64urlOf(new Uint8Array(digest, 0, digest.byteLength / 2));
}

const verdict = (isRight, right, wrong) => [isRight, isRight ? right : wrong];

/** Sentences about the values of claims that can be right or wrong, by claim. */
async function checkClaims({ header, claims }, { issuer, clientId, nonce }, accessToken) {
  const now = Date.now() / 1000;
  const checks = {
    iss: verdict(claims.iss === issuer, 'It is this server.', 'It is not this server.'),
    aud: verdict([claims.aud].flat().includes(clientId), 'It is this application.', 'It is not this application.'),
    exp: verdict(claims.exp > now, 'It has not expired.', 'It has expired.'),
  };
  if (claims.nonce !== undefined)
    checks.nonce = verdict(
      claims.nonce === nonce,
      'It is the one in the address below.',
      'It is not the one in the address below.',
    );
  if (claims.at_hash !== undefined && accessToken && globalThis.crypto?.subtle)
    checks.at_hash = verdict(
      claims.at_hash === (await halfHash(accessToken, header.alg)),
      'It matches the access token.',
      'It does not match the access token.',
    );
  return checks;
}

function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

const shownValue = (value) => {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, Array.isArray(value) ? 0 : 2);
};
const shownTime = (seconds) => {
  const time = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' };
  return `${new Date(seconds * 1000).toLocaleString('en-GB', time)} UTC`;
};
const verdictClass = (isRight) => (isRight === undefined ? 'meta' : isRight ? 'verdict-good' : 'verdict-bad');

/** A table of claims, each with its meaning and, where there is one, the verdict about its value. */
function tableOf(claims, caption, meaningOf, checks) {
  const columns = ['Claim', 'Value', 'Meaning'];
  const rows = Object.entries(claims).map(([claim, value]) => {
    const meaning = element('span', {}, meaningOf(claim));
    if (TIMES.includes(claim) && typeof value === 'number')
      meaning.append(` ${shownTime(value)}.`);
    if (checks[claim] !== undefined) {
      const [isRight, text] = checks[claim];
      meaning.append(' ', element('strong', { class: verdictClass(isRight) }, text));
    }
    return element(
      'tr',
      { role: 'row' },
      element('th', { role: 'rowheader', scope: 'row' }, element('code', {}, claim)),
      element('td', { role: 'cell', 'data-label': columns[1] }, element('code', {}, shownValue(value))),
      element('td', { role: 'cell', 'data-label': columns[2] }, meaning),
    );
  });
  const head = columns.map((column) => element('th', { role: 'columnheader', scope: 'col' }, column));
  return element(
    'table',
    { class: 'table', role: 'table' },
    element('caption', { class: 'visually-hidden' }, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
    element('tbody', { role: 'rowgroup' }, ...rows),
  );
}

function report(place, [isRight, text]) {
  place.className = verdictClass(isRight);
  place.textContent = text;
}

function createPanel(panel) {
  const find = (name) => panel.querySelector(`[data-${name}]`);
  const meanings = find('meanings').content;
  const meaningOf = (claim) =>
    meanings.querySelector(`[data-claim="${CSS.escape(claim)}"]`)?.textContent ?? 'Not defined by this server.';
  let accessToken;

  async function showIdToken(idToken) {
    const decoded = decode(idToken);
    find('claims').replaceChildren();
    panel.hidden = false;
    if (decoded === undefined) return report(find('signature'), [false, 'This is not a signed JWT.']);
    const checks = await checkClaims(decoded, panel.dataset, accessToken);
    find('claims').replaceChildren(tableOf(decoded.claims, 'Claims of the ID token', meaningOf, checks));
    report(find('signature'), await checkSignature(decoded));
  }

  async function requestUserinfo() {
    const response = await fetch('/o/userinfo/', { headers: { Authorization: `Bearer ${accessToken}` } });
    const text = await response.text();
    find('userinfo-claims').replaceChildren();
    if (!response.ok) return report(find('answer'), [false, `The server refused with status ${response.status}.`]);
    const signed = response.headers.get('Content-Type')?.startsWith('application/jwt') ? decode(text) : undefined;
    const claims = signed?.claims ?? JSON.parse(text);
    find('userinfo-claims').replaceChildren(tableOf(claims, 'Claims of userinfo', meaningOf, {}));
    report(find('answer'), signed ? await checkSignature(signed) : [true, 'The server answered:']);
  }

  const failed = (place) => () => report(find(place), [false, 'The server did not answer.']);
  find('userinfo').addEventListener('click', () => {
    requestUserinfo().catch(failed('answer'));
  });
  panel.closest('[data-try-it]').addEventListener('tokens', ({ detail }) => {
    accessToken = detail.accessToken;
    find('userinfo').disabled = !accessToken;
    find('answer').textContent = '';
    find('userinfo-claims').replaceChildren();
    showIdToken(detail.idToken).catch(failed('signature'));
  });
}

for (const panel of document.querySelectorAll('[data-id-token]')) createPanel(panel);
