import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Level } from 'level';
import { checkTable, type TableDamage } from '../../src/event-store/engines/level-table.ts';
import { decompressSnappy } from '../../src/event-store/engines/snappy.ts';
import { repetitions } from '../support/repetitions.ts';

const FOOTER_BYTES = 48;

/** A LevelDB table with three hundred events, some of which are compressible. */
describe('a LevelDB table', () => {
  let directory: string;
  let intactTable: Buffer;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-table-'));
    const location = join(directory, 'db');
    const db = new Level(location) as Level & { compactRange(start: string, end: string): Promise<void> };
    await db.open();
    for (let position = 1; position <= 300; position += 1) {
      const text = position % 3 === 0 ? 'again '.repeat(50) : String(Math.sin(position)).repeat(40);
      await db.batch([
        { type: 'put', key: `e${String(position).padStart(16, '0')}`, value: text },
        { type: 'put', key: `s"stream-${position}"0000000000000001`, value: `${position} ${position} 1` },
      ]);
    }
    await db.compactRange('', '\u{10FFFF}');
    await db.close();
    const tables = readdirSync(location).filter((name) => name.endsWith('.ldb'));
    expect(tables).to.have.length(1);
    intactTable = readFileSync(join(location, tables[0] ?? ''));
  });
  after(() => rmSync(directory, { recursive: true }));

  async function findDamage(bytes: Buffer): Promise<readonly TableDamage[]> {
    const path = join(directory, 'table');
    writeFileSync(path, bytes);
    const defects: TableDamage[] = [];
    for await (const damage of checkTable(path, async () => {})) defects.push(damage);
    return defects;
  }

  it('is intact as written, with many blocks, some of them compressed', async () => {
    expect(intactTable.length).to.be.above(20_000);
    expect(await findDamage(intactTable)).to.deep.equal([]);
  });

  it('is reported as damaged, with the block, if any bit outside the padding of its footer is flipped', async () => {
    const bits = fc.record({ offset: fc.nat({ max: intactTable.length - FOOTER_BYTES - 1 }), bit: fc.nat({ max: 7 }) });
    await fc.assert(
      fc.asyncProperty(bits, async ({ offset, bit }) => {
        const damagedTable = Buffer.from(intactTable);
        damagedTable[offset] = (damagedTable[offset] ?? 0) ^ (1 << bit);
        const [first, ...otherDamages] = await findDamage(damagedTable);
        expect(otherDamages).to.deep.equal([]);
        expect(first?.offset).to.be.at.most(offset);
      }),
      { numRuns: repetitions(1_000) },
    );
    for (const offset of [
      intactTable.length - 1,
      intactTable.length - FOOTER_BYTES,
      intactTable.length - FOOTER_BYTES + 2,
    ]) {
      const damagedTable = Buffer.from(intactTable);
      damagedTable[offset] = (damagedTable[offset] ?? 0) ^ 1;
      expect(await findDamage(damagedTable), `byte ${offset}`).to.have.length(1);
    }
  });

  it('is reported with the last event before the damaged block', async () => {
    const positions: number[] = [];
    for (let offset = 0; offset < intactTable.length / 2; offset += 1_000) {
      const damagedTable = Buffer.from(intactTable);
      damagedTable[offset] = (damagedTable[offset] ?? 0) ^ 1;
      const [damage] = await findDamage(damagedTable);
      positions.push(Number(/^e(\d{16})/.exec(damage?.precedingKey ?? '')?.[1] ?? 0));
    }
    expect(positions[0], 'no event precedes the first block').to.equal(0);
    expect(positions).to.deep.equal(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).to.be.above(3);
  });

  it('is reported as damaged if it is truncated anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: intactTable.length - 1 }), async (length) => {
        expect(await findDamage(intactTable.subarray(0, length))).to.have.length(1);
      }),
      { numRuns: repetitions(200) },
    );
  });
});

describe('decompressSnappy', () => {
  const literal = (text: string): Buffer => Buffer.concat([Buffer.of((text.length - 1) << 2), Buffer.from(text)]);

  it('decodes literals and every form of copy, including overlapping ones', () => {
    expect(decompressSnappy(Buffer.concat([Buffer.of(3), literal('abc')])).toString()).to.equal('abc');
    const overlapping = Buffer.concat([Buffer.of(8), literal('ab'), Buffer.of((2 << 2) | 1, 2)]);
    expect(decompressSnappy(overlapping).toString()).to.equal('abababab');
    const twoBytes = Buffer.concat([Buffer.of(6), literal('abc'), Buffer.of((2 << 2) | 2, 3, 0)]);
    expect(decompressSnappy(twoBytes).toString()).to.equal('abcabc');
    const fourBytes = Buffer.concat([Buffer.of(6), literal('abc'), Buffer.of((2 << 2) | 3, 3, 0, 0, 0)]);
    expect(decompressSnappy(fourBytes).toString()).to.equal('abcabc');
    const long = 'x'.repeat(300);
    const longLiteral = Buffer.concat([Buffer.of(0xac, 0x02), Buffer.of(61 << 2, 0x2b, 0x01), Buffer.from(long)]);
    expect(decompressSnappy(longLiteral).toString()).to.equal(long);
  });

  it('refuses any invalid input', () => {
    const invalidInputs: readonly (readonly number[])[] = [
      [],
      [5],
      [3, 0x08, 0x61],
      [4, 0x00, 0x61, 0x01, 0x09],
      [2, 0x00, 0x61, 0x0d, 0x01],
      [0xff, 0xff, 0xff, 0xff, 0x7f],
    ];
    for (const bytes of invalidInputs)
      expect(() => decompressSnappy(Buffer.from(bytes)), bytes.join(' ')).to.throw(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        try {
          decompressSnappy(Buffer.from(bytes));
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
