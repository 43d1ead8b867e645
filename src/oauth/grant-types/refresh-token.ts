import { isCurrentOrPrevious, type Grant } from '../../domain/authorization-grant.ts';
import type { Confirmation } from '../../domain/confirmation.ts';
import { isOpenTo } from '../../domain/members.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import { effectiveSecurity, type ClientSecurityInput, type ServerSecurity } from '../../domain/security-profile.ts';
import type { EpochSeconds } from '../../domain/values.ts';
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
import type { TokenDetails } from '../details/token-details.ts';
import { accessExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { recordedTokens } from './recorded-tokens.ts';
import { applyRefreshRules, currentFamily } from './refresh-rules.ts';
import type { PresentedRefreshToken, RefreshTokens } from '../credentials/refresh-tokens.ts';
import { requestedResources } from '../endpoints/requested-resources.ts';
import { parseScopeParameter, requireAllowedScope } from '../endpoints/requested-scope.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import type { Grants } from '../../projections/grants.ts';
import type { LiveGrants } from './authorization-code.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { tokenScope, tokenTerms, type TokenTerms } from '../resources/token-terms.ts';
import { tokenResponse, type GrantCommands, type GrantType, type TokenRequest } from './grant-type.ts';
import { accessTokenToIssue, refreshTokenToIssue } from './tokens-to-issue.ts';

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

  return {
    name: 'refresh_token',
    registeredAs: ['authorization-code', 'password', 'device-code'],

    async exchange(tokenRequest) {
      const { parameters, client, confirmation, now, context, withinBudget } = tokenRequest;
      const value = requireParameter(parameters, 'refresh_token');
      const requestedScope = parseScopeParameter(parameters.get('scope') ?? '');
      requireAllowedScope(requestedScope, client);
      const requestedUris = requestedResources(parameters, resources.uris());
      const requested = requestedDetails(parameters, client, resources);
      const presentedToken = refreshTokens.parse(value);
      if (presentedToken === undefined) {
        throw oauthError({ rule: 'credential-unknown', parameter: 'refresh_token', form: credentialForm(value) });
      }
      const refusedToken = { credential: presentedToken, client, now };
      if (!liveGrants.isLive(presentedToken.grantId))
        throw oauthError(await postMortem.explainEndedRefreshToken(refusedToken));
      const { grantId } = presentedToken;
      const isPresentedTokenGenuine = presentedToken.isTagged || (await wasIssued(presentedToken, client.clientId));
      const successors = refreshTokens.deriveSuccessors(value, grantId);
      const stream = grantStream(grantId);
      const grant = await grants.state(stream);
      const rules = { scopes: resources.scopes(), knownResources: resources.uris() };
      const resource = applyRefreshRules(
        grant,
        { presentedToken, client, scope: requestedScope, resource: requestedUris },
        rules,
      );
      const family = currentFamily(grant, presentedToken, client);
      const keepRefreshToken = family !== undefined && mayKeepRefreshToken(family, client, settings);
      const secret = keepRefreshToken ? credentials.mintAccessToken(entropy) : successors.access;
      if (family !== undefined && !isOpenTo(client, family.userId))
        throw oauthError({ rule: 'client-in-test-mode', what: 'refresh_token' });
      const audience = narrowResources(resource, grant.refresh?.resource ?? []);
      const terms = tokenTerms(audience ?? [], client, settings, resources);
      const expiresAt = accessExpiry(now, terms);
      const details =
        audience && presentsRecentToken(grant.refresh, presentedToken, client)
          ? await tokenDetails.narrow({
              owner: grant.refresh,
              granted: grant.details,
              requested,
              audience,
              scope: requestedScope.length === 0 ? grant.refresh.scope : requestedScope,
            })
          : undefined;
      const withEffectiveScope = (content: AccessTokenContent): AccessTokenContent => ({
        ...content,
        details: details?.contents,
        scope: effectiveScope(content.scope, client, content.userId),
      });
      const content =
        audience && accessTokenContent(grant, requestedScope, audience, terms, confirmation, now, expiresAt);
      const mintedToken: FormattedToken =
        content === undefined || terms.accessTokenFormat === 'opaque'
          ? secret
          : await formatAccessToken(terms, secret, withEffectiveScope(content));
      const scope = requestedScope.length === 0 ? null : requestedScope;
      const openid =
        family &&
        idTokenContent(grantId, grant, scope ?? family.scope, client, mintedToken, { issuedAt: now, expiresAt });
      const idToken = openid && (await idTokens.issue(openid));
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
            ...accessTokenToIssue(tokenRequest, mintedToken, terms, details),
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
      const lifetime = terms.accessTokenLifetimeSeconds;
      const managedGrantId = liveGrants.find(grantId)?.management?.grantId;
      const isKept = state.refresh?.currentHash === presentedToken.hash && state.access?.tokenHash === mintedToken.hash;
      if (isKept) {
        const grantedScope = effectiveScope(state.access.scope, client, state.refresh.userId);
        return tokenResponse(mintedToken.value, lifetime, grantedScope, confirmation, details, {
          refreshToken: value,
          idToken: idToken?.jws,
          grantId: managedGrantId,
        });
      }
      const newTokens = { access: mintedToken, successors, idToken };
      const rotatedTokens = await recordedTokens(state, newTokens, {
        access: (kid, from, recordedContent) => repeatAccessToken(kid, from, withEffectiveScope(recordedContent)),
        async idToken(record, access) {
          const idContent = idTokenContent(grantId, state, ['openid'], client, access, record);
          return idContent && idTokens.repeat(record, idContent);
        },
      });
      if (rotatedTokens === undefined) throw oauthError({ rule: 'answer-not-repeatable' });
      const grantedScope = effectiveScope(rotatedTokens.scope, client, rotatedTokens.userId);
      const { access, refresh: refreshToken, idToken: recordedIdToken } = rotatedTokens;
      return tokenResponse(access.value, lifetime, grantedScope, confirmation, details, {
        refreshToken: refreshToken.value,
        idToken: recordedIdToken,
        grantId: managedGrantId,
      });
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
 * Returns the contents of the next access token, from the grant and the request, or undefined if the grant has no
 * refresh token.
 */
function accessTokenContent(
  { refresh, login }: Grant,
  requestedScope: Scope,
  resource: Resources,
  terms: TokenTerms,
  confirmation: Confirmation | undefined,
  issuedAt: EpochSeconds,
  expiresAt: EpochSeconds,
): AccessTokenContent | undefined {
  if (refresh === null) return undefined;
  const { clientId, userId } = refresh;
  return {
    clientId,
    userId,
    scope: tokenScope(requestedScope.length === 0 ? refresh.scope : requestedScope, terms),
    resource,
    confirmation,
    login,
    issuedAt,
    expiresAt,
  };
}

/**
 * Reports whether the refresh token needs no rotation: all access tokens of the client must be bound, and nobody else
 * can use the refresh token, because the client authenticates, or the token is bound to its key. A public client may
 * still have unbound tokens from before it had to bind them (RFC 9700 §4.14.2).
 */
function mayKeepRefreshToken(
  { confirmation }: NonNullable<Grant['refresh']>,
  client: ClientSecurityInput,
  settings: ServerSecurity,
): boolean {
  if (effectiveSecurity(client, settings).rotatesRefreshTokens) return false;
  return client.clientType === 'confidential' || confirmation !== undefined;
}
