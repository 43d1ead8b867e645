import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { TLS } from './tls.ts';

/** Serves HTTPS in front of a server without TLS, like an operator's proxy. */
export interface TlsProxy {
  readonly origin: string;
  close(): Promise<void>;
}

/** @param target returns the server's origin; called for each connection */
export async function startTlsProxy(target: () => string): Promise<TlsProxy> {
  const server = createServer(TLS, (client) => {
    const upstream = connect(Number(new URL(target()).port), '127.0.0.1');
    const end = (): void => void (client.destroy(), upstream.destroy());
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
