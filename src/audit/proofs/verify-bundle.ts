import { audit, type AuditFinding, type AuditSummary } from '../rules/auditor.ts';
import { LogDamaged, type Position, type RecordedEvent } from '../../event-store/event-log.ts';
import { decodeRecord } from '../../event-store/record.ts';
import { openCheckpoint } from '../merkle/checkpoint.ts';
import { encodeEntryBundle } from '../merkle/entry-bundle.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { Malformed } from '../merkle/malformed.ts';
import { parseVerifierKey, renameVerifierKey } from '../merkle/note-key.ts';
import { UntrustedNote } from '../merkle/signed-note.ts';
import { formatTilePath } from '../merkle/tile-path.ts';
import { listEntryBundles, isFullTile, partialTiles, TILE_WIDTH, listTiles, type Tile } from '../merkle/tile.ts';
import { emptyTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { CHECKPOINTS_DIRECTORY, KEY_FILE, MANIFEST_FILE, NEWEST_CHECKPOINT_FILE, RECORDS_FILE } from './bundle.ts';
import type { BundleDirectory } from './bundle-directory.ts';
import type { Verified } from './verify.ts';

/** The first damage in a bundle. Nothing after it was checked. */
export interface BundleDamage {
  readonly damage: string;
  readonly file: string;
  /** The first record that can be affected, or null if no record is. */
  readonly position: number | null;
}

export type BundleItem = BundleDamage | Verified | AuditFinding | AuditSummary;

/**
 * Verifies every record, tile and checkpoint of a bundle, and audits the records. Ends with a summary of what was
 * verified, or with the first damage.
 * @param trusted the verifier key that must have signed the bundle; undefined to trust the key in the bundle
 */
export async function* verifyBundle(
  bundle: BundleDirectory,
  trusted: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<BundleItem, void, void> {
  try {
    const state = readSignedState(bundle, trusted);
    yield* audit(verifyRecords(bundle, state), { signal });
    yield {
      size: state.head.size,
      root: Buffer.from(state.head.rootHash).toString('base64'),
      checkpoints: state.heads.size,
      tiles: state.tiles,
    };
  } catch (error) {
    if (error instanceof DamagedBundle) yield error.damage;
    else if (error instanceof LogDamaged) yield { damage: error.message, file: RECORDS_FILE, position: error.position };
    else throw error;
  }
}

class DamagedBundle extends Error {
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
  /** The number of tiles, not including entry bundles. */
  readonly tiles: number;
  /** Whether the bundle has entry bundles, which bundles of earlier releases lack. */
  readonly isStaticLog: boolean;
}

function readSignedState(bundle: BundleDirectory, trusted: string | undefined): SignedState {
  const files = bundle.files();
  checkManifest(files, bundle);
  const key = readKey(bundle, trusted);
  const sizes = [...files]
    .filter((file) => file.startsWith(`${CHECKPOINTS_DIRECTORY}/`))
    .map(parseCheckpointSize)
    .toSorted((left, right) => left - right);
  const heads = new Map(sizes.map((size) => [size, readCheckpoint(bundle, size, key)]));
  const head = heads.get(sizes.at(-1) ?? -1);
  if (head === undefined) throw new DamagedBundle(CHECKPOINTS_DIRECTORY, 'there is no checkpoint');
  const isStaticLog = files.has(NEWEST_CHECKPOINT_FILE);
  if (
    isStaticLog &&
    !bundle.read(NEWEST_CHECKPOINT_FILE).equals(bundle.read(`${CHECKPOINTS_DIRECTORY}/${head.size}`))
  ) {
    throw new DamagedBundle(NEWEST_CHECKPOINT_FILE, `it differs from ${CHECKPOINTS_DIRECTORY}/${head.size}`);
  }
  return { head, heads, tiles: checkFiles(head.size, files, isStaticLog), isStaticLog };
}

/** The manifest must list every file except itself, each once, so that no file can be missing unnoticed. */
function checkManifest(files: ReadonlySet<string>, bundle: BundleDirectory): void {
  for (const file of [MANIFEST_FILE, KEY_FILE, RECORDS_FILE])
    if (!files.has(file)) throw new DamagedBundle(file, 'the file is missing');
  const lines = bundle.read(MANIFEST_FILE).toString('latin1').split('\n');
  if (lines.pop() !== '') throw new DamagedBundle(MANIFEST_FILE, 'its last line is incomplete');
  const listed = new Set(lines);
  if (listed.size !== lines.length) throw new DamagedBundle(MANIFEST_FILE, 'it lists a file twice');
  for (const file of listed)
    if (file === MANIFEST_FILE || !files.has(file))
      throw new DamagedBundle(
        file,
        file === MANIFEST_FILE ? 'it lists itself' : 'the manifest lists it, but it is missing',
      );
  for (const file of files)
    if (!listed.has(file) && file !== MANIFEST_FILE) throw new DamagedBundle(file, 'the manifest does not list it');
}

function readKey(bundle: BundleDirectory, trusted: string | undefined): string {
  const text = bundle.read(KEY_FILE).toString();
  const key = text.slice(0, -1);
  if (!text.endsWith('\n')) throw new DamagedBundle(KEY_FILE, 'its line is incomplete');
  withDamage(KEY_FILE, () => parseVerifierKey(key));
  if (trusted !== undefined && !isSamePublicKey(trusted, key)) {
    throw new DamagedBundle(KEY_FILE, 'the bundle is not signed with the given key');
  }
  return key;
}

/** Compares two verifier keys without their names, because the name of the log changes with the server's URL. */
function isSamePublicKey(trusted: string, key: string): boolean {
  try {
    return renameVerifierKey(trusted, parseVerifierKey(key).name) === key;
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

function parseCheckpointSize(file: string): number {
  const name = file.slice(CHECKPOINTS_DIRECTORY.length + 1);
  if (!/^(?:0|[1-9]\d{0,15})$/.test(name)) throw new DamagedBundle(file, 'its name is not the size of a log');
  return Number(name);
}

/** Returns the head in a checkpoint, even if it was signed under an earlier name of the log. */
function readCheckpoint(bundle: BundleDirectory, size: number, key: string): TreeHead {
  const file = `${CHECKPOINTS_DIRECTORY}/${size}`;
  const note = bundle.read(file).toString();
  const origin = note.split('\n', 1)[0] ?? '';
  const head = withDamage(file, () => openCheckpoint(note, parseVerifierKey(renameVerifierKey(key, origin))));
  if (head.size !== size) throw new DamagedBundle(file, `it is a checkpoint over ${head.size} records`);
  return head;
}

/** Checks that the bundle has exactly the files of a log of this size. Returns the number of hash tiles. */
function checkFiles(size: number, files: ReadonlySet<string>, isStaticLog: boolean): number {
  const tiles = [...listTiles(size)].map(formatTilePath);
  const staticLogFiles = isStaticLog
    ? [NEWEST_CHECKPOINT_FILE, ...[...listEntryBundles(size)].map(entryBundlePath)]
    : [];
  const expected = new Set([MANIFEST_FILE, KEY_FILE, RECORDS_FILE, ...tiles, ...staticLogFiles]);
  for (const file of expected) if (!files.has(file)) throw new DamagedBundle(file, 'the file is missing');
  const others = [...files].filter((file) => !expected.has(file) && !file.startsWith(`${CHECKPOINTS_DIRECTORY}/`));
  for (const file of others) throw new DamagedBundle(file, 'it does not belong to a bundle of this size');
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
  const partial = new Map<number, Tile>();
  let leaves: Buffer = Buffer.alloc(0);
  let waiting: Buffer[] = [];
  /** The records since the last full tile. */
  let entries: Buffer[] = [];

  /** Compares each record with its leaf in the tile, to identify the first record that differs. */
  function checkRecord(record: Buffer): RecordedEvent {
    const position = (tree.size + waiting.length + 1) as Position;
    if (position > head.size)
      throw new DamagedBundle(RECORDS_FILE, `it has more than the ${head.size} records that were signed`, position);
    const index = Math.floor((position - 1) / TILE_WIDTH);
    const offset = ((position - 1) % TILE_WIDTH) * HASH_BYTES;
    const file = formatTilePath({ level: 0, index, width: Math.min(TILE_WIDTH, head.size - index * TILE_WIDTH) });
    if (offset === 0) leaves = bundle.read(file);
    const leaf = leafHash(record);
    if (!leaves.subarray(offset, offset + HASH_BYTES).equals(leaf))
      throw new DamagedBundle(
        RECORDS_FILE,
        `record ${position} does not match ${file}; one of them was changed`,
        position,
      );
    waiting.push(leaf);
    if (heads.has(position) || waiting.length === TILE_WIDTH) addWaiting();
    entries.push(record);
    if (position % TILE_WIDTH === 0 || position === head.size) compareEntries(index);
    return decodeRecord(record.toString(), position);
  }

  function addWaiting(): void {
    for (const tile of tree.append(waiting)) {
      if (isFullTile(tile)) compareTile(tile);
      else partial.set(tile.level, tile);
    }
    waiting = [];
    compareHead(heads.get(tree.size));
  }

  function compareTile({ level, index, hashes }: Tile): void {
    const file = formatTilePath({ level, index, width: hashes.length / HASH_BYTES });
    if (!bundle.read(file).equals(hashes)) throw new DamagedBundle(file, 'it does not match the records');
  }

  function compareEntries(index: number): void {
    const file = entryBundlePath({ index, width: entries.length });
    const agrees = !isStaticLog || bundle.read(file).equals(encodeEntryBundle(entries));
    if (!agrees) throw new DamagedBundle(file, `its entries do not match ${RECORDS_FILE}`);
    entries = [];
  }

  function compareHead(signed: TreeHead | undefined): void {
    if (signed === undefined || tree.root().equals(signed.rootHash)) return;
    throw new DamagedBundle(
      `${CHECKPOINTS_DIRECTORY}/${signed.size}`,
      'the records before it are not those that were signed',
      1,
    );
  }

  compareHead(heads.get(0));
  let rest = 0;
  for await (const chunk of bundle.lines(RECORDS_FILE)) {
    rest = chunk.rest.length;
    yield chunk.lines.map(checkRecord);
  }
  if (rest > 0) throw new DamagedBundle(RECORDS_FILE, 'the last record is incomplete', tree.size + waiting.length + 1);
  if (tree.size + waiting.length < head.size)
    throw new DamagedBundle(
      RECORDS_FILE,
      `it ends before the ${head.size} records that were signed`,
      tree.size + waiting.length + 1,
    );
  for (const { level } of partialTiles(head.size)) compareTile(partial.get(level)!);
}

function withDamage<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed || error instanceof UntrustedNote) throw new DamagedBundle(file, error.message);
    throw error;
  }
}
