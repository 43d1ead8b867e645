import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Party } from '../../domain/token-exchange.ts';
import { MAX_EXCHANGE_DEPTH, type EpochSeconds, type GrantId } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Exchange } from '../../projections/exchange.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import type { LiveGrant } from '../../projections/live-grant.ts';
import type { EventLog, Position } from '../../event-store/event-log.ts';
import type { PastMoment } from './exchange-search.ts';
import { createKeyUseSearch } from './key-uses.ts';
import type { LeakedSource } from './leaked-source.ts';

/** The source that leaked. A token is replaced by its grant. */
export type BlastSource =
  | { readonly kind: 'grant'; readonly grantId: GrantId }
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'session'; readonly sessionHash: string }
  /** The grants that `createKeyUseSearch` found for the key or for the JWT from another issuer. */
  | { readonly kind: 'key'; readonly grantIds: ReadonlySet<GrantId> };

/** A live grant that came from the source. */
export interface AffectedGrant extends Party {
  readonly grantId: GrantId;
  readonly kind: 'authorization' | 'client credentials' | 'exchange';
  readonly scope: Scope;
  /** The resource servers that the grant is restricted to; empty if it is unrestricted. */
  readonly resources: Resources;
  /** The position of the event that began the grant, or of its first live token. */
  readonly position: Position;
  /** When the last credential expires, in seconds since the epoch, or null if the grant lasts until it is revoked. */
  readonly expiresAt: EpochSeconds | null;
  /** The number of valid access tokens, including tokens that are refused while a client is disabled. */
  readonly tokens: number;
  /**
   * How the grant came from the source: directly, or as an exchange whose subject token or actor token came from
   * another affected grant.
   */
  readonly via: { readonly kind: 'source' } | { readonly kind: 'subject' | 'actor'; readonly grantId: GrantId };
}

/** The projections at one moment. */
export interface BlastProjections {
  readonly grants: Pick<Grants, 'all'>;
  readonly accessTokens: Pick<AccessTokens, 'liveOrPaused'>;
  readonly exchanges: Pick<Exchanges, 'all'>;
}

/**
 * Returns the grants that are valid at `now` and came from the source: its own grants, and the exchanges that used
 * their tokens as subject tokens or actor tokens, at every depth. Includes grants that are paused because a client is
 * disabled. Ending the grants that came directly from the source ends all the others. Reads every valid token once.
 */
export function computeBlastRadius(
  source: BlastSource,
  now: EpochSeconds,
  { grants, accessTokens, exchanges }: BlastProjections,
): readonly AffectedGrant[] {
  const { countByGrant, singleTokens } = indexTokens(accessTokens.liveOrPaused(now));
  const affectedGrants = new Map<GrantId, AffectedGrant>();
  const countTokens = (grantId: GrantId): number => countByGrant.get(grantId) ?? 0;
  const add = (grant: Omit<AffectedGrant, 'tokens'>): void =>
    void affectedGrants.set(grant.grantId, { ...grant, tokens: countTokens(grant.grantId) });

  for (const grant of grants.all(now, true)) if (isSourceOfGrant(source, grant)) add(fromAuthorization(grant));
  for (const token of singleTokens.values()) if (isSourceOfClientToken(source, token)) add(fromClientToken(token));
  for (const level of groupByDepth(exchanges, singleTokens)) {
    for (const [exchange, token] of level) {
      const via = findVia(source, exchange, affectedGrants);
      if (via !== undefined) add(fromExchange(exchange, token, via));
    }
  }
  return [...affectedGrants.values()];
}

const LATEST: PastMoment = { position: Infinity, time: Infinity };

/**
 * Returns a function that computes the blast radius of one source. For a key or a JWT from another issuer, the first
 * call reads the log up to the moment, and later calls read only the events since then.
 */
export function createBlastRadius(source: LeakedSource, log: Pick<EventLog, 'readAll'>) {
  const keyUses = needsLogSearch(source)
    ? createKeyUseSearch(source.kind === 'key' ? source.keyId : source.tokenHash, log)
    : undefined;
  return async (
    now: EpochSeconds,
    projections: BlastProjections,
    moment: PastMoment = LATEST,
  ): Promise<readonly AffectedGrant[]> => {
    const blastSource: BlastSource = needsLogSearch(source)
      ? { kind: 'key', grantIds: (await keyUses?.findUpTo(moment)) ?? new Set() }
      : source;
    return computeBlastRadius(blastSource, now, projections);
  };
}

/**
 * Reports whether the log must be searched for the grants of the source, because no projection records which grants
 * came from it.
 */
function needsLogSearch(
  source: LeakedSource,
): source is Extract<LeakedSource, { readonly kind: 'key' | 'foreign-token' }> {
  return source.kind === 'key' || source.kind === 'foreign-token';
}

/**
 * Counts the tokens of each grant, and indexes the single token of each exchange and of each grant that no user
 * authorized.
 */
function indexTokens(tokens: Iterable<AccessToken>) {
  const countByGrant = new Map<GrantId, number>();
  const singleTokens = new Map<GrantId, AccessToken>();
  for (const token of tokens) {
    countByGrant.set(token.grantId, (countByGrant.get(token.grantId) ?? 0) + 1);
    if (token.userId === null || token.exchanged === true) singleTokens.set(token.grantId, token);
  }
  return { countByGrant, singleTokens };
}

function isSourceOfGrant(source: BlastSource, { grantId, clientId, login, endsWith }: LiveGrant): boolean {
  if (source.kind === 'client') return clientId === source.clientId;
  if (source.kind === 'session')
    return login?.sessionHash === source.sessionHash || endsWith?.sessionHash === source.sessionHash;
  return includesGrant(source, grantId);
}

function isSourceOfClientToken(source: BlastSource, { grantId, clientId, exchanged }: AccessToken): boolean {
  if (source.kind === 'session' || exchanged === true) return false;
  return source.kind === 'client' ? clientId === source.clientId : includesGrant(source, grantId);
}

function includesGrant(source: Extract<BlastSource, { kind: 'grant' | 'key' }>, grantId: GrantId): boolean {
  return source.kind === 'grant' ? grantId === source.grantId : source.grantIds.has(grantId);
}

/**
 * Groups the live exchanges by depth. An exchange is live while its token is valid. It is always deeper than the
 * exchange of its subject token, and its actor token never comes from an exchange.
 */
function groupByDepth(
  { all }: BlastProjections['exchanges'],
  liveTokens: ReadonlyMap<GrantId, AccessToken>,
): readonly (readonly (readonly [Exchange, AccessToken])[])[] {
  const levels: [Exchange, AccessToken][][] = Array.from({ length: MAX_EXCHANGE_DEPTH + 1 }, () => []);
  for (const exchange of all()) {
    const token = liveTokens.get(exchange.grantId);
    if (token !== undefined) levels[exchange.depth]?.push([exchange, token]);
  }
  return levels;
}

function findVia(
  source: BlastSource,
  { grantId, clientId, parent, actor }: Exchange,
  affectedGrants: ReadonlyMap<GrantId, AffectedGrant>,
): AffectedGrant['via'] | undefined {
  const isRoot = parent.grantId === grantId; // another issuer signed the subject token
  if (!isRoot && affectedGrants.has(parent.grantId)) return { kind: 'subject', grantId: parent.grantId };
  if (actor !== undefined && affectedGrants.has(actor.grantId)) return { kind: 'actor', grantId: actor.grantId };
  const comesFromSource =
    source.kind === 'client'
      ? clientId === source.clientId
      : source.kind !== 'session' && includesGrant(source, grantId);
  return comesFromSource ? { kind: 'source' } : undefined;
}

function fromAuthorization(grant: LiveGrant): Omit<AffectedGrant, 'tokens'> {
  const { grantId, clientId, userId, scope, resource = [], grantedPosition: position, expiresAt } = grant;
  const via = { kind: 'source' } as const;
  return { grantId, kind: 'authorization', clientId, userId, scope, resources: resource, position, expiresAt, via };
}

function fromClientToken(token: AccessToken): Omit<AffectedGrant, 'tokens'> {
  const { grantId, clientId, scope, resource: resources, issuedPosition: position, expiresAt } = token;
  const via = { kind: 'source' } as const;
  return { grantId, kind: 'client credentials', clientId, userId: null, scope, resources, position, expiresAt, via };
}

function fromExchange(
  { grantId, clientId, userId, position, expiresAt }: Exchange,
  { scope, resource: resources }: AccessToken,
  via: AffectedGrant['via'],
): Omit<AffectedGrant, 'tokens'> {
  return { grantId, kind: 'exchange', clientId, userId, scope, resources, position, expiresAt, via };
}
