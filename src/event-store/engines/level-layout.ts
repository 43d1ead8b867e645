import type { Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';

/**
 * The layout of the log in LevelDB. There are two kinds of entries, both text, written in the same synced batch:
 *
 *   e<position of the first event>                     →  records, one per line        (a group of appends)
 *   s<stream as JSON><revision of the first event>     →  <group> <position> <count>   (one append to one stream)
 *
 * Numbers in keys have a fixed width, so LevelDB's byte order is their numeric order. Stream names are written as JSON:
 * a JSON string ends at its first unescaped quote, so no name is a prefix of another. JSON also escapes NUL, and lone
 * surrogates, which UTF-8 cannot represent.
 */

/**
 * The maximum number of characters in a group. Groups are small because reading a stream fetches whole groups. A larger
 * append gets a group to itself.
 */
const GROUP_CHARS = 16_384;

const NUMBER_WIDTH = 16; // the number of digits in Number.MAX_SAFE_INTEGER

export interface Put {
  readonly key: string;
  readonly value: string;
}

/** The location of one append: `group` is the position of the first event in its group. */
export interface AppendLocation {
  readonly group: Position;
  readonly position: Position;
  readonly count: number;
}

export interface KeyRange {
  readonly gte: string;
  readonly lte: string;
}

const padNumber = (value: number): string => String(value).padStart(NUMBER_WIDTH, '0');

export const groupKey = (first: Position): string => `e${padNumber(first)}`;

/** Returns the key range of the groups that begin at `first` or later, up to the one that contains `last`. */
export const groupRange = (first: Position, last: Position): KeyRange => ({
  gte: groupKey(first),
  lte: groupKey(last),
});

export const parseGroupKey = (key: string): Position => Number(key.slice(1)) as Position;

export const appendKey = (stream: StreamName, first: Revision): string =>
  `s${JSON.stringify(stream)}${padNumber(first)}`;

/** Returns the key range of all appends to `stream`. */
export const appendRange = (stream: StreamName): KeyRange => ({
  gte: appendKey(stream, 0 as Revision),
  lte: appendKey(stream, Number.MAX_SAFE_INTEGER as Revision),
});

/** The key range of all appends. */
export const ALL_APPENDS = { gte: 's', lt: 't' } as const;

/** Returns the name of the stream in an append's key. */
export const parseAppendStream = (key: string): StreamName => JSON.parse(key.slice(1, -NUMBER_WIDTH)) as StreamName;

export const parseAppendRevision = (key: string): Revision => Number(key.slice(-NUMBER_WIDTH)) as Revision;

export function parseLocation(value: string): AppendLocation {
  const [group, position, count] = value.split(' ').map(Number);
  return { group: group as Position, position: position as Position, count: count ?? 0 };
}

export const splitGroup = (group: string): readonly string[] => group.split('\n');

/** Returns the puts that store `appends`, which must be consecutive. */
export function encodeAppends(appends: readonly (readonly RecordedEvent[])[]): readonly Put[] {
  const puts: Put[] = [];
  let group: Position | undefined;
  let records = '';

  const endGroup = (): void => {
    if (group !== undefined) puts.push({ key: groupKey(group), value: records });
  };

  const put = (events: readonly RecordedEvent[]): void => {
    const [first] = events;
    if (first === undefined) return;
    const text = events.length === 1 ? first.record : events.map(({ record }) => record).join('\n');
    if (group === undefined || records.length + text.length > GROUP_CHARS) {
      endGroup();
      group = first.position;
      records = text;
    } else {
      records += `\n${text}`;
    }
    puts.push({ key: appendKey(first.stream, first.revision), value: `${group} ${first.position} ${events.length}` });
  };

  for (const events of appends) {
    if (events[0]?.stream === events.at(-1)?.stream) put(events);
    else for (const part of splitByStream(events)) put(part);
  }
  endGroup();
  return puts;
}

/** Splits an append to several streams into one part for each stream. */
function splitByStream(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const streams = [...new Set(events.map(({ stream }) => stream))];
  return streams.map((name) => events.filter(({ stream }) => stream === name));
}
