/** Thrown if an erasure or removal has been recorded, but the key is still stored. `KeyRemoval` retries. */
export class KeyStillStoredError extends Error {
  override readonly name = 'KeyStillStoredError';

  readonly owner: string;

  /** @param owner what the key belongs to, such as "account" */
  constructor(owner: string) {
    super(
      `the removal of the ${owner} has been recorded, but its key could not be destroyed yet; ` +
        'the server retries every second and at the next startup',
    );
    this.owner = owner;
  }
}

/** Destroys the keys of erased accounts and removed clients. Retries after failures, such as a full disk. */
export interface KeyRemoval<Id extends string> {
  /** Resolves with true if all keys have been destroyed. Otherwise, retries every second. Never rejects. */
  destroy(...ids: readonly Id[]): Promise<boolean>;
  /** Tries one last time if keys remain. If that fails, the removal continues at the next startup. */
  close(): Promise<void>;
}

const RETRY_MILLISECONDS = 1_000;

/**
 * Creates a removal that retries until every key is destroyed.
 * @param destroy retried if it throws
 * @param tidy runs after the last key is destroyed; also retried if it throws
 * @param location where the keys are stored, for messages
 * @param notice receives a line when the keys cannot be destroyed, and when they have been destroyed after all
 */
export function createKeyRemoval<Id extends string>({
  destroy,
  tidy,
  location,
  notice,
}: {
  readonly destroy: (id: Id) => Promise<void>;
  readonly tidy: () => Promise<void>;
  readonly location: string;
  readonly notice: (line: string) => void;
}): KeyRemoval<Id> {
  const pendingIds = new Set<Id>();
  let retryTimer: NodeJS.Timeout | undefined;

  async function attempt(): Promise<boolean> {
    try {
      for (const id of pendingIds) {
        await destroy(id);
        pendingIds.delete(id);
      }
      await tidy();
    } catch (error) {
      startRetries(error);
      return false;
    }
    if (retryTimer !== undefined)
      notice(`${location} can be written again; all keys that had to be destroyed have been destroyed`);
    stopRetries();
    return true;
  }

  function startRetries(error: unknown): void {
    if (retryTimer !== undefined) return;
    const failure = `${location} could not be written (${String(error)})`;
    notice(`${failure}; it still contains keys that must be destroyed; retrying every second`);
    retryTimer = setInterval(() => void attempt(), RETRY_MILLISECONDS).unref();
  }

  function stopRetries(): void {
    clearInterval(retryTimer);
    retryTimer = undefined;
  }

  return {
    destroy(...ids) {
      for (const id of ids) pendingIds.add(id);
      return attempt();
    },
    async close() {
      if (retryTimer !== undefined) await attempt();
      stopRetries();
    },
  };
}
