// A client without a language model. It calls the tools of an MCP server, and asks the user for permission in the
// browser.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const [address = 'http://localhost:8001/mcp', clientId] = process.argv.slice(2);

// The browser returns to a port of this machine (RFC 8252).
/** @type {(search: URLSearchParams) => void} */
let resolveRedirect = () => undefined;
/** @type {Promise<URLSearchParams>} */
let redirectParameters;
const redirectServer = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const isExpected = pathname === '/callback' && searchParams.get('state') === state;
  response.writeHead(isExpected ? 200 : 404).end(isExpected ? 'You can close this page.' : '');
  if (isExpected) resolveRedirect(searchParams);
});
const port = await new Promise((resolve) => {
  redirectServer.listen(0, '127.0.0.1', () =>
    resolve(/** @type {import('node:net').AddressInfo} */ (redirectServer.address()).port),
  );
});
const redirectUrl = `http://127.0.0.1:${port}/callback`;

let state = '';
let verifier = '';
/** @type {import('@modelcontextprotocol/client').StoredOAuthTokens | undefined} */
let tokens;
/** @type {import('@modelcontextprotocol/client').StoredOAuthClientInformation | undefined} */
let registration;
/** @type {import('@modelcontextprotocol/client').OAuthDiscoveryState | undefined} */
let discovery;

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
  // The client is public, so no other server can learn a secret.
  clientInformation: (server) =>
    registration ?? (clientId ? { client_id: clientId, issuer: server?.issuer } : undefined),
  saveClientInformation: (information) => void (registration = information),
  discoveryState: () => discovery,
  saveDiscoveryState: (result) => void (discovery = result),
  tokens: () => tokens,
  saveTokens: (response) => void (tokens = response),
  saveCodeVerifier: (newVerifier) => void (verifier = newVerifier),
  codeVerifier: () => verifier,
  redirectToAuthorization(url) {
    redirectParameters = new Promise((resolve) => (resolveRedirect = resolve));
    console.log(`Open this address in your browser:\n\n  ${url.href}\n`);
  },
};

const mcp = new Client(
  { name: 'notes-on-the-command-line', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } }, // the newest revision of the protocol that client and server support
);
let transport = new StreamableHTTPClientTransport(new URL(address), { authProvider });

/**
 * If the server demands a token, or a token with more scopes, waits for the user's permission and repeats the request.
 * @template T
 * @param {() => Promise<T>} request
 */
async function withPermission(request) {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await redirectParameters);
    console.log(`The token allows: ${tokens?.scope}`);
    return request();
  }
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} [parameters]
 */
async function call(name, parameters = {}) {
  const { content } = await withPermission(() => mcp.callTool({ name, arguments: parameters }));
  console.log(
    `${name}: ${content.map((part) => (part.type === 'text' ? part.text : part.type)).join(', ') || 'nothing'}`,
  );
}

try {
  await withPermission(() => {
    // A transport can connect only once.
    transport = new StreamableHTTPClientTransport(new URL(address), { authProvider });
    return mcp.connect(transport);
  });
  const { tools } = await mcp.listTools();
  console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`);
  await call('list_notes');
  await call('add_note', { note: 'Buy milk' }); // needs a scope that the first token does not have
  await call('list_notes');
} finally {
  await mcp.close();
  redirectServer.close();
}
