import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Grant } from '../../domain/authorization-grant.ts';
import { confirmationClaim, tokenType, type Confirmation } from '../../domain/confirmation.ts';
import type { Login } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import { formatScope, type Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { ClientId, EpochSeconds, UserId } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { Client } from '../../projections/clients.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { toAudience } from '../credentials/access-token-format.ts';
import { isJwt, type PresentedCredential } from '../credentials/credentials.ts';
import type { IntrospectedDetails, PresentedDetails } from '../details/presented-details.ts';
import type { TokenDetails } from '../details/token-details.ts';
import { exchangedClaims, type ActClaim, type ExchangeLineage } from '../exchange/exchanged-claims.ts';
import type { SubjectFor } from '../openid/subjects.ts';
import { groupsClaim, type GroupsOf } from '../openid/user-claims.ts';
import type { PresentedTokens } from '../credentials/presented-tokens.ts';
import { OAuthError, oauthError } from './errors.ts';
import type { LiveGrants } from '../grant-types/authorization-code.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import { requireParameter, type Parameters } from './parameters.ts';
import type { PostMortem } from '../grant-types/post-mortem.ts';
import { applyRefreshRules } from '../grant-types/refresh-rules.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import type { CatchUpIfGenuine } from '../credentials/unknown-credentials.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { EffectiveScope } from './restricted-scopes.ts';

/** The response to an introspection request (RFC 7662 §2.2). */
export type IntrospectionResponse =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly username: string | undefined;
      readonly token_type: 'Bearer' | 'DPoP' | undefined;
      readonly exp: number | undefined;
      readonly iat: number | undefined;
      readonly sub: string;
      readonly iss: string;
      /** The resource servers (RFC 8707); omitted for an unrestricted opaque token. For a JWT, its audience. */
      readonly aud: string | readonly string[] | undefined;
      /** The key or certificate that the token is bound to (RFC 9449 §6.2, RFC 8705 §3.2). */
      readonly cnf: Readonly<Record<string, string>> | undefined;
      /** When the user logged in, if recorded (RFC 9470 §6.2). */
      readonly auth_time: number | undefined;
      /** How the user logged in, if recorded (RFC 9470 §6.2). */
      readonly acr: string | undefined;
      /** The authorization details that the caller may see (RFC 9396 §9.2). */
      readonly authorization_details: readonly AuthorizationDetail[] | undefined;
      /** The party that acts for the subject, if the token is from an exchange with an actor token (RFC 8693 §4.1). */
      readonly act: ActClaim | undefined;
      /** The names of the user's groups, if the token has the `groups` scope (RFC 9068 §2.2.3.1). */
      readonly groups: readonly string[] | undefined;
    };

/** An introspection request from an authenticated caller. */
export interface IntrospectionRequest {
  readonly parameters: Parameters;
  /** Null if the caller presented a bearer token. */
  readonly client: Client | null;
  /** The client that the bearer token was issued to; null if a client authenticated. */
  readonly bearerClientId: string | null;
  readonly now: EpochSeconds;
}

/** The result of checking the access token that a caller authenticates with. */
export interface BearerCheck {
  /** The client that the token was issued to; null if unknown. */
  readonly clientId: string | null;
  /** Whether the token is valid, even if it is refused here. */
  readonly isLive: boolean;
  /** Why the token is not accepted here; undefined if it is. */
  readonly refusal: ProtocolRefusal | undefined;
  /** The key or certificate that the sender of the token must possess. */
  readonly confirmation?: Confirmation | undefined;
}

/** Describes a token (RFC 7662) to a confidential client or to the bearer of a token with the scope `introspection`. */
export interface IntrospectionEndpoint {
  /** Checks the access token that the caller authenticates with. */
  checkBearer(token: string, now: EpochSeconds): Promise<BearerCheck>;
  /**
   * Returns the description of the token in the request.
   * @throws OAuthError `invalid_client` for a public client, `invalid_request` if `token` is missing
   */
  introspect(request: IntrospectionRequest): Promise<IntrospectionResponse>;
}

type IntrospectedToken = Pick<Extract<IntrospectionResponse, { active: true }>, 'token_type' | 'exp' | 'iat'> & {
  readonly confirmation: Confirmation | undefined;
  readonly login: Login | undefined;
  readonly exchange: ExchangeLineage | undefined;
  readonly details: readonly AuthorizationDetail[] | undefined;
};

const INACTIVE = { active: false } as const;

export function createIntrospectionEndpoint(deps: {
  readonly grants: Pick<GrantCommands, 'state'>;
  readonly liveGrants: LiveGrants & Pick<Grants, 'find'>;
  readonly exchanges: Pick<Exchanges, 'find'>;
  readonly presentedTokens: Pick<PresentedTokens, 'find'>;
  readonly presentedDetails: PresentedDetails;
  readonly introspectedDetails: IntrospectedDetails;
  readonly tokenDetails: Pick<TokenDetails, 'open'>;
  readonly refreshTokens: Pick<RefreshTokens, 'parse'>;
  readonly postMortem: Pick<PostMortem, 'explainInvalidAccessToken'>;
  readonly findUsername: (userId: UserId) => string | undefined;
  readonly groupsOf: GroupsOf;
  readonly subjectFor: SubjectFor;
  readonly issuer: () => string;
  readonly effectiveScope: EffectiveScope;
  readonly resources: Pick<KnownResources, 'uris' | 'scopes'>;
  /** Catches up with the log if the token is unknown, because another node may have just issued it. */
  readonly catchUpIfGenuine?: CatchUpIfGenuine | undefined;
  readonly settings: {
    readonly introspectionOwnTokensOnly: boolean;
  };
}): IntrospectionEndpoint {
  const { grants, liveGrants, exchanges, presentedTokens, presentedDetails, tokenDetails, refreshTokens } = deps;
  const { introspectedDetails, postMortem, findUsername, groupsOf, subjectFor, issuer, effectiveScope } = deps;
  const { resources, catchUpIfGenuine, settings } = deps;

  async function checkBearer(token: string, now: EpochSeconds): Promise<BearerCheck> {
    let accessToken = await presentedTokens.find(token, now);
    if (accessToken === undefined && (await catchUpIfGenuine?.(token)) === true)
      accessToken = await presentedTokens.find(token, now);
    if (accessToken !== undefined) {
      const { clientId, confirmation } = accessToken;
      return { clientId, isLive: true, refusal: permissionRefusal(accessToken), confirmation };
    }
    return { ...(await postMortem.explainInvalidAccessToken(token, now)), isLive: false };
  }

  function permissionRefusal({ resource, scope }: AccessToken): ProtocolRefusal | undefined {
    if (resource.length > 0 && !resource.includes(issuer()))
      return { rule: 'token-for-other-resource', resource, here: issuer() };
    return scope.includes('introspection')
      ? undefined
      : { rule: 'token-lacks-scope', alternatives: [['introspection']], held: scope };
  }

  /** Returns the response for an active token. Its undefined members are omitted from the JSON. */
  function describeToken(
    clientId: ClientId,
    userId: UserId | null,
    scope: Scope,
    resource: Resources,
    { token_type, exp, iat, confirmation, login, exchange, details }: IntrospectedToken,
  ) {
    const { sub, act } = exchangedClaims(exchange ?? { chain: [], root: { clientId } }, clientId, userId, subjectFor);
    return {
      active: true,
      scope: formatScope(scope),
      client_id: clientId,
      // The user name would reveal to two clients with pairwise subjects that they have the same user.
      username: sub === userId ? findUsername(userId) : undefined,
      token_type,
      exp,
      iat,
      sub,
      iss: issuer(),
      aud: resource.length === 0 ? undefined : toAudience(resource),
      cnf: confirmation && confirmationClaim(confirmation),
      auth_time: login?.authTime,
      acr: login?.acr,
      authorization_details: details,
      act,
      groups: groupsClaim(scope, userId, groupsOf),
    } as const;
  }

  /**
   * Returns the response for a refresh token, which only its own client may introspect. The token is inactive unless it
   * is the current one and the current rules allow a refresh.
   */
  async function introspectRefreshToken(
    token: string,
    client: Client | null,
    now: EpochSeconds,
  ): Promise<IntrospectionResponse> {
    const presentedToken = refreshTokens.parse(token);
    if (client === null || presentedToken === undefined || !liveGrants.isLive(presentedToken.grantId)) return INACTIVE;
    const grant = await grants.state(grantStream(presentedToken.grantId));
    const { refresh } = grant;
    if (refresh?.currentHash !== presentedToken.hash || refresh.clientId !== client.clientId) return INACTIVE;
    if (refresh.expiresAt !== null && now >= refresh.expiresAt) return INACTIVE;
    const remainingUris = resourcesAfterRefresh(grant, presentedToken, client);
    if (remainingUris === undefined) return INACTIVE;
    const { confirmation, expiresAt: exp } = refresh;
    const { login, details: recordedDetails } = grant;
    const details = recordedDetails && tokenDetails.open(refresh, recordedDetails);
    const resource = remainingUris.length === 0 ? refresh.resource : remainingUris;
    const scope = effectiveScope(refresh.scope, client, refresh.userId);
    return describeToken(refresh.clientId, refresh.userId, scope, resource, {
      token_type: undefined,
      exp: exp ?? undefined,
      iat: undefined,
      confirmation,
      login,
      exchange: undefined,
      details,
    });
  }

  /**
   * Returns the resource servers that a refresh would now restrict the token to, or undefined if the current rules do
   * not allow a refresh. The list is empty if the refresh would not change the resource servers.
   */
  function resourcesAfterRefresh(
    grant: Grant,
    presentedToken: PresentedCredential,
    client: Client,
  ): Resources | undefined {
    try {
      const rules = { scopes: resources.scopes(), knownResources: resources.uris() };
      return applyRefreshRules(grant, { presentedToken, client, scope: [], resource: [] }, rules);
    } catch (error) {
      if (error instanceof OAuthError) return undefined;
      throw error;
    }
  }

  async function introspect(request: IntrospectionRequest): Promise<IntrospectionResponse> {
    const { parameters, client, bearerClientId, now } = request;
    if (client?.clientType === 'public') throw oauthError({ rule: 'client-public', what: 'introspection' });
    const token = requireParameter(parameters, 'token');
    const accessToken = await presentedTokens.find(token, now);
    if (accessToken === undefined) return introspectRefreshToken(token, client, now);
    if (settings.introspectionOwnTokensOnly && client !== null && accessToken.clientId !== client.clientId)
      return INACTIVE;
    const resource = accessToken.resource.length === 0 && isJwt(token) ? [issuer()] : accessToken.resource;
    const exchange = accessToken.exchanged === true ? exchanges.find(accessToken.grantId) : undefined;
    return describeToken(accessToken.clientId, accessToken.userId, accessToken.scope, resource, {
      token_type: tokenType(accessToken.confirmation),
      exp: accessToken.expiresAt,
      iat: accessToken.issuedAt,
      confirmation: accessToken.confirmation,
      login: (exchange ?? liveGrants.find(accessToken.grantId))?.login,
      exchange,
      details: introspectedDetails(
        presentedDetails(token, accessToken),
        accessToken,
        client?.clientId ?? bearerClientId,
      ),
    });
  }

  async function introspectWithCatchUp(request: IntrospectionRequest): Promise<IntrospectionResponse> {
    const response = await introspect(request);
    const isOutdated =
      !response.active && (await catchUpIfGenuine?.(requireParameter(request.parameters, 'token'))) === true;
    return isOutdated ? introspect(request) : response;
  }

  return { checkBearer, introspect: catchUpIfGenuine === undefined ? introspect : introspectWithCatchUp };
}
