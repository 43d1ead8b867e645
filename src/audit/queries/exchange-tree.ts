import { decodeEvent, type EventOf } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import { grantStream } from '../../domain/streams.ts';
import { grantOfToken } from '../../domain/token-exchange.ts';
import type { EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { Exchange } from '../../projections/exchange.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Users } from '../../projections/users.ts';
import {
  isAccountEvent,
  searchExchanges,
  type FoundExchanges,
  type PastMoment,
  type SearchLimits,
} from './exchange-search.ts';
import { createGrantEnds, earliestEnd, firstEvent, type EndCause, type GrantEnd, type GrantEnds } from './grant-end.ts';

/** Why a token is not valid any more. */
export interface TreeEnd {
  readonly cause: EndCause;
  /** Null if its time was over, or if the event was not found. */
  readonly event: RecordedEvent | null;
  /** The grant that ended: its own, that of its actor, or one above it. */
  readonly of: { readonly is: 'own' | 'actor' | 'above'; readonly first: RecordedEvent };
}

/** A grant, and the exchanges of its tokens. */
export interface TreeNode {
  readonly grantId: GrantId;
  /** A consent, an exchange, or the token of a client that acts for itself. */
  readonly first: RecordedEvent;
  /** Null if it has a credential that does not expire. */
  readonly expiresAt: EpochSeconds | null;
  /** Empty means no limit to resource servers. */
  readonly resources: Resources;
  /** Null while it is live. */
  readonly end: TreeEnd | null;
  /** Oldest first. */
  readonly exchanges: readonly TreeNode[];
  /** The number of its exchanges that are left out. */
  readonly omitted: number;
}

/** A grant in the tree of exchanges to which it belongs. */
export interface ExchangeTree {
  readonly root: TreeNode;
  /** The last event that was considered, and the time at which tokens had to be valid. */
  readonly asOf: Position;
  readonly now: EpochSeconds;
  /** The number of exchanges, and of those that are part of the tree. */
  readonly count: number;
  readonly shown: number;
  /** Where the search for exchanges that have expired stopped; null if it was complete. */
  readonly searchedTo: Position | null;
}

export interface ExchangeTreeParts {
  readonly log: Pick<EventLog, 'readAll' | 'readStream' | 'readStreamBackwards' | 'head'>;
  readonly exchanges: Pick<Exchanges, 'from'>;
  readonly users: Pick<Users, 'find'>;
}

export interface TreeQuestion {
  readonly grantId: GrantId;
  /** Up to when events count. */
  readonly moment: PastMoment;
  /** The time at which tokens have to be valid. */
  readonly now: EpochSeconds;
  readonly limits: SearchLimits;
}

/**
 * The tree of exchanges (RFC 8693) to which a grant belongs, from the grant at the root down. It follows from the log,
 * so it also explains what has ended or expired. Contains the newest exchanges, and those above them and above the
 * grant. If the effort does not suffice, exchanges whose tokens have expired can be missing.
 * @returns undefined if there was no such grant at that moment
 */
export async function exchangeTree(
  { grantId, moment, now, limits }: TreeQuestion,
  parts: ExchangeTreeParts,
): Promise<ExchangeTree | undefined> {
  const { log } = parts;
  const head = log.head();
  const asked = await grantAt(grantId, moment, log);
  const root = asked && (await rootOf(asked, moment, log));
  if (asked === undefined || root === undefined) return undefined;
  const found = await searchExchanges(root, moment, limits, log);
  const upTo = found.isComplete ? found.reached : head;
  const later = found.isComplete
    ? []
    : parts.exchanges.from(grantIdOf(root)).filter(({ position }) => position > found.reached);
  const newest = [...found.newest, ...(await beginningsOf(later.slice(-limits.keep), log))].slice(-limits.keep);
  const firsts = await withAncestors([asked, ...newest], log);
  firsts.delete(grantIdOf(root));
  const tree = await growTree(root, undefined, {
    now,
    log,
    ends: createGrantEnds({ log, upTo, accountEvents: (userId) => accountEvents(userId, found, parts) }),
    childrenOf: groupByParent([...firsts.values()]),
    countOf: (id) => found.countOf(id) + later.filter(({ parent }) => parent.grantId === id).length,
  });
  return {
    root: tree,
    asOf: upTo,
    now,
    count: found.count + later.length,
    shown: firsts.size,
    searchedTo: found.isComplete ? null : found.reached,
  };
}

interface Growth {
  readonly now: EpochSeconds;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly ends: GrantEnds;
  readonly childrenOf: (grantId: GrantId) => readonly RecordedEvent[];
  readonly countOf: FoundExchanges['countOf'];
}

type EndOf = GrantEnd & Pick<TreeEnd, 'of'>;

/** @param above the event that ended the grant above, if one did */
async function growTree(first: RecordedEvent, above: EndOf | undefined, growth: Growth): Promise<TreeNode> {
  const { now, ends, childrenOf, countOf } = growth;
  const exchange = exchangeOf(first);
  const own = await ends.endOf(first);
  const ended = earliestEnd<EndOf>([
    own && { ...own, of: { is: 'own', first } },
    exchange && (await endOfActor(exchange, growth)),
    above && { ...above, of: { ...above.of, is: above.of.is === 'actor' ? 'actor' : 'above' } },
  ]);
  const { expiresAt, resources } =
    exchange === undefined
      ? await ends.termsOf(first)
      : { expiresAt: exchange.expiresAt, resources: exchange.resource ?? [] };
  const grantId = grantIdOf(first);
  const children: TreeNode[] = [];
  for (const child of childrenOf(grantId)) children.push(await growTree(child, ended, growth));
  return {
    grantId,
    first,
    expiresAt,
    resources,
    end: endAt(now, expiresAt, ended, first),
    exchanges: children,
    omitted: Math.max(0, countOf(grantId) - children.length),
  };
}

async function endOfActor(
  { actor }: EventOf<'TokenExchanged'>['data'],
  { ends, log }: Growth,
): Promise<EndOf | undefined> {
  const grantId = actor && grantOfToken(actor);
  const first = grantId && (await firstEvent(grantStream(grantId), log));
  const ended = first && (await ends.endOf(first));
  return ended && { ...ended, of: { is: 'actor', first } };
}

/** An event after the expiry ended nothing. */
function endAt(
  now: EpochSeconds,
  expiresAt: EpochSeconds | null,
  ended: EndOf | undefined,
  first: RecordedEvent,
): TreeEnd | null {
  const isOver = expiresAt !== null && now >= expiresAt;
  if (ended !== undefined && !(isOver && ended.event !== null && ended.event.recordedAt >= expiresAt * 1000))
    return ended;
  return isOver ? { cause: 'expired', event: null, of: { is: 'own', first } } : null;
}

/** The first event of a grant that existed at that moment. */
async function grantAt(
  grantId: GrantId,
  { position, time }: PastMoment,
  log: Pick<EventLog, 'readStream'>,
): Promise<RecordedEvent | undefined> {
  const first = await firstEvent(grantStream(grantId), log);
  return first !== undefined && isBeginning(first) && first.position <= position && first.recordedAt <= time
    ? first
    : undefined;
}

function isBeginning({ type }: RecordedEvent): boolean {
  return (
    type === 'ConsentGiven' || type === 'TokenExchanged' || type === 'AssertionRedeemed' || type === 'AccessTokenIssued'
  );
}

async function rootOf(
  first: RecordedEvent,
  moment: PastMoment,
  log: Pick<EventLog, 'readStream'>,
): Promise<RecordedEvent | undefined> {
  const exchange = exchangeOf(first);
  return exchange === undefined ? first : grantAt(exchange.root.grantId, moment, log);
}

async function beginningsOf(
  exchanges: readonly Exchange[],
  log: Pick<EventLog, 'readStream'>,
): Promise<readonly RecordedEvent[]> {
  const firsts: RecordedEvent[] = [];
  for (const { grantId } of exchanges) {
    const first = await firstEvent(grantStream(grantId), log);
    if (first !== undefined) firsts.push(first);
  }
  return firsts;
}

/** The grants, and all those above them except the root. */
async function withAncestors(
  grants: readonly RecordedEvent[],
  log: Pick<EventLog, 'readStream'>,
): Promise<Map<GrantId, RecordedEvent>> {
  const all = new Map<GrantId, RecordedEvent>(grants.map((first) => [grantIdOf(first), first]));
  for (const first of grants) {
    let parent = parentOf(first);
    while (parent !== undefined && !all.has(parent)) {
      const above = await firstEvent(grantStream(parent), log);
      if (above === undefined || exchangeOf(above) === undefined) break;
      all.set(parent, above);
      parent = parentOf(above);
    }
  }
  return all;
}

function groupByParent(exchanges: readonly RecordedEvent[]): Growth['childrenOf'] {
  const groups = new Map<GrantId | undefined, RecordedEvent[]>();
  for (const first of exchanges.toSorted((one, other) => one.position - other.position)) {
    const parent = parentOf(first);
    const siblings = groups.get(parent) ?? [];
    siblings.push(first);
    groups.set(parent, siblings);
  }
  return (grantId) => groups.get(grantId) ?? [];
}

/** From the search or, beyond it, from the stream of the account. */
async function accountEvents(
  userId: UserId,
  found: FoundExchanges,
  { log, users }: ExchangeTreeParts,
): Promise<readonly RecordedEvent[] | undefined> {
  if (found.isComplete) return found.accountEvents(userId);
  const stream = users.find(userId)?.stream;
  if (stream === undefined) return undefined;
  const events: RecordedEvent[] = [];
  for await (const page of log.readStream(stream)) events.push(...page.filter(isAccountEvent));
  return events;
}

function exchangeOf(first: RecordedEvent): EventOf<'TokenExchanged'>['data'] | undefined {
  const { type, data } = decodeEvent(first);
  return type === 'TokenExchanged' ? data : undefined;
}

/** Undefined for a grant that was not exchanged from another one here. */
function parentOf(first: RecordedEvent): GrantId | undefined {
  const exchange = exchangeOf(first);
  return exchange && grantOfToken(exchange.parent);
}

const grantIdOf = (first: RecordedEvent): GrantId => first.stream.slice('grant-'.length) as GrantId;
