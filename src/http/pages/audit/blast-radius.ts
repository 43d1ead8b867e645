import { createBlastRadius, type AffectedGrant, type BlastProjections } from '../../../audit/queries/blast-radius.ts';
import type { LeakedSource } from '../../../audit/queries/leaked-source.ts';
import { mayAdminister } from '../../../domain/roles.ts';
import type { ClientId, EpochSeconds, GrantId } from '../../../domain/values.ts';
import type { EventLog } from '../../../event-store/event-log.ts';
import type { Freshness } from '../../../event-store/freshness.ts';
import { joinTexts, message, type Text } from '../../../language/message.ts';
import { findForeignToken, findIssuingEvent } from '../../../oauth/incidents/issue-search.ts';
import type { SourceRevoker } from '../../../oauth/incidents/source-revoker.ts';
import type { Semaphore } from '../../../platform/semaphore.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser, requireRole } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { AdminPages } from '../admin/locals.ts';
import { createSecretRotation } from '../applications/secret-rotation.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { pageContextFor } from '../page-context.ts';
import { WITHOUT_CHANGE_LIMIT, type PageRouter } from '../page-router.ts';
import { readPage } from '../paging.ts';
import { sendPage } from '../send-page.ts';
import type { ProjectionsAsOf } from './as-of.ts';
import type { AuditPages } from './locals.ts';
import { toMoment } from './moments.ts';
import { readTrimmedQuery } from './query.ts';
import {
  canStop,
  countAffected,
  endNotice,
  endingParagraphs,
  radiusRow,
  sourceLocals,
  type BlastRadiusLocals,
} from './radius-locals.ts';
import {
  namedSource,
  radiusUrl,
  radiusFields,
  readRadiusForm,
  readRadiusQuery,
  type NamedSource,
  type RadiusQuery,
} from './radius-query.ts';
import { runQueued } from './run-queued.ts';

export interface BlastRadiusDeps extends BlastProjections {
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  readonly users: Pick<Users, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  /** Suggests ids for an unknown source. Resolves with undefined if the source is known. */
  readonly suggestIds: (source: LeakedSource) => Promise<readonly string[] | undefined>;
  readonly projectionsAsOf: ProjectionsAsOf;
  readonly sourceRevoker: SourceRevoker;
  /** Present only if other nodes append to the log. */
  readonly freshness?: Pick<Freshness, 'catchUp'> | undefined;
  readonly registration: Parameters<typeof createSecretRotation>[0]['registration'];
  readonly resubmissionGuard: Parameters<typeof createSecretRotation>[0]['resubmissionGuard'];
  readonly secretsShownOnce: SecretsShownOnce;
  readonly pages: Pick<AuditPages, 'auditBlastRadius'> & Pick<AdminPages, 'adminConfirm'>;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly loginUrl: string };
}

/** The semaphores for searches and replays of the log. All auditors' pages share these semaphores. */
interface LogSemaphores {
  readonly searches: Semaphore;
  readonly replays: Semaphore;
}

const RADIUS_PATH = '/audit/blast-radius/';
const CRUMBS = [{ href: RADIUS_PATH, text: message('audit.blast-radius') }];

/**
 * Adds the pages about the access that came from a leaked source. Auditors can view this access, and administrators can
 * also end it.
 */
export function addBlastRadiusPages(
  router: PageRouter,
  { searches, replays }: LogSemaphores,
  deps: BlastRadiusDeps,
): void {
  const { log, clients, projectionsAsOf, sourceRevoker, freshness, secretsShownOnce, pages, now, settings } = deps;
  const secretRotation = createSecretRotation(deps);
  const forAdministrators = requireRole(settings.loginUrl, mayAdminister, message('error.for-administrators'));
  const unlimitedRouter = router.with(WITHOUT_CHANGE_LIMIT);

  const findAffectedNow = (source: NamedSource): Promise<readonly AffectedGrant[]> =>
    runQueued(searches, async () => {
      await freshness?.catchUp();
      return createBlastRadius(source, log)(now(), deps);
    });

  async function computeResult(
    ctx: RequestContext,
    source: NamedSource,
    moment: RadiusQuery['moment'],
    { select }: ReturnType<typeof readPage>,
  ): Promise<BlastRadiusLocals['result']> {
    const currentGrants = await findAffectedNow(source);
    const pastResult = moment === null ? null : await runQueued(replays, () => findAffectedAt(source, moment));
    const affectedGrants = pastResult?.affectedGrants ?? currentGrants;
    const { items, paging } = select(affectedGrants);
    const liveGrantIds = pastResult && new Set(currentGrants.map(({ grantId }) => grantId));
    const hasAnythingToEnd = affectedGrants.length > 0 || canStop(source, deps);
    const mayEnd = pastResult === null && hasAnythingToEnd && mayAdminister(actingUser(ctx).user.roles);
    return {
      source: sourceLocals(source, deps),
      asOf: pastResult && pastResult.asOf,
      counts: countAffected(affectedGrants),
      rows: items.map((grant) => radiusRow(grant, liveGrantIds, deps)),
      paging,
      endHref: mayEnd ? radiusUrl(`${RADIUS_PATH}end/`, source) : null,
    };
  }

  async function findAffectedAt(source: NamedSource, moment: NonNullable<RadiusQuery['moment']>) {
    const { projections, last } = await projectionsAsOf(moment);
    const milliseconds = Number.isFinite(moment.time) ? moment.time : (last?.recordedAt ?? 0);
    const time = Math.floor(milliseconds / 1000) as EpochSeconds;
    const affectedGrants = await createBlastRadius(source, log)(time, projections, moment);
    return { affectedGrants, asOf: { position: last?.position ?? 0, at: toMoment(milliseconds) } };
  }

  const suggestionsFor = (source: NamedSource): Promise<readonly string[] | undefined> =>
    runQueued(searches, () => deps.suggestIds(source));

  /**
   * Sends the page with the form and, if the query has a source, the result of the query.
   * @param query a query whose source is known or undefined
   */
  async function show(
    ctx: RequestContext,
    query: RadiusQuery,
    secret: BlastRadiusLocals['secret'] = null,
  ): Promise<void> {
    const { source, moment, entered, errors } = query;
    const { time, position } = entered;
    const page = readPage(ctx, undefined, source === undefined ? {} : radiusFields(source, { time, position }));
    const result = source === undefined ? null : await computeResult(ctx, source, moment, page);
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const context = pageContextFor(ctx, actingUser(ctx));
    sendPage(ctx, pages.auditBlastRadius({ ...context, query: { entered, errors }, result, secret }));
  }

  router.get('/blast-radius', async (ctx) => {
    const query = readRadiusQuery(readTrimmedQuery(ctx), log.head());
    const { source } = query;
    const suggestions = source && (await suggestionsFor(source));
    if (source === undefined || suggestions === undefined) return show(ctx, query);
    const { time, position } = query.entered;
    const [suggestion, otherSuggestion] = suggestions;
    if (source.kind === 'client' && suggestion !== undefined && otherSuggestion === undefined)
      return ctx.redirect(radiusUrl(RADIUS_PATH, namedSource('client', suggestion), { time, position }));
    await show(ctx, withUnknownSource(query, source, suggestions));
  });

  // The form sends a token in the request body, because URLs are logged and stay in browser histories.
  unlimitedRouter.post('/blast-radius', async (ctx) => {
    const { query, token } = readRadiusForm(formOf(ctx), log.head());
    const resolvedQuery = await withKnownSource(token === undefined ? query : await withGrantOf(token, query));
    if (resolvedQuery.source === undefined) return show(ctx, resolvedQuery);
    const { time, position } = resolvedQuery.entered;
    ctx.redirect(radiusUrl(RADIUS_PATH, resolvedQuery.source, { time, position }));
  });

  /**
   * Returns the query with a known source: the entered source, or the only source with the entered name. Returns the
   * query with an error if no source, or more than one source, has this name.
   */
  async function withKnownSource(query: RadiusQuery): Promise<RadiusQuery> {
    const { source } = query;
    const suggestions = source && (await suggestionsFor(source));
    if (source === undefined || suggestions === undefined) return query;
    const [suggestion, otherSuggestion] = suggestions;
    return suggestion === undefined || otherSuggestion !== undefined
      ? withUnknownSource(query, source, suggestions)
      : { ...query, source: namedSource(source.kind, suggestion) };
  }

  /**
   * Returns the query with the token's grant as its source: the grant for which the token was issued or, for another
   * issuer's token, the only grant that came from the token. Returns the query with an error if there is no such grant,
   * or if several grants came from the token.
   */
  async function withGrantOf(token: string, query: RadiusQuery): Promise<RadiusQuery> {
    const issuingEvent = await runQueued(searches, () => findIssuingEvent(token, log));
    if (issuingEvent?.stream.startsWith('grant-') === true)
      return { ...query, source: namedSource('grant', issuingEvent.stream.slice('grant-'.length)) };
    const foreignToken = await runQueued(searches, () => findForeignToken(token, log));
    const [grantId, ...otherGrantIds] = foreignToken?.grantIds ?? [];
    if (grantId === undefined) return { ...query, errors: { source: message('radius.not-issued') } };
    return otherGrantIds.length === 0
      ? { ...query, source: { kind: 'grant', grantId } }
      : { ...query, errors: { source: severalGrantsError([grantId, ...otherGrantIds]) } };
  }

  /**
   * Returns the source of the query.
   * @throws PageError 404 if the query has no known source, or contains an earlier moment
   */
  async function requireSource(ctx: RequestContext): Promise<NamedSource> {
    const { source, moment } = readRadiusQuery(readTrimmedQuery(ctx), log.head());
    if (source === undefined || moment !== null || (await suggestionsFor(source)) !== undefined) throw notFound();
    return source;
  }

  router.get('/blast-radius/end', forAdministrators, async (ctx) => {
    const source = await requireSource(ctx);
    const { kind, name } = sourceLocals(source, deps);
    const client = source.kind === 'client' ? clients.find(source.clientId) : undefined;
    const affectedGrants = await findAffectedNow(source);
    const canOnlyStop = affectedGrants.length === 0 && canStop(source, deps);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [...CRUMBS, { href: radiusUrl(RADIUS_PATH, source), text: name }],
        title: message(canOnlyStop ? 'radius.stop-title' : 'radius.end-title', { kind, name }),
        text: endingParagraphs(source, affectedGrants, now(), deps),
        button: canOnlyStop ? message('radius.stop-button', { kind }) : message('radius.end-button'),
        action: radiusUrl(`${RADIUS_PATH}end/`, source),
        back: radiusUrl(RADIUS_PATH, source),
        ...(client && { hidden: { form_id: secretRotation.mintFormId(client) } }),
      }),
    );
  });

  unlimitedRouter.post('/blast-radius/end', forAdministrators, async (ctx) => {
    const source = await requireSource(ctx);
    const actor = actingUser(ctx);
    const client = source.kind === 'client' ? clients.find(source.clientId) : undefined;
    const entropy = client && secretRotation.entropyFor(ctx, actor, client);
    const headBefore = log.head();
    const radius = createBlastRadius(source, log);
    const findAffectedGrants = async (): Promise<readonly AffectedGrant[]> => {
      await freshness?.catchUp();
      return radius(now(), deps);
    };
    const context = userCommandContext(ctx, actor);
    const { stopped, ended, left } = await sourceRevoker.revoke(source, findAffectedGrants, now(), context, entropy);
    const { text, tone } = endNotice(stopped, ended, left.length);
    ctx.state.webSession.flash(text, tone);
    if (stopped.kind !== 'secret-replaced')
      return ctx.redirect(radiusUrl(RADIUS_PATH, source, { position: headBefore }));
    const page = `${RADIUS_PATH}ended/${encodeURIComponent(stopped.clientId)}/${headBefore}/`;
    secretsShownOnce.redirect(ctx, actor, page, stopped.secret);
  });

  router.get('/blast-radius/ended/:client/:position/:page', forAdministrators, async (ctx) => {
    const clientId = pathParameter(ctx, 'client') as ClientId;
    const position = pathParameter(ctx, 'position');
    const isValidPosition = /^\d{1,15}$/.test(position) && Number(position) <= log.head();
    if (clients.find(clientId) === undefined || !isValidPosition) throw notFound();
    const value = secretsShownOnce.take(ctx, actingUser(ctx)) ?? null;
    const query = {
      entered: { kind: 'client', source: clientId, time: '', position } as const,
      errors: {},
      source: { kind: 'client', clientId } as const,
      moment: { position: Number(position), time: Infinity },
    };
    await show(ctx, query, { clientId, value });
  });
}

const MAX_LISTED_GRANTS = 5;

function severalGrantsError(grantIds: readonly GrantId[]): Text {
  return message('radius.several', {
    count: String(grantIds.length),
    ids: grantIds.slice(0, MAX_LISTED_GRANTS).join(', '),
    more: grantIds.length > MAX_LISTED_GRANTS ? 'yes' : 'no',
  });
}

/** Returns the query without its source, and with the error for an unknown source. */
function withUnknownSource(query: RadiusQuery, { kind }: NamedSource, suggestions: readonly string[]): RadiusQuery {
  const candidates = joinTexts(suggestions, 'problem.either');
  const values = { kind, meant: candidates ?? '', meantIs: candidates === undefined ? 'none' : 'some' };
  return { ...query, source: undefined, errors: { ...query.errors, source: message('radius.unknown', values) } };
}
