import type { UserId } from '../../domain/values.ts';
import type { Actor } from '../../event-store/event-log.ts';

/**
 * `known`: a browser that has logged in to the account before, a user in their session, the operator.
 * `client`: a confidential client that has authenticated. `address`: everyone else.
 */
export const HASH_CLASSES = ['known', 'client', 'address'] as const;
export type HashClass = (typeof HASH_CLASSES)[number];

/**
 * On whose behalf a slow hash is computed. Turns go round the classes, within a class round the lanes, and within a
 * lane round the accounts. A class that anybody can join cannot hold up a class that takes a proof.
 */
export interface HashCaller {
  readonly class: HashClass;
  /** One party, however many requests it sends: an address, a client, a user. */
  readonly lane: string;
  /** What the secret is said to belong to, an account or a client; whether it exists makes no difference. */
  readonly account: string;
}

/** A user who has proven who they are, or whose browser has logged in as them before. */
export function knownUser(userId: UserId): HashCaller {
  return { class: 'known', lane: `user ${userId}`, account: userId };
}

/** @param address as `clientAddress` has it: the /64 of an IPv6 address */
export function callerFromAddress(address: string, account: string): HashCaller {
  return { class: 'address', lane: address, account };
}

export function callerFromClient(clientId: string, account: string): HashCaller {
  return { class: 'client', lane: `client ${clientId}`, account };
}

/** For changes to accounts and clients: the actor has a session, a client's access token, or the operator's shell. */
export function callerFromActor(actor: Actor): HashCaller {
  switch (actor.kind) {
    case 'user':
      return knownUser(actor.id as UserId);
    case 'client':
      return callerFromClient(actor.id, actor.id);
    case 'operator':
    case 'server':
      return { class: 'known', lane: actor.kind, account: actor.kind };
  }
}
