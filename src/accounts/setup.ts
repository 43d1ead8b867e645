import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { mayAdminister } from '../domain/roles.ts';
import type { Entropy } from '../platform/ports.ts';
import type { User, Users } from '../projections/users.ts';

/**
 * The one-time link for creating the first administrator. A single server generates a new token at each startup. Nodes
 * that share a log derive the same token from a key, so a link from any node works on all of them until there is an
 * administrator. After that, it never works again, because one administrator always remains.
 */
export interface Setup {
  /** Returns the token of the link, or undefined once there is an administrator, or while a request is using it. */
  token(): string | undefined;
  /** Reports whether `presentedToken` is the token that `token` currently returns. */
  matches(presentedToken: string): boolean;
  /**
   * Runs `create` as the only use of the token on this node. If no administrator is created, the token stays valid.
   * @param create must call `isOpen` right before it creates the account, because an operator may have created an
   * administrator in the meantime
   */
  use<T>(create: (isOpen: () => boolean) => Promise<T>): Promise<T>;
  /** Reports whether no administrator was recorded before this one. Two nodes may create one at the same time. */
  isFirstAdministrator(administrator: User): boolean;
}

const TOKEN_BYTES = 24;

/** @param sharedKey the key that nodes with a shared log have in common; undefined for a single server */
export function createSetup(
  users: Pick<Users, 'all' | 'hasAdministrator'>,
  entropy: Entropy,
  sharedKey: KeyObject | undefined,
): Setup {
  const secret = sharedKey?.export().subarray(0, TOKEN_BYTES) ?? entropy.bytes(TOKEN_BYTES);
  const token = secret.toString('base64url');
  let isInUse = false;
  const isOpen = (): boolean => !isInUse && !users.hasAdministrator();

  return {
    token: () => (isOpen() ? token : undefined),
    matches(presentedToken) {
      const [left, right] = [Buffer.from(presentedToken), Buffer.from(token)];
      return isOpen() && left.length === right.length && timingSafeEqual(left, right);
    },
    async use(create) {
      isInUse = true;
      try {
        return await create(() => !users.hasAdministrator());
      } finally {
        isInUse = false;
      }
    },
    isFirstAdministrator: ({ registeredPosition }) =>
      !users.all().some((user) => mayAdminister(user.roles) && user.registeredPosition < registeredPosition),
  };
}
