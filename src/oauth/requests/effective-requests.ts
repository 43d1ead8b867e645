import { PARAMETERS, type ParameterName } from '../../config/input-limits.ts';
import { effectiveSecurity, type ClientSecurityInput, type ServerSecurity } from '../../domain/security-profile.ts';
import type { CredentialHash, EpochSeconds } from '../../domain/values.ts';
import { EgressError } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { Client } from '../../projections/clients.ts';
import type { ClientDirectory } from '../clients/client-directory.ts';
import type { ResolvedClient } from '../clients/resolved-client.ts';
import type { FindClientKeys } from '../clients/client-key-finder.ts';
import { UnusableRequestError } from '../endpoints/authorization-request.ts';
import { OAuthError, oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import { isInTime, isOwnRequestUri, MAX_REQUEST_URI_LENGTH, REQUEST_URI_SECONDS } from './request-uris.ts';
import type { RequestUris, SealedRequest } from './request-uris.ts';
import { openRequestObject } from './request-object.ts';
import { withResponseParameters } from './request-parameters.ts';
import { message } from '../../language/message.ts';

/** An authorization request with its effective parameters, from the URL, a request object or a pushed request. */
export interface EffectiveRequest {
  /** The client that sent the request; undefined if its id is missing or unknown. */
  readonly client: ResolvedClient | undefined;
  readonly parameters: Parameters;
  /** The parameters of a URL at which the browser can continue this request. */
  readonly continuationParameters: Parameters;
  /** The error to report to the client if its redirect URI can be used; undefined if the request has no error. */
  readonly problem: OAuthError | undefined;
  /** The pushed or signed request; undefined if the browser sent plain parameters. */
  readonly sealedRequest: SealedRequest | undefined;
}

/** Functions that are called before the server fetches something for a request. They may throw. */
export interface BeforeFetch {
  readonly document: () => void;
  readonly requestObject: () => void;
}

/** Reads requests that were pushed (RFC 9126) or are in request objects (RFC 9101, OpenID Connect Core §6). */
export interface EffectiveRequests {
  /**
   * Returns the request that a browser sends.
   * @param isContinued whether the browser has already sent this `request_uri` in time
   * @throws UnusableRequestError if the `request_uri` is from this server but cannot be used, or if the
   * client's metadata document cannot be used
   */
  fromBrowser(
    parameters: Parameters,
    isContinued: boolean,
    now: EpochSeconds,
    beforeFetch: BeforeFetch,
  ): Promise<EffectiveRequest>;
  /**
   * Returns the request that an authenticated client pushes.
   * @throws OAuthError if the request object is invalid, or is missing although it is required
   */
  fromClient(parameters: Parameters, client: Client, now: EpochSeconds): Promise<UnsealedRequest>;
}

/** A request that has not been sealed yet. */
interface UnsealedRequest {
  readonly parameters: Parameters;
  readonly requestObjectHash: CredentialHash | undefined;
}

export function createEffectiveRequests(deps: {
  readonly directory: Pick<ClientDirectory, 'resolve'>;
  readonly findClientKeys: FindClientKeys;
  readonly requestUris: RequestUris;
  readonly egress: Pick<Egress, 'getText'>;
  readonly issuer: () => string;
  readonly settings: ServerSecurity;
}): EffectiveRequests {
  const { directory, findClientKeys, requestUris, egress, issuer, settings } = deps;

  /**
   * Returns the request object that the parameters contain or refer to, or undefined if they do neither.
   * @throws OAuthError if the reference is not allowed, or the object cannot be fetched
   */
  async function resolveRequestObject(
    parameters: Parameters,
    { security }: Client,
    beforeFetch: () => void,
  ): Promise<string | undefined> {
    const [byValue, reference] = [parameters.get('request'), parameters.get('request_uri')];
    if (reference === undefined) return byValue;
    if (byValue !== undefined) throw oauthError({ rule: 'request-objects-mixed' });
    const [url = ''] = reference.split('#', 1); // a fragment may contain a hash (OpenID Connect Core §6.2)
    const { requestUris: registeredUris } = security;
    if (registeredUris.length === 0) throw oauthError({ rule: 'parameter-not-supported', parameter: 'request_uri' });
    if (!registeredUris.some((uri) => uri.split('#', 1)[0] === url))
      throw oauthError({ rule: 'request-uri-not-registered', registered: registeredUris.length, length: url.length });
    beforeFetch();
    try {
      return (await egress.getText('request-object', url, PARAMETERS.request.max)).trim();
    } catch (error) {
      if (error instanceof EgressError) throw oauthError({ rule: 'request-uri-unreadable', problem: error.problem });
      throw error;
    }
  }

  /**
   * Returns the parameters in the request object `jws`, or `parameters` if there is no request object.
   * @throws OAuthError if the request object is invalid, or is missing although it is required
   */
  async function open(
    jws: string | undefined,
    parameters: Parameters,
    client: Client,
    now: EpochSeconds,
  ): Promise<UnsealedRequest> {
    if (jws === undefined) {
      const problem = signatureProblem(client, false);
      if (problem !== undefined) throw problem;
      return { parameters, requestObjectHash: undefined };
    }
    const { keys, keysUri } = client.authentication;
    if (keys.length === 0 && keysUri === null)
      throw oauthError({ rule: 'parameter-not-supported', parameter: 'request' });
    const { algorithms, profile } = effectiveSecurity(client, settings);
    const rules = { findClientKeys, issuer: issuer(), algorithms, requiresValidityPeriod: profile !== null };
    const requestObject = await openRequestObject(jws, client, rules, now);
    requireSameResponseType(parameters, requestObject.parameters);
    return {
      parameters: new Map([...requestObject.parameters, ['client_id', client.clientId]]),
      requestObjectHash: requestObject.hash,
    };
  }

  function openOwnRequestUri(
    requestUri: string,
    client: Client,
    isContinued: boolean,
    now: EpochSeconds,
  ): SealedRequest {
    const sealedRequest = requestUris.open(requestUri);
    if (sealedRequest === undefined)
      throw unusableRequest(client, { rule: 'request-uri-unknown', length: requestUri.length });
    if (sealedRequest.clientId !== client.clientId)
      throw unusableRequest(client, { rule: 'request-uri-of-another-client' });
    if (isInTime(sealedRequest, now, isContinued)) return sealedRequest;
    const secondsAgo = Math.max(0, now - sealedRequest.expiresAt);
    throw unusableRequest(client, { rule: 'request-uri-expired', secondsAgo, lifetimeSeconds: REQUEST_URI_SECONDS });
  }

  function signatureProblem(client: Client, isSigned: boolean): OAuthError | undefined {
    const { signedRequest } = effectiveSecurity(client, settings);
    return signedRequest === null || isSigned ? undefined : oauthError({ rule: 'request-object-missing' });
  }

  /** Reads an unsealed request. Seals a verified request object, so that it is fetched and verified only once. */
  async function readUnsealed(
    parameters: Parameters,
    client: ResolvedClient,
    now: EpochSeconds,
    beforeFetch: () => void,
  ): Promise<EffectiveRequest> {
    let jws: string | undefined;
    try {
      const problem = pushProblem(client, false, settings);
      if (problem !== undefined) throw problem;
      jws = await resolveRequestObject(parameters, client, beforeFetch);
      // The `jwks_uri` may come from a metadata document that no user has accepted, and anybody can publish one.
      const isKeySetUntrusted = client.recordingCommand !== undefined && client.authentication.keysUri !== null;
      if (jws !== undefined && isKeySetUntrusted) beforeFetch();
      const unsealedRequest = await open(jws, parameters, client, now);
      if (unsealedRequest.requestObjectHash === undefined) return plainRequest(parameters, client);
      const { clientId } = client;
      const sealResult = requestUris.seal({ ...unsealedRequest, clientId, isPushed: false }, now);
      if (sealResult === undefined) throw oauthError({ rule: 'request-too-long', most: MAX_REQUEST_URI_LENGTH });
      const { requestUri, sealedRequest } = sealResult;
      const continuationParameters = requestUriParameters(clientId, requestUri);
      return {
        client,
        parameters: sealedRequest.parameters,
        continuationParameters,
        problem: undefined,
        sealedRequest,
      };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const requestObject = jws ?? parameters.get('request');
      const completedParameters =
        requestObject === undefined ? parameters : withResponseParameters(parameters, requestObject);
      return { ...plainRequest(completedParameters, client), problem: error };
    }
  }

  return {
    async fromBrowser(parameters, isContinued, now, beforeFetch) {
      const client = await directory.resolve(parameters.get('client_id') ?? '', beforeFetch.document);
      if (client === undefined) return plainRequest(parameters, client); // the error page shows the client id
      const requestUri = parameters.get('request_uri');
      if (requestUri === undefined || !isOwnRequestUri(requestUri))
        return readUnsealed(parameters, client, now, beforeFetch.requestObject);
      const sealedRequest = openOwnRequestUri(requestUri, client, isContinued, now);
      return {
        client,
        parameters: sealedRequest.parameters,
        continuationParameters: requestUriParameters(client.clientId, requestUri),
        // The settings may have changed since the request was sealed.
        problem:
          pushProblem(client, sealedRequest.isPushed, settings) ??
          signatureProblem(client, sealedRequest.requestObjectHash !== undefined),
        sealedRequest,
      };
    },

    async fromClient(parameters, client, now) {
      if (parameters.has('request_uri')) throw oauthError({ rule: 'request-uri-pushed' });
      return open(parameters.get('request'), parameters, client, now);
    },
  };
}

/**
 * Returns the error for a request that must be pushed but was not (RFC 9126 §6), or undefined for any other request.
 */
export function pushProblem(
  client: ClientSecurityInput,
  isPushed: boolean,
  settings: ServerSecurity,
): OAuthError | undefined {
  const { pushedRequest } = effectiveSecurity(client, settings);
  return pushedRequest === null || isPushed ? undefined : oauthError({ rule: 'push-required', by: pushedRequest });
}

function plainRequest(parameters: Parameters, client: ResolvedClient | undefined): EffectiveRequest {
  return { client, parameters, continuationParameters: parameters, problem: undefined, sealedRequest: undefined };
}

function requestUriParameters(clientId: string, requestUri: string): Parameters {
  return new Map<ParameterName, string>([
    ['client_id', clientId],
    ['request_uri', requestUri],
  ]);
}

/**
 * Compares the `response_type` outside the request object with the one in it. Other parameters outside the object are
 * ignored (RFC 9101 §6.3). OpenID Connect Core §6.1 lets clients repeat the parameters that OAuth requires; if the
 * values differ, the request is not the one that the client signed.
 * @throws OAuthError if the parameters contradict the object
 */
function requireSameResponseType(plainParameters: Parameters, objectParameters: Parameters): void {
  const [plainValue, signedValue] = [plainParameters.get('response_type'), objectParameters.get('response_type')];
  if (plainValue !== undefined && signedValue !== undefined && plainValue !== signedValue)
    throw oauthError({ rule: 'request-object-contradicted', parameter: 'response_type' });
}

function unusableRequest(
  { name }: Client,
  refusal: RefusalOf<'request-uri-unknown' | 'request-uri-of-another-client' | 'request-uri-expired'>,
): UnusableRequestError {
  return new UnusableRequestError(message(UNUSABLE_MESSAGES[refusal.rule]), refusal, { application: name });
}

const UNUSABLE_MESSAGES = {
  'request-uri-unknown': 'unusable.unknown-request',
  'request-uri-of-another-client': 'unusable.request-of-another',
  'request-uri-expired': 'unusable.expired-request',
} as const;
