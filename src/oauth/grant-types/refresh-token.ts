import type { Grant } from '../../domain/authorization-grant.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type {
  AccessTokenFacts,
  FormatAccessToken,
  FormattedToken,
  RepeatAccessToken,
} from '../credentials/access-token-format.ts';
import type { Client } from '../../projections/clients.ts';
import type { Minted, PresentedCredential } from '../credentials/credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { WasIssued } from '../credentials/issued-refresh-tokens.ts';
import type { PostMortem } from './post-mortem.ts';
import { idTokenFacts, type IdTokens, type IssuedIdToken } from '../openid/id-token.ts';
import { accessExpiry, refreshExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import { applyRefreshRules } from './refresh-rules.ts';
import type { RefreshTokens, Successors } from '../credentials/refresh-tokens.ts';
import { requestedResources } from '../endpoints/requested-resources.ts';
import { parseScopeParameter, requireAllowedScope, type ScopeSettings } from '../endpoints/requested-scope.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
import type { LiveGrants } from './authorization-code.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';

/**
 * RFC 6749 §6, with rotation at every use (RFC 9700 §4.14.2). A client that lost the response may retry once with the
 * same token and gets the same response: see `RefreshTokens`.
 */
export function refreshTokenGrant(parts: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly refreshTokens: RefreshTokens;
  readonly wasIssued: WasIssued;
  readonly postMortem: PostMortem;
  readonly formatAccessToken: FormatAccessToken;
  readonly idTokens: IdTokens;
  readonly repeatAccessToken: RepeatAccessToken;
  readonly knownResources: () => readonly string[];
  readonly effectiveScope: EffectiveScope;
  readonly settings: LifetimeSettings & Pick<ScopeSettings, 'scopes'> & { readonly refreshReuseWindowSeconds: number };
}): GrantType {
  const { grants, liveGrants, refreshTokens, wasIssued, postMortem } = parts;
  const { formatAccessToken, repeatAccessToken, idTokens, knownResources, effectiveScope, settings } = parts;

  /** The ID token beside the recorded access token: the new one, or the one whose response was lost. */
  async function recordedIdToken(
    state: Grant,
    client: Client,
    issued: IssuedIdToken | undefined,
    access: Minted,
  ): Promise<string | undefined> {
    const { idToken: record } = state;
    if (record === undefined) return undefined;
    if (record.tokenHash === issued?.record.tokenHash) return issued.jws;
    const facts = idTokenFacts(state, state.access?.scope ?? [], client, access, record);
    const repeated = facts && (await idTokens.repeat(record, facts));
    if (repeated === undefined) throw oauthError({ rule: 'answer-not-repeatable' });
    return repeated;
  }

  return {
    name: 'refresh_token',
    registeredAs: ['authorization-code', 'password'],

    async exchange({ parameters, client, previousSecretUsed, now, context, withinBudget }) {
      const value = requireParameter(parameters, 'refresh_token');
      const requestedScope = parseScopeParameter(parameters.get('scope') ?? '');
      requireAllowedScope(requestedScope, client);
      const named = requestedResources(parameters, knownResources());
      const presented = refreshTokens.parse(value);
      if (presented === undefined) {
        throw oauthError({ rule: 'credential-unknown', parameter: 'refresh_token', form: credentialForm(value) });
      }
      const refused = { presented, client, now };
      if (!liveGrants.isLive(presented.grantId)) throw oauthError(await postMortem.deadRefreshToken(refused));
      const { grantId } = presented;
      const presentedIsGenuine = presented.isTagged || (await wasIssued(presented, client.clientId));
      const successors = refreshTokens.deriveSuccessors(value, grantId);
      const { access: secret, refresh } = successors;
      const stream = grantStream(grantId);
      const grant = await grants.state(stream);
      const rules = { scopes: settings.scopes, knownResources: knownResources() };
      const resource = applyRefreshRules(grant, { presented, client, scope: requestedScope, resource: named }, rules);
      const expiresAt = accessExpiry(now, settings);
      const effective = (facts: AccessTokenFacts): AccessTokenFacts => ({
        ...facts,
        scope: effectiveScope(facts.scope, client, facts.userId),
      });
      const repeat: RepeatAccessToken = (kid, from, facts) => repeatAccessToken(kid, from, effective(facts));
      const facts =
        client.accessTokenFormat === 'jwt'
          ? accessTokenFacts(grant, requestedScope, resource, now, expiresAt)
          : undefined;
      const minted: FormattedToken =
        facts === undefined ? secret : await formatAccessToken(client, secret, effective(facts));
      const scope = requestedScope.length === 0 ? null : requestedScope;
      const openid = isCurrent(grant, presented, client)
        ? idTokenFacts(grant, scope ?? grant.refresh.scope, client, minted, { issuedAt: now, expiresAt })
        : undefined;
      const idToken = openid && (await idTokens.issue(openid));
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
            accessKid: minted.kid,
            accessExpiresAt: expiresAt,
            previousSecretUsed,
            refreshHash: refresh.hash,
            refreshExpiresAt: refreshExpiry(now, settings),
            idToken: idToken?.record,
          },
          context,
        ),
      );
      if (refusal !== undefined)
        throw oauthError(await postMortem.refusedRefreshToken(refused, refusal, state, { scope, resource }));
      if (!liveGrants.isLive(grantId)) throw oauthError(await postMortem.grantEnded(refused, 'refresh_token'));
      const access = await recordedAccess(state, minted, successors, repeat);
      const renewed = recordedRefresh(state, successors);
      if (access === undefined || renewed === undefined) throw oauthError({ rule: 'answer-not-repeatable' });
      const identity = await recordedIdToken(state, client, idToken, access);
      const granted = effectiveScope(state.access?.scope ?? [], client, state.refresh?.userId ?? null);
      return tokenResponse(access.value, settings.accessTokenLifetimeSeconds, granted, renewed.value, identity);
    },
  };
}

/** Whether the client presents the current refresh token of its grant. */
function isCurrent(
  grant: Grant,
  { hash }: PresentedCredential,
  { clientId }: Client,
): grant is Grant & { readonly refresh: NonNullable<Grant['refresh']> } {
  return grant.refresh?.currentHash === hash && grant.refresh.clientId === clientId;
}

/** The contents of the next access token, from the grant and the request; undefined if the grant has none. */
function accessTokenFacts(
  { refresh }: Grant,
  requestedScope: Scope,
  named: Resources,
  issuedAt: EpochSeconds,
  expiresAt: EpochSeconds,
): AccessTokenFacts | undefined {
  const resource = narrowResources(named, refresh?.resource ?? []);
  if (refresh === null || resource === undefined) return undefined;
  const { clientId, userId } = refresh;
  return {
    clientId,
    userId,
    scope: requestedScope.length === 0 ? refresh.scope : requestedScope,
    resource,
    issuedAt,
    expiresAt,
  };
}

/**
 * The recorded access token: the new one, or the one whose response was lost, rebuilt from the record.
 * @returns undefined if it cannot be rebuilt because settings of the server or the client have changed since
 */
async function recordedAccess(
  { access, refresh }: Grant,
  minted: Minted,
  { access: secret, untaggedAccess }: Successors,
  repeat: RepeatAccessToken,
): Promise<Minted | undefined> {
  const issuedAt = refresh?.rotation?.at;
  if (access === null || refresh === null || issuedAt === undefined) return undefined;
  const isRecorded = ({ hash }: Minted): boolean => hash === access.tokenHash;
  const known = [minted, secret].find(isRecorded);
  if (known !== undefined) return known;
  const { clientId, userId } = refresh;
  const { scope, resource = [], kid, expiresAt } = access;
  const facts = { clientId, userId, scope, resource, issuedAt, expiresAt };
  if (kid !== undefined)
    return [await repeat(kid, secret, facts)].find((again) => again !== undefined && isRecorded(again));
  const earlier = untaggedAccess();
  const candidates = [await repeat(undefined, secret, facts), earlier, await repeat(undefined, earlier, facts)];
  return candidates.find((again) => again !== undefined && isRecorded(again));
}

/** The recorded refresh token: with a tag, or without as an earlier release derived it. */
function recordedRefresh({ refresh: family }: Grant, { refresh, untagged }: Successors): Minted | undefined {
  if (refresh.hash === family?.currentHash) return refresh;
  const earlier = untagged();
  return earlier.hash === family?.currentHash ? earlier : undefined;
}
