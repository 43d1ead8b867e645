import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  encodeSnapshot,
  SNAPSHOT_FORMAT,
  openSnapshot,
  UnusableSnapshot,
  SNAPSHOT_VERSION,
  type SnapshotPiece,
  type SnapshotHeader,
} from '../../../src/event-store/snapshots/snapshot-format.ts';

const PROJECTIONS = ['users', 'tokens', 'tree'];
const createKey = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const header: SnapshotHeader = {
  format: SNAPSHOT_FORMAT,
  version: SNAPSHOT_VERSION,
  position: 7,
  before: 6,
  record: 'r',
  latest: 5,
  root: 'root',
  projections: PROJECTIONS,
};

const aChunk = fc.record({ projection: fc.constantFrom(...PROJECTIONS), bytes: fc.uint8Array({ maxLength: 300 }) });
const somePieces = fc.array(aChunk, { maxLength: 6 });
const chunkLengths = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 });

const encode = (pieces: readonly SnapshotPiece[], key = createKey(1)): Buffer =>
  Buffer.concat([...encodeSnapshot(header, pieces, key)]);

/** Returns the length of the snapshot without its last frame. */
const lengthBeforeEnd = (pieces: readonly SnapshotPiece[]): number => encode(pieces).length - 37;

/** Yields the snapshot in chunks whose lengths repeat. Overwrites each chunk when the next one is requested. */
async function* inChunks(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array, void, void> {
  for (let offset = 0, count = 0; offset < bytes.length; count += 1) {
    const length = lengths[count % lengths.length] ?? 1;
    const chunk = Uint8Array.from(bytes.subarray(offset, offset + length));
    yield chunk;
    chunk.fill(0xee);
    offset += length;
  }
}

/** Resolves with the accepted pieces. `isComplete` is true if the snapshot was complete. */
async function readSnapshot(bytes: Uint8Array, lengths: readonly number[] = [100], key = createKey(1)) {
  const pieces: SnapshotPiece[] = [];
  let openedHeader: SnapshotHeader | undefined;
  try {
    const snapshot = await openSnapshot(inChunks(bytes, lengths), key);
    openedHeader = snapshot.header;
    for await (const { projection, bytes: piece } of snapshot.pieces())
      pieces.push({ projection, bytes: Uint8Array.from(piece) });
    return { header: openedHeader, pieces, isComplete: true };
  } catch (error) {
    if (!(error instanceof UnusableSnapshot)) throw error;
    return { header: openedHeader, pieces, isComplete: false };
  }
}

describe('the snapshot format', () => {
  it('decodes the encoded pieces, no matter how they are divided into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(somePieces, chunkLengths, async (pieces, lengths) => {
        expect(await readSnapshot(encode(pieces), lengths)).to.deep.equal({ header, pieces, isComplete: true });
      }),
    );
  });

  it('rejects all pieces from the first changed byte on', async () => {
    await fc.assert(
      fc.asyncProperty(
        somePieces,
        chunkLengths,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('changed', 'removed', 'inserted', 'truncated'),
        async (pieces, lengths, choice, change, damage) => {
          const intactBytes = encode(pieces);
          const offset = choice % intactBytes.length;
          const changedByte = Buffer.from([(intactBytes[offset] ?? 0) ^ change]);
          const remainder = {
            changed: [changedByte, intactBytes.subarray(offset + 1)],
            removed: [intactBytes.subarray(offset + 1)],
            inserted: [changedByte, intactBytes.subarray(offset)],
            truncated: [],
          }[damage];
          const damagedBytes = Buffer.concat([intactBytes.subarray(0, offset), ...remainder]);
          // Not equal to `offset` if one of two equal bytes was removed or inserted.
          const firstDifference = intactBytes.findIndex((byte, index) => byte !== damagedBytes[index]);
          const validPieces = pieces.filter(
            (_, index) => lengthBeforeEnd(pieces.slice(0, index + 1)) <= firstDifference,
          );
          const isHeaderIntact = lengthBeforeEnd([]) <= firstDifference;
          expect(await readSnapshot(damagedBytes, lengths)).to.deep.equal({
            header: isHeaderIntact ? header : undefined,
            pieces: validPieces,
            isComplete: false,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('rejects moved, missing and repeated pieces, and snapshots under a different key', async () => {
    await fc.assert(
      fc.asyncProperty(aChunk, aChunk, async (first, second) => {
        const [bytes, begin, middle, end] = [
          encode([first, second]),
          lengthBeforeEnd([]),
          lengthBeforeEnd([first]),
          lengthBeforeEnd([first, second]),
        ];
        const [head, one, two, tail] = [
          bytes.subarray(0, begin),
          bytes.subarray(begin, middle),
          bytes.subarray(middle, end),
          bytes.subarray(end),
        ];
        expect(await readSnapshot(Buffer.concat([head, two, one, tail]))).to.deep.include({
          isComplete: false,
          pieces: [],
        });
        expect(await readSnapshot(Buffer.concat([head, two, tail]))).to.deep.include({ isComplete: false, pieces: [] });
        expect(await readSnapshot(Buffer.concat([head, one, tail]))).to.deep.include({
          isComplete: false,
          pieces: [first],
        });
        expect(await readSnapshot(Buffer.concat([head, one, one, two, tail]))).to.deep.include({
          isComplete: false,
          pieces: [first],
        });
        expect(await readSnapshot(Buffer.concat([bytes, Buffer.from([0])]))).to.deep.include({ isComplete: false });
        expect(await readSnapshot(bytes, [100], createKey(2))).to.deep.equal({
          header: undefined,
          pieces: [],
          isComplete: false,
        });
      }),
      { numRuns: 30 },
    );
  });

  it('rejects a header that exceeds the size limit', async () => {
    const chunks = (async function* () {
      yield Buffer.from(`${JSON.stringify({ ...header, version: 'x'.repeat(100_000) })}\n`);
    })();
    await openSnapshot(chunks, createKey(1)).then(
      () => expect.fail(),
      (error: Error) => expect(error.message).to.equal('it is not a snapshot'),
    );
  });

  it('allocates no memory for an unverified length', async () => {
    const intactBytes = encode([{ projection: 'users', bytes: new Uint8Array(10) }]);
    const damagedBytes = Buffer.from(intactBytes);
    damagedBytes.writeUInt32LE(0xffff_ffff, lengthBeforeEnd([]) + 1);
    const bytesBefore = process.memoryUsage().arrayBuffers;
    expect(await readSnapshot(damagedBytes)).to.deep.include({ isComplete: false, pieces: [] });
    expect(process.memoryUsage().arrayBuffers - bytesBefore).to.be.below(100_000_000);
  });
});
