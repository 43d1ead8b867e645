import type { AuthorizedApplication } from '../../../audit/queries/authorized-applications.ts';
import type { Management } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { LiveGrant } from '../../../projections/live-grant.ts';

/** An authorization that lets an application act for a user. */
export interface GrantLocals {
  readonly grantId: string;
  readonly scope: readonly string[];
  /** The resource servers that the authorization is limited to; empty if it is not limited. */
  readonly resources: readonly string[];
  readonly since: EpochSeconds;
  /** The time when the latest tokens were issued, or when the authorization began if no tokens have been issued. */
  readonly lastUsed: EpochSeconds;
  /** Whether the authorization ends with the session in which the user consented. */
  readonly endsWithSession: boolean;
  /**
   * The action that created or updated the managed grant, and the id by which the application manages it; null if the
   * application does not manage the authorization.
   */
  readonly managed: Pick<Management, 'action' | 'grantId'> | null;
  /** The trusted issuer whose token began the authorization; null if the user consented, and so has a receipt. */
  readonly issuer: string | null;
}

/** An application, with a summary of all its authorizations to act for a user. */
export interface AuthorizedApplicationLocals extends Omit<
  GrantLocals,
  'grantId' | 'endsWithSession' | 'managed' | 'issuer'
> {
  readonly id: string;
  readonly name: string;
  /** The number of authorizations. */
  readonly count: number;
  /** The trusted issuers whose tokens began authorizations without the user's consent. */
  readonly issuers: readonly string[];
}

export function authorizedApplicationLocals(application: AuthorizedApplication): AuthorizedApplicationLocals {
  const { clientId, name, grants, count, scope, resource } = application;
  const oldestGrant = grants.at(-1) as LiveGrant;
  const lastUsed = grants.reduce((latest, grant) => Math.max(latest, lastUsedAt(grant)), 0);
  return {
    id: clientId,
    name,
    scope,
    resources: resource,
    count,
    issuers: [...new Set(grants.flatMap(({ issuer }) => issuer ?? []))],
    since: oldestGrant.grantedAt as EpochSeconds,
    lastUsed: lastUsed as EpochSeconds,
  };
}

export function grantLocals(grant: LiveGrant): GrantLocals {
  const { grantId, scope, resource = [], grantedAt, endsWith, management: managed = null, issuer = null } = grant;
  const lastUsed = lastUsedAt(grant) as EpochSeconds;
  const since = grantedAt as EpochSeconds;
  return {
    grantId,
    scope,
    resources: resource,
    since,
    lastUsed,
    endsWithSession: endsWith !== undefined,
    managed,
    issuer,
  };
}

function lastUsedAt({ grantedAt, lastTokensAt }: LiveGrant): number {
  return lastTokensAt ?? grantedAt;
}
