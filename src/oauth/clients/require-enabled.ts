import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';

/**
 * Requires that the client is enabled.
 * @throws OAuthError `unauthorized_client` if it is disabled
 */
export function requireEnabled({ disabledAt }: Pick<Client, 'disabledAt'>): void {
  if (disabledAt !== undefined) throw oauthError({ rule: 'client-disabled' });
}
