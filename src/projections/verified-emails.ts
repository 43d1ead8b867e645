import { foldedEmail } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';

/** Creates an index from addresses, ignoring case, to the account that verified the address last. */
export function createVerifiedEmails() {
  const holders = new Map<string, UserId>();
  return {
    find: (address: string): UserId | undefined => holders.get(foldedEmail(address)),
    set: (address: string, userId: UserId): void => void holders.set(foldedEmail(address), userId),
    /** Removes the address, unless another account has verified it since. */
    remove(address: string, userId: UserId): void {
      if (holders.get(foldedEmail(address)) === userId) holders.delete(foldedEmail(address));
    },
  };
}
