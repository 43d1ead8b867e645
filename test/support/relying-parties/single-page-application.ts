import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { TLS } from '../tls.ts';

/** A single-page application that logs users in with oidc-client-ts, on a server that only serves files. */
export interface SinglePageApplication {
  /** Returns the page's origin, with one of this machine's host names. */
  origin(host?: '127.0.0.1' | 'localhost'): string;
  /** Changes the library's settings, except for the page's own URLs. */
  configure(settings: object): void;
  close(): Promise<void>;
}

const PACKAGE = dirname(createRequire(import.meta.url).resolve('oidc-client-ts/package.json'));

/**
 * Starts the page's server. The page has two global variables: `manager`, and `outcome`, which is a promise of the
 * callback's value or error at the callback URLs and undefined at others. In a frame or pop-up, the library passes the
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
    configure: (settings) => void (page = renderPage(settings)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function renderPage(settings: object): string {
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
