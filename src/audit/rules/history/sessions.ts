import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** The state of a session according to its stream. */
export interface SessionRecord {
  readonly userId: string;
  hasEnded: boolean;
}

export interface SessionHistory {
  inStream(stream: StreamName): Readonly<SessionRecord> | undefined;
  apply(audited: AuditedEvent): void;
}

export function createSessionHistory(): SessionHistory {
  const byStream = new Map<StreamName, SessionRecord>();

  return {
    inStream: (stream) => byStream.get(stream),
    apply({ event: { type, data }, recorded: { stream } }) {
      if (type === 'SessionStarted') byStream.set(stream, { userId: data.userId, hasEnded: false });
      const session = type === 'SessionEnded' ? byStream.get(stream) : undefined;
      if (session !== undefined) session.hasEnded = true;
    },
  };
}
