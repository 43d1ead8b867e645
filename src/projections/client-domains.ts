import type { DomainRule, EpochSeconds } from '../domain/values.ts';
import type { Position, RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { recordedSecondOf } from './recorded-second.ts';

/** A domain whose clients are allowed or blocked. */
export interface ListedDomain {
  readonly domain: string;
  readonly rule: DomainRule;
  readonly since: EpochSeconds;
  /** The position of the event that set the rule. */
  readonly position: Position;
}

export interface ClientDomains extends Projection {
  find(domain: string): ListedDomain | undefined;
  /** In alphabetical order. */
  all(): readonly ListedDomain[];
}

export function createClientDomains(): ClientDomains {
  const byDomain = new Map<string, ListedDomain>();
  const sorted = (): ListedDomain[] =>
    [...byDomain.values()].toSorted(({ domain: one }, { domain: other }) => (one < other ? -1 : 1));

  const handle = handleEvents<'client-domains'>({
    ClientDomainListed: ({ domain, rule }, event: RecordedEvent) =>
      void byDomain.set(domain, { domain, rule, since: recordedSecondOf(event), position: event.position }),
    ClientDomainUnlisted: ({ domain }) => void byDomain.delete(domain),
  });

  return {
    name: 'client-domains',
    find: (domain) => byDomain.get(domain),
    all: sorted,
    contents: sorted,
    freeze: () => jsonPieces(sorted()),
    restore(piece) {
      for (const listed of parseEntries<ListedDomain>(piece)) byDomain.set(listed.domain, listed);
    },

    apply: handle,
  };
}
