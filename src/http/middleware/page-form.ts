import bodyParser from 'koa-bodyparser';
import { hasReadableCharset } from '../form-encoding.ts';
import { PageError } from '../page-error.ts';
import type { Handler, RequestContext } from '../state.ts';

/** The fields of a posted form. */
export interface Form {
  /** The field's value, empty when it is absent. @throws PageError 400 it was sent more than once */
  text(name: string): string;
  /** The values of a field that may repeat. */
  list(name: string): readonly string[];
}

/** As many as the parser reads: it would leave out the rest without a word. */
const MAX_FIELDS = 1_000;

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
    requirePlain(ctx);
    await parse(ctx, async () => {});
    requireWellFormed(rawFormOf(ctx));
    await next();
  };
}

/** No browser compresses a form, and what the parser's inflater throws nobody can tell from a failure of ours. */
function requirePlain(ctx: RequestContext): void {
  if ((ctx.get('Content-Encoding') || 'identity') !== 'identity') {
    throw new PageError(415, 'The form could not be read', 'It has a Content-Encoding, and forms are read without one.', 'Send it as it is.');
  }
  if (!hasReadableCharset(ctx.get('Content-Type'))) {
    throw new PageError(415, 'The form could not be read', 'Its charset is not UTF-8.', 'Send it in UTF-8.');
  }
}

/** The parser takes anything; what is not percent-encoded UTF-8 is refused here. */
function requireWellFormed(raw: string): void {
  if (raw.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw malformed(`The form has more than ${MAX_FIELDS} fields.`);
  if (!/[%\uFFFD]/.test(raw)) return;
  try {
    if (raw.includes('\uFFFD')) throw new URIError('not UTF-8');
    decodeURIComponent(raw);
  } catch {
    throw malformed('The form has malformed percent-encoding, or what it encodes is not UTF-8.');
  }
}

/**
 * The fields by their names and nothing else. The parser's own result is for routers behind: it makes objects of names
 * with brackets and dots, and of a name that is repeated more than twenty times.
 */
export function formOf(ctx: RequestContext): Form {
  const fields = new URLSearchParams(rawFormOf(ctx));
  return {
    text(name) {
      const [text = '', ...more] = fields.getAll(name);
      if (more.length > 0) throw malformed(`The field ${name} was sent more than once.`);
      return text;
    },
    list: (name) => fields.getAll(name),
  };
}

function rawFormOf(ctx: RequestContext): string {
  const { rawBody } = ctx.request;
  return typeof rawBody === 'string' ? rawBody : '';
}

/** A form from another site, or from a session that is over, changes nothing. */
export const requireCsrfToken: Handler = async (ctx, next) => {
  if (!isOfSession(ctx)) {
    throw new PageError(403, 'This form has expired', 'It does not belong to your current session, so nothing was changed.', 'Go back, reload the page and send the form again.', { rule: 'form-not-of-session' });
  }
  await next();
};

function malformed(message: string): PageError {
  return new PageError(400, 'The form could not be read', message, 'Go back and send the form again.');
}

/** Whether the form came from a page of this server and of the browser's present session. */
export function isOfSession(ctx: RequestContext): boolean {
  return ctx.get('Sec-Fetch-Site') !== 'cross-site' && ctx.state.webSession.isCsrfToken(formOf(ctx).text('csrf_token'));
}
