import { execFileSync, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runFullDiskDrill } from '../test/support/full-disk-drill.ts';
import { inTemporaryDirectory, printLine, statusOf } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/full-disk-drill.ts [--mib N]

Fills a disk (a tmpfs) under the built server while it issues tokens: requests that only read must succeed, and requests
that record events must get 503. Restarts the server on the full disk, frees space, makes a write fail, and checks every
token that was returned. The disk is mounted in a separate mount namespace, which unshare creates without root.

  --mib N   the size of the disk in MiB, at least 64 (80)
  --help    show this help

Exit status 0: all checks passed. 1: a check failed. 2: usage error, or no disk can be mounted here.
`;

/** Set when this script runs inside the mount namespace. */
const MOUNTED = 'GRANTLOG_DRILL_DISK';

async function run({ mib }: ReturnType<typeof readOptions>): Promise<number> {
  const disk = process.env[MOUNTED];
  if (disk === undefined) return runInNamespace();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', disk]);
  return statusOf(async () => {
    await runFullDiskDrill({ disk, progress: printLine });
    return 0;
  }, 1);
}

async function runInNamespace(): Promise<number> {
  const unshare = ['--user', '--map-root-user', '--mount'];
  if (spawnSync('unshare', [...unshare, 'true']).status !== 0) {
    process.stderr.write('unshare cannot create a mount namespace on this system\n');
    return 2;
  }
  return inTemporaryDirectory('disk', async (disk) => {
    const sameCommand = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    const { status } = spawnSync('unshare', [...unshare, ...sameCommand], {
      stdio: 'inherit',
      env: { ...process.env, [MOUNTED]: disk },
    });
    return status ?? 1;
  });
}

function readOptions(args: readonly string[]): { readonly mib: number; readonly help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: { mib: { type: 'string', default: '80' }, help: { type: 'boolean', default: false } },
  });
  if (!/^\d{2,5}$/.test(values.mib) || Number(values.mib) < 64)
    throw new Error('--mib takes a whole number from 64 to 99999');
  return { mib: Number(values.mib), help: values.help };
}

await runScript(USAGE, readOptions, run);
