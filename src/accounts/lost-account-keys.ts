import type { UserId } from '../domain/values.ts';
import { createKeyRemoval } from '../platform/keys/key-removal.ts';
import { dropUnneededLines, lostKeysProblem, type LostKeysProblem } from '../platform/keys/lost-keys.ts';
import type { User, Users } from '../projections/users.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';

/** Existing accounts whose personal data cannot be decrypted because a line of the key file is damaged or missing. */
export interface LostAccountKeys {
  /** These accounts are not erased but cannot log in. All other accounts work. */
  accounts(): readonly Pick<User, 'userId' | 'id'>[];
  /** Returns the problem with the keys, or undefined if every account has its key. */
  problem(): LostKeysProblem | undefined;
  /**
   * Destroys the key of an erased account, and removes damaged lines once every account has its key. Resolves to false
   * if the file cannot be written now; the removal is retried.
   */
  erase(userId: UserId): Promise<boolean>;
  /** Makes one last attempt, then stops retrying. */
  close(): Promise<void>;
}

/**
 * Destroys keys of erased accounts that a crash left behind, and reports accounts without a key.
 * @param notice receives a line about accounts without a key or about removed lines
 */
export async function createLostAccountKeys({
  keys,
  users,
  otherKeys,
  notice,
}: {
  readonly keys: Pick<PersonalKeys, 'location' | 'advice' | 'destroy' | 'damagedLines' | 'dropDamagedLines'>;
  readonly users: Pick<Users, 'erased' | 'unreadable'>;
  /** Other keys that a crash may have left behind. */
  readonly otherKeys: readonly UserId[];
  readonly notice: (line: string) => void;
}): Promise<LostAccountKeys> {
  const messages = {
    owner: 'account',
    says: `no key in ${keys.location} that decrypts their personal data, so nobody can log in to them`,
    todo: keys.advice,
  };

  function problem(): LostKeysProblem | undefined {
    const names = users.unreadable().map(({ id, userId }) => `number ${id} (${userId})`);
    return lostKeysProblem(names, keys.damagedLines(), messages);
  }

  /**
   * Removes damaged lines once every account has its key. They can then only be keys of erased accounts or of
   * invitations.
   */
  async function tidy(): Promise<void> {
    if (users.unreadable().length === 0) await dropUnneededLines(keys, { owner: messages.owner, notice });
  }

  const removal = createKeyRemoval<UserId>({ destroy: keys.destroy, tidy, location: keys.location, notice });
  await removal.destroy(...users.erased(), ...otherKeys);
  const initialProblem = problem();
  if (initialProblem !== undefined) notice(`${initialProblem.says}; ${initialProblem.todo}`);
  return {
    accounts: users.unreadable,
    problem,
    erase: (userId) => removal.destroy(userId),
    close: removal.close,
  };
}
