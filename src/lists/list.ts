import type { Text } from '../language/message.ts';

/** The value of an item in a column, for sorting and for exports. Null means no value, and sorts below all values. */
export type Value = string | number | null;

export type Direction = 'ascending' | 'descending';

export interface Column<Item> {
  /** Appears in URLs, and in the first line of exported files. */
  readonly name: string;
  /** Times are in seconds since the epoch. */
  readonly kind: 'text' | 'number' | 'time';
  readonly value: (item: Item) => Value;
  /** False if the list cannot be sorted by this column. */
  readonly sorts?: false;
}

export interface Choice<Item> {
  readonly value: string;
  readonly title: Text;
  readonly matches: (item: Item) => boolean;
}

/** Narrows a list to one of several choices. Without a choice, or with an unknown one, it has no effect. */
export interface Filter<Item, Name extends string = string> {
  readonly name: Name;
  readonly title: Text;
  readonly choices: readonly Choice<Item>[];
}

export interface Sort {
  /** The name of a column. */
  readonly by: string;
  readonly direction: Direction;
}

/** The declaration of a list. */
export interface ListRules<Item> {
  /** Identifies an item, and orders items that are equal in the sorted column. */
  readonly id: (item: Item) => string | number;
  /** The strings of an item that a search looks in. */
  readonly texts: (item: Item) => readonly string[];
  readonly filters: readonly Filter<Item>[];
  readonly columns: readonly Column<Item>[];
  /** The default order. */
  readonly sort: Sort;
}

/** The user's choices. */
export interface Selection {
  /** The search term; empty to match every item. */
  readonly query: string;
  /** The choice for each filter, by the filter's name. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly sort: Sort;
}

/**
 * Returns the direction that a column is sorted in first: strings from A to Z, the latest times and highest numbers
 * first.
 */
export function firstDirection({ kind }: Column<never>): Direction {
  return kind === 'text' ? 'ascending' : 'descending';
}
