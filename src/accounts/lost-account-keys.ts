import type { UserId } from '../domain/values.ts';
import { createKeyRemoval } from '../platform/keys/key-removal.ts';
import { dropUnneededLines, lostKeysProblem, type LostKeysProblem } from '../platform/keys/lost-keys.ts';
import type { User, Users } from '../projections/users.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';

/** Accounts that exist, and whose personal data no key opens: a line of the key file is damaged or gone. */
export interface LostAccountKeys {
  /** Registered and not erased. They cannot log in; everything else goes on without them. */
  accounts(): readonly Pick<User, 'userId' | 'id'>[];
  /** Undefined where every account has its key. */
  problem(): LostKeysProblem | undefined;
  /**
   * Destroys the key of an account that was erased, and damaged lines with it once no account lacks its key.
   * @returns false if the file cannot be written now; this is retried
   */
  erase(userId: UserId): boolean;
  /** Ends the retries, with a last one. */
  close(): void;
}

/**
 * Destroys the keys of erased accounts that a crash left, and reports accounts without a key.
 * @param file the path of the key file, for messages
 * @param notice takes a line about accounts without a key, and about lines that were removed
 */
export function createLostAccountKeys({
  keys,
  users,
  file,
  notice,
}: {
  readonly keys: Pick<PersonalKeys, 'destroy' | 'damagedLines' | 'dropDamagedLines'>;
  readonly users: Pick<Users, 'erased' | 'unreadable'>;
  readonly file: string;
  readonly notice: (line: string) => void;
}): LostAccountKeys {
  const words = {
    owner: 'account',
    says: `no key in ${file} that opens their personal data, and nobody can log in to them`,
    todo:
      'stop the server, restore a backup into another directory (grantlog restore FILE DIR), and put the lines ' +
      'with these ids from DIR/keys/users.keys in the place of the damaged ones',
  };

  function problem(): LostKeysProblem | undefined {
    const names = users.unreadable().map(({ id, userId }) => `number ${id} (${userId})`);
    return lostKeysProblem(names, keys.damagedLines(), words);
  }

  /** Damaged lines that no account needs can only be those of erased accounts. */
  function tidy(): void {
    if (users.unreadable().length === 0) dropUnneededLines(keys, { file, owner: words.owner, notice });
  }

  const removal = createKeyRemoval<UserId>({ destroy: keys.destroy, tidy, file, notice });
  removal.destroy(...users.erased());
  const found = problem();
  if (found !== undefined) notice(`${found.says}; ${found.todo}`);
  return {
    accounts: users.unreadable,
    problem,
    erase: (userId) => removal.destroy(userId),
    close: removal.close,
  };
}
