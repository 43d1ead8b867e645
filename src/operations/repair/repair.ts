import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperationRefused } from '../control/operation-refused.ts';
import { HEAD_FILE, readRecordedCheckpoint } from '../../audit/proofs/head-file.ts';
import { readNewestSize, listNotes, createCheckpointsWriter } from '../../audit/proofs/issued-checkpoints.ts';
import { tileFile } from '../../audit/proofs/tile-store.ts';
import {
  findKnownEvents,
  levelKeyStore,
  openDataDirectory,
  type DataDirectory,
} from '../../composition/data-directory.ts';
import { findRepairableDamage, type RepairableDamage } from '../../event-store/engines/level-repair.ts';
import { INCOMPLETE_WRITE_ADVICE } from '../../event-store/event-log.ts';
import { leavesPerHash } from '../../audit/merkle/tile.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { KeyLocationSettings } from '../../platform/keys/key-place.ts';
import type { KeyName } from '../../platform/keys/keys.ts';
import { notRepairableError, compareLog, type Comparison } from './compare-log.ts';
import { replaceKeys } from './replace-keys.ts';

/** The result of a repair. */
export interface RepairResult {
  /** The position of the log's last event. */
  readonly position: number;
  readonly root: string;
  /** A line for each problem that was repaired; empty if nothing was wrong. */
  readonly repaired: readonly string[];
}

interface RepairOptions {
  /** Whether events at the end of the log may be discarded. */
  readonly acceptLoss: boolean;
  /** The damaged or missing keys to replace with new ones. */
  readonly keysToReplace?: readonly KeyName[];
  readonly entropy: Entropy;
  readonly notice: (line: string) => void;
}

/** The directory that damaged files are moved to. */
const DAMAGED_DIRECTORY = 'damaged';

/**
 * Repairs a data directory that keeps the server from starting, as far as possible without a backup. Rewrites files
 * that can be derived from the records. With `acceptLoss`, gives up events at the end of the log that are damaged or
 * may be missing. Never gives up an event covered by a checkpoint, because the server would then sign two histories of
 * the same size.
 * @throws LogLocked if another process has the log open
 * @throws OperationRefused if a backup or `acceptLoss` is needed, or a key in `keysToReplace` is intact
 * @throws Error if a key file is damaged or missing, and the key is not in `keysToReplace`
 */
export async function repairDataDirectory(
  place: KeyLocationSettings,
  { acceptLoss, keysToReplace = [], entropy, notice }: RepairOptions,
): Promise<RepairResult> {
  const { dataDir } = place;
  const keyStore = levelKeyStore(place);
  const repairs: string[] = [];
  const knownEvents = await findKnownEvents(dataDir, keyStore);
  for (const damage of await findRepairableDamage(join(dataDir, 'log'), knownEvents)) {
    requireBeyondCheckpoints(damage, dataDir);
    if (!acceptLoss) throw damageRefusal(damage);
    repairs.push(`${damage.description}; ${await damage.setAside(join(dataDir, DAMAGED_DIRECTORY))}`);
  }
  const quarantine = join(dataDir, DAMAGED_DIRECTORY);
  repairs.push(...(await replaceKeys(keysToReplace, { dataDir, keyStore, quarantine, acceptLoss, entropy })));
  const data = await openDataDirectory(place, { entropy, notice, mayHaveLostEvents: true });
  try {
    data.log.archive?.assertComplete();
    const comparison = await compareLog(data);
    if (comparison.loss !== undefined && !acceptLoss) throw lossNotAcceptedError(comparison.loss);
    repairs.push(...(await repairAll(comparison, dataDir, data)));
    const { size, rootHash } = comparison.head;
    return { position: size, root: Buffer.from(rootHash).toString('base64'), repaired: repairs };
  } finally {
    await data.log.close();
  }
}

function requireBeyondCheckpoints({ description, position = Infinity }: RepairableDamage, dataDir: string): void {
  const size = newestCheckpointSize(dataDir);
  if (position > size) return;
  const problem = `a checkpoint of ${size} records was issued, but ${description}`;
  throw notRepairableError(`${problem}: if the log continued there, the server would sign two histories of that size`);
}

/**
 * Returns the size of the newest checkpoint. The recorded head contains it, even if the stored checkpoints are damaged.
 */
function newestCheckpointSize(dataDir: string): number {
  return Math.max(readNewestSize(join(dataDir, 'checkpoints')), readRecordedCheckpoint(join(dataDir, HEAD_FILE)));
}

function damageRefusal(damage: RepairableDamage): OperationRefused {
  if (!damage.isIncompleteWrite) return lossNotAcceptedError(describeDamage(damage));
  return new OperationRefused(`${damage.description}. ${INCOMPLETE_WRITE_ADVICE}`);
}

function describeDamage({ description, position }: RepairableDamage): string {
  const loss = position === undefined ? 'an unknown number of events is' : `events from position ${position} on are`;
  return `${description}: ${loss} lost`;
}

function lossNotAcceptedError(loss: string): OperationRefused {
  return new OperationRefused(
    `${loss}. If the newest backup that verifies contains these events, restore it (grantlog restore FILE DIR). ` +
      'Otherwise, grantlog log repair --accept-loss ends the log before them: the tokens, accounts and revocations ' +
      'in them are lost, and a token that one of them revoked becomes valid again',
  );
}

const TILE_REWRITTEN = 'did not match the records and was rewritten';

/**
 * Makes the repairs, and returns one line for each problem. Writes the head after the other repaired files, so that the
 * server does not start after an interrupted repair.
 */
async function repairAll(comparison: Comparison, dataDir: string, data: DataDirectory): Promise<readonly string[]> {
  const { head, loss, headProblem, issuedCheckpoints, issuedProblems, correctedTiles } = comparison;
  for (const { level, index, hashes } of correctedTiles) {
    writeFileSync(tileFile(dataDir, level, index), hashes, { mode: 0o600, flush: true });
  }
  removeTilesBeyond(head.size, dataDir);
  for (const position of data.snapshots.positions()) {
    if (position > head.size) await data.snapshots.remove(position);
  }
  if (issuedProblems.length > 0) rewriteCheckpoints(issuedCheckpoints, dataDir, data);
  await data.heads.write({ ...head, checkpoint: issuedCheckpoints.at(-1)?.size ?? 0 });
  await data.keys.upgrade();
  return [
    ...(loss === undefined ? [] : [loss]),
    ...correctedTiles.map(({ level, index }) => `${tileFile(dataDir, level, index)} ${TILE_REWRITTEN}`),
    ...issuedProblems.map((problem) => `${problem}; the checkpoints were rewritten`),
    ...(headProblem === undefined ? [] : [`${headProblem} and was rewritten`]),
  ];
}

/** Removes the tiles of discarded events, whose positions will be reused. */
function removeTilesBeyond(size: number, dataDir: string): void {
  for (let level = 0; leavesPerHash(level) <= Number.MAX_SAFE_INTEGER; level += 1) {
    const firstIndex = Math.floor(size / leavesPerHash(level + 1));
    const pathOf = (index: number): string => tileFile(dataDir, level, index);
    for (let index = firstIndex; existsSync(pathOf(index)); index += 1) rmSync(pathOf(index));
  }
}

function rewriteCheckpoints(
  issuedCheckpoints: Comparison['issuedCheckpoints'],
  dataDir: string,
  data: DataDirectory,
): void {
  const directory = join(dataDir, 'checkpoints');
  const writer = createCheckpointsWriter(directory);
  for (const head of issuedCheckpoints) writer.add(head, data.keys.attestation);
  writer.finish();
  const quarantine = join(dataDir, DAMAGED_DIRECTORY, 'checkpoints');
  for (const note of listNotes(directory)) {
    mkdirSync(quarantine, { recursive: true, mode: 0o700 });
    renameSync(join(directory, note), join(quarantine, note));
  }
}
