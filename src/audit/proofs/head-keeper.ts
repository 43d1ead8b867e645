import type { HeadStore, RecordedHead } from './head-file.ts';

/**
 * The head is recorded at most this long after an event, plus the duration of the write. The cost is not measurable
 * with `npm run bench -- --quick --rows client_credentials`.
 */
const INTERVAL_MILLISECONDS = 250;

const CONSEQUENCE = 'until this is fixed, the server cannot detect at startup that the newest events are missing';

/** Records the head soon after the log has grown. No request waits for the write. */
export interface HeadKeeper {
  /** Schedules a write. Must be called whenever the log or the list of checkpoints has grown. */
  schedule(): void;
  /** Records the current head. Resolves when the head is durable or the write has failed. */
  flush(): Promise<void>;
  /** Returns the number of failed writes since startup. */
  failures(): number;
}

/**
 * Creates a head keeper that writes to `store`.
 * @param notice receives a line when writes begin to fail, and when they succeed again
 */
export function createHeadKeeper({
  store,
  currentHead,
  notice,
}: {
  readonly store: HeadStore;
  readonly currentHead: () => RecordedHead;
  readonly notice: (line: string) => void;
}): HeadKeeper {
  let timer: NodeJS.Timeout | undefined;
  let lastWrite: Promise<void> = Promise.resolve();
  let failures = 0;
  let isFailing = false;

  async function record(): Promise<void> {
    timer = undefined;
    try {
      await store.write(currentHead());
      if (isFailing) notice(`${store.name} can be written again`);
      isFailing = false;
    } catch (error) {
      failures += 1;
      if (!isFailing) notice(`${store.name} could not be written (${String(error)}); ${CONSEQUENCE}`);
      isFailing = true;
      schedule(); // retry
    }
  }

  function recordNext(): Promise<void> {
    lastWrite = lastWrite.then(record);
    return lastWrite;
  }

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void recordNext(), INTERVAL_MILLISECONDS).unref();
  }

  return {
    schedule,
    async flush() {
      cancel();
      await recordNext();
      cancel(); // cancels the retry that a failed write has scheduled
    },
    failures: () => failures,
  };
}
