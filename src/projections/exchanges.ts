import type { EventOf, Login } from '../domain/events.ts';
import type { EarlierExchange, Party } from '../domain/token-exchange.ts';
import type { ClientId, EpochSeconds, ExchangeMode, GrantId } from '../domain/values.ts';
import type { Position, RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { streamGrantId } from './grants.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecondOf } from './recorded-second.ts';

/** An exchange of a token (RFC 8693). Its grant has one access token. */
export interface Exchange extends Party {
  readonly grantId: GrantId;
  readonly mode: ExchangeMode;
  /** The grant of the subject token, and the client that it was issued to. */
  readonly parent: { readonly grantId: GrantId; readonly clientId: ClientId };
  /** The grant of the actor token; absent if there was none. */
  readonly actor?: Party & { readonly grantId: GrantId };
  readonly chain: readonly Party[];
  readonly depth: number;
  readonly root: EarlierExchange['root'];
  /** The login behind the grant at the root; absent if it is not recorded. */
  readonly login?: Login;
  readonly expiresAt: EpochSeconds;
  /** Seconds since the epoch. */
  readonly exchangedAt: number;
  readonly position: Position;
  /** Whether its own grant was revoked. It also ends with those above it: see `isLive`. */
  readonly isRevoked: boolean;
}

/**
 * The exchanges whose tokens have not expired. An exchange ends when its grant is revoked or its client removed, with
 * the grant of its actor, and with everything that its subject token depends on, up to the root of its chain. Nothing
 * is recorded about those below: each lookup walks up the chain, which has at most `MAX_EXCHANGE_DEPTH` steps.
 */
export interface Exchanges extends Projection {
  isLive(grantId: GrantId): boolean;
  /** Also finds an exchange that has ended. */
  find(grantId: GrantId): Exchange | undefined;
  /** The exchanges of the tokens of a grant, including those that have ended. */
  children(grantId: GrantId): readonly Exchange[];
  /** How many exchanges start from the grant, at every depth, including revoked ones that have not expired. */
  countFrom(root: GrantId): number;
  /** The exchanges from this one up to the first of its chain; empty if it is not known. */
  ancestry(grantId: GrantId): readonly Exchange[];
}

/** Projections that decide whether an exchange is live. They receive each event before any lookup. */
export interface ExchangeLiveness {
  /** For the grant of a user. */
  isGrantLive(grantId: GrantId): boolean;
  /** For the grant of a client that acts for itself: whether it was revoked. */
  hasGrantEnded(grantId: GrantId): boolean;
  isClientRegistered(clientId: ClientId): boolean;
}

export function createExchanges({ isGrantLive, hasGrantEnded, isClientRegistered }: ExchangeLiveness): Exchanges {
  const byId = new Map<GrantId, Exchange>();
  const byParent = new Map<GrantId, Set<GrantId>>();
  const byRoot = new Map<GrantId, number>();
  const expiry = createExpiryBuckets<GrantId>();

  function count(root: GrantId, change: 1 | -1): void {
    const counted = (byRoot.get(root) ?? 0) + change;
    if (counted === 0) byRoot.delete(root);
    else byRoot.set(root, counted);
  }

  function add(exchange: Exchange): void {
    const { grantId, parent, root, expiresAt } = exchange;
    byId.set(grantId, exchange);
    count(root.grantId, 1);
    byParent.set(parent.grantId, (byParent.get(parent.grantId) ?? new Set()).add(grantId));
    expiry.add(grantId, expiresAt);
  }

  function forget(grantId: GrantId): void {
    const exchange = byId.get(grantId);
    if (exchange === undefined) return;
    byId.delete(grantId);
    count(exchange.root.grantId, -1);
    const parentId = exchange.parent.grantId;
    const siblings = byParent.get(parentId);
    siblings?.delete(grantId);
    if (siblings?.size === 0) byParent.delete(parentId);
  }

  /** Whether a grant that was not exchanged is live. */
  function isFirstLive(grantId: GrantId, { clientId, userId }: Party): boolean {
    if (userId !== null) return isGrantLive(grantId);
    return isClientRegistered(clientId) && !hasGrantEnded(grantId);
  }

  /** Whether the exchange itself has not ended, apart from those above it. */
  function isSelfLive({ clientId, actor, isRevoked }: Exchange): boolean {
    if (isRevoked || !isClientRegistered(clientId)) return false;
    return actor === undefined || isFirstLive(actor.grantId, actor);
  }

  /** The exchange of the subject token. Undefined for the first of a chain. The depth excludes a circle. */
  function parentOf({ parent, depth }: Exchange): Exchange | undefined {
    const above = byId.get(parent.grantId);
    return above?.depth === depth - 1 ? above : undefined;
  }

  function isLive(grantId: GrantId): boolean {
    for (let exchange = byId.get(grantId); exchange !== undefined; exchange = parentOf(exchange)) {
      if (!isSelfLive(exchange)) return false;
      const { depth, parent, userId } = exchange;
      if (depth === 1) return isFirstLive(parent.grantId, { clientId: parent.clientId, userId });
    }
    return false;
  }

  const handle = handleEvents<'exchanges'>({
    TokenExchanged: (data, event) => add(toExchange(data, event)),
    GrantRevoked(_data, event) {
      const exchange = byId.get(streamGrantId(event));
      if (exchange !== undefined) byId.set(exchange.grantId, { ...exchange, isRevoked: true });
    },
  });

  return {
    name: 'exchanges',
    isLive,
    find: (grantId) => byId.get(grantId),
    children: (grantId) => [...(byParent.get(grantId) ?? [])].flatMap((id) => byId.get(id) ?? []),
    countFrom: (root) => byRoot.get(root) ?? 0,
    ancestry(grantId) {
      const found: Exchange[] = [];
      for (let each = byId.get(grantId); each !== undefined; each = parentOf(each)) found.push(each);
      return found;
    },
    contents: () => byId.values(),
    freeze: () => jsonPieces([...byId.values()]),
    restore: (piece) => parseEntries<Exchange>(piece).forEach(add),

    apply(event) {
      // A parent expires no earlier than its children, so it is not forgotten before them.
      expiry.expire(event.recordedAt / 1000, forget);
      handle(event);
    },
  };
}

function toExchange(data: EventOf<'TokenExchanged'>['data'], event: RecordedEvent): Exchange {
  const { grantId, clientId, userId, mode, parent, actor, chain, depth, root, login, expiresAt } = data;
  return {
    grantId,
    clientId,
    userId,
    mode,
    parent: { grantId: parent.grantId, clientId: parent.clientId },
    ...(actor && { actor: { grantId: actor.grantId, clientId: actor.clientId, userId: actor.userId } }),
    chain,
    depth,
    root,
    ...(login && { login }),
    expiresAt,
    exchangedAt: recordedSecondOf(event),
    position: event.position,
    isRevoked: false,
  };
}
