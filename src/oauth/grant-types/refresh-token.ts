import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import { isCurrentOrPrevious, type Grant } from '../../domain/authorization-grant.ts';
import type { Confirmation } from '../../domain/confirmation.ts';
import { isOpenTo } from '../../domain/members.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import { effectiveSecurity, type ClientSecurityInput, type ServerSecurity } from '../../domain/security-profile.ts';
import type {
  AccessTokenContent,
  FormatAccessToken,
  FormattedToken,
  RepeatAccessToken,
} from '../credentials/access-token-format.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { TaggedCredentials } from '../credentials/tagged-credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { WasIssued } from '../credentials/issued-refresh-tokens.ts';
import type { PostMortem } from './post-mortem.ts';
import { idTokenContent, type IdTokens } from '../openid/id-token.ts';
import { requestedDetails } from '../details/requested-details.ts';
import type { DetailsToIssue, TokenDetails } from '../details/token-details.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { recordedTokens } from './recorded-tokens.ts';
import { applyRefreshRules, currentFamily } from './refresh-rules.ts';
import type { PresentedRefreshToken, RefreshTokens, Successors } from '../credentials/refresh-tokens.ts';
import { requestedResources } from '../endpoints/requested-resources.ts';
import { parseScopeParameter, requireAllowedScope } from '../endpoints/requested-scope.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import type { Client } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { LiveGrants } from './authorization-code.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import type { PreparedTokens } from './code-tokens.ts';
import {
  tokenResponse,
  type GrantCommands,
  type GrantType,
  type TokenRequest,
  type TokenResponse,
} from './grant-type.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

/** A token request with a refresh token. */
interface RefreshRequest {
  /** The refresh token as sent. */
  readonly value: string;
  readonly presentedToken: PresentedRefreshToken;
  /** Empty if the request is for the whole scope of the grant. */
  readonly scope: Scope;
  readonly resource: Resources;
  readonly details: readonly AuthorizationDetail[];
}

interface PreparedRefresh extends PreparedTokens {
  /** Whether the refresh token stays the same instead of being rotated. */
  readonly keepRefreshToken: boolean;
}

/**
 * Creates the refresh token grant (RFC 6749 §6). Refresh tokens are rotated on every use (RFC 9700 §4.14.2). A client
 * that did not receive the response may retry with the same token for a short time, and gets the same response: see
 * `RefreshTokens`. If all access tokens of the client must be bound, its refresh tokens are not rotated (FAPI 2.0
 * Security Profile §5.3.2.1), and a retry gets a different access token.
 */
export function refreshTokenGrant(deps: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants & Pick<Grants, 'find'>;
  readonly refreshTokens: RefreshTokens;
  readonly wasIssued: WasIssued;
  readonly postMortem: PostMortem;
  readonly formatAccessToken: FormatAccessToken;
  readonly idTokens: IdTokens;
  readonly repeatAccessToken: RepeatAccessToken;
  readonly resources: KnownResources;
  readonly tokenDetails: TokenDetails;
  readonly effectiveScope: EffectiveScope;
  readonly entropy: Entropy;
  readonly credentials: Pick<TaggedCredentials, 'mintAccessToken'>;
  readonly settings: LifetimeSettings & ServerSecurity & { readonly refreshReuseWindowSeconds: number };
}): GrantType {
  const { grants, liveGrants, refreshTokens, wasIssued, postMortem } = deps;
  const { formatAccessToken, repeatAccessToken, idTokens, resources, tokenDetails, effectiveScope, settings } = deps;
  const { entropy, credentials } = deps;

  /** @throws OAuthError if the request is malformed, or the client may not request the scope */
  function readRequest({ parameters, client }: TokenRequest): RefreshRequest {
    const value = requireParameter(parameters, 'refresh_token');
    const scope = parseScopeParameter(parameters.get('scope') ?? '');
    requireAllowedScope(scope, client);
    const resource = requestedResources(parameters, resources.uris());
    const details = requestedDetails(parameters, client, resources);
    const presentedToken = refreshTokens.parse(value);
    if (presentedToken === undefined)
      throw oauthError({ rule: 'credential-unknown', parameter: 'refresh_token', form: credentialForm(value) });
    return { value, presentedToken, scope, resource, details };
  }

  /**
   * Prepares the tokens to issue if the decider accepts the request and the request does not repeat an earlier one.
   * @throws OAuthError if a current rule does not allow the request
   */
  async function prepareTokens(
    grant: Grant,
    { presentedToken, scope, resource: requestedUris, details: requested }: RefreshRequest,
    successors: Successors,
    { client, confirmation, now }: TokenRequest,
  ): Promise<PreparedRefresh> {
    const rules = { scopes: resources.scopes(), knownResources: resources.uris() };
    const resource = applyRefreshRules(grant, { presentedToken, client, scope, resource: requestedUris }, rules);
    const family = currentFamily(grant, presentedToken, client);
    const keepRefreshToken = family !== undefined && mayKeepRefreshToken(family, client, settings);
    const secret = keepRefreshToken ? credentials.mintAccessToken(entropy) : successors.access;
    if (family !== undefined && !isOpenTo(client, family.userId))
      throw oauthError({ rule: 'client-in-test-mode', what: 'refresh_token' });
    const audience = narrowResources(resource, grant.refresh?.resource ?? []);
    const terms = tokenTerms(audience ?? [], client, settings, resources);
    const times = { issuedAt: now, expiresAt: accessExpiry(now, terms) };
    const details =
      audience && presentsRecentToken(grant.refresh, presentedToken, client)
        ? await tokenDetails.narrow({
            owner: grant.refresh,
            granted: grant.details,
            requested,
            audience,
            scope: scope.length === 0 ? grant.refresh.scope : scope,
          })
        : undefined;
    const content = audience && accessTokenContent(grant, scope, audience, terms, confirmation, times);
    const access: FormattedToken =
      content === undefined
        ? secret
        : await formatAccessToken(terms, secret, () => withEffectiveScope(content, details, client));
    const newIdTokenContent =
      family &&
      idTokenContent(presentedToken.grantId, grant, scope.length === 0 ? family.scope : scope, client, access, times);
    const idToken = newIdTokenContent && (await idTokens.issue(newIdTokenContent));
    return { resource, terms, keepRefreshToken, access, details, idToken };
  }

  function withEffectiveScope(
    content: AccessTokenContent,
    details: DetailsToIssue | undefined,
    client: Client,
  ): AccessTokenContent {
    const scope = effectiveScope(content.scope, client, content.userId);
    return { ...content, details: details?.contents, scope };
  }

  /**
   * Returns the response with the recorded tokens: the prepared ones, or those of an earlier request that this one
   * repeats.
   * @param state the state of the grant after the command
   * @throws OAuthError if the earlier response cannot be repeated
   */
  async function respond(
    state: Grant,
    { value, presentedToken: { grantId, hash } }: RefreshRequest,
    { terms, access, details, idToken }: PreparedTokens,
    successors: Successors,
    { client, confirmation }: TokenRequest,
  ): Promise<TokenResponse> {
    const lifetime = terms.accessTokenLifetimeSeconds;
    const managedGrantId = liveGrants.find(grantId)?.management?.grantId;
    if (state.refresh?.currentHash === hash && state.access?.tokenHash === access.hash) {
      const grantedScope = effectiveScope(state.access.scope, client, state.refresh.userId);
      return tokenResponse(access.value, lifetime, grantedScope, confirmation, details, {
        refreshToken: value,
        idToken: idToken?.jws,
        grantId: managedGrantId,
      });
    }
    const rotatedTokens = await recordedTokens(
      state,
      { access, successors, idToken },
      {
        access: (kid, secret, content) => repeatAccessToken(kid, secret, withEffectiveScope(content, details, client)),
        async idToken(record, recordedAccess) {
          const content = idTokenContent(grantId, state, ['openid'], client, recordedAccess, record);
          return content && idTokens.repeat(record, content);
        },
      },
    );
    if (rotatedTokens === undefined) throw oauthError({ rule: 'answer-not-repeatable' });
    const grantedScope = effectiveScope(rotatedTokens.scope, client, rotatedTokens.userId);
    return tokenResponse(rotatedTokens.access.value, lifetime, grantedScope, confirmation, details, {
      refreshToken: rotatedTokens.refresh.value,
      idToken: rotatedTokens.idToken,
      grantId: managedGrantId,
    });
  }

  return {
    name: 'refresh_token',
    registeredAs: ['authorization-code', 'password', 'device-code'],

    async exchange(tokenRequest) {
      const { client, confirmation, now, context, withinBudget } = tokenRequest;
      const request = readRequest(tokenRequest);
      const { presentedToken } = request;
      const { grantId } = presentedToken;
      const refusedToken = { credential: presentedToken, client, now };
      if (!liveGrants.isLive(grantId)) throw oauthError(await postMortem.explainEndedRefreshToken(refusedToken));
      const isPresentedTokenGenuine = presentedToken.isTagged || (await wasIssued(presentedToken, client.clientId));
      const successors = refreshTokens.deriveSuccessors(request.value, grantId);
      const stream = grantStream(grantId);
      const grant = await grants.state(stream);
      const tokens = await prepareTokens(grant, request, successors, tokenRequest);
      const { resource, terms, keepRefreshToken, access, details, idToken } = tokens;
      const scope = request.scope.length === 0 ? null : request.scope;
      const { refusal, state } = await withinBudget(grant.refresh?.userId ?? null, () =>
        grants.execute(
          stream,
          {
            type: 'RefreshGrant',
            keepRefreshToken,
            grantId,
            clientId: client.clientId,
            presentedHash: presentedToken.hash,
            isPresentedTokenGenuine,
            scope,
            resource,
            reuseWindowSeconds: settings.refreshReuseWindowSeconds,
            ...accessTokenToIssue(tokenRequest, access, terms, details),
            ...refreshTokenToIssue(tokenRequest, successors.refresh, settings),
            idToken: idToken?.record,
          },
          context,
        ),
      );
      if (refusal !== undefined)
        throw oauthError(
          await postMortem.explainRefusedRefreshToken(refusedToken, refusal, state, { scope, resource, confirmation }),
        );
      if (!liveGrants.isLive(grantId))
        throw oauthError(await postMortem.explainEndedGrant(refusedToken, 'refresh_token'));
      return respond(state, request, tokens, successors, tokenRequest);
    },
  };
}

/**
 * Reports whether the client presents its current or previous token. Any other caller must learn nothing about the
 * grant.
 */
function presentsRecentToken(
  family: Grant['refresh'],
  { hash }: Pick<PresentedRefreshToken, 'hash'>,
  { clientId }: Pick<TokenRequest['client'], 'clientId'>,
): family is NonNullable<Grant['refresh']> {
  return family !== null && family.clientId === clientId && isCurrentOrPrevious(family, hash);
}

/**
 * Returns the contents of the next access token, which depend on the grant and the request, or undefined if the grant
 * has no refresh token.
 */
function accessTokenContent(
  { refresh, login }: Grant,
  requestedScope: Scope,
  resource: Resources,
  terms: TokenTerms,
  confirmation: Confirmation | undefined,
  { issuedAt, expiresAt }: Pick<AccessTokenContent, 'issuedAt' | 'expiresAt'>,
): AccessTokenContent | undefined {
  if (refresh === null) return undefined;
  const { clientId, userId } = refresh;
  const scope = tokenScope(requestedScope.length === 0 ? refresh.scope : requestedScope, terms);
  return { clientId, userId, scope, resource, confirmation, login, issuedAt, expiresAt };
}

/**
 * Reports whether the refresh token needs no rotation: all access tokens of the client must be bound, and nobody else
 * can use the refresh token, because the client authenticates or the token is bound to the client's key. A public
 * client may still have unbound refresh tokens from before it had to bind its tokens (RFC 9700 §4.14.2).
 */
function mayKeepRefreshToken(
  { confirmation }: NonNullable<Grant['refresh']>,
  client: ClientSecurityInput,
  settings: ServerSecurity,
): boolean {
  if (effectiveSecurity(client, settings).rotatesRefreshTokens) return false;
  return client.clientType === 'confidential' || confirmation !== undefined;
}
