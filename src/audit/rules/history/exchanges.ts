import type { EventOf } from '../../../domain/events.ts';
import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

type ExchangeRecord = EventOf<'TokenExchanged'>['data'];

/** The exchanges of tokens, according to the log. */
export interface ExchangeHistory {
  inStream(stream: StreamName): ExchangeRecord | undefined;
  /** The exchanges that one depends on, from its parent up; at most as many as a chain can have. */
  above(exchange: ExchangeRecord): readonly ExchangeRecord[];
  apply(audited: AuditedEvent): void;
}

export function createExchangeHistory(): ExchangeHistory {
  const byStream = new Map<StreamName, ExchangeRecord>();
  return {
    inStream: (stream) => byStream.get(stream),
    above({ parent, depth }) {
      const found: ExchangeRecord[] = [];
      let next = byStream.get(grantStreamOf(parent.grantId));
      // A log can be wrong, and even contain a circle.
      while (next !== undefined && found.length < depth) {
        found.push(next);
        next = byStream.get(grantStreamOf(next.parent.grantId));
      }
      return found;
    },
    apply({ event: { type, data }, recorded: { stream } }) {
      if (type === 'TokenExchanged' && !byStream.has(stream)) byStream.set(stream, data);
    },
  };
}

/** Written anew, because the audit must not repeat a mistake of the domain. */
export const grantStreamOf = (grantId: string): StreamName => `grant-${grantId}`;
