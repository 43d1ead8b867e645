import { expect } from 'chai';
import fc from 'fast-check';
import { createIndexBuilder, runsBelow, runsFrom } from '../../../src/event-store/archive/segment-index.ts';
import type { ReadIndex } from '../../../src/event-store/archive/segment-index.ts';

/** Builds the index of a segment whose records belong to the given streams. */
function buildIndex(streams: readonly string[]): { readonly read: ReadIndex; readonly bytesRead: () => number } {
  const builder = createIndexBuilder();
  for (const stream of streams) builder.addRecord(stream);
  const bytes = Buffer.concat([...builder.chunks()]);
  let bytesRead = 0;
  return {
    async read(offset, length) {
      if (offset + length > bytes.length) throw new Error('beyond the end');
      bytesRead += length;
      return bytes.subarray(offset, offset + length);
    },
    bytesRead: () => bytesRead,
  };
}

async function collect(pages: AsyncIterable<readonly number[]>): Promise<readonly number[]> {
  const indexes: number[] = [];
  for await (const page of pages) indexes.push(...page);
  return indexes;
}

const runStarts = (streams: readonly string[], stream: string): readonly number[] =>
  streams.flatMap((name, index) => (name === stream && streams[index - 1] !== stream ? [index] : []));

describe('the index of an archived segment', () => {
  it("finds a stream's runs in both directions, from any record", async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const someRuns = fc.array(fc.tuple(names, fc.integer({ min: 1, max: 4 })), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(someRuns, fc.nat(100), async (runs, start) => {
        const streams = runs.flatMap(([stream, length]) => Array.from({ length }, () => stream));
        const { read } = buildIndex(streams);
        for (const stream of ['a', 'b', 'never']) {
          const allStarts = runStarts(streams, stream);
          expect(await collect(runsFrom(read, stream, start))).to.deep.equal(
            allStarts.filter((index) => index >= start),
          );
          const earlierStarts = allStarts.filter((index) => index < start);
          expect(await collect(runsBelow(read, stream, start))).to.deep.equal(earlierStarts.toReversed());
        }
      }),
      { numRuns: 200 },
    );
  });

  it('pages through thousands of runs among thousands of other streams', async () => {
    const streams = Array.from({ length: 30_000 }, (_, index) => (index % 10 === 3 ? 'long' : `grant-${index}`));
    const { read } = buildIndex(streams);
    const allStarts = runStarts(streams, 'long');
    expect(allStarts).to.have.length(3_000);
    for (const start of [0, 4, 12_345, 29_993, 30_000]) {
      expect(await collect(runsFrom(read, 'long', start))).to.deep.equal(allStarts.filter((index) => index >= start));
      expect(await collect(runsBelow(read, 'long', start))).to.deep.equal(
        allStarts.filter((index) => index < start).toReversed(),
      );
    }
    for (const stream of ['grant-0', 'grant-29999']) {
      expect(await collect(runsFrom(read, stream, 0))).to.deep.equal(runStarts(streams, stream));
    }
  });

  it('is read in only a few parts, even for a stream with many runs', async () => {
    const streams = Array.from({ length: 60_000 }, (_, index) => (index % 2 === 0 ? 'long' : `grant-${index}`));
    const { read, bytesRead } = buildIndex(streams);
    for await (const [newest] of runsBelow(read, 'long', Infinity)) {
      expect(newest).to.equal(59_998);
      break;
    }
    expect(bytesRead())
      .to.be.below(100_000)
      .and.to.be.below((60_000 * 8) / 4);
  });
});
