import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';

/** @throws OAuthError `unauthorized_client` if the client is disabled */
export function requireEnabled({ disabledAt }: Pick<Client, 'disabledAt'>): void {
  if (disabledAt !== undefined) throw oauthError({ rule: 'client-disabled' });
}
