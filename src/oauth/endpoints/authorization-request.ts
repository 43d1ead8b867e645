import type { IssueCode } from '../../domain/authorization-grant.ts';
import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ParameterName } from '../../config/input-limits.ts';
import type { Client } from '../../projections/clients.ts';
import type { ClientLookup } from '../clients/client-authentication.ts';
import { challengeViolation, redirectUriViolation, type CodeRuleSettings } from '../grant-types/code-rules.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { closestUri } from '../refusals/uri-difference.ts';
import { OAuthError, type OAuthErrorCode } from './errors.ts';
import type { Parameters } from './parameters.ts';
import { redirectUriMatches } from '../clients/redirect-uris.ts';
import { requestedResources } from './requested-resources.ts';
import { requestedScope, type ScopeSettings } from './requested-scope.ts';

/** A request that may be shown to the resource owner (RFC 6749 §4.1.1). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** Whether the request named it; then the token request must name it, too. */
  readonly redirectUriRequired: boolean;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly state: string | undefined;
  readonly codeChallenge: IssueCode['codeChallenge'];
  /** OpenID Connect Core §3.1.2.1. */
  readonly prompt: ReadonlySet<string>;
  /** The oldest log-in that will do, in seconds; null: any. */
  readonly maxAgeSeconds: number | null;
  /** Whether consent given before may do. */
  readonly approvalPrompt: 'auto' | 'force';
}

export interface AuthorizationSettings extends ScopeSettings, CodeRuleSettings {
  readonly approvalPrompt: 'auto' | 'force';
}

/** Where an answer to the client goes. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** No address that an answer may be sent to: the person in front of the browser is told (RFC 6749 §4.1.2.1). */
export class UnusableAuthorizationRequest extends Error {
  override readonly name = 'UnusableAuthorizationRequest';
  readonly refusal: Refusal;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.refusal = refusal;
  }
}

/** An error that the client is told by redirect. */
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

/**
 * RFC 7636 §4.2. S256 always yields 43 characters. Anything else, padded base64 included, matches no verifier, so its
 * client is told now and not with the code. A `plain` challenge is the verifier itself, and only as good as it is long.
 */
const CODE_CHALLENGES = {
  S256: { pattern: /^[\w-]{43}$/, form: '43 letters, digits, or - _: the base64url SHA-256 of the verifier, unpadded' },
  plain: { pattern: /^[\w.~-]{43,128}$/, form: '43 to 128 letters, digits, or - . _ ~' },
} as const;

/**
 * What the parameters ask for.
 * @param tooLong the refusal of a parameter that exceeds its limit and is missing from `parameters`
 * @throws UnusableAuthorizationRequest unknown client, or a redirect URI that is not one of its own or not allowed now
 * @throws AuthorizationRefused everything else that is wrong
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
  const returnTo = { redirectUri, state: parameters.get('state') };
  try {
    if (tooLong !== undefined) throw tooLong;
    return {
      client,
      redirectUri,
      redirectUriRequired: parameters.has('redirect_uri'),
      ...readRemainingParameters(parameters, client, settings),
      resource: requestedResources(parameters, knownResources),
      state: returnTo.state,
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
  throw new UnusableAuthorizationRequest('No application is registered under this client_id.', refusal);
}

function readRedirectUri(presented: string | undefined, client: Client): string {
  const [only, ...more] = client.redirectUris;
  if (presented === undefined) {
    if (only !== undefined && more.length === 0) return only;
    throw new UnusableAuthorizationRequest(
      'The request names no redirect_uri, and the application has not registered exactly one.',
      {
        rule: 'redirect-uri-missing',
        registered: client.redirectUris.length,
      },
    );
  }
  if (!client.redirectUris.some((registered) => redirectUriMatches(registered, presented))) {
    throw new UnusableAuthorizationRequest(
      'The redirect_uri of the request is not one that the application registered.',
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
  const broken = redirectUriViolation(redirectUri, client, settings);
  if (broken !== undefined) throw new UnusableAuthorizationRequest(broken.message, broken.refusal);
}

function readRemainingParameters(parameters: Parameters, client: Client, settings: AuthorizationSettings) {
  requireCodeFlow(parameters, client);
  return {
    scope: requestedScope(parameters.get('scope'), 'authorization-code', settings, client),
    codeChallenge: readCodeChallenge(parameters, client, settings),
    prompt: readPrompt(parameters.get('prompt')),
    maxAgeSeconds: readMaxAge(parameters.get('max_age')),
    approvalPrompt: readApprovalPrompt(parameters.get('approval_prompt') ?? settings.approvalPrompt),
  };
}

function requireCodeFlow(parameters: Parameters, client: Client): void {
  const responseType = parameters.get('response_type');
  if (responseType === undefined)
    throw new OAuthError('invalid_request', 'response_type is missing', {
      rule: 'parameter-missing',
      parameter: 'response_type',
    });
  if (responseType !== 'code')
    throw new OAuthError(
      'unsupported_response_type',
      'response_type must be code',
      unknownValue('response_type', responseType, ['code']),
    );
  if (!client.grantTypes.includes('authorization-code')) {
    throw new OAuthError('unauthorized_client', 'this client is not registered for the authorization code grant', {
      rule: 'client-not-registered-for',
      grantType: 'authorization_code',
      registered: client.grantTypes,
    });
  }
  const responseMode = parameters.get('response_mode') ?? 'query';
  if (responseMode !== 'query')
    throw new OAuthError(
      'invalid_request',
      'response_mode must be query',
      unknownValue('response_mode', responseMode, ['query']),
    );
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
      const refusal: Refusal = { rule: 'code-challenge-missing', clientType: client.clientType, isMethodSent: true };
      throw new OAuthError('invalid_request', 'code_challenge_method was sent without code_challenge', refusal);
    }
    const broken = challengeViolation(null, client, settings);
    if (broken !== undefined) throw new OAuthError('invalid_request', broken.message, broken.refusal);
    return null;
  }
  const known = settings.pkceMethods.find((allowed) => allowed === method);
  if (known === undefined)
    throw new OAuthError(
      'invalid_request',
      `code_challenge_method must be ${settings.pkceMethods.join(' or ')}`,
      unknownValue('code_challenge_method', method, settings.pkceMethods),
    );
  const { pattern, form } = CODE_CHALLENGES[known];
  if (!pattern.test(challenge)) {
    const refusal = malformed(parameters, 'code_challenge', form);
    throw new OAuthError('invalid_request', `code_challenge must be ${form}`, refusal);
  }
  return { challenge, method: known };
}

const PROMPTS = ['none', 'login', 'consent', 'select_account'];

function readPrompt(value: string | undefined): ReadonlySet<string> {
  const prompt = new Set((value ?? '').split(' ').filter((word) => word !== ''));
  const refusal = unknownValue('prompt', value ?? '', PROMPTS);
  if ([...prompt].some((word) => !PROMPTS.includes(word)))
    throw new OAuthError('invalid_request', `prompt knows ${PROMPTS.join(', ')}`, refusal);
  if (prompt.has('none') && prompt.size > 1)
    throw new OAuthError('invalid_request', 'prompt=none stands alone', {
      ...refusal,
      allowed: ['none, and nothing beside it'],
    });
  return prompt;
}

function readMaxAge(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (!/^\d{1,10}$/.test(value)) {
    throw new OAuthError('invalid_request', 'max_age must be a whole number of seconds', {
      rule: 'parameter-malformed',
      parameter: 'max_age',
      form: 'a whole number of seconds',
      length: value.length,
    });
  }
  return Number(value);
}

/** Clients of django-oauth-toolkit send values such as `true`; there, too, all but `auto` ask the user. */
function readApprovalPrompt(value: string): 'auto' | 'force' {
  return value === 'auto' ? 'auto' : 'force';
}

function unknownValue(parameter: string, value: string, allowed: readonly string[]) {
  return { rule: 'parameter-value', parameter, allowed, seen: knownKeywords(value), length: value.length } as const;
}

function malformed(parameters: Parameters, parameter: ParameterName, form: string): Refusal {
  return { rule: 'parameter-malformed', parameter, form, length: parameters.get(parameter)?.length ?? 0 };
}
