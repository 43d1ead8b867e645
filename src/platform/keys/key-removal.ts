/** An erasure or removal is recorded, but the key that goes with it is still in its file. Retried; see `KeyRemoval`. */
export class KeyStillStored extends Error {
  override readonly name = 'KeyStillStored';

  readonly owner: string;

  /** @param owner such as "account" */
  constructor(owner: string) {
    super(
      `the end of the ${owner} is recorded, but its key could not be removed from the disk yet; ` +
        'the server tries again each second, and when it starts',
    );
    this.owner = owner;
  }
}

/** Destroys keys whose owner is gone, as often as it takes: the disk may be full when it is first tried. */
export interface KeyRemoval<Id extends string> {
  /** @returns whether the keys are destroyed. If not, this is tried again each second. Never throws. */
  destroy(...ids: readonly Id[]): boolean;
  /** Tries a last time, if keys are left. The next start goes on with it. */
  close(): void;
}

const RETRY_MILLISECONDS = 1_000;

/**
 * @param destroy may throw; is repeated then
 * @param tidy follows the last key, and is repeated likewise
 * @param file the path of the key file, for messages
 * @param notice receives a line when the file cannot be written, and when it can be again
 */
export function createKeyRemoval<Id extends string>({
  destroy,
  tidy,
  file,
  notice,
}: {
  readonly destroy: (id: Id) => void;
  readonly tidy: () => void;
  readonly file: string;
  readonly notice: (line: string) => void;
}): KeyRemoval<Id> {
  const waiting = new Set<Id>();
  let retries: NodeJS.Timeout | undefined;

  function attempt(): boolean {
    try {
      for (const id of waiting) {
        destroy(id);
        waiting.delete(id);
      }
      tidy();
    } catch (error) {
      retryAfter(error);
      return false;
    }
    if (retries !== undefined) notice(`${file} is written again: the keys that had to be destroyed are destroyed`);
    stopRetries();
    return true;
  }

  function retryAfter(error: unknown): void {
    if (retries !== undefined) return;
    const failure = `${file} could not be written (${String(error)})`;
    notice(`${failure}; it still has keys that have to be destroyed: this is tried again each second`);
    retries = setInterval(attempt, RETRY_MILLISECONDS).unref();
  }

  function stopRetries(): void {
    clearInterval(retries);
    retries = undefined;
  }

  return {
    destroy(...ids) {
      for (const id of ids) waiting.add(id);
      return attempt();
    },
    close() {
      if (retries !== undefined) attempt();
      stopRetries();
    },
  };
}
