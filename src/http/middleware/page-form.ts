import bodyParser from 'koa-bodyparser';
import { PageError } from '../page-error.ts';
import type { Handler, RequestContext } from '../state.ts';

/** The fields of a posted form. */
export interface Form {
  /** The field's value, empty when it is absent. @throws PageError 400 it was sent more than once */
  text(name: string): string;
  /** The values of a field that may repeat. */
  list(name: string): readonly string[];
  has(name: string): boolean;
}

/** Reads form bodies for the pages and the sample API. */
export function readForms(bodyLimitBytes: number): Handler {
  const parse = bodyParser({
    enableTypes: ['form'],
    formLimit: `${bodyLimitBytes}b`,
    onerror: (error) => {
      throw error;
    },
  });
  return async (ctx, next) => {
    if (!ctx.is('urlencoded')) return next(); // what it is not for is left to the routers behind
    requireUncompressed(ctx);
    await parse(ctx, async () => {});
    requireWellFormed(ctx.request.rawBody);
    await next();
  };
}

/** No browser compresses a form, and what the parser's inflater throws nobody can tell from a failure of ours. */
function requireUncompressed(ctx: RequestContext): void {
  if (!ctx.is('urlencoded') || (ctx.get('Content-Encoding') || 'identity') === 'identity') return;
  throw new PageError(415, 'The form could not be read', 'It has a Content-Encoding, and forms are read without one.', 'Send it as it is.');
}

/** The parser takes anything; what is not percent-encoded UTF-8 is refused here. */
function requireWellFormed(raw: unknown): void {
  if (typeof raw !== 'string' || !/[%\uFFFD]/.test(raw)) return;
  try {
    if (raw.includes('\uFFFD')) throw new URIError('not UTF-8');
    decodeURIComponent(raw);
  } catch {
    throw malformed('The form has malformed percent-encoding, or what it encodes is not UTF-8.');
  }
}

export function formOf(ctx: RequestContext): Form {
  const body = (ctx.request.body ?? {}) as Readonly<Record<string, unknown>>;
  const value = (name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined);
  return {
    has: (name) => value(name) !== undefined,
    text(name) {
      const text = value(name) ?? '';
      if (typeof text !== 'string') throw malformed(`The field ${name} was sent more than once.`);
      return text;
    },
    list(name) {
      const values = value(name) ?? [];
      return (Array.isArray(values) ? values : [values]).filter((entry) => typeof entry === 'string');
    },
  };
}

/** A form from another site, or from a session that is over, changes nothing. */
export const requireCsrfToken: Handler = async (ctx, next) => {
  const fromElsewhere = ctx.get('Sec-Fetch-Site') === 'cross-site';
  if (fromElsewhere || !ctx.state.webSession.isCsrfToken(formOf(ctx).text('csrf_token'))) {
    throw new PageError(403, 'This form has expired', 'It does not belong to your current session, so nothing was changed.', 'Go back, reload the page and send the form again.');
  }
  await next();
};

function malformed(message: string): PageError {
  return new PageError(400, 'The form could not be read', message, 'Go back and send the form again.');
}
