import { grantStream } from '../../domain/streams.ts';
import { grantIdOfToken } from '../../domain/token-exchange.ts';
import type { EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { Exchange } from '../../projections/exchange.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Users } from '../../projections/users.ts';
import {
  isAccountEvent,
  searchExchanges,
  type ExchangeSearchResult,
  type PastMoment,
  type SearchLimits,
} from './exchange-search.ts';
import { decodeExchange, grantIdOf, buildTree, type TreeContext, type TreeNode } from './exchange-tree-node.ts';
import { createGrantEnds, readFirstEvent } from './grant-end.ts';

/** The tree of exchanges that a grant belongs to. */
export interface ExchangeTree {
  readonly root: TreeNode;
  /** The position of the last event that was considered. */
  readonly asOf: Position;
  /** The time when tokens had to be valid. */
  readonly now: EpochSeconds;
  /** The number of all exchanges. */
  readonly count: number;
  /** The number of exchanges in the tree. */
  readonly shown: number;
  /**
   * Where the search stopped, or null if it was complete. Exchanges after this position that have expired are missing.
   */
  readonly searchedTo: Position | null;
}

export interface ExchangeTreeDeps {
  readonly log: Pick<EventLog, 'readAll' | 'readStream' | 'readStreamBackwards' | 'head'>;
  readonly exchanges: Pick<Exchanges, 'listByRoot'>;
  readonly users: Pick<Users, 'find'>;
}

export interface TreeRequest {
  readonly grantId: GrantId;
  /** Later events are ignored. */
  readonly moment: PastMoment;
  /** The time when tokens must be valid. */
  readonly now: EpochSeconds;
  readonly limits: SearchLimits;
}

/**
 * Returns the tree of exchanges (RFC 8693) that a grant belongs to, from the grant at the root down. It is computed
 * from the log, so it also explains grants that have ended or expired. Contains the newest exchanges, and the ancestors
 * of these exchanges and of the grant. If the search reaches its limit, exchanges whose tokens have expired may be
 * missing.
 * @returns undefined if there was no such grant at that moment
 */
export async function exchangeTree(
  { grantId, moment, now, limits }: TreeRequest,
  deps: ExchangeTreeDeps,
): Promise<ExchangeTree | undefined> {
  const { log } = deps;
  const head = log.head();
  const requestedGrant = await findGrantAt(grantId, moment, log);
  const root = requestedGrant && (await findRoot(requestedGrant, moment, log));
  if (requestedGrant === undefined || root === undefined) return undefined;
  const searchResult = await searchExchanges(root, moment, limits, log);
  const upTo = searchResult.isComplete ? searchResult.lastPosition : head;
  const laterExchanges = searchResult.isComplete
    ? []
    : deps.exchanges.listByRoot(grantIdOf(root)).filter(({ position }) => position > searchResult.lastPosition);
  const newestExchanges = [
    ...searchResult.newest,
    ...(await readFirstEvents(laterExchanges.slice(-limits.maxExchanges), log)),
  ].slice(-limits.maxExchanges);
  const firstEvents = await collectWithAncestors([requestedGrant, ...newestExchanges], log);
  firstEvents.delete(grantIdOf(root));
  const tree = await buildTree(
    root,
    {},
    {
      now,
      log,
      ends: createGrantEnds({ log, upTo, accountEvents: (userId) => accountEvents(userId, searchResult, deps) }),
      childrenOf: groupByParent([...firstEvents.values()]),
      countOf: (id) => searchResult.countOf(id) + laterExchanges.filter(({ parent }) => parent.grantId === id).length,
    },
  );
  return {
    root: tree,
    asOf: upTo,
    now,
    count: searchResult.count + laterExchanges.length,
    shown: firstEvents.size,
    searchedTo: searchResult.isComplete ? null : searchResult.lastPosition,
  };
}

/** Returns the first event of a grant that existed at that moment. */
async function findGrantAt(
  grantId: GrantId,
  { position, time }: PastMoment,
  log: Pick<EventLog, 'readStream'>,
): Promise<RecordedEvent | undefined> {
  const firstEvent = await readFirstEvent(grantStream(grantId), log);
  return firstEvent !== undefined &&
    startsGrant(firstEvent) &&
    firstEvent.position <= position &&
    firstEvent.recordedAt <= time
    ? firstEvent
    : undefined;
}

function startsGrant({ type }: RecordedEvent): boolean {
  return (
    type === 'ConsentGiven' || type === 'TokenExchanged' || type === 'AssertionRedeemed' || type === 'AccessTokenIssued'
  );
}

async function findRoot(
  grantEvent: RecordedEvent,
  moment: PastMoment,
  log: Pick<EventLog, 'readStream'>,
): Promise<RecordedEvent | undefined> {
  const exchange = decodeExchange(grantEvent);
  return exchange === undefined ? grantEvent : findGrantAt(exchange.root.grantId, moment, log);
}

async function readFirstEvents(
  exchanges: readonly Exchange[],
  log: Pick<EventLog, 'readStream'>,
): Promise<readonly RecordedEvent[]> {
  const firstEvents: RecordedEvent[] = [];
  for (const { grantId } of exchanges) {
    const firstEvent = await readFirstEvent(grantStream(grantId), log);
    if (firstEvent !== undefined) firstEvents.push(firstEvent);
  }
  return firstEvents;
}

/** Returns the grants and their ancestors by id, not including a root above them. */
async function collectWithAncestors(
  grants: readonly RecordedEvent[],
  log: Pick<EventLog, 'readStream'>,
): Promise<Map<GrantId, RecordedEvent>> {
  const grantsById = new Map<GrantId, RecordedEvent>(grants.map((first) => [grantIdOf(first), first]));
  for (const firstEvent of grants) {
    let parent = parentOf(firstEvent);
    while (parent !== undefined && !grantsById.has(parent)) {
      const parentGrant = await readFirstEvent(grantStream(parent), log);
      if (parentGrant === undefined || decodeExchange(parentGrant) === undefined) break;
      grantsById.set(parent, parentGrant);
      parent = parentOf(parentGrant);
    }
  }
  return grantsById;
}

function groupByParent(exchanges: readonly RecordedEvent[]): TreeContext['childrenOf'] {
  const groups = new Map<GrantId | undefined, RecordedEvent[]>();
  for (const firstEvent of exchanges.toSorted((a, b) => a.position - b.position)) {
    const parent = parentOf(firstEvent);
    const siblings = groups.get(parent) ?? [];
    siblings.push(firstEvent);
    groups.set(parent, siblings);
  }
  return (grantId) => groups.get(grantId) ?? [];
}

/** Returns the events that the search found. If the search was incomplete, reads the stream of the account instead. */
async function accountEvents(
  userId: UserId,
  searchResult: ExchangeSearchResult,
  { log, users }: ExchangeTreeDeps,
): Promise<readonly RecordedEvent[] | undefined> {
  if (searchResult.isComplete) return searchResult.accountEvents(userId);
  const stream = users.find(userId)?.stream;
  if (stream === undefined) return undefined;
  const events: RecordedEvent[] = [];
  for await (const page of log.readStream(stream)) events.push(...page.filter(isAccountEvent));
  return events;
}

/**
 * Returns the grant whose token was exchanged; undefined if this grant is not an exchange of a token from this server.
 */
function parentOf(first: RecordedEvent): GrantId | undefined {
  const exchange = decodeExchange(first);
  return exchange && grantIdOfToken(exchange.parent);
}
