// An API in a separate process that accepts access tokens from a Grantlog server.
import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import { bearerToken, createHttpServer, policies, remoteIntrospection, requirePolicy } from 'grantlog';
import Koa from 'koa';

const {
  ISSUER: issuer = 'http://localhost:8000',
  PORT = '8001',
  BASE_URL: baseUrl = `http://localhost:${PORT}`,
} = process.env;
const [credentials] = process.argv.slice(2);
if (credentials === undefined) {
  console.error('Usage: node server.mjs FILE, where FILE is the output of "grantlog client add … --json"');
  process.exit(2);
}
const { client_id: clientId, client_secret: clientSecret } = JSON.parse(readFileSync(credentials, 'utf8'));

const MAX_NOTE_LENGTH = 1000;
/**
 * The notes of each user, or of each client that acts on its own behalf.
 * @type {Map<string, string[]>}
 */
const notes = new Map();

/** @type {Koa<import('grantlog').RequestState>} */
const app = new Koa();
app.on('error', (error) => console.error(error));

// `bearerToken` sets ctx.state.principal. It does not refuse requests; the policy of each route does.
const find = remoteIntrospection({ endpoint: new URL('/o/introspect/', issuer).href, clientId, clientSecret, issuer });
// The base URL lets the API also accept tokens that are bound to a key (DPoP).
app.use(bearerToken({ find }, { baseUrl }));

const readOrWrite = requirePolicy(policies.readWrite({ readScope: 'read', writeScope: 'write' }));
/** @type {Router<import('grantlog').RequestState>} */
const router = new Router();
router.get('/notes', readOrWrite, (ctx) => {
  ctx.body = notes.get(ownerOf(ctx.state.principal)) ?? [];
});
router.post('/notes', readOrWrite, async (ctx) => {
  const note = await readText(ctx.req);
  if (note === undefined) {
    ctx.status = 413;
    ctx.body = { detail: `A note has at most ${MAX_NOTE_LENGTH} characters.` };
    return;
  }
  const owner = ownerOf(ctx.state.principal);
  notes.set(owner, [...(notes.get(owner) ?? []), note]);
  ctx.status = 201;
  ctx.body = { note };
});
// Requires a login within the last five minutes. Otherwise, the challenge tells the client to request a new login.
const recentLogin = requirePolicy(policies.allScopes(['write']), { maxAge: 300 });
router.delete('/notes', recentLogin, (ctx) => {
  notes.delete(ownerOf(ctx.state.principal));
  ctx.status = 204;
});
app.use(router.routes());

/** @param {import('grantlog').Principal} principal */
function ownerOf(principal) {
  if (principal.kind !== 'bearer') throw new Error('the policy admits only callers with access tokens');
  return principal.userId === null ? `client ${principal.clientId}` : `user ${principal.userId}`;
}

/**
 * Reads the body. Returns undefined if it is too long.
 * @param {import('node:http').IncomingMessage} request
 */
async function readText(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_NOTE_LENGTH) return undefined;
  }
  return text;
}

// Like app.listen, with limits on slow clients and idle connections.
const server = createHttpServer(app.callback());
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  console.log(`serving notes on http://127.0.0.1:${port}`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
