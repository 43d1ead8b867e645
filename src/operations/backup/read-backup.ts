import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OperationRefused } from '../control/operation-refused.ts';
import type { ClientId, KeyId, UserId } from '../../domain/values.ts';
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
  signingKeySchema,
  RECORD_PREFIX,
  encodeLine,
  type BackupHeader,
} from './format.ts';

export interface BackupReader {
  /** Parses the next bytes of the file and returns the events that they complete. */
  push(chunk: Uint8Array): readonly RecordedEvent[];
  /** Verifies the end of the file. Until `finish` returns, the events returned so far may be damaged. */
  finish(): BackupContents;
}

/** The contents of a backup, except for the events. */
export interface BackupContents {
  readonly header: BackupHeader;
  readonly keys: KeyTexts;
  readonly personalKeys: readonly (readonly [UserId, Buffer])[];
  readonly clientKeys: readonly (readonly [ClientId, Buffer])[];
  readonly signingKeys: readonly (readonly [KeyId, Buffer])[];
  readonly root: string;
}

const preamble = z.union([
  headerSchema,
  keySchema,
  personalKeySchema,
  clientKeySchema,
  signingKeySchema,
  checkpointSchema,
]);
type PreambleLine = z.output<typeof preamble>;

const NEWLINE = 0x0a;

/**
 * Creates a reader that verifies the order of the lines, the checksum of each line, and the digest at the end. Each
 * method throws OperationRefused at the first damaged line; the message contains the line number and, for a record, its
 * position.
 */
export function createBackupReader(onCheckpoint: (size: number, note: string, keys: KeyTexts) => void): BackupReader {
  const digest = createHash('sha256');
  const tree = emptyTree();
  const keys = new Map<string, string>();
  const personalKeys: (readonly [UserId, Buffer])[] = [];
  const clientKeys: (readonly [ClientId, Buffer])[] = [];
  const signingKeys: (readonly [KeyId, Buffer])[] = [];
  let header: BackupHeader | undefined;
  let lastCheckpoint = 0;
  let lineCount = 0;
  let recordCount = 0;
  let incompleteLine: Buffer = Buffer.alloc(0);
  let root: string | undefined;

  function damageError(problem: string): OperationRefused {
    const isAmongRecords = header !== undefined && lastCheckpoint === header.position && recordCount < header.position;
    const location = isAmongRecords ? `line ${lineCount} (position ${recordCount + 1})` : `line ${lineCount}`;
    return new OperationRefused(`the backup is damaged at ${location}: ${problem}; nothing was restored`);
  }

  /** `bytes` includes the newline. */
  function readLine(bytes: Buffer, events: RecordedEvent[]): void {
    lineCount += 1;
    if (root !== undefined) throw damageError('there is data after the last line');
    const body = decodeLine(bytes.toString('utf8', 0, bytes.length - 1));
    if (body === undefined) throw damageError('the line does not match its checksum');
    if (body.startsWith(END_PREFIX)) return verifyEnd(bytes);
    digest.update(bytes);
    if (body.startsWith(RECORD_PREFIX)) events.push(readRecord(body));
    else addPreambleLine(parse(body));
  }

  /** Calls `read`, and reports any error that it throws as damage. */
  function reportAsDamage<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      throw damageError(error instanceof Error ? error.message : String(error));
    }
  }

  function readRecord(body: string): RecordedEvent {
    if (header === undefined || keys.size < KEY_NAMES.length) throw damageError('there is a record before the keys');
    if (lastCheckpoint !== header.position) throw damageError('no checkpoint covers exactly the records of the backup');
    const position = (recordCount + 1) as Position;
    const event = reportAsDamage(() =>
      decodeRecord(body.slice(`${RECORD_PREFIX}${position},"record":`.length, -1), position),
    );
    if (position > header.position || exportLine(event) !== body)
      throw damageError(`expected the record at position ${position}`);
    recordCount = position;
    return event;
  }

  function parse(body: string): PreambleLine {
    const parsed = preamble.safeParse(reportAsDamage(() => JSON.parse(body)));
    if (parsed.success) return parsed.data;
    throw damageError(
      header === undefined
        ? 'the file is not a backup that this release can read'
        : 'the line is not part of the backup format',
    );
  }

  function addPreambleLine(line: PreambleLine): void {
    if ('format' in line) {
      if (lineCount !== 1) throw damageError('there is a second header');
      header = line;
      return;
    }
    if (header === undefined) throw damageError('the file does not begin with the header of a backup');
    if (recordCount > 0) throw damageError('only records can follow the first record');
    if ('key' in line) addKey(line.key, line.value);
    else if (keys.size < KEY_NAMES.length) throw damageError("the server's own keys must come first");
    else if ('user' in line) personalKeys.push([line.user as UserId, Buffer.from(line.value, 'base64url')]);
    else if ('client' in line) clientKeys.push([line.client as ClientId, Buffer.from(line.value, 'base64url')]);
    else if ('signing_key' in line) signingKeys.push([line.signing_key as KeyId, Buffer.from(line.value, 'base64url')]);
    else addCheckpoint(line.checkpoint, line.note, header.position);
  }

  function addKey(name: string, value: string): void {
    const expectedName = KEY_NAMES[keys.size];
    if (expectedName === undefined) throw damageError('there are too many server keys');
    if (name !== expectedName) throw damageError(`expected the server key ${expectedName}`);
    keys.set(name, value);
  }

  function addCheckpoint(size: number, note: string, position: number): void {
    if (size <= lastCheckpoint || size > position) throw damageError('the checkpoint is out of order');
    lastCheckpoint = size;
    reportAsDamage(() => onCheckpoint(size, note, Object.fromEntries(keys) as KeyTexts));
  }

  function verifyEnd(bytes: Buffer): void {
    if (recordCount !== header?.position)
      throw damageError(`the file ends after ${recordCount} of ${header?.position ?? 0} records`);
    const computedRoot = tree.root().toString('base64');
    const endLine = encodeLine(endBody({ records: recordCount, root: computedRoot, sha256: digest.digest('hex') }));
    if (bytes.toString('utf8') !== endLine) throw damageError('the last line does not match the lines before it');
    root = computedRoot;
  }

  function readCompleteLines(bytes: Buffer): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    let lineStart = 0;
    let hashedCount = 0;
    const appendToTree = (): void => {
      tree.append(events.slice(hashedCount).map((event) => leafHash(event.record)));
      hashedCount = events.length;
    };
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, lineStart)) {
      const line = bytes.subarray(lineStart, newline + 1);
      if (recordCount === header?.position) appendToTree(); // the next line may be the last, which contains the root
      readLine(line, events);
      lineStart = newline + 1;
    }
    appendToTree();
    incompleteLine = bytes.subarray(lineStart);
    return events;
  }

  return {
    push: (chunk) => readCompleteLines(Buffer.concat([incompleteLine, chunk])),
    finish() {
      lineCount += 1;
      if (incompleteLine.length > 0) throw damageError('the file ends in the middle of a line');
      if (header === undefined || root === undefined) throw damageError('the file ends too early');
      return { header, keys: Object.fromEntries(keys) as KeyTexts, personalKeys, clientKeys, signingKeys, root };
    },
  };
}
