import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { OperationRefused } from '../refused.ts';
import { moveDurably } from '../../platform/files/private-files.ts';

/** A file that gets its name only once it is whole. */
export interface BackupFile {
  write(text: string): Promise<void>;
  /** Gives it its name; durable when it resolves. */
  finish(): Promise<void>;
  /** Removes what was written, unless it is finished. Idempotent. */
  discard(): Promise<void>;
}

/**
 * Begins a file for its owner alone at `path`.new, to be renamed to `path`.
 * @throws OperationRefused there is a file already: none is ever overwritten
 */
export async function createBackupFile(path: string): Promise<BackupFile> {
  const draft = `${path}.new`;
  requireAbsent(path);
  const file = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new OperationRefused(
      `${draft} is there already: another backup is writing it, or was killed and left it; remove it in that case`,
    );
  });
  let isOver = false;
  return {
    async write(text) {
      await file.writeFile(text); // all of it, where one write may take a part
    },
    async finish() {
      await file.sync();
      requireAbsent(path);
      await file.close();
      moveDurably(draft, path);
      isOver = true;
    },
    async discard() {
      if (isOver) return;
      isOver = true;
      await file.close();
      await rm(draft, { force: true });
    },
  };
}

function requireAbsent(path: string): void {
  if (existsSync(path))
    throw new OperationRefused(`${path} is there already, and no backup is overwritten; choose another name`);
}
