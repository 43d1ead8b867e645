import { runOpenFilesDrill } from '../test/support/open-files-drill.ts';
import { printLine, readHelp, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/open-files-drill.ts

Starts the built server with a limit of 256 open files, keeps 400 connections open, and requests tokens during that
time and afterwards. The server must survive, respond again, and write every tile of its log.

  --help    show this help

Exit status 0: all checks passed. 1: a check failed. 2: usage error.
`;

const run = (): Promise<number> =>
  runDrill(
    'files',
    async (directory) => {
      await runOpenFilesDrill({ dataDir: directory, progress: printLine });
      return 0;
    },
    1,
  );

await runScript(USAGE, readHelp, run);
