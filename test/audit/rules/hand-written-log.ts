import type { DomainEvent, EventOf, EventType } from '../../../src/domain/events.ts';
import { UPCASTERS } from '../../../src/domain/upcasters.ts';
import type { Position, RecordedEvent, Revision } from '../../../src/event-store/event-log.ts';
import { unchecked } from '../../support/unchecked.ts';

/** An event in a test log. Its time defaults to that of the previous event. */
export interface TestEvent {
  readonly stream: string;
  readonly event: DomainEvent;
  /** Seconds since the start of the log. */
  readonly at?: number;
  /** Replaces members of the envelope. */
  readonly envelope?: Partial<RecordedEvent>;
}

/** The start of the log, in seconds since the epoch. */
export const BEGINNING = 1_767_225_600;

/** Assigns revisions and positions to the events, as an event-log engine does. */
export function toRecordedEvents(writes: readonly TestEvent[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  let seconds = 0;
  return writes.map(({ stream, event, at, envelope }, index) => {
    const revision = ((revisions.get(stream) ?? 0) + 1) as Revision;
    revisions.set(stream, revision);
    seconds = at ?? seconds;
    const { type, data } = event;
    const recordedAt = (BEGINNING + seconds) * 1000;
    const actor = { kind: 'operator' } as const;
    return {
      stream,
      revision,
      position: (index + 1) as Position,
      type,
      version: 1 + (UPCASTERS[type]?.length ?? 0),
      recordedAt,
      actor,
      requestId: null,
      data,
      record: '',
      ...envelope,
    };
  });
}

export function write<Type extends EventType>(
  stream: string,
  type: Type,
  data: Plain<EventOf<Type>['data']>,
  at?: number,
): TestEvent {
  return { stream, event: unchecked({ type, data }), ...(at === undefined ? {} : { at }) };
}

/** The type without brands: the audit validates the data at run time. */
type Plain<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends object
      ? { readonly [Key in keyof Value]: Plain<Value[Key]> }
      : Value;

/** Returns a 43-character hash, unique for each name. */
export const hash = (name: string): string => name.padEnd(43, '-');
/** Returns a 22-character id, unique for each name. */
export const id = (name: string): string => name.padEnd(22, '-');
