import { decodeEvent, type EventOf } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import { grantStream } from '../../domain/streams.ts';
import { grantIdOfToken } from '../../domain/token-exchange.ts';
import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import type { EventLog, RecordedEvent } from '../../event-store/event-log.ts';
import { decodeParties, type ExchangeSearchResult } from './exchange-search.ts';
import { earliestEnd, readFirstEvent, type EndCause, type GrantEnd, type GrantEnds } from './grant-end.ts';

/** The reason why a token is no longer valid. */
export interface TreeEnd {
  readonly cause: EndCause;
  /** Null if the token has expired, or if the event was not found. */
  readonly event: RecordedEvent | null;
  /** The grant that ended: the token's own, that of an actor in its chain, or one above. */
  readonly endedGrant: { readonly relation: 'own' | 'actor' | 'above'; readonly first: RecordedEvent };
}

/** The reason why a token is refused temporarily. */
export interface TreePause {
  /** The event that disabled the client. */
  readonly event: RecordedEvent;
  /** The grant whose client was disabled: this one, that of an actor in its chain, or one above. */
  readonly relation: TreeEnd['endedGrant']['relation'];
}

/** A grant, and the exchanges of its tokens. */
export interface TreeNode {
  readonly grantId: GrantId;
  /** A consent, an exchange, a redeemed assertion, or the token of a client that acts on its own behalf. */
  readonly first: RecordedEvent;
  /** Null if it has a credential that does not expire. */
  readonly expiresAt: EpochSeconds | null;
  /** Empty means no limit to resource servers. */
  readonly resources: Resources;
  /** Null while it is live. */
  readonly end: TreeEnd | null;
  /** Null if no client that it depends on is disabled, or if it has ended. */
  readonly pause: TreePause | null;
  /** Oldest first. */
  readonly exchanges: readonly TreeNode[];
  /** The number of its exchanges that are not in the tree. */
  readonly omitted: number;
}

export interface TreeContext {
  readonly now: EpochSeconds;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly ends: GrantEnds;
  readonly childrenOf: (grantId: GrantId) => readonly RecordedEvent[];
  readonly countOf: ExchangeSearchResult['countOf'];
}

type LocatedEnd = GrantEnd & Pick<TreeEnd, 'endedGrant'>;

/** The end and the pause of a grant's tokens. */
interface GrantStatus {
  readonly grantEnd?: LocatedEnd | undefined;
  readonly pause?: TreePause | undefined;
}

/**
 * Returns the node of a grant, which contains the nodes of its exchanges.
 * @param parentStatus what ended or paused the tokens of the grant above
 */
export async function buildTree(
  first: RecordedEvent,
  parentStatus: GrantStatus,
  context: TreeContext,
): Promise<TreeNode> {
  const { now, ends, childrenOf, countOf } = context;
  const exchange = decodeExchange(first);
  const ownEnd = await ends.findEnd(first);
  const grantEnd = earliestEnd<LocatedEnd>([
    ownEnd && { ...ownEnd, endedGrant: { relation: 'own', first } },
    exchange && (await findActorEnd(exchange, context)),
    parentStatus.grantEnd && {
      ...parentStatus.grantEnd,
      endedGrant: {
        ...parentStatus.grantEnd.endedGrant,
        relation: relationFromBelow(parentStatus.grantEnd.endedGrant.relation),
      },
    },
  ]);
  const pause =
    (await findPause(first, context)) ??
    (parentStatus.pause && { ...parentStatus.pause, relation: relationFromBelow(parentStatus.pause.relation) });
  const { expiresAt, resources } =
    exchange === undefined
      ? await ends.readTerms(first)
      : { expiresAt: exchange.expiresAt, resources: exchange.resource ?? [] };
  const grantId = grantIdOf(first);
  const children: TreeNode[] = [];
  for (const child of childrenOf(grantId)) children.push(await buildTree(child, { grantEnd, pause }, context));
  const end = endAt(now, expiresAt, grantEnd, first);
  return {
    grantId,
    first,
    expiresAt,
    resources,
    end,
    pause: end === null ? (pause ?? null) : null,
    exchanges: children,
    omitted: Math.max(0, countOf(grantId) - children.length),
  };
}

const relationFromBelow = (relation: TreeEnd['endedGrant']['relation']): TreeEnd['endedGrant']['relation'] =>
  relation === 'actor' ? 'actor' : 'above';

async function findPause(first: RecordedEvent, { ends }: TreeContext): Promise<TreePause | undefined> {
  const ownEvent = await ends.findDisabling(decodeParties(first).clientId);
  if (ownEvent !== undefined) return { event: ownEvent, relation: 'own' };
  const actor = decodeExchange(first)?.actor;
  const event = actor && (await ends.findDisabling(actor.clientId));
  return event && { event, relation: 'actor' };
}

async function findActorEnd(
  { actor }: EventOf<'TokenExchanged'>['data'],
  { ends, log }: TreeContext,
): Promise<LocatedEnd | undefined> {
  const grantId = actor && grantIdOfToken(actor);
  const first = grantId && (await readFirstEvent(grantStream(grantId), log));
  const actorEnd = first && (await ends.findEnd(first));
  return actorEnd && { ...actorEnd, endedGrant: { relation: 'actor', first } };
}

/** Returns the end of a grant, or null if the grant is live at `now`. Ignores an event after the expiry. */
function endAt(
  now: EpochSeconds,
  expiresAt: EpochSeconds | null,
  grantEnd: LocatedEnd | undefined,
  first: RecordedEvent,
): TreeEnd | null {
  const isExpired = expiresAt !== null && now >= expiresAt;
  if (
    grantEnd !== undefined &&
    !(isExpired && grantEnd.event !== null && grantEnd.event.recordedAt >= expiresAt * 1000)
  )
    return grantEnd;
  return isExpired ? { cause: 'expired', event: null, endedGrant: { relation: 'own', first } } : null;
}

/** Returns the data of an exchange from the first event of its grant; undefined if the grant is not an exchange. */
export function decodeExchange(first: RecordedEvent): EventOf<'TokenExchanged'>['data'] | undefined {
  const { type, data } = decodeEvent(first);
  return type === 'TokenExchanged' ? data : undefined;
}

export const grantIdOf = (first: RecordedEvent): GrantId => first.stream.slice('grant-'.length) as GrantId;
