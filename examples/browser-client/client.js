// An OAuth client that runs in the browser: authorization code with PKCE (RFC 7636), refresh, revocation.

/** @typedef {{ issuer: string, clientId: string, scope: string }} Config */
/**
 * @typedef {object} Metadata of the authorization server (RFC 8414)
 * @property {string} issuer
 * @property {string} authorization_endpoint
 * @property {string} token_endpoint
 * @property {string} revocation_endpoint
 */
/** @typedef {{ access_token: string, refresh_token: string, expires_in: number, scope: string }} Tokens */
/** @typedef {{ state: string, verifier: string }} PendingLogin */

/** The key in session storage for the state that must survive the redirects. */
const PENDING = 'pending login';
const redirectUri = `${location.origin}/`;

/** @type {Config} */
const config = await (await fetch('config.json')).json();
const metadata = await discover();
/**
 * The tokens stay in memory, so that a reload discards them, and other scripts do not find them in storage.
 * @type {Tokens | undefined}
 */
let tokens;

/**
 * Reads the endpoints from the issuer's metadata.
 * @returns {Promise<Metadata>}
 */
async function discover() {
  const response = await fetch(new URL('/.well-known/oauth-authorization-server', config.issuer));
  const serverMetadata = await response.json();
  if (serverMetadata.issuer !== config.issuer)
    throw new Error(`the issuer in the metadata is ${serverMetadata.issuer}, not ${config.issuer}`);
  return serverMetadata;
}

/** Sends the user to the authorization server, with a state and a PKCE challenge whose verifier only this page has. */
async function logIn() {
  const pending = { state: randomText(), verifier: randomText() };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  location.assign(
    `${metadata.authorization_endpoint}?${new URLSearchParams({
      response_type: 'code',
      client_id: config.clientId,
      redirect_uri: redirectUri,
      scope: config.scope,
      state: pending.state,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    })}`,
  );
}

/** Redeems the code if the user returns with one. */
async function finishLogIn() {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has('state')) return;
  history.replaceState(null, '', redirectUri); // so that a reload or a bookmark does not send the code again
  /** @type {Partial<PendingLogin>} */
  const { state, verifier } = JSON.parse(sessionStorage.getItem(PENDING) ?? '{}');
  sessionStorage.removeItem(PENDING);
  // Responses to other requests and responses from other servers are refused (RFC 9207).
  if (state === undefined || verifier === undefined || parameters.get('state') !== state) {
    throw new Error('this response does not belong to a login of this page');
  }
  if (parameters.get('iss') !== metadata.issuer) throw new Error('this response is from a different server');
  const error = parameters.get('error');
  if (error !== null) throw new Error(parameters.get('error_description') ?? error);
  tokens = await requestTokens({
    grant_type: 'authorization_code',
    code: parameters.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}

/** Refreshes the tokens. A refresh token works once; the response contains the next one. */
async function refresh() {
  tokens = await requestTokens({ grant_type: 'refresh_token', refresh_token: tokens?.refresh_token ?? '' });
}

/** Ends the grant: its access and refresh tokens stop working. */
async function logOut() {
  await post(metadata.revocation_endpoint, { token: tokens?.refresh_token ?? '' });
  tokens = undefined;
}

/** Lists the users of the sample API, which belongs to the sample configuration of the server. */
async function callApi() {
  const headers = { Authorization: `Bearer ${tokens?.access_token}` };
  const response = await fetch(new URL('/users/', config.issuer), { headers });
  element('answer').textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
}

/**
 * @param {Readonly<Record<string, string>>} parameters
 * @returns {Promise<Tokens>}
 */
async function requestTokens(parameters) {
  const response = await post(metadata.token_endpoint, parameters);
  const body = await response.json();
  if (response.ok) return body;
  throw new Error(body.error_description ?? body.error);
}

/**
 * Posts a form with the client id. A public client has no secret.
 * @param {string} endpoint
 * @param {Readonly<Record<string, string>>} form
 */
function post(endpoint, form) {
  return fetch(endpoint, { method: 'POST', body: new URLSearchParams({ ...form, client_id: config.clientId }) });
}

/** Returns 256 random bits, for a state or a code verifier. */
function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function element(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`the page has no element ${id}`);
  return node;
}

function show() {
  const isLoggedIn = tokens !== undefined;
  element('status').textContent = isLoggedIn ? `Logged in, with the scope “${tokens?.scope}”.` : 'Not logged in.';
  element('log-in').hidden = isLoggedIn;
  for (const id of ['call-api', 'refresh', 'log-out']) element(id).hidden = !isLoggedIn;
}

/**
 * Runs one step and shows its result.
 * @param {() => Promise<void>} step
 */
async function run(step) {
  element('answer').textContent = '';
  try {
    await step();
    show();
  } catch (error) {
    show();
    element('status').textContent = `Failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

for (const [id, step] of Object.entries({ 'log-in': logIn, 'call-api': callApi, refresh, 'log-out': logOut })) {
  element(id).addEventListener('click', () => void run(step));
}
await run(finishLogIn);
