import {
  appendFileSync, chmodSync, copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync,
  truncateSync, unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { crc32c } from '../../src/eventsourcing/engines/crc32c.ts';
import { openLevelLog } from '../../src/eventsourcing/engines/level.ts';
import { LogDamaged, type EventLog } from '../../src/eventsourcing/event-log.ts';
import { filesBelow } from '../support/at-rest.ts';
import { fileIn, flipBit } from '../support/stored-files.ts';

const EVENT = {
  type: 'Said', version: 1, recordedAt: 1, actor: { kind: 'server' }, requestId: null, data: { text: 'x'.repeat(200) },
} as const;

describe('a log in LevelDB', () => {
  let parent: string;
  /** As a killed process left it: one write-ahead log, with thirty events. */
  let killed: string;
  let location: string;

  async function appendTo(log: EventLog, from: number, to: number): Promise<void> {
    for (let at = from; at <= to; at += 1) await log.append(`stream-${at}`, 'no-stream', [EVENT]);
  }

  before(async () => {
    parent = mkdtempSync(join(tmpdir(), 'grantlog-damaged-'));
    killed = join(parent, 'killed');
    const log = await openLevelLog({ location: join(parent, 'served') });
    await appendTo(log, 1, 30);
    cpSync(join(parent, 'served'), killed, { recursive: true });
    await log.close();
  });
  beforeEach(() => {
    location = join(mkdtempSync(join(parent, 'copy-')), 'log');
    cpSync(killed, location, { recursive: true });
  });
  after(() => rmSync(parent, { recursive: true }));

  const wal = (): string => fileIn(location, /\.log$/);

  async function refusal(): Promise<LogDamaged> {
    const opened: unknown = await openLevelLog({ location }).catch((error: unknown) => error);
    if (opened instanceof LogDamaged) return opened;
    await (opened as EventLog).close();
    throw new Error(`it was opened: ${String(opened)}`);
  }

  it('that a process left when it was killed is opened with every event', async () => {
    const log = await openLevelLog({ location });
    expect(log.head()).to.equal(30);
    await log.close();
  });

  it('is refused while its write-ahead log is damaged, each time, and nothing in it is touched', async () => {
    flipBit(wal(), readFileSync(wal()).indexOf('stream-12'));
    const before = filesBelow(location);
    for (let time = 0; time < 3; time += 1) {
      const { message, position } = await refusal();
      expect(position).to.equal(12);
      expect(message).to.include(`${wal()} is damaged at byte`).and.include('restore the newest backup that verifies');
    }
    expect(filesBelow(location)).to.deep.equal(before);
  });

  it('is refused when LevelDB says that it dropped a record, and from then on: LevelDB says it once', async () => {
    appendFileSync(wal(), fragment(Buffer.from('too short'))); // sound by its checksum, and no batch
    expect((await refusal()).message).to.match(/dropping 9 bytes; Corruption: log record too small/);
    for (let time = 0; time < 3; time += 1) {
      expect((await refusal()).message).to.match(/dropped records at an earlier start \(.*log\.dropped\)/);
    }
    expect(readFileSync(`${location}.dropped`, 'utf8')).to.include('log record too small');
    expect(statSync(`${location}.dropped`).mode & 0o777).to.equal(0o600);
  });

  it('whose CURRENT is gone is not taken for a new one, which would remove its files', async () => {
    const log = await openLevelLog({ location });
    await log.close(); // what was in the write-ahead log is in a table now
    copyFileSync(join(location, 'CURRENT'), join(location, '..', 'CURRENT'));
    unlinkSync(join(location, 'CURRENT'));
    expect((await refusal()).message).to.match(/CURRENT is missing/);
    copyFileSync(join(location, '..', 'CURRENT'), join(location, 'CURRENT'));
    const again = await openLevelLog({ location });
    expect(again.head()).to.equal(30);
    await again.close();
  });

  it('that LevelDB cannot open is refused with what to do', async () => {
    const damages: readonly [what: string, inflict: () => void][] = [
      ['a bit of MANIFEST', () => flipBit(fileIn(location, /^MANIFEST/), 20)],
      ['a bit of CURRENT', () => flipBit(join(location, 'CURRENT'), 3)],
      ['CURRENT cut short', () => truncateSync(join(location, 'CURRENT'), 4)],
      ['a table that is gone', () => unlinkSync(fileIn(location, /\.ldb$/))],
      ['a table cut short', () => truncateSync(fileIn(location, /\.ldb$/), 300)],
    ];
    for (const [what, inflict] of damages) {
      rmSync(location, { recursive: true });
      cpSync(killed, location, { recursive: true });
      await (await openLevelLog({ location })).close();
      inflict();
      const { message } = await refusal();
      expect(message, what).to.include('Stop the server, keep its data directory as it is, and restore the newest');
    }
  });

  it('has files for its owner alone, those that an earlier release made for everybody included', async () => {
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

/** A record of LevelDB's write-ahead log. */
function fragment(payload: Buffer): Buffer {
  const FULL = 1;
  const header = Buffer.alloc(7);
  const crc = crc32c(Buffer.concat([Buffer.of(FULL), payload]));
  header.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0, 0);
  header.writeUInt16LE(payload.length, 4);
  header.writeUInt8(FULL, 6);
  return Buffer.concat([header, payload]);
}
