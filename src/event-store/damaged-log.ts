import type { EventLog, LogDamaged, Subscription } from './event-log.ts';

/** Returns a replacement for a log that cannot be opened. Its methods that need events throw `damage`. */
export function damagedLog(damage: LogDamaged): EventLog {
  const refuse = async (): Promise<never> => {
    throw damage;
  };
  async function* refuseAll(): AsyncGenerator<never, void, void> {
    yield await refuse();
  }
  return {
    append: refuse,
    readStream: refuseAll,
    readStreamBackwards: refuseAll,
    readAll: refuseAll,
    readBackwards: refuseAll,
    subscribe: (): Subscription => ({ ended: refuse(), close: async () => {} }),
    onAppended: () => {},
    head: () => {
      throw damage; // the end of the log is unknown
    },
    failed: Promise.resolve(damage),
    close: async () => {},
  };
}
