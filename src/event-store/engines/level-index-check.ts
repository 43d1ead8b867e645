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

export interface IndexCheckDeps {
  readonly db: Level;
  readonly head: Position;
  /** Returns the position of the last archived event. */
  readonly archiveEnd: () => Position;
  readonly readAll: () => AsyncIterable<readonly RecordedEvent[]>;
  /** Reports whether the live index covers the event. Archived segments have their own indexes. */
  readonly isIndexed: (event: { readonly stream: StreamName; readonly position: Position }) => boolean;
}

/**
 * Compares the stream index with the records in both directions. If the index lacked an event of a stream, a redeemed
 * code or a rotated token could be used again. Yields an error for each event that the index lacks or misplaces, in log
 * order, and then for each index entry that does not point to the right event.
 */
export async function* checkStreamIndex(
  { db, head, archiveEnd, readAll, isIndexed }: IndexCheckDeps,
  signal: AbortSignal,
  pace: () => Promise<void> = async () => {},
): AsyncGenerator<LogDamaged, void, void> {
  const snapshot = db.snapshot();
  try {
    let validEntries = 0;
    /** The stream of the append being read, and the number of events of the append that have not been read yet. */
    let currentAppend: { readonly stream: StreamName; readonly remaining: number } | undefined;
    for await (const batch of readAll()) {
      signal.throwIfAborted();
      const events = batch.filter(isIndexed);
      const entries = await db.getMany(
        events.map(({ stream, revision }) => appendKey(stream, revision)),
        { snapshot },
      );
      for (const [index, { stream, position }] of events.entries()) {
        const entry = entries[index];
        const isFirstOfAppend = currentAppend === undefined;
        if (!isFirstOfAppend && (entry !== undefined || stream !== currentAppend?.stream))
          yield new LogDamaged(position, 'the stream index assigns the event to a different append');
        const location = entry === undefined ? undefined : parseLocation(entry);
        if (location?.position === position) validEntries += 1;
        else if (isFirstOfAppend || location !== undefined)
          yield new LogDamaged(position, 'the stream index does not point to the event');
        const remaining: number = location === undefined ? (currentAppend?.remaining ?? 1) - 1 : location.count - 1;
        currentAppend = remaining > 0 ? { stream, remaining } : undefined;
      }
      await pace();
    }
    if (currentAppend !== undefined)
      yield new LogDamaged(head, 'the stream index counts more events in the last append than the log contains');
    yield* findStrayEntries(validEntries);
  } finally {
    await snapshot.close();
  }

  /**
   * Yields an error for each incorrect entry. Every append has one valid entry, so each entry is checked only if there
   * are more entries than valid ones.
   */
  async function* findStrayEntries(validEntries: number): AsyncGenerator<LogDamaged, void, void> {
    let entries = 0;
    for await (const [, { position }] of readIndexedEntries()) if (position <= head) entries += 1;
    if (entries === validEntries) return;
    for await (const [key, location] of readIndexedEntries()) {
      if (!(await isCorrectEntry(key, location)))
        yield new LogDamaged(
          location.position,
          `the stream index has an incorrect entry for this position in ${parseAppendStream(key)}`,
        );
    }
  }

  async function isCorrectEntry(key: string, { group, position }: AppendLocation): Promise<boolean> {
    const record = splitGroup((await db.get(groupKey(group), { snapshot })) ?? '')[position - group];
    if (record === undefined || record === '') return position <= archiveEnd();
    const { stream, revision } = decodeRecord(record, position);
    return appendKey(stream, revision) === key;
  }

  async function* readIndexedEntries(): AsyncGenerator<readonly [key: string, location: AppendLocation], void, void> {
    for await (const [key, value] of readAllEntries()) {
      const location = parseLocation(value);
      if (isIndexed({ stream: parseAppendStream(key), position: location.position })) yield [key, location];
    }
  }

  async function* readAllEntries(): AsyncGenerator<readonly [key: string, value: string], void, void> {
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
