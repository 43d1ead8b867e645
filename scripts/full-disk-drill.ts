import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { fullDiskDrill } from '../test/support/full-disk-drill.ts';
import { inTemporaryDirectory, printLine, statusOf } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/full-disk-drill.ts [--mib N]

Fills a disk (a tmpfs) under the built server while it issues tokens: what only reads is answered, what would be
recorded gets 503. It restarts the server on the full disk, makes room, lets a write fail, and looks for every token
that was answered. The disk is mounted in a mount namespace of its own, which unshare makes without being root.

  --mib N   the size of the disk (80)
  --help    this text

Exit status 0: everything held. 1: something did not. 2: wrong usage, or no disk can be mounted here.
`;

/** Set for the script that runs in the mount namespace. */
const MOUNTED = 'GRANTLOG_DRILL_DISK';

async function run({ mib }: ReturnType<typeof readOptions>): Promise<number> {
  const disk = process.env[MOUNTED];
  if (disk === undefined) return runInNamespace();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', disk]);
  return statusOf(async () => {
    await fullDiskDrill({ disk, progress: printLine });
    return 0;
  }, 1);
}

async function runInNamespace(): Promise<number> {
  const unshare = ['--user', '--map-root-user', '--mount'];
  if (spawnSync('unshare', [...unshare, 'true']).status !== 0) {
    process.stderr.write('this system lets nobody make a mount namespace with unshare\n');
    return 2;
  }
  return inTemporaryDirectory('disk', async (disk) => {
    const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const { status } = spawnSync('unshare', [...unshare, ...again], {
      stdio: 'inherit',
      env: { ...process.env, [MOUNTED]: disk },
    });
    return status ?? 1;
  });
}

function readOptions(words: readonly string[]): { readonly mib: number; readonly help: boolean } {
  const { values } = parseArgs({
    args: [...words],
    options: { mib: { type: 'string', default: '80' }, help: { type: 'boolean', default: false } },
  });
  if (!/^\d{2,5}$/.test(values.mib) || Number(values.mib) < 64) throw new Error('--mib takes a whole number from 64');
  return { mib: Number(values.mib), help: values.help };
}

await runScript(USAGE, readOptions, run);
