import type { EventOf } from '../../../domain/events.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** The policy for a client to exchange the tokens of another client, according to the log. */
interface ExchangePolicyRecord {
  /** Null after it was removed. */
  readonly settings: EventOf<'ExchangePolicySet'>['data']['settings'] | null;
}

export interface ExchangePolicyHistory {
  /** Returns undefined if the policy was never set. */
  find(clientId: string, subjectClientId: string): ExchangePolicyRecord | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createExchangePolicyHistory(): ExchangePolicyHistory {
  const byPair = new Map<string, ExchangePolicyRecord>();
  return {
    find: (clientId, subjectClientId) => byPair.get(pairKey(clientId, subjectClientId)),
    apply({ event: { type, data } }) {
      if (type !== 'ExchangePolicySet' && type !== 'ExchangePolicyRemoved') return;
      const settings = type === 'ExchangePolicySet' ? data.settings : null;
      byPair.set(pairKey(data.clientId, data.subjectClientId), { settings });
    },
  };
}

function pairKey(clientId: string, subjectClientId: string): string {
  return JSON.stringify([clientId, subjectClientId]);
}
