import type { EventLog, RecordedEvent } from '../../src/event-store/event-log.ts';

/** The number of events read from streams, and the number of characters in their records. */
export interface StreamReads {
  readonly events: number;
  readonly characters: number;
}

/** A log that counts reads of its streams. */
export interface CountingLog {
  readonly log: EventLog;
  /** Counts the events that `readStream` and `readStreamBackwards` return while `act` runs. */
  countReads(act: () => Promise<unknown>): Promise<StreamReads>;
}

export function countingLog(log: EventLog): CountingLog {
  let [events, characters] = [0, 0];
  async function* countPages(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<readonly RecordedEvent[]> {
    for await (const page of pages) {
      events += page.length;
      for (const { record } of page) characters += record.length;
      yield page;
    }
  }
  return {
    log: {
      ...log,
      readStream: (stream, from) => countPages(log.readStream(stream, from)),
      readStreamBackwards: (stream, from) => countPages(log.readStreamBackwards(stream, from)),
    },
    async countReads(act) {
      const countsBefore = { events, characters };
      await act();
      return { events: events - countsBefore.events, characters: characters - countsBefore.characters };
    },
  };
}
