import { Counter, Gauge, type Registry } from 'prom-client';

/** The state of the service, read at each scrape. Everything except `storage` is in memory. */
export interface ServiceState {
  /** Returns the number of events. */
  logHead(): number;
  isLogWritable(): boolean;
  /** Reports whether appends are refused because the disk is almost full. */
  isDiskLow(): boolean;
  /** Returns how many seconds the clock is behind the newest time in the log; 0 if it is not behind. */
  clockBehindSeconds(): number;
  /** Returns the number of events that the projections have processed. */
  projectedEvents(): number;
  /**
   * Returns the number of access tokens in memory, including revoked and expired ones that have not been removed yet.
   */
  accessTokens(): number;
  /** Returns the number of requests refused since startup, by rule. */
  refusals(): Readonly<Record<string, number>>;
  /** Returns the number of requests refused since startup because of a rate limit, by limit. */
  rateLimitRefusals(): Readonly<Record<string, number>>;
  passwordHashes(): Readonly<Record<'running' | 'waiting', number>>;
  /** Returns the queues of password hashes, by algorithm. */
  passwordHashQueues(): Readonly<Record<string, HashQueueReadings>>;
  /** Returns the number of issued checkpoints, and the size of the newest one. */
  checkpoints(): { readonly count: number; readonly newest: number };
  /** Returns the positions of the snapshots, in ascending order. */
  snapshots(): readonly number[];
  /**
   * Returns the progress of the background check of the stored log, and the number of damaged places that it has found.
   */
  storedLogCheck(): { readonly checked: number; readonly damagedPlaces: number };
  /** Returns the number of accounts whose personal data cannot be decrypted. */
  accountsWithoutKey(): number;
  /** Returns the number of clients whose secret hash cannot be decrypted. */
  clientsWithoutKey(): number;
  /** Returns the number of failed writes to files other than the log since startup, by kind of file. */
  writeFailures(): Readonly<Record<string, number>>;
  /** Returns the number of explanations of refusals on disk, and of those since startup that are only in memory. */
  storedRefusals(): { readonly stored: number; readonly skipped: number };
  /** Returns the number of logout tokens, by state: pending, delivered, failed. */
  logoutDeliveries(): Readonly<Record<string, number>>;
  /** Returns the seconds until the last key for each algorithm stops signing; null if an algorithm never had a key. */
  signingKeySecondsLeft(): Readonly<Record<string, number | null>>;
  storage(): Promise<Storage>;
  /** Set if other nodes append to the log. */
  readonly sharedLog?: SharedLogState;
}

interface SharedLogState {
  /** Reports whether this node signs the checkpoints and writes the snapshots. */
  isLeader(): boolean;
  /** Returns the number of catch-ups since startup, by result. */
  catchUps(): Readonly<Record<string, number>>;
  /** Returns the seconds since this node last knew that it had every event. */
  stalenessSeconds(): number;
  /** Reports whether this node is current enough to serve requests. */
  isServing(): boolean;
  /** Returns how many seconds the storage's clock is ahead of this node's. */
  clockOffsetSeconds(): number;
  counts(): { readonly reconnects: number; readonly unknownOutcomes: number; readonly missingEvents: number };
}

interface HashQueueReadings {
  /** By class. */
  readonly waiting: Readonly<Record<string, number>>;
  /** Since startup, by reason. */
  readonly refusals: Readonly<Record<string, number>>;
}

/** Sizes in bytes. */
export interface Storage {
  readonly sizes: Readonly<Record<string, number>>;
  readonly free: number;
}

export function exposeState(registry: Registry, state: ServiceState): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    const newGauge: Gauge = new Gauge({ name, help, registers, collect: () => newGauge.set(read()) });
  };
  gauge('grantlog_log_head_position', 'Position of the newest durable event.', state.logHead);
  gauge('grantlog_log_writable', '1 while the log accepts appends, 0 after its first failed write.', () =>
    Number(state.isLogWritable()),
  );
  const diskHelp = '1 while appends are refused because the disk of the data directory is almost full.';
  gauge('grantlog_disk_low', diskHelp, () => Number(state.isDiskLow()));
  const clockHelp =
    'Seconds that the clock is behind the newest time in the log. Credentials issued over 300 s ahead are refused.';
  gauge('grantlog_clock_behind_seconds', clockHelp, state.clockBehindSeconds);
  gauge(
    'grantlog_projection_lag_events',
    'Durable events that the projections have not yet processed.',
    () => state.logHead() - state.projectedEvents(),
  );
  gauge(
    'grantlog_access_tokens',
    'Access tokens in memory, including revoked and expired ones that have not been removed yet.',
    state.accessTokens,
  );
  gauge('grantlog_checkpoints', 'Stored signed checkpoints.', () => state.checkpoints().count);
  const { checkpoints, storedLogCheck } = state;
  gauge('grantlog_checkpoint_position', 'Position of the newest signed checkpoint.', () => checkpoints().newest);
  gauge('grantlog_snapshots', 'Stored snapshots of the projections.', () => state.snapshots().length);
  gauge(
    'grantlog_snapshot_position',
    'Position of the newest snapshot; the next startup replays the events after it.',
    () => state.snapshots().at(-1) ?? 0,
  );
  const checkHelp = 'Position up to which the stored log has been read back since startup.';
  gauge('grantlog_stored_log_checked_position', checkHelp, () => storedLogCheck().checked);
  gauge(
    'grantlog_stored_log_damages',
    'Damaged places found by reading the log back.',
    () => storedLogCheck().damagedPlaces,
  );
  gauge('grantlog_accounts_without_key', 'Accounts whose personal data cannot be decrypted.', state.accountsWithoutKey);
  const clientHelp = 'Applications whose secret hash cannot be decrypted.';
  gauge('grantlog_clients_without_key', clientHelp, state.clientsWithoutKey);

  const writeHelp = 'Failed writes to files other than the log, by kind of file. They are retried.';
  registerCounter('grantlog_write_failures_total', writeHelp, 'part', state.writeFailures, registry);
  registerCounter(
    'grantlog_refusals_total',
    'Requests refused, by the rule that refused them.',
    'rule',
    state.refusals,
    registry,
  );
  const storedHelp = 'Explanations of refused requests that are stored and survive a restart.';
  gauge('grantlog_stored_refusals', storedHelp, () => state.storedRefusals().stored);
  const memoryOnlyHelp = 'Explanations of refused requests, since startup, that do not survive a restart.';
  gauge('grantlog_refusals_in_memory_only', memoryOnlyHelp, () => state.storedRefusals().skipped);
  registerCounter(
    'grantlog_rate_limit_refusals_total',
    'Requests refused because of a rate limit, by limit.',
    'limit',
    state.rateLimitRefusals,
    registry,
  );
  const deliveries = new Gauge({
    name: 'grantlog_logout_deliveries',
    help: 'Logout tokens that are pending, and those that were delivered or failed since the start of the log.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [progress, count] of Object.entries(state.logoutDeliveries()))
        deliveries.set({ state: progress }, count);
    },
  });
  const keysLeft = new Gauge({
    name: 'grantlog_signing_key_seconds_left',
    help: 'Seconds until the last signing key stops signing, by algorithm. The next key is introduced days earlier.',
    labelNames: ['algorithm'],
    registers,
    collect() {
      for (const [algorithm, secondsLeft] of Object.entries(state.signingKeySecondsLeft()))
        keysLeft.set({ algorithm }, secondsLeft ?? 0);
    },
  });
  const hashes = new Gauge({
    name: 'grantlog_password_hashes',
    help: 'Password hashes that are being computed or are waiting.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [progress, count] of Object.entries(state.passwordHashes())) hashes.set({ state: progress }, count);
    },
  });
  exposeHashQueues(registry, state.passwordHashQueues);
  if (state.sharedLog !== undefined) exposeSharedLog(registry, state.sharedLog, gauge);
  const freeSpace: Gauge = new Gauge({
    name: 'grantlog_storage_free_bytes',
    help: 'Free space on the file system of the data directory.',
    registers,
    async collect() {
      freeSpace.set((await state.storage()).free);
    },
  });
  const sizes = new Gauge({
    name: 'grantlog_storage_bytes',
    help: 'Size of each part of the data: its files, or its tables if it is in a database.',
    labelNames: ['part'],
    registers,
    async collect() {
      const storage = await state.storage();
      for (const [part, bytes] of Object.entries(storage.sizes)) sizes.set({ part }, bytes);
    },
  });
}

function exposeSharedLog(
  registry: Registry,
  { isLeader, catchUps, stalenessSeconds, isServing, clockOffsetSeconds, counts }: SharedLogState,
  gauge: (name: string, help: string, read: () => number) => void,
): void {
  const leaderHelp = '1 on the node that signs checkpoints and writes snapshots, 0 on the others.';
  gauge('grantlog_log_leader', leaderHelp, () => Number(isLeader()));
  const stalenessHelp = 'Seconds since this node last knew that it had every event of the shared log.';
  gauge('grantlog_log_staleness_seconds', stalenessHelp, stalenessSeconds);
  const currentHelp =
    '1 while this node serves requests, 0 while it has lost the shared log or has read an event of a later release.';
  gauge('grantlog_log_current', currentHelp, () => Number(isServing()));
  const offsetHelp =
    "Seconds that the clock of the log's storage is ahead of this node's clock. The node adds them to its time.";
  gauge('grantlog_clock_offset_seconds', offsetHelp, clockOffsetSeconds);
  const catchUpHelp =
    'Requests that waited for this node to catch up with the log before it refused them or showed a page, by result.';
  registerCounter('grantlog_log_catch_ups_total', catchUpHelp, 'result', catchUps, registry);
  const missingHelp = 'Events from other nodes that this node knows of but has not received yet.';
  gauge('grantlog_log_missing_events', missingHelp, () => counts().missingEvents);
  const failureHelp = 'Failed connections to the storage, and appends whose outcome was unknown at their deadline.';
  const countsByKind = () => ({ reconnect: counts().reconnects, unknown_outcome: counts().unknownOutcomes });
  registerCounter('grantlog_log_connection_failures_total', failureHelp, 'kind', countsByKind, registry);
}

function exposeHashQueues(registry: Registry, read: ServiceState['passwordHashQueues']): void {
  const registers = [registry];
  const waitingHashes = new Gauge({
    name: 'grantlog_password_hashes_waiting',
    help: 'Password hashes waiting, by algorithm and class.',
    labelNames: ['algorithm', 'class'],
    registers,
    collect() {
      for (const [algorithm, queue] of Object.entries(read())) {
        for (const [hashClass, count] of Object.entries(queue.waiting))
          waitingHashes.set({ algorithm, class: hashClass }, count);
      }
    },
  });
  const refusals = new Counter({
    name: 'grantlog_password_hash_refusals_total',
    help: 'Password hashes refused because too many were waiting, by reason.',
    labelNames: ['algorithm', 'reason'],
    registers,
    collect() {
      refusals.reset();
      for (const [algorithm, queue] of Object.entries(read())) {
        for (const [reason, count] of Object.entries(queue.refusals)) refusals.inc({ algorithm, reason }, count);
      }
    },
  });
}

/** Registers a counter whose values `read` returns. */
function registerCounter(
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>>,
  registry: Registry,
): void {
  const counter: Counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [value, count] of Object.entries(read())) counter.inc({ [label]: value }, count);
    },
  });
}
