import { timingSafeEqual } from 'node:crypto';
import type { Entropy } from '../platform/ports.ts';
import type { Users } from '../projections/users.ts';

/**
 * The first start's one-time link, by which the first administrator is made. Its token lives in this
 * process alone; each start without an administrator makes another.
 */
export interface Setup {
  /** The link's token while there is no administrator; undefined from then on. */
  token(): string | undefined;
  /** Whether `presented` is the token, and no one else is using it at this moment. */
  matches(presented: string): boolean;
  /**
   * Runs `make` as the only use of the token; the token is good again if it comes to nothing.
   * @param make is given what to ask right before the account is made: an operator may have made an administrator
   */
  use<T>(make: (isOpen: () => boolean) => Promise<T>): Promise<T>;
}

const TOKEN_BYTES = 24;

export function createSetup(users: Pick<Users, 'hasAdministrator'>, entropy: Entropy): Setup {
  const token = entropy.bytes(TOKEN_BYTES).toString('base64url');
  let inUse = false;
  const isOpen = (): boolean => !inUse && !users.hasAdministrator();

  return {
    token: () => (isOpen() ? token : undefined),
    matches(presented) {
      const [left, right] = [Buffer.from(presented), Buffer.from(token)];
      return isOpen() && left.length === right.length && timingSafeEqual(left, right);
    },
    async use(make) {
      inUse = true;
      try {
        return await make(() => !users.hasAdministrator());
      } finally {
        inUse = false;
      }
    },
  };
}
