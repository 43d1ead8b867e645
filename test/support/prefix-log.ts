import type { EventLog, Position } from '../../src/event-store/event-log.ts';

/** A log that can be read as of any position: listeners get one event at a time, and readers get a prefix. */
export interface PrefixLog extends EventLog {
  /** Sets the callback to run after a listener has handled the event at `position`. */
  onEach(onPosition: (position: Position) => void): void;
  /** Hides all events after `position` from readers of the whole log. */
  showUntil(position: Position): void;
}

export function prefixLog(log: EventLog): PrefixLog {
  let onPosition: ((position: Position) => void) | undefined;
  let lastVisible: number = Infinity;

  async function* readAll(after: Position): ReturnType<EventLog['readAll']> {
    for await (const batch of log.readAll(after)) yield batch.filter(({ position }) => position <= lastVisible);
  }

  return {
    ...log,
    readAll,
    /** Passes on one event at a time, so that every position inside an append is observed. */
    onAppended: (listener) =>
      log.onAppended((events) => {
        for (const event of events) {
          listener([event]);
          onPosition?.(event.position);
        }
      }),
    onEach: (callback) => void (onPosition = callback),
    showUntil: (position) => void (lastVisible = position),
  };
}
