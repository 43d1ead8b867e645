import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import type { EventLog } from '../../../src/event-store/event-log.ts';
import { CLIENT_KEYS } from '../../../src/platform/keys/client-keys.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import { PERSONAL_KEYS } from '../../../src/platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../../../src/platform/keys/signing-keyring.ts';
import { runningCluster } from '../cluster.ts';
import { manualClock } from '../manual-clock.ts';
import { createDatabase } from '../postgres/cluster.ts';
import { openTestLog } from '../postgres/open-log.ts';
import { readyMadeKeys } from '../ready-made-keys.ts';
import { runningService, type RunningService } from '../running-service.ts';
import { seededEntropy } from '../seeded-entropy.ts';

/** Servers on one log. */
export interface Servers {
  readonly nodes: readonly [RunningService, ...RunningService[]];
  /** Makes every node apply the other nodes' events. */
  settle(): Promise<void>;
  advance(seconds: number): void;
  close(): Promise<void>;
}

const SETTINGS = { tokensPerMinutePerClient: 1_000_000 };

/**
 * Functions that start servers. The log is in memory, in LevelDB, in PostgreSQL, or in memory shared by several nodes.
 */
export const ENGINES = {
  async memory(seed) {
    return singleServer(await runningService({ seed, settings: SETTINGS }));
  },

  async level(seed) {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-forest-'));
    const log = await openLevelLog({ location: join(directory, 'log') });
    const servers = singleServer(await runningService({ seed, log, settings: SETTINGS }));
    return {
      ...servers,
      async close() {
        await servers.close();
        rmSync(directory, { recursive: true });
      },
    };
  },

  async postgres(seed) {
    const url = await createDatabase();
    const time = manualClock();
    const clock = { ...time, ticks: () => performance.now() }; // the log uses them to measure how current a node is
    const logs: EventLog[] = [];
    const nodes: RunningService[] = [];
    const sharedKeys = createSharedKeys(seed);
    for (const index of [0, 1]) {
      const log = atManualTime(await openTestLog(url, { isMigrated: index > 0 }));
      logs.push(log);
      nodes.push(await runningService({ ...sharedKeys, seed: `${seed} ${index}`, log, clock, settings: SETTINGS }));
    }
    return {
      nodes: nodes as [RunningService, ...RunningService[]],
      async settle() {
        for (const log of logs) await log.shared?.catchUp();
      },
      advance: time.advance,
      async close() {
        for (const node of nodes) await node.close();
      },
    };
  },

  async nodes(seed) {
    const { nodes, deliver, clock, close } = await runningCluster(3, { seed, settings: SETTINGS });
    return {
      nodes: nodes as unknown as [RunningService, ...RunningService[]],
      settle: async () => deliver(),
      advance: clock.advance,
      close,
    };
  },
} as const satisfies Readonly<Record<string, (seed: string) => Promise<Servers>>>;

export type EngineName = keyof typeof ENGINES;

export const ENGINE_NAMES = Object.keys(ENGINES) as readonly EngineName[];

function singleServer(running: RunningService): Servers {
  return {
    nodes: [running],
    settle: () => Promise.resolve(),
    advance: running.clock.advance,
    close: running.close,
  };
}

/** Creates the keys that the nodes share. */
function createSharedKeys(seed: string) {
  return {
    keys: ephemeralKeys(seededEntropy(seed)),
    personalKeys: PERSONAL_KEYS.inMemory(),
    clientKeys: CLIENT_KEYS.inMemory(),
    signingKeyring: SIGNING_KEYS.inMemory(),
    generateSigningKey: readyMadeKeys(),
  };
}

/** Hides the database's clock, because the servers would adjust the manual clock to it. */
function atManualTime(log: EventLog): EventLog {
  const { shared } = log;
  return shared === undefined ? log : { ...log, shared: { ...shared, clockOffset: () => 0 } };
}
