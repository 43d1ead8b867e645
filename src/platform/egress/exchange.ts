import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { message } from '../../language/message.ts';
import { createGrowingBuffer } from '../growing-buffer.ts';
import { EgressError } from './egress-failed.ts';

/** A resolved address of a host, to be contacted without another lookup. */
export interface PinnedAddress {
  readonly address: string;
  readonly family: number;
}

export interface ExchangeRequest {
  readonly url: URL;
  /** The only addresses that are contacted. The name is not resolved again. */
  readonly addresses: readonly PinnedAddress[];
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The maximum size of the response body; 0 to ignore the body. */
  readonly maxBytes: number;
  /** Error statuses for which the body is also read; none by default. */
  readonly errorStatuses?: readonly number[];
  /** Aborts the exchange at any stage. */
  readonly signal: AbortSignal;
}

export interface ExchangeResponse {
  /** 2xx, or one of the `errorStatuses`. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const MAX_HEADER_BYTES = 16_384;
/** The maximum number of interim (1xx) responses before the final one. */
const MAX_INTERIM_RESPONSES = 4;

/**
 * Sends a request on a new connection. The URL's host is sent in the Host header, and the certificate must be valid for
 * that host.
 * @throws EgressError if the connection fails, or the response is incomplete or has an unexpected status
 */
export function exchange({
  url,
  addresses,
  method,
  headers,
  body,
  maxBytes,
  errorStatuses = [],
  signal,
}: ExchangeRequest): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    const startRequest = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = startRequest(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'grantlog' },
      agent: false, // connections are not reused
      lookup: pinnedLookup(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
    });

    function fail(problem: EgressError): void {
      reject(problem);
      request.destroy();
    }

    limitInterimResponses(request, fail);
    request.on('error', (error) => fail(toEgressError(error, signal)));
    request.on('close', () => fail(new EgressError('connection-failed', message('egress.closed'))));
    request.on('upgrade', (_response, socket) => {
      socket.destroy(); // the request no longer owns it after an upgrade
      fail(new EgressError('malformed', message('egress.protocol')));
    });
    request.on('response', (response) => {
      const problem = headProblem(response, maxBytes, errorStatuses);
      if (problem !== undefined) return fail(problem);
      const done = (content: Buffer): void => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content });
        request.destroy();
      };
      if (maxBytes === 0) return done(Buffer.alloc(0));
      readBody(response, maxBytes, done, (error) => fail(toEgressError(error, signal)));
    });
    request.end(body);
  });
}

function pinnedLookup(addresses: readonly PinnedAddress[]): LookupFunction {
  return (hostname, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error(`no address for ${hostname}`), '');
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function limitInterimResponses(request: ClientRequest, fail: (problem: EgressError) => void): void {
  let interimResponses = 0;
  request.on('information', () => {
    interimResponses += 1;
    if (interimResponses > MAX_INTERIM_RESPONSES) fail(new EgressError('malformed', message('egress.interim')));
  });
}

function headProblem(
  { statusCode = 0, headers }: IncomingMessage,
  maxBytes: number,
  errorStatuses: readonly number[],
): EgressError | undefined {
  if (statusCode >= 300 && statusCode < 400) return redirectError(statusCode);
  if ((statusCode < 200 || statusCode >= 400) && !errorStatuses.includes(statusCode))
    return new EgressError('error-status', message('egress.status', { status: statusCode }), statusCode);
  if (maxBytes === 0) return undefined;
  if (!['', 'identity'].includes(headers['content-encoding']?.trim().toLowerCase() ?? ''))
    return new EgressError('malformed', message('egress.compressed'));
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLargeError(maxBytes) : undefined;
}

function readBody(
  response: IncomingMessage,
  maxBytes: number,
  done: (content: Buffer) => void,
  fail: (error: Error) => void,
): void {
  const buffer = createGrowingBuffer(maxBytes);
  response.on('data', (chunk: Buffer) => {
    if (!buffer.append(chunk)) fail(tooLargeError(maxBytes));
  });
  response.on('end', () => done(buffer.bytes()));
  response.on('error', fail);
}

function redirectError(status: number): EgressError {
  return new EgressError('redirected', message('egress.redirect', { status }), status);
}

function tooLargeError(maxBytes: number): EgressError {
  return new EgressError('too-large', message('egress.large', { limit: maxBytes }));
}

/**
 * Converts a connection error to an `EgressError`. Keeps only the code of the error, because its message may contain
 * parts of the other server's certificate.
 */
function toEgressError(error: NodeJS.ErrnoException, signal: AbortSignal): EgressError {
  if (error instanceof EgressError) return error;
  if (signal.reason instanceof EgressError) return signal.reason;
  const code = connectionErrorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW')
    return new EgressError('too-large', message('egress.headers', { limit: MAX_HEADER_BYTES }));
  if (code.startsWith('HPE_')) return new EgressError('malformed', message('egress.http', { code }));
  return new EgressError('connection-failed', message('egress.connection', { code }));
}

const TIMED_OUT = 'ETIMEDOUT';

/**
 * Returns the error code of a failed connection. Node gives up on every address but the last after a short time, and
 * reports the code of the first address. If Node gave up on any address, the failure counts as a timeout, because the
 * last address might be one that this server can never reach, such as an IPv6 address.
 */
export function connectionErrorCode(error: NodeJS.ErrnoException): string {
  const attempts: readonly NodeJS.ErrnoException[] = error instanceof AggregateError ? error.errors : [];
  return attempts.some(({ code }) => code === TIMED_OUT) ? TIMED_OUT : (error.code ?? 'unknown error');
}
