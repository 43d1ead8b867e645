import { createAuthorizations } from './authorizations.ts';
import type { Held } from './held.ts';

/** The grants of one user to one application, taken together. */
export interface HeldAuthorization extends Omit<Held, 'kind'> {
  /** How many grants there are; `position` is of the first of them. */
  readonly grants: number;
  /** The first of them. */
  readonly first: readonly Held[];
}

export interface HeldAuthorizations {
  /** Ignores everything but grants. */
  add(held: Held): void;
  all(): readonly HeldAuthorization[];
}

/** @param kept so many grants of each authorization are kept in `first` */
export function createHeldAuthorizations(kept: number): HeldAuthorizations {
  const authorizations = createAuthorizations(keyOf, kept);
  return {
    add(held) {
      if (held.kind === 'grant') authorizations.add(withTerms(held));
    },

    all: () =>
      authorizations.all().flatMap(({ grants, count, scope, resource, expiresAt }) => {
        const [first] = grants;
        if (first === undefined) return [];
        const { position, user, user_id, client, application } = first.held;
        return {
          position,
          user,
          user_id,
          client,
          application,
          scope: scope.join(' '),
          resource: resource.length === 0 ? null : resource.join(' '),
          expires_at: expiresAt,
          grants: count,
          first: grants.map(({ held }) => held),
        };
      }),
  };
}

function withTerms(held: Held) {
  return { held, scope: words(held.scope), resource: words(held.resource ?? ''), expiresAt: held.expires_at };
}

function keyOf({ held }: ReturnType<typeof withTerms>): string {
  return JSON.stringify([held.user_id, held.client]);
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
