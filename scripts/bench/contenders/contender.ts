import type { Cores } from '../cores.ts';
import type { LoadReport, LoadRequest } from '../load/protocol.ts';
import type { RowName } from '../rows.ts';
import type { ServerProcess } from '../server-process.ts';

/** A server that takes part. */
export interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  readonly rows: readonly RowName[];
  /** What the next interval sends; at most `requests` of what can be sent only once. */
  prepare(row: RowName, requests: number): Promise<LoadRequest>;
  /** Told what came of it. @throws Error what was answered and what the server keeps do not agree */
  verify(row: RowName, report: LoadReport): Promise<void>;
  /** Where the load leaves a receipt for each token; undefined when nobody asks. */
  readonly receipts?: string;
  /** Ends it and looks for all that was answered: says what it found. @throws Error something is missing */
  verifyRecords?(): Promise<string>;
}

export interface ContenderContext {
  /** Empty, for data and output; removed afterwards. */
  readonly directory: string;
  readonly cores: Cores | undefined;
  /** How many connections the load has: as many chains of refresh tokens are needed. */
  readonly connections: number;
}
