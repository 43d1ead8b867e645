import type { KnownResources } from '../resources/known-resources.ts';
import type { ParameterName } from '../../config/input-limits.ts';
import type { Confirmation } from '../../domain/confirmation.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { Once } from '../../event-store/once.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Client } from '../../projections/clients.ts';
import {
  AuthorizationError,
  readAuthorizationRequest,
  UnusableRequestError,
  type AuthorizationSettings,
} from '../endpoints/authorization-request.ts';
import type { ManagedGrants } from '../endpoints/requested-management.ts';
import { requestedKey } from '../dpop/requested-key.ts';
import { OAuthError, oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import type { EffectiveRequests } from './effective-requests.ts';
import { authorizationParameters } from './request-parameters.ts';
import { MAX_REQUEST_URI_LENGTH, REQUEST_URI_SECONDS, type RequestUris } from './request-uris.ts';

/** A request to push an authorization request (RFC 9126 §2.1). */
export interface PushedRequest {
  readonly parameters: Parameters;
  /** The authenticated client. */
  readonly client: Client;
  /** The key of the DPoP proof, to which the code will be bound (RFC 9449 §10.1); undefined if there is no proof. */
  readonly confirmation: Confirmation | undefined;
  readonly address: string;
  readonly now: EpochSeconds;
  readonly once: Once;
}

/** A successful response to a pushed authorization request (RFC 9126 §2.2). */
export interface PushedRequestResponse {
  readonly request_uri: string;
  readonly expires_in: number;
}

/**
 * Handles a pushed authorization request (RFC 9126). Stores nothing, because the `request_uri` contains the request.
 * @throws OAuthError if the authorization endpoint would also refuse the request, or if it cannot be pushed
 * @throws TooManyAttemptsError if the client pushes too many requests
 */
export type PushRequest = (request: PushedRequest) => Promise<PushedRequestResponse>;

export function createPushedRequestHandler(deps: {
  readonly effectiveRequests: Pick<EffectiveRequests, 'fromClient'>;
  readonly requestUris: Pick<RequestUris, 'seal'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly resources: KnownResources;
  readonly grants: ManagedGrants;
  readonly settings: AuthorizationSettings;
}): PushRequest {
  const { effectiveRequests, requestUris, limits, resources, grants, settings } = deps;

  function requireValid(parameters: Parameters, client: Client): void {
    try {
      readAuthorizationRequest(parameters, client, settings, resources, grants);
    } catch (error) {
      if (error instanceof AuthorizationError) throw new OAuthError(error.code, error.message, error.refusal);
      if (error instanceof UnusableRequestError) throw new OAuthError('invalid_request', error.message, error.refusal);
      throw error;
    }
  }

  return async ({ parameters, client, confirmation, address, now, once }) => {
    const { clientId, clientType } = client;
    // Anybody can send the id of a public client, but must not be able to lock out its other users.
    limits.spend('pushed-requests-by-client', clientType === 'public' ? `${clientId} ${address}` : clientId, once);
    const { requestObjectHash, ...request } = await effectiveRequests.fromClient(parameters, client, now);
    // Leaves out the client's credentials. Adds the client id, which the request may contain only in an assertion.
    const pushedParameters = new Map<ParameterName, string>([
      ...authorizationParameters(request.parameters),
      ['client_id', clientId] as const,
    ]);
    const key = requestedKey(pushedParameters, confirmation);
    if (key !== undefined) pushedParameters.set('dpop_jkt', key);
    requireValid(pushedParameters, client);
    const sealResult = requestUris.seal(
      { clientId, parameters: pushedParameters, isPushed: true, requestObjectHash },
      now,
    );
    if (sealResult === undefined) throw oauthError({ rule: 'request-too-long', most: MAX_REQUEST_URI_LENGTH });
    return { request_uri: sealResult.requestUri, expires_in: REQUEST_URI_SECONDS };
  };
}
