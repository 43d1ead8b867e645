import { audit, type AuditFinding, type AuditSummary } from '../rules/auditor.ts';
import { LogDamaged, type Position, type RecordedEvent } from '../../event-store/event-log.ts';
import { decodeRecord } from '../../event-store/record.ts';
import { openCheckpoint } from '../merkle/checkpoint.ts';
import { encodeEntryBundle } from '../merkle/entry-bundle.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { MalformedError } from '../merkle/malformed.ts';
import { parseVerifierKey, renameVerifierKey } from '../merkle/note-key.ts';
import { UntrustedNote } from '../merkle/signed-note.ts';
import { formatTilePath } from '../merkle/tile-path.ts';
import { listEntryBundles, isFullTile, partialTiles, TILE_WIDTH, listTiles, type Tile } from '../merkle/tile.ts';
import { emptyTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { CHECKPOINTS_DIRECTORY, KEY_FILE, MANIFEST_FILE, NEWEST_CHECKPOINT_FILE, RECORDS_FILE } from './bundle.ts';
import type { BundleDirectory } from './bundle-directory.ts';
import type { VerifiedLog } from './verify.ts';

/** The first defect in a bundle. Verification stops there. */
export interface BundleDamage {
  readonly damage: string;
  readonly file: string;
  /** The position of the first record that may be affected, or null if no record is affected. */
  readonly position: number | null;
}

export type BundleItem = BundleDamage | VerifiedLog | AuditFinding | AuditSummary;

/**
 * Verifies every record, tile and checkpoint in a bundle, and audits the records. Ends with a summary of what was
 * verified, or with the first defect.
 * @param trustedKey the verifier key that must have signed the bundle; undefined to trust the key in the bundle
 */
export async function* verifyBundle(
  bundle: BundleDirectory,
  trustedKey: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<BundleItem, void, void> {
  try {
    const state = readSignedState(bundle, trustedKey);
    yield* audit(verifyRecords(bundle, state), { signal });
    yield {
      size: state.head.size,
      root: Buffer.from(state.head.rootHash).toString('base64'),
      checkpoints: state.heads.size,
      tiles: state.tiles,
    };
  } catch (error) {
    if (error instanceof BundleDamagedError) yield error.damage;
    else if (error instanceof LogDamaged) yield { damage: error.message, file: RECORDS_FILE, position: error.position };
    else throw error;
  }
}

class BundleDamagedError extends Error {
  readonly damage: BundleDamage;
  constructor(file: string, damage: string, position: number | null = null) {
    super(damage);
    this.damage = { damage, file, position };
  }
}

interface SignedState {
  /** The largest signed head, which covers all records. */
  readonly head: TreeHead;
  /** All signed heads, by size. */
  readonly heads: ReadonlyMap<number, TreeHead>;
  /** The number of tiles, excluding entry bundles. */
  readonly tiles: number;
  /** Whether the bundle has entry bundles. Bundles from earlier releases have none. */
  readonly isStaticLog: boolean;
}

function readSignedState(bundle: BundleDirectory, trustedKey: string | undefined): SignedState {
  const files = bundle.files();
  checkManifest(files, bundle);
  const key = readKey(bundle, trustedKey);
  const sizes = [...files]
    .filter((file) => file.startsWith(`${CHECKPOINTS_DIRECTORY}/`))
    .map(parseCheckpointSize)
    .toSorted((left, right) => left - right);
  const heads = new Map(sizes.map((size) => [size, readCheckpoint(bundle, size, key)]));
  const head = heads.get(sizes.at(-1) ?? -1);
  if (head === undefined) throw new BundleDamagedError(CHECKPOINTS_DIRECTORY, 'the bundle has no checkpoint');
  const isStaticLog = files.has(NEWEST_CHECKPOINT_FILE);
  if (
    isStaticLog &&
    !bundle.read(NEWEST_CHECKPOINT_FILE).equals(bundle.read(`${CHECKPOINTS_DIRECTORY}/${head.size}`))
  ) {
    throw new BundleDamagedError(NEWEST_CHECKPOINT_FILE, `it differs from ${CHECKPOINTS_DIRECTORY}/${head.size}`);
  }
  return { head, heads, tiles: checkFiles(head.size, files, isStaticLog), isStaticLog };
}

/**
 * Checks that the manifest lists every file except itself exactly once, because a file that is not listed could
 * go missing unnoticed.
 */
function checkManifest(files: ReadonlySet<string>, bundle: BundleDirectory): void {
  for (const file of [MANIFEST_FILE, KEY_FILE, RECORDS_FILE])
    if (!files.has(file)) throw new BundleDamagedError(file, 'the file is missing');
  const lines = bundle.read(MANIFEST_FILE).toString('latin1').split('\n');
  if (lines.pop() !== '') throw new BundleDamagedError(MANIFEST_FILE, 'it does not end with a newline');
  const listedFiles = new Set(lines);
  if (listedFiles.size !== lines.length) throw new BundleDamagedError(MANIFEST_FILE, 'it lists a file twice');
  for (const file of listedFiles)
    if (file === MANIFEST_FILE || !files.has(file))
      throw new BundleDamagedError(
        file,
        file === MANIFEST_FILE ? 'it lists itself' : 'the manifest lists it, but it is missing',
      );
  for (const file of files)
    if (!listedFiles.has(file) && file !== MANIFEST_FILE)
      throw new BundleDamagedError(file, 'the manifest does not list it');
}

function readKey(bundle: BundleDirectory, trustedKey: string | undefined): string {
  const text = bundle.read(KEY_FILE).toString();
  const key = text.slice(0, -1);
  if (!text.endsWith('\n')) throw new BundleDamagedError(KEY_FILE, 'it does not end with a newline');
  rethrowAsDamage(KEY_FILE, () => parseVerifierKey(key));
  if (trustedKey !== undefined && !isSamePublicKey(trustedKey, key)) {
    throw new BundleDamagedError(KEY_FILE, 'the bundle is not signed with the given key');
  }
  return key;
}

/** Compares two verifier keys without their names, because the name of the log changes with the server's URL. */
function isSamePublicKey(trustedKey: string, key: string): boolean {
  try {
    return renameVerifierKey(trustedKey, parseVerifierKey(key).name) === key;
  } catch (error) {
    if (error instanceof MalformedError) return false;
    throw error;
  }
}

function parseCheckpointSize(file: string): number {
  const name = file.slice(CHECKPOINTS_DIRECTORY.length + 1);
  if (!/^(?:0|[1-9]\d{0,15})$/.test(name)) throw new BundleDamagedError(file, 'its name is not the size of a log');
  return Number(name);
}

/** Returns the head in a checkpoint, even if the checkpoint was signed under an earlier name of the log. */
function readCheckpoint(bundle: BundleDirectory, size: number, key: string): TreeHead {
  const file = `${CHECKPOINTS_DIRECTORY}/${size}`;
  const note = bundle.read(file).toString();
  const origin = note.split('\n', 1)[0] ?? '';
  const head = rethrowAsDamage(file, () => openCheckpoint(note, parseVerifierKey(renameVerifierKey(key, origin))));
  if (head.size !== size) throw new BundleDamagedError(file, `it is a checkpoint of ${head.size} records`);
  return head;
}

/** Checks that the bundle has exactly the files of a log of this size. Returns the number of hash tiles. */
function checkFiles(size: number, files: ReadonlySet<string>, isStaticLog: boolean): number {
  const tiles = [...listTiles(size)].map(formatTilePath);
  const staticLogFiles = isStaticLog
    ? [NEWEST_CHECKPOINT_FILE, ...[...listEntryBundles(size)].map(entryBundlePath)]
    : [];
  const expectedFiles = new Set([MANIFEST_FILE, KEY_FILE, RECORDS_FILE, ...tiles, ...staticLogFiles]);
  for (const file of expectedFiles) if (!files.has(file)) throw new BundleDamagedError(file, 'the file is missing');
  const unexpectedFiles = [...files].filter(
    (file) => !expectedFiles.has(file) && !file.startsWith(`${CHECKPOINTS_DIRECTORY}/`),
  );
  for (const file of unexpectedFiles) throw new BundleDamagedError(file, 'it does not belong to a bundle of this size');
  return tiles.length;
}

function entryBundlePath({ index, width }: { readonly index: number; readonly width: number }): string {
  return formatTilePath({ level: 'entries', index, width });
}

async function* verifyRecords(
  bundle: BundleDirectory,
  { head, heads, isStaticLog }: SignedState,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  const tree = emptyTree();
  /** The rightmost tile of each level. */
  const rightmostTiles = new Map<number, Tile>();
  let leaves: Buffer = Buffer.alloc(0);
  let pendingLeaves: Buffer[] = [];
  /** The records since the last full tile. */
  let entries: Buffer[] = [];

  /** Compares a record with its hash in the tile, to identify the first record that differs. */
  function checkRecord(record: Buffer): RecordedEvent {
    const position = (tree.size + pendingLeaves.length + 1) as Position;
    if (position > head.size)
      throw new BundleDamagedError(RECORDS_FILE, `it has more than the ${head.size} signed records`, position);
    const index = Math.floor((position - 1) / TILE_WIDTH);
    const offset = ((position - 1) % TILE_WIDTH) * HASH_BYTES;
    const file = formatTilePath({ level: 0, index, width: Math.min(TILE_WIDTH, head.size - index * TILE_WIDTH) });
    if (offset === 0) leaves = bundle.read(file);
    const leaf = leafHash(record);
    if (!leaves.subarray(offset, offset + HASH_BYTES).equals(leaf))
      throw new BundleDamagedError(
        RECORDS_FILE,
        `record ${position} does not match ${file}; one of them has been changed`,
        position,
      );
    pendingLeaves.push(leaf);
    if (heads.has(position) || pendingLeaves.length === TILE_WIDTH) appendPending();
    entries.push(record);
    if (position % TILE_WIDTH === 0 || position === head.size) compareEntries(index);
    return decodeRecord(record.toString(), position);
  }

  function appendPending(): void {
    for (const tile of tree.append(pendingLeaves)) {
      if (isFullTile(tile)) compareTile(tile);
      else rightmostTiles.set(tile.level, tile);
    }
    pendingLeaves = [];
    compareHead(heads.get(tree.size));
  }

  function compareTile({ level, index, hashes }: Tile): void {
    const file = formatTilePath({ level, index, width: hashes.length / HASH_BYTES });
    if (!bundle.read(file).equals(hashes)) throw new BundleDamagedError(file, 'it does not match the records');
  }

  function compareEntries(index: number): void {
    const file = entryBundlePath({ index, width: entries.length });
    const matches = !isStaticLog || bundle.read(file).equals(encodeEntryBundle(entries));
    if (!matches) throw new BundleDamagedError(file, `its entries do not match ${RECORDS_FILE}`);
    entries = [];
  }

  function compareHead(signedHead: TreeHead | undefined): void {
    if (signedHead === undefined || tree.root().equals(signedHead.rootHash)) return;
    throw new BundleDamagedError(
      `${CHECKPOINTS_DIRECTORY}/${signedHead.size}`,
      'the records do not match the signed root',
      1,
    );
  }

  compareHead(heads.get(0));
  let unterminatedBytes = 0;
  for await (const chunk of bundle.lines(RECORDS_FILE)) {
    unterminatedBytes = chunk.remainder.length;
    yield chunk.lines.map(checkRecord);
  }
  if (unterminatedBytes > 0)
    throw new BundleDamagedError(RECORDS_FILE, 'the last record is incomplete', tree.size + pendingLeaves.length + 1);
  if (tree.size + pendingLeaves.length < head.size)
    throw new BundleDamagedError(
      RECORDS_FILE,
      `it has fewer than the ${head.size} signed records`,
      tree.size + pendingLeaves.length + 1,
    );
  for (const { level } of partialTiles(head.size)) compareTile(rightmostTiles.get(level)!);
}

function rethrowAsDamage<Value>(file: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    if (error instanceof MalformedError || error instanceof UntrustedNote)
      throw new BundleDamagedError(file, error.message);
    throw error;
  }
}
