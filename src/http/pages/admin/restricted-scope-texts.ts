import { RESTRICTED_SCOPES, type RestrictedScope } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Text } from '../../../language/message.ts';

const DESCRIPTION_KEYS: Readonly<Record<RestrictedScope, MessageKey>> = {
  admin: 'restricted-scope.admin',
  audit: 'restricted-scope.audit',
  introspection: 'restricted-scope.introspection',
  'clients:register': 'restricted-scope.register',
  grant_management_query: 'restricted-scope.query',
  grant_management_revoke: 'restricted-scope.revoke',
};

/** The restricted scopes, with descriptions of the access that they give applications, for administrators. */
export const RESTRICTED_SCOPE_DESCRIPTIONS = RESTRICTED_SCOPES.map((name) => ({
  name,
  description: message(DESCRIPTION_KEYS[name]),
}));

/** Returns a message that says which restricted scopes an application gained or lost. */
export function restrictedScopesNotice(
  application: string,
  previousScopes: readonly RestrictedScope[],
  newScopes: readonly RestrictedScope[],
): Text {
  const allowedNames = newScopes.filter((name) => !previousScopes.includes(name)).join(', ');
  const withdrawnNames = previousScopes.filter((name) => !newScopes.includes(name)).join(', ');
  if (allowedNames === '' && withdrawnNames === '') return message('admin-scopes.same', { application });
  if (withdrawnNames === '') return message('admin-scopes.allowed', { application, scopes: allowedNames });
  if (allowedNames === '') return message('admin-scopes.withdrawn', { application, scopes: withdrawnNames });
  return message('admin-scopes.exchanged', { application, allowed: allowedNames, withdrawn: withdrawnNames });
}
