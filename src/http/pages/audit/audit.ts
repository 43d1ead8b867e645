import { Router } from '@koa/router';
import type { Attestation } from '../../../audit/proofs/attestation.ts';
import { EVENT_TYPES } from '../../../domain/events.ts';
import { mayAdminister, mayAudit } from '../../../domain/roles.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../../../event-store/event-log.ts';
import { exportLine } from '../../../event-store/export-line.ts';
import { eventFilter } from '../../../audit/queries/event-filter.ts';
import { EVENT_CSV_HEADER, eventCsvRow } from '../../../audit/queries/exported-event.ts';
import { shownTo } from '../../../audit/queries/redaction.ts';
import { typeInWords } from '../../../audit/queries/sentence.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Users } from '../../../projections/users.ts';
import { createSlots } from '../../../platform/semaphore.ts';
import { answerAsOf, heldAsCsv, heldAsLines, heldAt, readQuestion, type ProjectionsAsOf } from './as-of.ts';
import { answerDownload } from './download.ts';
import { eventDetail } from './event-page.ts';
import { addressWith, readFilters, type Filters } from './filters.ts';
import { inTurn } from './in-turn.ts';
import type { AuditPages, Exports, FilterForm } from './locals.ts';
import { filledIn, positionIn } from './query.ts';
import { timelinePage } from './timeline.ts';
import type { Download } from '../../pipeline/download.ts';
import { pageContext } from '../page-context.ts';
import { notFound, PageError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { Query } from '../../pipeline/query.ts';
import { requireRole } from '../../pipeline/role-guard.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../../pipeline/state.ts';

export interface AuditRoutesParts {
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'readBack' | 'readStream' | 'readStreamBack'>;
  readonly users: Pick<Users, 'find' | 'named'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly grants: Pick<Grants, 'find'>;
  readonly attestation: Pick<Attestation, 'prove' | 'checkpoint' | 'verifierKey'>;
  readonly checkpoints: { count(): number };
  readonly projectionsAsOf: ProjectionsAsOf;
  readonly pages: AuditPages;
  readonly settings: { readonly loginUrl: string };
}

/** The past is folded anew for each question, in as much memory as the present takes: one at a time. */
const PASTS = { atOnce: 1, mayWait: 3 };
const SEARCHES = { atOnce: 2, mayWait: 8 };
/** They take as long as their readers do, so nobody is kept waiting for one. */
const DOWNLOADS = { atOnce: 4, mayWait: 0 };

/** What auditors ask: what happened, whether it is so, who had access when, and all of it to take along. Looking is no event. */
export function auditRoutes(parts: AuditRoutesParts): Router<RequestState> {
  const { log, users, attestation, checkpoints, projectionsAsOf, pages, settings } = parts;
  const pasts = createSlots(PASTS.atOnce, PASTS);
  const searches = createSlots(SEARCHES.atOnce, SEARCHES);
  const downloads = createSlots(DOWNLOADS.atOnce, DOWNLOADS);
  const router = new Router<RequestState>({ sensitive: true, prefix: '/audit' });
  router.use(requireRole(settings.loginUrl, mayAudit, 'auditors and administrators'));

  router.get('/', async (ctx) => {
    const query = filledIn(ctx);
    const filters = readFilters(query, users);
    const { wanted, entered } = filters;
    const place = { from: positionIn(query, 'from'), after: positionIn(query, 'after') };
    const address = (more: Readonly<Record<string, number>> = {}): string => addressWith('/audit/', entered, more);
    const page = wanted === undefined ? null : await inTurn(searches, () => timelinePage(wanted, place, parts));
    if (page === null) ctx.status = 422;
    sendPage(
      ctx,
      pages.auditTimeline({
        ...pageContext(ctx),
        filters: formOf(filters),
        isNarrowed: address() !== '/audit/',
        page: page && {
          ...page,
          older: page.older && address(page.older),
          newer: page.newer && address(page.newer),
          newest: address(),
        },
        exports: page && exportsOf((format) => addressWith('/audit/log/export/', entered, { format })),
      }),
    );
  });

  router.get('/events/:position', async (ctx) => {
    const position = pathParameter(ctx, 'position');
    const detail = () => eventDetail(Number(position) as Position, readerOf(ctx), parts);
    const event = /^[1-9]\d{0,14}$/.test(position) ? await inTurn(searches, detail) : undefined;
    if (event === undefined) throw notFound();
    sendPage(ctx, pages.auditEvent({ ...pageContext(ctx), event }));
  });

  router.get('/as-of', async (ctx) => {
    const question = readQuestion(filledIn(ctx), log.head());
    const { moment, entered, errors } = question;
    const answer =
      moment === undefined ? null : await inTurn(pasts, () => answerAsOf({ ...question, moment }, projectionsAsOf));
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(
      ctx,
      pages.auditAsOf({
        ...pageContext(ctx),
        question,
        answer,
        exports:
          answer &&
          exportsOf((format) =>
            addressWith('/audit/as-of/export/', { types: [], since: '', until: '', ...entered }, { format }),
          ),
      }),
    );
  });

  router.get('/as-of/export', async (ctx) => {
    const query = filledIn(ctx);
    const { moment, by, errors } = readQuestion(query, log.head());
    if (moment === undefined) {
      const problem = Object.values(errors).join(' ') || 'The address names no time and no position.';
      throw new PageError(422, 'Nothing to export', problem, 'Start from the page “Access at a point in time”.');
    }
    const { held, last } = await inTurn(pasts, () => heldAt(moment, by, projectionsAsOf));
    const name = `access-at-${last?.position ?? START}`;
    await answerDownload(
      ctx,
      fileOf(
        query,
        name,
        () => heldAsLines(held),
        () => heldAsCsv(held),
      ),
      downloads,
    );
  });

  router.get('/log', (ctx) => showLog(ctx, readFilters(filledIn(ctx), users)));

  router.get('/log/export', async (ctx) => {
    const query = filledIn(ctx);
    const filters = readFilters(query, users);
    const { wanted } = filters;
    if (wanted === undefined) return showLog(ctx, filters);
    const filter = eventFilter(wanted, log);
    async function* events(signal: AbortSignal): AsyncGenerator<RecordedEvent, void, void> {
      for await (const event of filter(log.readAll(START), signal)) yield shownTo(readerOf(ctx), event);
    }
    await answerDownload(
      ctx,
      fileOf(
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
    if (filters.wanted === undefined) ctx.status = 422;
    const note = await attestation.checkpoint();
    const [, size = '', rootHash = ''] = note.split('\n', 3);
    sendPage(
      ctx,
      pages.auditLog({
        ...pageContext(ctx),
        filters: formOf(filters),
        checkpoint: { note, size, rootHash },
        checkpointCount: checkpoints.count(),
        verifierKey: attestation.verifierKey(),
        head: log.head(),
      }),
    );
  }

  return router;
}

/** Whose role is looked up each time: it can be taken away while a long file is read. */
function readerOf({ state: { webSession } }: RequestContext) {
  return { isAdministrator: () => mayAdminister(webSession.person()?.user.roles ?? []) };
}

function formOf({ entered, errors }: Filters): FilterForm {
  return { entered, errors, types: EVENT_TYPES.map((type) => ({ value: type, title: typeInWords(type) })) };
}

const FORMATS = ['jsonl', 'csv'] as const;

function exportsOf(address: (format: (typeof FORMATS)[number]) => string): Exports {
  return { jsonLines: address('jsonl'), csv: address('csv') };
}

/** In the format that the address names, JSON lines where it names none. */
function fileOf(
  query: Query,
  name: string,
  asLines: Download['pieces'],
  asCsv: Download['pieces'],
): Omit<Download, 'mayStillRead'> {
  const asked = query.text('format') ?? 'jsonl';
  const format = FORMATS.find((each) => each === asked);
  if (format === undefined)
    throw new PageError(
      422,
      'There is no such format',
      `A download is in one of these formats: ${FORMATS.join(', ')}.`,
    );
  const isCsv = format === 'csv';
  const contentType = isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return { fileName: `grantlog-${name}.${format}`, contentType, pieces: isCsv ? asCsv : asLines };
}
