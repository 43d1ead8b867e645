/** A problem with missing keys, for messages. */
export interface LostKeysProblem {
  readonly says: string;
  readonly todo: string;
}

/** The maximum number of items in a message, which keeps it readable. */
const MAX_LISTED_ITEMS = 20;

const listFirst = (items: readonly (string | number)[]): string => items.slice(0, MAX_LISTED_ITEMS).join(', ');

/** The wording for one kind of key owner. */
export interface LostKeysMessages {
  /** The kind of object that has the keys, such as "account". */
  readonly owner: string;
  /** Follows "1 account has" or "3 accounts have". */
  readonly says: string;
  readonly todo: string;
}

/**
 * Describes the key owners without a key. Returns undefined if every owner has one.
 * @param names the names of the owners, for messages
 * @param damagedLines the numbers of the damaged lines in the key file, starting at 1
 */
export function lostKeysProblem(
  names: readonly string[],
  damagedLines: readonly number[],
  { owner, says, todo }: LostKeysMessages,
): LostKeysProblem | undefined {
  if (names.length === 0) return undefined;
  const lines = damagedLines.length === 0 ? '' : `; damaged lines in the key file: ${listFirst(damagedLines)}`;
  return { says: `${formatOwners(names, { owner, says })}${lines}`, todo };
}

/** Formats the number of owners, and the names of the first ones: "2 clients have no key: a, b". */
export function formatOwners(
  names: readonly string[],
  { owner, says }: Pick<LostKeysMessages, 'owner' | 'says'>,
): string {
  const omission = names.length > MAX_LISTED_ITEMS ? ` and ${names.length - MAX_LISTED_ITEMS} more` : '';
  const owners = names.length === 1 ? `1 ${owner} has` : `${names.length} ${owner}s have`;
  return `${owners} ${says}: ${listFirst(names)}${omission}`;
}

/** The part of a keyring that deals with damage. */
export interface DamageableKeys {
  readonly location: string;
  damagedLines(): readonly number[];
  dropDamagedLines(): Promise<void>;
}

/**
 * Removes the damaged lines from a key file. Call this only if every key owner has a key: one of the lines may contain
 * a key that must be destroyed.
 * @param owner what the keys belong to, such as "account"
 */
export async function dropUnneededLines(
  keys: DamageableKeys,
  {
    owner,
    notice,
  }: {
    readonly owner: string;
    readonly notice: (line: string) => void;
  },
): Promise<void> {
  const lineNumbers = keys.damagedLines();
  if (lineNumbers.length === 0) return;
  await keys.dropDamagedLines();
  const lines = `${keys.location} had damaged lines (${listFirst(lineNumbers)})`;
  notice(`${lines}, which were removed: every ${owner} has its key`);
}
