import { Level } from 'level';
import type { Gate } from './gate.ts';

interface ChainedBatch {
  write(options: { readonly sync?: boolean }): Promise<void>;
}

/** A database whose writes wait at a gate. The events of a waiting write have been decided but are not yet durable. */
export class GatedLevel extends Level {
  constructor(location: string, gate: Gate) {
    super(location);
    const createBatch = super.batch.bind(this) as () => ChainedBatch; // the overload that the log calls
    Object.assign(this, {
      batch() {
        const batch = createBatch();
        const write = batch.write.bind(batch);
        return Object.assign(batch, {
          write: async (options: { readonly sync?: boolean }) => {
            await gate.pass();
            await write(options);
          },
        });
      },
    });
  }
}
