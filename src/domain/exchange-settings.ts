import type { ExchangeMode } from './values.ts';

/** The exchanges that a client may do with the tokens of another one (RFC 8693). */
export interface ExchangePolicySettings {
  /** At least one. */
  readonly modes: readonly ExchangeMode[];
  /** The exchanged token has no other scopes. Null for those of the subject token; never empty. */
  readonly scope: readonly string[] | null;
  /** The resource servers that may be requested. Null for those of the subject token; never empty. */
  readonly resources: readonly string[] | null;
}
