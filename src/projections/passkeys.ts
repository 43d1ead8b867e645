import type { EventOf } from '../domain/events.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { PasskeyId, UserId } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import type { PasskeyData, Unseal } from './sealed-data.ts';

export interface Passkey extends PasskeyData {
  readonly passkeyId: PasskeyId;
  readonly userId: UserId;
  /** Seconds since the epoch. */
  readonly addedAt: number;
}

/** The passkeys of accounts that have not been erased. */
export interface Passkeys extends Projection {
  /** Finds a passkey by its credential id. If two passkeys with the same id were added at once, returns the first. */
  findByCredentialId(credentialId: string): Passkey | undefined;
  /** Returns the user's passkeys, oldest first. */
  listByUser(userId: UserId): readonly Passkey[];
}

/** A passkey in a snapshot. Personal data stays encrypted, as in the event. */
interface Entry {
  readonly passkeyId: PasskeyId;
  readonly userId: UserId;
  readonly addedAt: number;
  readonly sealed: string;
}

interface StoredPasskey extends Entry {
  /** Undefined if the user's key has been destroyed; a later event records the erasure. */
  readonly data: PasskeyData | undefined;
}

export function createPasskeys(unseal: Unseal): Passkeys {
  const byUser = new Map<UserId, Map<PasskeyId, StoredPasskey>>();
  const byCredential = new Map<string, StoredPasskey>();

  function add(entry: Entry): void {
    const passkey: StoredPasskey = { ...entry, data: unseal(entry.userId, entry.sealed)?.passkey };
    byUser.set(
      entry.userId,
      (byUser.get(entry.userId) ?? new Map<PasskeyId, StoredPasskey>()).set(entry.passkeyId, passkey),
    );
    const credentialId = passkey.data?.credentialId;
    if (credentialId !== undefined && !byCredential.has(credentialId)) byCredential.set(credentialId, passkey);
  }

  function remove({ userId, passkeyId }: EventOf<'PasskeyRemoved'>['data']): void {
    const passkeys = byUser.get(userId);
    const passkey = passkeys?.get(passkeyId);
    if (passkeys === undefined || passkey === undefined) return;
    passkeys.delete(passkeyId);
    if (passkeys.size === 0) byUser.delete(userId);
    forgetCredential(passkey);
  }

  function removePasskeysOfUser(userId: UserId): void {
    for (const passkey of byUser.get(userId)?.values() ?? []) forgetCredential(passkey);
    byUser.delete(userId);
  }

  function forgetCredential(passkey: StoredPasskey): void {
    const credentialId = passkey.data?.credentialId;
    if (credentialId !== undefined && byCredential.get(credentialId) === passkey) byCredential.delete(credentialId);
  }

  function* all(): Generator<StoredPasskey, void, void> {
    for (const passkeys of byUser.values()) yield* passkeys.values();
  }

  const handlers = handleEvents<'passkeys'>({
    PasskeyAdded: (data, event) => add({ ...data, addedAt: recordedSecond(event) }),
    PasskeyRemoved: remove,
    UserErased: ({ userId }) => removePasskeysOfUser(userId),
  });

  return {
    name: 'passkeys',
    findByCredentialId(credentialId) {
      const passkey = byCredential.get(credentialId);
      return passkey === undefined ? undefined : toPasskey(passkey)[0];
    },
    listByUser: (userId) => [...(byUser.get(userId)?.values() ?? [])].flatMap(toPasskey),
    *contents() {
      for (const { passkeyId, userId, addedAt, data } of all()) yield { passkeyId, userId, addedAt, ...data };
    },
    freeze: () =>
      jsonPieces(
        [...all()].map(({ passkeyId, userId, addedAt, sealed }): Entry => ({ passkeyId, userId, addedAt, sealed })),
      ),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece)) add(entry);
    },

    ...handlers,
  };
}

function toPasskey({ passkeyId, userId, addedAt, data }: StoredPasskey): readonly Passkey[] {
  return data === undefined ? [] : [{ passkeyId, userId, addedAt, ...data }];
}
