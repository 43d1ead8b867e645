import { toWebRequest, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, requireScopes } from '@modelcontextprotocol/server';
import { once } from 'node:events';
import Koa from 'koa';
import { protectedResource, type RequestState } from '../../src/index.ts';
import { freePort } from './free-port.ts';
import { runningService, type RunningService, type TestClient } from './running-service.ts';

/** A Grantlog service and an MCP server that it protects. */
export interface McpScene {
  readonly running: RunningService;
  /** The address of the MCP server. */
  readonly resource: string;
  /** Registers a public client by hand, which receives codes on any port of this machine. */
  addNativeClient(): Promise<TestClient>;
  close(): Promise<void>;
}

export const NATIVE_REDIRECT_URI = 'http://127.0.0.1:49152/callback';

/** The tool `echo` needs the scope `read`, like every request, and `shout` also needs `write`. */
export async function mcpScene(settings: Parameters<typeof runningService>[0] = {}): Promise<McpScene> {
  const port = await freePort();
  const resource = `http://localhost:${port}/mcp`;
  const running = await runningService({
    isItsOwnIssuer: true,
    startsAt: Date.now(),
    ...settings,
    settings: { resources: [resource], ...settings.settings },
  });
  const { id: clientId, secret: clientSecret } = await running.addClient();
  const app = new Koa<RequestState>();
  app.use(protectedResource({ resource, issuer: running.origin(), clientId, clientSecret, scopes: ['read'] }));
  app.use(async (ctx) => {
    const { principal, resourceMetadata: resourceMetadataUrl = '' } = ctx.state;
    if (principal.kind !== 'bearer') throw new Error('only access tokens pass');
    const { userId } = principal;
    const caller = { token: '', clientId: principal.clientId, scopes: [...principal.scope] };
    ctx.body = await handler.fetch(await toWebRequest(ctx.req as NodeIncomingMessageLike), {
      authInfo: { ...caller, extra: { userId }, resourceMetadataUrl },
    });
  });
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    running,
    resource,
    addNativeClient: () =>
      running.addClient({
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: ['http://127.0.0.1/callback'],
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await running.close();
    },
  };
}

const handler = createMcpHandler(({ authInfo }) => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('echo', {}, () => answer(`user ${String(authInfo?.extra?.['userId'])}`));
  server.registerTool('shout', { scopeChallenge: requireScopes('read', 'write') }, () => answer('WRITTEN'));
  return server;
});
