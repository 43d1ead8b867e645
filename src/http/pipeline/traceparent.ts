/** W3C Trace Context §3.2.2: version, trace id, parent id, flags; what a later version may put behind them is left out. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The longest that is looked at; a later version may be longer than today's 55 characters, but is nobody's way to send us a book. */
const MAX_LENGTH = 256;

/**
 * The caller's place in a trace, in the form of version 00 and its 55 characters, whichever version it came in.
 * Undefined for none, and for one that is malformed: the request is answered all the same.
 */
export function parseTraceparent(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, traceId, parentId, flags, more] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || (more !== undefined && header.startsWith('00'))) return undefined;
  return `00-${traceId}-${parentId}-${flags}`;
}
