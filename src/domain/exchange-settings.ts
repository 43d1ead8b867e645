import type { ExchangeMode } from './values.ts';

/** How a client may exchange another client's tokens, or its own (RFC 8693). */
export interface ExchangePolicySettings {
  /** Never empty. */
  readonly modes: readonly ExchangeMode[];
  /** The maximum scope of the new token, never empty; null if the maximum is the subject token's scope. */
  readonly scope: readonly string[] | null;
  /** The resource servers that the client can request, never empty; null if they are the subject token's. */
  readonly resources: readonly string[] | null;
}
