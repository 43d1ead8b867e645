import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { PresentedCertificate } from '../../platform/certificates/presented-certificate.ts';
import type { AcceptAssertion, PresentingRequest } from './accepted-assertions.ts';
import { usesCertificate, type AuthenticateByCertificate } from './certificate-authentication.ts';
import { hasAssertion, verifyAssertion, type AssertionClients } from './client-assertions.ts';
import type { AuthenticateBySecret, AuthenticatedClient, SecretRequest } from './secret-authentication.ts';

/** A request to an endpoint where clients authenticate, such as the token endpoint. */
export type ClientRequest = SecretRequest &
  PresentingRequest & {
    readonly now: EpochSeconds;
    /** The certificate from the TLS handshake or from a trusted proxy. */
    readonly certificate: () => PresentedCertificate;
  };

/**
 * Returns the client that is authenticated by the JWT in its grant request, if the JWT is from a trusted issuer.
 * Returns undefined if the client must present credentials. Called only for requests without a secret.
 * @throws OAuthError if the JWT is invalid
 */
export type AuthenticateByIssuer = (request: ClientRequest) => Promise<Client | undefined>;

export interface ClientAuthentication {
  /**
   * Returns the client that sent a request. Confidential clients authenticate with HTTP Basic, with `client_id` and
   * `client_secret` in the body (RFC 6749 §2.3.1), with a signed assertion (RFC 7523 §2.2), with their id and a TLS
   * certificate (RFC 8705 §2), or with a JWT from a trusted issuer in their grant request. Public clients send only
   * their id.
   * @throws OAuthError `invalid_client`, with the same response after the same work for an unknown client and a wrong
   *   secret; `invalid_request` for two different sets of credentials; `unauthorized_client` for a disabled client
   * @throws TooManyAttemptsError after too many valid assertions, because each is recorded, or after too many failures,
   *   before a slow hash begins. A correct generated secret is accepted even after failures: it cannot be guessed, and
   *   refusing it would let attackers lock the client out
   */
  authenticate(request: ClientRequest): Promise<AuthenticatedClient>;
}

export function createClientAuthentication(deps: {
  readonly authenticateBySecret: AuthenticateBySecret;
  readonly acceptAssertion: AcceptAssertion;
  readonly authenticateByCertificate: AuthenticateByCertificate;
  readonly authenticateByIssuer: AuthenticateByIssuer;
  readonly clients: AssertionClients;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly issuer: () => string;
  /** Brings this node up to date, since another node may have registered the client. */
  readonly catchUp?: (() => Promise<void>) | undefined;
}): ClientAuthentication {
  const {
    authenticateBySecret,
    acceptAssertion,
    authenticateByCertificate,
    authenticateByIssuer,
    clients,
    limits,
    issuer,
    catchUp,
  } = deps;

  async function authenticateByAssertion(request: ClientRequest): Promise<AuthenticatedClient> {
    if (presentsSecret(request)) throw oauthError({ rule: 'client-methods-mixed' });
    // An assertion cannot be guessed, so failed attempts are not counted.
    const assertion = await verifyAssertion(request.parameters, clients, issuer(), request.now);
    requireEnabled(assertion.client); // before the assertion is recorded
    limits.spend('assertions-by-client', assertion.client.clientId, request.once);
    const { whenRecorded } = await acceptAssertion(assertion, request);
    return { client: assertion.client, method: 'private_key_jwt', previousSecretUsed: false, whenRecorded };
  }

  /** Returns the client whose id is in the request, if it can authenticate with a certificate. */
  async function findCertificateClient({ parameters, certificate }: ClientRequest): Promise<Client | undefined> {
    const clientId = parameters.get('client_id');
    if (clientId === undefined) return undefined;
    if (clients.find(clientId) === undefined && certificate().kind !== 'none') await catchUp?.();
    const client = clients.find(clientId);
    return client !== undefined && usesCertificate(client) ? client : undefined;
  }

  /** Authenticates the client of a request without a secret, by its certificate or by a trusted issuer's JWT. */
  async function authenticateWithoutSecret(request: ClientRequest): Promise<AuthenticatedClient | undefined> {
    const client = await findCertificateClient(request);
    if (client !== undefined) {
      const clientKeyId = await authenticateByCertificate(client, request.certificate(), request.now);
      const method = clientKeyId === undefined ? 'tls_client_auth' : 'self_signed_tls_client_auth';
      return { client, method, previousSecretUsed: false, clientKeyId };
    }
    const assertedClient = await authenticateByIssuer(request);
    // An assertion counts as `private_key_jwt`, even if a trusted issuer signed it instead of the client.
    return assertedClient && { client: assertedClient, method: 'private_key_jwt', previousSecretUsed: false };
  }

  return {
    async authenticate(request) {
      if (hasAssertion(request.parameters)) return authenticateByAssertion(request);
      const result =
        (presentsSecret(request) ? undefined : await authenticateWithoutSecret(request)) ??
        (await authenticateBySecret(request));
      requireEnabled(result.client);
      return result;
    },
  };
}

/** Reports whether the request has an Authorization header, or a secret in its body. */
function presentsSecret({ authorization, parameters }: SecretRequest): boolean {
  return authorization !== undefined || parameters.has('client_secret');
}

/**
 * Requires the client to be enabled.
 * @throws OAuthError `unauthorized_client` if it is disabled
 */
function requireEnabled({ disabledAt }: Pick<Client, 'disabledAt'>): void {
  if (disabledAt !== undefined) throw oauthError({ rule: 'client-disabled' });
}
