import { seededEntropy } from './seeded-entropy.ts';

/** Makes choices derived from a seed. */
export interface Choice {
  /** Chooses a whole number from 0 to `limit - 1`. */
  below(limit: number): number;
  /** Chooses an item of the list; returns undefined if the list is empty. */
  of<T>(list: readonly T[]): T | undefined;
}

export function seededChoice(seed: string | number): Choice {
  const entropy = seededEntropy(seed);
  const below = (limit: number): number => entropy.bytes(4).readUInt32BE() % limit;
  return { below, of: (list) => (list.length === 0 ? undefined : list[below(list.length)]) };
}
