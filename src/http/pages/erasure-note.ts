/** The settings that decide where a copy of a destroyed key can remain. */
export interface ErasureSettings {
  readonly keys: string | null;
  readonly keysBackupDays: number | null;
}

/**
 * The remains of the key of an erased account, for the pages that erase one. Undefined unless keys are in a database,
 * which copies them into files that this server cannot change.
 * @param whose such as "your"
 */
export function erasureNote({ keys, keysBackupDays }: ErasureSettings, whose: string): string | undefined {
  if (keys !== 'database') return undefined;
  const until =
    keysBackupDays === null
      ? 'until the operator deletes them'
      : `which are deleted after ${keysBackupDays === 1 ? 'one day' : `${keysBackupDays} days`}`;
  return (
    `A copy of ${whose} key remains in earlier backups and write-ahead logs of this server’s database, ${until}. ` +
    'It is encrypted, but the operator could decrypt it.'
  );
}
