import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { NO_FORM, createForm, unreadableForm, type Form } from './form.ts';
import { hasReadableCharset, splitPairs, type Pair } from './form-encoding.ts';
import { PageError } from './page-error.ts';
import { MAX_SMALL_CHUNKS, readBody, type BodyProblem } from './read-body.ts';
import { header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';

const MAX_FIELDS = 1_000;

const UNREADABLE = 'The form could not be read';

/** Reads form bodies for the pages and the sample API. Other bodies are left for the routers behind. */
export function readForms(bodyLimitBytes: number): Handler {
  return async (ctx, next) => {
    if (ctx.state.form !== undefined || ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    if (!ctx.is('urlencoded')) return next();
    requirePlain(ctx);
    const body = await readBody(ctx.req, bodyLimitBytes);
    if (typeof body === 'string') throw bodyError(body, bodyLimitBytes);
    ctx.state.form = createForm(parsePairs(body));
    Object.assign(ctx.request, { rawBody: body.toString('utf8') });
    await next();
  };
}

/** No browser compresses a form. */
function requirePlain(ctx: RequestContext): void {
  if ((header(ctx, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new PageError(
      415,
      UNREADABLE,
      'It has a Content-Encoding, and forms are read without one.',
      'Send it as it is.',
    );
  }
  if (!hasReadableCharset(header(ctx, 'content-type') ?? '')) {
    throw new PageError(415, UNREADABLE, 'Its charset is not UTF-8.', 'Send it in UTF-8.');
  }
}

function bodyError(problem: BodyProblem, bodyLimitBytes: number): PageError {
  switch (problem) {
    case 'too-large':
      return new PageError(
        413,
        UNREADABLE,
        `It has more than ${bodyLimitBytes} bytes, and more than that is not read.`,
        'Go back, shorten what you entered and send the form again.',
      );
    case 'too-many-pieces':
      return new PageError(
        413,
        UNREADABLE,
        `It arrived in more than ${MAX_SMALL_CHUNKS} small pieces, and more than that are not read.`,
        'Send it with a Content-Length, or in larger chunks.',
      );
    case 'cut-short':
    default:
      return new PageError(400, UNREADABLE, 'It ended before it was whole.', 'Go back and send the form again.');
  }
}

/** @throws PageError 400 too many fields, or a field that is not percent-encoded UTF-8 */
function parsePairs(body: Buffer): readonly Pair[] {
  const text = body.toString('utf8');
  const pairs = isUtf8(body) ? wellFormedPairs(text) : null;
  if (pairs === null) throw unreadableForm('It has malformed percent-encoding, or what it encodes is not UTF-8.');
  if (pairs === undefined) throw unreadableForm(`It has more than ${MAX_FIELDS} fields.`);
  return pairs;
}

/** Undefined for too many fields; null when any field is malformed, known or not. */
function wellFormedPairs(text: string): readonly Pair[] | undefined | null {
  try {
    if (text.includes('%')) decodeURIComponent(text);
    return splitPairs(text, MAX_FIELDS);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Sets `ctx.request.body` for the routers behind, as body parsers do: a value or a list of values for each name.
 * Brackets and dots in a name have no meaning.
 */
export const parseFormForMountedApps: Handler = ({ request }, next) => {
  if ('rawBody' in request && typeof request.rawBody === 'string') {
    Object.assign(request, { body: parse(request.rawBody) });
  }
  return next();
};

/** The form of the request; without fields when there is none. */
export function formOf(ctx: RequestContext): Form {
  return ctx.state.form ?? NO_FORM;
}

/** A form from another site, or from a session that is over, changes nothing. */
export const requireCsrfToken: Handler = async (ctx, next) => {
  if (!hasCsrfToken(ctx)) {
    throw new PageError(
      403,
      'This form has expired',
      'It does not belong to your current session, so nothing was changed.',
      'Go back, reload the page and send the form again.',
      { rule: 'form-not-of-session' },
    );
  }
  await next();
};

/** Whether the form came from a page of this server and of the browser's present session. */
export function hasCsrfToken(ctx: RequestContext): boolean {
  return (
    header(ctx, 'sec-fetch-site') !== 'cross-site' && ctx.state.webSession.isCsrfToken(formOf(ctx).text('csrf_token'))
  );
}
