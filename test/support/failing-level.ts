import { Level } from 'level';

interface ChainedBatch {
  write(options: { readonly sync?: boolean }): Promise<void>;
}

/** A database whose writes fail while `writeError` is set, either immediately or after they have reached the disk. */
export class FailingLevel extends Level {
  writeError: Error | undefined;
  /** Whether a failing write is stored anyway, as if only the disk's confirmation were lost. */
  storesFailedWrites = false;

  constructor(location: string) {
    super(location);
    const createBatch = super.batch.bind(this) as () => ChainedBatch; // the overload that the log calls
    Object.assign(this, { batch: () => this.#makeFailing(createBatch()) });
  }

  #makeFailing(batch: ChainedBatch): ChainedBatch {
    const write = batch.write.bind(batch);
    return Object.assign(batch, {
      write: async (options: { readonly sync?: boolean }) => {
        const { writeError } = this;
        if (writeError === undefined || this.storesFailedWrites) await write(options);
        if (writeError !== undefined) throw writeError;
      },
    });
  }
}
