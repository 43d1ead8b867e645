import type { EpochSeconds } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Users } from '../../projections/users.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { selectClaims } from './claims.ts';
import type { Subjects } from './subjects.ts';
import { claimsOfScope, type GroupsOf, type ScopeClaims } from './user-claims.ts';

/** The claims about a user, as JSON or as a signed JWT (OpenID Connect Core §5.3.2). */
export type Userinfo = { readonly claims: Readonly<Record<string, unknown>> } | { readonly jwt: string };

/**
 * Returns the claims for the bearer of an access token with the `openid` scope. Returns undefined if the token has no
 * user, or if its user has just become inactive or its client has just been removed.
 */
export type ReadUserinfo = (token: AccessToken, now: EpochSeconds) => Promise<Userinfo | undefined>;

/** Not `JWT`, so that a response cannot be passed off as an ID token. */
const USERINFO_TYPE = 'userinfo+jwt';

export function createUserinfoReader(deps: {
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Pick<Users, 'find'>;
  readonly grants: Pick<Grants, 'find'>;
  readonly groupsOf: GroupsOf;
  readonly subjects: Pick<Subjects, 'subjectOf'>;
  readonly keys: Pick<SigningKeys, 'sign'>;
  readonly issuer: () => string;
  readonly settings: { readonly scopeClaims: ScopeClaims };
}): ReadUserinfo {
  const { clients, users, grants, groupsOf, subjects, keys, issuer, settings } = deps;
  return async ({ clientId, userId, grantId, scope }, now) => {
    const client = clients.find(clientId);
    const user = userId === null ? undefined : users.find(userId);
    if (client === undefined || user?.active !== true) return undefined;
    const individualClaims = grants.find(grantId)?.claims?.userinfo ?? [];
    const names = [...new Set([...claimsOfScope(scope, settings.scopeClaims), ...individualClaims])];
    const claims = { sub: subjects.subjectOf(client, user.userId), ...selectClaims(user, names, groupsOf) };
    const { userinfoAlgorithm } = client.openid;
    if (userinfoAlgorithm === null) return { claims };
    const { jws } = await keys.sign(userinfoAlgorithm, USERINFO_TYPE, { iss: issuer(), aud: clientId, ...claims }, now);
    return { jwt: jws };
  };
}
