import type { RequestedDetail, AuthorizationDetail } from '../../domain/authorization-details.ts';
import {
  decideExchange,
  type ExchangeProblem,
  type SubjectToken,
  type AllowedExchange,
  type ExchangeRequest,
} from '../../domain/token-exchange.ts';
import { usedSecondFactor } from '../../domain/login.ts';
import { isOpenTo } from '../../domain/members.ts';
import type { Resources } from '../../domain/resource.ts';
import { narrowScope, type Scope } from '../../domain/scope.ts';
import { observedExchangePolicy, grantStream } from '../../domain/streams.ts';
import type { ExchangePolicySettings } from '../../domain/exchange-settings.ts';
import { EXCHANGE_MODES, type ClientId, type EpochSeconds, type GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { ExchangePolicies, ExchangePolicy } from '../../projections/exchange-policies.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { FormatAccessToken, FormattedToken } from '../credentials/access-token-format.ts';
import { mintId } from '../credentials/credentials.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { requestedDetails } from '../details/requested-details.ts';
import type { TokenDetails, DetailsToIssue } from '../details/token-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import { repeatedValues, type Parameters } from '../endpoints/parameters.ts';
import { registeredSpellings } from '../endpoints/requested-resources.ts';
import { parseScopeParameter } from '../endpoints/requested-scope.ts';
import type { ReadSubjects, PresentedSubjects } from '../exchange/presented-subjects.ts';
import { TOKEN_TYPES } from '../exchange/token-types.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { knownKeywords, sanitizeNames } from '../refusals/sanitize.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType, type TokenRequest } from './grant-type.ts';
import { accessTokenToIssue } from './tokens-to-issue.ts';

export const TOKEN_EXCHANGE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/**
 * The maximum number of valid tokens that result from exchanges of one grant's tokens, at any depth. Each takes memory
 * until it expires, and a single valid token can be exchanged any number of times.
 */
const MAX_EXCHANGES_PER_GRANT = 10_000;

/** The limits for a subject token from a trusted issuer, which the issuer's registration has already limited. */
const NO_FURTHER_LIMITS: ExchangePolicySettings = { modes: EXCHANGE_MODES, scope: null, resources: null };

/** A request to exchange tokens, without the tokens. */
interface RequestedExchange {
  /** The requested type of token, or undefined if none is requested. */
  readonly format: string | undefined;
  /** Empty lists request everything that the limits allow. */
  readonly requested: Pick<ExchangeRequest['requested'], 'scope' | 'resource'>;
  readonly details: readonly AuthorizationDetail[];
}

/** The tokens to exchange, and the id of the grant that the exchange creates. */
interface TokensToExchange extends PresentedSubjects {
  readonly grantId: GrantId;
}

/** An exchange that the client may make, and the basis for allowing it. */
interface AllowedRequest {
  readonly request: RequestedExchange;
  readonly tokens: TokensToExchange;
  readonly exchangeRequest: ExchangeRequest;
  /** Undefined for a subject token from a trusted issuer. */
  readonly policy: ExchangePolicy | undefined;
  readonly decision: AllowedExchange;
}

/** A token that has not been recorded yet. */
interface PreparedToken {
  readonly terms: TokenTerms;
  readonly access: FormattedToken;
  readonly details: DetailsToIssue | undefined;
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds;
}

/**
 * Creates the token exchange grant (RFC 8693), which exchanges a token for a new one with at most the same access. The
 * new token becomes invalid when the original one does. The grant issues no refresh token.
 */
export function tokenExchangeGrant(deps: {
  readonly grants: GrantCommands;
  readonly readSubjects: ReadSubjects;
  readonly policies: Pick<ExchangePolicies, 'find'>;
  readonly exchanges: Pick<Exchanges, 'isLive' | 'countByRoot'>;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly formatAccessToken: FormatAccessToken;
  readonly resources: KnownResources;
  readonly tokenDetails: Pick<TokenDetails, 'exchange'>;
  readonly settings: LifetimeSettings;
}): GrantType {
  const { grants, readSubjects, policies, exchanges, entropy, credentials } = deps;
  const { formatAccessToken, resources, tokenDetails, settings } = deps;

  /** @throws OAuthError if the client is public, or the request is malformed */
  function readRequest({ parameters, client }: TokenRequest): RequestedExchange {
    if (client.clientType === 'public') throw oauthError({ rule: 'client-public', what: 'token exchange' });
    const format = requestedFormat(parameters);
    const requested = {
      scope: parseScopeParameter(parameters.get('scope') ?? ''),
      resource: requestedAudience(parameters, resources.uris()),
    };
    return { format, requested, details: requestedDetails(parameters, client, resources) };
  }

  /** @throws OAuthError if one of the tokens is invalid, or the subject token does not allow the actor */
  async function readTokens({ parameters, client: { clientId }, now }: TokenRequest): Promise<TokensToExchange> {
    const mayExchange = (issuedTo: ClientId): boolean =>
      issuedTo === clientId || policies.find(clientId, issuedTo) !== undefined;
    const grantId = mintId<GrantId>(entropy);
    return { grantId, ...(await readSubjects(parameters, { clientId, grantId, now, mayExchange })) };
  }

  /**
   * Determines the terms on which the client may exchange the tokens.
   * @throws OAuthError if the client may not exchange them now, or if the request exceeds the limits
   */
  function allowExchange(
    request: RequestedExchange,
    tokens: TokensToExchange,
    { client, confirmation }: TokenRequest,
  ): AllowedRequest {
    const { clientId } = client;
    const { subject, actor } = tokens;
    const policy = subject.foreign === undefined ? policies.find(clientId, subject.clientId) : undefined;
    const limits =
      subject.foreign === undefined
        ? policy && { ...policy, resources: existingResources(policy.resources, resources.uris()) }
        : NO_FURTHER_LIMITS;
    const exchangeRequest = { clientId, subject, actor, policy: limits, requested: request.requested, confirmation };
    const decision = decideExchange(exchangeRequest);
    if ('problem' in decision) throw oauthError(toRefusal(decision));
    const { userId } = subject;
    if (userId !== null && !isOpenTo(client, userId))
      throw oauthError({ rule: 'client-in-test-mode', what: 'subject_token' });
    if (userId !== null && client.secondFactorRequired && !usedSecondFactor(subject.login))
      throw oauthError({ rule: 'exchange-second-factor' });
    if (exchanges.countByRoot(decision.root.grantId) >= MAX_EXCHANGES_PER_GRANT)
      throw oauthError({ rule: 'exchange-too-many', limit: MAX_EXCHANGES_PER_GRANT });
    return { request, tokens, exchangeRequest, policy, decision };
  }

  /**
   * Prepares the token of an allowed exchange.
   * @throws OAuthError if the resource servers do not allow the requested format or authorization details
   */
  async function prepareToken(
    { request: { format, details: requested }, tokens: { subject, actor }, decision }: AllowedRequest,
    { client, confirmation, now }: TokenRequest,
  ): Promise<PreparedToken> {
    const { userId } = subject;
    const { resource, latestExpiry } = decision;
    const terms = tokenTerms(resource, client, settings, resources);
    requireFormat(format, terms);
    const definedScope = narrowScope(decision.scope, terms.definedScopes);
    const details = await tokenDetails.exchange({
      owner: { clientId: decision.root.clientId, userId },
      granted: subject.details,
      requested,
      audience: resource,
      scope: definedScope,
      actor: actor?.details && { owner: actor, details: actor.details },
      client,
    });
    const scope = details === undefined ? tokenScope(decision.scope, terms) : definedScope;
    const expiresAt = Math.min(accessExpiry(now, terms), latestExpiry) as EpochSeconds;
    const access = await formatAccessToken(terms, credentials.mintAccessToken(entropy), () => ({
      clientId: client.clientId,
      userId,
      scope,
      resource,
      confirmation,
      login: subject.login,
      exchange: decision,
      details: details?.contents,
      issuedAt: now,
      expiresAt,
    }));
    return { terms, access, details, scope, expiresAt };
  }

  /**
   * Records the exchange.
   * @throws OAuthError if something that the tokens depend on, such as a session, has just ended
   */
  async function record(
    { request: { requested, details: requestedDetailList }, tokens, exchangeRequest, policy }: AllowedRequest,
    { terms, access, details, expiresAt }: PreparedToken,
    tokenRequest: TokenRequest,
  ): Promise<void> {
    const { context, withinBudget } = tokenRequest;
    const { grantId, subject, isStillValid, invalidTokenError } = tokens;
    const basedOn = [
      ...(context.basedOn ?? []),
      ...tokens.basedOn,
      ...(policy ? [observedExchangePolicy(policy)] : []),
    ];
    const { refusal } = await withinBudget(subject.userId, () =>
      grants.execute(
        grantStream(grantId),
        {
          type: 'ExchangeToken',
          grantId,
          ...exchangeRequest,
          requested:
            requestedDetailList.length === 0
              ? requested
              : { ...requested, details: details?.recorded.map(typeAndHash) },
          ...accessTokenToIssue(tokenRequest, access, terms, details),
          accessExpiresAt: expiresAt,
        },
        { ...context, basedOn, isStillValid },
      ),
    );
    if (refusal !== undefined || !exchanges.isLive(grantId)) throw await invalidTokenError();
  }

  return {
    name: TOKEN_EXCHANGE_GRANT_TYPE,
    registeredAs: ['token-exchange'],

    async exchange(tokenRequest) {
      const { confirmation, now } = tokenRequest;
      const request = readRequest(tokenRequest);
      const tokens = await readTokens(tokenRequest);
      const allowedRequest = allowExchange(request, tokens, tokenRequest);
      const token = await prepareToken(allowedRequest, tokenRequest);
      await record(allowedRequest, token, tokenRequest);
      const { access, details, scope, expiresAt } = token;
      return {
        ...tokenResponse(access.value, expiresAt - now, scope, confirmation, details),
        issued_token_type: request.format ?? TOKEN_TYPES.accessToken,
      };
    },
  };
}

const typeAndHash = ({ type, hash }: RequestedDetail): RequestedDetail => ({ type, hash });

/**
 * Returns the policy's resource servers that still exist, or null if the policy does not limit resource servers.
 * Removed resource servers are left out because their scopes are unknown.
 */
function existingResources(policyResources: Resources | null, knownUris: Resources): Resources | null {
  return policyResources === null ? null : policyResources.filter((uri) => knownUris.includes(uri));
}

/**
 * Returns the requested type of token, or undefined if none is requested.
 * @throws OAuthError if the request is for a token other than an access token
 */
function requestedFormat(parameters: Parameters): string | undefined {
  const type = parameters.get('requested_token_type');
  const allowed: readonly string[] = [TOKEN_TYPES.accessToken, TOKEN_TYPES.jwt];
  if (type === undefined || allowed.includes(type)) return type;
  const [seen, { length }] = [knownKeywords(type), type];
  throw oauthError({ rule: 'parameter-value', parameter: 'requested_token_type', allowed, seen, length });
}

function requireFormat(format: string | undefined, { accessTokenFormat }: TokenTerms): void {
  if (format !== TOKEN_TYPES.jwt || accessTokenFormat === 'jwt') return;
  throw oauthError({ rule: 'exchange-format', seen: accessTokenFormat });
}

/** Returns the requested resource servers. Both `resource` and `audience` can contain their URIs (RFC 8693 §2.1). */
function requestedAudience(parameters: Parameters, knownUris: readonly string[]): SubjectToken['resource'] {
  const requestedUris = [...repeatedValues(parameters, 'resource'), ...repeatedValues(parameters, 'audience')];
  return registeredSpellings(requestedUris, knownUris);
}

/** Returns the refusal for a problem, with sanitized names from the request. */
function toRefusal(exchangeProblem: ExchangeProblem): ProtocolRefusal {
  if (exchangeProblem.problem === 'scope-beyond' || exchangeProblem.problem === 'resource-beyond') {
    const { problem, limit, missing, allowed } = exchangeProblem;
    return { rule: `exchange-${problem}`, limit, missing: sanitizeNames(missing), allowed };
  }
  if (exchangeProblem.problem !== 'mode-not-allowed') return { rule: `exchange-${exchangeProblem.problem}` };
  return { rule: 'exchange-mode-not-allowed', mode: exchangeProblem.mode, allowed: exchangeProblem.allowed };
}
