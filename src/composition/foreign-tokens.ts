import { createClientKeyFinder } from '../oauth/clients/client-key-finder.ts';
import { createPublishedKeys } from '../oauth/clients/published-keys.ts';
import { createAssertionNames } from '../oauth/issuers/assertion-names.ts';
import { createForeignSubjects } from '../oauth/issuers/foreign-subjects.ts';
import { createForeignTokenReader } from '../oauth/issuers/foreign-tokens.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { Clock } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';

export type ForeignTokenParts = ReturnType<typeof createForeignTokenParts>;

/** Creates the parts that find the keys of clients and trusted issuers, and read the tokens of those issuers. */
export function createForeignTokenParts(deps: {
  readonly projections: Pick<Projections, 'trustedIssuers' | 'users'>;
  readonly keys: Pick<Keys, 'names'>;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly issuer: () => string;
}) {
  const { projections, keys, egress, clock, issuer } = deps;
  const { trustedIssuers, users } = projections;
  const publishedKeys = createPublishedKeys(egress, clock.ticks);
  const findClientKeys = createClientKeyFinder(publishedKeys);
  const assertionNames = createAssertionNames(keys.names);
  return {
    publishedKeys,
    findClientKeys,
    assertionNames,
    foreignSubjects: createForeignSubjects(users, assertionNames),
    readForeignToken: createForeignTokenReader({ trustedIssuers, findClientKeys, issuer }),
  };
}
