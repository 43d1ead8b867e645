import type { Grant, GrantRefusal } from '../../domain/authorization-grant.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { AccessTokenFacts, FormatAccessToken } from '../credentials/access-token-format.ts';
import type { Minted } from '../credentials/credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { OAuthError } from '../endpoints/errors.ts';
import type { WasIssued } from '../credentials/issued-refresh-tokens.ts';
import type { PostMortem } from './post-mortem.ts';
import { accessExpiry, refreshExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { applyRefreshRules } from './refresh-rules.ts';
import type { RefreshTokens, Successors } from '../credentials/refresh-tokens.ts';
import { requestedResources } from '../endpoints/requested-resources.ts';
import { parseScopeParameter, requireAllowedScope, type ScopeSettings } from '../endpoints/requested-scope.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import type { LiveGrants } from './authorization-code.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';

const REFUSED = 'the refresh token is unknown, expired, revoked, already used, or was issued to another client';

/**
 * RFC 6749 §6, rotating at each use (RFC 9700 §4.14.2). A client that lost the answer may ask once
 * more with the same token and gets the very same answer: see `RefreshTokens`.
 */
export function refreshTokenGrant(parts: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly refreshTokens: RefreshTokens;
  readonly wasIssued: WasIssued;
  readonly postMortem: PostMortem;
  readonly formatAccessToken: FormatAccessToken;
  readonly knownResources: () => readonly string[];
  readonly heldScope: EffectiveScope;
  readonly settings: LifetimeSettings & Pick<ScopeSettings, 'scopes'> & { readonly refreshReuseWindowSeconds: number };
}): GrantType {
  const { grants, liveGrants, refreshTokens, wasIssued, postMortem } = parts;
  const { formatAccessToken, knownResources, heldScope, settings } = parts;
  return {
    name: 'refresh_token',
    registeredAs: ['authorization-code', 'password'],

    async exchange({ parameters, client, previousSecretUsed, now, context, withinBudget }) {
      const value = requireParameter(parameters, 'refresh_token');
      const asked = parseScopeParameter(parameters.get('scope') ?? '');
      requireAllowedScope(asked, client);
      const named = requestedResources(parameters, knownResources());
      const presented = refreshTokens.parse(value);
      if (presented === undefined) {
        throw new OAuthError('invalid_grant', REFUSED, {
          rule: 'credential-unknown',
          parameter: 'refresh_token',
          form: credentialForm(value),
        });
      }
      const refused = { presented, client, now };
      if (!liveGrants.isLive(presented.grantId))
        throw new OAuthError('invalid_grant', REFUSED, await postMortem.deadRefreshToken(refused));
      const { grantId } = presented;
      const presentedIsGenuine = presented.isTagged || (await wasIssued(presented, client.clientId));
      const successors = refreshTokens.deriveSuccessors(value, grantId);
      const { access: secret, refresh } = successors;
      const stream = grantStream(grantId);
      const grant = await grants.state(stream);
      const rules = { scopes: settings.scopes, knownResources: knownResources() };
      const resource = applyRefreshRules(grant, { presented, client, scope: asked, resource: named }, rules);
      const expiresAt = accessExpiry(now, settings);
      const jwt = (facts: AccessTokenFacts): Minted =>
        formatAccessToken('jwt', secret, { ...facts, scope: heldScope(facts.scope, client, facts.userId) });
      const facts =
        client.accessTokenFormat === 'jwt' ? accessTokenFacts(grant, asked, resource, now, expiresAt) : undefined;
      const minted = facts === undefined ? secret : jwt(facts);
      const scope = asked.length === 0 ? null : asked;
      const { refusal, state } = await withinBudget(grant.refresh?.userId ?? null, async () =>
        grants.execute(
          stream,
          {
            type: 'RefreshGrant',
            grantId,
            clientId: client.clientId,
            presentedHash: presented.hash,
            presentedIsGenuine,
            scope,
            resource,
            now,
            reuseWindowSeconds: settings.refreshReuseWindowSeconds,
            accessHash: minted.hash,
            accessExpiresAt: expiresAt,
            previousSecretUsed,
            refreshHash: refresh.hash,
            refreshExpiresAt: refreshExpiry(now, settings),
          },
          context,
        ),
      );
      if (refusal !== undefined) {
        const [error, description] = toOAuthError(refusal);
        throw new OAuthError(
          error,
          description,
          await postMortem.refusedRefreshToken(refused, refusal, state, { scope, resource }),
        );
      }
      if (!liveGrants.isLive(grantId)) {
        throw new OAuthError('invalid_grant', REFUSED, await postMortem.grantEnded(refused, 'refresh_token'));
      }
      const [access, renewed] = [recordedAccess(state, [minted, secret], jwt), recordedRefresh(state, successors)];
      if (access === undefined || renewed === undefined) {
        throw new OAuthError('invalid_grant', REFUSED, { rule: 'answer-not-repeatable' });
      }
      const granted = heldScope(state.access?.scope ?? [], client, state.refresh?.userId ?? null);
      return tokenResponse(access.value, settings.accessTokenLifetimeSeconds, granted, renewed.value);
    },
  };
}

/** What the caller is told. */
function toOAuthError(
  refusal: GrantRefusal,
): readonly [error: 'invalid_grant' | 'invalid_scope' | 'invalid_target', description: string] {
  switch (refusal) {
    case 'scope-exceeds-grant':
      return ['invalid_scope', 'scope exceeds what the resource owner granted'];
    case 'retry-scope-differs':
      return ['invalid_scope', 'this refresh token was just used with another scope'];
    case 'resource-exceeds-grant':
      return ['invalid_target', 'resource exceeds what the grant is for'];
    case 'retry-resource-differs':
      return ['invalid_target', 'this refresh token was just used with another resource'];
    case 'client-mismatch':
    case 'grant-revoked':
    case 'grant-exists':
    case 'refresh-token-unknown':
    case 'refresh-token-expired':
    case 'refresh-token-reused':
    case 'code-unknown':
    case 'code-expired':
    case 'code-replayed':
    case 'redirect-uri-mismatch':
    case 'code-verifier-missing':
    case 'code-verifier-unexpected':
    case 'code-verifier-mismatch':
    default:
      return ['invalid_grant', REFUSED];
  }
}

/** What the next access token will say, which is settled by the grant and the request; undefined when it is not to be had. */
function accessTokenFacts(
  { refresh }: Grant,
  asked: Scope,
  named: Resources,
  issuedAt: EpochSeconds,
  expiresAt: EpochSeconds,
): AccessTokenFacts | undefined {
  const resource = narrowResources(named, refresh?.resource ?? []);
  if (refresh === null || resource === undefined) return undefined;
  const { clientId, userId } = refresh;
  return { clientId, userId, scope: asked.length === 0 ? refresh.scope : asked, resource, issuedAt, expiresAt };
}

/**
 * The access token that is on record: the one just made, or one from when the answer was lost, by what it said then.
 * Undefined when that cannot be told any more, because the server's settings or the client's changed meanwhile.
 */
function recordedAccess(
  { access, refresh }: Grant,
  candidates: readonly Minted[],
  jwt: (facts: AccessTokenFacts) => Minted,
): Minted | undefined {
  const issuedAt = refresh?.rotation?.at;
  if (access === null || refresh === null || issuedAt === undefined) return undefined;
  const isIt = ({ hash }: Minted): boolean => hash === access.tokenHash;
  const known = candidates.find(isIt);
  if (known !== undefined) return known;
  const { clientId, userId } = refresh;
  const { scope, resource = [], expiresAt } = access;
  const again = jwt({ clientId, userId, scope, resource, issuedAt, expiresAt });
  return isIt(again) ? again : undefined;
}

/** The refresh token that is on record: with its tag, or as an earlier release derived it when the answer was lost. */
function recordedRefresh({ refresh: family }: Grant, { refresh, untagged }: Successors): Minted | undefined {
  if (refresh.hash === family?.currentHash) return refresh;
  const earlier = untagged();
  return earlier.hash === family?.currentHash ? earlier : undefined;
}
