import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperationRefused } from '../control/operation-refused.ts';
import { moveDurably } from '../../platform/files/private-files.ts';

/** A file that gets its final name only once it is complete. */
export interface BackupFile {
  write(text: string): Promise<void>;
  /** Durably renames the file to its final name. */
  finish(): Promise<void>;
  /** Removes the file unless it is finished. Idempotent. */
  discard(): Promise<void>;
}

/**
 * Creates `${path}.new`, readable only by its owner, which `finish` renames to `path`.
 * @throws OperationRefused if either file exists; neither is ever overwritten
 */
export async function createBackupFile(path: string): Promise<BackupFile> {
  const temporaryPath = `${path}.new`;
  requireAbsent(path);
  const file = await open(temporaryPath, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`the directory ${dirname(path)} does not exist`);
    if (error.code !== 'EEXIST') throw error;
    throw new OperationRefused(
      `${temporaryPath} already exists: another backup is writing it or was killed; if none is running, remove it`,
    );
  });
  let isClosed = false;
  return {
    async write(text) {
      await file.writeFile(text); // `file.write` might write only part of the text
    },
    async finish() {
      await file.sync();
      requireAbsent(path);
      await file.close();
      moveDurably(temporaryPath, path);
      isClosed = true;
    },
    async discard() {
      if (isClosed) return;
      isClosed = true;
      await file.close();
      await rm(temporaryPath, { force: true });
    },
  };
}

function requireAbsent(path: string): void {
  if (existsSync(path))
    throw new OperationRefused(`${path} already exists, and backups are never overwritten; choose a different name`);
}
