// Sends an example request from the browser, and shows the response.
import { quantity, text } from './texts.js';

/** The headers of a response that matter to developers. */
const HEADERS = ['Content-Type', 'Cache-Control', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id'];

/**
 * Sends the request to this server, without cookies, as an application would.
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
  const body = await response.text();
  return { response, body, json: parseJson(body), milliseconds: Math.round(performance.now() - started) };
}

function parseJson(body) {
  try {
    return JSON.parse(body);
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
export function report(container, message) {
  container.replaceChildren(element('p', { class: 'result__message' }, message));
}

/**
 * @param meaning a sentence about the response
 * @param more additional elements to show
 */
export function showResult(container, { response, body, json, milliseconds }, meaning, more) {
  const { ok, status, statusText } = response;
  const headers = HEADERS.filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`)
    .join('\n');
  const content = json === undefined ? body : JSON.stringify(json, null, 2);
  const code = element('code', { 'data-copy': '' }, content);
  container.replaceChildren(
    element(
      'p',
      { class: 'result__status' },
      element('strong', { class: ok ? 'verdict-good' : 'verdict-bad' }, `${status} ${statusText}`),
      element('span', { class: 'meta' }, ` ${text('running.duration', { milliseconds })}`),
    ),
    element('p', { class: 'result__message' }, meaning),
    ...more,
    ...(content === '' ? [] : [element('pre', { tabindex: '0', 'aria-label': text('running.body') }, code)]),
    element(
      'details',
      { class: 'result__headers' },
      element('summary', {}, text('running.headers')),
      element('pre', {}, element('code', {}, headers)),
    ),
  );
  code.dispatchEvent(new CustomEvent('copyable', { bubbles: true }));
}

/**
 * Returns the elements that explain a refusal, which only the application's owners may see. Returns none if there is no
 * explanation.
 */
export async function explanationOf({ headers }, applicationPath) {
  const id = headers.get('X-Request-Id');
  const response = await fetch(`${applicationPath}try/refusals/${encodeURIComponent(id)}/`, { cache: 'no-store' });
  const { explanation } = response.ok ? await response.json() : {};
  if (!explanation) return [];
  const rows = [
    [text('running.expected'), explanation.expected],
    [text('running.seen'), explanation.seen],
    [text('running.advice'), explanation.advice],
  ];
  return [
    element('p', { class: 'result__rule' }, element('strong', {}, explanation.rule)),
    element(
      'dl',
      { class: 'facts' },
      ...rows.map(([name, words]) => element('div', {}, element('dt', {}, name), element('dd', {}, words))),
    ),
    element(
      'p',
      { class: 'meta' },
      element('a', { href: `${applicationPath}refusals/` }, text('running.all-refusals')),
    ),
  ];
}

function durationText(seconds) {
  if (seconds >= 7200) return quantity(Math.round(seconds / 3600), 'hour');
  if (seconds >= 120) return quantity(Math.round(seconds / 60), 'minute');
  return quantity(Math.max(0, Math.round(seconds)), 'second');
}

/** The keys of the messages about the other tokens in a response. */
const OTHER_TOKEN_TEXTS = {
  'refresh-token': 'running.with-refresh-token',
  'id-token': 'running.with-id-token',
  both: 'running.with-both',
};

function describeTokens({ expires_in, scope, token_type, refresh_token, id_token }) {
  const others =
    refresh_token && id_token ? 'both' : refresh_token ? 'refresh-token' : id_token ? 'id-token' : undefined;
  return [
    text('running.token', { duration: durationText(expires_in), scope: scope || text('running.nothing-allowed') }),
    token_type === 'DPoP' ? text('running.bound') : '',
    others === undefined ? '' : text(OTHER_TOKEN_TEXTS[others]),
    text('running.next'),
  ].join(' ');
}

const describePush = ({ json }) => text('running.pushed', { duration: durationText(json.expires_in) });

const MEANINGS = {
  push: describePush,
  'push-login': describePush,
  device: ({ json }) => text('running.user-code', { code: json.user_code }),
  introspect: ({ json }) =>
    json?.active
      ? text('running.active', { scope: json.scope || text('running.nothing-allowed') })
      : text('running.inactive'),
  revoke: () => text('running.revoked'),
  userinfo: () => text('running.shared'),
  api: () => text('running.accepted'),
};

/** Returns a sentence about the meaning of a response. */
export function meaningOf(exampleId, result) {
  const { response, json } = result;
  if (!response.ok) return json?.error_description ?? json?.detail ?? text('running.refused');
  return (MEANINGS[exampleId] ?? (() => describeTokens(json)))(result);
}
