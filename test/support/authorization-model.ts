import type { TestClient, TestUser } from './running-service.ts';

/**
 * The state of every code and token, without streams, events or projections. Times are seconds since the start of the
 * run. The `decide…` functions return the expected response and change the model accordingly. `recordTokens` then
 * adds the tokens of the response.
 */
export interface Model {
  now: number;
  readonly clients: Client[];
  readonly users: User[];
  readonly grants: Grant[];
}

export interface Client {
  credentials: TestClient;
  /** The client with its previous secret, and the expiry of that secret. */
  previous: { readonly credentials: TestClient; readonly until: number } | null;
  isRemoved: boolean;
}

export interface User {
  login: TestUser;
  state: 'active' | 'disabled' | 'erased';
}

export interface Grant {
  readonly client: Client;
  /** Null if the client acts on its own behalf. */
  readonly owner: User | null;
  readonly scope: readonly string[];
  isEnded: boolean;
  readonly code: { readonly value: string; readonly expiresAt: number; redeemed: boolean } | null;
  readonly access: { readonly value: string; readonly scope: readonly string[]; expiresAt: number }[];
  readonly refresh: RefreshToken[];
}

interface RefreshToken {
  readonly value: string;
  readonly expiresAt: number;
  rotation: { readonly at: number; readonly scope: readonly string[]; readonly response: string } | null;
}

export type Verdict = 'granted' | 'repeated' | 'invalid_grant' | 'invalid_scope' | 'invalid_client';

/** The lifetimes in the model. A refresh token that never expires has `Infinity` here and null in the settings. */
export const LIFETIMES = { code: 60, access: 3600, refresh: 10_800, reuseWindow: 30 } as const;

export function decideRedemption({ now }: Model, grant: Grant, caller: Client, isRedirectUriCorrect: boolean): Verdict {
  const { code } = grant;
  if (caller.isRemoved) return 'invalid_client';
  if (code === null || caller !== grant.client || grant.isEnded) return 'invalid_grant';
  if (code.redeemed) return endAndRefuse(grant);
  if (now >= code.expiresAt || !isRedirectUriCorrect) return 'invalid_grant';
  code.redeemed = true;
  return 'granted';
}

export function decideRefresh(
  { now }: Model,
  grant: Grant,
  token: RefreshToken,
  caller: Client,
  scope: readonly string[],
): Verdict {
  const { rotation } = token;
  const requestedScope = scope.length === 0 ? grant.scope : scope;
  if (caller.isRemoved) return 'invalid_client';
  if (caller !== grant.client || grant.isEnded) return 'invalid_grant';
  if (rotation === null) {
    if (now >= token.expiresAt) return 'invalid_grant';
    return requestedScope.every((name) => grant.scope.includes(name)) ? 'granted' : 'invalid_scope';
  }
  const successor = grant.refresh[grant.refresh.indexOf(token) + 1];
  if (successor?.rotation !== null || now - rotation.at >= LIFETIMES.reuseWindow) return endAndRefuse(grant);
  return requestedScope.length === rotation.scope.length &&
    requestedScope.every((name) => rotation.scope.includes(name))
    ? 'repeated'
    : 'invalid_scope';
}

export function decideRevocation(model: Model, grant: Grant, token: string, caller: Client): 'done' | 'invalid_client' {
  if (caller.isRemoved) return 'invalid_client';
  const isAlive =
    grant.access.some((access) => access.value === token && isAccessAlive(model, grant, access)) ||
    grant.refresh.some(({ value }) => value === token);
  if (caller === grant.client && isAlive) grant.isEnded = true;
  return 'done';
}

function endAndRefuse(grant: Grant): 'invalid_grant' {
  grant.isEnded = true;
  return 'invalid_grant';
}

export function endAll(model: Model, isAffected: (grant: Grant) => boolean): void {
  for (const grant of model.grants.filter(isAffected)) grant.isEnded = true;
}

/** Adds new tokens to a grant. The previous access token expires with the reuse window, unless it expires earlier. */
export function recordTokens(
  { now }: Model,
  grant: Grant,
  scope: readonly string[],
  access: string,
  refresh: string | undefined,
  refreshLifetime: number,
): void {
  const previousAccess = grant.access.at(-1);
  if (previousAccess !== undefined)
    previousAccess.expiresAt = Math.min(previousAccess.expiresAt, now + LIFETIMES.reuseWindow);
  grant.access.push({ value: access, scope, expiresAt: now + LIFETIMES.access });
  if (refresh !== undefined) grant.refresh.push({ value: refresh, expiresAt: now + refreshLifetime, rotation: null });
}

export function isAccessAlive({ now }: Model, grant: Grant, access: Grant['access'][number]): boolean {
  return !grant.isEnded && now < access.expiresAt;
}

export function isRefreshAlive({ now }: Model, grant: Grant, token: RefreshToken): boolean {
  return !grant.isEnded && token.rotation === null && now < token.expiresAt;
}

/** Reports whether the grant is in the user's list of authorized applications. */
export function isListed(model: Model, grant: Grant): boolean {
  return (
    grant.access.some((access) => isAccessAlive(model, grant, access)) ||
    grant.refresh.some((token) => isRefreshAlive(model, grant, token))
  );
}
