import { issuersOf } from '../domain/token-exchange.ts';
import type { GrantId, UserId } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';

/**
 * The grants that depend on a trusted issuer, until their tokens expire. This projection only finds them; other
 * projections end them when the issuer is removed.
 */
export interface AssertedGrants extends Projection {
  /** Returns the grants that depend on the issuer, including grants that have ended. */
  listByIssuer(issuer: string): Iterable<GrantId>;
  /** Returns the exchanges whose actor token is a foreign JWT with the user as its subject, including ended ones. */
  listByActor(userId: UserId): Iterable<GrantId>;
}

/** `actor` is the subject of the actor's JWT, if that subject is a user. */
type Entry = readonly [grantId: GrantId, issuer: string, expiresAt: number, actor?: UserId];

export function createAssertedGrants(): AssertedGrants {
  /** A grant has two entries if the JWTs of its subject and of its actor have different issuers. */
  const entries = new Map<string, Entry>();
  const byIssuer = new Map<string, Set<GrantId>>();
  const byActor = new Map<UserId, Set<GrantId>>();
  const expiry = createExpiryBuckets<string>();

  function add(entry: Entry): void {
    const [grantId, issuer, expiresAt, actor] = entry;
    const key = JSON.stringify([grantId, issuer]);
    entries.set(key, entry);
    addTo(byIssuer, issuer, grantId);
    if (actor !== undefined) addTo(byActor, actor, grantId);
    expiry.add(key, expiresAt);
  }

  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    const [grantId, issuer, , actor] = entry;
    entries.delete(key);
    removeFrom(byIssuer, issuer, grantId);
    if (actor !== undefined) removeFrom(byActor, actor, grantId);
  }

  const handlers = handleEvents<'asserted-grants'>({
    AssertionRedeemed: ({ grantId, issuer, expiresAt }) => add([grantId, issuer, expiresAt]),
    TokenExchanged({ grantId, parent, actor, expiresAt }) {
      const actorId = actor !== undefined && 'issuer' in actor ? actor.userId : null;
      for (const issuer of issuersOf({ parent, actor }))
        add(actorId === null ? [grantId, issuer, expiresAt] : [grantId, issuer, expiresAt, actorId]);
    },
  });

  return {
    name: 'asserted-grants',
    listByIssuer: (issuer) => byIssuer.get(issuer) ?? [],
    listByActor: (userId) => byActor.get(userId) ?? [],
    contents: () => entries.values(),
    freeze: () => jsonPieces([...entries.values()]),
    restore: (piece) => parseEntries<Entry>(piece).forEach(add),

    apply(event) {
      expiry.expire(event.recordedAt / 1000, forget);
      handlers.apply(event);
    },
  };
}

function addTo<Key>(index: Map<Key, Set<GrantId>>, key: Key, grantId: GrantId): void {
  index.set(key, (index.get(key) ?? new Set()).add(grantId));
}

function removeFrom<Key>(index: Map<Key, Set<GrantId>>, key: Key, grantId: GrantId): void {
  const grants = index.get(key);
  grants?.delete(grantId);
  if (grants?.size === 0) index.delete(key);
}
