import type { Broadcast } from '../platform/broadcast/broadcast.ts';

/** The additional operations of a log that several processes (nodes) append to. */
export interface SharedLog {
  /**
   * Resolves when the listener has received every event that was durable when this was called. Concurrent calls share
   * one query.
   * @throws LogUnreachable if the storage did not respond in time
   * @throws LogUnavailable if the log is closed or has failed
   */
  catchUp(): Promise<void>;
  /**
   * Returns the last time when this node knew that it had every durable event, in milliseconds of the monotonic clock
   * that the log was opened with. Renewed several times a second, even if the log is idle.
   */
  lastCurrentAt(): number;
  /**
   * Returns how far the storage's clock is ahead of this node's, in milliseconds; negative if it is behind. Nodes that
   * add it to their clocks agree on the time.
   */
  clockOffset(): number;
  /** Returns counts that show how well this node follows the log. */
  counts(): SharedLogCounts;
  /**
   * Returns the release that first declared events of this type and version, or undefined if none has.
   */
  releaseOf?(type: string, version: number): Promise<string | undefined>;
  /**
   * Reports whether every node has applied the event at this position. Ignores nodes that have not reported to the
   * storage for `silentSeconds`.
   */
  isAppliedByAll(position: number, silentSeconds: number): Promise<boolean>;
  /** Returns the space that the storage uses. */
  storedBytes?(): Promise<StoredBytes>;
  /** Sends messages to the other nodes; undefined if the engine cannot. */
  readonly broadcast?: Broadcast;
}

export interface SharedLogCounts {
  /** The number of connections reopened after a failure, since startup. */
  readonly reconnects: number;
  /** The number of appends rejected with `AppendOutcomeUnknown`, since startup. */
  readonly unknownOutcomes: number;
  /** The number of events that this node knows to be in the log but has not received yet. */
  readonly missingEvents: number;
}

/** Bytes in the storage that the nodes share, by part. */
export type StoredBytes = Readonly<Record<'log' | 'snapshots', number>>;
