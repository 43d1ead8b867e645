import type { RecordedEvent, StreamName } from '../event-log.ts';
import { RECORDS_PER_MEMBER } from './segment-index.ts';

/** Access to an archived segment by its runs. A run is a series of consecutive events of one stream. */
export interface SegmentRuns {
  /** The positions of the segment's first and last events. */
  readonly first: number;
  readonly last: number;
  readEvent(position: number): Promise<RecordedEvent>;
  /**
   * Yields runs, each as the number of records before the run: see `runsFrom` in segment-index.ts. A run may belong
   * to a different stream with the same hash.
   */
  runsFrom(stream: StreamName, from: number): AsyncIterable<readonly number[]>;
  /** Yields runs in reverse order: see `runsBelow` in segment-index.ts. */
  runsBelow(stream: StreamName, below: number): AsyncIterable<readonly number[]>;
}

type Pages = AsyncGenerator<readonly RecordedEvent[], void, void>;
type Events = AsyncGenerator<RecordedEvent, void, void>;

const PAGE_EVENTS = 64;

/** Yields the events of the stream after position `after`, oldest first. */
export function readEvents(segment: SegmentRuns, stream: StreamName, after: number): Pages {
  return paginate(walkForwards(segment, stream, after));
}

/** Yields the events of the stream before position `before`, newest first. */
export function readEventsBackwards(segment: SegmentRuns, stream: StreamName, before: number): Pages {
  return paginate(walkBackwards(segment, stream, before));
}

async function* walkForwards(segment: SegmentRuns, stream: StreamName, after: number): Events {
  const { first } = segment;
  let nextPosition = after + 1;
  if (nextPosition > first) {
    // `after` may be inside a run
    for await (const event of readRun(segment, stream, nextPosition)) {
      yield event;
      nextPosition = event.position + 1;
    }
  }
  for await (const runs of segment.runsFrom(stream, Math.max(0, nextPosition - first))) {
    for (const run of runs) yield* readRun(segment, stream, first + run);
  }
}

async function* readRun({ last, readEvent }: SegmentRuns, stream: StreamName, begin: number): Events {
  for (let position = begin; position <= last; position += 1) {
    const event = await readEvent(position);
    if (event.stream !== stream) return;
    yield event;
  }
}

async function* walkBackwards(segment: SegmentRuns, stream: StreamName, before: number): Events {
  const { first, last, readEvent } = segment;
  let bound = Math.min(before, last + 1);
  for await (const runs of segment.runsBelow(stream, bound - first)) {
    for (const run of runs) {
      const begin = first + run;
      const end = await findRunEnd(segment, stream, begin, bound);
      for (let position = end - 1; position >= begin; position -= 1) yield readEvent(position);
      bound = begin;
    }
  }
}

/**
 * Returns the position after the run that begins at `begin`, or `bound` if that is lower. Returns `begin` if the run
 * belongs to a different stream. Nearly every run is a single append within one member. For a longer run, the search
 * doubles its step from member to member, then bisects.
 * @param bound at most the position at which the stream's next run begins
 */
async function findRunEnd(segment: SegmentRuns, stream: StreamName, begin: number, bound: number): Promise<number> {
  const { first, readEvent } = segment;
  const positionOf = (member: number): number => first + member * RECORDS_PER_MEMBER;
  const memberOf = (position: number): number => Math.floor((position - first) / RECORDS_PER_MEMBER);
  const isInStream = async (position: number): Promise<boolean> => (await readEvent(position)).stream === stream;

  async function findEndInMember(member: number, from: number): Promise<number> {
    const end = Math.min(positionOf(member + 1), bound);
    for (let position = from; position < end; position += 1) if (!(await isInStream(position))) return position;
    return end;
  }

  let lastMemberInside = memberOf(begin);
  const end = await findEndInMember(lastMemberInside, begin);
  if (end < positionOf(lastMemberInside + 1)) return end;
  // Below `bound`, the run has events in `lastMemberInside`, but none in `firstMemberOutside`.
  let firstMemberOutside = memberOf(bound - 1) + 1;
  for (let step = 1; lastMemberInside + step < firstMemberOutside; step *= 2) {
    if (await isInStream(positionOf(lastMemberInside + step))) lastMemberInside += step;
    else firstMemberOutside = lastMemberInside + step;
  }
  while (firstMemberOutside - lastMemberInside > 1) {
    const middle = Math.floor((lastMemberInside + firstMemberOutside) / 2);
    if (await isInStream(positionOf(middle))) lastMemberInside = middle;
    else firstMemberOutside = middle;
  }
  return findEndInMember(lastMemberInside, Math.max(begin, positionOf(lastMemberInside)));
}

async function* paginate(events: AsyncIterable<RecordedEvent>): Pages {
  let page: RecordedEvent[] = [];
  for await (const event of events) {
    page.push(event);
    if (page.length < PAGE_EVENTS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
