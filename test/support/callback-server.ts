import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The receiving end of a redirect URI: an application that listens on a loopback address. */
export interface CallbackServer {
  /** Returns the URL of its callback under a host name of this machine. */
  redirectUri(host: string): string;
  /** A callback that redirects the browser to a different origin, as applications on several hosts do. */
  readonly forwardingUri: string;
  /** The queries that arrived at the callback, oldest first. */
  readonly receivedQueries: readonly URLSearchParams[];
  close(): Promise<void>;
}

export async function startCallbackServer(address: '127.0.0.1' | '::1' = '127.0.0.1'): Promise<CallbackServer> {
  const receivedQueries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://application.invalid');
    if (pathname.startsWith('/callback')) receivedQueries.push(searchParams);
    if (pathname === '/callback/onward')
      response.writeHead(302, { location: `http://localhost:${port}/welcome` }).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Back</title><h1>Back at the application</h1>');
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    receivedQueries,
    redirectUri: (host) => `http://${host}:${port}/callback`,
    forwardingUri: `http://127.0.0.1:${port}/callback/onward`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
