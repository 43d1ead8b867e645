/**
 * A request template: `prefix`, a value, `suffix`. All values of a job have the same length, because the Content-Length
 * is part of `prefix`.
 */
export interface LoadRequest {
  readonly prefix: string;
  readonly suffix: string;
  /**
   * none: requests have no value. each: every value of the list is sent once. chain: each connection first sends one
   * value of the list, and then the refresh token of its previous response.
   */
  readonly values: { readonly use: 'none' } | { readonly use: 'each' | 'chain'; readonly list: readonly string[] };
  /** A string that a correct response with status 200 contains. */
  readonly expects: string;
  /** Whether each response must contain a distinct access token. */
  readonly returnsToken: boolean;
}

export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests per second, due at fixed times; latency includes the wait for a free connection. If absent, each
   * connection sends its next request as soon as it has a response.
   */
  readonly rate?: number;
  readonly request: LoadRequest;
  /** A file that the SHA-256 of each received access token is appended to, 32 bytes each. */
  readonly receipts?: string;
}

export interface LoadReport {
  /** Responses per second within the interval. */
  readonly rate: number;
  /** The number of correct responses, including those received after the end of the interval. */
  readonly responses: number;
  /** The number of access tokens received, all distinct. */
  readonly tokens: number;
  /** The median latency in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** The load generator's share of one core. */
  readonly cpuShare: number;
  /** The latest refresh token of each chain. */
  readonly chains: readonly string[];
}

export type LoadOutcome = { readonly report: LoadReport } | { readonly error: string };
