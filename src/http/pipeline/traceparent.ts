/** W3C Trace Context §3.2.2: version, trace id, parent id, flags. Later versions may append more, which is dropped. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** In characters. A header of version 00 has 55; headers of later versions may be longer. */
const MAX_LENGTH = 256;

/**
 * Returns the caller's position in a trace, converted to the 55-character format of version 00. Returns undefined if
 * the header is absent or malformed; the request must not be refused for that.
 */
export function parseTraceparent(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, traceId, parentId, flags, additions] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || (additions !== undefined && header.startsWith('00'))) return undefined;
  return `00-${traceId}-${parentId}-${flags}`;
}
