import { message } from '../../language/message.ts';
import { oauthError, OAuthError } from '../../oauth/endpoints/errors.ts';
import { JSON_TYPE } from '../media-types.ts';
import { decodeUtf8 } from './protocol-parameters.ts';
import { bodyError, requireReadableEncoding } from './read-parameters.ts';
import { readBody } from './read-body.ts';
import { encodedQuery, header } from './request-head.ts';
import type { RequestContext } from './state.ts';

/** Repeated and nested members cost memory, so the number of brackets, braces and commas is limited. */
const MAX_PUNCTUATION = 2_000;

/**
 * Reads the JSON object in the body. The caller must check the type and length of each member.
 * @throws OAuthError 413 if the body is too large or arrives in too many small chunks; 415 if it is not
 *   `application/json`, is compressed or declares a charset that is not accepted; 400 if it is cut short, is not UTF-8,
 *   is not a JSON object or has too many members, or if the URL has a query
 */
export async function readJsonObject(
  ctx: RequestContext,
  limitBytes: number,
  errorCode: 'invalid_client_metadata' | 'invalid_request' = 'invalid_client_metadata',
): Promise<Readonly<Record<string, unknown>>> {
  if (encodedQuery(ctx) !== '') throw oauthError({ rule: 'parameters-in-address' });
  const mediaType = (header(ctx, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== JSON_TYPE) throw oauthError({ rule: 'content-type', accepted: JSON_TYPE });
  requireReadableEncoding(ctx);
  const body = await readBody(ctx.req, limitBytes);
  if (typeof body === 'string') throw bodyError(body, { bodyLimitBytes: limitBytes });
  return parse(decodeUtf8(body), errorCode);
}

function parse(
  text: string,
  errorCode: 'invalid_client_metadata' | 'invalid_request',
): Readonly<Record<string, unknown>> {
  const punctuationCount = text.match(/[[\]{},]/g)?.length ?? 0;
  try {
    const parsed: unknown = punctuationCount > MAX_PUNCTUATION ? undefined : JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Readonly<Record<string, unknown>>;
  } catch {
    // Malformed JSON is refused below, like JSON that is not an object.
  }
  throw new OAuthError(errorCode, 'the request body is not a JSON object', {
    rule: 'body-malformed',
    problem: message('refusal-body.not-an-object'),
  });
}
