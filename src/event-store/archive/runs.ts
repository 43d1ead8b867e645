import type { RecordedEvent, StreamName } from '../event-log.ts';
import { RECORDS_PER_MEMBER } from './segment-index.ts';

/** Reads one archived segment by the runs of its streams. A run is a series of consecutive events of one stream. */
export interface SegmentRuns {
  /** The positions of the first and the last event. */
  readonly first: number;
  readonly last: number;
  readEvent(position: number): Promise<RecordedEvent>;
  /**
   * Like `runsFrom` in segment-index.ts: yields runs, each as the number of records before it. Streams may share a
   * hash, so a run may belong to a different stream.
   */
  runsFrom(stream: StreamName, from: number): AsyncIterable<readonly number[]>;
  /** Like `runsBelow` in segment-index.ts. */
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
 * Returns the position after the last event of the run that begins at `begin`. It is at most `bound`, where the
 * stream's next run begins, and is `begin` if the run belongs to a different stream. Nearly every run is a single
 * append within one member. In a long run, the search doubles its step from member to member, then bisects.
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
  // The run covers the end of `lastMemberInside`, but not the start of `firstMemberOutside`.
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
