import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { mayAdminister } from '../../domain/roles.ts';
import type { UserId } from '../../domain/values.ts';
import { START, type EventLog, type Position, type RecordedEvent } from '../../event-store/event-log.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import { exportLine } from '../../event-store/export-line.ts';
import { redactFor } from '../../audit/queries/redaction.ts';
import { declareForRoute } from '../../policy/declaration.ts';
import { allScopes } from '../../policy/policies.ts';
import type { Users } from '../../projections/users.ts';
import { READ_EVENTS } from '../openapi/event-log-api.ts';
import { createEventStream, toChunks, type Heartbeat } from '../pipeline/event-stream.ts';
import { byMethod } from '../pipeline/by-method.ts';
import { recheckToken } from '../pipeline/bearer-token.ts';
import type { LocalTokenLookup } from '../protocol/access-token-lookup.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import { queryOf } from '../pipeline/query.ts';
import { header } from '../pipeline/request-head.ts';
import type { RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface EventRoutesDeps {
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'subscribe'>;
  readonly tokens: LocalTokenLookup;
  readonly users: Pick<Users, 'find'>;
  readonly heartbeat: Heartbeat;
  /** Present only if other nodes append to the same log. */
  readonly freshness?: Pick<Freshness, 'problem'> | undefined;
  readonly stopping: AbortSignal;
}

const AUDIT_POLICY = allScopes(['audit']);
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;

/**
 * Returns the routes that serve the event log to auditors, page by page or live, in the format of `grantlog log
 * export`. Earlier releases recorded unsealed hashes of user-chosen client secrets; only administrators see these
 * hashes.
 */
export function eventRoutes(deps: EventRoutesDeps): readonly Route[] {
  const { log, tokens, users, heartbeat, freshness, stopping } = deps;
  setMaxListeners(0, stopping); // each open stream adds a listener, so many listeners do not indicate a leak

  return [
    {
      method: 'ANY',
      path: '/o/events',
      kind: 'protocol',
      authentication: 'bearer',
      openApi: [READ_EVENTS],
      pipeline: [
        declareForRoute('/o/events/', () => requirePolicy(AUDIT_POLICY)),
        byMethod({ GET: respondWithEvents }),
      ],
    },
  ];

  function respondWithEvents(ctx: RequestContext): void {
    ctx.set('Cache-Control', 'no-store');
    ctx.vary('Accept');
    const isLive = ctx.accepts('application/x-ndjson', 'text/event-stream') === 'text/event-stream';
    const query = queryOf(ctx);
    const lastEventId = isLive ? header(ctx, 'last-event-id') || undefined : undefined;
    const after = readNumber(lastEventId ?? query.text('after'), START);
    const limit = readNumber(query.text('limit'), DEFAULT_LIMIT);
    if (after === undefined || limit === undefined || limit < 1) return respondWithInvalidQuery(ctx);
    if (isLive) return respondWithStream(ctx, after as Position);
    return respondWithPage(ctx, after as Position, Math.min(limit, MAX_LIMIT));
  }

  function respondWithPage(ctx: RequestContext, after: Position, limit: number): void {
    const head = log.head();
    const last = Math.min(after + limit, head) as Position; // positions have no gaps
    if (last < head) ctx.set('Link', `<${ctx.path}?after=${last}&limit=${limit}>; rel="next"`);
    ctx.type = 'application/x-ndjson';
    ctx.body = Readable.from(readLines(ctx, after, last), { objectMode: false });
  }

  /**
   * Returns a function that formats events for the caller. Each time an event contains a hash that only administrators
   * may see, the function looks up the caller's roles, because a role may be removed while a response is open.
   */
  function lineFormatterFor({ state: { principal } }: RequestContext): (event: RecordedEvent) => string {
    const userId = principal.kind === 'bearer' ? (principal.userId as UserId | null) : null;
    const reader = { isAdministrator: () => userId !== null && mayAdminister(users.find(userId)?.roles ?? []) };
    return (event) => exportLine(redactFor(reader, event));
  }

  async function* readLines(ctx: RequestContext, after: Position, last: Position): AsyncGenerator<string, void, void> {
    const formatLine = lineFormatterFor(ctx);
    if (after >= last) return;
    for await (const events of log.readAll(after)) {
      // A destroyed response tells the reader that the page is incomplete.
      if (!mayRead(ctx)) return void ctx.res.destroy();
      const requestedEvents = events.filter(({ position }) => position <= last);
      yield* toChunks(requestedEvents, (event) => `${formatLine(event)}\n`);
      if (requestedEvents.at(-1)?.position === last) return;
    }
  }

  function respondWithStream(ctx: RequestContext, after: Position): void {
    ctx.set('Content-Type', 'text/event-stream'); // event streams are always UTF-8, and some readers reject a charset
    ctx.set('X-Accel-Buffering', 'no'); // keeps nginx from buffering the events
    ctx.body = createEventStream({
      log,
      after,
      mayRead: () => mayRead(ctx),
      toLine: lineFormatterFor(ctx),
      heartbeat,
      stopping,
    });
  }

  /**
   * Reports whether the caller may still read events: its token may be revoked while a long page is being sent or a
   * live response is open.
   */
  function mayRead(ctx: RequestContext): boolean {
    if (freshness?.problem() !== undefined) return false; // the reader can reconnect to another node
    const { principal } = recheckToken(header(ctx, 'authorization'), tokens.recheckLookup);
    return AUDIT_POLICY({ method: 'GET', principal }).allowed;
  }
}

function respondWithInvalidQuery(ctx: RequestContext): void {
  ctx.status = 400;
  ctx.body = { detail: 'after, Last-Event-ID and limit must be whole numbers, and limit must be at least 1.' };
}

function readNumber(value: string | undefined, fallback: number): number | undefined {
  if (value === undefined) return fallback;
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
