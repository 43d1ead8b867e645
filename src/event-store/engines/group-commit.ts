import { LogUnavailable } from '../event-log.ts';
import type { AppendResult, RecordedEvent } from '../event-log.ts';

/** A commit with this many events takes no further appends. Limits the memory and the event-loop time of a commit. */
const MAX_COMMIT_EVENTS = 4096;

export interface GroupCommit {
  /** Resolves when `events` are durable and delivered. Must be called in the order of positions. */
  commit(events: readonly RecordedEvent[]): Promise<AppendResult>;
  /** Resolves when no write is pending or in flight. New commits may follow. */
  idle(): Promise<void>;
  /** Set after a write or a delivery has failed. Nothing is written after that. */
  readonly failure: LogUnavailable | undefined;
}

export interface GroupCommitDeps {
  /** Writes the appends as one atomic unit. Resolves when they are durable. */
  readonly write: (appends: readonly (readonly RecordedEvent[])[]) => Promise<void>;
  /** Called synchronously and in order, before the appends resolve. If it throws, the log fails. */
  readonly deliver: (events: readonly RecordedEvent[]) => void;
  /** Called once, before the failed appends reject. */
  readonly onFailure: (failure: LogUnavailable, cause: Error) => void;
  readonly observer?: CommitObserver | undefined;
}

/**
 * Measures commits: called when a write begins, and when it is durable but its appends have not resolved yet. Must not
 * throw.
 */
export interface CommitObserver {
  onBegin(): void;
  onDurable(appends: number, events: number): void;
}

interface PendingCommit {
  readonly events: readonly RecordedEvent[];
  resolve(result: AppendResult): void;
  reject(failure: LogUnavailable): void;
}

/**
 * Writes one group of appends at a time. Appends that arrive during a write form the next group, so the groups grow
 * under load and each fsync covers more appends.
 */
export function createGroupCommit({ write, deliver, onFailure, observer }: GroupCommitDeps): GroupCommit {
  let pending: PendingCommit[] = [];
  let currentRun = Promise.resolve();
  let isRunning = false;
  let failure: LogUnavailable | undefined;

  async function run(): Promise<void> {
    await Promise.resolve(); // appends of the same turn share the first write
    while (pending.length > 0) {
      const group = takeGroup();
      try {
        observer?.onBegin();
        await write(group.map(({ events }) => events));
        const events = group.length === 1 ? (group[0]?.events ?? []) : group.flatMap((append) => append.events);
        observer?.onDurable(group.length, events.length);
        deliver(events);
      } catch (cause) {
        fail(cause, [...group, ...pending]);
        return;
      }
      for (const append of group) append.resolve(appendResult(append.events));
    }
    isRunning = false;
  }

  function takeGroup(): readonly PendingCommit[] {
    let events = 0;
    let size = 0;
    for (; size < pending.length && events < MAX_COMMIT_EVENTS; size += 1) events += pending[size]?.events.length ?? 0;
    const group = pending.slice(0, size);
    pending = pending.slice(size);
    return group;
  }

  function fail(error: unknown, unresolvedAppends: readonly PendingCommit[]): void {
    const cause = error instanceof Error ? error : new Error(String(error));
    failure = new LogUnavailable('the log has failed and accepts no more appends', { cause });
    pending = [];
    onFailure(failure, cause);
    for (const append of unresolvedAppends) append.reject(failure);
  }

  return {
    get failure() {
      return failure;
    },
    commit(events) {
      if (failure !== undefined) return Promise.reject(failure);
      const result = new Promise<AppendResult>((resolve, reject) => pending.push({ events, resolve, reject }));
      if (!isRunning) {
        isRunning = true;
        currentRun = run();
      }
      return result;
    },
    idle: () => currentRun,
  };
}

function appendResult(events: readonly RecordedEvent[]): AppendResult {
  const lastEvent = events.at(-1);
  if (lastEvent === undefined) throw new RangeError('an append needs at least one event');
  return { revision: lastEvent.revision, position: lastEvent.position };
}
