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

/** A grant in the tree of exchanges, as the page shows it. */
export interface TreeNodeLocals {
  readonly grantId: string;
  /** Whether the page is about this grant. */
  readonly isCurrent: boolean;
  readonly position: number;
  readonly at: Moment;
  readonly sentence: Message;
  readonly scope: readonly string[];
  /** Empty if the grant is for all resource servers. */
  readonly resources: readonly string[];
  /** Null if the grant lasts until it is revoked. */
  readonly expires: Moment | null;
  readonly state: 'live' | 'paused' | 'ended' | 'expired';
  /** The reason why the grant ended; null if the grant has not ended, or has expired. */
  readonly end: StopLocals | null;
  /** The reason why the grant is paused, always a disabled client; null if the grant is not paused. */
  readonly pause: StopLocals | null;
  readonly exchanges: readonly TreeNodeLocals[];
  /** The number of exchanges of the grant's tokens that are not in the tree. */
  readonly omitted: number;
}

/** The end or pause of a grant. */
interface StopLocals {
  readonly sentence: Message;
  readonly event: { readonly position: number; readonly at: Moment } | null;
}

export interface TreeLocals extends Pick<ExchangeTree, 'count' | 'shown'> {
  readonly grantId: string;
  /** The position where the search for expired exchanges stopped; null if the search was complete. */
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
/** The search examines about this many events in half a second. Valid exchanges are found without it. */
const MAX_EVENTS = 100_000;

/**
 * Reads the tree of exchanges that contains a grant, now or at an earlier moment.
 * @returns undefined if the grant did not exist at that moment
 */
export async function readTreeLocals(
  grantId: GrantId,
  pastMoment: PastMoment | undefined,
  deps: TreePageDeps,
): Promise<TreeLocals | undefined> {
  const moment = pastMoment ?? { position: Infinity, time: Infinity };
  const now = await findValidityTime(pastMoment, deps);
  // Exchanges that were valid at an earlier moment may no longer be in memory; only a complete search finds them all.
  const limits = { maxExchanges: MAX_EXCHANGES, maxEvents: pastMoment === undefined ? MAX_EVENTS : Infinity };
  const tree = await exchangeTree({ grantId, moment, now, limits }, deps);
  if (tree === undefined) return undefined;
  const { count, shown, searchedTo } = tree;
  const context = { grantId, findParties: createPartyLookup(deps), names: createNameLookup(deps) };
  const asOf = pastMoment === undefined ? null : { position: tree.asOf, at: toMoment(now * 1000) };
  return { grantId, count, shown, searchedTo, asOf, root: await nodeLocals(tree.root, context) };
}

/**
 * Returns the time at which tokens must be valid: the requested time, the time of the event at the requested position,
 * or now.
 */
async function findValidityTime(pastMoment: PastMoment | undefined, { log, now }: TreePageDeps): Promise<EpochSeconds> {
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
