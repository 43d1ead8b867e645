import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../rule.ts';

/** What a session's stream has said. */
export interface SessionRecord {
  readonly userId: string;
  hasEnded: boolean;
}

export interface SessionHistory {
  inStream(stream: StreamName): Readonly<SessionRecord> | undefined;
  apply(fact: AuditedEvent): void;
}

export function createSessionHistory(): SessionHistory {
  const byStream = new Map<StreamName, SessionRecord>();

  return {
    inStream: (stream) => byStream.get(stream),
    apply({ event: { type, data }, recorded: { stream } }) {
      if (type === 'SessionStarted') byStream.set(stream, { userId: data.userId, hasEnded: false });
      const notes = type === 'SessionEnded' ? byStream.get(stream) : undefined;
      if (notes !== undefined) notes.hasEnded = true;
    },
  };
}
