import { clockDrill } from '../test/support/clock-drill.ts';
import { printLine, readHelp, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/clock-drill.ts

Starts the built server and sets its wall clock to a day ago, to a year ahead and back, issues tokens at each time, and
restarts it. No token may live longer than its lifetime, and the log must verify afterwards.

  --help    this text

Exit status 0: everything held. 1: something did not. 2: wrong usage.
`;

const run = (): Promise<number> =>
  runDrill(
    'clock',
    async (directory) => {
      await clockDrill({ directory, progress: printLine });
      return 0;
    },
    1,
  );

await runScript(USAGE, readHelp, run);
