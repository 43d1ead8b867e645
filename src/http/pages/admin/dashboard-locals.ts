import type { PeriodCounts } from '../../../domain/recent-counts.ts';
import type { PageContext } from '../page-context.ts';
import type { AttentionItem } from './attention.ts';

export interface AdminDashboardLocals extends PageContext {
  readonly attention: readonly AttentionItem[];
  readonly totals: readonly { readonly title: string; readonly text: string; readonly href: string }[];
  readonly charts: readonly {
    readonly id: string;
    readonly title: string;
    /** Of the partial that draws the chart. */
    readonly noun: 'tokens' | 'logins' | 'failed-logins' | 'refusals';
    readonly note: string;
    readonly counts: PeriodCounts;
  }[];
}
