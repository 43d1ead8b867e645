import { LogDamaged } from './event-log.ts';
import type { Actor, EventToAppend, Position, RecordedEvent, Revision, StreamName } from './event-log.ts';

/** A record as JSON: short on disk, so a request id that is null is left out, like a trace that nobody began. */
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

/** So that no log, whatever is in it, can make this grow. */
const MAX_INTERNED_TYPES = 1_000;

/** What an entry of a C2SP tile bundle can hold: its length has sixteen bits. */
const MAX_RECORD_BYTES = 65_535;

/** The event is longer than a record can be: a limit on what it was made of is missing. */
class RecordTooLong extends RangeError {
  override readonly name = 'RecordTooLong';
}

/** The event's stored text: one line of JSON, never with a raw newline in it. */
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
  // Counted only where it could matter: a character has three bytes at most.
  if (record.length > MAX_RECORD_BYTES / 3 && Buffer.byteLength(record) > MAX_RECORD_BYTES) {
    throw new RecordTooLong(
      `a ${type} of ${Buffer.byteLength(record)} bytes is longer than the ${MAX_RECORD_BYTES} that a record can have`,
    );
  }
  return record;
}

/**
 * The event as it will be stored and as it will be read back, deeply equal: what JSON cannot carry
 * (undefined, dates, NaN) is gone already. `event.data` belongs to the log from here on.
 * @throws TypeError `data` cannot be written as JSON (a cycle, a bigint)
 * @throws RangeError the record would have more than 65,535 bytes
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
  // Member by member: with a trace that is spread into it where there is one, it takes ten times as long.
  return traceparent === undefined
    ? { stream, revision, position, type, version, recordedAt, actor, requestId, data, record }
    : { stream, revision, position, type, version, recordedAt, actor, requestId, traceparent, data, record };
}

/**
 * Reads a record back.
 * @throws LogDamaged `record` is torn or was never an event
 */
export function decodeRecord(record: string, position: Position): RecordedEvent {
  const stored = parseJson(record, position);
  if (!isStoredEvent(stored)) throw new LogDamaged(position, 'its record is not an event');
  const { stream, revision, version, recordedAt, actor, requestId = null, traceparent, data } = stored;
  const type = intern(stored.type);
  return traceparent === undefined
    ? { stream, revision, position, type, version, recordedAt, actor, requestId, data, record }
    : { stream, revision, position, type, version, recordedAt, actor, requestId, traceparent, data, record };
}

/** By what they say; a log has some dozens of them. */
const internedTypes = new Map<string, string>();

/**
 * The one string of all that say `type`. What JSON.parse makes is another one each time, which every projection then
 * compares letter by letter; as the name of a property it is the very one that the program's own text has.
 */
function intern(type: string): string {
  const known = internedTypes.get(type);
  if (known !== undefined) return known;
  const [name = type] = Object.keys({ [type]: true });
  if (internedTypes.size < MAX_INTERNED_TYPES) internedTypes.set(name, name);
  return name;
}

function parseJson(record: string, position: Position): unknown {
  try {
    return JSON.parse(record);
  } catch (cause) {
    throw new LogDamaged(position, 'its record is not JSON', { cause });
  }
}

/** Only what everyone relies on before looking at the type; the rest is the event schemas' to check. */
function isStoredEvent(stored: unknown): stored is StoredEvent {
  if (typeof stored !== 'object' || stored === null) return false;
  const { stream, revision, type } = stored as Partial<StoredEvent>;
  return typeof stream === 'string' && typeof type === 'string' && typeof revision === 'number';
}

/** Whether a round trip through JSON gives the same value: a tenth of the cost of making that trip for every event. */
function survivesJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'object' && objectSurvivesJson(value);
}

function objectSurvivesJson(value: object): boolean {
  if (Array.isArray(value)) {
    for (const element of value) if (!survivesJson(element)) return false; // unlike every(), sees holes
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const property of Object.values(value)) if (!survivesJson(property)) return false;
  return true;
}
