import { message } from '../../language/message.ts';
import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import type { Refusal } from '../../oauth/refusals/refusal.ts';
import { NO_FORM, createForm, unreadableFormError, type Form } from './form.ts';
import { hasReadableCharset, splitPairs } from './form-encoding.ts';
import { PageError } from './page-error.ts';
import { MAX_SMALL_CHUNKS, readBody, type BodyProblem } from './read-body.ts';
import { header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';

const MAX_FIELDS = 1_000;

const UNREADABLE = message('error.unreadable-form');

/**
 * Returns a step for routes that accept a form. It reads the form into `ctx.state.form`, and its encoded text into
 * `ctx.state.encodedForm`. If the body is not a form, both remain unset.
 */
export function readForm(bodyLimitBytes: number): Handler {
  return async (ctx, next) => {
    const text = await readFormText(ctx, bodyLimitBytes);
    if (text !== undefined) {
      const pairs = splitPairs(text, MAX_FIELDS);
      if (pairs === undefined) throw tooManyFieldsError();
      ctx.state.form = createForm(pairs);
      ctx.state.encodedForm = text;
    }
    return next();
  };
}

/**
 * Returns a step that reads forms for routers mounted after this application, and sets `ctx.request.body` as body
 * parsers do: a value or a list of values for each name. Brackets and dots in names have no special meaning. Other
 * bodies are left to those routers.
 */
export function readFormForMountedApps(bodyLimitBytes: number): Handler {
  return async (ctx, next) => {
    const isBodyless = ctx.method === 'GET' || ctx.method === 'HEAD';
    const rawBody = isBodyless ? undefined : await readFormText(ctx, bodyLimitBytes);
    if (rawBody !== undefined) {
      if (rawBody.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFieldsError();
      Object.assign(ctx.request, { rawBody, body: parse(rawBody) });
    }
    return next();
  };
}

/**
 * Reads the encoded form in the body. Returns undefined if the body is not a form.
 * @throws PageError 413 if the form is too large or arrives in too many small chunks, 415 if it is compressed or
 *   declares a charset that is not accepted, or 400 if it is malformed, cut short or not UTF-8
 */
async function readFormText(ctx: RequestContext, bodyLimitBytes: number): Promise<string | undefined> {
  if (!ctx.is('urlencoded')) return undefined;
  requireReadableEncoding(ctx);
  const body = await readBody(ctx.req, bodyLimitBytes);
  if (typeof body === 'string') throw bodyError(body, bodyLimitBytes);
  const text = body.toString('utf8');
  if (!isUtf8(body) || !isDecodable(text)) {
    throw unreadableFormError(message('error.form-encoding'));
  }
  return text;
}

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function tooManyFieldsError(): PageError {
  return unreadableFormError(message('error.too-many-fields', { limit: MAX_FIELDS }));
}

function requireReadableEncoding(ctx: RequestContext): void {
  requireUncompressed(ctx);
  if (!hasReadableCharset(header(ctx, 'content-type') ?? '')) {
    throw new PageError(415, UNREADABLE, message('error.charset'), message('error.charset.advice'));
  }
}

/**
 * Refuses compressed forms, which browsers never send.
 * @throws PageError 415 if the form is compressed
 */
export function requireUncompressed(ctx: RequestContext): void {
  if ((header(ctx, 'content-encoding') ?? 'identity').toLowerCase() === 'identity') return;
  throw new PageError(415, UNREADABLE, message('error.compressed'), message('error.compressed.advice'));
}

/** Returns the error for a body that could not be read. */
export function bodyError(problem: BodyProblem, bodyLimitBytes: number): PageError {
  switch (problem) {
    case 'too-large':
      return new PageError(
        413,
        message('error.too-large'),
        message('error.too-large.text', { bytes: bodyLimitBytes }),
        message('error.too-large.advice'),
      );
    case 'too-many-chunks':
      return new PageError(
        413,
        UNREADABLE,
        message('error.pieces', { limit: MAX_SMALL_CHUNKS }),
        message('error.pieces.advice'),
      );
    case 'cut-short':
      return new PageError(400, UNREADABLE, message('error.cut-short'), message('error.unreadable-form.advice'));
  }
}

/** Returns the form in the request, or a form without fields if the request has none. */
export function formOf(ctx: RequestContext): Form {
  return ctx.state.form ?? NO_FORM;
}

/** Refuses a form that did not come from a page that this server sent in the browser's current session. */
export const requireCsrfToken = csrfTokenCheck(undefined);

/**
 * Like `requireCsrfToken`, for forms with which a user approves or denies an authorization request. The refusal is
 * recorded for the application's developer.
 */
export const requireConsentCsrfToken = csrfTokenCheck({ rule: 'form-not-of-session' });

function csrfTokenCheck(refusal: Refusal | undefined): Handler {
  return async (ctx, next) => {
    if (!hasValidCsrfToken(ctx)) {
      throw new PageError(
        403,
        message('error.expired-form'),
        message('error.expired-form.text'),
        message('error.expired-form.advice'),
        refusal,
        [],
        ['form-again'],
      );
    }
    await next();
  };
}

/** Reports whether the form came from a page that this server sent in the browser's current session. */
export function hasValidCsrfToken(ctx: RequestContext): boolean {
  return (
    header(ctx, 'sec-fetch-site') !== 'cross-site' && ctx.state.webSession.isCsrfToken(formOf(ctx).text('csrf_token'))
  );
}
