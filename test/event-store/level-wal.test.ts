import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Level } from 'level';
import { crc32c } from '../../src/event-store/engines/crc32c.ts';
import { readWal } from '../../src/event-store/engines/level-wal.ts';
import { findFile } from '../support/stored-files.ts';

const RECORDS = 60;
const BLOCK_BYTES = 32_768;

describe('crc32c', () => {
  it('matches RFC 3720 B.4', () => {
    const ascending = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(
      [new Uint8Array(32), new Uint8Array(32).fill(255), ascending, ascending.toReversed()].map(crc32c),
    ).to.deep.equal([0x8a9136aa, 0x62a8ab43, 0x46dd794e, 0x113fdb5c]);
  });
});

describe('a write-ahead log', () => {
  let directory: string;
  let intactLog: Buffer;
  /** The offset of the last record in `intact`. */
  let lastRecord: number;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-wal-'));
    const db = new Level(directory);
    await db.open();
    const readWalFile = (): Buffer => readFileSync(findFile(directory, /\.log$/));
    for (let position = 1; position <= RECORDS; position += 1) {
      lastRecord = position === RECORDS ? readWalFile().length : 0;
      const batch = db.batch();
      batch.put(`e${String(position).padStart(16, '0')}`, 'r'.repeat((position * 97) % 4000));
      batch.put(`s"stream-${position}"0000000000000001`, `${position} ${position} 1`);
      await batch.write({ sync: true });
    }
    intactLog = readWalFile();
    await db.close();
  });
  after(() => rmSync(directory, { recursive: true }));

  it('is intact as written, across several blocks', () => {
    expect(intactLog.length).to.be.above(2 * BLOCK_BYTES);
    expect(readWal(intactLog).damage).to.equal(undefined);
    expect(readWal(Buffer.alloc(0)).damage).to.equal(undefined);
  });

  it('is damaged from the first possibly lost event on if any bit before its last record is flipped', () => {
    fc.assert(
      fc.property(fc.nat({ max: lastRecord - 1 }), fc.nat({ max: 7 }), (offset, bit) => {
        const damagedLog = Buffer.from(intactLog);
        damagedLog[offset] = (damagedLog[offset] ?? 0) ^ (1 << bit);
        const damage = readWal(damagedLog).damage;
        if (isPadding(offset)) return damage === undefined;
        expect(damage?.offset).to.be.at.most(offset);
        expect(damage?.position).to.be.within(1, RECORDS);
        if (damage?.offset === 0) return true; // the position is unknown in this case
        const lastPosition = lastPositionIn(intactLog.subarray(0, damage?.offset));
        expect(lastPosition, 'the last event before the damage').to.equal((damage?.position ?? 0) - 1);
        return true;
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not damaged if a crash cut its end short', () => {
    fc.assert(
      fc.property(fc.nat({ max: intactLog.length }), (length) => {
        expect(readWal(intactLog.subarray(0, length)).damage).to.equal(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('is not damaged if a crash left unwritten space at its end', () => {
    fc.assert(
      fc.property(fc.nat({ max: intactLog.length }), fc.nat({ max: 3 * BLOCK_BYTES }), (length, zeros) => {
        const [record = 0] = recordStarts().filter((start) => start >= length);
        expect(readWal(Buffer.concat([intactLog.subarray(0, record), Buffer.alloc(zeros)])).damage).to.equal(undefined);
      }),
      { numRuns: 100 },
    );
  });

  it('is damaged if a record before other records is missing', () => {
    const starts = recordStarts();
    const [second = 0, third = 0] = starts.slice(1);
    const incompleteLog = Buffer.concat([
      intactLog.subarray(0, second),
      Buffer.alloc(third - second),
      intactLog.subarray(third),
    ]);
    expect(readWal(incompleteLog).damage).to.deep.equal({ offset: second, position: 2, isLastWrite: false });
  });

  it('is damaged in its last write only if no later record begins', () => {
    const starts = recordStarts();
    for (const begin of starts.slice(2)) {
      const damagedLog = Buffer.from(intactLog);
      damagedLog.fill(0xff, begin, begin + 4); // its checksum
      expect(readWal(damagedLog).damage).to.deep.include({ offset: begin, isLastWrite: begin === starts.at(-1) });
    }
  });

  /**
   * Reports whether the byte is in the remainder of a block that is too short for a header. LevelDB fills it with
   * zeros.
   */
  function isPadding(offset: number): boolean {
    const ends = recordStarts().filter((start) => start <= offset);
    const end = ends.at(-1) ?? 0;
    return intactLog.subarray(end, offset + 1).every((byte) => byte === 0) && BLOCK_BYTES - (offset % BLOCK_BYTES) < 7;
  }

  function recordStarts(): readonly number[] {
    const starts: number[] = [];
    for (let offset = 0; offset + 7 <= intactLog.length;) {
      const remaining = BLOCK_BYTES - (offset % BLOCK_BYTES);
      if (remaining < 7) {
        offset += remaining;
        continue;
      }
      const type = intactLog[offset + 6] ?? 0;
      if (type <= 2) starts.push(offset);
      offset += 7 + intactLog.readUInt16LE(offset + 4);
    }
    return starts;
  }

  function lastPositionIn(bytes: Buffer): number {
    const positions = [...bytes.toString('latin1').matchAll(/e(\d{16})/g)].map(([, digits]) => Number(digits));
    return positions.at(-1) ?? 0;
  }
});
