import type { RecordedEvent, StreamName } from '../event-log.ts';
import { MEMBER_RECORDS } from './segment-index.ts';

/** One archived stretch by the runs of its streams. A run is events of one stream that stand next to each other. */
export interface SegmentRuns {
  /** Positions. */
  readonly first: number;
  readonly last: number;
  readEvent(position: number): Promise<RecordedEvent>;
  /** See stretch-index.ts: a run may be another stream's. */
  runsFrom(stream: StreamName, from: number): AsyncIterable<readonly number[]>;
  runsBelow(stream: StreamName, below: number): AsyncIterable<readonly number[]>;
}

type Pages = AsyncGenerator<readonly RecordedEvent[], void, void>;
type Events = AsyncGenerator<RecordedEvent, void, void>;

/** The most events of a page. */
const PAGE_EVENTS = 64;

/** The events of the stream behind `after`, in order. */
export function readEvents(stretch: SegmentRuns, stream: StreamName, after: number): Pages {
  return paginate(walkForwards(stretch, stream, after));
}

/** The events of the stream before `before`, newest first. */
export function readEventsBackwards(stretch: SegmentRuns, stream: StreamName, before: number): Pages {
  return paginate(walkBackwards(stretch, stream, before));
}

async function* walkForwards(stretch: SegmentRuns, stream: StreamName, after: number): Events {
  const { first } = stretch;
  let next = after + 1;
  if (next > first) {
    // `after` may stand within a run
    for await (const event of readRun(stretch, stream, next)) {
      yield event;
      next = event.position + 1;
    }
  }
  for await (const runs of stretch.runsFrom(stream, Math.max(0, next - first))) {
    for (const run of runs) yield* readRun(stretch, stream, first + run);
  }
}

async function* readRun({ last, readEvent: eventAt }: SegmentRuns, stream: StreamName, begin: number): Events {
  for (let position = begin; position <= last; position += 1) {
    const event = await eventAt(position);
    if (event.stream !== stream) return;
    yield event;
  }
}

async function* walkBackwards(stretch: SegmentRuns, stream: StreamName, before: number): Events {
  const { first, last, readEvent: eventAt } = stretch;
  let bound = Math.min(before, last + 1);
  for await (const runs of stretch.runsBelow(stream, bound - first)) {
    for (const run of runs) {
      const begin = first + run;
      const end = await findRunEnd(stretch, stream, begin, bound);
      for (let position = end - 1; position >= begin; position -= 1) yield eventAt(position);
      bound = begin;
    }
  }
}

/**
 * Where the run that begins at `begin` ends: at `bound` at the latest, before which no other run of the stream begins,
 * and at once where it is another stream's. Nearly every run is one append and ends in the member in which it begins; a
 * long one is followed from member to member in steps that double.
 */
async function findRunEnd(stretch: SegmentRuns, stream: StreamName, begin: number, bound: number): Promise<number> {
  const { first, readEvent: eventAt } = stretch;
  const positionOf = (member: number): number => first + member * MEMBER_RECORDS;
  const memberOf = (position: number): number => Math.floor((position - first) / MEMBER_RECORDS);
  const isOfStream = async (position: number): Promise<boolean> => (await eventAt(position)).stream === stream;

  async function endWithin(member: number, from: number): Promise<number> {
    const end = Math.min(positionOf(member + 1), bound);
    for (let position = from; position < end; position += 1) if (!(await isOfStream(position))) return position;
    return end;
  }

  let within = memberOf(begin);
  const end = await endWithin(within, begin);
  if (end < positionOf(within + 1)) return end;
  let beyond = memberOf(bound - 1) + 1; // the run reaches the end of `within`, and not the beginning of `beyond`
  for (let step = 1; within + step < beyond; step *= 2) {
    if (await isOfStream(positionOf(within + step))) within += step;
    else beyond = within + step;
  }
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2);
    if (await isOfStream(positionOf(middle))) within = middle;
    else beyond = middle;
  }
  return endWithin(within, Math.max(begin, positionOf(within)));
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
