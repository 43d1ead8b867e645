import type { Attestation } from '../../../audit/proofs/attestation.ts';
import { EVENT_TYPES } from '../../../domain/events.ts';
import { mayAdminister, mayAudit } from '../../../domain/roles.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../../../event-store/event-log.ts';
import { exportLine } from '../../../event-store/export-line.ts';
import { createEventFilter } from '../../../audit/queries/event-filter.ts';
import { EVENT_CSV_HEADER, eventCsvRow } from '../../../audit/queries/exported-event.ts';
import { redactFor } from '../../../audit/queries/redaction.ts';
import { describeType } from '../../../audit/queries/sentence.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { joinTexts, message } from '../../../language/message.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Exchanges } from '../../../projections/exchanges.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { Users } from '../../../projections/users.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import {
  accessAsOf,
  accessAsCsv,
  accessAsJsonLines,
  replayAccess,
  readAsOfQuery,
  type ProjectionsAsOf,
  type CreatePartyLinks,
} from './as-of.ts';
import { addBlastRadiusPages, type BlastRadiusDeps } from './blast-radius.ts';
import { addChainPages, type ChainPagesDeps } from './chain.ts';
import { sendAuditDownload } from './download.ts';
import { readEventDetail } from './event-detail.ts';
import { filteredUrl, readFilters, type Filters } from './filters.ts';
import { runQueued } from './run-queued.ts';
import type { AuditPages, Exports, FilterForm, SuggestedNames } from './locals.ts';
import { suggestedApplicationNames, suggestedUserNames } from '../suggested-names.ts';
import { readTrimmedQuery, readPosition } from './query.ts';
import { readTimelinePage } from './timeline.ts';
import type { Download } from '../../pipeline/download.ts';
import { pageContext, type FieldErrors } from '../page-context.ts';
import { missingItemError, PageError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { Query } from '../../pipeline/query.ts';
import { requireRole } from '../../pipeline/require-role.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AuditRoutesDeps extends BlastRadiusDeps, ChainPagesDeps {
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'readBackwards' | 'readStream' | 'readStreamBackwards'>;
  readonly users: Pick<Users, 'find' | 'findByName' | 'all'>;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly grants: Pick<Grants, 'find' | 'all'>;
  readonly groups: Pick<Groups, 'nameOf' | 'findByName'>;
  readonly exchanges: Pick<Exchanges, 'listByRoot' | 'all'>;
  readonly explanations: Pick<Explanations, 'find'>;
  readonly attestation: Pick<Attestation, 'prove' | 'checkpoint' | 'verifierKey'> & ChainPagesDeps['attestation'];
  readonly checkpoints: { count(): number };
  readonly projectionsAsOf: ProjectionsAsOf;
  readonly pages: AuditPages & BlastRadiusDeps['pages'];
  readonly now: () => EpochSeconds;
  readonly settings: { readonly loginUrl: string };
}

/** Each replay builds another set of projections. Running one replay at a time limits memory use. */
const REPLAY_LIMITS = { maxConcurrent: 1, maxPending: 3 };
const SEARCH_LIMITS = { maxConcurrent: 2, maxPending: 8 };
/** A slow client can prolong a download indefinitely, so further downloads are refused rather than queued. */
const DOWNLOAD_LIMITS = { maxConcurrent: 4, maxPending: 0 };

/**
 * Returns the routes of the auditors' pages: events, exchanges, blast radius, proofs, past access and exports. Visits
 * to these pages are not recorded.
 */
export function auditRoutes(deps: AuditRoutesDeps): readonly Route[] {
  const { log, attestation, checkpoints, projectionsAsOf, pages, now, settings } = deps;
  const replays = createSemaphore(REPLAY_LIMITS.maxConcurrent, REPLAY_LIMITS);
  const searches = createSemaphore(SEARCH_LIMITS.maxConcurrent, SEARCH_LIMITS);
  const downloads = createSemaphore(DOWNLOAD_LIMITS.maxConcurrent, DOWNLOAD_LIMITS);
  const router = createPageRouter({
    prefix: '/audit',
    guard: requireRole(settings.loginUrl, mayAudit, message('error.for-auditors')),
  });

  router.get('/', async (ctx) => {
    const query = readTrimmedQuery(ctx);
    const filters = await readFilters(query, deps);
    const { criteria, entered } = filters;
    const start = { from: readPosition(query, 'from'), after: readPosition(query, 'after') };
    const urlWith = (parameters: Readonly<Record<string, number>> = {}): string =>
      filteredUrl('/audit/', entered, parameters);
    const page =
      criteria === undefined ? null : await runQueued(searches, () => readTimelinePage(criteria, start, deps));
    if (page === null) ctx.status = 422;
    sendPage(
      ctx,
      pages.auditTimeline({
        ...pageContext(ctx),
        filters: filterForm(filters, deps),
        isFiltered: urlWith() !== '/audit/',
        page: page && {
          ...page,
          older: page.older && urlWith(page.older),
          newer: page.newer && urlWith(page.newer),
          newest: urlWith(),
        },
        exports: page && exportLinks((format) => filteredUrl('/audit/log/export/', entered, { format })),
      }),
    );
  });

  router.get('/events/:position', async (ctx) => {
    const position = pathParameter(ctx, 'position');
    const readDetail = () => readEventDetail(Number(position) as Position, readerFrom(ctx), deps);
    const event = /^[1-9]\d{0,14}$/.test(position) ? await runQueued(searches, readDetail) : undefined;
    if (event === undefined) throw missingItemError('event');
    sendPage(ctx, pages.auditEvent({ ...pageContext(ctx), event }));
  });

  addChainPages(router, { searches, replays }, deps);
  addBlastRadiusPages(router, { searches, replays }, deps);

  router.get('/as-of', async (ctx) => {
    const query = readAsOfQuery(readTrimmedQuery(ctx), log.head(), now());
    const { moment, entered } = query;
    const outcome =
      moment === undefined
        ? null
        : await runQueued(replays, () => accessAsOf({ ...query, moment }, projectionsAsOf, linksFor(ctx, deps)));
    const [result, errors] = outcome !== null && 'errors' in outcome ? [null, outcome.errors] : [outcome, query.errors];
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(
      ctx,
      pages.auditAsOf({
        ...pageContext(ctx),
        query: { ...query, errors },
        result,
        names: suggestedNames(deps),
        exports:
          result &&
          exportLinks((format) =>
            filteredUrl('/audit/as-of/export/', { types: [], since: '', until: '', ...entered }, { format }),
          ),
      }),
    );
  });

  router.get('/as-of/export', async (ctx) => {
    const query = readTrimmedQuery(ctx);
    const { moment, filter, errors } = readAsOfQuery(query, log.head(), now());
    if (moment === undefined) throw nothingToExportError(errors);
    const replay = () => replayAccess(moment, filter, projectionsAsOf);
    const { access, last, errors: nameErrors } = await runQueued(replays, replay);
    if (Object.keys(nameErrors).length > 0) throw nothingToExportError(nameErrors);
    const name = `access-at-${last?.position ?? START}`;
    await sendAuditDownload(
      ctx,
      exportFile(
        query,
        name,
        () => accessAsJsonLines(access),
        () => accessAsCsv(access),
      ),
      downloads,
    );
  });

  router.get('/log', async (ctx) => showLog(ctx, await readFilters(readTrimmedQuery(ctx), deps)));

  router.get('/log/export', async (ctx) => {
    const query = readTrimmedQuery(ctx);
    const filters = await readFilters(query, deps);
    const { criteria } = filters;
    if (criteria === undefined) return showLog(ctx, filters);
    const filter = createEventFilter(criteria, log);
    async function* events(signal: AbortSignal): AsyncGenerator<RecordedEvent, void, void> {
      for await (const event of filter(log.readAll(START), signal)) yield redactFor(readerFrom(ctx), event);
    }
    await sendAuditDownload(
      ctx,
      exportFile(
        query,
        'events',
        async function* (signal) {
          for await (const event of events(signal)) yield `${exportLine(event)}\n`;
        },
        async function* (signal) {
          yield EVENT_CSV_HEADER;
          for await (const event of events(signal)) yield eventCsvRow(event);
        },
      ),
      downloads,
    );
  });

  async function showLog(ctx: RequestContext, filters: Filters): Promise<void> {
    if (filters.criteria === undefined) ctx.status = 422;
    const note = await attestation.checkpoint();
    const [, size = '', rootHash = ''] = note.split('\n', 3);
    sendPage(
      ctx,
      pages.auditLog({
        ...pageContext(ctx),
        filters: filterForm(filters, deps),
        checkpoint: { note, size, rootHash },
        checkpointCount: checkpoints.count(),
        verifierKey: attestation.verifierKey(),
        head: log.head(),
      }),
    );
  }

  return router.routes;
}

/** Returns the reader. Each call looks up the current roles, because a role can be removed during a long download. */
function readerFrom({ state: { webSession } }: RequestContext) {
  return { isAdministrator: () => mayAdminister(webSession.loggedInUser()?.user.roles ?? []) };
}

/**
 * Returns a function that links a user and an application to their events, and, for administrators, a group to its
 * page.
 */
function linksFor(ctx: RequestContext, { users, groups }: Pick<AuditRoutesDeps, 'users' | 'groups'>): CreatePartyLinks {
  const isAdministrator = readerFrom(ctx).isAdministrator();
  return ({ user, user_id, client, group }) => {
    // The name may now be that of a different user.
    const isSameUser = user !== null && users.findByName(normalizeUserName(user))?.userId === user_id;
    const match = isAdministrator && group ? groups.findByName(group) : undefined;
    return {
      user: isSameUser ? eventsHref({ user }) : null,
      application: client === null ? null : eventsHref({ client }),
      group: match === undefined ? null : `/admin/groups/${match.id}/`,
    };
  };
}

function eventsHref(party: Readonly<Record<string, string>>): string {
  return `/audit/?${new URLSearchParams(party).toString()}`;
}

function filterForm({ entered, errors }: Filters, deps: Pick<AuditRoutesDeps, 'users' | 'clients'>): FilterForm {
  const types = EVENT_TYPES.map((type) => ({ value: type, title: describeType(type) }));
  return { entered, errors, types, names: suggestedNames(deps) };
}

function suggestedNames({ users, clients }: Pick<AuditRoutesDeps, 'users' | 'clients'>): SuggestedNames {
  return { users: suggestedUserNames(users), applications: suggestedApplicationNames(clients) };
}

const FORMATS = ['jsonl', 'csv'] as const;

function exportLinks(urlFor: (format: (typeof FORMATS)[number]) => string): Exports {
  return { jsonLines: urlFor('jsonl'), csv: urlFor('csv') };
}

/**
 * Returns a download in the requested format. The default is JSON Lines.
 * @throws PageError 422 if the format is unknown
 */
function exportFile(
  query: Query,
  name: string,
  asJsonLines: Download['generate'],
  asCsv: Download['generate'],
): Omit<Download, 'mayStillRead'> {
  const formatName = query.text('format') ?? 'jsonl';
  const format = FORMATS.find((candidate) => candidate === formatName);
  if (format === undefined) throw unknownFormatError();
  const isCsv = format === 'csv';
  const contentType = isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return { fileName: `grantlog-${name}.${format}`, contentType, generate: isCsv ? asCsv : asJsonLines };
}

function unknownFormatError(): PageError {
  return new PageError(422, message('log.unknown-format'), message('log.formats', { formats: FORMATS.join(', ') }));
}

function nothingToExportError(errors: FieldErrors): PageError {
  const problem = joinTexts(Object.values(errors), 'problem.sentences') ?? message('as-of.no-moment');
  const advice = message('as-of.nothing-to-export-advice');
  return new PageError(422, message('as-of.nothing-to-export'), problem, advice);
}
