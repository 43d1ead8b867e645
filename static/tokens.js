// Decodes and explains the tokens in a response and the claims of userinfo, and checks signatures with the published
// keys. No token leaves the page.
import { dateOf, relative, text } from './texts.js';

/** The parameters of the Web Cryptography API for each JWS algorithm. */
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

/** Decodes a signed JWT. Returns undefined if the text is not one. */
function decode(jws) {
  const [header, payload, signature, ...more] = jws.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  try {
    const signingInput = new TextEncoder().encode(`${header}.${payload}`);
    return { header: jsonOf(header), claims: jsonOf(payload), signature: bytesOf(signature), signingInput };
  } catch {
    return undefined;
  }
}

/** @returns whether the signature is valid (undefined if it cannot be checked), and a sentence about it */
async function checkSignature({ header: { alg, kid }, signature, signingInput }) {
  const algorithm = ALGORITHMS[alg];
  if (algorithm === undefined) return [false, text('explained.other-algorithm', { algorithm: alg })];
  if (globalThis.crypto?.subtle === undefined) return [undefined, text('explained.only-https')];
  const { keys } = await (await fetch('/.well-known/jwks.json')).json();
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) return [false, text('explained.no-key', { key: kid })];
  const { kty, crv, x, y, n, e } = jwk;
  try {
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y, n, e }, algorithm, false, ['verify']);
    return (await crypto.subtle.verify(algorithm, key, signature, signingInput))
      ? [true, text('explained.valid', { algorithm: alg, key: kid })]
      : [false, text('explained.not-valid', { key: kid })];
  } catch {
    return [undefined, text('explained.not-supported', { algorithm: alg })];
  }
}

/** Returns half of the hash of an access token (OpenID Connect Core §3.1.3.6). */
async function halfHash(token, alg) {
  const digest = await crypto.subtle.digest(alg === 'EdDSA' ? 'SHA-512' : 'SHA-256', new TextEncoder().encode(token));
  return base64urlOf(new Uint8Array(digest, 0, digest.byteLength / 2));
}

const verdict = (isRight, right, wrong) => [isRight, text(isRight ? right : wrong)];

/** Returns verdicts about the claims that every token has, each with a sentence, keyed by claim. */
function checkCommonClaims({ claims }, { issuer }) {
  return {
    iss: verdict(claims.iss === issuer, 'explained.this-server', 'explained.other-server'),
    exp: verdict(claims.exp > Date.now() / 1000, 'explained.not-expired', 'explained.expired'),
  };
}

/** Returns verdicts about the claims of an authorization response. */
function checkResponse({ claims }, { issuer, clientId }) {
  return {
    ...checkCommonClaims({ claims }, { issuer }),
    aud: verdict(claims.aud === clientId, 'explained.this-application', 'explained.other-application'),
  };
}

/** Returns verdicts about the claims of an ID token. */
async function checkIdToken({ header, claims }, { issuer, clientId, nonce }, accessToken) {
  const checks = {
    ...checkCommonClaims({ claims }, { issuer }),
    aud: verdict([claims.aud].flat().includes(clientId), 'explained.this-application', 'explained.other-application'),
  };
  if (claims.nonce !== undefined)
    checks.nonce = verdict(claims.nonce === nonce, 'explained.right-nonce', 'explained.wrong-nonce');
  if (claims.at_hash !== undefined && accessToken && globalThis.crypto?.subtle)
    checks.at_hash = verdict(
      claims.at_hash === (await halfHash(accessToken, header.alg)),
      'explained.right-hash',
      'explained.wrong-hash',
    );
  return checks;
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}

const formatValue = (value) => {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, Array.isArray(value) ? 0 : 2);
};
const formatTime = (seconds) =>
  text('explained.time', { time: dateOf(seconds * 1000), relative: relativeTime(seconds) });

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Formats the time relative to now, such as "in 10 minutes". */
function relativeTime(seconds) {
  const difference = Math.round(seconds - Date.now() / 1000);
  const [unit, unitSeconds] = UNITS.find(([, size]) => Math.abs(difference) >= size) ?? UNITS.at(-1);
  return relative(Math.round(difference / unitSeconds), unit);
}
const verdictClass = (isRight) => (isRight === undefined ? 'meta' : isRight ? 'verdict-good' : 'verdict-bad');

/** Creates a table of claims, each with its meaning and the verdict about its value, if there is one. */
function tableOf(claims, caption, meaningOf, checks) {
  const columns = [text('explained.claim'), text('explained.value'), text('explained.meaning')];
  const rows = Object.entries(claims).map(([claim, value]) => {
    const meaning = element('span', {}, meaningOf(claim));
    if (TIMES.includes(claim) && typeof value === 'number') meaning.append(` ${formatTime(value)}.`);
    if (checks[claim] !== undefined) {
      const [isRight, sentence] = checks[claim];
      meaning.append(' ', element('strong', { class: verdictClass(isRight) }, sentence));
    }
    return element(
      'tr',
      { role: 'row' },
      element('th', { role: 'rowheader', scope: 'row' }, element('code', {}, claim)),
      element('td', { role: 'cell', 'data-label': columns[1] }, element('code', {}, formatValue(value))),
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

/** The meanings of the parameters of an authorization response. */
const RESPONSE_MEANINGS = {
  iss: 'explained.response-iss',
  aud: 'explained.response-aud',
  exp: 'explained.response-exp',
  code: 'explained.response-code',
  state: 'explained.response-state',
  error: 'explained.response-error',
  error_description: 'explained.response-error-description',
};

function section(title, [isRight, outcome], ...content) {
  const heading = element('h4', {}, title);
  const sentence = element('p', { class: verdictClass(isRight), role: 'status' }, outcome);
  return element('section', { class: 'card token', 'aria-label': title }, heading, sentence, ...content);
}

/** Creates functions that explain tokens in a panel of the page. */
export function createTokenPanel(panel) {
  const meanings = panel.querySelector('[data-meanings]').content;
  const meaningOf = (claim) =>
    meanings.querySelector(`[data-claim="${CSS.escape(claim)}"]`)?.textContent ?? text('explained.not-defined');
  const meaningInResponse = (name) =>
    Object.hasOwn(RESPONSE_MEANINGS, name) ? text(RESPONSE_MEANINGS[name]) : meaningOf(name);
  const tables = panel.querySelector('[data-token-tables]');

  async function explain(title, caption, token, check) {
    const decoded = decode(token);
    if (decoded === undefined) return section(title, [false, text('explained.no-jwt')]);
    const table = tableOf(decoded.claims, caption, meaningOf, await check(decoded));
    return section(title, await checkSignature(decoded), table);
  }

  return {
    /** Explains the tokens in a token response. */
    async showTokens({ idToken, accessToken }) {
      const sections = [];
      if (idToken !== undefined)
        sections.push(
          await explain(text('explained.id-token'), text('explained.claims-of-id-token'), idToken, (token) =>
            checkIdToken(token, panel.dataset, accessToken),
          ),
        );
      if (accessToken !== undefined && decode(accessToken) !== undefined)
        sections.push(
          await explain(
            text('explained.access-token'),
            text('explained.claims-of-access-token'),
            accessToken,
            (token) => checkCommonClaims(token, panel.dataset),
          ),
        );
      else if (accessToken !== undefined)
        sections.push(section(text('explained.access-token'), [undefined, text('explained.opaque')]));
      tables.replaceChildren(...sections);
      panel.hidden = false;
    },

    /** Explains an authorization response in a JWT (JARM). */
    async explainResponse(jwt) {
      const token = decode(jwt);
      const { claims } = token;
      const { code } = claims;
      // The code is a credential, and the example below shows it already.
      const displayedClaims = code === undefined ? claims : { ...claims, code: `${String(code).slice(0, 8)}…` };
      const checks = checkResponse({ claims }, panel.dataset);
      const table = tableOf(displayedClaims, text('explained.claims-of-response'), meaningInResponse, checks);
      return section(text('explained.signed-response'), await checkSignature(token), table);
    },

    /** Explains the claims of a userinfo response, which may be signed. */
    async explainUserinfo(body) {
      const token = decode(body);
      const table = tableOf(token?.claims ?? JSON.parse(body), text('explained.claims-of-userinfo'), meaningOf, {});
      return token === undefined ? [table] : [section(text('explained.userinfo'), await checkSignature(token), table)];
    },
  };
}
