import type { Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';

/**
 * How the log lies in LevelDB. Two kinds of entries, both text, both written in the same synced batch:
 *
 *   e<position of the first event>          →  records, one a line           (a group of appends)
 *   s<stream as JSON><its first revision>   →  <group> <position> <count>    (one append)
 *
 * Numbers in keys have a fixed width, so that LevelDB's byte order is theirs. A stream's name is written
 * as JSON because a JSON string ends at its first bare quote: none is the beginning of another one, and
 * NUL and lone surrogates are escaped instead of being mangled by UTF-8.
 */

/** A group is cut here: a stream's reader fetches whole values, so they stay small; a larger append is one value of its own. */
const GROUP_CHARS = 16_384;

const NUMBER_WIDTH = 16; // Number.MAX_SAFE_INTEGER has as many digits

export interface Put {
  readonly key: string;
  readonly value: string;
}

/** Where the events of one append are: in the group that begins at `group`. */
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

/** The groups that begin at `first` or later, up to the one that holds `last`. */
export const groupRange = (first: Position, last: Position): KeyRange => ({
  gte: groupKey(first),
  lte: groupKey(last),
});

export const parseGroupKey = (key: string): Position => Number(key.slice(1)) as Position;

export const appendKey = (stream: StreamName, first: Revision): string =>
  `s${JSON.stringify(stream)}${padNumber(first)}`;

/** All appends to `stream` and to no other one. */
export const appendRange = (stream: StreamName): KeyRange => ({
  gte: appendKey(stream, 0 as Revision),
  lte: appendKey(stream, Number.MAX_SAFE_INTEGER as Revision),
});

/** The appends to all streams. */
export const ALL_APPENDS = { gte: 's', lt: 't' } as const;

/** The stream that an entry of the index is of. */
export const parseAppendStream = (key: string): StreamName => JSON.parse(key.slice(1, -NUMBER_WIDTH)) as StreamName;

export const parseAppendRevision = (key: string): Revision => Number(key.slice(-NUMBER_WIDTH)) as Revision;

export function parseLocation(value: string): AppendLocation {
  const [group, position, count] = value.split(' ').map(Number);
  return { group: group as Position, position: position as Position, count: count ?? 0 };
}

/** The records of a group, in order. */
export const splitGroup = (group: string): readonly string[] => group.split('\n');

/** The puts that store `appends`, which follow each other in the order of the log. */
export function encodeAppends(appends: readonly (readonly RecordedEvent[])[]): readonly Put[] {
  const puts: Put[] = [];
  let group: Position | undefined;
  let records = '';

  const endGroup = (): void => {
    if (group !== undefined) puts.push({ key: groupKey(group), value: records });
  };

  for (const events of appends) {
    const [first] = events;
    if (first === undefined) continue;
    const text = events.length === 1 ? first.record : events.map(({ record }) => record).join('\n');
    if (group === undefined || records.length + text.length > GROUP_CHARS) {
      endGroup();
      group = first.position;
      records = text;
    } else {
      records += `\n${text}`;
    }
    puts.push({ key: appendKey(first.stream, first.revision), value: `${group} ${first.position} ${events.length}` });
  }
  endGroup();
  return puts;
}
