import type { EventOf } from '../domain/events.ts';
import { overlapEndAfterSetBack, validPreviousSecret, type Overlap } from '../domain/previous-secret.ts';
import type { ClientId, EpochSeconds, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createImportedHashes } from './imported-hashes.ts';
import {
  freezeSecret,
  isRecordedUnsealed,
  openRecordedSecret,
  rehashedSecret,
  thawSecret,
  type FrozenSecret,
  type KnownSecret,
  type OpenSecret,
} from './client-secrets.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

/** The event that issued a token. */
interface TokenUse {
  readonly position: Position;
  readonly at: EpochSeconds;
}

export interface Client extends Readonly<EventOf<'ClientUpdated'>['data']> {
  readonly clientId: ClientId;
  /** The revision of its stream, for decisions that are outdated as soon as the client changes. */
  readonly revision: Revision;
  readonly ownerId: UserId | null;
  readonly secret: KnownSecret | null;
  /** The secret that the newest rotation replaced, if it did not expire at once: see `validPreviousSecret`. */
  readonly previousSecret: (Overlap & { readonly secret: KnownSecret }) | null;
  /** The newest token issued to the client, and the newest one issued with the previous secret since the rotation. */
  readonly lastUse: { readonly anySecret: TokenUse | null; readonly previousSecret: TokenUse | null };
  /** Seconds since the epoch. */
  readonly registeredAt: number;
  readonly registeredPosition: Position;
}

/** The registered clients, without removed ones. */
export interface Clients extends Projection {
  find(clientId: string): Client | undefined;
  /** Whether any client has a user-chosen secret, or had one until its newest rotation. */
  haveUserChosenSecrets(): boolean;
  /** The highest iteration count of their PBKDF2 hashes; 0 if there are none. */
  maxIterations(): number;
  /** Oldest first. Evaluated lazily, so that callers can stop early. */
  ownedBy(ownerId: UserId): Iterable<Client>;
  newestOwnedBy(ownerId: UserId): Iterable<Client>;
  countOwnedBy(ownerId: UserId): number;
  all(): readonly Client[];
  size(): number;
  /** Whether any client allows the origin. */
  hasOrigin(origin: string): boolean;
  /** Clients with a current or previous secret whose hash cannot be decrypted. */
  unreadable(): readonly Client[];
  /** Whether the log contains an unencrypted hash of a user-chosen secret that is valid at `now` (seconds). */
  hasUnsealedSecret(client: Client, now: number): boolean;
}

/** A client in a snapshot. */
type FrozenClient = Omit<Client, 'secret' | 'previousSecret'> & {
  readonly secret: FrozenSecret | null;
  readonly previousSecret: (Overlap & { readonly secret: FrozenSecret }) | null;
};

/** `lastUse` changes with every token, so it is updated in place. */
type StoredClient = Omit<Client, 'lastUse'> & {
  readonly lastUse: { -readonly [Secret in keyof Client['lastUse']]: Client['lastUse'][Secret] };
};

export function createClients(open: OpenSecret): Clients {
  const byId = new Map<string, StoredClient>();
  const withChosenSecret = new Set<string>();
  const imported = createImportedHashes<string>();
  const byOwner = new Map<UserId, Set<ClientId>>();
  /** The allowed origins of all clients; undefined after a change, until the next lookup. */
  let origins: ReadonlySet<string> | undefined;

  function register(data: EventOf<'ClientRegistered'>['data'], event: RecordedEvent): void {
    const { clientId, secret } = data;
    add({
      ...data,
      revision: event.revision,
      secret: secret === null ? null : openRecordedSecret(secret, { clientId, purpose: 'ClientRegistered' }, open),
      previousSecret: null,
      lastUse: { anySecret: null, previousSecret: null },
      registeredAt: Math.floor(event.recordedAt / 1000),
      registeredPosition: event.position,
    });
  }

  function add(client: Client): void {
    const { clientId, ownerId, secret, previousSecret } = client;
    byId.set(clientId, client);
    noteSecrets(clientId, [secret, previousSecret?.secret ?? null]);
    if (ownerId !== null) byOwner.set(ownerId, (byOwner.get(ownerId) ?? new Set()).add(clientId));
  }

  function noteSecrets(clientId: string, secrets: readonly (KnownSecret | null)[]): void {
    if (secrets.some((secret) => secret !== null && secret.algorithm !== 'sha256')) withChosenSecret.add(clientId);
    else withChosenSecret.delete(clientId);
    imported.set(
      clientId,
      secrets.flatMap((secret) => (secret?.algorithm === 'pbkdf2-sha256' ? [secret.verifier] : [])),
    );
  }

  function change(event: RecordedEvent, changes: Partial<Client>): void {
    const clientId = clientIdOf(event);
    const client = byId.get(clientId);
    if (client !== undefined) byId.set(clientId, { ...client, ...changes, revision: event.revision });
  }

  function rotate({ secret, previousUntil }: EventOf<'ClientSecretRotated'>['data'], event: RecordedEvent): void {
    const [clientId, { revision }] = [clientIdOf(event), event];
    const client = byId.get(clientId);
    if (client === undefined) return;
    const rotatedAt = Math.floor(event.recordedAt / 1000) as EpochSeconds;
    const previousSecret =
      client.secret === null || previousUntil === null
        ? null
        : { secret: client.secret, rotatedAt, until: previousUntil };
    noteSecrets(clientId, [secret, previousSecret?.secret ?? null]);
    const lastUse = { ...client.lastUse, previousSecret: null };
    byId.set(clientId, { ...client, revision, secret, previousSecret, lastUse });
  }

  function rehash({ secret: recorded }: EventOf<'ClientSecretRehashed'>['data'], event: RecordedEvent): void {
    const client = byId.get(clientIdOf(event));
    if (client === undefined) return;
    const { clientId } = client;
    const known = openRecordedSecret(recorded, { clientId, purpose: 'ClientSecretRehashed' }, open);
    const secret = rehashedSecret(client.secret, known);
    noteSecrets(clientId, [secret]);
    byId.set(clientId, { ...client, revision: event.revision, secret });
  }

  function endOverlapsBegunAhead(setBack: EventOf<'ClockSetBack'>['data']): void {
    for (const [clientId, client] of byId) {
      const { previousSecret: previous } = client;
      if (previous === null) continue;
      const until = overlapEndAfterSetBack(previous, setBack);
      if (until !== previous.until) byId.set(clientId, { ...client, previousSecret: { ...previous, until } });
    }
  }

  function use(
    { clientId, previousSecretUsed }: EventOf<'AccessTokenIssued'>['data'],
    { position, recordedAt }: RecordedEvent,
  ): void {
    const lastUse = byId.get(clientId)?.lastUse;
    if (lastUse === undefined) return;
    lastUse.anySecret = { position, at: Math.floor(recordedAt / 1000) as EpochSeconds };
    if (previousSecretUsed) lastUse.previousSecret = lastUse.anySecret;
  }

  function* lookUp(clientIds: Iterable<ClientId>): Generator<Client, void, void> {
    for (const clientId of clientIds) {
      const client = byId.get(clientId);
      if (client !== undefined) yield client;
    }
  }

  function remove(clientId: string): void {
    const client = byId.get(clientId);
    if (client === undefined) return;
    byId.delete(clientId);
    noteSecrets(clientId, []);
    if (client.ownerId !== null) byOwner.get(client.ownerId)?.delete(client.clientId);
  }

  const handle = handleEvents<'clients'>({
    ClientRegistered(data, event) {
      origins = undefined;
      register(data, event);
    },
    ClientUpdated(data, event) {
      origins = undefined;
      change(event, data);
    },
    ClientSecretRotated: rotate,
    ClientSecretRehashed: rehash,
    ClientRemoved(_data, event) {
      origins = undefined;
      remove(clientIdOf(event));
    },
    AccessTokenIssued: use,
    ClockSetBack: endOverlapsBegunAhead,
  });

  return {
    name: 'clients',
    find: (clientId) => byId.get(clientId),
    haveUserChosenSecrets: () => withChosenSecret.size > 0,
    maxIterations: imported.maxIterations,
    ownedBy: (ownerId) => lookUp(byOwner.get(ownerId) ?? []),
    newestOwnedBy: (ownerId) => lookUp([...(byOwner.get(ownerId) ?? [])].toReversed()),
    countOwnedBy: (ownerId) => byOwner.get(ownerId)?.size ?? 0,
    all: () => [...byId.values()],
    size: () => byId.size,
    hasOrigin: (origin) =>
      (origins ??= new Set([...byId.values()].flatMap(({ allowedOrigins }) => allowedOrigins))).has(origin),
    unreadable: () => [...byId.values()].filter(isUnreadable),
    hasUnsealedSecret,
    contents: () => [...byId.values()].map(freezeClient), // does not depend on which keys exist
    freeze: () =>
      jsonPieces([...byId.values()].map((client) => ({ ...freezeClient(client), lastUse: { ...client.lastUse } }))),
    restore(piece) {
      origins = undefined;
      for (const client of parseEntries<FrozenClient>(piece)) add(thawClient(client, open));
    },

    apply: handle,
  };
}

function freezeClient(client: Client): FrozenClient {
  const { secret, previousSecret: previous } = client;
  return {
    ...client,
    secret: secret === null ? null : freezeSecret(secret),
    previousSecret: previous === null ? null : { ...previous, secret: freezeSecret(previous.secret) },
  };
}

function thawClient(client: FrozenClient, open: OpenSecret): Client {
  const { clientId, secret, previousSecret: previous } = client;
  return {
    ...client,
    secret: secret === null ? null : thawSecret(secret, clientId, open),
    previousSecret: previous === null ? null : { ...previous, secret: thawSecret(previous.secret, clientId, open) },
  };
}

function isUnreadable({ secret, previousSecret }: Client): boolean {
  return secret?.algorithm === 'unreadable' || previousSecret?.secret.algorithm === 'unreadable';
}

function hasUnsealedSecret(client: Client, now: number): boolean {
  const secrets = [client.secret, validPreviousSecret(client, now)?.secret ?? null];
  return secrets.some((secret) => secret !== null && isRecordedUnsealed(secret));
}

/** The id in the name of a client's stream. */
export function clientIdOf({ stream }: RecordedEvent): string {
  return stream.slice('client-'.length);
}
