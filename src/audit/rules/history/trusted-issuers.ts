import type { EventOf } from '../../../domain/events.ts';
import type { Position } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** Whether an issuer is trusted, according to the log. */
interface TrustedIssuerRecord {
  /** Null after it was removed. */
  readonly settings: EventOf<'TrustedIssuerSet'>['data']['settings'] | null;
  /** The newest removal; null if there was none. */
  readonly removedAt: Position | null;
}

export interface TrustedIssuerHistory {
  /** Undefined if it was never set. */
  find(issuer: string): TrustedIssuerRecord | undefined;
  apply(audited: AuditedEvent): void;
}

export function createTrustedIssuerHistory(): TrustedIssuerHistory {
  const byIssuer = new Map<string, TrustedIssuerRecord>();
  return {
    find: (issuer) => byIssuer.get(issuer),
    apply({ event: { type, data }, recorded: { position } }) {
      if (type === 'TrustedIssuerSet')
        byIssuer.set(data.issuer, {
          settings: data.settings,
          removedAt: byIssuer.get(data.issuer)?.removedAt ?? null,
        });
      if (type === 'TrustedIssuerRemoved') byIssuer.set(data.issuer, { settings: null, removedAt: position });
    },
  };
}
