import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** An invitation to create an account according to its stream. */
interface InvitationRecord {
  readonly status: 'sent' | 'withdrawn' | 'accepted';
  /** The latest expiry of its links, in milliseconds since the epoch; infinite if an earlier release sent it. */
  readonly expiresAt: number;
}

export interface InvitationHistory {
  /** Returns undefined if the stream is empty. */
  find(stream: StreamName): InvitationRecord | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createInvitationHistory(): InvitationHistory {
  const byStream = new Map<StreamName, InvitationRecord>();

  return {
    find: (stream) => byStream.get(stream),
    apply({ event: { type, data }, record: { stream } }) {
      const previousExpiry = byStream.get(stream)?.expiresAt;
      const expiresAt = previousExpiry ?? Infinity;
      if (type === 'InvitationSent')
        byStream.set(stream, { status: 'sent', expiresAt: Math.max(previousExpiry ?? 0, data.expiresAt * 1000) });
      if (type === 'InvitationWithdrawn') byStream.set(stream, { status: 'withdrawn', expiresAt });
      if (type === 'InvitationAccepted') byStream.set(stream, { status: 'accepted', expiresAt });
    },
  };
}
