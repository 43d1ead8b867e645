import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLevelLog } from '../../src/event-store/engines/level.ts';
import type { EventLog } from '../../src/event-store/event-log.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { createGate, type Gate, type Held } from './gate.ts';
import { HeldLevel } from './held-level.ts';
import { quickHasher } from './quick-hasher.ts';
import { runningService, type RunningOptions, type RunningService } from './running-service.ts';

/** The real service on a real LevelDB, in which a test holds slow steps and makes changes meanwhile. */
export interface RacingService {
  readonly running: RunningService;
  /** Runs `act`, and `change` while `act` waits for a password hash: the first, or another one. */
  duringHash<Acted, Changed>(
    act: () => Promise<Acted>,
    change: () => Promise<Changed>,
    which?: number,
  ): Promise<readonly [Acted, Changed]>;
  /** Runs `act`, and `change` while `act` waits for the log to be read. */
  duringReading<Acted, Changed>(
    act: () => Promise<Acted>,
    change: () => Promise<Changed>,
  ): Promise<readonly [Acted, Changed]>;
  /** Runs `act`, and `change` while an event of such a stream is being appended, as if to another machine. */
  onTheWay<Acted, Changed>(
    act: () => Promise<Acted>,
    stream: RegExp,
    change: () => Promise<Changed>,
  ): Promise<readonly [Acted, Changed]>;
  /**
   * Runs `change` until it is being written: it has its place in the log, and no projection knows of it. Then runs
   * `act` until it has handed an event of such a stream to the log, behind the change, or has ended. Then lets both go
   * on.
   */
  behind<Acted, Changed>(
    change: () => Promise<Changed>,
    stream: RegExp,
    act: () => Promise<Acted>,
  ): Promise<readonly [Acted, Changed]>;
  close(): Promise<void>;
}

export async function racingService(options: Omit<RunningOptions, 'log' | 'hasher'> = {}): Promise<RacingService> {
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-racing-'));
  const [writing, hashing, reading] = [createGate(), createGate(), createGate()];
  const disk = new HeldLevel(join(directory, 'log'), writing);
  await disk.open();
  const { log, handedOver, holdOnTheWay } = watched(await createLevelLog(disk), reading);
  const hasher: PasswordHasher = {
    concurrency: 2, // the change may need a hash of its own while one is held
    hash: async (password) => hashing.pass().then(() => quickHasher.hash(password)),
    verify: async (hash, password) => hashing.pass().then(() => quickHasher.verify(hash, password)),
  };
  const running = await runningService({ ...options, log, hasher });

  async function during<Acted, Changed>(
    { reached, release }: Held,
    act: () => Promise<Acted>,
    change: () => Promise<Changed>,
  ) {
    const acting = act();
    await reached;
    const changed = await change();
    release();
    return [await acting, changed] as const;
  }

  return {
    running,
    duringHash: (act, change, which) => during(hashing.hold(which), act, change),
    duringReading: (act, change) => during(reading.hold(), act, change),
    onTheWay: (act, stream, change) => during(holdOnTheWay(stream), act, change),

    async behind(change, stream, act) {
      const held = writing.hold();
      const changing = change();
      await held.reached;
      const handed = handedOver(stream);
      const acting = act();
      await Promise.race([handed, acting]);
      held.release();
      return [await acting, await changing];
    },

    async close() {
      await running.close();
      rmSync(directory, { recursive: true });
    },
  };
}

interface Watched {
  readonly log: EventLog;
  /** Resolves when the next append to a stream of that name was passed to the log. */
  handedOver(stream: RegExp): Promise<void>;
  /** Holds the append before that. */
  holdOnTheWay(stream: RegExp): Held;
}

function watched(log: EventLog, reading: Gate): Watched {
  const way = createGate();
  let held: RegExp | undefined;
  let awaited: { readonly stream: RegExp; readonly resolve: () => void } | undefined;
  return {
    log: {
      ...log,
      async *readAll(...from) {
        await reading.pass();
        yield* log.readAll(...from);
      },
      async append(stream, ...rest) {
        if (held?.test(stream) === true) await way.pass();
        const appended = log.append(stream, ...rest);
        if (awaited?.stream.test(stream) === true) awaited.resolve();
        return appended;
      },
    },
    handedOver: (stream) => new Promise((resolve) => (awaited = { stream, resolve })),
    holdOnTheWay(stream) {
      held = stream;
      return way.hold();
    },
  };
}
