import type { QueryName } from '../../../config/input-limits.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Column, Filter, ListRules } from '../../../lists/list.ts';

/** The content of a table cell: see `views/partials/cell.ejs`. */
export type Cell =
  | {
      readonly text: Text;
      readonly href?: string;
      /** The whole value, if the link shows only its start. */
      readonly whole?: string;
      /** A short remark after the link. */
      readonly badge?: Text;
      /** The icon of a scope, before the text. */
      readonly icon?: string;
      readonly code?: boolean;
      /** Whether the text stays on one line, like the text of a button. */
      readonly isAction?: boolean;
      /** Whether the text gets enough room for a name of typical length on a large screen. */
      readonly isPhrase?: boolean;
      readonly tone?: 'neutral' | 'good' | 'warning' | 'danger';
      /** Whether the text stands for an empty value. */
      readonly none?: boolean;
    }
  | {
      readonly at: EpochSeconds;
      /** A badge before the time. */
      readonly mark?: { readonly text: Text; readonly tone: 'good' | 'warning' | 'danger' };
    }
  | {
      /** A checkbox of a form around the table. */
      readonly check: { readonly name: string; readonly value: string; readonly label: Text };
    }
  | { readonly form: ButtonCell }
  | { readonly forms: readonly ButtonCell[] };

/** A button: see `views/partials/post-button.ejs`. */
export interface ButtonCell {
  readonly action: string;
  readonly csrfToken: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly text: Text;
  readonly label: Text;
  readonly tone: 'plain' | 'danger';
}

export interface PageColumn<Item> extends Column<Item> {
  readonly title: Text;
  /** Returns an item's cell; by default, the cell shows the value. `file` if only exported files have the column. */
  readonly cell?: ((item: Item) => Cell) | 'file' | undefined;
}

/** The declaration of a list on a page: its table, search, filters, sort orders and exported file. */
export interface PageList<Item> extends ListRules<Item> {
  /** The name of the list, such as "Users". */
  readonly name: Text;
  /** The message that states the number of items, `total`, such as "3 users" or "No users". */
  readonly countMessage: MessageKey;
  /** The last part of the name of the exported file, without the extension. */
  readonly fileName: string;
  readonly searchLabel: Text;
  readonly filters: readonly Filter<Item, QueryName>[];
  readonly columns: readonly PageColumn<Item>[];
  /** The filter choice that applies to a URL without a search term, filter or format. */
  readonly initialFilter?: { readonly filter: QueryName; readonly value: string };
  /** Shown instead of the table if the list has no items. */
  readonly empty: {
    readonly icon: string;
    readonly text: Text;
    readonly action: { readonly href: string; readonly text: Text } | null;
  };
  /** The number of items on a page; by default, `ITEMS_PER_PAGE`. */
  readonly itemsPerPage?: number;
}

/** The cell for an empty value. */
export const EMPTY_CELL: Cell = { text: message('list.none'), none: true };

/** Joins the texts with commas or, if `key` is `list.joined.details`, with semicolons. */
export function joinItems(texts: readonly Text[], key: 'list.joined' | 'list.joined.details' = 'list.joined'): Text {
  const [first = '', ...otherTexts] = texts;
  return otherTexts.length === 0 ? first : message(key, { first, others: joinItems(otherTexts, key) });
}

/** Returns a text column. An empty text is treated as no value. */
export function textColumn<Item>(
  name: string,
  title: Text,
  text: (item: Item) => string,
  cell?: PageColumn<Item>['cell'],
): PageColumn<Item> {
  return { name, title, kind: 'text', value: (item) => text(item) || null, cell };
}

export function numberColumn<Item>(
  name: string,
  title: Text,
  value: (item: Item) => number,
  cell?: PageColumn<Item>['cell'],
): PageColumn<Item> {
  return { name, title, kind: 'number', value, cell };
}

/**
 * Returns a time column.
 * @param none the text for an item without a time
 */
export function timeColumn<Item>(
  name: string,
  title: Text,
  time: (item: Item) => number | null | undefined,
  none: Text = message('list.unknown'),
): PageColumn<Item> {
  const value = (item: Item): EpochSeconds | null => (time(item) ?? null) as EpochSeconds | null;
  return { name, title, kind: 'time', value, cell: (item) => timeCell(value(item), none) };
}

/**
 * Returns a column that appears only in the table, such as a column of buttons. The list cannot be sorted by it, and
 * exported files do not contain it.
 */
export function actionColumn<Item>(title: Text, cell: (item: Item) => Cell): PageColumn<Item> {
  return { name: 'action', title, kind: 'text', value: () => null, isSortable: false, cell };
}

/** Returns the cell for a time, or for an item without a time. */
function timeCell(at: EpochSeconds | null | undefined, none: Text): Cell {
  return at === null || at === undefined ? { text: none, none: true } : { at };
}
