import { Level } from 'level';
import type { Gate } from './gate.ts';

interface ChainedBatch {
  write(options: { readonly sync?: boolean }): Promise<void>;
}

/** A database whose writes pass a gate: while one is held, its events are decided but not durable. */
export class HeldLevel extends Level {
  constructor(location: string, writing: Gate) {
    super(location);
    const begin = super.batch.bind(this) as () => ChainedBatch; // of its overloads the one the log calls
    Object.assign(this, {
      batch() {
        const batch = begin();
        const write = batch.write.bind(batch);
        return Object.assign(batch, {
          write: async (options: { readonly sync?: boolean }) => {
            await writing.pass();
            await write(options);
          },
        });
      },
    });
  }
}
