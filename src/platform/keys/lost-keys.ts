/** Keys that are missing although something that is needed was sealed with them. */
export interface LostKeysProblem {
  readonly says: string;
  readonly todo: string;
}

/** A longer line would not be read. */
const MAX_NAMED = 20;

const listed = (items: readonly (string | number)[]): string => items.slice(0, MAX_NAMED).join(', ');

/** The words for whose keys they are. */
export interface LostKeysMessages {
  /** Such as "account". */
  readonly owner: string;
  /** Follows "1 account has" or "3 accounts have". */
  readonly says: string;
  readonly todo: string;
}

/**
 * Those who lack their key.
 * @param names how messages name each of them
 * @param damagedLines of the key file, from 1
 */
export function lostKeysProblem(
  names: readonly string[],
  damagedLines: readonly number[],
  { owner, says, todo }: LostKeysMessages,
): LostKeysProblem | undefined {
  if (names.length === 0) return undefined;
  const lines = damagedLines.length === 0 ? '' : `; damaged lines of it: ${listed(damagedLines)}`;
  return { says: `${ownersNamed(names, { owner, says })}${lines}`, todo };
}

/** How many have something, and the names of the first of them: "2 clients have no key: a, b". */
export function ownersNamed(
  names: readonly string[],
  { owner, says }: Pick<LostKeysMessages, 'owner' | 'says'>,
): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const owners = names.length === 1 ? `1 ${owner} has` : `${names.length} ${owner}s have`;
  return `${owners} ${says}: ${listed(names)}${more}`;
}

/** The file of the keys, as far as damage concerns it. */
export interface DamageableKeys {
  damagedLines(): readonly number[];
  dropDamagedLines(): void;
}

/**
 * Removes damaged lines that nobody needs: one of them may contain a key that had to be destroyed.
 * @param file its path, for the notice
 * @param owner such as "account"
 */
export function dropUnneededLines(
  keys: DamageableKeys,
  {
    file,
    owner,
    notice,
  }: {
    readonly file: string;
    readonly owner: string;
    readonly notice: (line: string) => void;
  },
): void {
  const damaged = keys.damagedLines();
  if (damaged.length === 0) return;
  keys.dropDamagedLines();
  const lines = `${file} had damaged lines (${listed(damaged)})`;
  notice(`${lines}; every ${owner} has its key without them, so they were removed`);
}
