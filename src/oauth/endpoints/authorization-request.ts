import type { IssueCode } from '../../domain/authorization-grant.ts';
import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Client } from '../../projections/clients.ts';
import type { ResolvedClient } from '../clients/resolved-client.ts';
import { responseUriViolation, type CodeRuleSettings } from '../grant-types/code-rules.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { unknownValueRefusal } from '../refusals/unknown-value.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { closestUri } from '../refusals/uri-difference.ts';
import type { OAuthErrorCode } from '../refusals/messages.ts';
import { wireError, type ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { readCodeChallenge } from './code-challenge.ts';
import { requestedKey } from '../dpop/requested-key.ts';
import { OAuthError, oauthError } from './errors.ts';
import type { Parameters } from './parameters.ts';
import {
  readAuthenticationRequest,
  refuseUnsupportedParameters,
  splitWords,
  type AuthenticationRequest,
} from '../openid/authentication-request.ts';
import type { SealedRequest } from '../requests/request-uris.ts';
import { redirectUriMatches } from '../clients/redirect-uris.ts';
import {
  managedAccess,
  requestedManagement,
  withGrantedClaims,
  type ManagedGrants,
  type RequestedManagement,
} from './requested-management.ts';
import { parseResponseMode, RESPONSE_MODES, type ResponseMode } from './response-modes.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { requestedAccess, type RequestedAccess } from '../resources/requested-access.ts';
import type { ScopeSettings } from './requested-scope.ts';
import { message, type Message } from '../../language/message.ts';

/** A valid authorization request (RFC 6749 §4.1.1). */
export interface AuthorizationRequest {
  readonly client: ResolvedClient;
  readonly redirectUri: string;
  /** Whether the request contained `redirect_uri`. If so, the token request must contain it as well. */
  readonly redirectUriRequired: boolean;
  readonly scope: Scope;
  readonly resource: Resources;
  /** The authorization details (RFC 9396 §2), if any. */
  readonly details: readonly AuthorizationDetail[];
  readonly state: string | undefined;
  readonly responseMode: ResponseMode;
  readonly codeChallenge: IssueCode['codeChallenge'];
  /** The thumbprint of the key that the code is bound to (RFC 9449 §10); undefined if it is not bound. */
  readonly dpopJkt: string | undefined;
  /** The values of `prompt` (OpenID Connect Core §3.1.2.1). */
  readonly prompt: ReadonlySet<string>;
  /** The maximum age of the login, in seconds; null if there is no limit. */
  readonly maxAgeSeconds: number | null;
  /** The values of `acr_values`, in order of preference: see `requiredClasses`. */
  readonly acrValues: readonly string[];
  /** `auto` if earlier consent is sufficient. */
  readonly approvalPrompt: 'auto' | 'force';
  /** Null unless the scope contains `openid`. */
  readonly openid: AuthenticationRequest | null;
  /** Undefined if the request does not ask for grant management. */
  readonly management?: RequestedManagement | undefined;
  /** The scope in the request, without the scope of a grant to merge with. */
  readonly requestedScope: Scope;
  /** The details in the request, without the details of a grant to merge with. */
  readonly requestedDetails: readonly AuthorizationDetail[];
  /** Undefined if the browser sent plain parameters. */
  readonly sealedRequest?: Pick<SealedRequest, 'id' | 'isPushed' | 'requestObjectHash'> | undefined;
}

export interface AuthorizationSettings extends ScopeSettings, CodeRuleSettings {
  readonly approvalPrompt: 'auto' | 'force';
}

/** Where the response is sent, and how. */
export interface ReturnAddress {
  /** The client that sent the request, which is the audience of signed responses. */
  readonly client: Pick<Client, 'clientId' | 'security'>;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly responseMode: ResponseMode;
}

/** Thrown if the client or redirect URI cannot be used. The error is shown to the user (RFC 6749 §4.1.2.1). */
export class UnusableRequestError extends Error {
  override readonly name = 'UnusableRequestError';
  readonly text: Message;
  readonly refusal: Refusal;
  readonly requestDetails: UnusableRequestDetails;

  constructor(text: Message, refusal: Refusal, requestDetails: UnusableRequestDetails = {}) {
    super(text.key);
    this.text = text;
    this.refusal = refusal;
    this.requestDetails = requestDetails;
  }
}

/** The details of an unusable request that the error page shows. */
export interface UnusableRequestDetails {
  /** The application's name, if the application is known. */
  readonly application?: string | undefined;
  /** The `client_id` in the request, if the application is not known. */
  readonly clientId?: string | undefined;
  readonly redirectUri?: string | undefined;
}

/** An error that is reported to the client at its redirect URI. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  readonly code: OAuthErrorCode;
  readonly refusal: Refusal;
  readonly returnTo: ReturnAddress;

  constructor(
    code: OAuthErrorCode,
    description: string,
    refusal: Refusal,
    returnTo: ReturnAddress,
    options?: ErrorOptions,
  ) {
    super(description, options);
    this.code = code;
    this.refusal = refusal;
    this.returnTo = returnTo;
  }
}

/** Returns the error that reports `refusal` to the client. */
export function authorizationError(refusal: ProtocolRefusal, returnTo: ReturnAddress): AuthorizationError {
  const { error, description } = wireError(refusal);
  return new AuthorizationError(error, description, refusal, returnTo);
}

/**
 * Validates the parameters of an authorization request.
 * @param resolvedClient the client whose id is in the parameters; undefined if there is no such client
 * @param problem an error that was found earlier, to be reported to the client if its redirect URI can be used
 * @throws UnusableRequestError if the client is unknown, or the redirect URI cannot be used
 * @throws AuthorizationError for any other problem
 */
export function readAuthorizationRequest(
  parameters: Parameters,
  resolvedClient: ResolvedClient | undefined,
  settings: AuthorizationSettings,
  resources: KnownResources,
  grants: ManagedGrants,
  problem?: OAuthError,
): AuthorizationRequest {
  const client = resolvedClient ?? refuseClient(parameters);
  const redirectUri = readRedirectUri(parameters.get('redirect_uri'), client);
  requireAllowedRedirectUri(parameters, redirectUri, client, settings);
  const responseMode = parseResponseMode(parameters.get('response_mode')) ?? 'query';
  const returnTo = { client, redirectUri, state: parameters.get('state'), responseMode };
  try {
    if (problem !== undefined) throw problem;
    return {
      client,
      redirectUri,
      redirectUriRequired: parameters.has('redirect_uri'),
      ...readRemainingParameters(parameters, client, settings, resources, grants),
      state: returnTo.state,
      responseMode,
    };
  } catch (error) {
    if (error instanceof OAuthError) throw new AuthorizationError(error.code, error.message, error.refusal, returnTo);
    throw error;
  }
}

function refuseClient(parameters: Parameters): never {
  const clientId = parameters.get('client_id');
  const refusal: Refusal =
    clientId === undefined
      ? { rule: 'parameter-missing', parameter: 'client_id' }
      : { rule: 'client-unknown', form: credentialForm(clientId), length: clientId.length, isSwapped: false };
  const text = message(clientId === undefined ? 'unusable.no-client-id' : 'unusable.unknown-client');
  throw new UnusableRequestError(text, refusal, { clientId, redirectUri: parameters.get('redirect_uri') });
}

function readRedirectUri(presentedUri: string | undefined, client: Client): string {
  const [registeredUri, ...otherUris] = client.redirectUris;
  if (presentedUri === undefined) {
    if (registeredUri !== undefined && otherUris.length === 0) return registeredUri;
    throw new UnusableRequestError(
      message('unusable.no-redirect-uri'),
      { rule: 'redirect-uri-missing', registered: client.redirectUris.length },
      { application: client.name },
    );
  }
  if (!client.redirectUris.some((uri) => redirectUriMatches(uri, presentedUri, client))) {
    throw new UnusableRequestError(
      message('unusable.other-redirect-uri'),
      {
        rule: 'redirect-uri-not-registered',
        ...closestUri(client.redirectUris, presentedUri),
        registered: client.redirectUris.length,
      },
      { application: client.name, redirectUri: presentedUri },
    );
  }
  return presentedUri;
}

function requireAllowedRedirectUri(
  parameters: Parameters,
  redirectUri: string,
  client: Client,
  settings: AuthorizationSettings,
): void {
  const violation = responseUriViolation(redirectUri, client, settings, parameters.has('redirect_uri'));
  const requestDetails = { application: client.name, redirectUri };
  if (violation !== undefined) throw new UnusableRequestError(violation.message, violation.refusal, requestDetails);
}

function readRemainingParameters(
  parameters: Parameters,
  client: Client,
  settings: AuthorizationSettings,
  resources: KnownResources,
  grants: ManagedGrants,
) {
  refuseUnsupportedParameters(parameters);
  requireCodeFlow(parameters, client);
  const readAccess = (requestParameters: Parameters): RequestedAccess =>
    requestedAccess(requestParameters, 'authorization-code', client, settings, resources);
  const accessInRequest = readAccess(parameters);
  const management = requestedManagement(parameters, client, grants);
  const { scope, resource, details } =
    management === undefined ? accessInRequest : managedAccess(accessInRequest, management, grants, readAccess);
  const openid = scope.includes('openid') ? readAuthenticationRequest(parameters) : null;
  return {
    scope,
    requestedScope: accessInRequest.scope,
    requestedDetails: accessInRequest.details,
    resource,
    details,
    openid: openid && withGrantedClaims(openid, management),
    management,
    codeChallenge: readCodeChallenge(parameters, client, settings),
    dpopJkt: requestedKey(parameters),
    prompt: readPrompt(parameters.get('prompt')),
    maxAgeSeconds: readMaxAge(parameters.get('max_age')) ?? (openid && client.openid.defaultMaxAgeSeconds),
    acrValues: splitWords(parameters.get('acr_values')),
    approvalPrompt: readApprovalPrompt(parameters.get('approval_prompt') ?? settings.approvalPrompt),
  };
}

function requireCodeFlow(parameters: Parameters, client: Client): void {
  const responseType = parameters.get('response_type');
  if (responseType === undefined) throw oauthError({ rule: 'parameter-missing', parameter: 'response_type' });
  if (responseType !== 'code') throw oauthError(unknownValueRefusal('response_type', responseType, ['code']));
  if (!client.grantTypes.includes('authorization-code')) {
    throw oauthError({
      rule: 'client-not-registered-for',
      grantType: 'authorization_code',
      registered: client.grantTypes,
    });
  }
  const mode = parameters.get('response_mode');
  if (mode !== undefined && parseResponseMode(mode) === undefined)
    throw oauthError(unknownValueRefusal('response_mode', mode, RESPONSE_MODES));
}

/** The values that `prompt` can contain (OpenID Connect Core §3.1.2.1). */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'];

function readPrompt(value: string | undefined): ReadonlySet<string> {
  const prompt = new Set(splitWords(value));
  const refusal = unknownValueRefusal('prompt', value ?? '', PROMPTS);
  if ([...prompt].some((word) => !PROMPTS.includes(word))) throw oauthError(refusal);
  if (prompt.has('none') && prompt.size > 1)
    throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values', {
      ...refusal,
      allowed: [message('refusal-form.prompt-none')],
    });
  return prompt;
}

function readMaxAge(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,10}$/.test(value)) {
    throw oauthError({
      rule: 'parameter-malformed',
      parameter: 'max_age',
      form: message('refusal-form.seconds'),
      length: value.length,
    });
  }
  return Number(value);
}

/** Returns `force` for every value except `auto`, as django-oauth-toolkit does: its clients send `true`. */
function readApprovalPrompt(value: string): 'auto' | 'force' {
  return value === 'auto' ? 'auto' : 'force';
}
