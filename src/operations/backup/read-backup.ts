import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OperationRefused } from '../refused.ts';
import type { ClientId, UserId } from '../../domain/values.ts';
import type { Position, RecordedEvent } from '../../event-store/event-log.ts';
import { exportLine } from '../../event-store/export-line.ts';
import { decodeRecord } from '../../event-store/record.ts';
import { KEY_NAMES, type KeyTexts } from '../../platform/keys/keys.ts';
import { leafHash } from '../../audit/merkle/hashing.ts';
import { emptyTree } from '../../audit/merkle/tree.ts';
import {
  checkpointSchema,
  clientKeySchema,
  END_PREFIX,
  endBody,
  headerSchema,
  keySchema,
  decodeLine,
  personalKeySchema,
  RECORD_PREFIX,
  encodeLine,
  type BackupHeader,
} from './format.ts';

export interface BackupReader {
  /** Takes in the next bytes of the file; answers the events that they completed. */
  push(chunk: Uint8Array): readonly RecordedEvent[];
  /** Says that there is nothing more. The last word on the file: what was handed out before may be damaged. */
  finish(): BackupContents;
}

/** All but the events. */
export interface BackupContents {
  readonly header: BackupHeader;
  readonly keys: KeyTexts;
  readonly personalKeys: readonly (readonly [UserId, Buffer])[];
  readonly clientKeys: readonly (readonly [ClientId, Buffer])[];
  readonly root: string;
}

const preamble = z.union([headerSchema, keySchema, personalKeySchema, clientKeySchema, checkpointSchema]);
type PreambleLine = z.output<typeof preamble>;

const NEWLINE = 0x0a;

/**
 * Reads a backup strictly: in the order in which it is written, every line by its check, and all of
 * them by the digest at the end. Each of its functions throws OperationRefused, naming the line and
 * the position, at the first that is not as it was written.
 */
export function createBackupReader(keepCheckpoint: (size: number, note: string, keys: KeyTexts) => void): BackupReader {
  const digest = createHash('sha256');
  const tree = emptyTree();
  const keys = new Map<string, string>();
  const personalKeys: (readonly [UserId, Buffer])[] = [];
  const clientKeys: (readonly [ClientId, Buffer])[] = [];
  let header: BackupHeader | undefined;
  let lastCheckpoint = 0;
  let lines = 0;
  let records = 0;
  let unfinished: Buffer = Buffer.alloc(0);
  let root: string | undefined;

  function damaged(finding: string): OperationRefused {
    const isAmongRecords = header !== undefined && lastCheckpoint === header.position && records < header.position;
    const where = isAmongRecords ? `line ${lines} (position ${records + 1})` : `line ${lines}`;
    return new OperationRefused(`the backup is damaged at ${where}: ${finding}; nothing was restored`);
  }

  /** `bytes` has the newline. */
  function line(bytes: Buffer, events: RecordedEvent[]): void {
    lines += 1;
    if (root !== undefined) throw damaged('something follows its end');
    const body = decodeLine(bytes.toString('utf8', 0, bytes.length - 1));
    if (body === undefined) throw damaged('the line is not as it was written');
    if (body.startsWith(END_PREFIX)) return end(bytes);
    digest.update(bytes);
    if (body.startsWith(RECORD_PREFIX)) events.push(record(body));
    else keep(parse(body));
  }

  /** What a line says cannot be read, although it is as it was written. */
  function orDamaged<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      throw damaged(error instanceof Error ? error.message : String(error));
    }
  }

  function record(body: string): RecordedEvent {
    if (header === undefined || keys.size < KEY_NAMES.length) throw damaged('a record comes before the keys');
    if (lastCheckpoint !== header.position) throw damaged('no checkpoint is over exactly the records of the backup');
    const position = (records + 1) as Position;
    const event = orDamaged(() =>
      decodeRecord(body.slice(`${RECORD_PREFIX}${position},"record":`.length, -1), position),
    );
    if (position > header.position || exportLine(event) !== body)
      throw damaged(`the record of position ${position} was expected`);
    records = position;
    return event;
  }

  function parse(body: string): PreambleLine {
    const said = preamble.safeParse(orDamaged(() => JSON.parse(body)));
    if (said.success) return said.data;
    throw damaged(
      header === undefined
        ? 'it is not a backup that this release can read'
        : 'the line says nothing that a backup says',
    );
  }

  function keep(said: PreambleLine): void {
    if ('format' in said) {
      if (lines !== 1) throw damaged('a second beginning');
      header = said;
      return;
    }
    if (header === undefined) throw damaged('it does not begin as a backup does');
    if (records > 0) throw damaged('only records can follow the first record');
    if ('key' in said) keepKey(said.key, said.value);
    else if (keys.size < KEY_NAMES.length) throw damaged("the server's own keys come first");
    else if ('user' in said) personalKeys.push([said.user as UserId, Buffer.from(said.value, 'base64url')]);
    else if ('client' in said) clientKeys.push([said.client as ClientId, Buffer.from(said.value, 'base64url')]);
    else keepNext(said.checkpoint, said.note, header.position);
  }

  function keepKey(name: string, value: string): void {
    if (KEY_NAMES[keys.size] !== name) throw damaged(`the key ${KEY_NAMES[keys.size] ?? 'of a user'} was expected`);
    keys.set(name, value);
  }

  function keepNext(size: number, note: string, position: number): void {
    if (size <= lastCheckpoint || size > position) throw damaged('the checkpoint is not one that comes here');
    lastCheckpoint = size;
    orDamaged(() => keepCheckpoint(size, note, Object.fromEntries(keys) as KeyTexts));
  }

  function end(bytes: Buffer): void {
    if (records !== header?.position) throw damaged(`it ends after ${records} records of ${header?.position ?? 0}`);
    const computed = tree.root().toString('base64');
    const expected = encodeLine(endBody({ records, root: computed, sha256: digest.digest('hex') }));
    if (bytes.toString('utf8') !== expected) throw damaged('its last line does not agree with those before');
    root = computed;
  }

  function wholeLines(bytes: Buffer): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    let begin = 0;
    let sealed = 0;
    const seal = (): void => {
      tree.append(events.slice(sealed).map((event) => leafHash(event.record)));
      sealed = events.length;
    };
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, begin)) {
      const whole = bytes.subarray(begin, at + 1);
      if (records === header?.position) seal(); // the end may be next, and asks for the root
      line(whole, events);
      begin = at + 1;
    }
    seal();
    unfinished = bytes.subarray(begin);
    return events;
  }

  return {
    push: (chunk) => wholeLines(Buffer.concat([unfinished, chunk])),
    finish() {
      lines += 1;
      if (unfinished.length > 0) throw damaged('the file ends in the middle of a line');
      if (header === undefined || root === undefined) throw damaged('the file ends too early');
      return { header, keys: Object.fromEntries(keys) as KeyTexts, personalKeys, clientKeys, root };
    },
  };
}
