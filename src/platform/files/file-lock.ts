import { hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readlinkSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** The timing of a lock, in milliseconds. */
export interface LockTiming {
  /** The lock file of an unknown process is considered abandoned if it has not changed for this long. */
  readonly abandonedAfter: number;
  /** Waiting fails with an error after this time, which must be longer than `abandonedAfter`. */
  readonly giveUpAfter: number;
}

const TIMING: LockTiming = { abandonedAfter: 10_000, giveUpAfter: 60_000 };

const MAX_DELAY_MILLISECONDS = 25;

/** The identity of a lock file. A later lock on the same path has a different identity. */
interface LockIdentity {
  readonly inode: bigint;
  readonly changedAt: bigint;
}

/**
 * Runs `act` while this process holds the lock file at `path`. The file is created exclusively, which is atomic on
 * local file systems and on NFS version 3 or later. `act` is synchronous, so the lock is held only briefly.
 *
 * The lock of a process that died on this machine is removed immediately. A lock from another machine is removed if
 * it does not change while this process waits for ten seconds, so the machines' clocks need not agree. If the other
 * process was only suspended, it notices that it has lost the lock, and runs `act` again. `act` must therefore be
 * repeatable, and must preserve the changes that other processes have made in the meantime.
 * @throws the error that `act` throws, or Error if the file cannot be created or the lock does not become free in time
 */
export async function withFileLock<Result>(
  path: string,
  act: () => Result,
  timing: LockTiming = TIMING,
): Promise<Result> {
  let lock = await acquire(path, timing);
  for (;;) {
    const outcome = attempt(act);
    if (isSameLock(readIdentity(path), lock)) {
      unlinkSync(path);
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    }
    lock = await acquire(path, timing);
  }
}

function attempt<Result>(act: () => Result): { readonly result: Result } | { readonly error: unknown } {
  try {
    return { result: act() };
  } catch (error) {
    return { error };
  }
}

async function acquire(path: string, { abandonedAfter, giveUpAfter }: LockTiming): Promise<LockIdentity> {
  let previous: LockIdentity | undefined;
  let unchangedFor = 0;
  for (let elapsed = 0, delay = 1; elapsed < giveUpAfter; delay = Math.min(delay * 2, MAX_DELAY_MILLISECONDS)) {
    const identity = create(path);
    if (identity !== undefined) return identity;
    const current = readIdentity(path);
    if (!isSameLock(previous, current)) unchangedFor = 0;
    previous = current;
    if (current !== undefined && (unchangedFor >= abandonedAfter || isHolderDead(path))) {
      remove(path, current);
      continue;
    }
    await setTimeout(delay);
    elapsed += delay;
    unchangedFor += delay;
  }
  const problem = `other processes held the lock file ${path} for ${giveUpAfter} ms`;
  throw new Error(`${problem}; delete the file if they are no longer running`);
}

/** Creates the lock file. Returns undefined if it already exists. */
function create(path: string): LockIdentity | undefined {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  try {
    writeSync(file, `${MACHINE} ${process.pid}\n`);
  } catch {
    // on a full disk, the file stays empty and is treated as the lock of an unknown process
  } finally {
    closeSync(file);
  }
  return readIdentity(path);
}

function readIdentity(path: string): LockIdentity | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status && { inode: status.ino, changedAt: status.ctimeNs };
}

function isSameLock(a: LockIdentity | undefined, b: LockIdentity | undefined): boolean {
  return a?.inode === b?.inode && a?.changedAt === b?.changedAt;
}

/** Removes an abandoned lock, unless another waiting process already has. */
function remove(path: string, abandonedLock: LockIdentity): void {
  if (!isSameLock(readIdentity(path), abandonedLock)) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Identifies this machine or container. Process ids are unique only within a machine or container. */
const MACHINE = hash(
  'sha256',
  JSON.stringify([
    hostname(),
    tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? '',
    tryRead(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  ]),
  'hex',
).slice(0, 16);

/** A name that no other running process has, on this machine or any other. */
export const PROCESS_NAME = `${MACHINE}-${process.pid}`;

function isHolderDead(path: string): boolean {
  const [machine, pid = ''] = (tryRead(() => readFileSync(path, 'utf8')) ?? '').trimEnd().split(' ');
  if (machine !== MACHINE || !/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0); // signal 0 only checks whether the process exists
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function tryRead<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
