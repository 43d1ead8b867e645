import { createAuthorizations } from './authorizations.ts';
import type { AccessEntry } from './access-report.ts';

/** A user's grants to an application, combined. */
export interface AuthorizationAtPosition extends Omit<AccessEntry, 'kind' | 'group' | 'login' | 'authenticated_at'> {
  /** The number of grants. `position` is the position of the first grant. */
  readonly grants: number;
  /** The first grants, at most `maxGrants`. */
  readonly first: readonly AccessEntry[];
}

export interface AuthorizationsAtPosition {
  /** Adds a grant. Ignores other entries. */
  add(entry: AccessEntry): void;
  all(): readonly AuthorizationAtPosition[];
}

/**
 * Creates an empty collection that combines each user's grants to an application.
 * @param maxGrants the maximum number of grants in `first`, for each authorization
 */
export function createAuthorizationsAtPosition(maxGrants: number): AuthorizationsAtPosition {
  const authorizations = createAuthorizations(authorizationKey, maxGrants);
  return {
    add(entry) {
      if (entry.kind === 'grant') authorizations.add(parseTerms(entry));
    },

    all: () =>
      authorizations.all().flatMap(({ grants, count, scope, resource, expiresAt }) => {
        const [first] = grants;
        if (first === undefined) return [];
        const { position, user, user_id, client, application } = first.entry;
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
          first: grants.map(({ entry }) => entry),
        };
      }),
  };
}

function parseTerms(entry: AccessEntry) {
  return {
    entry,
    scope: splitWords(entry.scope),
    resource: splitWords(entry.resource ?? ''),
    expiresAt: entry.expires_at,
  };
}

function authorizationKey({ entry }: ReturnType<typeof parseTerms>): string {
  return JSON.stringify([entry.user_id, entry.client]);
}

function splitWords(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
