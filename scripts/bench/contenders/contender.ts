import type { Cores } from '../cores.ts';
import type { LoadReport, LoadRequest } from '../load/protocol.ts';
import type { RowName } from '../rows.ts';
import type { ServerProcess } from '../server-process.ts';

/** A server in the comparison. */
export interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  readonly rows: readonly RowName[];
  /** Prepares the requests for the next interval, with at most `requests` single-use values, such as codes. */
  prepare(row: RowName, requests: number): Promise<LoadRequest>;
  /**
   * Checks the result of an interval.
   * @throws Error if the responses do not match the stored data
   */
  verify(row: RowName, report: LoadReport): Promise<void>;
  /** The file for the hashes of the returned tokens, if the contender checks them. */
  readonly receipts?: string;
  /**
   * Stops the server, checks that everything it returned is stored, and describes the result.
   * @throws Error if something is missing
   */
  verifyRecords?(): Promise<string>;
}

export interface ContenderContext {
  /** An empty directory for data and output, which is removed afterwards. */
  readonly directory: string;
  readonly cores: Cores | undefined;
  /** The number of connections, which is also the number of refresh token chains. */
  readonly connections: number;
}
