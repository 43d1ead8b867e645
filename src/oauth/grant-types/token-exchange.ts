import type { RequestedDetail } from '../../domain/authorization-details.ts';
import { decideExchange, type ExchangeProblem, type SubjectToken } from '../../domain/token-exchange.ts';
import { usedSecondFactor } from '../../domain/login.ts';
import { isOpenTo } from '../../domain/members.ts';
import type { Resources } from '../../domain/resource.ts';
import { narrowScope } from '../../domain/scope.ts';
import { observedExchangePolicy, grantStream } from '../../domain/streams.ts';
import type { ExchangePolicySettings } from '../../domain/exchange-settings.ts';
import { EXCHANGE_MODES, type ClientId, type EpochSeconds, type GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { ExchangePolicies } from '../../projections/exchange-policies.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { FormatAccessToken } from '../credentials/access-token-format.ts';
import { mintId } from '../credentials/credentials.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { requestedDetails } from '../details/requested-details.ts';
import type { TokenDetails } from '../details/token-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import { repeatedValues, type Parameters } from '../endpoints/parameters.ts';
import { registeredSpellings } from '../endpoints/requested-resources.ts';
import { parseScopeParameter } from '../endpoints/requested-scope.ts';
import type { ReadSubjects } from '../exchange/presented-subjects.ts';
import { TOKEN_TYPES } from '../exchange/token-types.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { knownKeywords, sanitizeNames } from '../refusals/sanitize.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';
import { accessTokenToIssue } from './tokens-to-issue.ts';

export const TOKEN_EXCHANGE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/**
 * The maximum number of valid tokens that result from exchanges of one grant's tokens, at any depth. Each takes memory
 * until it expires, and a single valid token can be exchanged any number of times.
 */
const MAX_EXCHANGES_PER_GRANT = 10_000;

/** The issuer's registration has already limited the subject token. */
const NO_FURTHER_LIMITS: ExchangePolicySettings = { modes: EXCHANGE_MODES, scope: null, resources: null };

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
  return {
    name: TOKEN_EXCHANGE_GRANT_TYPE,
    registeredAs: ['token-exchange'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      if (client.clientType === 'public') throw oauthError({ rule: 'client-public', what: 'token exchange' });
      const format = requestedFormat(parameters);
      const requested = {
        scope: parseScopeParameter(parameters.get('scope') ?? ''),
        resource: requestedAudience(parameters, resources.uris()),
      };
      const detailList = requestedDetails(parameters, client, resources);
      const { clientId } = client;
      const mayExchange = (issuedTo: ClientId): boolean =>
        issuedTo === clientId || policies.find(clientId, issuedTo) !== undefined;
      const grantId = mintId<GrantId>(entropy);
      const tokens = await readSubjects(parameters, { clientId, grantId, now, mayExchange });
      const { subject, actor, basedOn, isStillValid, invalidTokenError } = tokens;
      const policy = subject.foreign === undefined ? policies.find(clientId, subject.clientId) : undefined;
      const limits =
        subject.foreign === undefined
          ? policy && { ...policy, resources: existingResources(policy.resources, resources.uris()) }
          : NO_FURTHER_LIMITS;
      const request = { clientId, subject, actor, policy: limits, requested, confirmation };
      const decision = decideExchange(request);
      if ('problem' in decision) throw oauthError(toRefusal(decision));
      const { userId } = subject;
      if (userId !== null && !isOpenTo(client, userId))
        throw oauthError({ rule: 'client-in-test-mode', what: 'subject_token' });
      if (userId !== null && client.secondFactorRequired && !usedSecondFactor(subject.login))
        throw oauthError({ rule: 'exchange-second-factor' });
      if (exchanges.countByRoot(decision.root.grantId) >= MAX_EXCHANGES_PER_GRANT)
        throw oauthError({ rule: 'exchange-too-many', limit: MAX_EXCHANGES_PER_GRANT });
      const { resource, latestExpiry } = decision;
      const terms = tokenTerms(resource, client, settings, resources);
      requireFormat(format, terms);
      const definedScope = narrowScope(decision.scope, terms.definedScopes);
      const details = await tokenDetails.exchange({
        owner: { clientId: decision.root.clientId, userId },
        granted: subject.details,
        requested: detailList,
        audience: resource,
        scope: definedScope,
        actor: actor?.details && { owner: actor, details: actor.details },
        client,
      });
      const scope = details === undefined ? tokenScope(decision.scope, terms) : definedScope;
      const expiresAt = Math.min(accessExpiry(now, terms), latestExpiry) as EpochSeconds;
      const access = await formatAccessToken(terms, credentials.mintAccessToken(entropy), () => ({
        clientId,
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
      const observedRevisions = [
        ...(context.basedOn ?? []),
        ...basedOn,
        ...(policy ? [observedExchangePolicy(policy)] : []),
      ];
      const { refusal } = await withinBudget(userId, () =>
        grants.execute(
          grantStream(grantId),
          {
            type: 'ExchangeToken',
            grantId,
            ...request,
            requested:
              detailList.length === 0 ? requested : { ...requested, details: details?.recorded.map(typeAndHash) },
            ...accessTokenToIssue(tokenRequest, access, terms, details),
            accessExpiresAt: expiresAt,
          },
          { ...context, basedOn: observedRevisions, isStillValid },
        ),
      );
      // Something that the tokens depend on, such as a session, has just ended.
      if (refusal !== undefined || !exchanges.isLive(grantId)) throw await invalidTokenError();
      return {
        ...tokenResponse(access.value, expiresAt - now, scope, confirmation, details),
        issued_token_type: format ?? TOKEN_TYPES.accessToken,
      };
    },
  };
}

const typeAndHash = ({ type, hash }: RequestedDetail): RequestedDetail => ({ type, hash });

/**
 * Returns the policy's resource servers that still exist, or null if the policy does not limit resource servers. The
 * scopes of removed resource servers are unknown.
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

/**
 * Returns the requested resource servers. Both `resource` and `audience` contain their URIs (RFC 8693 §2.1).
 */
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
