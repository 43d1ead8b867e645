import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { crc32c } from '../../src/event-store/engines/crc32c.ts';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import { LogDamaged, type EventLog } from '../../src/event-store/event-log.ts';
import { readFilesBelow } from '../support/at-rest.ts';
import { findFile, flipBit } from '../support/stored-files.ts';

const EVENT = {
  type: 'NoteAdded',
  version: 1,
  recordedAt: 1,
  actor: { kind: 'server' },
  requestId: null,
  data: { text: 'x'.repeat(200) },
} as const;

describe('a log in LevelDB', () => {
  let parent: string;
  /** The log of a killed process: one write-ahead log with thirty events. */
  let killedLocation: string;
  let location: string;

  async function appendTo(log: EventLog, from: number, to: number): Promise<void> {
    for (let index = from; index <= to; index += 1) await log.append(`stream-${index}`, 'no-stream', [EVENT]);
  }

  before(async () => {
    parent = mkdtempSync(join(tmpdir(), 'grantlog-damaged-'));
    killedLocation = join(parent, 'killed');
    const log = await openLevelLog({ location: join(parent, 'served') });
    await appendTo(log, 1, 30);
    cpSync(join(parent, 'served'), killedLocation, { recursive: true });
    await log.close();
  });
  beforeEach(() => {
    location = join(mkdtempSync(join(parent, 'copy-')), 'log');
    cpSync(killedLocation, location, { recursive: true });
  });
  after(() => rmSync(parent, { recursive: true }));

  const wal = (): string => findFile(location, /\.log$/);

  async function expectRefusal(): Promise<LogDamaged> {
    const outcome: unknown = await openLevelLog({ location }).catch((error: unknown) => error);
    if (outcome instanceof LogDamaged) return outcome;
    await (outcome as EventLog).close();
    throw new Error(`the log was opened: ${String(outcome)}`);
  }

  it('that was left by a killed process opens with every event', async () => {
    const log = await openLevelLog({ location });
    expect(log.head()).to.equal(30);
    await log.close();
  });

  it('is refused every time and left unchanged while its write-ahead log is damaged', async () => {
    flipBit(wal(), readFileSync(wal()).indexOf('stream-12'));
    const filesBefore = readFilesBelow(location);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { message, position } = await expectRefusal();
      expect(position).to.equal(12);
      expect(message).to.include(`${wal()} is damaged at byte`).and.include('restore the newest backup that verifies');
    }
    expect(readFilesBelow(location)).to.deep.equal(filesBefore);
  });

  it('is refused permanently after LevelDB has reported a dropped record once', async () => {
    appendFileSync(wal(), fragment(Buffer.from('too short'))); // valid checksum, but not a batch
    expect((await expectRefusal()).message).to.match(/dropping 9 bytes; Corruption: log record too small/);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await expectRefusal()).message).to.match(/dropped records at an earlier startup \(.*log\.dropped\)/);
    }
    expect(readFileSync(`${location}.dropped`, 'utf8')).to.include('log record too small');
    expect(statSync(`${location}.dropped`).mode & 0o777).to.equal(0o600);
  });

  it('without CURRENT is not mistaken for a new log, so no file is removed', async () => {
    const log = await openLevelLog({ location });
    await log.close(); // the events in the write-ahead log are now in a table
    copyFileSync(join(location, 'CURRENT'), join(location, '..', 'CURRENT'));
    unlinkSync(join(location, 'CURRENT'));
    expect((await expectRefusal()).message).to.match(/CURRENT is missing/);
    copyFileSync(join(location, '..', 'CURRENT'), join(location, 'CURRENT'));
    const reopenedLog = await openLevelLog({ location });
    expect(reopenedLog.head()).to.equal(30);
    await reopenedLog.close();
  });

  async function expectEveryEvent(): Promise<void> {
    const log = await openLevelLog({ location });
    expect(log.head()).to.equal(30);
    await log.close();
  }

  it('is refused and left unchanged without its write-ahead log, and is complete once that is restored', async () => {
    const [path, movedPath] = [wal(), join(location, '..', 'away')];
    renameSync(path, movedPath);
    const filesBefore = readFilesBelow(location);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await expectRefusal()).message)
        .to.include(`${path} is missing. `)
        .and.include('restore it if it was moved');
    }
    expect(readFilesBelow(location)).to.deep.equal(filesBefore);
    renameSync(movedPath, path);
    await expectEveryEvent();
  });

  it('is refused and left unchanged while CURRENT and MANIFEST are outdated, and complete once restored', async () => {
    await expectEveryEvent();
    const newerCopy = join(location, '..', 'newer');
    cpSync(location, newerCopy, { recursive: true });
    const stateFilesIn = (directory: string): string[] =>
      readdirSync(directory).filter((name) => /^(?:CURR|MANI)/.test(name));
    const outcomes: RegExp[] = [
      /000003\.log is missing/,
      /MANIFEST-\d+ is newer: files from different times are mixed/,
    ];
    for (const outcome of outcomes) {
      for (const name of stateFilesIn(killedLocation)) copyFileSync(join(killedLocation, name), join(location, name));
      if (outcome !== outcomes[0]) {
        copyFileSync(join(killedLocation, '000003.log'), join(location, '000003.log'));
        copyFileSync(findFile(location, /^MANIFEST/), join(location, 'MANIFEST-000099'));
      }
      const filesBefore = readFilesBelow(location);
      expect((await expectRefusal()).message).to.match(outcome);
      expect(readFilesBelow(location)).to.deep.equal(filesBefore);
    }
    unlinkSync(join(location, '000003.log'));
    unlinkSync(join(location, 'MANIFEST-000099'));
    for (const name of stateFilesIn(newerCopy)) copyFileSync(join(newerCopy, name), join(location, name));
    await expectEveryEvent();
  });

  it('opens with every event after an interrupted startup and compaction', async () => {
    for (const bytes of [0, 30, 200]) {
      rmSync(location, { recursive: true });
      cpSync(killedLocation, location, { recursive: true });
      const manifest = readFileSync(findFile(location, /^MANIFEST/));
      writeFileSync(join(location, 'MANIFEST-000004'), manifest.subarray(0, bytes)); // CURRENT does not name it yet
      writeFileSync(join(location, '000005.ldb'), 'a table that is not finished');
      writeFileSync(join(location, '000006.log'), '');
      writeFileSync(join(location, '000004.dbtmp'), 'MANI');
      await expectEveryEvent();
    }
  });

  it('opens after a crash at any step of its first startup', async () => {
    const steps: readonly (readonly [name: string, content: Buffer | string])[] = [
      ['MANIFEST-000001', fragment(FIRST_STATE)],
      ['000001.dbtmp', 'MANI'],
      ['CURRENT', 'MANIFEST-000001\n'],
      ['000003.log', ''],
      ['MANIFEST-000002', fragment(FIRST_STATE).subarray(0, 20)],
    ];
    for (const upTo of steps.keys()) {
      rmSync(location, { recursive: true });
      mkdirSync(location);
      for (const [name, content] of steps.slice(0, upTo + 1)) writeFileSync(join(location, name), content);
      const log = await openLevelLog({ location });
      await appendTo(log, 1, 2);
      expect(log.head()).to.equal(2);
      await log.close();
    }
  });

  it('that LevelDB cannot open is refused with advice', async () => {
    const damageCases: readonly [description: string, inflict: () => void][] = [
      ['a flipped bit in MANIFEST', () => flipBit(findFile(location, /^MANIFEST/), 20)],
      ['a flipped bit in CURRENT', () => flipBit(join(location, 'CURRENT'), 3)],
      ['a truncated CURRENT', () => truncateSync(join(location, 'CURRENT'), 4)],
      ['a missing table', () => unlinkSync(findFile(location, /\.ldb$/))],
      ['a truncated table', () => truncateSync(findFile(location, /\.ldb$/), 300)],
    ];
    for (const [description, inflict] of damageCases) {
      rmSync(location, { recursive: true });
      cpSync(killedLocation, location, { recursive: true });
      await (await openLevelLog({ location })).close();
      inflict();
      const { message } = await expectRefusal();
      expect(message, description).to.include(
        'Stop the server, keep its data directory as it is, and restore the newest',
      );
    }
  });

  it('has files that only its owner can access, even if an earlier release made them world-readable', async () => {
    for (const name of readdirSync(location)) chmodSync(join(location, name), 0o644);
    const log = await openLevelLog({ location });
    try {
      for (const name of readdirSync(location)) {
        expect(statSync(join(location, name)).mode & 0o777, name).to.equal(0o600);
      }
    } finally {
      await log.close();
    }
    expect(existsSync(`${location}.dropped`)).to.equal(false);
  });
});

/** LevelDB's first MANIFEST: a comparator, log number 0, next file number 2, last sequence number 0. */
const FIRST_STATE = Buffer.from('\x01\x1aleveldb.BytewiseComparator\x02\x00\x03\x02\x04\x00');

/** Encodes a record in LevelDB's write-ahead log. */
function fragment(payload: Buffer): Buffer {
  const FULL = 1;
  const header = Buffer.alloc(7);
  const crc = crc32c(Buffer.concat([Buffer.of(FULL), payload]));
  header.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0, 0);
  header.writeUInt16LE(payload.length, 4);
  header.writeUInt8(FULL, 6);
  return Buffer.concat([header, payload]);
}
