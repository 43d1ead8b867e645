import type { StreamName } from '../../../event-store/event-log.ts';
import type { Fact } from '../rule.ts';

/** What a session's stream has said. */
export interface SessionNotes {
  readonly userId: string;
  ended: boolean;
}

export interface SessionHistory {
  in(stream: StreamName): Readonly<SessionNotes> | undefined;
  note(fact: Fact): void;
}

export function createSessionHistory(): SessionHistory {
  const byStream = new Map<StreamName, SessionNotes>();

  return {
    in: (stream) => byStream.get(stream),
    note({ event: { type, data }, recorded: { stream } }) {
      if (type === 'SessionStarted') byStream.set(stream, { userId: data.userId, ended: false });
      const notes = type === 'SessionEnded' ? byStream.get(stream) : undefined;
      if (notes !== undefined) notes.ended = true;
    },
  };
}
