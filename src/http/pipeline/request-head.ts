import { MAX_TARGET_LENGTH, HEADERS, MAX_PATH_LENGTH, type HeaderName } from '../../config/input-limits.ts';
import { PageError } from './page-error.ts';
import type { RequestContext } from './state.ts';
import { parseTraceparent } from './traceparent.ts';
import { isUrl } from '../../platform/urls.ts';
import { message, type Message } from '../../language/message.ts';

type Head = Pick<RequestContext, 'req'>;

const HEADER_LIMITS: ReadonlyMap<string, number> = new Map(Object.entries(HEADERS));

/** RFC 9112 §3.2.1: path and query, in visible ASCII and without a fragment. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
/** RFC 9112 §3.2.2: with scheme and host, as sent to proxies. A URL with a user name is refused (RFC 9110 §4.2.4). */
const ABSOLUTE_FORM = /^(https?:\/\/[^/?#@]{1,267})(.*)$/i;

/**
 * Checks the URL and the headers of a request before anything else reads them. Afterwards, the URL consists only of a
 * path and a query, even if it was sent in absolute form.
 * @throws PageError 400 if the URL is malformed or too long, or 431 if a header is too long
 */
export function validateHead(ctx: RequestContext): void {
  const target = ctx.req.url ?? '';
  if (target.length > MAX_TARGET_LENGTH)
    throw unreadableUrlError(ctx, target, message('error.address-long', { limit: MAX_TARGET_LENGTH }));
  if (extractPath(target).length > MAX_PATH_LENGTH) {
    throw unreadableUrlError(ctx, target, message('error.path-long', { limit: MAX_PATH_LENGTH }));
  }
  const pathAndQuery = toOriginForm(target, ctx.method);
  if (pathAndQuery === undefined) {
    throw unreadableUrlError(ctx, '', message('error.path-invalid'));
  }
  ctx.req.url = pathAndQuery;
  requireDecodable(extractPath(pathAndQuery));
  const { headers } = ctx.req;
  // Loops over the headers, because a request has fewer headers than there are limits: see `npm run bench -- profile`.
  for (const name in headers) {
    const limit = HEADER_LIMITS.get(name);
    if (limit !== undefined && (headers[name]?.length ?? 0) > limit) throw headerTooLongError(ctx, name, limit);
  }
}

/**
 * Returns the path and query of a request target, or undefined if the target is malformed or has a scheme other than
 * `http` and `https`.
 */
function toOriginForm(target: string, method: string): string | undefined {
  if (ORIGIN_FORM.test(target) || (target === '*' && method === 'OPTIONS')) return target;
  const [, server = '', rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return ORIGIN_FORM.test(path) && isUrl(server) ? path : undefined;
}

function extractPath(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

function requireDecodable(path: string): void {
  if (!path.includes('%')) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw new PageError(
      400,
      message('error.bad-request'),
      message('error.address-encoding'),
      message('error.check-address'),
    );
  }
}

/**
 * Returns the error for an unreadable URL. Replaces the URL with its beginning, or with `/` if the beginning is
 * malformed, because the code that builds the error response must not read a long URL either.
 */
function unreadableUrlError(ctx: RequestContext, target: string, text: Message): PageError {
  ctx.req.url = toOriginForm(target.slice(0, MAX_PATH_LENGTH), ctx.method) ?? '/';
  return new PageError(400, message('error.unreadable-address'), text, message('error.check-address'));
}

/**
 * Returns the error for a header that is too long (RFC 6585 §5). Deletes the header, because the code that builds the
 * error response must not read it either.
 */
function headerTooLongError(ctx: RequestContext, name: string, limit: number): PageError {
  delete ctx.req.headers[name];
  return new PageError(
    431,
    message('error.header-long'),
    message('error.header-long.text', { name, limit }),
    message('error.header-long.advice'),
  );
}

/** Returns the value of a request header, or undefined if the header is absent. */
export function header({ req }: Head, name: HeaderName): string | undefined {
  const value: string | readonly string[] | undefined = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the caller's position in a trace, or undefined if it is absent or invalid. W3C Trace Context requires that an
 * invalid value be ignored, so the header has no entry in the table of limits.
 */
export function traceparentOf({ req }: Head): string | undefined {
  return parseTraceparent(req.headers['traceparent']);
}

/**
 * Returns the path and query of the page that sent the request, or undefined unless the browser reports that the page
 * has this server's origin. A `Referer` that is too long is ignored, so the header has no entry in the table of limits.
 */
export function referringPage(head: Head): string | undefined {
  const { referer = '' } = head.req.headers;
  if (header(head, 'sec-fetch-site') !== 'same-origin' || referer.length > MAX_TARGET_LENGTH) return undefined;
  if (!isUrl(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  return `${pathname}${search}`;
}

/** Returns the encoded query without its question mark, or an empty string for a URL without a query. */
export function encodedQuery({ req }: Head): string {
  const { url = '' } = req;
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
