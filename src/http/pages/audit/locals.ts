import type { Text } from '../../../language/message.ts';
import type { PageContext, FieldErrors } from '../page-context.ts';
import type { AsOfResult, AsOfQuery } from './as-of.ts';
import type { EventDetail } from './event-detail.ts';
import type { MomentQuery } from './moment-query.ts';
import type { TreeLocals } from './exchange-tree.ts';
import type { EnteredFilters } from './filters.ts';
import type { BlastRadiusLocals } from './radius-locals.ts';
import type { TimelinePage } from './timeline.ts';

/** The form that filters events. */
export interface FilterForm {
  readonly entered: EnteredFilters;
  readonly errors: FieldErrors;
  readonly types: readonly { readonly value: string; readonly title: Text }[];
  readonly names: SuggestedNames;
}

/** Existing names, suggested while the user types. */
export interface SuggestedNames {
  readonly users: readonly string[];
  readonly applications: readonly string[];
}

export interface AuditTimelineLocals extends PageContext {
  readonly filters: FilterForm;
  /** Null if a filter is invalid. */
  readonly page:
    | (Omit<TimelinePage, 'older' | 'newer'> & {
        /** The URL of the next older page; null on the last page. */
        readonly older: string | null;
        /** The URL of the next newer page; null on the first page. */
        readonly newer: string | null;
        readonly newest: string;
      })
    | null;
  readonly isFiltered: boolean;
  /** Null if a filter is invalid. */
  readonly exports: Exports | null;
}

/** The URLs of downloads that contain all results of the page's query. */
export interface Exports {
  readonly jsonLines: string;
  readonly csv: string;
}

export interface AuditEventLocals extends PageContext {
  readonly event: EventDetail;
}

export interface AuditGrantLocals extends PageContext {
  readonly grantId: string;
  readonly query: Pick<MomentQuery, 'entered' | 'errors'>;
  /** Null if the grant did not exist at that moment. */
  readonly tree: TreeLocals | null;
}

export interface AuditAsOfLocals extends PageContext {
  readonly query: Pick<AsOfQuery, 'entered' | 'errors' | 'isNow'>;
  /** Null until a valid time, position or filter is entered. */
  readonly result: AsOfResult | null;
  readonly names: SuggestedNames;
  readonly exports: Exports | null;
}

export interface AuditLogLocals extends PageContext {
  readonly filters: FilterForm;
  readonly checkpoint: { readonly note: string; readonly size: string; readonly rootHash: string };
  readonly checkpointCount: number;
  readonly verifierKey: string;
  readonly head: number;
}

/** The auditors' pages. */
export interface AuditPages {
  auditTimeline(locals: AuditTimelineLocals): string;
  auditEvent(locals: AuditEventLocals): string;
  auditGrant(locals: AuditGrantLocals): string;
  auditAsOf(locals: AuditAsOfLocals): string;
  auditBlastRadius(locals: BlastRadiusLocals): string;
  auditLog(locals: AuditLogLocals): string;
}
