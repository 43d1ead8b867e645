import { setImmediate as turn } from 'node:timers/promises';
import type { RecordedEvent } from '../../../event-store/event-log.ts';
import { csvRow } from '../../../audit/queries/csv.ts';
import { createHeldAuthorizations, type HeldAuthorization } from '../../../audit/queries/held-authorizations.ts';
import { heldAccess, type Held, type HeldBy, type PastProjections } from '../../../audit/queries/held.ts';
import type { FieldErrors } from '../render.ts';
import { NO_TIME } from './filters.ts';
import { momentOf, readMoment, type Moment } from './moments.ts';
import type { Query } from '../../pipeline/query.ts';
import { positionIn } from './query.ts';

export type ProjectionsAsOf = (moment: {
  readonly position: number;
  readonly time: number;
}) => Promise<{ readonly projections: PastProjections; readonly last: RecordedEvent | undefined }>;

/** What somebody wants to know of a day. */
export interface Question {
  /** As entered, right or wrong. */
  readonly entered: {
    readonly time: string;
    readonly position: string;
    readonly user: string;
    readonly client: string;
    readonly scope: string;
  };
  readonly errors: FieldErrors;
  /** When; undefined when that is not said, or not well. */
  readonly moment: { readonly position: number; readonly time: number } | undefined;
  readonly by: HeldBy;
}

/** Grants are shown by application. */
const KINDS = ['account', 'application', 'token'] as const;

/** Things of one kind that held. */
export interface HeldOfKind {
  readonly kind: (typeof KINDS)[number];
  /** The first of them. */
  readonly rows: readonly (Held & { readonly expires: Moment | null })[];
  readonly count: number;
}

/** What applications held of users. */
export interface HeldByApplications {
  /** The first of them. */
  readonly rows: readonly (HeldAuthorization & { readonly expires: Moment | null })[];
  readonly count: number;
}

export interface AsOfAnswer {
  /** The last event that had happened; null when none had. */
  readonly last: { readonly position: number; readonly at: Moment } | null;
  readonly held: readonly HeldOfKind[];
  readonly authorizations: HeldByApplications;
}

const ROWS_OF_KIND = 100;
const GRANTS_OF_ROW = 10;
const AT_A_TIME = 1_000;

/** @param head the position of the newest event: nothing is known of what comes after it */
export function readQuestion(query: Query, head: number): Question {
  const entered = {
    time: query.text('time') ?? '',
    position: query.text('position') ?? '',
    user: query.text('user') ?? '',
    client: query.text('client') ?? '',
    scope: query.text('scope') ?? '',
  };
  const time = readMoment(entered.time);
  const isBoth = entered.time !== '' && entered.position !== '';
  const position = isBoth ? undefined : positionIn(query, 'position');
  const errors = {
    ...(entered.time !== '' && time === undefined ? { time: NO_TIME } : {}),
    ...(isBoth ? { position: 'Give a time or a position, not both.' } : {}),
    ...(position !== undefined && position > head ? { position: `The log ends at position ${head}.` } : {}),
  };
  const isSaid = time !== undefined || position !== undefined;
  return {
    entered,
    errors,
    moment:
      isSaid && Object.keys(errors).length === 0
        ? { position: position ?? Infinity, time: time ?? Infinity }
        : undefined,
    by: { user: query.text('user'), client: query.text('client'), scope: query.text('scope') },
  };
}

/** Counts all and keeps the first of each kind, with a turn for others now and then. */
export async function answerAsOf(
  { moment, by }: Question & { readonly moment: NonNullable<Question['moment']> },
  projectionsAsOf: ProjectionsAsOf,
): Promise<AsOfAnswer> {
  const { held, last } = await heldAt(moment, by, projectionsAsOf);
  const found = KINDS.map((kind) => ({ kind, rows: [] as HeldOfKind['rows'][number][], count: 0 }));
  const authorizations = createHeldAuthorizations(GRANTS_OF_ROW);
  let seen = 0;
  for (const one of held) {
    seen += 1;
    if (seen % AT_A_TIME === 0) await turn();
    authorizations.add(one);
    const ofKind = found.find(({ kind }) => kind === one.kind);
    if (ofKind === undefined) continue;
    ofKind.count += 1;
    if (ofKind.rows.length < ROWS_OF_KIND) ofKind.rows.push(withExpiry(one));
  }
  const all = authorizations.all();
  return {
    last: last === undefined ? null : { position: last.position, at: momentOf(last.recordedAt) },
    held: found,
    authorizations: { rows: all.slice(0, ROWS_OF_KIND).map(withExpiry), count: all.length },
  };
}

function withExpiry<Row extends Pick<Held, 'expires_at'>>(row: Row): Row & { readonly expires: Moment | null } {
  return { ...row, expires: row.expires_at === null ? null : momentOf(row.expires_at * 1000) };
}

/** The fold of the log up to then, and what of it was asked for. */
export async function heldAt(
  moment: NonNullable<Question['moment']>,
  by: HeldBy,
  projectionsAsOf: ProjectionsAsOf,
): Promise<{ readonly held: Iterable<Held>; readonly last: RecordedEvent | undefined }> {
  const { projections, last } = await projectionsAsOf(moment);
  const now = Math.floor((Number.isFinite(moment.time) ? moment.time : (last?.recordedAt ?? 0)) / 1000);
  return { held: heldAccess(projections, now, by), last };
}

const COLUMNS = ['kind', 'position', 'user', 'client', 'application', 'scope', 'resource', 'expires_at'] as const;

export function* heldAsCsv(held: Iterable<Held>): Generator<string, void, void> {
  yield csvRow(COLUMNS);
  for (const one of held) yield csvRow(COLUMNS.map((column) => one[column] ?? ''));
}

export function* heldAsLines(held: Iterable<Held>): Generator<string, void, void> {
  for (const one of held) yield `${JSON.stringify(one)}\n`;
}
