import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OperationRefused } from '../refused.ts';
import { fileHeadStore, HEAD_FILE } from '../../audit/proofs/head-file.ts';
import { fileCheckpoints, createCheckpointsWriter } from '../../audit/proofs/issued-checkpoints.ts';
import { openOwnCheckpoint } from '../../audit/proofs/own-checkpoint.ts';
import { verifyLog } from '../../audit/proofs/verify.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import type { Projector } from '../../event-store/projector.ts';
import { CLIENT_KEYS } from '../../platform/keys/client-keys.ts';
import { keysFromTexts, restoreKeys, type Keys, type KeyTexts } from '../../platform/keys/keys.ts';
import { PERSONAL_KEYS } from '../../platform/keys/personal-keys.ts';
import { moveDurably } from '../../platform/files/private-files.ts';
import type { TreeHead } from '../../audit/merkle/verification.ts';
import { createBackupReader, type BackupContents } from './read-backup.ts';

export interface RestoreSummary {
  readonly position: number;
  readonly root: string;
  readonly created_at: string;
  /** How many checkpoints the records were held against. */
  readonly checkpoints: number;
  readonly users: number;
  readonly client_keys: number;
  /** Of the audit: what the log already said when it was backed up. */
  readonly findings: number;
  readonly digests: Readonly<Record<string, string>>;
}

export interface RestoreOptions {
  readonly file: string;
  readonly directory: string;
  /** Replays the data directory into a service's projections and closes it again. */
  readonly replay: (dataDir: string) => Promise<Pick<Projector, 'position' | 'digests'>>;
  /** A line for whoever waits. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

const READ_BYTES = 1_048_576;

/** About a line a second. */
const RECORDS_PER_REPORT = 250_000;

/**
 * Makes a data directory of a backup. It has its name only once it is whole and verified: the file by
 * its digest, the stored records by every checkpoint's signature and by the root.
 * @throws OperationRefused the directory is not empty, or the backup is damaged; nothing is left behind
 */
export async function restoreBackup(restoring: RestoreOptions): Promise<RestoreSummary> {
  const directory = resolve(restoring.directory);
  await requireEmptyDirectory(directory);
  await mkdir(dirname(directory), { recursive: true });
  const draft = await mkdtemp(`${directory}.new-`); // for its owner alone
  try {
    const restored = await restoreInto(draft, restoring);
    await requireEmptyDirectory(directory);
    publish(draft, directory);
    return restored;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Of two that restore into one directory at the same moment, the file system lets one have the name. */
function publish(draft: string, directory: string): void {
  try {
    moveDurably(draft, directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? directoryNotEmpty(directory) : error;
  }
}

async function requireEmptyDirectory(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length > 0) throw directoryNotEmpty(directory);
}

function directoryNotEmpty(directory: string): OperationRefused {
  return new OperationRefused(`${directory} is not empty; name a directory that is not there yet`);
}

async function restoreInto(draft: string, { file, replay, tell, signal }: RestoreOptions): Promise<RestoreSummary> {
  const log = join(draft, 'log');
  // LevelDB is loaded when it is needed: the other commands start without it.
  const [{ openLevelLog }, { restoreLevelLog }] = await Promise.all([
    import('../../event-store/engines/level.ts'),
    import('../../event-store/engines/level-restore.ts'),
  ]);
  let known: Keys | undefined;
  const keysOf = (texts: KeyTexts): Keys => (known ??= keysFromTexts(texts));
  const { header, keys, personalKeys, clientKeys, root } = await write();
  restoreKeys(join(draft, 'keys'), keys);
  PERSONAL_KEYS.restore(join(draft, 'keys'), personalKeys);
  CLIENT_KEYS.restore(join(draft, 'keys'), clientKeys);
  const verified = await verify();
  const head = { size: header.position, rootHash: Buffer.from(root, 'base64'), checkpoint: header.position };
  await fileHeadStore(join(draft, HEAD_FILE), keysOf(keys).attestation).write(head);
  const projector = await replay(draft);
  if (projector.position() !== header.position)
    throw new OperationRefused(`a replay ends at position ${projector.position()} of ${header.position}`);
  const { position, created_at } = header;
  return {
    position,
    root,
    created_at,
    checkpoints: verified.checkpoints,
    users: personalKeys.length,
    client_keys: clientKeys.length,
    findings: verified.findings,
    digests: projector.digests(),
  };

  async function write(): Promise<BackupContents> {
    const checkpoints = createCheckpointsWriter(join(draft, 'checkpoints'));
    const reader = createBackupReader((size, note, texts) => {
      const { log: signingKey, attestation } = keysOf(texts);
      checkpoints.add(openOwnHead(size, note, signingKey), attestation);
    });
    try {
      await restoreLevelLog(log, eventsFrom());
      return reader.finish();
    } finally {
      checkpoints.finish();
    }

    async function* eventsFrom(): AsyncGenerator<readonly RecordedEvent[], void, void> {
      const due = progressReporter((reached) => tell(`restored ${reached} events`));
      for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
        signal.throwIfAborted();
        const events = reader.push(chunk as Buffer);
        if (events.length > 0) yield events;
        due(events.at(-1)?.position ?? 0);
      }
    }
  }

  /** Reads everything back from the disk. */
  async function verify(): Promise<{ readonly checkpoints: number; readonly findings: number }> {
    const stored = await openLevelLog({ location: log });
    try {
      const checkpoints = fileCheckpoints(join(draft, 'checkpoints'), keysOf(keys));
      let findings = 0;
      let held: number | undefined;
      const inspection = { log: stored, tiles: { read: () => undefined }, checkpoints, heads: undefined };
      for await (const item of verifyLog(inspection, signal)) {
        if ('damage' in item)
          throw new OperationRefused(
            `what was restored does not verify at position ${item.position}: ${item.damage}; nothing was restored`,
          );
        if ('rule' in item && item.severity === 'finding') {
          findings += 1;
          tell(`the log had this finding already: position ${item.position}, ${item.message}`);
        }
        if ('root' in item && item.root === root && item.size === header.position) held = item.checkpoints;
      }
      if (held === undefined)
        throw new OperationRefused('what was restored has another root than the backup; nothing was restored');
      tell(`verified ${header.position} events`);
      return { checkpoints: held, findings };
    } finally {
      await stored.close();
    }
  }
}

/** @throws Error the backup's own key has not signed it, or it is over another number of records */
function openOwnHead(size: number, note: string, key: KeyObject): TreeHead {
  let head: TreeHead;
  try {
    head = openOwnCheckpoint(note, key);
  } catch (cause) {
    throw new Error(`checkpoint ${size} is not one of this server: ${String(cause)}`, { cause });
  }
  if (head.size !== size) throw new Error(`checkpoint ${size} is over another number of records`);
  return head;
}

/** Tells of a position now and then. */
function progressReporter(tell: (position: number) => void): (position: number) => void {
  let told = 0;
  return (position) => {
    if (position - told < RECORDS_PER_REPORT) return;
    told = position;
    tell(position);
  };
}
