/** What the load generator is told to do, and what it says it did: messages between two processes. */

/**
 * One request, sent again and again: `before`, a value, `after`. All values of one order are of the same length, for the
 * Content-Length is written in `before`.
 */
export interface LoadRequest {
  readonly before: string;
  readonly after: string;
  /**
   * none: nothing is between them. each: the next of `values`, each once, until there are no more. chain: each connection
   * begins with one of `values` and goes on with what its last answer gave it.
   */
  readonly values: { readonly use: 'none' } | { readonly use: 'each' | 'chain'; readonly list: readonly string[] };
  /** What a right answer contains, besides its status of 200. */
  readonly expects: string;
  /** Whether each answer has to bring an access token that no other one has. */
  readonly bringsToken: boolean;
}

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests a second, due at fixed times: who waits for a connection to become free waits from then on, and it counts. Left out: as
   * many as the connections carry, each sending when it has its answer.
   */
  readonly rate?: number;
  readonly request: LoadRequest;
  /** Where the SHA-256 of each access token is added after the interval, 32 bytes each: what was answered, to be looked for later. */
  readonly receipts?: string;
}

export interface LoadReport {
  /** Within the interval, for each second of it. */
  readonly rate: number;
  /** All right answers, those to requests that were under way when the interval ended too. */
  readonly answers: number;
  /** How many access tokens came with them, all different. */
  readonly tokens: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Of one core. */
  readonly cpuShare: number;
  /** Where the chains have come to. */
  readonly chains: readonly string[];
}

export type LoadAnswer = { readonly report: LoadReport } | { readonly wrong: string };
