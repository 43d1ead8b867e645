import { authorizationGrant, type Grant, type GrantCommand } from '../../../src/domain/authorization-grant.ts';
import type { CredentialHash } from '../../../src/domain/values.ts';
import { clientId, grantId, hashOf, loginOf, seconds, userId } from '../domain-values.ts';
import type { GrantOperation } from './grant-history.ts';

/** A request that affects or examines a grant. */
export type GrantRequest =
  | { readonly kind: 'redeem' | 'revoke' }
  | { readonly kind: 'refresh' | 'introspect'; readonly token: string };

/** A grant under the real rules, without a server. */
export interface SimulatedGrant {
  readonly grant: Grant;
  /** When each access token becomes inactive, in seconds. */
  readonly endsAt: ReadonlyMap<CredentialHash, number>;
  /** All refresh tokens of the grant. */
  readonly refreshTokens: readonly CredentialHash[];
}

export const REUSE_WINDOW_SECONDS = 30;
export const FIRST_PAIR = { access: 'access', refresh: 'refresh' } as const;

/** Returns the tokens that follow from a refresh token. */
export function successorsOf(token: string): { readonly access: string; readonly refresh: string } {
  return { access: `access after ${token}`, refresh: `refresh after ${token}` };
}

const IDENTITY = { grantId: grantId('grant'), clientId: clientId('A'), resource: [] } as const;
const REDIRECT_URI = 'https://app.example/callback';

/** A grant with a code. */
export const NEW_GRANT: SimulatedGrant = decide(
  { grant: authorizationGrant.initial, endsAt: new Map(), refreshTokens: [] },
  {
    ...IDENTITY,
    type: 'IssueCode',
    userId: userId('ada'),
    scope: ['read'],
    consent: 'asked',
    codeHash: hashOf('code'),
    redirectUri: REDIRECT_URI,
    redirectUriRequired: true,
    codeChallenge: null,
    login: loginOf('session'),
    requested: { scope: ['read'] },
    now: seconds(0),
    expiresAt: seconds(1_000_000),
  },
).next;

/**
 * Executes a request.
 * @param now seconds
 */
export function execute(
  grant: SimulatedGrant,
  request: GrantRequest,
  now: number,
): { readonly next: SimulatedGrant; readonly outcome: GrantOperation['outcome'] } {
  switch (request.kind) {
    case 'revoke':
      return { ...decide(grant, { type: 'RevokeGrant', reason: 'revoked-by-client' }), outcome: 'done' };
    case 'introspect':
      return { next: grant, outcome: isActive(grant, hashOf(request.token), now) ? 'active' : 'inactive' };
    case 'redeem': {
      const redemption = { type: 'RedeemCode', codeHash: hashOf('code'), redirectUri: REDIRECT_URI } as const;
      const command = { ...IDENTITY, ...redemption, verifier: null, ...tokensToIssue(FIRST_PAIR, now) };
      const { next, isRefused } = decide(grant, command);
      return { next, outcome: isRefused ? 'refused' : FIRST_PAIR };
    }
    case 'refresh': {
      const { token } = request;
      const presentedHash = hashOf(token);
      const isPresentedTokenGenuine = grant.refreshTokens.includes(presentedHash);
      const presentation = { presentedHash, isPresentedTokenGenuine, scope: null };
      const refresh = { type: 'RefreshGrant', reuseWindowSeconds: REUSE_WINDOW_SECONDS } as const;
      const command = { ...IDENTITY, ...refresh, ...presentation, ...tokensToIssue(successorsOf(token), now) };
      const { next, isRefused } = decide(grant, command);
      return { next, outcome: isRefused ? 'refused' : successorsOf(token) };
    }
  }
}

function tokensToIssue(pair: { readonly access: string; readonly refresh: string }, now: number) {
  return {
    now: seconds(now),
    accessHash: hashOf(pair.access),
    accessExpiresAt: seconds(1_000_000),
    previousSecretUsed: false,
    refreshHash: hashOf(pair.refresh),
    refreshExpiresAt: null,
  };
}

function decide(
  { grant, endsAt, refreshTokens }: SimulatedGrant,
  command: GrantCommand,
): { readonly next: SimulatedGrant; readonly isRefused: boolean } {
  const { events, refusal } = authorizationGrant.decide(command, grant);
  const newEndsAt = new Map(endsAt);
  const newRefreshTokens = [...refreshTokens];
  for (const { type, data } of events) {
    if (type === 'AccessTokenIssued') newEndsAt.set(data.tokenHash, data.expiresAt);
    if (type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated') newRefreshTokens.push(data.tokenHash);
    if (type === 'RefreshTokenRotated' && data.retired !== undefined)
      newEndsAt.set(data.retired.tokenHash, data.retired.endsAt);
  }
  const next = {
    grant: events.reduce(authorizationGrant.evolve, grant),
    endsAt: newEndsAt,
    refreshTokens: newRefreshTokens,
  };
  return { next, isRefused: refusal !== undefined };
}

function isActive({ grant, endsAt }: SimulatedGrant, token: CredentialHash, now: number): boolean {
  return grant.status !== 'revoked' && now < (endsAt.get(token) ?? -Infinity);
}
