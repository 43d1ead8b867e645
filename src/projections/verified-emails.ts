import { foldedEmail } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';

/** The account that was the last one to verify an address, ignoring case. */
export function createVerifiedEmails() {
  const holders = new Map<string, UserId>();
  return {
    find: (address: string): UserId | undefined => holders.get(foldedEmail(address)),
    set: (address: string, userId: UserId): void => void holders.set(foldedEmail(address), userId),
    /** Does nothing if another account has verified the address since. */
    remove(address: string, userId: UserId): void {
      if (holders.get(foldedEmail(address)) === userId) holders.delete(foldedEmail(address));
    },
  };
}
