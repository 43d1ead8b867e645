import type { UserId } from '../../domain/values.ts';
import type { Actor } from '../../event-store/event-log.ts';

/**
 * `known`: a browser that has logged in to the account before, a user in a session, the operator, or the server itself.
 * `client`: an authenticated confidential client. `address`: everyone else.
 */
export const HASH_CLASSES = ['known', 'client', 'address'] as const;
export type HashClass = (typeof HASH_CLASSES)[number];

/**
 * The party on whose behalf a slow hash is computed. Scheduling is round-robin between classes, between the lanes of a
 * class, and between the accounts in a lane, so a flood from anonymous callers cannot starve the classes that require
 * proof of identity.
 */
export interface HashCaller {
  readonly class: HashClass;
  /** The sender of the requests: an address, a client, a user, the operator or the server itself. */
  readonly lane: string;
  /** The account or client that the secret belongs to. It need not exist. */
  readonly account: string;
}

/** Returns the caller for an authenticated user, or for a user whose browser has logged in to the account before. */
export function callerFromUser(userId: UserId): HashCaller {
  return { class: 'known', lane: `user ${userId}`, account: userId };
}

/**
 * Returns the caller for a request without proof of identity.
 * @param address as returned by `clientAddress`: an IPv4 address, or the /64 prefix of an IPv6 address
 */
export function callerFromAddress(address: string, account: string): HashCaller {
  return { class: 'address', lane: address, account };
}

export function callerFromClient(clientId: string, account: string): HashCaller {
  return { class: 'client', lane: `client ${clientId}`, account };
}

/**
 * Returns the caller for changes to accounts and clients by an actor with a session, an access token or shell access.
 */
export function callerFromActor(actor: Actor): HashCaller {
  switch (actor.kind) {
    case 'user':
      return callerFromUser(actor.id as UserId);
    case 'client':
      return callerFromClient(actor.id, actor.id);
    case 'operator':
    case 'server':
      return { class: 'known', lane: actor.kind, account: actor.kind };
  }
}
