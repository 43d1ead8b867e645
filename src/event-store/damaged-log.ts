import type { EventLog, LogDamaged, Subscription } from './event-log.ts';

/** Returns a replacement for a log that cannot be opened. Everything that depends on its events throws `damage`. */
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
      throw damage; // its end is unknown
    },
    failed: Promise.resolve(damage),
    close: async () => {},
  };
}
