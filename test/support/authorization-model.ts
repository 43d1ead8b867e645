import type { TestClient, TestUser } from './running-service.ts';

/**
 * What must be true of every code and token, said without streams, events or projections.
 * Times are seconds since the run began. The functions that decide say what the answer must be and
 * change the model as that answer does; what is handed out is then noted with `handOut`.
 */
export interface Model {
  now: number;
  readonly clients: Client[];
  readonly users: User[];
  readonly grants: Grant[];
}

export interface Client {
  credentials: TestClient;
  /** With the previous secret, and its expiry. */
  previous: { readonly credentials: TestClient; readonly until: number } | null;
  removed: boolean;
}

export interface User {
  login: TestUser;
  state: 'active' | 'disabled' | 'erased';
}

export interface Grant {
  readonly client: Client;
  /** Null: the client acts for itself. */
  readonly owner: User | null;
  readonly scope: readonly string[];
  ended: boolean;
  readonly code: { readonly value: string; readonly expiresAt: number; redeemed: boolean } | null;
  readonly access: { readonly value: string; readonly scope: readonly string[]; expiresAt: number }[];
  readonly refresh: RefreshToken[];
}

interface RefreshToken {
  readonly value: string;
  readonly expiresAt: number;
  exchanged: { readonly at: number; readonly scope: readonly string[]; readonly answer: string } | null;
}

export type Verdict = 'granted' | 'repeated' | 'invalid_grant' | 'invalid_scope' | 'invalid_client';

/** The settings that the model knows about; refresh tokens without an end are `Infinity` here and null there. */
export const LIFETIMES = { code: 60, access: 3600, refresh: 10_800, reuseWindow: 30 } as const;

export function decideRedemption({ now }: Model, grant: Grant, by: Client, redirectUriIsRight: boolean): Verdict {
  const { code } = grant;
  if (by.removed) return 'invalid_client';
  if (code === null || by !== grant.client || grant.ended) return 'invalid_grant';
  if (code.redeemed) return endedBy(grant);
  if (now >= code.expiresAt || !redirectUriIsRight) return 'invalid_grant';
  code.redeemed = true;
  return 'granted';
}

export function decideRefresh(
  { now }: Model,
  grant: Grant,
  token: RefreshToken,
  by: Client,
  scope: readonly string[],
): Verdict {
  const { exchanged } = token;
  const asked = scope.length === 0 ? grant.scope : scope;
  if (by.removed) return 'invalid_client';
  if (by !== grant.client || grant.ended) return 'invalid_grant';
  if (exchanged === null) {
    if (now >= token.expiresAt) return 'invalid_grant';
    return asked.every((name) => grant.scope.includes(name)) ? 'granted' : 'invalid_scope';
  }
  const successor = grant.refresh[grant.refresh.indexOf(token) + 1];
  if (successor?.exchanged !== null || now - exchanged.at >= LIFETIMES.reuseWindow) return endedBy(grant);
  return asked.length === exchanged.scope.length && asked.every((name) => exchanged.scope.includes(name))
    ? 'repeated'
    : 'invalid_scope';
}

export function decideRevocation(model: Model, grant: Grant, token: string, by: Client): 'done' | 'invalid_client' {
  if (by.removed) return 'invalid_client';
  const isAlive =
    grant.access.some((access) => access.value === token && isAccessAlive(model, grant, access)) ||
    grant.refresh.some(({ value }) => value === token);
  if (by === grant.client && isAlive) grant.ended = true;
  return 'done';
}

function endedBy(grant: Grant): 'invalid_grant' {
  grant.ended = true;
  return 'invalid_grant';
}

export function endAll(model: Model, belongs: (grant: Grant) => boolean): void {
  for (const grant of model.grants.filter(belongs)) grant.ended = true;
}

/** The refresh of a grant that already has tokens: its previous access token ends with the retry window. */
export function handOut(
  { now }: Model,
  grant: Grant,
  scope: readonly string[],
  access: string,
  refresh: string | undefined,
  refreshLifetime: number,
): void {
  const before = grant.access.at(-1);
  if (before !== undefined) before.expiresAt = Math.min(before.expiresAt, now + LIFETIMES.reuseWindow);
  grant.access.push({ value: access, scope, expiresAt: now + LIFETIMES.access });
  if (refresh !== undefined) grant.refresh.push({ value: refresh, expiresAt: now + refreshLifetime, exchanged: null });
}

export function isAccessAlive({ now }: Model, grant: Grant, access: Grant['access'][number]): boolean {
  return !grant.ended && now < access.expiresAt;
}

export function isRefreshAlive({ now }: Model, grant: Grant, token: RefreshToken): boolean {
  return !grant.ended && token.exchanged === null && now < token.expiresAt;
}

/** Whether the user sees it in the list of authorized applications. */
export function isListed(model: Model, grant: Grant): boolean {
  return (
    grant.access.some((access) => isAccessAlive(model, grant, access)) ||
    grant.refresh.some((token) => isRefreshAlive(model, grant, token))
  );
}
