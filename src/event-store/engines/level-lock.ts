import { Level } from 'level';

/** Another process has the event log open. LevelDB allows only one process at a time. */
export class LogLocked extends Error {
  override readonly name = 'LogLocked';
  constructor(location: string) {
    super(`the event log in ${location} is locked: another process has it open`);
  }
}

/**
 * Checks that no other process has the database open. With `errorIfExists`, LevelDB takes its lock and then fails
 * without changing any file except its LOG.
 * @param location an existing database
 * @throws LogLocked if another process has it open
 */
export async function assertUnlocked(location: string): Promise<void> {
  const db = new Level(location, { errorIfExists: true });
  try {
    await db.open();
    await db.close();
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
    if (code === 'LEVEL_LOCKED') throw new LogLocked(location);
  }
}
