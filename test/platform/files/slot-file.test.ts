import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openSlotFile, SLOT_BYTES, SLOT_CAPACITY } from '../../../src/platform/files/slot-file.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';

const SLOTS = 8;
const KEY = createSecretKey(Buffer.alloc(32, 1));

describe('A slot file', () => {
  let path: string;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'grantlog-slots-')), 'slots');
  });
  afterEach(() => rmSync(join(path, '..'), { recursive: true }));

  const openFile = (key = KEY) => openSlotFile({ path, slots: SLOTS, key, entropy: systemEntropy() });
  async function fill(contents: Readonly<Record<number, string>>): Promise<void> {
    const file = await openFile();
    for (const [slot, text] of Object.entries(contents)) await file.write(Number(slot), text);
    await file.close();
  }
  async function read(key = KEY) {
    const file = await openFile(key);
    await file.close();
    return file.stored;
  }

  it('returns the text that was last written to each slot, for any text that fits', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    const write = fc.tuple(fc.nat({ max: SLOTS - 1 }), text);
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 20 }), async (writes) => {
        rmSync(path, { force: true });
        const file = await openFile();
        for (const [slot, content] of writes) await file.write(slot, content);
        await file.close();
        const { contents, damagedCount, problem } = await read();
        expect(Object.fromEntries(contents)).to.deep.equal(Object.fromEntries(writes));
        expect([damagedCount, problem]).to.deep.equal([0, undefined]);
      }),
      { numRuns: 30 },
    );
  });

  it('has a constant size, is readable only by its owner, and contains no plain text', async () => {
    await fill({});
    const { size } = statSync(path);
    await fill({ 0: 'x'.repeat(SLOT_CAPACITY), [SLOTS - 1]: 'a readable word' });
    expect([statSync(path).size, size]).to.deep.equal([(SLOTS + 1) * SLOT_BYTES, (SLOTS + 1) * SLOT_BYTES]);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readFileSync(path).includes('readable')).to.equal(false);
  });

  it("refuses text that does not fit, and keeps the slot's content", async () => {
    await fill({ 1: 'kept' });
    const file = await openFile();
    const failure = await file.write(1, 'ü'.repeat(SLOT_CAPACITY)).catch((error: unknown) => error);
    await file.close();
    expect(failure).to.be.instanceOf(RangeError);
    expect((await read()).contents.get(1)).to.equal('kept');
  });

  it('loses only one slot if a bit is flipped, and reports the damage', async () => {
    await fill(Object.fromEntries(Array.from({ length: SLOTS }, (_, slot) => [slot, `content ${slot}`])));
    const intactBytes = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: intactBytes.length - SLOT_BYTES - 1 }), fc.nat({ max: 7 }), async (byte, bit) => {
        const bytes = Buffer.from(intactBytes);
        const offset = SLOT_BYTES + byte;
        bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
        writeFileSync(path, bytes);
        const { contents, damagedCount } = await read();
        expect([contents.size, damagedCount]).to.deep.equal([SLOTS - 1, 1]);
        expect([...contents].every(([slot, text]) => text === `content ${slot}`)).to.equal(true);
      }),
      { numRuns: 40 },
    );
  });

  it('accepts neither the content of another slot nor a different key', async () => {
    await fill({ 0: 'first' });
    const bytes = readFileSync(path);
    bytes.copy(bytes, 3 * SLOT_BYTES, SLOT_BYTES, 2 * SLOT_BYTES);
    writeFileSync(path, bytes);
    expect((await read()).damagedCount).to.equal(1);
    expect((await read(createSecretKey(Buffer.alloc(32, 2)))).damagedCount).to.equal(2);
  });

  it('is re-created, and the problem is reported, if it is truncated or not a slot file', async () => {
    for (const damage of [() => truncateSync(path, SLOT_BYTES), () => writeFileSync(path, 'something else')]) {
      await fill({ 0: 'first' });
      damage();
      const { contents, problem } = await read();
      expect([contents.size, problem]).to.deep.equal([0, 'it is truncated, or was written by a different release']);
      expect((await read()).problem).to.equal(undefined);
    }
  });
});
