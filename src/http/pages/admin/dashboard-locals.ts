import type { Text } from '../../../language/message.ts';
import type { PeriodCounts } from '../../../domain/recent-counts.ts';
import type { Cell } from '../lists/page-list.ts';
import type { PageContext } from '../page-context.ts';
import type { AttentionItem } from './attention.ts';

export interface AdminDashboardLocals extends PageContext {
  readonly attention: readonly AttentionItem[];
  readonly totals: readonly { readonly title: Text; readonly text: Text; readonly href: string | null }[];
  /** The name, state, last login and last test of each login provider; null if there are no providers. */
  readonly providers: { readonly columns: readonly Text[]; readonly rows: readonly (readonly Cell[])[] } | null;
  readonly charts: readonly {
    readonly id: string;
    readonly title: Text;
    /** Selects the labels in the partial that draws the chart. */
    readonly noun: 'tokens' | 'logins' | 'failed-logins' | 'refusals';
    readonly note: Text;
    /** A link to the list of the counted logins or requests; null if no page lists them. */
    readonly link: { readonly href: string; readonly text: Text } | null;
    readonly counts: PeriodCounts;
  }[];
}
