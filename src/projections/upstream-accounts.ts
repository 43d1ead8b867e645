import type { EventOf } from '../domain/events.ts';
import type { EpochSeconds, ProviderId, UserId } from '../domain/values.ts';
import type { Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** A user's account at a provider, with which the user can log in here. */
export interface UpstreamAccount {
  readonly subjectHash: string;
  readonly providerId: ProviderId;
  readonly userId: UserId;
  /** The account's identity at the provider, encrypted with the user's key. */
  readonly sealed: string;
  readonly linkedAt: EpochSeconds;
  /** The revision of the account's stream. A decision based on the account is outdated once the stream has grown. */
  readonly revision: Revision;
}

/** The linked accounts of users who have not been erased. */
export interface UpstreamAccounts extends Projection {
  find(subjectHash: string): UpstreamAccount | undefined;
  /** Returns the user's accounts, oldest first. */
  listByUser(userId: UserId): readonly UpstreamAccount[];
  /** Yields the accounts at the provider, in no particular order. Examines all accounts. */
  listByProvider(providerId: string): Iterable<UpstreamAccount>;
  /** Returns the number of linked accounts at the provider. */
  countByProvider(providerId: ProviderId): number;
}

export function createUpstreamAccounts(): UpstreamAccounts {
  const byHash = new Map<string, UpstreamAccount>();
  const byUser = new Map<UserId, Set<string>>();
  const counts = new Map<ProviderId, number>();

  function add(account: UpstreamAccount): void {
    remove(account.subjectHash);
    byHash.set(account.subjectHash, account);
    byUser.set(account.userId, (byUser.get(account.userId) ?? new Set()).add(account.subjectHash));
    counts.set(account.providerId, (counts.get(account.providerId) ?? 0) + 1);
  }

  function remove(subjectHash: string): void {
    const account = byHash.get(subjectHash);
    if (account === undefined) return;
    byHash.delete(subjectHash);
    const hashes = byUser.get(account.userId);
    hashes?.delete(subjectHash);
    if (hashes?.size === 0) byUser.delete(account.userId);
    counts.set(account.providerId, (counts.get(account.providerId) ?? 0) - 1);
  }

  function erase({ userId }: EventOf<'UserErased'>['data']): void {
    for (const subjectHash of byUser.get(userId) ?? []) remove(subjectHash);
  }

  const handlers = handleEvents<'upstream-accounts'>({
    UpstreamAccountLinked({ subjectHash, providerId, userId, sealed }, event) {
      const { revision } = event;
      add({ subjectHash, providerId, userId, sealed, linkedAt: recordedSecond(event), revision });
    },
    UpstreamAccountUnlinked: ({ subjectHash }) => remove(subjectHash),
    UserErased: erase,
  });

  return {
    name: 'upstream-accounts',
    find: (subjectHash) => byHash.get(subjectHash),
    listByUser: (userId) => [...(byUser.get(userId) ?? [])].flatMap((subjectHash) => byHash.get(subjectHash) ?? []),
    *listByProvider(providerId) {
      for (const account of byHash.values()) if (account.providerId === providerId) yield account;
    },
    countByProvider: (providerId) => counts.get(providerId) ?? 0,
    contents: () => byHash.values(),
    freeze: () => jsonPieces([...byHash.values()]),
    restore(piece) {
      for (const account of parseEntries<UpstreamAccount>(piece)) add(account);
    },
    ...handlers,
  };
}
