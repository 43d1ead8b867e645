import type { EventOf } from '../../../domain/events.ts';
import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

type ExchangeRecord = EventOf<'TokenExchanged'>['data'];

/** The exchanges of tokens, according to the log. */
export interface ExchangeHistory {
  inStream(stream: StreamName): ExchangeRecord | undefined;
  /** Returns the exchanges that `exchange` depends on, from its parent up, at most as many as its depth. */
  ancestorsOf(exchange: ExchangeRecord): readonly ExchangeRecord[];
  apply(auditedEvent: AuditedEvent): void;
}

export function createExchangeHistory(): ExchangeHistory {
  const byStream = new Map<StreamName, ExchangeRecord>();
  const parentOf = ({ parent }: ExchangeRecord): ExchangeRecord | undefined =>
    'issuer' in parent ? undefined : byStream.get(grantStreamOf(parent.grantId));
  return {
    inStream: (stream) => byStream.get(stream),
    ancestorsOf(exchange) {
      const ancestors: ExchangeRecord[] = [];
      let ancestor = parentOf(exchange);
      // An invalid log may even contain a cycle.
      while (ancestor !== undefined && ancestors.length < exchange.depth) {
        ancestors.push(ancestor);
        ancestor = parentOf(ancestor);
      }
      return ancestors;
    },
    apply({ event: { type, data }, record: { stream } }) {
      if (type === 'TokenExchanged' && !byStream.has(stream)) byStream.set(stream, data);
    },
  };
}

/** Not shared with the domain, so that the audit does not repeat its mistakes. */
export const grantStreamOf = (grantId: string): StreamName => `grant-${grantId}`;
