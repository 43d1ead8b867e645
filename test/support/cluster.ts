import { ephemeralKeys } from '../../src/platform/keys/keys.ts';
import { CLIENT_KEYS } from '../../src/platform/keys/client-keys.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../../src/platform/keys/signing-keyring.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { memoryBus, type MemoryBus } from './memory-broadcast.ts';
import { readyMadeKeys } from './ready-made-keys.ts';
import { runningService, type RunningOptions, type RunningService } from './running-service.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { sharedMemoryLog, type LogView, type SharedMemoryLog } from './shared-memory-log.ts';

/** A running service, and its view of the log. */
export interface ClusterNode extends RunningService {
  readonly view: LogView;
  /** Lines for the operator. */
  readonly notices: readonly string[];
}

/** Nodes that share a log and all keys. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  readonly log: SharedMemoryLog;
  /** Messages between the nodes, which arrive when a test delivers them or advances the time. */
  readonly bus: MemoryBus;
  /** The clock of the storage. Before time passes, every connected node gets the events that it lacks. */
  readonly clock: ManualClock;
  /** Delivers every event to every connected node. */
  deliver(): void;
  close(): Promise<void>;
}

export interface ClusterOptions extends Omit<
  RunningOptions,
  'clock' | 'clientKeys' | 'generateSigningKey' | 'keys' | 'log' | 'personalKeys' | 'signingKeyring'
> {
  /** How many seconds each node's clock is ahead of the storage's. */
  readonly clockErrors?: readonly number[];
}

export async function runningCluster(size: number, options: ClusterOptions = {}): Promise<Cluster> {
  const { clockErrors = [], seed = 'cluster' } = options;
  const log = sharedMemoryLog();
  const bus = memoryBus();
  const time = manualClock();
  const shared = {
    keys: ephemeralKeys(seededEntropy(seed)),
    personalKeys: PERSONAL_KEYS.inMemory(),
    clientKeys: CLIENT_KEYS.inMemory(),
    signingKeyring: SIGNING_KEYS.inMemory(),
    generateSigningKey: readyMadeKeys(),
  };
  const nodes: ClusterNode[] = [];
  for (let index = 0; index < size; index += 1) {
    const clockError = (clockErrors[index] ?? 0) * 1000;
    const view = log.attach(time.ticks, () => -clockError, bus.node());
    const notices: string[] = [];
    const clock = { ...time, now: () => time.now() + clockError };
    const notice = (line: string): void => void notices.push(line);
    const running = await runningService({ ...options, ...shared, seed: `${seed} ${index}`, log: view, clock, notice });
    nodes.push({ ...running, view, notices });
  }
  const deliver = (): void => nodes.forEach(({ view }) => view.deliver());
  const clock = {
    ...time,
    advance(seconds: number) {
      deliver();
      bus.deliver();
      time.advance(seconds);
    },
  };
  return {
    nodes,
    log,
    bus,
    clock,
    deliver,
    async close() {
      for (const node of nodes) await node.close();
    },
  };
}
