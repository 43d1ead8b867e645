import { timingSafeEqual } from 'node:crypto';
import type { Entropy } from '../platform/ports.ts';
import type { Users } from '../projections/users.ts';

/**
 * The one-time link for creating the first administrator. Its token exists only in this process, so each start without
 * an administrator generates a new one.
 */
export interface Setup {
  /** The token of the link; undefined once there is an administrator. */
  token(): string | undefined;
  /** Whether `presented` is the token and no other request is using it now. */
  matches(presented: string): boolean;
  /**
   * Runs `create` as the only use of the token. If no administrator is created, the token stays valid.
   * @param create must call `isOpen` right before it creates the account, because an operator may have created an
   * administrator in the meantime
   */
  use<T>(create: (isOpen: () => boolean) => Promise<T>): Promise<T>;
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
    async use(create) {
      inUse = true;
      try {
        return await create(() => !users.hasAdministrator());
      } finally {
        inUse = false;
      }
    },
  };
}
