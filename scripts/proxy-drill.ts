import { runProxyDrill } from '../test/support/relying-parties/proxy-drill.ts';
import { printLine, readHelp, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/proxy-drill.ts

Starts the built server behind nginx, Apache and HAProxy, each configured as in docs/deployment.md, and checks with curl
and Python that client certificates reach it, and forged headers do not. Needs, on Debian, the packages nginx,
libnginx-mod-http-js, apache2, haproxy, curl and python3-requests.

  --help    show this help

Exit status 0: all checks passed. 1: a check failed. 2: usage error.
`;

const run = (): Promise<number> =>
  runDrill(
    'proxies',
    async (directory) => {
      await runProxyDrill(directory, printLine);
      return 0;
    },
    1,
  );

await runScript(USAGE, readHelp, run);
