import type { Message } from '../../../language/message.ts';
import { describeEnd } from '../../../audit/queries/end-sentences.ts';
import type { TreeNode } from '../../../audit/queries/exchange-tree-node.ts';
import { exchangeTree, type ExchangeTree, type ExchangeTreeDeps } from '../../../audit/queries/exchange-tree.ts';
import type { FindParties } from '../../../audit/queries/parties.ts';
import { readEventAt } from '../../../audit/queries/read-event-at.ts';
import { describeEvent } from '../../../audit/queries/sentence.ts';
import { createNameLookup, type Names } from '../../../audit/queries/sentence-parts.ts';
import type { EpochSeconds, GrantId } from '../../../domain/values.ts';
import type { Position, RecordedEvent } from '../../../event-store/event-log.ts';
import type { PastMoment } from './moment-query.ts';
import { createPartyLookup, type EventRowsDeps } from './event-rows.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';

/** A grant in the tree of exchanges, as the page draws it. */
export interface TreeNodeLocals {
  readonly grantId: string;
  /** Whether the page is about this grant. */
  readonly isCurrent: boolean;
  readonly position: number;
  readonly at: Moment;
  readonly sentence: Message;
  /** Names of scopes. */
  readonly scope: readonly string[];
  /** Empty if the grant is for all resource servers. */
  readonly resources: readonly string[];
  /** Null if the grant lasts until it is revoked. */
  readonly expires: Moment | null;
  readonly state: 'live' | 'paused' | 'ended' | 'expired';
  /** Why the grant ended; null if it has not ended, or has expired. */
  readonly end: StopLocals | null;
  /** Why the grant is paused: a client was disabled. Null if it is not paused. */
  readonly pause: StopLocals | null;
  readonly exchanges: readonly TreeNodeLocals[];
  /** The number of exchanges that are left out here. */
  readonly omitted: number;
}

interface StopLocals {
  readonly sentence: Message;
  readonly event: { readonly position: number; readonly at: Moment } | null;
}

export interface TreeLocals extends Pick<ExchangeTree, 'count' | 'shown'> {
  readonly grantId: string;
  /** The position where the search for expired exchanges stopped; null if it was complete. */
  readonly searchedTo: number | null;
  /** The earlier moment that the tree shows; null if it shows the present. */
  readonly asOf: { readonly position: number; readonly at: Moment } | null;
  readonly root: TreeNodeLocals;
}

export interface TreePageDeps extends EventRowsDeps {
  readonly log: EventRowsDeps['log'] & ExchangeTreeDeps['log'] & Parameters<typeof readEventAt>[1];
  readonly exchanges: ExchangeTreeDeps['exchanges'];
  readonly now: () => EpochSeconds;
}

const MAX_EXCHANGES = 50;
/** The search reads about this many events in half a second. It is not needed for valid exchanges. */
const MAX_EFFORT = 100_000;

/**
 * Returns the tree of exchanges around a grant, now or at an earlier moment, or undefined if there was no such grant.
 */
export async function treeLocals(
  grantId: GrantId,
  pastMoment: PastMoment | undefined,
  deps: TreePageDeps,
): Promise<TreeLocals | undefined> {
  const moment = pastMoment ?? { position: Infinity, time: Infinity };
  const now = await secondsAt(pastMoment, deps);
  // Grants that were valid earlier are not in memory, so only a complete search finds them.
  const limits = { maxExchanges: MAX_EXCHANGES, maxEvents: pastMoment === undefined ? MAX_EFFORT : Infinity };
  const tree = await exchangeTree({ grantId, moment, now, limits }, deps);
  if (tree === undefined) return undefined;
  const { count, shown, searchedTo } = tree;
  const context = { grantId, findParties: createPartyLookup(deps), names: createNameLookup(deps) };
  const asOf = pastMoment === undefined ? null : { position: tree.asOf, at: toMoment(now * 1000) };
  return { grantId, count, shown, searchedTo, asOf, root: await nodeLocals(tree.root, context) };
}

/**
 * Returns the time that the validity of tokens is checked for: the requested time, the time of the event at the
 * requested position, or now.
 */
async function secondsAt(pastMoment: PastMoment | undefined, { log, now }: TreePageDeps): Promise<EpochSeconds> {
  if (pastMoment === undefined) return now();
  if (Number.isFinite(pastMoment.time)) return Math.floor(pastMoment.time / 1000) as EpochSeconds;
  const event = await readEventAt(pastMoment.position as Position, log);
  return Math.floor((event?.recordedAt ?? 0) / 1000) as EpochSeconds;
}

interface NodeContext {
  readonly grantId: GrantId;
  readonly findParties: FindParties;
  readonly names: Names;
}

async function nodeLocals(node: TreeNode, context: NodeContext): Promise<TreeNodeLocals> {
  const { grantId, first, expiresAt, resources, end, pause, omitted } = node;
  const { findParties, names } = context;
  const { scope } = first.data as { readonly scope: readonly string[] };
  const exchanges: TreeNodeLocals[] = [];
  for (const exchange of node.exchanges) exchanges.push(await nodeLocals(exchange, context));
  return {
    grantId,
    isCurrent: grantId === context.grantId,
    position: first.position,
    at: toMoment(first.recordedAt),
    sentence: describeEvent(first, await findParties(first.stream), names),
    scope,
    resources,
    expires: expiresAt === null ? null : toMoment(expiresAt * 1000),
    state: stateOf(node),
    end:
      end === null || end.cause === 'expired'
        ? null
        : stopLocals(await describeEnd(end, findParties, names), end.event),
    pause: pause && stopLocals(describeEvent(pause.event, await findParties(pause.event.stream), names), pause.event),
    exchanges,
    omitted,
  };
}

function stateOf({ end, pause }: TreeNode): TreeNodeLocals['state'] {
  if (end !== null) return end.cause === 'expired' ? 'expired' : 'ended';
  return pause === null ? 'live' : 'paused';
}

function stopLocals(sentence: Message, event: RecordedEvent | null): StopLocals {
  return { sentence, event: event && { position: event.position, at: toMoment(event.recordedAt) } };
}
