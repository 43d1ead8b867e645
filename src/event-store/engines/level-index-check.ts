import type { Level } from 'level';
import { LogDamaged } from '../event-log.ts';
import type { Position, RecordedEvent, StreamName } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import {
  appendKey,
  ALL_APPENDS,
  groupKey,
  parseLocation,
  splitGroup,
  parseAppendStream,
  type AppendLocation,
} from './level-layout.ts';

const ENTRIES_PER_BATCH = 1000;

export interface IndexCheckParts {
  readonly db: Level;
  readonly head: Position;
  /** The position up to which events are in the archive. */
  readonly archived: () => Position;
  readonly readAll: () => AsyncIterable<readonly RecordedEvent[]>;
  /** Whether the index here has the event: that of an archived stretch is in the archive. */
  readonly isIndexed: (event: { readonly stream: StreamName; readonly position: Position }) => boolean;
}

/**
 * Holds the index of streams against the records, both ways: what a stream is read by must lead to all
 * of its events and to nothing else, or something that was spent could be spent again. Yields what does
 * not agree, in the order of the log.
 */
export async function* checkStreamIndex(
  { db, head, archived, readAll, isIndexed }: IndexCheckParts,
  signal: AbortSignal,
  pace: () => Promise<void> = async () => {},
): AsyncGenerator<LogDamaged, void, void> {
  const snapshot = db.snapshot();
  try {
    let sound = 0;
    /** The append that an entry was found for, and how many of its events are still to come. */
    let open: { readonly stream: StreamName; readonly left: number } | undefined;
    for await (const batch of readAll()) {
      signal.throwIfAborted();
      const events = batch.filter(isIndexed);
      const entries = await db.getMany(
        events.map(({ stream, revision }) => appendKey(stream, revision)),
        { snapshot },
      );
      for (const [at, { stream, position }] of events.entries()) {
        const entry = entries[at];
        const begins = open === undefined;
        if (!begins && (entry !== undefined || stream !== open?.stream))
          yield new LogDamaged(position, 'the index of streams counts it to another append');
        const location = entry === undefined ? undefined : parseLocation(entry);
        if (location?.position === position) sound += 1;
        else if (begins || location !== undefined)
          yield new LogDamaged(position, 'the index of streams does not lead to it');
        const left: number = location === undefined ? (open?.left ?? 1) - 1 : location.count - 1;
        open = left > 0 ? { stream, left } : undefined;
      }
      await pace();
    }
    if (open !== undefined)
      yield new LogDamaged(head, 'the index of streams has more events of its append than the log');
    yield* strayEntries(sound);
  } finally {
    await snapshot.close();
  }

  /** There are as many entries as appends; where there are more, some lead to what is not theirs. */
  async function* strayEntries(sound: number): AsyncGenerator<LogDamaged, void, void> {
    let entries = 0;
    for await (const [, { position }] of allEntries()) if (position <= head) entries += 1;
    if (entries === sound) return;
    for await (const [key, location] of allEntries()) {
      if (!(await leadsToItsOwn(key, location)))
        yield new LogDamaged(
          location.position,
          `the index of streams leads there from ${parseAppendStream(key)}, which has no such event`,
        );
    }
  }

  async function leadsToItsOwn(key: string, { group, position }: AppendLocation): Promise<boolean> {
    const record = splitGroup((await db.get(groupKey(group), { snapshot })) ?? '')[position - group];
    if (record === undefined || record === '') return position <= archived();
    const { stream, revision } = decodeRecord(record, position);
    return appendKey(stream, revision) === key;
  }

  async function* allEntries(): AsyncGenerator<readonly [key: string, location: AppendLocation], void, void> {
    for await (const [key, value] of inBatches()) {
      const location = parseLocation(value);
      if (isIndexed({ stream: parseAppendStream(key), position: location.position })) yield [key, location];
    }
  }

  async function* inBatches(): AsyncGenerator<readonly [key: string, value: string], void, void> {
    const iterator = db.iterator({ ...ALL_APPENDS, snapshot });
    try {
      for (
        let entries = await iterator.nextv(ENTRIES_PER_BATCH);
        entries.length > 0;
        entries = await iterator.nextv(ENTRIES_PER_BATCH)
      ) {
        signal.throwIfAborted();
        yield* entries;
        await pace();
      }
    } finally {
      await iterator.close();
    }
  }
}
