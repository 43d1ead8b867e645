import { createSecretKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientId, KeyId, UserId } from '../../src/domain/values.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import type { Position, RecordedEvent } from '../../src/event-store/event-log.ts';
import { decodeRecord } from '../../src/event-store/record.ts';
import type { Service } from '../../src/composition/service.ts';
import { CLIENT_KEYS } from '../../src/platform/keys/client-keys.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../../src/platform/keys/signing-keyring.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { readWholeStream } from '../support/whole-stream.ts';

/** The keys for a frozen log, and credentials that were valid when it was frozen. They are stored next to the log. */
export interface FrozenKeys {
  /** Milliseconds since the epoch. */
  readonly frozenAt: number;
  readonly server: { readonly refresh: string; readonly names: string; readonly cookies: string };
  /** Keys by user id, in base64url. The keys of erased users are missing. */
  readonly personal: Readonly<Record<string, string>>;
  /** Keys by client id, in base64url. Absent or empty for releases that did not seal client secrets. */
  readonly clients?: Readonly<Record<string, string>>;
  /** Signing keys by key id, in base64url. Absent for releases without signing keys. */
  readonly signing?: Readonly<Record<string, string>>;
  readonly credentials: {
    readonly username: string;
    readonly password: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly accessToken: string;
    readonly refreshToken: string;
    /** An imported client, whose secret has a slow hash. */
    readonly broughtId: string;
    readonly broughtSecret: string;
  };
}

/** The result of replaying a frozen log. */
export interface ReplayResult {
  readonly events: number;
  readonly eventsByType: Readonly<Record<string, number>>;
  readonly users: number;
  readonly clients: number;
  readonly groups: number;
  readonly digests: Readonly<Record<string, string>>;
}

const CORPUS = import.meta.dirname;

/** Returns the directories of frozen logs, named after the version that wrote them. */
export function listCorpora(): readonly string[] {
  return readdirSync(CORPUS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(CORPUS, name))
    .toSorted();
}

export function readKeys(directory: string): FrozenKeys {
  return JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8')) as FrozenKeys;
}

export function readExpected(directory: string): ReplayResult {
  return JSON.parse(readFileSync(join(directory, 'expected.json'), 'utf8')) as ReplayResult;
}

/** Decodes the records of the exported log. */
export function readEvents(directory: string): readonly RecordedEvent[] {
  const lines = readFileSync(join(directory, 'events.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [, position, record] = /^\{"position":(\d+),"record":(.*)\}$/.exec(line) ?? [];
    if (position === undefined || record === undefined)
      throw new Error(`this line is not from an exported log: ${line}`);
    return decodeRecord(record, Number(position) as Position);
  });
}

/** Starts a service on the frozen log with its keys, at the time when the log was frozen. */
export async function thaw(
  events: readonly RecordedEvent[],
  { frozenAt, server, personal, clients = {}, signing = {} }: FrozenKeys,
): Promise<RunningService> {
  const log = createMemoryLog();
  for (const event of events) {
    const { revision } = await readWholeStream(log, event.stream);
    await log.append(event.stream, revision, [event]);
  }
  const personalKeys = PERSONAL_KEYS.inMemory();
  for (const [userId, key] of Object.entries(personal))
    await personalKeys.add(userId as UserId, Buffer.from(key, 'base64url'));
  const clientKeys = CLIENT_KEYS.inMemory();
  for (const [clientId, key] of Object.entries(clients)) {
    await clientKeys.add(clientId as ClientId, Buffer.from(key, 'base64url'));
  }
  const signingKeyring = SIGNING_KEYS.inMemory();
  for (const [kid, key] of Object.entries(signing)) {
    await signingKeyring.add(kid as KeyId, Buffer.from(key, 'base64url'));
  }
  const key = (name: keyof FrozenKeys['server']): KeyObject => createSecretKey(server[name], 'hex');
  const keys = { refresh: key('refresh'), names: key('names'), cookies: key('cookies') };
  return runningService({ log, keys, personalKeys, clientKeys, signingKeyring, startsAt: frozenAt, seed: 'thaw' });
}

export function summarizeReplay(events: readonly RecordedEvent[], { projections, projector }: Service): ReplayResult {
  const eventsByType: Record<string, number> = {};
  for (const type of events.map((event) => event.type).toSorted()) eventsByType[type] = (eventsByType[type] ?? 0) + 1;
  const { users, clients, groups } = projections;
  return {
    events: events.length,
    eventsByType,
    users: users.all().length,
    clients: clients.all().length,
    groups: groups.all().length,
    digests: projector.digests(),
  };
}

/** Returns the server keys in hexadecimal, as `thaw` reads them. */
export function exportServerKeys({ keys }: Service): FrozenKeys['server'] {
  const hex = (name: keyof FrozenKeys['server']): string => keys[name].export().toString('hex');
  return { refresh: hex('refresh'), names: hex('names'), cookies: hex('cookies') };
}
