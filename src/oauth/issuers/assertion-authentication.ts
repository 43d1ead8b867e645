import type { Client, Clients } from '../../projections/clients.ts';
import type { TrustedIssuers } from '../../projections/trusted-issuers.ts';
import type { AuthenticateByIssuer } from '../clients/client-authentication.ts';
import { JWT_BEARER_GRANT_TYPE } from '../grant-types/jwt-bearer.ts';
import { unverifiedClaims } from '../signing/jws.ts';
import { hasRequiredClaim } from './claim-paths.ts';
import type { ReadForeignToken } from './foreign-tokens.ts';

/**
 * Creates the function that authenticates clients with JWTs from trusted issuers. A client that sends no credentials of
 * its own, such as a CI job, is authenticated by its assertion if the issuer's registration maps subjects to clients,
 * and if the assertion has the required claims of exactly one client in the registration. Clients with a security
 * profile must authenticate with their own credentials.
 */
export function createAssertionAuthenticator(deps: {
  readonly trustedIssuers: Pick<TrustedIssuers, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly readForeignToken: ReadForeignToken;
}): AuthenticateByIssuer {
  const { trustedIssuers, clients, readForeignToken } = deps;

  /**
   * Returns the only client that the assertion may authenticate, or undefined if no client or more than one matches, or
   * if the client has a security profile. Does not verify the assertion.
   */
  function findMatchingClient(assertion: string, claimedClientId: string | undefined): Client | undefined {
    const claims = unverifiedClaims(assertion);
    const issuer = claims?.['iss'];
    const trustedIssuer = typeof issuer === 'string' ? trustedIssuers.find(issuer) : undefined;
    if (claims === undefined || trustedIssuer?.subject.by !== 'client') return undefined;
    const candidates = trustedIssuer.clients.filter(
      ({ clientId, requiredClaims }) =>
        (claimedClientId === undefined || claimedClientId === clientId) &&
        requiredClaims.every((claim) => hasRequiredClaim(claims, claim)),
    );
    const [match] = candidates;
    const client = match === undefined || candidates.length > 1 ? undefined : clients.find(match.clientId);
    return client?.security.profile === null ? client : undefined;
  }

  return async ({ parameters, now }) => {
    const assertion = parameters.get('assertion');
    if (assertion === undefined || parameters.get('grant_type') !== JWT_BEARER_GRANT_TYPE) return undefined;
    const client = findMatchingClient(assertion, parameters.get('client_id'));
    if (client === undefined) return undefined;
    await readForeignToken(assertion, { parameter: 'assertion', use: 'assertion', now }, client.clientId);
    return client;
  };
}
