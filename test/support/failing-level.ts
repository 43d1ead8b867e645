import { Level } from 'level';

interface ChainedBatch {
  write(options: { readonly sync?: boolean }): Promise<void>;
}

/** A database whose writes fail while `failing` is set: either at once, or after they have reached the disk. */
export class FailingLevel extends Level {
  failing: Error | undefined;
  /** Whether a failing write is stored anyway, as if only the response of the disk was lost. */
  storesWhatFails = false;

  constructor(location: string) {
    super(location);
    const begin = super.batch.bind(this) as () => ChainedBatch; // of its overloads the one the log calls
    Object.assign(this, { batch: () => this.#watched(begin()) });
  }

  #watched(batch: ChainedBatch): ChainedBatch {
    const write = batch.write.bind(batch);
    return Object.assign(batch, {
      write: async (options: { readonly sync?: boolean }) => {
        const { failing } = this;
        if (failing === undefined || this.storesWhatFails) await write(options);
        if (failing !== undefined) throw failing;
      },
    });
  }
}
