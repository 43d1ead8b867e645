import { pino } from 'pino';
import type { Clock } from '../ports.ts';

/** Receives a line for each request. */
export interface RequestLog {
  info(fields: RequestLine, message: string): void;
  debug(fields: RequestLine, message: string): void;
}

/**
 * The fields that are logged for a request. Addresses, queries, headers and bodies are not logged, because they may
 * contain credentials. The route identifies the endpoint.
 */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the matched route; undefined if none matched. */
  readonly route: string | undefined;
  readonly status: number;
  /** The time from the head of the request to the complete response, in milliseconds. */
  readonly ms: number;
  /** The client that authenticated, or that the token was issued to. */
  readonly clientId: string | undefined;
  readonly grantType: string | undefined;
  /** The OAuth error code of a refusal. */
  readonly refusal: string | undefined;
  /** The rule that refused the request. */
  readonly rule: string | undefined;
  readonly traceparent: string | undefined;
}

/**
 * Returns a log that writes the same lines as pino, but two to three times faster, because the fields are fixed (`npm
 * run bench -- micro`).
 * @param level pino's name for the lowest level that is written
 */
export function createRequestLog(
  level: string,
  destination: { write(line: string): void },
  clock: Pick<Clock, 'now'>,
): RequestLog {
  const writerFor = (levelName: 'debug' | 'info'): RequestLog['info'] => {
    const levelNumber = pino.levels.values[levelName] ?? 0;
    if (levelNumber < (pino.levels.values[level] ?? Infinity)) return () => {};
    return (fields, message) =>
      destination.write(
        `{"level":${levelNumber},"time":${clock.now()}${formatFields(fields)},"msg":${quote(message)}}\n`,
      );
  };
  return { debug: writerFor('debug'), info: writerFor('info') };
}

/** A test compares the output for every field with pino's. */
function formatFields({
  requestId,
  method,
  route,
  status,
  ms,
  clientId,
  grantType,
  refusal,
  rule,
  traceparent,
}: RequestLine): string {
  return (
    `${formatField('requestId', requestId)}${formatField('method', method)}${formatField('route', route)}` +
    `,"status":${status},"ms":${ms}${formatField('clientId', clientId)}${formatField('grantType', grantType)}` +
    `${formatField('refusal', refusal)}${formatField('rule', rule)}${formatField('traceparent', traceparent)}`
  );
}

function formatField(name: keyof RequestLine, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quote(value)}`;
}

const NEEDS_ESCAPING = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;

function quote(text: string): string {
  return NEEDS_ESCAPING.test(text) ? JSON.stringify(text) : `"${text}"`;
}
