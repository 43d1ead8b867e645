import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from '../../../event-store/event-log.ts';
import { csvRow } from '../../../audit/queries/csv.ts';
import {
  createAuthorizationsAtPosition,
  type AuthorizationAtPosition,
} from '../../../audit/queries/authorizations-at-position.ts';
import {
  ERASED_USER,
  reportAccess,
  type AccessEntry,
  type AccessFilter,
  type PastProjections,
} from '../../../audit/queries/access-report.ts';
import { rolesText } from '../../../audit/queries/roles-text.ts';
import { ROLES } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { FieldErrors } from '../page-context.ts';
import { resolveNames } from './past-names.ts';
import { readMomentQuery, type PastMoment } from './moment-query.ts';
import type { Moment } from '../times.ts';
import { toMoment } from './moments.ts';
import type { Query } from '../../pipeline/query.ts';

/** Rebuilds the projections as of a moment. Resolves with the projections and the last event that they include. */
export type ProjectionsAsOf = (
  moment: PastMoment,
) => Promise<{ readonly projections: PastProjections; readonly last: RecordedEvent | undefined }>;

/** A query about the access that existed at a point in time. */
export interface AsOfQuery {
  /** The entered values, even if invalid. */
  readonly entered: {
    readonly time: string;
    readonly position: string;
    readonly user: string;
    readonly client: string;
    readonly scope: string;
  };
  readonly errors: FieldErrors;
  /** The point in time. Undefined if the time or position is invalid, or if all fields are empty. */
  readonly moment: PastMoment | undefined;
  /** Whether the query has filters but neither a time nor a position, and therefore concerns the present. */
  readonly isNow: boolean;
  readonly filter: AccessFilter;
}

/** The kinds of access that are listed one by one. Grants are grouped by user and application instead. */
const KINDS = ['account', 'membership', 'application', 'token'] as const;

/** A row of the report and the additional values that the page shows. */
type RowLocals<Row> = Row & {
  readonly expires: Moment | null;
  /** The user name, or a placeholder for an erased user; null if the row has no user. */
  readonly shownUser: Text | null;
  /** The scope, or the roles of an account. */
  readonly extent: Text;
  readonly links: PartyLinks;
};

/**
 * The URLs of the pages about the parties in a row. A URL is null if the row has no such party, or if the reader has no
 * page about the party.
 */
export interface PartyLinks {
  readonly user: string | null;
  readonly application: string | null;
  readonly group: string | null;
}

export type CreatePartyLinks = (
  row: Pick<AccessEntry, 'user' | 'user_id' | 'client'> & { group?: string | null },
) => PartyLinks;

/** The access of one kind. */
export interface AccessOfKind {
  readonly kind: (typeof KINDS)[number];
  /** The first rows. */
  readonly rows: readonly RowLocals<AccessEntry>[];
  /** The total number of rows. */
  readonly count: number;
}

/** The authorizations that users had given to applications. */
export interface ApplicationAccess {
  /** The first rows. */
  readonly rows: readonly RowLocals<AuthorizationAtPosition>[];
  /** The total number of rows. */
  readonly count: number;
}

export interface AsOfResult {
  /** The last event at or before the point in time; null if the log was empty then. */
  readonly last: { readonly position: number; readonly at: Moment } | null;
  readonly access: readonly AccessOfKind[];
  readonly authorizations: ApplicationAccess;
}

const MAX_ROWS_PER_KIND = 100;
const MAX_GRANTS_PER_ROW = 10;
const ENTRIES_PER_TURN = 1_000;

/**
 * Reads the query from a URL.
 * @param head the position of the newest event; a later position is invalid
 * @param now the time of the query if only filters are entered; the query then includes the whole second
 */
export function readAsOfQuery(query: Query, head: number, now: EpochSeconds): AsOfQuery {
  const { entered, errors, moment } = readMomentQuery(query, head);
  const filter = { user: query.text('user'), client: query.text('client'), scope: query.text('scope') };
  const isFiltered = Object.values(filter).some((text) => text !== undefined);
  const isNow = isFiltered && moment === undefined && Object.keys(errors).length === 0;
  return {
    entered: {
      ...entered,
      user: query.text('user') ?? '',
      client: query.text('client') ?? '',
      scope: query.text('scope') ?? '',
    },
    errors,
    moment: isNow ? { position: Infinity, time: now * 1000 + 999 } : moment,
    isNow,
    filter,
  };
}

/**
 * Counts the access that matches the filter, and collects the first rows of each kind. Regularly lets other requests
 * run.
 * @returns the access, or the errors if a name in the filter is unknown or ambiguous
 */
export async function accessAsOf(
  { moment, filter }: Pick<AsOfQuery, 'filter'> & { readonly moment: PastMoment },
  projectionsAsOf: ProjectionsAsOf,
  createLinks: CreatePartyLinks,
): Promise<AsOfResult | { readonly errors: FieldErrors }> {
  const { access, last, errors } = await replayAccess(moment, filter, projectionsAsOf);
  if (Object.keys(errors).length > 0) return { errors };
  const accessByKind = KINDS.filter((kind) => mayMatch(kind, filter)).map((kind) => ({
    kind,
    rows: [] as AccessOfKind['rows'][number][],
    count: 0,
  }));
  const authorizations = createAuthorizationsAtPosition(MAX_GRANTS_PER_ROW);
  let entryCount = 0;
  for (const entry of access) {
    entryCount += 1;
    if (entryCount % ENTRIES_PER_TURN === 0) await nextTurn();
    authorizations.add(entry);
    const result = accessByKind.find(({ kind }) => kind === entry.kind);
    if (result === undefined) continue;
    result.count += 1;
    if (result.rows.length < MAX_ROWS_PER_KIND)
      result.rows.push(entry.kind === 'account' ? accountLocals(entry, createLinks) : rowLocals(entry, createLinks));
  }
  const authorizationRows = authorizations.all();
  return {
    last: last === undefined ? null : { position: last.position, at: toMoment(last.recordedAt) },
    access: accessByKind,
    authorizations: {
      rows: authorizationRows.slice(0, MAX_ROWS_PER_KIND).map((row) => rowLocals(row, createLinks)),
      count: authorizationRows.length,
    },
  };
}

/**
 * Reports whether the filter can match access of the kind. The page omits the other kinds, because "None" would suggest
 * that nobody had access of that kind.
 */
function mayMatch(kind: (typeof KINDS)[number], { client, scope }: AccessFilter): boolean {
  if (client !== undefined && (kind === 'account' || kind === 'membership')) return false;
  return scope === undefined || kind === 'account' || kind === 'token';
}

function rowLocals<Row extends Pick<AccessEntry, 'expires_at' | 'user' | 'user_id' | 'client' | 'scope'>>(
  row: Row,
  createLinks: CreatePartyLinks,
): RowLocals<Row> {
  return {
    ...row,
    expires: row.expires_at === null ? null : toMoment(row.expires_at * 1000),
    shownUser: row.user === ERASED_USER ? message('party.erased-user') : row.user,
    extent: row.scope,
    links: createLinks(row),
  };
}

/** Returns the locals of an account. The `scope` of an account lists the roles of the user. */
function accountLocals(account: AccessEntry, createLinks: CreatePartyLinks): RowLocals<AccessEntry> {
  const roles = ROLES.filter((role) => account.scope.split(' ').includes(role));
  return { ...rowLocals(account, createLinks), extent: roles.length === 0 ? '' : rolesText(roles) };
}

/**
 * Replays the log up to the moment, and selects the access that matches the filter. `errors` reports unknown and
 * ambiguous names in the filter.
 */
export async function replayAccess(
  moment: PastMoment,
  filter: AccessFilter,
  projectionsAsOf: ProjectionsAsOf,
): Promise<{
  readonly access: Iterable<AccessEntry>;
  readonly last: RecordedEvent | undefined;
  readonly errors: FieldErrors;
}> {
  const { projections, last } = await projectionsAsOf(moment);
  const { filter: resolvedFilter, errors } = resolveNames(projections, filter);
  const now = Math.floor((Number.isFinite(moment.time) ? moment.time : (last?.recordedAt ?? 0)) / 1000);
  return { access: reportAccess(projections, now, resolvedFilter), last, errors };
}

const COLUMNS = [
  'kind',
  'position',
  'user',
  'client',
  'application',
  'scope',
  'resource',
  'expires_at',
  'login',
  'authenticated_at',
  'group',
] as const;

export function* accessAsCsv(access: Iterable<AccessEntry>): Generator<string, void, void> {
  yield csvRow(COLUMNS);
  for (const entry of access) yield csvRow(COLUMNS.map((column) => entry[column] ?? ''));
}

export function* accessAsJsonLines(access: Iterable<AccessEntry>): Generator<string, void, void> {
  for (const entry of access) yield `${JSON.stringify(entry)}\n`;
}
