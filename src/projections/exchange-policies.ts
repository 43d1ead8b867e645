import type { ExchangePolicySettings } from '../domain/exchange-settings.ts';
import type { ClientId, EpochSeconds } from '../domain/values.ts';
import type { Position, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { clientIdOf } from './clients.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** Allows `clientId` to exchange the tokens of `subjectClientId`, in certain modes and within limits (RFC 8693). */
export interface ExchangePolicy extends ExchangePolicySettings {
  /** A hash of the two client ids, which is also part of the stream name. */
  readonly policyId: string;
  /** The client that exchanges tokens. */
  readonly clientId: ClientId;
  /** The client that the tokens were issued to. */
  readonly subjectClientId: ClientId;
  /** The revision of its stream. A decision based on it is outdated once the stream has grown. */
  readonly revision: Revision;
  /** The position of the event that set these settings. */
  readonly position: Position;
  readonly changedAt: EpochSeconds;
}

/** The current policies. A policy ends when it or either of its clients is removed. */
export interface ExchangePolicies extends Projection {
  find(clientId: string, subjectClientId: string): ExchangePolicy | undefined;
  findById(policyId: string): ExchangePolicy | undefined;
  /** Returns the policies in the order they were first set. */
  all(): readonly ExchangePolicy[];
}

export function createExchangePolicies(): ExchangePolicies {
  const byPair = new Map<string, ExchangePolicy>();
  const listAll = (): readonly ExchangePolicy[] => [...byPair.values()];

  const handlers = handleEvents<'exchange-policies'>({
    ExchangePolicySet({ clientId, subjectClientId, settings }, event) {
      const { stream, revision, position } = event;
      const policyId = stream.slice('exchange-'.length);
      const changedAt = recordedSecond(event);
      const policy = { ...settings, policyId, clientId, subjectClientId, revision, position, changedAt };
      byPair.set(pairKey(clientId, subjectClientId), policy);
    },
    ExchangePolicyRemoved: ({ clientId, subjectClientId }) => void byPair.delete(pairKey(clientId, subjectClientId)),
    // Client ids are never reused, so these policies could never apply again.
    ClientRemoved(_data, event) {
      const removedId = clientIdOf(event);
      for (const [key, { clientId, subjectClientId }] of byPair)
        if (clientId === removedId || subjectClientId === removedId) byPair.delete(key);
    },
  });

  return {
    name: 'exchange-policies',
    find: (clientId, subjectClientId) => byPair.get(pairKey(clientId, subjectClientId)),
    findById: (policyId) => listAll().find((policy) => policy.policyId === policyId),
    all: listAll,
    contents: listAll,
    freeze: () => jsonPieces(listAll()),
    restore(piece) {
      for (const policy of parseEntries<ExchangePolicy>(piece))
        byPair.set(pairKey(policy.clientId, policy.subjectClientId), policy);
    },
    ...handlers,
  };
}

function pairKey(clientId: string, subjectClientId: string): string {
  return JSON.stringify([clientId, subjectClientId]);
}
