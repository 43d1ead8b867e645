// A client that needs no model: it calls the tools of an MCP server, and asks the user in the browser for permission.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const [address = 'http://localhost:8001/mcp', clientId] = process.argv.slice(2);

// The browser returns to a port of this machine (RFC 8252).
/** @type {(search: URLSearchParams) => void} */
let resolveReturn = () => undefined;
/** @type {Promise<URLSearchParams>} */
let returned;
const returns = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const isAnswer = pathname === '/callback' && searchParams.get('state') === state;
  response.writeHead(isAnswer ? 200 : 404).end(isAnswer ? 'You can close this page.' : '');
  if (isAnswer) resolveReturn(searchParams);
});
const port = await new Promise((resolve) => {
  returns.listen(0, '127.0.0.1', () => resolve(/** @type {import('node:net').AddressInfo} */ (returns.address()).port));
});
const redirectUrl = `http://127.0.0.1:${port}/callback`;

let state = '';
let verifier = '';
/** @type {import('@modelcontextprotocol/client').StoredOAuthTokens | undefined} */
let tokens;
/** @type {import('@modelcontextprotocol/client').StoredOAuthClientInformation | undefined} */
let registered;
/** @type {import('@modelcontextprotocol/client').OAuthDiscoveryState | undefined} */
let discovered;

/** @type {import('@modelcontextprotocol/client').OAuthClientProvider} */
const authProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'Notes on the command line',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    application_type: 'native',
  },
  state: () => (state = randomBytes(16).toString('base64url')),
  // A public client has no secret that another server could learn.
  clientInformation: (server) => registered ?? (clientId ? { client_id: clientId, issuer: server?.issuer } : undefined),
  saveClientInformation: (information) => void (registered = information),
  discoveryState: () => discovered,
  saveDiscoveryState: (found) => void (discovered = found),
  tokens: () => tokens,
  saveTokens: (issued) => void (tokens = issued),
  saveCodeVerifier: (made) => void (verifier = made),
  codeVerifier: () => verifier,
  redirectToAuthorization(url) {
    returned = new Promise((resolve) => (resolveReturn = resolve));
    console.log(`Open this address in your browser:\n\n  ${url.href}\n`);
  },
};

const mcp = new Client(
  { name: 'notes-on-the-command-line', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } }, // the newest revision of the protocol that both know
);
let transport = new StreamableHTTPClientTransport(new URL(address), { authProvider });

/**
 * When the server demands a token, or one with more scopes, waits for the user's permission and repeats the request.
 * @template T
 * @param {() => Promise<T>} request
 */
async function withPermission(request) {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await returned);
    console.log(`The token allows: ${tokens?.scope}`);
    return request();
  }
}

/** @param {string} name @param {Record<string, unknown>} [parameters] */
async function call(name, parameters = {}) {
  const { content } = await withPermission(() => mcp.callTool({ name, arguments: parameters }));
  console.log(
    `${name}: ${content.map((part) => (part.type === 'text' ? part.text : part.type)).join(', ') || 'nothing'}`,
  );
}

try {
  await withPermission(() => {
    transport = new StreamableHTTPClientTransport(new URL(address), { authProvider }); // each connects once
    return mcp.connect(transport);
  });
  const { tools } = await mcp.listTools();
  console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`);
  await call('list_notes');
  await call('add_note', { note: 'Buy milk' }); // needs a scope that the first token does not have
  await call('list_notes');
} finally {
  await mcp.close();
  returns.close();
}
