import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Client } from '../../projections/clients.ts';
import { UnusableAuthorizationRequest } from '../endpoints/authorization-request.ts';
import { OAuthError } from '../endpoints/errors.ts';
import { hasAssertion } from './client-assertions.ts';
import type { ClientAuthentication, ClientRequest } from './client-authentication.ts';
import type { ClientDirectory } from './client-directory.ts';
import { isDocumentUrl } from './client-document.ts';

/**
 * Authenticates clients that push requests. Pushing stores nothing, so even a public client that is not in the log may
 * push: its document is fetched as at the authorization endpoint, within the same limits. A client with keys needs a
 * user's consent first, because its assertions are recorded.
 */
export function createPushAuthentication(
  authentication: ClientAuthentication,
  directory: Pick<ClientDirectory, 'resolve'>,
  limits: Pick<RateLimits, 'spend'>,
): ClientAuthentication {
  /** Returns the public client whose document is at the id in the request, or undefined. */
  async function describedClient({ authorization, parameters, address, once }: ClientRequest) {
    const clientId = parameters.get('client_id');
    const hasCredentials = authorization !== undefined || parameters.has('client_secret') || hasAssertion(parameters);
    if (clientId === undefined || !isDocumentUrl(clientId) || hasCredentials) return undefined;
    const client = await resolve(clientId, () => limits.spend('client-documents-by-address', address, once));
    return client?.clientType === 'public' ? client : undefined;
  }

  /**
   * Returns the client, or undefined if there is none.
   * @throws OAuthError if its document is not accepted, or cannot be used
   */
  async function resolve(clientId: string, admit: () => void): Promise<Client | undefined> {
    try {
      return await directory.resolve(clientId, admit);
    } catch (error) {
      if (!(error instanceof UnusableAuthorizationRequest)) throw error;
      throw new OAuthError('invalid_client', error.message, error.refusal);
    }
  }

  return {
    async authenticate(request) {
      const client = await describedClient(request);
      return client === undefined
        ? authentication.authenticate(request)
        : { client, method: 'none', previousSecretUsed: false };
    },
  };
}
