/** A previous cookie key that is still accepted. */
export interface PreviousCookieKey {
  /** 64 hexadecimal digits. */
  readonly text: string;
  /** Seconds since the epoch; undefined if unknown, because the key was replaced by an earlier release or by hand. */
  readonly replacedAt: number | undefined;
}

type NamedKey = readonly [name: string, text: string];

/** The name of the newest previous key, and the only one that earlier releases recognize. */
const NEWEST_NAME = 'cookies.previous';

/** Matches a name that contains the time when the key was replaced, or 0 if that time is unknown. */
const DATED_NAME = /^cookies\.previous\.(\d{1,15})$/;

/** Limited because a cookie may be checked against every accepted key. */
const MAX_PREVIOUS_KEYS = 32;

export const isPreviousKeyName = (name: string): boolean => name === NEWEST_NAME || DATED_NAME.test(name);

/**
 * Returns the previous keys, newest first. Returns an empty list if `NEWEST_NAME` is missing, because earlier releases
 * drop the previous keys by deleting only that entry.
 */
export function listPreviousKeys(entries: readonly NamedKey[]): readonly PreviousCookieKey[] {
  const newestText = entries.find(([name]) => name === NEWEST_NAME)?.[1];
  if (newestText === undefined) return [];
  const datedKeys = entries
    .flatMap(([name, text]) => (DATED_NAME.test(name) ? [{ text, seconds: replacementTime(name) }] : []))
    .toSorted((a, b) => b.seconds - a.seconds);
  const texts = new Set([newestText, ...datedKeys.map(({ text }) => text)]);
  return [...texts].map((text) => {
    const seconds = datedKeys.find((key) => key.text === text)?.seconds ?? 0;
    return { text, replacedAt: seconds === 0 ? undefined : seconds };
  });
}

/**
 * Returns the entries to store before `current` is replaced. Their order ensures that no key is lost if only the first
 * few are stored.
 * @throws Error if the maximum number of previous keys is already accepted
 */
export function entriesToKeep(entries: readonly NamedKey[], current: string, now: number): readonly NamedKey[] {
  const previous = listPreviousKeys(entries);
  if (previous.filter(({ text }) => text !== current).length >= MAX_PREVIOUS_KEYS)
    throw new Error(
      `${MAX_PREVIOUS_KEYS} previous cookie keys are accepted, which is the maximum; the key was not replaced. ` +
        'Drop the previous keys with "grantlog keys drop-previous"',
    );
  const names = new Set(entries.map(([name]) => name));
  const [newestKey] = previous;
  const undatedKeys =
    newestKey === undefined || newestKey.replacedAt !== undefined || newestKey.text === current ? [] : [newestKey];
  const earlierEntries = undatedKeys.map(({ text }): NamedKey => [unusedName(names, 0), text]);
  return [...earlierEntries, [unusedName(names, now), current], [NEWEST_NAME, current]];
}

/**
 * Returns the names of all previous keys in the order in which they must be deleted. `NEWEST_NAME` is first: without
 * it, no previous key is accepted, even if the deletion is interrupted.
 */
export function previousNames(names: readonly string[]): readonly string[] {
  return names.filter(isPreviousKeyName).toSorted((a, b) => a.length - b.length);
}

/** Returns the names that an interrupted deletion left behind. */
export function staleNames(names: readonly string[]): readonly string[] {
  return names.includes(NEWEST_NAME) ? [] : previousNames(names);
}

const replacementTime = (name: string): number => Number(DATED_NAME.exec(name)?.[1] ?? 0);

function unusedName(names: ReadonlySet<string>, seconds: number): string {
  const name = `${NEWEST_NAME}.${seconds}`;
  return names.has(name) ? unusedName(names, seconds + 1) : name;
}
