import type { EventOf } from '../domain/events.ts';
import { issuersOf, type Party } from '../domain/token-exchange.ts';
import type { ClientId, GrantId, UserId } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import type { AssertedGrants } from './asserted-grants.ts';
import { handleEvents } from './event-handlers.ts';
import type { Exchange } from './exchange.ts';
import { createExchangeTable, type ExchangeRow } from './exchange-table/exchange-table.ts';
import { streamGrantId } from './grants.ts';
import { parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/**
 * The exchanges whose tokens have not expired. An exchange ends when its grant is revoked, its client is removed, its
 * actor's grant ends, its actor's account is disabled or erased, the issuer of one of its JWTs is no longer trusted, or
 * an exchange or grant above it in its chain ends. Each lookup walks up the chain, which has at most
 * `MAX_EXCHANGE_DEPTH` steps. An exchange is not live while a client in its chain is disabled.
 */
export interface Exchanges extends Projection {
  isLive(grantId: GrantId): boolean;
  /** Like `isLive`, but clients in the chain may be disabled. */
  isLiveOrPaused(grantId: GrantId): boolean;
  /** Finds the exchange even if it has ended. */
  find(grantId: GrantId): Exchange | undefined;
  /** Returns the exchanges that descend from the grant, at any depth, oldest first, including those that have ended. */
  listByRoot(root: GrantId): readonly Exchange[];
  /** Yields all exchanges, including those that have ended. */
  all(): Iterable<Exchange>;
  /**
   * Returns the number of exchanges that descend from the grant, at any depth, including revoked ones that have not
   * expired.
   */
  countByRoot(root: GrantId): number;
  /** Returns the exchanges from this one up to the first in its chain, or none if there is no such exchange. */
  listAncestry(grantId: GrantId): readonly Exchange[];
}

/**
 * Lookups in the projections that decide whether an exchange is live. Those projections must receive each event before
 * any exchange is looked up.
 */
export interface ExchangeSources {
  /** Reports whether the user's grant is live. */
  isGrantLive(grantId: GrantId): boolean;
  /** Reports whether the grant of a client that acts on its own behalf was revoked or ended with a trusted issuer. */
  hasGrantEnded(grantId: GrantId): boolean;
  isClientEnabled(clientId: ClientId): boolean;
  /** Reports whether the client is registered, even if it is disabled. */
  isClientRegistered(clientId: ClientId): boolean;
  /** The grants that depend on a trusted issuer. */
  readonly assertedGrants: Pick<AssertedGrants, 'listByIssuer' | 'listByActor'>;
}

type ClientCheck = ExchangeSources['isClientEnabled'];

export function createExchanges(sources: ExchangeSources): Exchanges {
  const { isGrantLive, hasGrantEnded, isClientEnabled, isClientRegistered, assertedGrants } = sources;
  const table = createExchangeTable();

  /** Reports whether a grant that is not an exchange is live. */
  function isNonExchangeGrantLive(grantId: GrantId, { clientId, userId }: Party, isAccepted: ClientCheck): boolean {
    return isAccepted(clientId) && (userId === null ? !hasGrantEnded(grantId) : isGrantLive(grantId));
  }

  /** Reports whether the exchange itself is live, ignoring the exchanges above it. */
  function isRowLive(row: ExchangeRow, isAccepted: ClientCheck): boolean {
    if (table.read.isRevoked(row) || !isAccepted(row.terms.clientId)) return false;
    const actor = table.read.actor(row);
    return actor === undefined || isNonExchangeGrantLive(actor.grantId, actor, isAccepted);
  }

  function isLiveWith(grantId: GrantId, isAccepted: ClientCheck): boolean {
    for (let row = table.locate(grantId); row !== undefined;) {
      if (!isRowLive(row, isAccepted)) return false;
      const { depth } = row.terms;
      if (depth === 1) {
        const { userId, parent } = table.read.parent(row);
        return isNonExchangeGrantLive(parent.grantId, { clientId: parent.clientId, userId }, isAccepted);
      }
      const parentRow = table.parentOf(row);
      row = parentRow?.terms.depth === depth - 1 ? parentRow : undefined; // checking the depth prevents cycles
    }
    return false;
  }

  /**
   * Returns the exchange that issued the subject token, or undefined for the first exchange in a chain. Checking the
   * depth prevents cycles.
   */
  function parentOf({ parent, depth }: Exchange): Exchange | undefined {
    const parentExchange = table.find(parent.grantId);
    return parentExchange?.depth === depth - 1 ? parentExchange : undefined;
  }

  /** Ends the exchanges whose actor token came from another issuer: no grant here ends with the actor's account. */
  function endExchangesOfActor({ userId }: { readonly userId: UserId }): void {
    [...assertedGrants.listByActor(userId)].forEach(table.revoke);
  }

  const handlers = handleEvents<'exchanges'>({
    TokenExchanged: (data, event) => table.insert(toExchange(data, event)),
    GrantRevoked: (_data, event) => table.revoke(streamGrantId(event)),
    TrustedIssuerRemoved: ({ issuer }) => [...assertedGrants.listByIssuer(issuer)].forEach(table.revoke),
    UserDisabled: endExchangesOfActor,
    UserErased: endExchangesOfActor,
  });

  return {
    name: 'exchanges',
    isLive: (grantId) => isLiveWith(grantId, isClientEnabled),
    isLiveOrPaused: (grantId) => isLiveWith(grantId, isClientRegistered),
    find: table.find,
    listByRoot: table.listByRoot,
    all: table.entries,
    countByRoot: table.countByRoot,
    listAncestry(grantId) {
      const exchanges: Exchange[] = [];
      for (let exchange = table.find(grantId); exchange !== undefined; exchange = parentOf(exchange))
        exchanges.push(exchange);
      return exchanges;
    },
    contents: table.entries,
    freeze: table.freeze,
    restore: (piece) => parseEntries<Exchange>(piece).forEach(table.insert),

    apply(event) {
      // A parent never expires before its children, so it is not removed before them.
      table.expire(event.recordedAt / 1000);
      handlers.apply(event);
    },
  };
}

function toExchange(data: EventOf<'TokenExchanged'>['data'], event: RecordedEvent): Exchange {
  const { grantId, clientId, userId, mode, parent, actor, chain, depth, root, login, expiresAt } = data;
  const issuers = issuersOf(data);
  return {
    grantId,
    clientId,
    userId,
    mode,
    parent: 'issuer' in parent ? { grantId, clientId } : { grantId: parent.grantId, clientId: parent.clientId },
    ...(actor !== undefined && 'grantId' in actor
      ? { actor: { grantId: actor.grantId, clientId: actor.clientId, userId: actor.userId } }
      : {}),
    chain,
    depth,
    root: { grantId: root.grantId, clientId: root.clientId },
    ...(issuers.length > 0 && { issuers }),
    ...(login && { login }),
    expiresAt,
    exchangedAt: recordedSecond(event),
    position: event.position,
    isRevoked: false,
  };
}
