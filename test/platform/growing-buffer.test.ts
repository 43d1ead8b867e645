import { expect } from 'chai';
import fc from 'fast-check';
import { createGrowingBuffer } from '../../src/platform/growing-buffer.ts';

const arbitraryChunks = fc.array(
  fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 20 },
);

describe('a growing buffer', () => {
  it('contains the appended chunks in order', () => {
    fc.assert(
      fc.property(arbitraryChunks, (chunks) => {
        const buffer = createGrowingBuffer(Infinity);
        for (const chunk of chunks) expect(buffer.append(chunk)).to.equal(true);
        expect(buffer.bytes().equals(Buffer.concat(chunks))).to.equal(true);
      }),
    );
  });

  it('has at most twice the size of its content and never exceeds its limit', () => {
    fc.assert(
      fc.property(arbitraryChunks, fc.integer({ min: 1, max: 40_000 }), (chunks, maxBytes) => {
        const buffer = createGrowingBuffer(maxBytes);
        for (const chunk of chunks) {
          buffer.append(chunk);
          const {
            length,
            buffer: { byteLength },
          } = buffer.bytes();
          const isPooled = byteLength === Buffer.poolSize; // small buffers share a pool
          if (!isPooled) expect(byteLength).to.be.at.most(Math.min(maxBytes, Math.max(2 * length, 1_024)));
        }
      }),
    );
  });

  it('appends a chunk either completely or not at all', () => {
    const buffer = createGrowingBuffer(4);
    expect([
      buffer.append(Buffer.from('abc')),
      buffer.append(Buffer.from('de')),
      buffer.append(Buffer.from('d')),
    ]).to.deep.equal([true, false, true]);
    expect(buffer.bytes().toString()).to.equal('abcd');
  });

  it('is empty after it has been cleared', () => {
    const buffer = createGrowingBuffer(4);
    buffer.append(Buffer.from('abcd'));
    buffer.clear();
    expect([buffer.bytes().length, buffer.append(Buffer.from('efgh')), buffer.bytes().toString()]).to.deep.equal([
      0,
      true,
      'efgh',
    ]);
  });
});
