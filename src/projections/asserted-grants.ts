import type { GrantId } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';

/**
 * The grants that depend on the trust in another issuer, until their tokens expire. They end with that trust: this
 * projection only finds them, and those that decide whether a grant is live end them.
 */
export interface AssertedGrants extends Projection {
  /** Also those that ended otherwise. */
  of(issuer: string): Iterable<GrantId>;
}

type Entry = readonly [grantId: GrantId, issuer: string, expiresAt: number];

export function createAssertedGrants(): AssertedGrants {
  const byId = new Map<GrantId, Entry>();
  const byIssuer = new Map<string, Set<GrantId>>();
  const expiry = createExpiryBuckets<GrantId>();

  function add(entry: Entry): void {
    const [grantId, issuer, expiresAt] = entry;
    byId.set(grantId, entry);
    byIssuer.set(issuer, (byIssuer.get(issuer) ?? new Set()).add(grantId));
    expiry.add(grantId, expiresAt);
  }

  function forget(grantId: GrantId): void {
    const [, issuer = ''] = byId.get(grantId) ?? [];
    byId.delete(grantId);
    const grants = byIssuer.get(issuer);
    grants?.delete(grantId);
    if (grants?.size === 0) byIssuer.delete(issuer);
  }

  const handle = handleEvents<'asserted-grants'>({
    AssertionRedeemed: ({ grantId, issuer, expiresAt }) => add([grantId, issuer, expiresAt]),
  });

  return {
    name: 'asserted-grants',
    of: (issuer) => byIssuer.get(issuer) ?? [],
    contents: () => byId.values(),
    freeze: () => jsonPieces([...byId.values()]),
    restore: (piece) => parseEntries<Entry>(piece).forEach(add),

    apply(event) {
      expiry.expire(event.recordedAt / 1000, forget);
      handle(event);
    },
  };
}
