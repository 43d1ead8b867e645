import { pino } from 'pino';
import type { Clock } from '../ports.ts';

/** Takes a line for each request. */
export interface RequestLog {
  info(fields: RequestLine, message: string): void;
  debug(fields: RequestLine, message: string): void;
}

/**
 * What is said of a request: these fields and no others. No address, query, header or body, for any of them may hold a
 * credential; what was asked for is named by its route.
 */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route that took it; undefined when none did. */
  readonly route: string | undefined;
  readonly status: number;
  /** From the head of the request to its answer being ready, in milliseconds. */
  readonly ms: number;
  /** The client that authenticated, or whose token it was. */
  readonly clientId: string | undefined;
  readonly grantType: string | undefined;
  /** The error code of a refusal in the protocol's words. */
  readonly refusal: string | undefined;
  /** The rule that refused. */
  readonly rule: string | undefined;
  readonly traceparent: string | undefined;
}

/**
 * Writes the very lines that pino would write of requests, put together for their fields alone: 0.9 µs a line, where
 * pino, which asks for each line anew what fields it has and of what kind, takes 2; of a bearer check that is 8 %.
 * @param level what is said less loudly than this is not written; one of pino's
 */
export function requestLines(
  level: string,
  destination: { write(line: string): void },
  clock: Pick<Clock, 'now'>,
): RequestLog {
  const at = (of: 'debug' | 'info'): RequestLog['info'] => {
    const number = pino.levels.values[of] ?? 0;
    if (number < (pino.levels.values[level] ?? Infinity)) return () => {};
    return (fields, message) =>
      destination.write(`{"level":${number},"time":${clock.now()}${formatFields(fields)},"msg":${quote(message)}}\n`);
  };
  return { debug: at('debug'), info: at('info') };
}

/** Whoever adds a field is told by the compiler that it has to be here, too. */
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
  ...others
}: RequestLine): string {
  others satisfies Record<string, never>;
  return (
    `${formatField('requestId', requestId)}${formatField('method', method)}${formatField('route', route)},"status":${status},"ms":${ms}${formatField('clientId', clientId)}` +
    `${formatField('grantType', grantType)}${formatField('refusal', refusal)}${formatField('rule', rule)}${formatField('traceparent', traceparent)}`
  );
}

function formatField(name: keyof RequestLine, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${quote(value)}`;
}

const NEEDS_ESCAPING = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;

function quote(text: string): string {
  return NEEDS_ESCAPING.test(text) ? JSON.stringify(text) : `"${text}"`;
}
