/** The state of a shared log's storage, read without joining the log as a node. */
export interface SharedStorage {
  /** The version of the database server, such as 15.4. */
  readonly version: string;
  /** Undefined if the schema is not the one that this release uses. In that case, `schemaProblem` gives the reason. */
  readonly log: SharedLogStatus | undefined;
  readonly schemaProblem: string | undefined;
  /** The hosts in the connection URL, for use in messages. */
  readonly hosts: string;
  /** Whether every host is this machine. */
  readonly isLocal: boolean;
  readonly tls: 'disable' | 'require' | 'verify-full';
  /** Storage settings that determine whether commits survive a crash. */
  readonly durability: Readonly<Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string>>;
  /** The standbys that a commit waits for; empty if it waits for none. */
  readonly synchronousStandbys: string;
}

export interface SharedLogStatus {
  /** The position of the latest event. */
  readonly head: number;
  /** The number of events that the newest checkpoint covers, or 0 if no checkpoint exists. */
  readonly newestCheckpoint: number;
  /** The position of the newest snapshot, or 0 if no snapshot exists. */
  readonly newestSnapshot: number;
  readonly nodes: readonly NodeStatus[];
}

/** A node of a shared log, as last reported by the node. */
export interface NodeStatus {
  /** A UUID, new at each startup. */
  readonly id: string;
  readonly release: string;
  /** The name of the machine, or null if the node's release does not report it. */
  readonly host: string | null;
  /** Null if the node's release does not report it. */
  readonly process_id: number | null;
  /** Whether the node has reported recently. A node that stops cleanly removes its entry. */
  readonly running: boolean;
  /** ISO 8601. */
  readonly started_at: string;
  readonly seen_at: string;
  /** The position of the latest event that the node had received at `seen_at`. */
  readonly position: number;
  /** How many events the node was behind at `seen_at`, or is behind now if it is not running. */
  readonly lag: number;
}
