import type { IssueCode } from '../../domain/authorization-grant.ts';
import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Client } from '../../projections/clients.ts';
import type { ClientLookup } from '../clients/client-authentication.ts';
import { challengeViolation, redirectUriViolation, type CodeRuleSettings } from '../grant-types/code-rules.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { closestUri } from '../refusals/uri-difference.ts';
import type { OAuthErrorCode } from '../refusals/messages.ts';
import { wireError, type ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { OAuthError, oauthError } from './errors.ts';
import type { Parameters } from './parameters.ts';
import {
  readAuthenticationRequest,
  refuseUnsupportedParameters,
  type AuthenticationRequest,
} from '../openid/authentication-request.ts';
import { responseParameters } from '../openid/request-object.ts';
import { redirectUriMatches } from '../clients/redirect-uris.ts';
import { requestedResources } from './requested-resources.ts';
import { requestedScope, type ScopeSettings } from './requested-scope.ts';

/** A valid request to show to the resource owner (RFC 6749 §4.1.1). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** Whether the request contained it. Then the token request must contain it, too. */
  readonly redirectUriRequired: boolean;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly state: string | undefined;
  readonly responseMode: ResponseMode;
  readonly codeChallenge: IssueCode['codeChallenge'];
  /** OpenID Connect Core §3.1.2.1. */
  readonly prompt: ReadonlySet<string>;
  /** The maximum age of the login, in seconds; null for no limit. */
  readonly maxAgeSeconds: number | null;
  /** `auto` if earlier consent is sufficient. */
  readonly approvalPrompt: 'auto' | 'force';
  /** Null unless the scope contains `openid`. */
  readonly openid: AuthenticationRequest | null;
}

export interface AuthorizationSettings extends ScopeSettings, CodeRuleSettings {
  readonly approvalPrompt: 'auto' | 'force';
}

/**
 * How the browser brings the response to the client: in the query of a redirect, or in a form that it posts (OAuth 2.0
 * Form Post Response Mode). No flow of this server needs `fragment`.
 */
export const RESPONSE_MODES = ['query', 'form_post'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** Where to send the response. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly responseMode: ResponseMode;
}

/** The redirect URI cannot be used, so the error is shown to the user (RFC 6749 §4.1.2.1). */
export class UnusableAuthorizationRequest extends Error {
  override readonly name = 'UnusableAuthorizationRequest';
  readonly refusal: Refusal;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.refusal = refusal;
  }
}

/** An error that is reported to the client by redirect. */
export class AuthorizationRefused extends Error {
  override readonly name = 'AuthorizationRefused';
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

/** The error with which `refusal` is reported to the client. */
export function authorizationRefused(refusal: ProtocolRefusal, returnTo: ReturnAddress): AuthorizationRefused {
  const { error, description } = wireError(refusal);
  return new AuthorizationRefused(error, description, refusal, returnTo);
}

/**
 * RFC 7636 §4.2. S256 always yields 43 characters. No verifier matches anything else, such as padded base64, so the
 * client learns of it now and not when it redeems the code. A `plain` challenge is the verifier itself, so its length
 * is its strength.
 */
const CODE_CHALLENGES = {
  S256: { pattern: /^[\w-]{43}$/, form: '43 letters, digits, or - _: the base64url SHA-256 of the verifier, unpadded' },
  plain: { pattern: /^[\w.~-]{43,128}$/, form: '43 to 128 letters, digits, or - . _ ~' },
} as const;

/**
 * Parses and validates the parameters.
 * @param tooLong the error of a parameter that exceeds its limit and is therefore missing from `parameters`
 * @throws UnusableAuthorizationRequest the client is unknown, or the redirect URI is not registered or not allowed now
 * @throws AuthorizationRefused any other problem
 */
export function readAuthorizationRequest(
  parameters: Parameters,
  clients: Pick<ClientLookup, 'find'>,
  settings: AuthorizationSettings,
  knownResources: readonly string[],
  tooLong?: OAuthError,
): AuthorizationRequest {
  const client = readClient(parameters.get('client_id'), clients);
  const redirectUri = readRedirectUri(parameters.get('redirect_uri'), client);
  requireAllowedRedirectUri(redirectUri, client, settings);
  const inObject = responseParameters(parameters.get('request'));
  const requestedMode = parameters.get('response_mode') ?? inObject.responseMode;
  const responseMode = RESPONSE_MODES.find((mode) => mode === requestedMode) ?? 'query';
  const returnTo = { redirectUri, state: parameters.get('state') ?? inObject.state, responseMode };
  try {
    if (tooLong !== undefined) throw tooLong;
    return {
      client,
      redirectUri,
      redirectUriRequired: parameters.has('redirect_uri'),
      ...readRemainingParameters(parameters, client, settings),
      resource: requestedResources(parameters, knownResources),
      state: returnTo.state,
      responseMode,
    };
  } catch (error) {
    if (error instanceof OAuthError) throw new AuthorizationRefused(error.code, error.message, error.refusal, returnTo);
    throw error;
  }
}

function readClient(clientId: string | undefined, clients: Pick<ClientLookup, 'find'>): Client {
  const client = clients.find(clientId ?? '');
  if (client !== undefined) return client;
  const refusal: Refusal =
    clientId === undefined
      ? { rule: 'parameter-missing', parameter: 'client_id' }
      : { rule: 'client-unknown', form: credentialForm(clientId), length: clientId.length, isSwapped: false };
  throw new UnusableAuthorizationRequest(
    clientId === undefined ? 'The request has no client_id.' : 'No application is registered under this client_id.',
    refusal,
  );
}

function readRedirectUri(presented: string | undefined, client: Client): string {
  const [only, ...more] = client.redirectUris;
  if (presented === undefined) {
    if (only !== undefined && more.length === 0) return only;
    throw new UnusableAuthorizationRequest(
      'The request has no redirect_uri, which is required unless the application has registered exactly one.',
      { rule: 'redirect-uri-missing', registered: client.redirectUris.length },
    );
  }
  if (!client.redirectUris.some((registered) => redirectUriMatches(registered, presented))) {
    throw new UnusableAuthorizationRequest(
      'The redirect_uri of the request does not match any that the application has registered.',
      {
        rule: 'redirect-uri-not-registered',
        ...closestUri(client.redirectUris, presented),
        registered: client.redirectUris.length,
      },
    );
  }
  return presented;
}

function requireAllowedRedirectUri(redirectUri: string, client: Client, settings: AuthorizationSettings): void {
  const violation = redirectUriViolation(redirectUri, client, settings);
  if (violation !== undefined) throw new UnusableAuthorizationRequest(violation.message, violation.refusal);
}

function readRemainingParameters(parameters: Parameters, client: Client, settings: AuthorizationSettings) {
  refuseUnsupportedParameters(parameters);
  requireCodeFlow(parameters, client);
  const scope = requestedScope(parameters.get('scope'), 'authorization-code', settings, client);
  const openid = scope.includes('openid') ? readAuthenticationRequest(parameters) : null;
  return {
    scope,
    openid,
    codeChallenge: readCodeChallenge(parameters, client, settings),
    prompt: readPrompt(parameters.get('prompt')),
    maxAgeSeconds: readMaxAge(parameters.get('max_age')) ?? (openid && client.openid.defaultMaxAgeSeconds),
    approvalPrompt: readApprovalPrompt(parameters.get('approval_prompt') ?? settings.approvalPrompt),
  };
}

function requireCodeFlow(parameters: Parameters, client: Client): void {
  const responseType = parameters.get('response_type');
  if (responseType === undefined) throw oauthError({ rule: 'parameter-missing', parameter: 'response_type' });
  if (responseType !== 'code') throw oauthError(unknownValue('response_type', responseType, ['code']));
  if (!client.grantTypes.includes('authorization-code')) {
    throw oauthError({
      rule: 'client-not-registered-for',
      grantType: 'authorization_code',
      registered: client.grantTypes,
    });
  }
  const mode = parameters.get('response_mode') ?? 'query';
  const isKnown = RESPONSE_MODES.some((known) => known === mode);
  if (!isKnown) throw oauthError(unknownValue('response_mode', mode, RESPONSE_MODES));
}

function readCodeChallenge(
  parameters: Parameters,
  client: Client,
  settings: AuthorizationSettings,
): IssueCode['codeChallenge'] {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method') ?? 'plain'; // RFC 7636 §4.3
  if (challenge === undefined) {
    if (parameters.has('code_challenge_method')) {
      throw oauthError({ rule: 'code-challenge-missing', clientType: client.clientType, isMethodSent: true });
    }
    const violation = challengeViolation(null, client, settings);
    if (violation !== undefined) throw oauthError(violation);
    return null;
  }
  const known = settings.pkceMethods.find((allowed) => allowed === method);
  if (known === undefined) throw oauthError(unknownValue('code_challenge_method', method, settings.pkceMethods));
  const { pattern, form } = CODE_CHALLENGES[known];
  if (!pattern.test(challenge)) {
    throw oauthError({ rule: 'parameter-malformed', parameter: 'code_challenge', form, length: challenge.length });
  }
  return { challenge, method: known };
}

/** OpenID Connect Core §3.1.2.1. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'];

function readPrompt(value: string | undefined): ReadonlySet<string> {
  const prompt = new Set((value ?? '').split(' ').filter((word) => word !== ''));
  const refusal = unknownValue('prompt', value ?? '', PROMPTS);
  if ([...prompt].some((word) => !PROMPTS.includes(word))) throw oauthError(refusal);
  if (prompt.has('none') && prompt.size > 1)
    throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values', {
      ...refusal,
      allowed: ['none by itself'],
    });
  return prompt;
}

function readMaxAge(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,10}$/.test(value)) {
    throw oauthError({
      rule: 'parameter-malformed',
      parameter: 'max_age',
      form: 'a whole number of seconds',
      length: value.length,
    });
  }
  return Number(value);
}

/** Clients of django-oauth-toolkit send values such as `true`. There, too, everything but `auto` shows the form. */
function readApprovalPrompt(value: string): 'auto' | 'force' {
  return value === 'auto' ? 'auto' : 'force';
}

function unknownValue(parameter: string, value: string, allowed: readonly string[]) {
  return { rule: 'parameter-value', parameter, allowed, seen: knownKeywords(value), length: value.length } as const;
}
