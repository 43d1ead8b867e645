import type { Confirmation } from '../../domain/confirmation.ts';
import { effectiveSecurity, type ClientSecurityInput, type ServerSecurity } from '../../domain/security-profile.ts';
import { oauthError } from './errors.ts';

/**
 * Requires a DPoP proof from a client whose tokens must be bound to a key (RFC 9449 §5.2).
 * @throws OAuthError `invalid_dpop_proof` if the proof is missing
 */
export function requireDpopProof(
  client: ClientSecurityInput,
  confirmation: Confirmation | undefined,
  settings: ServerSecurity,
): void {
  const { dpop } = effectiveSecurity(client, settings);
  if (dpop !== null && confirmation?.method !== 'jkt') throw oauthError({ rule: 'dpop-proof-missing', by: dpop });
}
