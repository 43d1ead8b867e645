import { LogUnavailable } from '../event-log.ts';
import type { AppendResult, RecordedEvent } from '../event-log.ts';

/** Bounds what one fsync carries, and with it the memory and the event loop time that one commit takes. */
const MAX_COMMIT_EVENTS = 4096;

export interface GroupCommit {
  /** Resolves once `events`, which were recorded in the order of the log, are durable and announced. */
  commit(events: readonly RecordedEvent[]): Promise<AppendResult>;
  /** Resolves when nothing is waiting and nothing in flight; new commits may still follow. */
  idle(): Promise<void>;
  /** Set once a write or an announcement has failed: nothing is written any more. */
  readonly failure: LogUnavailable | undefined;
}

export interface GroupCommitParts {
  /** Writes the appends as one atomic unit; resolves when they are durable. */
  readonly write: (appends: readonly (readonly RecordedEvent[])[]) => Promise<void>;
  /** Told synchronously, in order, before the appends are answered. Throwing stops everything. */
  readonly announce: (events: readonly RecordedEvent[]) => void;
  /** Told once, before the appends that failed are answered. */
  readonly onFailed: (failure: LogUnavailable, cause: Error) => void;
  readonly observer?: CommitObserver | undefined;
}

/** Who measures: told of each write as it begins and, before its appends are answered, that it is durable. Must not throw. */
export interface CommitObserver {
  onBegin(): void;
  onDurable(appends: number, events: number): void;
}

interface PendingCommit {
  readonly events: readonly RecordedEvent[];
  resolve(appended: AppendResult): void;
  reject(failure: LogUnavailable): void;
}

/**
 * One writer, one write in flight: what arrives meanwhile goes with the next one. Waiting for the write
 * in flight, rather than starting another, is what makes the groups large and the fsyncs few.
 */
export function createGroupCommit({ write, announce, onFailed, observer }: GroupCommitParts): GroupCommit {
  let waiting: PendingCommit[] = [];
  let running = Promise.resolve();
  let busy = false;
  let failure: LogUnavailable | undefined;

  async function run(): Promise<void> {
    await Promise.resolve(); // appends made in the same breath share the first write too
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        observer?.onBegin();
        await write(group.map(({ events }) => events));
        const events = group.length === 1 ? (group[0]?.events ?? []) : group.flatMap((append) => append.events);
        observer?.onDurable(group.length, events.length);
        announce(events);
      } catch (cause) {
        fail(cause, [...group, ...waiting]);
        return;
      }
      for (const append of group) append.resolve(appendResult(append.events));
    }
    busy = false;
  }

  function takeGroup(): readonly PendingCommit[] {
    let events = 0;
    let size = 0;
    for (; size < waiting.length && events < MAX_COMMIT_EVENTS; size += 1) events += waiting[size]?.events.length ?? 0;
    const group = waiting.slice(0, size);
    waiting = waiting.slice(size);
    return group;
  }

  function fail(thrown: unknown, unanswered: readonly PendingCommit[]): void {
    const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
    failure = new LogUnavailable('the log has failed and takes no more appends', { cause });
    waiting = [];
    onFailed(failure, cause);
    for (const append of unanswered) append.reject(failure);
  }

  return {
    get failure() {
      return failure;
    },
    commit(events) {
      if (failure !== undefined) return Promise.reject(failure);
      const answer = new Promise<AppendResult>((resolve, reject) => waiting.push({ events, resolve, reject }));
      if (!busy) {
        busy = true;
        running = run();
      }
      return answer;
    },
    idle: () => running,
  };
}

function appendResult(events: readonly RecordedEvent[]): AppendResult {
  const last = events.at(-1);
  if (last === undefined) throw new RangeError('an append needs at least one event');
  return { revision: last.revision, position: last.position };
}
