import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLevelLog } from '../../src/event-store/engines/level.ts';
import type { EventLog } from '../../src/event-store/event-log.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { createGate, type Gate, type PausedStep } from './gate.ts';
import { GatedLevel } from './gated-level.ts';
import { quickHasher } from './quick-hasher.ts';
import { runningService, type RunningOptions, type RunningService } from './running-service.ts';

/** The real service on a real LevelDB. A test can pause a slow step and make changes in the meantime. */
export interface RacingService {
  readonly running: RunningService;
  /** Runs `act`, and runs `change` while `act` waits for its `nth` password hash, by default the first. */
  duringHash<Acted, Changed>(
    act: () => Promise<Acted>,
    change: () => Promise<Changed>,
    nth?: number,
  ): Promise<readonly [Acted, Changed]>;
  /** Runs `act`, and runs `change` while `act` waits to read the log. */
  duringReading<Acted, Changed>(
    act: () => Promise<Acted>,
    change: () => Promise<Changed>,
  ): Promise<readonly [Acted, Changed]>;
  /** Runs `act`, and runs `change` before the log receives what `act` appends to a matching stream. */
  duringAppend<Acted, Changed>(
    act: () => Promise<Acted>,
    stream: RegExp,
    change: () => Promise<Changed>,
  ): Promise<readonly [Acted, Changed]>;
  /**
   * Runs `change` until it is being written: it has a position in the log, but no projection has applied it yet. Then
   * runs `act` until it has finished, or has queued an event of a matching stream behind the change. Then both
   * continue.
   */
  runBehind<Acted, Changed>(
    change: () => Promise<Changed>,
    stream: RegExp,
    act: () => Promise<Acted>,
  ): Promise<readonly [Acted, Changed]>;
  close(): Promise<void>;
}

export async function startRacingService(options: Omit<RunningOptions, 'log' | 'hasher'> = {}): Promise<RacingService> {
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-racing-'));
  const [writing, hashing, reading] = [createGate(), createGate(), createGate()];
  const disk = new GatedLevel(join(directory, 'log'), writing);
  await disk.open();
  const { log, nextAppend, holdAppend } = watchLog(await createLevelLog(disk), reading);
  const hasher: PasswordHasher = {
    concurrency: 2, // `change` may need a hash while that of `act` is paused
    hash: async (password) => hashing.pass().then(() => quickHasher.hash(password)),
    verify: async (hash, password) => hashing.pass().then(() => quickHasher.verify(hash, password)),
  };
  const running = await runningService({ ...options, log, hasher });

  async function runDuring<Acted, Changed>(
    { reached, release }: PausedStep,
    act: () => Promise<Acted>,
    change: () => Promise<Changed>,
  ) {
    const actPromise = act();
    await reached;
    const changeResult = await change();
    release();
    return [await actPromise, changeResult] as const;
  }

  return {
    running,
    duringHash: (act, change, nth) => runDuring(hashing.hold(nth), act, change),
    duringReading: (act, change) => runDuring(reading.hold(), act, change),
    duringAppend: (act, stream, change) => runDuring(holdAppend(stream), act, change),

    async runBehind(change, stream, act) {
      const pausedWrite = writing.hold();
      const changePromise = change();
      await pausedWrite.reached;
      const nextAppended = nextAppend(stream);
      const actPromise = act();
      await Promise.race([nextAppended, actPromise]);
      pausedWrite.release();
      return [await actPromise, await changePromise];
    },

    async close() {
      await running.close();
      rmSync(directory, { recursive: true });
    },
  };
}

interface WatchedLog {
  readonly log: EventLog;
  /** Resolves once the next append to a matching stream has been passed to the log. */
  nextAppend(stream: RegExp): Promise<void>;
  /** Pauses the next append to a matching stream before the log receives it. */
  holdAppend(stream: RegExp): PausedStep;
}

function watchLog(log: EventLog, reading: Gate): WatchedLog {
  const appendGate = createGate();
  let pausedStream: RegExp | undefined;
  let expectedAppend: { readonly stream: RegExp; readonly resolve: () => void } | undefined;
  return {
    log: {
      ...log,
      async *readAll(...from) {
        await reading.pass();
        yield* log.readAll(...from);
      },
      async append(stream, ...rest) {
        if (pausedStream?.test(stream) === true) await appendGate.pass();
        const append = log.append(stream, ...rest);
        if (expectedAppend?.stream.test(stream) === true) expectedAppend.resolve();
        return append;
      },
    },
    nextAppend: (stream) => new Promise((resolve) => (expectedAppend = { stream, resolve })),
    holdAppend(stream) {
      pausedStream = stream;
      return appendGate.hold();
    },
  };
}
