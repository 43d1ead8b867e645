import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { OAuthError } from '../../oauth/errors.ts';
import { parameterName } from '../../refusals/quotable.ts';
import { REPEATABLE, together, type Parameters } from '../../oauth/parameters.ts';
import { decodeUtf8, hasReadableCharset, MAX_PARAMETERS, parseParameters, printable, tooManyParameters } from '../form-encoding.ts';
import type { RequestContext } from '../state.ts';

export interface BodySettings {
  readonly bodyLimitBytes: number;
  /** Whether `application/json` is read as well as forms. */
  readonly jsonTokenRequests: boolean;
}

/**
 * The parameters in the body of a request to a protocol endpoint. This reader and not the pages'
 * body parser: the RFC forbids repeats and nesting, and it costs 7 µs less.
 * @throws OAuthError `invalid_request`: too large (413), another content type (415), malformed (400),
 *   or parameters in the query, where they would end up in logs (RFC 6749 §2.3.1)
 */
export async function readParameters(ctx: RequestContext, settings: BodySettings): Promise<Parameters> {
  if (ctx.querystring !== '') throw new OAuthError('invalid_request', 'parameters belong in the request body, not in the address', { rule: 'parameters-in-address' });
  if (hasNoBody(ctx.req)) return new Map();
  const parse = parserFor(ctx.headers['content-type'], settings);
  requirePlain(ctx.headers);
  return parse(decodeUtf8(await readBytes(ctx.req, settings.bodyLimitBytes)));
}

/** What is not there needs no type: what is missing in it is said in the protocol's words. */
function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** @throws OAuthError 415 for what would have to be unpacked, or read in another character set than UTF-8 */
function requirePlain({ 'content-encoding': coding = 'identity', 'content-type': type = '' }: IncomingHttpHeaders): void {
  if (coding.toLowerCase() !== 'identity') throw new OAuthError('invalid_request', 'the request body must not have a Content-Encoding', { rule: 'content-encoding' }, 415);
  if (!hasReadableCharset(type)) throw new OAuthError('invalid_request', 'the charset must be UTF-8', { rule: 'charset' }, 415);
}

function parserFor(contentType: string | undefined, settings: BodySettings): (text: string) => Parameters {
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'application/x-www-form-urlencoded') return parseParameters;
  if (mediaType === 'application/json' && settings.jsonTokenRequests) return parseJson;
  const accepted = settings.jsonTokenRequests ? 'application/x-www-form-urlencoded or application/json' : 'application/x-www-form-urlencoded';
  throw new OAuthError('invalid_request', `the Content-Type must be ${accepted}`, { rule: 'content-type', accepted }, 415);
}

function parseJson(text: string): Parameters {
  const object = parseObject(text);
  const parameters = new Map<string, string>();
  let strings = 0;
  for (const [name, said] of Object.entries(object)) {
    const values: readonly unknown[] = name === REPEATABLE && Array.isArray(said) ? said : [said];
    strings += 1 + values.length;
    if (strings > 2 * MAX_PARAMETERS) throw tooManyParameters();
    for (const value of values) {
      if (typeof value !== 'string') throw new OAuthError('invalid_request', `${printable(name)} must be a string`, { rule: 'parameter-not-a-string', parameter: parameterName(name) });
      if (value !== '') parameters.set(name, name === REPEATABLE ? together(parameters.get(name), value) : value);
    }
  }
  if (quotesIn(text) !== 2 * strings) throw new OAuthError('invalid_request', 'a parameter is repeated', { rule: 'parameter-repeated', parameter: null });
  return parameters;
}

/** `JSON.parse` keeps the last of a member's values; but where all is strings, each that counts has two quotes of its own. */
function quotesIn(text: string): number {
  return text.replaceAll(/\\./g, '').split('"').length - 1;
}

function parseObject(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // said below
  }
  throw new OAuthError('invalid_request', 'the request body is not a JSON object', { rule: 'body-malformed', problem: 'something else than a JSON object' });
}

/** @throws OAuthError 413 as soon as there is more than `limit`; the rest is not read */
async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = (): OAuthError => new OAuthError('invalid_request', `the request body is larger than ${limit} bytes`, { rule: 'body-too-large', limitBytes: limit }, 413);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        request.pause();
        request.removeAllListeners('data');
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    request.once('aborted', () => reject(new OAuthError('invalid_request', 'the request ended before its body was whole', { rule: 'body-malformed', problem: 'a body that was cut short' })));
    request.once('error', () => reject(new OAuthError('invalid_request', 'the request body could not be read', { rule: 'body-malformed', problem: 'a body that could not be read' })));
  });
}
