import { endSentence } from '../../../audit/queries/end-sentences.ts';
import {
  exchangeTree,
  type ExchangeTree,
  type ExchangeTreeParts,
  type TreeNode,
} from '../../../audit/queries/exchange-tree.ts';
import type { FindParties } from '../../../audit/queries/parties.ts';
import { sentence } from '../../../audit/queries/sentence.ts';
import { createNameLookup, type Names, type SentencePart } from '../../../audit/queries/sentence-parts.ts';
import type { EpochSeconds, GrantId } from '../../../domain/values.ts';
import { createPartyLookup, type EventRowsParts } from './event-rows.ts';
import { toMoment, type Moment } from './moments.ts';

/** A grant in the tree of exchanges, as the page draws it. */
export interface TreeNodeLocals {
  readonly grantId: string;
  /** Whether the page is about this grant. */
  readonly isCurrent: boolean;
  readonly position: number;
  readonly at: Moment;
  readonly sentence: readonly SentencePart[];
  /** Names of scopes. */
  readonly scope: readonly string[];
  /** Empty for all resource servers. */
  readonly resources: readonly string[];
  /** Null until it is revoked. */
  readonly expires: Moment | null;
  readonly state: 'live' | 'ended' | 'expired';
  /** Why it ended; null while it is live, and if it expired. */
  readonly end: {
    readonly sentence: readonly SentencePart[];
    readonly event: { readonly position: number; readonly at: Moment } | null;
  } | null;
  readonly exchanges: readonly TreeNodeLocals[];
  /** The number of its exchanges that are left out. */
  readonly omitted: number;
}

export interface TreeLocals extends Pick<ExchangeTree, 'count' | 'shown'> {
  readonly grantId: string;
  /** Where the search for exchanges that have expired stopped; null if it was complete. */
  readonly searchedTo: number | null;
  readonly root: TreeNodeLocals;
}

export interface TreePageParts extends EventRowsParts {
  readonly log: EventRowsParts['log'] & ExchangeTreeParts['log'];
  readonly exchanges: ExchangeTreeParts['exchanges'];
}

/** The search reads about this many events in half a second. Valid exchanges are found without it. */
const LIMITS = { keep: 50, effort: 100_000 };

/** The tree of exchanges around a grant; undefined if there is no such grant. */
export async function treeLocals(
  grantId: GrantId,
  now: EpochSeconds,
  parts: TreePageParts,
): Promise<TreeLocals | undefined> {
  const moment = { position: Infinity, time: Infinity };
  const tree = await exchangeTree({ grantId, moment, now, limits: LIMITS }, parts);
  if (tree === undefined) return undefined;
  const { count, shown, searchedTo } = tree;
  const drawing = { grantId, findParties: createPartyLookup(parts), names: createNameLookup(parts) };
  return { grantId, count, shown, searchedTo, root: await nodeLocals(tree.root, drawing) };
}

interface Drawing {
  readonly grantId: GrantId;
  readonly findParties: FindParties;
  readonly names: Names;
}

async function nodeLocals(node: TreeNode, drawing: Drawing): Promise<TreeNodeLocals> {
  const { grantId, first, expiresAt, resources, end, omitted } = node;
  const { findParties, names } = drawing;
  const { scope } = first.data as { readonly scope: readonly string[] };
  const exchanges: TreeNodeLocals[] = [];
  for (const each of node.exchanges) exchanges.push(await nodeLocals(each, drawing));
  return {
    grantId,
    isCurrent: grantId === drawing.grantId,
    position: first.position,
    at: toMoment(first.recordedAt),
    sentence: sentence(first, await findParties(first.stream), names),
    scope,
    resources,
    expires: expiresAt === null ? null : toMoment(expiresAt * 1000),
    state: end === null ? 'live' : end.cause === 'expired' ? 'expired' : 'ended',
    end:
      end === null || end.cause === 'expired'
        ? null
        : {
            sentence: await endSentence(end, findParties, names),
            event: end.event && { position: end.event.position, at: toMoment(end.event.recordedAt) },
          },
    exchanges,
    omitted,
  };
}
