// An MCP server over streamable HTTP, with notes for each user. Callers need an access token from a Grantlog server.
import { readFileSync } from 'node:fs';
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, requireScopes } from '@modelcontextprotocol/server';
import { createHttpServer, protectedResource } from 'grantlog';
import Koa from 'koa';
import { z } from 'zod';

const { ISSUER: issuer = 'http://localhost:8000', RESOURCE: resource = 'http://localhost:8001/mcp' } = process.env;
const { client_id: clientId, client_secret: clientSecret } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));

const notes = /** @type {Map<string, string[]>} */ (new Map());
/** @param {string[]} lines */
const text = (...lines) => ({ content: lines.map((line) => ({ type: /** @type {const} */ ('text'), text: line })) });
const mcp = createMcpHandler(({ authInfo }) => {
  const user = String(authInfo?.extra?.['userId']);
  const userNotes = () => notes.get(user) ?? [];
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('list_notes', { description: 'Lists your notes.' }, () => text(...userNotes()));
  const inputSchema = z.object({ note: z.string().max(1000) });
  const scopeChallenge = requireScopes('notes:read', 'notes:write'); // a client asks the user for missing scopes
  server.registerTool('add_note', { description: 'Adds a note.', inputSchema, scopeChallenge }, ({ note }) => {
    notes.set(user, [...userNotes(), note]);
    return text(`Added note ${userNotes().length}.`);
  });
  return server;
});

const app = /** @type {Koa<import('grantlog').RequestState>} */ (new Koa());
app.use(protectedResource({ resource, issuer, clientId, clientSecret, scopes: ['notes:read'] }));
app.use(async (ctx) => {
  const { principal, resourceMetadata = '' } = ctx.state;
  if (ctx.path !== new URL(resource).pathname || principal.kind !== 'bearer') return;
  const caller = { token: '', clientId: principal.clientId, scopes: [...principal.scope] }; // tools need no token
  const authInfo = { ...caller, extra: { userId: principal.userId }, resourceMetadataUrl: resourceMetadata };
  ctx.body = await mcp.fetch(await toWebRequest(/** @type {any} */ (ctx.req)), { authInfo });
});
const { port } = new URL(resource);
createHttpServer(app.callback()).listen(Number(port), '127.0.0.1', () => console.log(`serving notes on ${resource}`));
