import { runRelyingPartyDrill } from '../test/support/relying-parties/drill.ts';
import { printLine, readHelp, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/relying-party-drill.ts

Starts the built server and two third-party relying parties: Apache with mod_auth_openidc, and a Python program with
Authlib. Logs a user in to both in a browser, and checks the claims, a refresh, and that a logout ends the session at
Apache. Needs Chromium and, on Debian, the packages apache2, libapache2-mod-auth-openidc, python3-authlib and
python3-requests.

  --help    show this help

Exit status 0: all checks passed. 1: a check failed. 2: usage error.
`;

const run = (): Promise<number> =>
  runDrill(
    'relying-parties',
    async (directory) => {
      await runRelyingPartyDrill(directory, printLine);
      return 0;
    },
    1,
  );

await runScript(USAGE, readHelp, run);
