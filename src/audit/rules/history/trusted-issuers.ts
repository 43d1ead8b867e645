import type { EventOf } from '../../../domain/events.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** Whether an issuer is trusted, according to the log. */
interface TrustedIssuerRecord {
  /** Null after it was removed. */
  readonly settings: EventOf<'TrustedIssuerSet'>['data']['settings'] | null;
  /** When it was last removed, or null if it never was. */
  readonly removedAt: Position | null;
}

type Redeemed = Pick<EventOf<'AssertionRedeemed'>['data'], 'issuer' | 'userId' | 'scope' | 'expiresAt'>;

export interface TrustedIssuerHistory {
  /** Returns undefined if it was never set. */
  find(issuer: string): TrustedIssuerRecord | undefined;
  /** Returns the assertion with which the grant of the stream began, or undefined for any other. */
  asserted(stream: StreamName): Redeemed | undefined;
  apply(audited: AuditedEvent): void;
}

export function createTrustedIssuerHistory(): TrustedIssuerHistory {
  const byIssuer = new Map<string, TrustedIssuerRecord>();
  const byStream = new Map<StreamName, Redeemed>();
  return {
    find: (issuer) => byIssuer.get(issuer),
    asserted: (stream) => byStream.get(stream),
    apply({ event: { type, data }, recorded: { stream, position } }) {
      if (type === 'TrustedIssuerSet') {
        const removedAt = byIssuer.get(data.issuer)?.removedAt ?? null;
        byIssuer.set(data.issuer, { settings: data.settings, removedAt });
      }
      if (type === 'TrustedIssuerRemoved') byIssuer.set(data.issuer, { settings: null, removedAt: position });
      if (type !== 'AssertionRedeemed' || byStream.has(stream)) return;
      const { issuer, userId, scope, expiresAt } = data;
      byStream.set(stream, { issuer, userId, scope, expiresAt });
    },
  };
}
