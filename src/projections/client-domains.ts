import { CLIENT_DOMAINS_STREAM } from '../domain/streams.ts';
import type { DomainRule, EpochSeconds } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** A domain whose clients are allowed or blocked. */
export interface ListedDomain {
  readonly domain: string;
  readonly rule: DomainRule;
  readonly since: EpochSeconds;
  /** The position of the event that set the rule. */
  readonly position: Position;
}

/** The revision of the stream of all domains, in a snapshot. */
interface StreamEntry {
  readonly revision: Revision;
}

export interface ClientDomains extends Projection {
  /** Returns the revision of the stream of all domains; undefined if it is empty. */
  revision(): Revision | undefined;
  find(domain: string): ListedDomain | undefined;
  /** Returns the domains in alphabetical order. */
  all(): readonly ListedDomain[];
}

export function createClientDomains(): ClientDomains {
  const byDomain = new Map<string, ListedDomain>();
  let revision: Revision | undefined;
  const sortedDomains = (): ListedDomain[] => [...byDomain.values()].toSorted((a, b) => (a.domain < b.domain ? -1 : 1));

  const handlers = handleEvents<'client-domains'>({
    ClientDomainListed: ({ domain, rule }, event: RecordedEvent) =>
      void byDomain.set(domain, { domain, rule, since: recordedSecond(event), position: event.position }),
    ClientDomainUnlisted: ({ domain }) => void byDomain.delete(domain),
  });

  return {
    name: 'client-domains',
    revision: () => revision,
    find: (domain) => byDomain.get(domain),
    all: sortedDomains,
    contents: sortedDomains,
    freeze: () => jsonPieces([...sortedDomains(), ...(revision === undefined ? [] : [{ revision }])]),
    restore(piece) {
      for (const entry of parseEntries<ListedDomain | StreamEntry>(piece)) {
        if ('revision' in entry) ({ revision } = entry);
        else byDomain.set(entry.domain, entry);
      }
    },

    apply(event) {
      if (event.stream === CLIENT_DOMAINS_STREAM) ({ revision } = event);
      handlers.apply(event);
    },
  };
}
