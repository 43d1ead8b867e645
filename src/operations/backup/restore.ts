import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OperationRefused } from '../control/operation-refused.ts';
import { isInvitationKeyId } from '../../domain/invitation-keys.ts';
import { fileHeadStore, HEAD_FILE } from '../../audit/proofs/head-file.ts';
import { fileCheckpoints, createCheckpointsWriter } from '../../audit/proofs/issued-checkpoints.ts';
import { openOwnCheckpoint } from '../../audit/proofs/own-checkpoint.ts';
import { verifyLog } from '../../audit/proofs/verify.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import type { Projector } from '../../event-store/projector.ts';
import { CLIENT_KEYS } from '../../platform/keys/client-keys.ts';
import { keyDirectory } from '../../platform/keys/key-directory.ts';
import { keysFromTexts, type Keys, type KeyTexts } from '../../platform/keys/keys.ts';
import { PERSONAL_KEYS } from '../../platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../../platform/keys/signing-keyring.ts';
import { findDirectoryProblem } from '../../platform/files/directory-problem.ts';
import { moveDurably } from '../../platform/files/private-files.ts';
import type { TreeHead } from '../../audit/merkle/verification.ts';
import { createBackupReader, type BackupContents } from './read-backup.ts';

export interface RestoreSummary {
  readonly position: number;
  readonly root: string;
  readonly created_at: string;
  /** The number of checkpoints that the records were verified against. */
  readonly checkpoints: number;
  readonly users: number;
  readonly client_keys: number;
  readonly signing_keys: number;
  /** The number of audit findings, all of which the log already had when it was backed up. */
  readonly findings: number;
  readonly digests: Readonly<Record<string, string>>;
}

export interface RestoreOptions {
  readonly file: string;
  readonly directory: string;
  /** Replays the log in the data directory into projections, and closes the log. */
  readonly replay: (dataDir: string) => Promise<Pick<Projector, 'position' | 'digests'>>;
  /** Receives progress lines for the operator. */
  readonly notice: (line: string) => void;
  readonly signal: AbortSignal;
}

const READ_BYTES = 1_048_576;

/** About one progress line per second. */
const RECORDS_PER_REPORT = 250_000;

/**
 * Restores a backup into a data directory, which gets its final name only once it is complete and verified. The file is
 * verified against its digest, and the stored records against every signed checkpoint and the root.
 * @throws OperationRefused if the directory is not empty, or the backup is damaged; nothing is left behind
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const directory = resolve(options.directory);
  await requireEmptyDirectory(directory);
  await mkdir(dirname(directory), { recursive: true });
  const temporaryDirectory = await mkdtemp(`${directory}.new-`); // readable only by its owner
  try {
    const summary = await restoreInto(temporaryDirectory, options);
    await requireEmptyDirectory(directory);
    publish(temporaryDirectory, directory);
    return summary;
  } catch (error) {
    await rm(temporaryDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** The rename decides which of two concurrent restores into the same directory succeeds. */
function publish(temporaryDirectory: string, directory: string): void {
  try {
    moveDurably(temporaryDirectory, directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? directoryNotEmptyError(directory) : error;
  }
}

async function requireEmptyDirectory(directory: string): Promise<void> {
  const problem = findDirectoryProblem(directory);
  if (problem !== undefined)
    throw new OperationRefused(`${directory} cannot be used: ${problem}; choose a new directory`);
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length > 0) throw directoryNotEmptyError(directory);
}

function directoryNotEmptyError(directory: string): OperationRefused {
  return new OperationRefused(`${directory} is not empty; choose a new directory`);
}

async function restoreInto(
  temporaryDirectory: string,
  { file, replay, notice, signal }: RestoreOptions,
): Promise<RestoreSummary> {
  const log = join(temporaryDirectory, 'log');
  // Loaded lazily, so that the other commands start without loading LevelDB.
  const [{ openLevelLog }, { restoreLevelLog }] = await Promise.all([
    import('../../event-store/engines/level.ts'),
    import('../../event-store/engines/level-restore.ts'),
  ]);
  let cachedKeys: Keys | undefined;
  const parseKeys = (texts: KeyTexts): Keys => (cachedKeys ??= keysFromTexts(texts));
  const { header, keys, personalKeys, clientKeys, signingKeys, root } = await write();
  const keyrings = [
    [PERSONAL_KEYS, personalKeys] as const,
    [CLIENT_KEYS, clientKeys] as const,
    [SIGNING_KEYS, signingKeys] as const,
  ];
  await keyDirectory(join(temporaryDirectory, 'keys')).restore({ server: keys, keyrings });
  const verification = await verify();
  const head = { size: header.position, rootHash: Buffer.from(root, 'base64'), checkpoint: header.position };
  await fileHeadStore(join(temporaryDirectory, HEAD_FILE), parseKeys(keys).attestation).write(head);
  const projector = await replay(temporaryDirectory);
  if (projector.position() !== header.position)
    throw new OperationRefused(
      `the replay ended at position ${projector.position()} of ${header.position}; nothing was restored`,
    );
  const { position, created_at } = header;
  return {
    position,
    root,
    created_at,
    checkpoints: verification.checkpoints,
    users: personalKeys.filter(([id]) => !isInvitationKeyId(id)).length,
    client_keys: clientKeys.length,
    signing_keys: signingKeys.length,
    findings: verification.findings,
    digests: projector.digests(),
  };

  async function write(): Promise<BackupContents> {
    const checkpoints = createCheckpointsWriter(join(temporaryDirectory, 'checkpoints'));
    const reader = createBackupReader((size, note, texts) => {
      const { log: signingKey, attestation } = parseKeys(texts);
      checkpoints.add(openOwnHead(size, note, signingKey), attestation);
    });
    try {
      await restoreLevelLog(log, readEvents());
      return reader.finish();
    } finally {
      checkpoints.finish();
    }

    async function* readEvents(): AsyncGenerator<readonly RecordedEvent[], void, void> {
      const reportProgress = createProgressReporter((eventCount) => notice(`restored ${eventCount} events`));
      for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
        signal.throwIfAborted();
        const events = reader.push(chunk as Buffer);
        if (events.length > 0) yield events;
        reportProgress(events.at(-1)?.position ?? 0);
      }
    }
  }

  /** Verifies the written files by reading them back from disk. */
  async function verify(): Promise<{ readonly checkpoints: number; readonly findings: number }> {
    const restoredLog = await openLevelLog({ location: log });
    try {
      const checkpoints = fileCheckpoints(join(temporaryDirectory, 'checkpoints'), parseKeys(keys));
      let findings = 0;
      let checkpointCount: number | undefined;
      const inspection = { log: restoredLog, tiles: { read: () => undefined }, checkpoints, heads: undefined };
      for await (const item of verifyLog(inspection, signal)) {
        if ('damage' in item)
          throw new OperationRefused(
            `the restored log does not verify at position ${item.position}: ${item.damage}; nothing was restored`,
          );
        if ('rule' in item && item.severity === 'finding') {
          findings += 1;
          notice(`the backed-up log already had this finding: position ${item.position}, ${item.message}`);
        }
        if ('root' in item && item.root === root && item.size === header.position) checkpointCount = item.checkpoints;
      }
      if (checkpointCount === undefined)
        throw new OperationRefused('the restored log has a different root than the backup; nothing was restored');
      notice(`verified ${header.position} events`);
      return { checkpoints: checkpointCount, findings };
    } finally {
      await restoredLog.close();
    }
  }
}

/**
 * Opens a checkpoint from the backup.
 * @throws Error if the checkpoint is not signed with the log key in the backup, or covers a different number of records
 */
function openOwnHead(size: number, note: string, key: KeyObject): TreeHead {
  let head: TreeHead;
  try {
    head = openOwnCheckpoint(note, key);
  } catch (cause) {
    throw new Error(`checkpoint ${size} is not signed with the log key in the backup: ${String(cause)}`, { cause });
  }
  if (head.size !== size) throw new Error(`checkpoint ${size} covers a different number of records`);
  return head;
}

function createProgressReporter(report: (position: number) => void): (position: number) => void {
  let reportedPosition = 0;
  return (position) => {
    if (position - reportedPosition < RECORDS_PER_REPORT) return;
    reportedPosition = position;
    report(position);
  };
}
