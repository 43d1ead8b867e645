import type { LogoMediaType } from '../domain/logo.ts';
import type { EventOf, SelfRegistered } from '../domain/events.ts';
import { overlapEndAfterSetBack, type Overlap } from '../domain/previous-secret.ts';
import { withMember, withoutMember, type Member } from '../domain/members.ts';
import type { ClientId, CredentialHash, EpochSeconds, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { withoutRemovedKeys, withKeyUse, type KeyUses, type TokenUse } from './client-key-uses.ts';
import { createImportedHashes } from './imported-hashes.ts';
import {
  rehashedSecret,
  freezeClient,
  hasUnsealedSecret,
  isUnreadable,
  openRecordedSecret,
  thawSecrets,
  type ClientSecrets,
  type FrozenSecrets,
  type KnownSecret,
  type OpenSecret,
} from './client-secrets.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { createRemovedIds } from './removed-ids.ts';
import { createMemberIndex } from './member-index.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import { describedClient } from './described-client.ts';

export interface ClientMember extends Member {
  /** The position of the event that gave the user the role. */
  readonly position: Position;
  readonly since: EpochSeconds;
}

export interface Client extends Readonly<EventOf<'ClientUpdated'>['data']> {
  readonly clientId: ClientId;
  /** Absent if a user or the operator registered the client. */
  readonly selfRegistered?: SelfRegistered | undefined;
  /** The revision of the client's stream. A decision based on it is outdated once the stream has grown. */
  readonly revision: Revision;
  /** Excludes erased accounts. Use `isOwner` and `ownersOf` to find the owners. */
  readonly members: readonly ClientMember[];
  /** The image is in the event at `position`. Null if the client has no logo. */
  readonly logo: { readonly mediaType: LogoMediaType; readonly position: Position } | null;
  readonly secret: KnownSecret | null;
  /** The secret that the latest rotation replaced, unless it expired immediately: see `validPreviousSecret`. */
  readonly previousSecret: (Overlap & { readonly secret: KnownSecret }) | null;
  readonly lastUse: {
    /** The latest token issued to the client, however it authenticated. */
    readonly anySecret: TokenUse | null;
    readonly previousSecret: TokenUse | null; // since the rotation
    /** The latest use of each key for an assertion or with a certificate, by the key's thumbprint. */
    readonly keys: KeyUses;
  };
  /** The metadata document that describes the client, or undefined if the client is registered here. */
  readonly document?: { readonly hash: CredentialHash } | undefined;
  /** When the client was disabled, or undefined while it is enabled. */
  readonly disabledAt?: EpochSeconds | undefined;
  /** Seconds since the epoch. */
  readonly registeredAt: number;
  readonly registeredPosition: Position;
}

/** The registered clients, not including removed ones. */
export interface Clients extends Projection {
  find(clientId: string): Client | undefined;
  /** Reports whether any client has a user-chosen secret, current or previous. */
  haveUserChosenSecrets(): boolean;
  /** Returns the highest iteration count of the clients' PBKDF2 hashes, or 0 if no client has one. */
  maxIterations(): number;
  /** Reports whether a self-registered client with this id was removed. */
  wasRemoved(clientId: string): boolean;
  /** Yields the user's clients in the order of their registration, lazily, so that callers can stop early. */
  ownedBy(ownerId: UserId): Iterable<Client>;
  newestOwnedBy(ownerId: UserId): Iterable<Client>;
  countOwnedBy(ownerId: UserId): number;
  all(): readonly Client[];
  size(): number;
  /** Reports whether any client allows the origin. */
  hasOrigin(origin: string): boolean;
  /** Returns the clients with a current or previous secret whose hash cannot be decrypted. */
  unreadable(): readonly Client[];
  /** Reports whether the log contains an unencrypted hash of a user-chosen secret that is valid at `now` (seconds). */
  hasUnsealedSecret(client: Client, now: number): boolean;
}

/** `lastUse` changes with every token, so it is updated in place. */
type StoredClient = Omit<Client, 'lastUse'> & {
  readonly lastUse: { -readonly [Secret in keyof Client['lastUse']]: Client['lastUse'][Secret] };
};

export function createClients(open: OpenSecret): Clients {
  const byId = new Map<string, StoredClient>();
  const idsWithChosenSecret = new Set<string>();
  const importedHashes = createImportedHashes<string>();
  const index = createMemberIndex();
  const removedIds = createRemovedIds();
  /** The allowed origins of all clients, or undefined after a change, until the next lookup. */
  let origins: ReadonlySet<string> | undefined;

  function register(data: EventOf<'ClientRegistered'>['data'], event: RecordedEvent): void {
    const { ownerId, ...settings } = data;
    const { clientId, secret } = data;
    const [position, since] = [event.position, recordedSecond(event)];
    origins = undefined;
    add({
      ...settings,
      members: ownerId === null ? [] : [{ userId: ownerId, role: 'owner', position, since }],
      revision: event.revision,
      logo: null,
      secret: secret === null ? null : openRecordedSecret(secret, { clientId, purpose: 'ClientRegistered' }, open),
      previousSecret: null,
      lastUse: { anySecret: null, previousSecret: null, keys: {} },
      registeredAt: since,
      registeredPosition: position,
    });
  }

  function acceptDocument(data: EventOf<'ClientDocumentAccepted'>['data'], event: RecordedEvent): void {
    origins = undefined;
    add(describedClient(data, byId.get(data.clientId), event));
    forgetRemovedKeys(data.clientId);
  }

  function add(client: Client): void {
    const { clientId, secret, previousSecret } = client;
    index.replace(byId.get(clientId), client);
    byId.set(clientId, client);
    updateSecretIndexes(clientId, [secret, previousSecret?.secret ?? null]);
  }

  function updateSecretIndexes(clientId: string, secrets: readonly (KnownSecret | null)[]): void {
    if (secrets.some((secret) => secret !== null && secret.algorithm !== 'sha256')) idsWithChosenSecret.add(clientId);
    else idsWithChosenSecret.delete(clientId);
    importedHashes.set(
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
    const clientId = clientIdOf(event);
    const client = byId.get(clientId);
    if (client === undefined) return;
    const rotatedAt = recordedSecond(event);
    const previousSecret =
      client.secret === null || previousUntil === null
        ? null
        : { secret: client.secret, rotatedAt, until: previousUntil };
    updateSecretIndexes(clientId, [secret, previousSecret?.secret ?? null]);
    change(event, { secret, previousSecret, lastUse: { ...client.lastUse, previousSecret: null } });
  }

  function rehash({ secret: recordedSecret }: EventOf<'ClientSecretRehashed'>['data'], event: RecordedEvent): void {
    const client = byId.get(clientIdOf(event));
    if (client === undefined) return;
    const { clientId } = client;
    const openedSecret = openRecordedSecret(recordedSecret, { clientId, purpose: 'ClientSecretRehashed' }, open);
    const secret = rehashedSecret(client.secret, openedSecret);
    updateSecretIndexes(clientId, [secret]);
    byId.set(clientId, { ...client, revision: event.revision, secret });
  }

  function endFutureOverlaps(setBack: EventOf<'ClockSetBack'>['data']): void {
    for (const [clientId, client] of byId) {
      const { previousSecret: previous } = client;
      if (previous === null) continue;
      const until = overlapEndAfterSetBack(previous, setBack);
      if (until !== previous.until) byId.set(clientId, { ...client, previousSecret: { ...previous, until } });
    }
  }

  function recordTokenUse(
    { clientId, previousSecretUsed, clientKeyId }: EventOf<'AccessTokenIssued'>['data'],
    event: RecordedEvent,
  ): void {
    const lastUse = byId.get(clientId)?.lastUse;
    if (lastUse === undefined) return;
    lastUse.anySecret = { position: event.position, at: recordedSecond(event) };
    if (previousSecretUsed) lastUse.previousSecret = lastUse.anySecret;
    if (clientKeyId !== undefined) lastUse.keys = withKeyUse(lastUse.keys, clientKeyId, lastUse.anySecret);
  }

  function recordKeyUse({ clientId, keyId }: EventOf<'ClientAssertionAccepted'>['data'], event: RecordedEvent): void {
    const lastUse = byId.get(clientId)?.lastUse;
    if (lastUse === undefined) return;
    lastUse.keys = withKeyUse(lastUse.keys, keyId, { position: event.position, at: recordedSecond(event) });
  }

  function forgetRemovedKeys(clientId: string): void {
    const client = byId.get(clientId);
    if (client !== undefined) client.lastUse.keys = withoutRemovedKeys(client.lastUse.keys, client.authentication);
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
    origins = undefined;
    if (client.selfRegistered !== undefined) removedIds.add(clientId);
    byId.delete(clientId);
    updateSecretIndexes(clientId, []);
    index.replace(client, undefined);
  }

  function setMembers(client: Client, members: Client['members'], revision = client.revision): void {
    const changedClient = { ...client, members, revision };
    index.replace(client, changedClient);
    byId.set(client.clientId, changedClient);
  }

  function addMember({ userId, role }: EventOf<'ClientMemberAdded'>['data'], event: RecordedEvent): void {
    const client = byId.get(clientIdOf(event));
    if (client === undefined) return;
    const member = { userId, role, position: event.position, since: recordedSecond(event) };
    setMembers(client, withMember(client.members, member), event.revision);
  }

  function removeMember({ userId }: EventOf<'ClientMemberRemoved'>['data'], event: RecordedEvent): void {
    const client = byId.get(clientIdOf(event));
    if (client !== undefined) setMembers(client, withoutMember(client.members, userId), event.revision);
  }

  function removeFromAll({ userId }: EventOf<'UserErased'>['data']): void {
    for (const client of lookUp(index.listByMember(userId))) setMembers(client, withoutMember(client.members, userId));
  }

  const entries = (): readonly object[] => [...[...byId.values()].map(freezeClient), ...removedIds.entries()];

  const handlers = handleEvents<'clients'>({
    ClientRegistered: register,
    ClientUpdated(data, event) {
      origins = undefined;
      change(event, { detailTypes: undefined, ...data }); // if absent, all types are allowed again
      forgetRemovedKeys(clientIdOf(event));
    },
    ClientDocumentAccepted: acceptDocument,
    ClientLogoChanged: ({ image }, event) =>
      change(event, { logo: image === null ? null : { mediaType: image.mediaType, position: event.position } }),
    ClientSecretRotated: rotate,
    ClientSecretRehashed: rehash,
    ClientRemoved: (_data, event) => remove(clientIdOf(event)),
    ClientDisabled: (_data, event) => change(event, { disabledAt: recordedSecond(event) }),
    ClientEnabled: (_data, event) => change(event, { disabledAt: undefined }),
    ClientMemberAdded: addMember,
    ClientMemberRemoved: removeMember,
    ClientInvitationsWithdrawn: (_data, event) => change(event, {}),
    UserErased: removeFromAll,
    AccessTokenIssued: recordTokenUse,
    ClientAssertionAccepted: recordKeyUse,
    ClockSetBack: endFutureOverlaps,
  });

  return {
    name: 'clients',
    find: (clientId) => byId.get(clientId),
    haveUserChosenSecrets: () => idsWithChosenSecret.size > 0,
    wasRemoved: removedIds.has,
    maxIterations: importedHashes.maxIterations,
    ownedBy: (ownerId) => lookUp(index.ownedBy(ownerId)),
    newestOwnedBy: (ownerId) => lookUp([...index.ownedBy(ownerId)].toReversed()),
    countOwnedBy: index.countOwnedBy,
    all: () => [...byId.values()],
    size: () => byId.size,
    hasOrigin: (origin) =>
      (origins ??= new Set([...byId.values()].flatMap(({ allowedOrigins }) => allowedOrigins))).has(origin),
    unreadable: () => [...byId.values()].filter(isUnreadable),
    hasUnsealedSecret,
    contents: entries,
    freeze: () => jsonPieces(entries()),
    restore(piece) {
      origins = undefined;
      for (const client of removedIds.restore(parseEntries<Omit<Client, keyof ClientSecrets> & FrozenSecrets>(piece)))
        add({ ...client, ...thawSecrets(client, open) });
    },

    ...handlers,
  };
}

/** Returns the client id from the name of the event's stream. */
export function clientIdOf({ stream }: RecordedEvent): string {
  return stream.slice('client-'.length);
}
