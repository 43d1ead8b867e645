import { START, type EventLog } from '../../event-store/event-log.ts';
import { openCheckpoint } from '../merkle/checkpoint.ts';
import { encodeEntryBundle } from '../merkle/entry-bundle.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { parseVerifierKey, renameVerifierKey } from '../merkle/note-key.ts';
import { formatTilePath } from '../merkle/tile-path.ts';
import {
  listEntryBundles,
  isFullTile,
  partialTiles,
  TILE_WIDTH,
  listTiles,
  widthInTree,
  type Tile,
} from '../merkle/tile.ts';
import { emptyTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import type { Attestation } from './attestation.ts';
import type { IssuedCheckpoints } from './issued-checkpoints.ts';
import { LogTampered } from './log-witness.ts';

/**
 * The log with everything needed to verify it without the server: the records, the tiles of their Merkle tree, the
 * signed checkpoints and the public key. The manifest lists all other files and is written last, so an incomplete
 * bundle is never valid.
 *
 * A bundle is also a static log (C2SP tlog-tiles): `checkpoint` is a copy of the newest checkpoint, and `tile/entries`
 * contains the records in entry bundles. Bundles from earlier releases have neither.
 */

export const RECORDS_FILE = 'records.jsonl';
export const KEY_FILE = 'key';
export const MANIFEST_FILE = 'MANIFEST';
export const CHECKPOINTS_DIRECTORY = 'checkpoints';
export const NEWEST_CHECKPOINT_FILE = 'checkpoint';

/** Text or bytes to append to a file. Bytes are encoded in base64, because parts are transferred as JSON. */
export type BundlePart =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly base64: string };

/** The approximate size of a part. */
const CHARACTERS_PER_PART = 65_536;

/**
 * Exports the current log; later appends do not affect the bundle. Memory use does not depend on the size of the log.
 * @throws LogTampered if the records do not match the newest checkpoint, or a stored checkpoint is damaged
 */
export async function* createBundle({
  log,
  attestation,
  checkpoints,
}: {
  readonly log: Pick<EventLog, 'readAll'>;
  readonly attestation: Pick<Attestation, 'checkpointNow' | 'sign' | 'verifierKey'>;
  readonly checkpoints: Pick<IssuedCheckpoints, 'entries'>;
}): AsyncGenerator<BundlePart, void, void> {
  const newestCheckpoint = await attestation.checkpointNow();
  const key = attestation.verifierKey();
  const { size, rootHash } = readHead(newestCheckpoint, key); // another node may have issued the checkpoint
  const earlierHeads = (): Generator<TreeHead, void, void> => headsBelow(size, checkpoints);

  yield { file: KEY_FILE, text: `${key}\n` };
  const tree = emptyTree();
  /** The newest partial tile of each level. */
  const newestPartialTiles = new Map<number, Tile>();
  yield { file: RECORDS_FILE, text: '' }; // creates the file even if the log is empty
  for await (const records of recordsUpTo(size, log)) {
    yield { file: RECORDS_FILE, text: records.map((record) => `${record}\n`).join('') };
    yield* entryParts(records, tree.size, size);
    for (const tile of tree.append(records.map((record) => leafHash(record)))) {
      if (isFullTile(tile)) yield tilePart(tile);
      else newestPartialTiles.set(tile.level, tile);
    }
  }
  if (!tree.root().equals(rootHash))
    throw new LogTampered('the records differ from the signed ones; run grantlog log verify to find the differences');
  for (const { level } of partialTiles(size)) yield tilePart(newestPartialTiles.get(level)!);

  for (const head of earlierHeads()) yield { file: checkpointFile(head.size), text: attestation.sign(head) };
  yield { file: checkpointFile(size), text: newestCheckpoint };
  yield { file: NEWEST_CHECKPOINT_FILE, text: newestCheckpoint };
  yield* manifestParts(size, earlierHeads());
}

/** Returns the head in a checkpoint, even if the checkpoint was signed under an earlier name of the log. */
function readHead(checkpoint: string, verifierKey: string): TreeHead {
  const [origin = ''] = checkpoint.split('\n', 1);
  return openCheckpoint(checkpoint, parseVerifierKey(renameVerifierKey(verifierKey, origin)));
}

const checkpointFile = (size: number): string => `${CHECKPOINTS_DIRECTORY}/${size}`;

function* headsBelow(size: number, checkpoints: Pick<IssuedCheckpoints, 'entries'>): Generator<TreeHead, void, void> {
  for (const entry of checkpoints.entries()) {
    if ('problem' in entry) throw new LogTampered(`${entry.problem}; run grantlog log verify`);
    if (entry.head.size < size) yield entry.head;
  }
}

/** Computes the list of files from the size instead of collecting names, because a large log has millions of files. */
function* manifestParts(size: number, earlierHeads: Iterable<TreeHead>): Generator<BundlePart, void, void> {
  let text = '';
  for (const file of listFiles(size, earlierHeads)) {
    text += `${file}\n`;
    if (text.length < CHARACTERS_PER_PART) continue;
    yield { file: MANIFEST_FILE, text };
    text = '';
  }
  yield { file: MANIFEST_FILE, text };
}

function* listFiles(size: number, earlierHeads: Iterable<TreeHead>): Generator<string, void, void> {
  yield* [KEY_FILE, RECORDS_FILE, NEWEST_CHECKPOINT_FILE];
  for (const head of earlierHeads) yield checkpointFile(head.size);
  yield checkpointFile(size);
  for (const tile of listTiles(size)) yield formatTilePath(tile);
  for (const { index, width } of listEntryBundles(size)) yield formatTilePath({ level: 'entries', index, width });
}

async function* recordsUpTo(
  size: number,
  log: Pick<EventLog, 'readAll'>,
): AsyncGenerator<readonly string[], void, void> {
  let records: string[] = [];
  let characterCount = 0;
  for await (const events of size === 0 ? [] : log.readAll(START)) {
    for (const { record, position } of events) {
      records.push(record);
      characterCount += record.length;
      if (position < size && characterCount < CHARACTERS_PER_PART) continue;
      yield records;
      if (position === size) return;
      [records, characterCount] = [[], 0];
    }
  }
}

/** Encodes consecutive records, the first at index `start`, as parts of the entry bundles for `size` records. */
function* entryParts(records: readonly string[], start: number, size: number): Generator<BundlePart, void, void> {
  for (let offset = 0; offset < records.length;) {
    const index = Math.floor((start + offset) / TILE_WIDTH);
    const bundleRecords = records.slice(offset, (index + 1) * TILE_WIDTH - start);
    const file = formatTilePath({ level: 'entries', index, width: widthInTree(0, index, size) });
    yield { file, base64: encodeEntryBundle(bundleRecords).toString('base64') };
    offset += bundleRecords.length;
  }
}

function tilePart({ level, index, hashes }: Tile): BundlePart {
  return {
    file: formatTilePath({ level, index, width: hashes.length / HASH_BYTES }),
    base64: hashes.toString('base64'),
  };
}
