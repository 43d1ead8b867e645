import { GROUPS_SCOPE, isRestricted, needsLogin, type OpenIdScope } from '../domain/scope.ts';
import type { RestrictedScope } from '../domain/values.ts';

/**
 * The scopes of a server whose operator has configured no scopes. Their descriptions are vague, because they must fit
 * every API.
 */
export const SAMPLE_SCOPES = { read: 'Read your data', write: 'Change your data', groups: 'See your groups' } as const;

/**
 * The scopes that every server has, with their descriptions. Clients must request them explicitly, except for some that
 * the operator has also defined: see `mustBeRequested`.
 */
export const BUILT_IN_SCOPES: Readonly<Record<RestrictedScope | OpenIdScope | typeof GROUPS_SCOPE, string>> = {
  admin: 'Administer this server: users, groups, applications and their access',
  audit: 'See everything ever recorded on this server, about all users',
  introspection: 'Find out what any access token allows',
  'clients:register': 'Register applications on this server',
  grant_management_query: 'See the permissions that users have given it',
  grant_management_revoke: 'Revoke the permissions that users have given it',
  openid: 'Recognize you when you log in with your account here',
  profile: 'See your profile',
  email: 'See your e-mail address',
  address: 'See your postal address',
  phone: 'See your phone number',
  [GROUPS_SCOPE]: 'See the groups that you are in',
  offline_access: 'Keep its access when you are logged out',
};

/**
 * Reports whether a request without a scope parameter can never get the scope. Scopes such as `email`, which operators
 * may have defined before they were built in, can still be default scopes.
 */
export function mustBeRequested(name: string, configuredScopes: Readonly<Record<string, string>>): boolean {
  if (!Object.hasOwn(BUILT_IN_SCOPES, name)) return false;
  return isRestricted(name) || needsLogin(name) || !Object.hasOwn(configuredScopes, name);
}
