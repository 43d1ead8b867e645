import type { QueryName } from '../../../config/input-limits.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalogue.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Column, Filter, ListRules } from '../../../lists/list.ts';

/** The content of a cell of a table: see `views/partials/cell.ejs`. */
export type Cell =
  | {
      readonly text: Text;
      readonly href?: string;
      /** The icon of a scope, before the text. */
      readonly icon?: string;
      readonly code?: boolean;
      readonly tone?: 'neutral' | 'good' | 'warning' | 'danger';
      /** Whether the text stands for an empty value. */
      readonly none?: boolean;
    }
  | { readonly at: EpochSeconds }
  | {
      /** A button: see `views/partials/post-button.ejs`. */
      readonly form: {
        readonly action: string;
        readonly csrfToken: string;
        readonly hidden: Readonly<Record<string, string>>;
        readonly text: Text;
        readonly label: Text;
        readonly tone: 'plain' | 'danger';
      };
    };

export interface PageColumn<Item> extends Column<Item> {
  readonly title: Text;
  /** The cell of an item; by default, its value. "file" for a column that only files have. */
  readonly cell?: ((item: Item) => Cell) | 'file' | undefined;
}

/** The declaration of a list on a page: its table, its search, its filters, its orders and its file. */
export interface PageList<Item> extends ListRules<Item> {
  /** Such as "Users". */
  readonly name: Text;
  /** The entry for the number of items, `total`, such as "3 users" or "No users". */
  readonly counted: MessageKey;
  /** The end of the name of its file, without a dot. */
  readonly fileName: string;
  readonly searchLabel: Text;
  readonly filters: readonly Filter<Item, QueryName>[];
  readonly columns: readonly PageColumn<Item>[];
  /** Shown instead of a list without any items. */
  readonly empty: {
    readonly icon: string;
    readonly text: Text;
    readonly action: { readonly href: string; readonly text: Text } | null;
  };
  /** Fewer than usual for large items. */
  readonly itemsPerPage?: number;
}

/** The cell of an empty value. */
export const NOTHING: Cell = { text: message('list.none'), none: true };

/** Several texts, with commas or semicolons between them. */
export function joined(texts: readonly Text[], key: 'list.joined' | 'list.joined.details' = 'list.joined'): Text {
  const [first = '', ...others] = texts;
  return others.length === 0 ? first : message(key, { first, others: joined(others, key) });
}

/** A column of texts. Empty ones count as none. */
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

/** @param none stands for no time */
export function timeColumn<Item>(
  name: string,
  title: Text,
  time: (item: Item) => number | null | undefined,
  none: Text = message('list.unknown'),
): PageColumn<Item> {
  const value = (item: Item): EpochSeconds | null => (time(item) ?? null) as EpochSeconds | null;
  return { name, title, kind: 'time', value, cell: (item) => timeCell(value(item), none) };
}

/** A column of buttons or links, which has no order and is in no file. */
export function actionColumn<Item>(title: Text, cell: (item: Item) => Cell): PageColumn<Item> {
  return { name: 'action', title, kind: 'text', value: () => null, sorts: false, cell };
}

/** The cell of a time, or of the word that stands for none. */
function timeCell(at: EpochSeconds | null | undefined, none: Text): Cell {
  return at === null || at === undefined ? { text: none, none: true } : { at };
}
