/** W3C Trace Context §3.2.2: version, trace id, parent id, flags; additions of later versions are dropped. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** In characters; version 00 has 55, and later versions may have more. */
const MAX_LENGTH = 256;

/**
 * The caller's position in a trace, in the format of version 00 with its 55 characters, whatever version was sent.
 * Undefined if it is absent or malformed. The request is answered in any case.
 */
export function parseTraceparent(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return undefined;
  const [, traceId, parentId, flags, more] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || (more !== undefined && header.startsWith('00'))) return undefined;
  return `00-${traceId}-${parentId}-${flags}`;
}
