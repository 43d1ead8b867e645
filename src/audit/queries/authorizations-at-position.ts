import { createAuthorizations } from './authorizations.ts';
import type { AccessEntry } from './access-report.ts';

/** The grants of one user to one application, taken together. */
export interface AuthorizationAtPosition extends Omit<AccessEntry, 'kind'> {
  /** How many grants there are; `position` is of the first of them. */
  readonly grants: number;
  /** The first of them. */
  readonly first: readonly AccessEntry[];
}

export interface AuthorizationsAtPosition {
  /** Ignores everything but grants. */
  add(held: AccessEntry): void;
  all(): readonly AuthorizationAtPosition[];
}

/** @param kept so many grants of each authorization are kept in `first` */
export function createAuthorizationsAtPosition(kept: number): AuthorizationsAtPosition {
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

function withTerms(held: AccessEntry) {
  return { held, scope: splitWords(held.scope), resource: splitWords(held.resource ?? ''), expiresAt: held.expires_at };
}

function keyOf({ held }: ReturnType<typeof withTerms>): string {
  return JSON.stringify([held.user_id, held.client]);
}

function splitWords(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
