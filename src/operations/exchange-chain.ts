import { z } from 'zod';
import { describeEnd } from '../audit/queries/end-sentences.ts';
import type { TreeEnd, TreeNode, TreePause } from '../audit/queries/exchange-tree-node.ts';
import { exchangeTree, type ExchangeTree } from '../audit/queries/exchange-tree.ts';
import { decodeParties } from '../audit/queries/exchange-search.ts';
import { createPartiesLookup, type FindParties } from '../audit/queries/parties.ts';
import { describeEvent } from '../audit/queries/sentence.ts';
import { ERASED_USER } from '../audit/queries/access-report.ts';
import { createNameLookup, type Names } from '../audit/queries/sentence-parts.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { decodeEvent, type EventType, type Login } from '../domain/events.ts';
import { loginMethod, type LoginMethod } from '../domain/login.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { Party } from '../domain/token-exchange.ts';
import type { EpochSeconds, GrantId, UserId } from '../domain/values.ts';
import type { EventLog, Position } from '../event-store/event-log.ts';
import { english } from '../language/english.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { findGrantId } from './issued-credential.ts';
import type { OperationContext } from './operation-context.ts';
import { streamingOperation, type Operation } from './operation.ts';

const input = z.strictObject({
  /** The id of a grant, or the name of its stream. */
  grant: z.string().min(1).max(OPERATION_TEXTS.subject).optional(),
  /** An access token, a refresh token, a code or a JWT from another issuer, instead of `grant`. */
  token: z.string().min(1).max(OPERATION_TEXTS.subject).optional(),
  position: z.int().nonnegative().optional(),
  /** Milliseconds since the epoch. */
  time: z.int().nonnegative().optional(),
  /** The maximum number of exchanges to return, in addition to their ancestors. */
  limit: z.int().min(1).max(10_000),
});

/** A client and the user that it acts for, as printed by the command line. */
interface PartyRow {
  readonly client: string;
  /** Null if the application was removed. */
  readonly application: string | null;
  /** Null for a client that acts on its own behalf. */
  readonly user: string | null;
  readonly user_id: string | null;
}

/** A grant in the tree. Times are in seconds since the epoch. */
export interface ChainRow extends PartyRow {
  readonly grant: string;
  readonly is: 'authorization' | 'exchange' | 'assertion' | 'client credentials';
  readonly position: number;
  readonly recorded_at: number;
  /** A sentence that describes the first event of the grant. */
  readonly says: string;
  /** How the user authenticated before authorizing the grant; null for other kinds of grants. */
  readonly login: LoginMethod | 'not recorded' | null;
  readonly mode: string | null;
  readonly actor: PartyRow | null;
  readonly scope: string;
  /** Null if the grant is not limited to certain resource servers. */
  readonly resource: string | null;
  /** Null if the grant lasts until it is revoked. */
  readonly expires_at: number | null;
  readonly live: boolean;
  readonly ended: EndRow | null;
  /**
   * Set while a client that the grant depends on is disabled. The grant's tokens are refused until the client is
   * enabled.
   */
  readonly paused: PauseRow | null;
  readonly exchanges: readonly ChainRow[];
  /** The number of this grant's exchanges that are not in `exchanges`. */
  readonly omitted: number;
}

/** The end of a grant. */
export interface EndRow {
  readonly cause: string;
  readonly says: string;
  /** The grant that ended: this one, that of an actor in its chain, or one above it. */
  readonly of: 'own' | 'actor' | 'above';
  readonly grant: string;
  /** The position of the event that ended that grant; null if the grant expired, or if the event was not found. */
  readonly position: number | null;
  readonly recorded_at: number | null;
}

/** The event that paused a grant by disabling a client. */
export interface PauseRow {
  readonly says: string;
  /** The grant whose client is disabled: this one, that of an actor in its chain, or one above it. */
  readonly of: 'own' | 'actor' | 'above';
  readonly position: number;
  readonly recorded_at: number;
}

/** The tree of exchanges that a grant belongs to. */
export interface Chain {
  /** The position of the last event that was considered. */
  readonly as_of: number;
  /** The time for which `live` was determined, in seconds since the epoch. */
  readonly at: number;
  /** The requested grant. */
  readonly grant: string;
  /** The number of exchanges in the whole tree. */
  readonly exchanges: number;
  /** The number of exchanges in `tree`. */
  readonly shown: number;
  readonly tree: ChainRow;
}

/** The operation that returns the tree of exchanges that a grant belongs to. */
export const exchangeChainOperations: Readonly<Record<string, Operation>> = {
  'log chain': streamingOperation(input, async function* (query, context: OperationContext) {
    const { log, projections, clock } = context;
    const grantId = await findGrantId(query, log);
    const { position = Infinity, time = Infinity } = query;
    if (Number.isFinite(position) && position > log.head())
      throw new OperationRefused(`position ${position} does not exist: the log ends at position ${log.head()}`);
    const now = await validityTime(query, log, clock.now());
    const moment = { position, time };
    const limits = { maxExchanges: query.limit, maxEvents: Infinity };
    const tree = await exchangeTree({ grantId, moment, now, limits }, { log, ...projections });
    if (tree === undefined)
      throw new OperationRefused(
        Number.isFinite(position) || Number.isFinite(time)
          ? `there was no grant with the id ${JSON.stringify(grantId)} at that time`
          : `the log contains no grant with the id ${JSON.stringify(grantId)}`,
      );
    yield await toChain(tree, grantId, context);
  }),
};

/**
 * Returns the time at which tokens must be valid to count as live, in seconds since the epoch: the requested time, the
 * time of the event at the requested position, or now.
 */
async function validityTime(
  { position, time }: z.output<typeof input>,
  log: Pick<EventLog, 'readAll'>,
  now: number,
): Promise<EpochSeconds> {
  if (time !== undefined || position === undefined) return Math.floor((time ?? now) / 1000) as EpochSeconds;
  for await (const [event] of log.readAll(Math.max(0, position - 1) as Position, 1))
    return Math.floor((event?.recordedAt ?? 0) / 1000) as EpochSeconds;
  return 0 as EpochSeconds;
}

async function toChain(
  { root, asOf, now, count, shown }: ExchangeTree,
  grantId: GrantId,
  { log, projections }: OperationContext,
): Promise<Chain> {
  const names = createNameLookup(projections);
  const findParties = createPartiesLookup(log);
  return {
    as_of: asOf,
    at: now,
    grant: grantId,
    exchanges: count,
    shown,
    tree: await toRow(root, findParties, names),
  };
}

const KINDS: Readonly<Partial<Record<EventType, ChainRow['is']>>> = {
  ConsentGiven: 'authorization',
  TokenExchanged: 'exchange',
  AssertionRedeemed: 'assertion',
};

async function toRow(node: TreeNode, findParties: FindParties, names: Names): Promise<ChainRow> {
  const { grantId, first, expiresAt, resources, end, pause, exchanges, omitted } = node;
  const { type, data } = decodeEvent(first);
  const { scope, login } = data as { readonly scope: readonly string[]; readonly login?: Login };
  const isExchange = type === 'TokenExchanged';
  const children: ChainRow[] = [];
  for (const exchange of exchanges) children.push(await toRow(exchange, findParties, names));
  return {
    grant: grantId,
    is: KINDS[type] ?? 'client credentials',
    position: first.position,
    recorded_at: recordedSecond(first),
    says: english.text(describeEvent(first, await findParties(first.stream), names)),
    ...toParty(decodeParties(first), names),
    login: type === 'ConsentGiven' ? (login === undefined ? 'not recorded' : loginMethod(login)) : null,
    mode: isExchange ? data.mode : null,
    actor: isExchange && data.actor !== undefined ? toParty(data.actor, names) : null,
    scope: scope.join(' '),
    resource: resources.length === 0 ? null : resources.join(' '),
    expires_at: expiresAt,
    live: end === null && pause === null,
    ended: end && (await toEnd(end, findParties, names)),
    paused: pause && (await toPause(pause, findParties, names)),
    exchanges: children,
    omitted,
  };
}

async function toEnd(end: TreeEnd, findParties: FindParties, names: Names): Promise<EndRow> {
  const { cause, event, endedGrant } = end;
  return {
    cause,
    says: english.text(await describeEnd(end, findParties, names)),
    of: endedGrant.relation,
    grant: endedGrant.first.stream.slice('grant-'.length),
    position: event?.position ?? null,
    recorded_at: event === null ? null : recordedSecond(event),
  };
}

async function toPause({ event, relation }: TreePause, findParties: FindParties, names: Names): Promise<PauseRow> {
  return {
    says: english.text(describeEvent(event, await findParties(event.stream), names)),
    of: relation,
    position: event.position,
    recorded_at: recordedSecond(event),
  };
}

function toParty({ clientId, userId }: Party, names: Names): PartyRow {
  return {
    client: clientId,
    application: names.application(clientId) ?? null,
    user: userId === null ? null : userName(userId, names),
    user_id: userId,
  };
}

function userName(userId: UserId, names: Names): string {
  return names.user(userId) || ERASED_USER;
}
