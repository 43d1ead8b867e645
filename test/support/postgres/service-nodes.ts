import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { migrateDatabase } from '../../../src/composition/postgres-directory.ts';
import { openService } from '../../../src/composition/open-service.ts';
import { openStorage } from '../../../src/composition/open-storage.ts';
import { createService, type Service } from '../../../src/composition/service.ts';
import { configFromSettings } from '../../../src/config/config.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../../src/event-store/event-log.ts';
import { mintId } from '../../../src/oauth/credentials/credentials.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { createTokenEvent } from '../../../scripts/token-event.ts';
import { quickHasher } from '../quick-hasher.ts';
import { createDatabase } from './cluster.ts';

const entropy = systemEntropy();

/** Services on one PostgreSQL log, with separate data directories and shared keys and archive. */
export interface ServiceNodes {
  readonly url: string;
  /** Starts a node with an empty data directory, or with that of an earlier node. */
  open(options?: NodeOptions): Promise<ServiceNode>;
  query<Row extends object>(statement: string): Promise<readonly Row[]>;
  /** Closes every node that is still open. */
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly dataDir?: string;
  readonly snapshotEvents?: number;
  /** Changes the events that this node alone receives from the log. */
  readonly tamper?: (event: RecordedEvent) => RecordedEvent;
  /** The node's monotonic clock, in milliseconds. */
  readonly ticks?: () => number;
}

export interface ServiceNode {
  readonly service: Service;
  readonly dataDir: string;
  readonly notices: readonly string[];
  close(): Promise<void>;
}

export async function createServiceNodes(): Promise<ServiceNodes> {
  const url = await createDatabase();
  await migrateDatabase(url);
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-nodes-'));
  const nodes: ServiceNode[] = [];

  async function open(options: NodeOptions = {}): Promise<ServiceNode> {
    const dataDir = options.dataDir ?? join(directory, String(nodes.length));
    const { snapshotEvents = 1_000_000, tamper } = options;
    const [keys, archive] = [join(directory, 'keys'), join(directory, 'archive')];
    const config = configFromSettings({ dataDir, log: url, keys, archive, snapshotEvents });
    const notices: string[] = [];
    const deps = {
      clock: { now: () => Date.now(), ticks: options.ticks ?? (() => performance.now()) },
      entropy,
      hasher: quickHasher,
      issuer: () => 'http://localhost:8000',
      notice: (line: string): void => void notices.push(line),
    };
    let service: Service;
    if (tamper === undefined) service = await openService(config, deps);
    else {
      const data = await openStorage(config, deps);
      service = await createService({
        ...deps,
        ...data,
        log: withTampering(data.log, tamper),
        config,
        recordedHead: undefined,
      });
    }
    let closePromise: Promise<void> | undefined;
    const node = { service, dataDir, notices, close: () => (closePromise ??= service.close()) };
    nodes.push(node);
    return node;
  }

  return {
    url,
    open,
    query: (statement) => queryOnce(url, statement),
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function withTampering(log: EventLog, tamper: (event: RecordedEvent) => RecordedEvent): EventLog {
  return { ...log, onAppended: (listener) => log.onAppended((events) => listener(events.map(tamper))) };
}

/** Registers a client and returns its ID. */
export async function registerClient({ service }: ServiceNode): Promise<ClientId> {
  const registration = await service.registration.register(CLIENT, null, {
    actor: { kind: 'operator' },
    requestId: null,
  });
  if (!('clientId' in registration)) throw new Error(JSON.stringify(registration));
  return registration.clientId;
}

const CLIENT = {
  name: 'Filler',
  clientType: 'confidential',
  grantTypes: ['client-credentials'],
  redirectUris: [],
  allowedOrigins: [],
  skipAuthorization: false,
} as const;

/**
 * Appends `count` events for issued tokens.
 * @returns the position of the last event
 */
export async function issueTokens({ service: { log } }: ServiceNode, count: number): Promise<number> {
  const clientId = mintId<ClientId>(entropy);
  const issueOne = async (): Promise<number> => {
    const { stream, event } = createTokenEvent(clientId, entropy);
    return (await log.append(stream, 'no-stream', [event])).position;
  };
  return Math.max(...(await Promise.all(Array.from({ length: count }, issueOne))));
}

const POLL_MILLISECONDS = 20;

/** Resolves when `isMet` returns true. Only the test's timeout limits the wait. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isMet())) await setTimeout(POLL_MILLISECONDS);
}

/** Reads the record at a position. */
export async function readRecord({ readAll }: Pick<EventLog, 'readAll'>, position: Position): Promise<string> {
  for await (const [event] of readAll((position - 1) as Position, 1)) return event?.record ?? '';
  throw new Error(`the log ends before position ${position}`);
}
