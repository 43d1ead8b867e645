import type { Text } from '../language/message.ts';

/** The value of an item in a column, for sorting and for exports. Null means no value, and sorts below all others. */
export type Value = string | number | null;

export type Direction = 'ascending' | 'descending';

export interface Column<Item> {
  /** Appears in URLs, and in the first line of exported files. */
  readonly name: string;
  /** Times are in seconds since the epoch. */
  readonly kind: 'text' | 'number' | 'time';
  readonly value: (item: Item) => Value;
  /** False if the list cannot be sorted by this column. */
  readonly isSortable?: false;
}

export interface Choice<Item> {
  readonly value: string;
  readonly title: Text;
  readonly matches: (item: Item) => boolean;
}

/** Narrows a list to the items that match the selected choice. Has no effect if none or an unknown one is selected. */
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

/** Declares how a list is searched, filtered, sorted and exported. */
export interface ListRules<Item> {
  /** Identifies an item, and breaks ties between items with equal values in the sorted column. */
  readonly id: (item: Item) => string | number;
  /** The strings of an item that are searched. */
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
  /** The value of the selected choice of each filter, keyed by the filter's name. */
  readonly filterValues: Readonly<Record<string, string>>;
  readonly sort: Sort;
}

/**
 * Returns the direction in which a column is sorted at first: strings from A to Z, times from the latest, and numbers
 * from the highest.
 */
export function firstDirection({ kind }: Column<never>): Direction {
  return kind === 'text' ? 'ascending' : 'descending';
}
