import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { writeBundle } from '../../../src/audit/proofs/bundle-directory.ts';
import { createBundle, type BundlePart } from '../../../src/audit/proofs/bundle.ts';
import { memoryCheckpoints } from '../../../src/audit/proofs/issued-checkpoints.ts';
import { START, type RecordedEvent } from '../../../src/event-store/event-log.ts';
import { signCheckpoint } from '../../../src/audit/merkle/checkpoint.ts';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import { createNoteSigner } from '../../../src/audit/merkle/note-key.ts';
import { emptyTree } from '../../../src/audit/merkle/tree.ts';
import { unchecked } from '../../support/unchecked.ts';

const NAME = 'log.example/path';
const { privateKey } = generateKeyPairSync('ed25519');

/** Creates the bundle of a log with `size` records. `readCount` counts the records that have been read. */
function createLogBundle(size: number, lengthOf: (index: number) => number = (index) => index % 300) {
  const recordAt = (index: number): string => `${index} ${'ü'.repeat(lengthOf(index))}`;
  const tree = emptyTree();
  for (let index = 0; index < size; index += 1) tree.append([leafHash(recordAt(index))]);
  const head = { size, rootHash: tree.root() };
  const signer = createNoteSigner(NAME, privateKey);
  const readCount = { records: 0 };
  async function* readAll(): AsyncGenerator<readonly RecordedEvent[], void, void> {
    for (let first = START + 1; first <= size; first += 100) {
      const length = Math.min(100, size - first + 1);
      readCount.records += length;
      yield Array.from({ length }, (_, index) =>
        unchecked({ record: recordAt(first - 1 + index), position: first + index }),
      );
    }
  }
  const parts = createBundle({
    log: { readAll },
    attestation: {
      checkpointNow: async () => signCheckpoint(head, signer),
      sign: (issuedHead) => signCheckpoint(issuedHead, signer),
      verifierKey: () => signer.verifierKey,
    },
    checkpoints: memoryCheckpoints(),
  });
  return { parts, readCount, recordAt, root: head.rootHash };
}

// ---- a reader of static logs, based only on C2SP tlog-tiles, tlog-checkpoint and signed-note ----

function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

interface Head {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/**
 * Verifies a note, and returns the head in it. The note has the origin, the decimal size and the base64 root on one
 * line each, then an empty line and the signatures.
 */
function readSignedHead(note: string, verifierKey: string): Head {
  const [, name = '', id = '', base64 = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)\n$/.exec(verifierKey) ?? [];
  const keyBytes = Buffer.from(base64, 'base64');
  expect(keyBytes[0], 'Ed25519').to.equal(1);
  expect(sha256(`${name}\n`, keyBytes).subarray(0, 4).toString('hex'), 'key id').to.equal(id);
  const textEnd = note.indexOf('\n\n');
  const [text, line] = [note.slice(0, textEnd + 1), note.slice(textEnd + 2)];
  const [, signer = '', signature = ''] = /^\u2014 (\S+) (\S+)\n$/.exec(line) ?? [];
  const bytes = Buffer.from(signature, 'base64');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: keyBytes.subarray(1).toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  expect([signer, bytes.subarray(0, 4).toString('hex')]).to.deep.equal([name, id]);
  expect(verify(null, Buffer.from(text), key, bytes.subarray(4)), 'signature').to.equal(true);
  const [origin = '', size = '', root = '', ...extraLines] = text.split('\n');
  expect(extraLines).to.deep.equal(['']);
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/**
 * Returns the path of a tile. Each path element has three digits of the index, with an x before all but the last. A
 * partial tile ends in `.p/<width>`.
 */
function tilePath(level: string, index: number, width: number): string {
  const elements: string[] = [];
  for (
    let remaining = index, isLast = true;
    isLast || remaining > 0;
    remaining = Math.floor(remaining / 1_000), isLast = false
  ) {
    elements.unshift(`${isLast ? '' : 'x'}${String(remaining % 1_000).padStart(3, '0')}`);
  }
  return `tile/${level}/${elements.join('/')}${width < 256 ? `.p/${width}` : ''}`;
}

/** Decodes entries, each of which follows its length as a big-endian uint16. */
function decodeEntries(bundle: Buffer): readonly Buffer[] {
  const entries: Buffer[] = [];
  for (let offset = 0; offset < bundle.length;) {
    const length = bundle.readUInt8(offset) * 256 + bundle.readUInt8(offset + 1);
    entries.push(Buffer.from(bundle.subarray(offset + 2, offset + 2 + length)));
    offset += 2 + length;
  }
  return entries;
}

/** Returns the root of a tree, according to the recursive definition in RFC 6962 §2.1. */
function computeRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return sha256();
  if (hashes.length === 1) return hashes[0] ?? sha256();
  let half = 1;
  while (half * 2 < hashes.length) half *= 2;
  return sha256(Buffer.of(1), computeRoot(hashes.slice(0, half)), computeRoot(hashes.slice(half)));
}

interface StaticLog {
  readonly head: Head;
  readonly entries: readonly Buffer[];
  /** All paths that were read. */
  readonly paths: readonly string[];
}

/** Reads all files that a monitor reads, and compares them with the checkpoint. */
function readStaticLog(directory: string): StaticLog {
  const paths: string[] = ['checkpoint'];
  const readBytes = (path: string): Buffer => {
    paths.push(path);
    return readFileSync(join(directory, path));
  };
  const readText = (path: string): string => readFileSync(join(directory, path), 'utf8');
  const head = readSignedHead(readText('checkpoint'), readText('key'));
  const entries: Buffer[] = [];
  while (entries.length < head.size) {
    const width = Math.min(256, head.size - entries.length);
    const decodedEntries = decodeEntries(readBytes(tilePath('entries', entries.length / 256, width)));
    expect(decodedEntries).to.have.length(width);
    entries.push(...decodedEntries);
  }
  // A tile of level L contains the roots of 256 subtrees of 256^L entries each, or fewer at the end of the log.
  let row = entries.map((entry) => sha256(Buffer.of(0), entry));
  const root = computeRoot(row);
  for (let level = 0; row.length > 0; level += 1) {
    const parents: Buffer[] = [];
    for (let index = 0; index * 256 < row.length; index += 1) {
      const hashes = row.slice(index * 256, (index + 1) * 256);
      const path = tilePath(String(level), index, hashes.length);
      expect(readBytes(path).equals(Buffer.concat(hashes)), path).to.equal(true);
      if (hashes.length === 256) parents.push(computeRoot(hashes));
    }
    row = parents;
  }
  expect(root.equals(head.root), 'the signed root').to.equal(true);
  return { head, entries, paths };
}

describe('a bundle that is read as a static log (C2SP tlog-tiles)', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function filesBelow(folder: string): readonly string[] {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  }

  for (const size of [0, 1, 2, 255, 256, 257, 511, 512, 700, 65_536, 65_793]) {
    it(`contains exactly the entries and tiles of a log with ${size} records`, async () => {
      const { parts, recordAt, root } = createLogBundle(size);
      await writeBundle(directory, parts);
      const { head, entries, paths } = readStaticLog(directory);
      expect(head).to.deep.equal({ origin: NAME, size, root });
      expect(entries.every((entry, index) => entry.toString() === recordAt(index))).to.equal(true);
      const tiles = existsSync(join(directory, 'tile')) ? filesBelow(join(directory, 'tile')) : [];
      expect(['checkpoint', ...tiles].toSorted()).to.deep.equal(paths.toSorted());
    });
  }

  it('contains entries of the maximum length', async () => {
    const { parts, recordAt } = createLogBundle(3, () => 32_766);
    expect(Buffer.byteLength(recordAt(0))).to.equal(65_534);
    await writeBundle(directory, parts);
    expect(readStaticLog(directory).entries.map(String)).to.deep.equal([0, 1, 2].map(recordAt));
  });

  it('is written in parts of bounded size, and records are read only when needed', async () => {
    const { parts, readCount } = createLogBundle(20_000);
    const sizes: number[] = [];
    let writtenRecords = 0;
    for await (const part of parts) {
      sizes.push(sizeOf(part));
      if (part.file === 'records.jsonl' && 'text' in part) writtenRecords += part.text.split('\n').length - 1;
      expect(readCount.records - writtenRecords).to.be.below(1_000);
    }
    expect(writtenRecords).to.equal(20_000);
    expect(Math.max(...sizes)).to.be.below(300_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.above(10_000_000);
  });
});

function sizeOf(part: BundlePart): number {
  return 'text' in part ? part.text.length : part.base64.length;
}
