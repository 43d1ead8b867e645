import { message, type Message } from '../../language/message.ts';

/** The settings that determine whether copies of a destroyed key may remain, and for how long. */
export interface ErasureSettings {
  readonly keys: string | null;
  readonly keysBackupDays: number | null;
}

/**
 * Returns a note about remaining copies of an erased account's key, for the pages that erase accounts. Returns
 * undefined unless keys are stored in a database, because a database copies keys into files that this server cannot
 * change.
 * @param whose whether the account is the reader's or another user's
 */
export function erasureNote({ keys, keysBackupDays }: ErasureSettings, whose: 'yours' | 'theirs'): Message | undefined {
  if (keys !== 'database') return undefined;
  if (keysBackupDays === null) return message('erase.key-note', { whose });
  return message('erase.key-note-days', { whose, days: keysBackupDays });
}
