// Sends an example request from the browser, and shows the response.

/** The headers of a response that matter to developers. */
const HEADERS = ['Content-Type', 'Cache-Control', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id'];

/**
 * Sends the request to this server, without cookies, as a program would.
 * @param request an ExampleRequest with all values filled in
 */
export async function send({ url, form, basic, bearer, proof }) {
  const { pathname, search } = new URL(url);
  const headers = {};
  if (basic !== null) headers.Authorization = `Basic ${btoa(`${basic.clientId}:${basic.clientSecret}`)}`;
  if (bearer !== null) headers.Authorization = `${proof === null ? 'Bearer' : 'DPoP'} ${bearer}`;
  if (proof !== null) headers.DPoP = proof;
  const started = performance.now();
  const response = await fetch(pathname + search, {
    method: form === null ? 'GET' : 'POST',
    headers,
    body: form === null ? null : new URLSearchParams(form),
    credentials: 'omit',
    cache: 'no-store',
  });
  const text = await response.text();
  return { response, text, json: parsed(text), milliseconds: Math.round(performance.now() - started) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

/** Shows a message in place of a response. */
export function report(place, text) {
  place.replaceChildren(element('p', { class: 'result__message' }, text));
}

/**
 * @param meaning a sentence about the response
 * @param more further elements to show
 */
export function showResult(place, { response, text, json, milliseconds }, meaning, more) {
  const { ok, status, statusText } = response;
  const headers = HEADERS.filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`)
    .join('\n');
  const body = json === undefined ? text : JSON.stringify(json, null, 2);
  const code = element('code', { 'data-copy': '' }, body);
  place.replaceChildren(
    element(
      'p',
      { class: 'result__status' },
      element('strong', { class: ok ? 'verdict-good' : 'verdict-bad' }, `${status} ${statusText}`),
      element('span', { class: 'meta' }, ` in ${milliseconds} ms`),
    ),
    element('p', { class: 'result__message' }, meaning),
    ...more,
    ...(body === '' ? [] : [element('pre', { tabindex: '0', 'aria-label': 'Body of the response' }, code)]),
    element(
      'details',
      { class: 'result__headers' },
      element('summary', {}, 'Headers of the response'),
      element('pre', {}, element('code', {}, headers)),
    ),
  );
  code.dispatchEvent(new CustomEvent('copyable', { bubbles: true }));
}

/**
 * The elements that explain a refusal, which only the application's owners may see. Empty if there is no explanation.
 */
export async function explanationOf({ headers }, applicationPath) {
  const id = headers.get('X-Request-Id');
  const answer = await fetch(`${applicationPath}try/refusals/${encodeURIComponent(id)}/`, { cache: 'no-store' });
  const { explanation } = answer.ok ? await answer.json() : {};
  if (!explanation) return [];
  const rows = [
    ['Expected', explanation.expected],
    ['Seen', explanation.seen],
    ['What to do', explanation.advice],
  ];
  return [
    element('p', { class: 'result__rule' }, element('strong', {}, explanation.rule)),
    element(
      'dl',
      { class: 'facts' },
      ...rows.map(([name, words]) => element('div', {}, element('dt', {}, name), element('dd', {}, words))),
    ),
    element('p', { class: 'meta' }, element('a', { href: `${applicationPath}refusals/` }, 'All recent refusals')),
  ];
}

const counted = (count, unit) => `${count} ${unit}${count === 1 ? '' : 's'}`;

function lengthOf(seconds) {
  if (seconds >= 7200) return counted(Math.round(seconds / 3600), 'hour');
  if (seconds >= 120) return counted(Math.round(seconds / 60), 'minute');
  return counted(Math.max(0, Math.round(seconds)), 'second');
}

function describeTokens({ expires_in, scope, token_type, refresh_token, id_token }) {
  const others = [refresh_token && 'a refresh token', id_token && 'an ID token'].filter(Boolean);
  return [
    `An access token for ${lengthOf(expires_in)}, which allows: ${scope || 'nothing'}.`,
    token_type === 'DPoP' ? 'It is bound to a key that this page made.' : '',
    others.length > 0 ? `With it: ${others.join(' and ')}.` : '',
    'The requests below are filled in with it.',
  ].join(' ');
}

const pushed = ({ json }) =>
  `The server keeps the request for ${lengthOf(json.expires_in)}. “Ask the user” below opens it.`;

const MEANINGS = {
  push: pushed,
  'push-login': pushed,
  device: ({ json }) => `The user enters ${json.user_code}. Open the address below, approve, and ask for the tokens.`,
  introspect: ({ json }) =>
    json?.active
      ? `The token is active, and allows: ${json.scope || 'nothing'}.`
      : 'The token is not active: it is unknown, expired or revoked.',
  revoke: () => 'The token is revoked. Use it again, and it is refused.',
  userinfo: () => 'What the user agreed to share with this application:',
  api: () => 'The API accepted the token.',
};

/** A sentence about the meaning of a response. */
export function meaningOf(exampleId, result) {
  const { response, json } = result;
  if (!response.ok) return json?.error_description ?? json?.detail ?? 'The server refused the request.';
  return (MEANINGS[exampleId] ?? (() => describeTokens(json)))(result);
}
