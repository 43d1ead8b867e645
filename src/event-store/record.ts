import { LogDamaged } from './event-log.ts';
import type { Actor, EventToAppend, Position, RecordedEvent, Revision, StreamName } from './event-log.ts';

/** A record as JSON. To save disk space, a request id of null and an absent trace are omitted. */
interface StoredEvent {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly type: string;
  readonly version: number;
  readonly recordedAt: number;
  readonly actor: Actor;
  readonly requestId?: string;
  readonly traceparent?: string;
  readonly data: unknown;
}

/** Limits the memory used for types, even if the log is damaged. */
const MAX_INTERNED_TYPES = 1_000;

/** The limit of an entry in an entry bundle (C2SP tlog-tiles), whose length has 16 bits. */
const MAX_RECORD_BYTES = 65_535;

/** The event does not fit into a record. This means that a limit on its input is missing. */
class RecordTooLong extends RangeError {
  override readonly name = 'RecordTooLong';
}

/** Returns the event's stored text: one line of JSON without a raw newline. */
function encodeRecord(stream: StreamName, revision: Revision, event: EventToAppend): string {
  const { type, version, recordedAt, actor, requestId, traceparent, data } = event;
  const record = JSON.stringify({
    stream,
    revision,
    type,
    version,
    recordedAt,
    actor,
    requestId: requestId ?? undefined,
    traceparent,
    data,
  });
  // A UTF-16 code unit takes at most three bytes, so short records need no exact count.
  if (record.length > MAX_RECORD_BYTES / 3 && Buffer.byteLength(record) > MAX_RECORD_BYTES) {
    throw new RecordTooLong(
      `a ${type} of ${Buffer.byteLength(record)} bytes exceeds the limit of ${MAX_RECORD_BYTES} bytes for a record`,
    );
  }
  return record;
}

/**
 * Returns the event as it will be read back: values that JSON cannot represent (undefined, dates, NaN) have been
 * removed or converted. The caller must not change `event.data` afterwards.
 * @throws TypeError if `data` cannot be written as JSON (a cycle, a bigint)
 * @throws RangeError if the record would have more than 65,535 bytes
 */
export function recordEvent(
  stream: StreamName,
  revision: Revision,
  position: Position,
  event: EventToAppend,
): RecordedEvent {
  const record = encodeRecord(stream, revision, event);
  if (!survivesJson(event.data)) return decodeRecord(record, position);
  const { type, version, recordedAt, actor, requestId, traceparent, data } = event;
  return traceparent === undefined
    ? { stream, revision, position, type, version, recordedAt, actor, requestId, data, record }
    : { stream, revision, position, type, version, recordedAt, actor, requestId, traceparent, data, record };
}

/**
 * Parses a record.
 * @throws LogDamaged if `record` is incomplete or is not an event
 */
export function decodeRecord(record: string, position: Position): RecordedEvent {
  const storedEvent = parseJson(record, position);
  if (!isStoredEvent(storedEvent)) throw new LogDamaged(position, 'the record is not an event');
  const { stream, revision, version, recordedAt, actor, requestId = null, traceparent, data } = storedEvent;
  const type = intern(storedEvent.type);
  return traceparent === undefined
    ? { stream, revision, position, type, version, recordedAt, actor, requestId, data, record }
    : { stream, revision, position, type, version, recordedAt, actor, requestId, traceparent, data, record };
}

const internedTypes = new Map<string, string>();

/**
 * Returns the same string object for equal types. JSON.parse creates a new string for each event, which projections
 * would compare character by character. V8 interns property names together with the literals in the source.
 */
function intern(type: string): string {
  const internedType = internedTypes.get(type);
  if (internedType !== undefined) return internedType;
  const [name = type] = Object.keys({ [type]: true });
  if (internedTypes.size < MAX_INTERNED_TYPES) internedTypes.set(name, name);
  return name;
}

function parseJson(record: string, position: Position): unknown {
  try {
    return JSON.parse(record);
  } catch (cause) {
    throw new LogDamaged(position, 'the record is not JSON', { cause });
  }
}

/** Checks only what is needed to select a schema. The event's schema checks the other members. */
function isStoredEvent(value: unknown): value is StoredEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { stream, revision, type } = value as Partial<StoredEvent>;
  return typeof stream === 'string' && typeof type === 'string' && typeof revision === 'number';
}

/** Reports whether a JSON round trip would return an equal value, so that it can be skipped. */
function survivesJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'object' && objectSurvivesJson(value);
}

function objectSurvivesJson(value: object): boolean {
  if (Array.isArray(value)) {
    for (const element of value) if (!survivesJson(element)) return false; // unlike every(), includes holes
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const property of Object.values(value)) if (!survivesJson(property)) return false;
  return true;
}
