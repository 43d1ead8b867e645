/** W3C Trace Context §3.2.2: version, trace id, parent id, flags; additions in later versions are dropped. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** In characters; version 00 has 55, and later versions may have more. */
const MAX_LENGTH = 256;

/**
 * Returns the caller's position in a trace, in the format of version 00 with its 55 characters, whatever version was
 * sent. Returns undefined if it is absent or malformed, which is no reason to refuse a request.
 */
export function parseTraceparent(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, traceId, parentId, flags, additions] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || (additions !== undefined && header.startsWith('00'))) return undefined;
  return `00-${traceId}-${parentId}-${flags}`;
}
