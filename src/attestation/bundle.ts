import { START, type EventLog } from '../eventsourcing/event-log.ts';
import { HASH_BYTES, leafHash } from '../transparency/hashing.ts';
import { formatTilePath } from '../transparency/tile-path.ts';
import { isFullTile, partialTiles, type TileRow } from '../transparency/tile.ts';
import { emptyTree } from '../transparency/tree.ts';
import { LogTampered, type Attestation } from './attestation.ts';
import type { Checkpoints } from './checkpoints.ts';

/**
 * The log with all that vouches for it, as files that are checked without the server: the records, the
 * tiles of their tree, the signed checkpoints and the key. What is missing shows in the manifest, which
 * is written last, so that a bundle cut short is none.
 */
export const RECORDS = 'records.jsonl';
export const KEY = 'key';
export const MANIFEST = 'MANIFEST';
export const CHECKPOINTS = 'checkpoints';

/** What to add to the end of a file; bytes are base64, because a part travels as JSON. */
export type BundlePart =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly base64: string };

/** Records are handed on some at a time. */
const CHARACTERS_AT_ONCE = 65_536;

/**
 * The log up to now, whatever is appended meanwhile; its memory does not grow with the log.
 * @throws LogTampered the records are not those that the newest checkpoint signs
 */
export async function* bundleOf({ log, attestation, checkpoints }: {
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
  readonly attestation: Pick<Attestation, 'checkpointNow' | 'verifierKey' | 'tree'>;
  readonly checkpoints: Pick<Checkpoints, 'sizes' | 'find'>;
}): AsyncGenerator<BundlePart, void, void> {
  const { size, rootHash } = attestation.tree.head();
  const newest = attestation.checkpointNow();
  const files = [KEY, RECORDS];
  const whole = (part: BundlePart): BundlePart => {
    files.push(part.file);
    return part;
  };

  yield { file: KEY, text: `${attestation.verifierKey()}\n` };
  const tree = emptyTree();
  /** The rightmost tile of each level, as far as it is filled. */
  const partial = new Map<number, TileRow>();
  yield { file: RECORDS, text: '' }; // also of a log without records
  for await (const records of recordsUpTo(size, log)) {
    yield { file: RECORDS, text: records.map((record) => `${record}\n`).join('') };
    for (const row of tree.append(records.map((record) => leafHash(record)))) {
      const isFull = isFullTile(row);
      if (isFull) yield whole(tilePart(row));
      else partial.set(row.level, row);
    }
  }
  if (!tree.root().equals(rootHash)) throw new LogTampered('the records are not those that were signed; `log verify` tells which');
  for (const { level } of partialTiles(size)) yield whole(tilePart(partial.get(level)!));

  for (const earlier of checkpoints.sizes()) {
    if (earlier < size) yield whole({ file: `${CHECKPOINTS}/${earlier}`, text: checkpoints.find(earlier) ?? '' });
  }
  yield whole({ file: `${CHECKPOINTS}/${size}`, text: newest });
  yield { file: MANIFEST, text: files.map((file) => `${file}\n`).join('') };
}

async function* recordsUpTo(size: number, log: Pick<EventLog, 'readAll'>): AsyncGenerator<readonly string[], void, void> {
  let records: string[] = [];
  let characters = 0;
  for await (const events of size === 0 ? [] : log.readAll(START)) {
    for (const { record, position } of events) {
      records.push(record);
      characters += record.length;
      if (position < size && characters < CHARACTERS_AT_ONCE) continue;
      yield records;
      if (position === size) return;
      [records, characters] = [[], 0];
    }
  }
}

function tilePart({ level, index, hashes }: TileRow): BundlePart {
  return { file: formatTilePath({ level, index, width: hashes.length / HASH_BYTES }), base64: hashes.toString('base64') };
}
