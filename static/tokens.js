// Decodes and explains the tokens of a response and the claims of userinfo, and checks signatures with the published
// keys. No token leaves the page.

/** The algorithms by the names of the Web Cryptography API. */
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

/** @returns undefined if the text is not a signed JWT */
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

/** Verdicts about claims that every token has, each with a sentence, by claim. */
function checkCommonClaims({ claims }, { issuer }) {
  return {
    iss: verdict(claims.iss === issuer, 'It is this server.', 'It is not this server.'),
    exp: verdict(claims.exp > Date.now() / 1000, 'It has not expired.', 'It has expired.'),
  };
}

/** Verdicts about the claims of an authorization response. */
function checkResponse({ claims }, { issuer, clientId }) {
  return {
    ...checkCommonClaims({ claims }, { issuer }),
    aud: verdict(claims.aud === clientId, 'It is this application.', 'It is not this application.'),
  };
}

/** Verdicts about the claims of an ID token. */
async function checkIdToken({ header, claims }, { issuer, clientId, nonce }, accessToken) {
  const checks = {
    ...checkCommonClaims({ claims }, { issuer }),
    aud: verdict([claims.aud].flat().includes(clientId), 'It is this application.', 'It is not this application.'),
  };
  if (claims.nonce !== undefined)
    checks.nonce = verdict(
      claims.nonce === nonce,
      'It is the one in the request.',
      'It is not the one in the request.',
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
  return `${new Date(seconds * 1000).toLocaleString('en-GB', time)} UTC (${relativeTime(seconds)})`;
};

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Such as "in 10 minutes". */
function relativeTime(seconds) {
  const difference = Math.round(seconds - Date.now() / 1000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(difference / size), unit);
}
const verdictClass = (isRight) => (isRight === undefined ? 'meta' : isRight ? 'verdict-good' : 'verdict-bad');

/** A table of claims, each with its meaning and the verdict about its value, if there is one. */
function tableOf(claims, caption, meaningOf, checks) {
  const columns = ['Claim', 'Value', 'Meaning'];
  const rows = Object.entries(claims).map(([claim, value]) => {
    const meaning = element('span', {}, meaningOf(claim));
    if (TIMES.includes(claim) && typeof value === 'number') meaning.append(` ${shownTime(value)}.`);
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

const OPAQUE =
  'It is opaque: only this server can read it. An API asks this server what it means, as in “Look at a token”.';

/** The meanings of the parameters of an authorization response. */
const OF_RESPONSE = {
  iss: 'The server that sends the response.',
  aud: 'The application that the response is for.',
  exp: 'The response is not used after this.',
  code: 'The authorization code.',
  state: 'The state of the request.',
  error: 'Why there is no code.',
  error_description: 'The same in words.',
};

function section(title, [isRight, text], ...content) {
  const heading = element('h4', {}, title);
  const sentence = element('p', { class: verdictClass(isRight), role: 'status' }, text);
  return element('section', { class: 'card token', 'aria-label': title }, heading, sentence, ...content);
}

/** Explains tokens in a panel of the page. */
export function createTokenPanel(panel) {
  const meanings = panel.querySelector('[data-meanings]').content;
  const meaningOf = (claim) =>
    meanings.querySelector(`[data-claim="${CSS.escape(claim)}"]`)?.textContent ?? 'Not defined by this server.';
  const place = panel.querySelector('[data-token-tables]');

  async function explained(title, token, check) {
    const decoded = decode(token);
    if (decoded === undefined) return section(title, [false, 'This is not a signed JWT.']);
    const table = tableOf(decoded.claims, `Claims: ${title}`, meaningOf, await check(decoded));
    return section(title, await checkSignature(decoded), table);
  }

  return {
    /** Explains the tokens of a token response. */
    async showTokens({ idToken, accessToken }) {
      const sections = [];
      if (idToken !== undefined)
        sections.push(
          await explained('The ID token', idToken, (token) => checkIdToken(token, panel.dataset, accessToken)),
        );
      if (accessToken !== undefined && decode(accessToken) !== undefined)
        sections.push(
          await explained('The access token', accessToken, (token) => checkCommonClaims(token, panel.dataset)),
        );
      else if (accessToken !== undefined) sections.push(section('The access token', [undefined, OPAQUE]));
      place.replaceChildren(...sections);
      panel.hidden = false;
    },

    /** Explains an authorization response in a JWT (JARM). */
    async explainResponse(jwt) {
      const { claims, ...signed } = decode(jwt);
      const { code } = claims;
      // The code is a credential, and the example below shows it already.
      const shown = code === undefined ? claims : { ...claims, code: `${String(code).slice(0, 8)}…` };
      const checks = checkResponse({ claims }, panel.dataset);
      const table = tableOf(shown, 'Claims of the response', (name) => OF_RESPONSE[name] ?? meaningOf(name), checks);
      return section('The signed response', await checkSignature(signed), table);
    },

    /** A table of the claims of a userinfo response, which may be signed. */
    async explainUserinfo(text) {
      const signed = decode(text);
      const table = tableOf(signed?.claims ?? JSON.parse(text), 'Claims of userinfo', meaningOf, {});
      return signed === undefined ? [table] : [section('Userinfo', await checkSignature(signed), table)];
    },
  };
}
