#!/usr/bin/env node
// Verifies a bundle written by `grantlog log export --bundle DIR` without Grantlog: this file needs
// Node 20.19 or newer and nothing else. Read it before you trust it; it is short for that reason.
//
// A bundle consists of records.jsonl (one record per line, hashed byte for byte), tile/<level>/<index> (the Merkle
// tree over the records, RFC 6962 §2.1, in the tile layout of C2SP tlog-tiles), checkpoints/<size> (signed tree
// heads, C2SP tlog-checkpoint), key (the verifier key, C2SP signed-note) and MANIFEST (the names of all other
// files). Newer bundles are also static logs (C2SP tlog-tiles): they have checkpoint (a copy of the newest one)
// and tile/entries/<index> (the records again, each prefixed with its length in two bytes).

import { createHash, createPublicKey, verify } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const USAGE = `Usage: node verify-bundle.mjs DIR [--key KEY]

Checks that the records, tiles and signed checkpoints of the bundle in DIR match each other, and that
nothing is missing or was added. Without --key, the script trusts the key in the bundle. It is better to
get the key separately, for example from https://SERVER/o/log/key, and to pass it.

Exit status 0: the bundle verifies. 1: it does not (the first defect is reported). 2: the bundle cannot be checked.
`;

const TILE_WIDTH = 256; // hashes in a full tile
const HASH_BYTES = 32;
const ED25519 = 1;
const SPKI = Buffer.from('302a300506032b6570032100', 'hex'); // the DER prefix of a raw public key (RFC 8410)

/** Thrown when a bundle is damaged, in `file` and at `position` (null if unknown). */
export class Damage extends Error {
  constructor(file, message, position = null) {
    super(message);
    this.file = file;
    this.position = position;
  }
}

/**
 * Verifies a bundle and returns { size, root, checkpoints, tiles }.
 * @param claimedRoots further roots that the log must have had, by size
 * @param onRecord receives each record that matches its tile, with its position
 * @throws Damage for the first defect
 * @throws RangeError if the bundle is shorter than a claimed size
 */
export function verifyBundle(directory, trustedKey, claimedRoots = new Map(), onRecord = () => {}) {
  const files = filesBelow(directory);
  const readFile = (file) => readFileSync(join(directory, file));
  checkManifest(files, readFile);
  const key = readKey(readFile('key').toString('utf8'), trustedKey);
  const heads = readCheckpoints(files, readFile, key);
  const size = Math.max(...heads.keys());
  const isStaticLog = files.has('checkpoint');
  const isNewest = !isStaticLog || readFile('checkpoint').equals(readFile(`checkpoints/${size}`));
  if (!isNewest) throw new Damage('checkpoint', `it differs from checkpoints/${size}`);
  const tiles = checkNames(files, size, isStaticLog);
  const largestClaim = Math.max(0, ...claimedRoots.keys());
  if (largestClaim > size)
    throw new RangeError(`the bundle has only ${size} records, but a claimed head has ${largestClaim} records`);
  const tree = growTree(size, heads, claimedRoots, readFile, isStaticLog);
  for (const record of linesOf(join(directory, 'records.jsonl'), () => tree.size() + 1))
    onRecord(record, tree.add(record));
  tree.conclude();
  return { size, root: heads.get(size).toString('base64'), checkpoints: heads.size, tiles };
}

// ---- files ---------------------------------------------------------------------------------------------

function filesBelow(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  return new Set(entries.map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')));
}

function checkManifest(files, readFile) {
  for (const file of ['MANIFEST', 'key', 'records.jsonl'])
    if (!files.has(file)) throw new Damage(file, 'the file is missing');
  const lines = readFile('MANIFEST').toString('latin1').split('\n');
  if (lines.pop() !== '') throw new Damage('MANIFEST', 'it does not end with a newline');
  const listedFiles = new Set(lines);
  if (listedFiles.size !== lines.length) throw new Damage('MANIFEST', 'it lists a file twice');
  for (const file of listedFiles)
    if (!files.has(file) || file === 'MANIFEST') throw new Damage(file, 'the manifest lists it, but it is missing');
  for (const file of files)
    if (!listedFiles.has(file) && file !== 'MANIFEST') throw new Damage(file, 'the manifest does not list it');
}

/** Checks that exactly the tiles of a tree of `size` leaves exist. Returns the number of hash tiles. */
function checkNames(files, size, isStaticLog) {
  const tiles = [];
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    for (let index = 0; index * TILE_WIDTH < hashes; index += 1) {
      tiles.push(tilePath(level, index, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH)));
    }
  }
  const expected = new Set(['MANIFEST', 'key', 'records.jsonl', ...tiles]);
  if (isStaticLog) for (const path of ['checkpoint', ...tiles]) expected.add(path.replace('tile/0/', 'tile/entries/'));
  for (const file of expected) if (!files.has(file)) throw new Damage(file, 'the file is missing');
  for (const file of files)
    if (!expected.has(file) && !file.startsWith('checkpoints/'))
      throw new Damage(file, 'it does not belong to a bundle of this size');
  return tiles.length;
}

/** The index 1234067 is x001/x234/067 in a path. A tile with fewer than 256 hashes ends in .p/<number of hashes>. */
export function tilePath(level, index, width) {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g);
  const path = groups.map((group, number) => (number === groups.length - 1 ? group : `x${group}`)).join('/');
  return `tile/${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Yields the lines of a file as bytes, reading it in chunks. `position` returns the position of the next line. */
export function* linesOf(path, position) {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(1024 * 1024);
  let partialLine = []; // the start of a line that continues in the next chunk
  try {
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1 && end < length; end = chunk.indexOf(10, start)) {
        yield Buffer.concat([...partialLine, chunk.subarray(start, end)]);
        partialLine = [];
        start = end + 1;
      }
      if (start < length) partialLine.push(Buffer.from(chunk.subarray(start, length)));
    }
  } finally {
    closeSync(file);
  }
  if (partialLine.length > 0) throw new Damage('records.jsonl', 'the last record is incomplete', position());
}

// ---- the tree ------------------------------------------------------------------------------------------

export function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export const leafHash = (record) => sha256(Buffer.of(0), record);
export const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/** Returns the root of a tree of `hashes`, split at the largest smaller power of two (RFC 6962 §2.1). */
function rootOf(hashes) {
  if (hashes.length === 1) return hashes[0];
  let half = 1;
  while (2 * half < hashes.length) half *= 2;
  return nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)));
}

/** Verifies the records one by one against the tiles and, at the size of each checkpoint, against its signed root. */
function growTree(expectedSize, heads, claimedRoots, readFile, isStaticLog) {
  const rows = []; // for each level, the hashes of its incomplete tile; each is the root of 256^level records
  const indexes = []; // for each level, the index of its incomplete tile
  let size = 0;
  let leaves; // the level-0 tile with the next records
  let entries = []; // the previous records of that tile, each with its length

  function push(level, hash) {
    rows[level] ??= [];
    indexes[level] ??= 0;
    rows[level].push(hash);
    if (rows[level].length < TILE_WIDTH) return;
    checkTile(level);
    const tileRoot = rootOf(rows[level]);
    rows[level] = [];
    indexes[level] += 1;
    push(level + 1, tileRoot);
  }

  function checkTile(level) {
    const file = tilePath(level, indexes[level], rows[level].length);
    if (!readFile(file).equals(Buffer.concat(rows[level]))) throw new Damage(file, 'it does not match the records');
  }

  function checkEntries(file) {
    const isEqual = !isStaticLog || readFile(file).equals(Buffer.concat(entries));
    if (!isEqual) throw new Damage(file, 'its entries do not match records.jsonl');
    entries = [];
  }

  /**
   * Returns the root of the partial tree. The incomplete tile of each level gets the root of the levels below it as its
   * last hash.
   */
  function root() {
    let lowerRoot;
    for (const row of rows) {
      const hashes = lowerRoot === undefined ? row : [...row, lowerRoot];
      if (hashes.length > 0) lowerRoot = rootOf(hashes);
    }
    return lowerRoot ?? sha256();
  }

  function checkRoot() {
    const [signedRoot, claimedRoot] = [heads.get(size), claimedRoots.get(size)];
    if (claimedRoot !== undefined && !claimedRoot.equals(root()))
      throw new Damage(
        'records.jsonl',
        `the log of ${size} records never had the root ${claimedRoot.toString('base64')}`,
      );
    if (signedRoot === undefined || signedRoot.equals(root())) return;
    throw new Damage(`checkpoints/${size}`, 'its root is not the root of the records', 1);
  }

  checkRoot();
  return {
    size: () => size,
    add(record) {
      const position = size + 1;
      if (position > expectedSize)
        throw new Damage('records.jsonl', `it has more than the ${expectedSize} signed records`, position);
      const index = Math.floor(size / TILE_WIDTH);
      const file = tilePath(0, index, Math.min(TILE_WIDTH, expectedSize - index * TILE_WIDTH));
      if (size % TILE_WIDTH === 0) leaves = readFile(file);
      const offset = (size % TILE_WIDTH) * HASH_BYTES;
      const leaf = leafHash(record);
      if (!leaves.subarray(offset, offset + HASH_BYTES).equals(leaf))
        throw new Damage(
          'records.jsonl',
          `record ${position} does not match ${file}; one of them has been changed`,
          position,
        );
      size = position;
      push(0, leaf);
      checkRoot();
      entries.push(Buffer.of(record.length >> 8, record.length & 255), record);
      if (size % TILE_WIDTH === 0 || size === expectedSize) checkEntries(file.replace('/0/', '/entries/'));
      return position;
    },
    conclude() {
      if (size < expectedSize)
        throw new Damage('records.jsonl', `it has fewer than the ${expectedSize} signed records`, size + 1);
      for (const [level, row] of rows.entries()) if (row.length > 0) checkTile(level);
    },
  };
}

// ---- signatures ----------------------------------------------------------------------------------------

/** Decodes base64 strictly; undefined if the encoding is not canonical. */
export function fromBase64(text) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const keyIdOf = (name, typedKey) => sha256(`${name}\n`, typedKey).toString('hex', 0, 4);

/** A verifier key is <name>+<key id>+<base64 of the algorithm and the public key>. Returns the last part. */
export function readKey(text, trustedKey) {
  const key = text.slice(0, -1);
  if (!text.endsWith('\n')) throw new Damage('key', 'it does not end with a newline');
  const [, name, keyId, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(key) ?? [];
  const typedKey = base64 === undefined ? undefined : fromBase64(base64);
  if (typedKey?.length !== 1 + HASH_BYTES || typedKey[0] !== ED25519)
    throw new Damage('key', 'it is not the verifier key of an Ed25519 key');
  if (keyId !== keyIdOf(name, typedKey)) throw new Damage('key', 'its id does not match its name and public key');
  // Names may differ: the log's name is its address, which may have changed since the key was stored.
  const isDifferentKey = trustedKey !== undefined && trustedKey.split('+').slice(2).join('+') !== base64;
  if (isDifferentKey) throw new Damage('key', 'the bundle is not signed with the given key');
  return typedKey;
}

/** Reads the signed roots by size. */
function readCheckpoints(files, readFile, typedKey) {
  const heads = new Map();
  for (const file of [...files].filter((name) => name.startsWith('checkpoints/'))) {
    if (!/^checkpoints\/(?:0|[1-9]\d{0,15})$/.test(file)) throw new Damage(file, 'its name is not the size of a log');
    const { size, root } = openCheckpoint(file, readFile(file), typedKey);
    if (file !== `checkpoints/${size}`) throw new Damage(file, `it is a checkpoint of ${size} records`);
    heads.set(size, root);
  }
  if (heads.size === 0) throw new Damage('checkpoints', 'the bundle has no checkpoint');
  return heads;
}

/**
 * A checkpoint has three lines (name of the log, size, root), an empty line, and signature lines, which repeat the
 * name. The log may have had a different name when it was signed, but the same public key.
 */
export function openCheckpoint(file, bytes, typedKey) {
  const note = bytes.toString('utf8');
  const [, text, name, size, base64Root, signatures] =
    /^((\S+)\n(0|[1-9]\d*)\n(\S+)\n)\n((?:— \S+ \S+\n)+)$/u.exec(note) ?? [];
  const root = base64Root === undefined ? undefined : fromBase64(base64Root);
  if (root?.length !== HASH_BYTES || !Buffer.from(note).equals(bytes))
    throw new Damage(file, 'it is not a signed checkpoint');
  checkSignatures(file, { name, text, signatures }, typedKey);
  return { size: Number(size), root };
}

export function checkSignatures(file, { name, text, signatures }, typedKey) {
  const keyId = keyIdOf(name, typedKey);
  const keySignatures = signatures
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
    .flatMap(([, signer, base64]) => {
      const signature = fromBase64(base64);
      if (signature === undefined) throw new Damage(file, 'a signature is not base64');
      return signer === name && signature.toString('hex', 0, 4) === keyId ? [signature.subarray(4)] : [];
    });
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, typedKey.subarray(1)]), format: 'der', type: 'spki' });
  const isSigned =
    keySignatures.length > 0 &&
    keySignatures.every((signature) => verify(null, Buffer.from(text), publicKey, signature));
  if (!isSigned) throw new Damage(file, 'it is not signed with the key');
}

// ---- the command ---------------------------------------------------------------------------------------

function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [directory, option, key, ...rest] = args[0] === '--key' ? [args[2], args[0], args[1], ...args.slice(3)] : args;
  const isValid =
    directory !== undefined &&
    !directory.startsWith('-') &&
    rest.length === 0 &&
    (option === undefined || (option === '--key' && key !== undefined));
  if (!isValid) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const { size, root, checkpoints, tiles } = verifyBundle(directory, key);
    process.stdout.write(`verified: root ${root} of ${size} records, ${checkpoints} checkpoints, ${tiles} tiles\n`);
    if (key === undefined)
      process.stdout.write('verified with the key in the bundle; pass --key to check whose key it is\n');
    return 0;
  } catch (error) {
    if (!(error instanceof Damage)) {
      process.stderr.write(`cannot verify: ${error.message}\n`);
      return 2;
    }
    process.stdout.write(
      `DAMAGED ${error.file}${error.position === null ? '' : ` at position ${error.position}`}: ${error.message}\n`,
    );
    return 1;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename)
  process.exitCode = main(process.argv.slice(2));
