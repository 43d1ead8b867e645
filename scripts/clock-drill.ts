import { runClockDrill } from '../test/support/clock-drill.ts';
import { printLine, readHelp, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/clock-drill.ts

Starts the built server, sets its wall clock a day back, a year ahead and back again, issues tokens at each time, and
restarts it. No token may be valid longer than its lifetime, and the log must verify afterwards.

  --help    show this help

Exit status 0: all checks passed. 1: a check failed. 2: usage error.
`;

const run = (): Promise<number> =>
  runDrill(
    'clock',
    async (directory) => {
      await runClockDrill({ directory, progress: printLine });
      return 0;
    },
    1,
  );

await runScript(USAGE, readHelp, run);
