import type { EventOf } from '../../../domain/events.ts';
import type { Position, StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** An issuer that is or was trusted, according to the log. */
interface TrustedIssuerRecord {
  /** Null after it was removed. */
  readonly settings: EventOf<'TrustedIssuerSet'>['data']['settings'] | null;
  /** The position where it was last removed, or null if it never was. */
  readonly removedPosition: Position | null;
}

type RedeemedAssertion = Pick<EventOf<'AssertionRedeemed'>['data'], 'issuer' | 'userId' | 'scope' | 'expiresAt'>;

export interface TrustedIssuerHistory {
  /** Returns undefined if the issuer was never trusted. */
  find(issuer: string): TrustedIssuerRecord | undefined;
  /** Returns the assertion that started the grant in the stream, or undefined if the grant started otherwise. */
  assertionOf(stream: StreamName): RedeemedAssertion | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createTrustedIssuerHistory(): TrustedIssuerHistory {
  const byIssuer = new Map<string, TrustedIssuerRecord>();
  const byStream = new Map<StreamName, RedeemedAssertion>();
  return {
    find: (issuer) => byIssuer.get(issuer),
    assertionOf: (stream) => byStream.get(stream),
    apply({ event: { type, data }, record: { stream, position } }) {
      if (type === 'TrustedIssuerSet') {
        const removedPosition = byIssuer.get(data.issuer)?.removedPosition ?? null;
        byIssuer.set(data.issuer, { settings: data.settings, removedPosition });
      }
      if (type === 'TrustedIssuerRemoved') byIssuer.set(data.issuer, { settings: null, removedPosition: position });
      if (type !== 'AssertionRedeemed' || byStream.has(stream)) return;
      const { issuer, userId, scope, expiresAt } = data;
      byStream.set(stream, { issuer, userId, scope, expiresAt });
    },
  };
}
