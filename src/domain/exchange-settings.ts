import type { ExchangeMode } from './values.ts';

/** The exchanges that a client may make with another client's tokens or its own (RFC 8693). */
export interface ExchangePolicySettings {
  /** Never empty. */
  readonly modes: readonly ExchangeMode[];
  /** The maximum scope of the exchanged token. Null if it is the subject token's scope; never empty. */
  readonly scope: readonly string[] | null;
  /** The resource servers that can be requested. Null if they are the subject token's; never empty. */
  readonly resources: readonly string[] | null;
}
