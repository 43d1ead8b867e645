import { joinTexts, message } from '../../language/message.ts';
import { unreachable } from '../../domain/values.ts';
import { OAuthError, oauthError } from '../../oauth/endpoints/errors.ts';
import { FORM, JSON_TYPE } from '../media-types.ts';
import { hasReadableCharset } from './form-encoding.ts';
import { decodeUtf8, parseForm, parseJson, type ParsedParameters } from './protocol-parameters.ts';
import { MAX_SMALL_CHUNKS, readBody, type BodyProblem } from './read-body.ts';
import { encodedQuery, header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';

export interface BodySettings {
  readonly bodyLimitBytes: number;
  /** Whether `application/json` is accepted in addition to forms. */
  readonly jsonTokenRequests: boolean;
}

/**
 * Returns a step for the client endpoints that reads the parameters in the body into `ctx.state.parameters`.
 * @throws OAuthError 413 if the body is too large or arrives in too many small chunks; 415 if its type, encoding or
 *   charset is not accepted; 400 if it is malformed or has a value that is too long (401 for a client assertion), or if
 *   the URL has a query, because parameters there would end up in logs (RFC 6749 §2.3.1)
 */
export function readParameters(settings: BodySettings): Handler {
  return async (ctx, next) => {
    const { parameters, lengthError } = await parseBody(ctx, settings);
    ctx.state.parameters = parameters; // set before the check, so that a refusal is attributed to the client
    if (lengthError !== undefined) throw lengthError;
    await next();
  };
}

async function parseBody(ctx: RequestContext, settings: BodySettings): Promise<ParsedParameters> {
  if (encodedQuery(ctx) !== '') {
    throw oauthError({ rule: 'parameters-in-address' });
  }
  if (isBodyEmpty(ctx)) return { parameters: new Map(), lengthError: undefined };
  const parse = parserFor(header(ctx, 'content-type') ?? '', settings);
  requireReadableEncoding(ctx);
  const body = await readBody(ctx.req, settings.bodyLimitBytes);
  if (typeof body === 'string') throw bodyError(body, settings);
  return parse(decodeUtf8(body));
}

/**
 * Reports whether the body is empty. An empty body needs no `Content-Type`, because the endpoint reports the missing
 * parameter anyway.
 */
function isBodyEmpty(ctx: RequestContext): boolean {
  return header(ctx, 'transfer-encoding') === undefined && Number(header(ctx, 'content-length') ?? 0) === 0;
}

/**
 * Checks that the body is neither compressed nor in an unsupported charset.
 * @throws OAuthError 415 if the body has a content coding, or declares a charset that is not accepted
 */
export function requireReadableEncoding(ctx: RequestContext): void {
  if ((header(ctx, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw oauthError({ rule: 'content-encoding' });
  }
  if (!hasReadableCharset(header(ctx, 'content-type') ?? '')) {
    throw oauthError({ rule: 'charset' });
  }
}

function parserFor(contentType: string, { jsonTokenRequests }: BodySettings): (text: string) => ParsedParameters {
  if (contentType === FORM) return parseForm; // fast path for most requests
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === FORM) return parseForm;
  if (mediaType === JSON_TYPE && jsonTokenRequests) return parseJson;
  const acceptedTypes = joinTexts(jsonTokenRequests ? [FORM, JSON_TYPE] : [FORM], 'problem.either') ?? FORM;
  throw oauthError({ rule: 'content-type', accepted: acceptedTypes });
}

/** Returns the error for a body that could not be read. */
export function bodyError(problem: BodyProblem, { bodyLimitBytes }: Pick<BodySettings, 'bodyLimitBytes'>): OAuthError {
  switch (problem) {
    case 'too-large':
      return oauthError({ rule: 'body-too-large', limitBytes: bodyLimitBytes });
    case 'too-many-chunks':
      return oauthError({ rule: 'body-in-pieces', most: MAX_SMALL_CHUNKS });
    case 'cut-short':
      return new OAuthError('invalid_request', 'the connection ended before the whole body was received', {
        rule: 'body-malformed',
        problem: message('refusal-body.incomplete'),
      });
    default:
      return unreachable(problem);
  }
}
