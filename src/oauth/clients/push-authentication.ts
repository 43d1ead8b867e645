import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Client } from '../../projections/clients.ts';
import { UnusableRequestError } from '../endpoints/authorization-request.ts';
import { OAuthError } from '../endpoints/errors.ts';
import { hasAssertion } from './client-assertions.ts';
import type { ClientAuthentication, ClientRequest } from './client-authentication.ts';
import type { ClientDirectory } from './client-directory.ts';
import { isDocumentUrl } from './client-document.ts';

/**
 * Creates the client authentication for the pushed authorization request endpoint. Pushing a request records nothing in
 * the log, so even a public client that is not in the log may push one. Its metadata document is fetched in the same
 * way as at the authorization endpoint, and within the same limits. A client with keys cannot push a request until a
 * user has authorized the client, because its assertions are recorded.
 */
export function createPushAuthentication(
  authentication: ClientAuthentication,
  directory: Pick<ClientDirectory, 'resolve'>,
  limits: Pick<RateLimits, 'spend'>,
): ClientAuthentication {
  /** Returns the public client whose metadata document is at the URL in `client_id`, or undefined. */
  async function findPublicDocumentClient({ authorization, parameters, address, once }: ClientRequest) {
    const clientId = parameters.get('client_id');
    const hasCredentials = authorization !== undefined || parameters.has('client_secret') || hasAssertion(parameters);
    if (clientId === undefined || !isDocumentUrl(clientId) || hasCredentials) return undefined;
    const client = await resolve(clientId, () => limits.spend('client-documents-by-address', address, once));
    return client?.clientType === 'public' ? client : undefined;
  }

  /**
   * Returns the client, or undefined if the id belongs to no client.
   * @throws OAuthError if its metadata document is refused or unusable
   */
  async function resolve(clientId: string, beforeFetch: () => void): Promise<Client | undefined> {
    try {
      return await directory.resolve(clientId, beforeFetch);
    } catch (error) {
      if (!(error instanceof UnusableRequestError)) throw error;
      throw new OAuthError('invalid_client', error.message, error.refusal);
    }
  }

  return {
    async authenticate(request) {
      const client = await findPublicDocumentClient(request);
      return client === undefined
        ? authentication.authenticate(request)
        : { client, method: 'none', previousSecretUsed: false };
    },
  };
}
