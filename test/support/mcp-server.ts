import { toWebRequest, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, requireScopes } from '@modelcontextprotocol/server';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { protectedResource, type RequestState } from '../../src/index.ts';
import { operate } from '../../src/operations/operations.ts';
import { clientDocument, startDocumentServer, serveDocumentsAt } from './client-documents.ts';
import { runningService, type RunningOptions, type RunningService, type TestClient } from './running-service.ts';

/** A Grantlog service and an MCP server that it protects. */
export interface McpScene {
  readonly running: RunningService;
  /** The URL of the MCP server. */
  readonly resource: string;
  /** Registers a public client that receives codes on any port of this machine. */
  addNativeClient(): Promise<TestClient>;
  close(): Promise<void>;
}

/** The redirect URI where a native client receives the code. */
export const NATIVE_REDIRECT_URI = 'http://127.0.0.1:49152/callback';
const REDIRECT_URIS = ['http://127.0.0.1/callback'];

const SETTINGS = {
  clientDocuments: 'any',
  dynamicRegistration: 'open',
  outgoingHttp: true,
  outgoingNetworks: ['127.0.0.0/8'],
} as const;
const SCOPES = [
  { name: 'notes:read', description: 'Read your notes' },
  { name: 'notes:write', description: 'Change your notes' },
];

/**
 * Starts the service and the MCP server. Every request to the MCP server needs the `notes:read` scope, and the tool
 * `shout` also needs `notes:write`. The document at `DOCUMENT_URL` describes a native client.
 */
export async function startMcpScene(settings: RunningOptions['settings'] = {}): Promise<McpScene> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resource = `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
  const running = await runningService({
    isItsOwnIssuer: true,
    startsAt: Date.now(),
    settings: { ...SETTINGS, ...settings },
  });
  await addResource(running, resource);
  const documents = await startDocumentServer(clientDocument({ redirect_uris: REDIRECT_URIS }));
  serveDocumentsAt(running, documents);
  const { id: clientId, secret: clientSecret } = await running.addClient();
  const app = new Koa<RequestState>();
  app.use(protectedResource({ resource, issuer: running.origin(), clientId, clientSecret, scopes: ['notes:read'] }));
  app.use(async (ctx) => {
    const { principal, resourceMetadata: resourceMetadataUrl = '' } = ctx.state;
    if (principal.kind !== 'bearer') throw new Error('only access tokens pass');
    const { userId } = principal;
    const caller = { token: '', clientId: principal.clientId, scopes: [...principal.scope] };
    ctx.body = await handler.fetch(await toWebRequest(ctx.req as NodeIncomingMessageLike), {
      authInfo: { ...caller, extra: { userId }, resourceMetadataUrl },
    });
  });
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    running,
    resource,
    addNativeClient: () =>
      running.addClient({
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: REDIRECT_URIS,
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await documents.close();
      await running.close();
    },
  };
}

async function addResource(running: RunningService, uri: string): Promise<void> {
  const settings = { accessTokenFormat: null, accessTokenAlgorithm: null, accessTokenLifetimeSeconds: null };
  const input = {
    uri,
    name: 'Notes',
    owner: null,
    scopes: SCOPES,
    ...settings,
    publishesMetadata: false,
    detailTypes: '',
  };
  const rows = operate(running.service())('resource add', input, new AbortController().signal);
  for await (const row of rows) void row;
}

const handler = createMcpHandler(({ authInfo }) => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('echo', {}, () => textResult(`user ${String(authInfo?.extra?.['userId'])}`));
  server.registerTool('shout', { scopeChallenge: requireScopes('notes:read', 'notes:write') }, () =>
    textResult('WRITTEN'),
  );
  return server;
});
