import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { TLS } from '../tls.ts';

/** A page of an application that logs in its users with oidc-client-ts, on a server that only serves files. */
export interface SinglePageApplication {
  /** Returns the address of the page, under a host name of this machine. */
  origin(host?: '127.0.0.1' | 'localhost'): string;
  /** Sets the settings of the library, except the addresses of the page. */
  configure(settings: object): void;
  close(): Promise<void>;
}

const PACKAGE = dirname(createRequire(import.meta.url).resolve('oidc-client-ts/package.json'));

/**
 * Starts the server of the page. The page has two global variables: `manager`, and `outcome`, which is the value or the
 * error of the callback at its address, or undefined at other addresses. In a frame or a pop-up, the library passes the
 * callback on to the page that opened it.
 */
export async function startSinglePageApplication(): Promise<SinglePageApplication> {
  const library = await readFile(join(PACKAGE, 'dist/browser/oidc-client-ts.min.js'), 'utf8');
  let page = '';
  const server = createServer(TLS, (request, response) => {
    const isLibrary = request.url === '/library.js';
    response.writeHead(200, { 'content-type': isLibrary ? 'text/javascript' : 'text/html' });
    response.end(isLibrary ? library : page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: (host = '127.0.0.1') => `https://${host}:${port}`,
    configure: (settings) => void (page = pageWith(settings)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function pageWith(settings: object): string {
  return `<!doctype html>
    <title>Application</title>
    <link rel="icon" href="data:,">
    <script src="/library.js"></script>
    <script>
      const manager = new oidc.UserManager({
        ...${JSON.stringify(settings)},
        redirect_uri: location.origin + '/callback',
        silent_redirect_uri: location.origin + '/callback',
        popup_redirect_uri: location.origin + '/callback',
        post_logout_redirect_uri: location.origin + '/logged-out',
      });
      const callbacks = { '/callback': () => manager.signinCallback(), '/logged-out': () => manager.signoutCallback() };
      const outcome = callbacks[location.pathname]?.().then(
        (value) => ({ value }),
        ({ error, message }) => ({ error: error ?? message }),
      );
    </script>`;
}
