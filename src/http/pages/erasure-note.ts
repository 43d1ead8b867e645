import { message, type Message } from '../../language/message.ts';

/** The settings that decide where a copy of a destroyed key can remain. */
export interface ErasureSettings {
  readonly keys: string | null;
  readonly keysBackupDays: number | null;
}

/**
 * The remains of the key of an erased account, for the pages that erase one. Undefined unless keys are in a database,
 * which copies them into files that this server cannot change.
 * @param whose the account of the reader, or that of another user
 */
export function erasureNote({ keys, keysBackupDays }: ErasureSettings, whose: 'yours' | 'theirs'): Message | undefined {
  if (keys !== 'database') return undefined;
  if (keysBackupDays === null) return message('erase.key-note', { whose });
  return message('erase.key-note-days', { whose, days: keysBackupDays });
}
