import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFromSettings } from '../../src/config/config.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { quickHasher } from './quick-hasher.ts';
import { seededEntropy } from './seeded-entropy.ts';

/** Starts services on data directories, and counts them. */
export interface Starter {
  start(dataDir: string, clock?: ManualClock): Promise<Service>;
  /** Returns how many services have been started. */
  count(): number;
  /** Returns the latest service's notices for the operator. */
  notices(): readonly string[];
}

export function createStarter(snapshotEvents = 1_000): Starter {
  let count = 0;
  let notices: string[] = [];
  return {
    start(dataDir, clock = manualClock()) {
      notices = [];
      count += 1;
      return openService(configFromSettings({ dataDir, snapshotEvents }), {
        clock,
        entropy: seededEntropy(count),
        hasher: quickHasher,
        issuer: () => 'http://localhost:8000',
        notice: (line) => void notices.push(line),
      });
    },
    count: () => count,
    notices: () => notices,
  };
}

/** Returns the first file in `directory` whose name matches. */
export function findFile(directory: string, pattern: RegExp): string {
  const fileName = readdirSync(directory).find((name) => pattern.test(name));
  if (fileName === undefined) throw new Error(`${directory} has no file ${pattern}`);
  return join(directory, fileName);
}

/** Returns the path of LevelDB's write-ahead log in a data directory. */
export const findWriteAheadLog = (dataDir: string): string => findFile(join(dataDir, 'log'), /\.log$/);

/** A record as a power failure during a write to a write-ahead log can leave it: its pages contain zeros. */
export const INCOMPLETE_WRITE = Buffer.concat([Buffer.from([1, 2, 3, 4, 100, 0, 1]), Buffer.alloc(100)]);

export function flipBit(path: string, offset: number, bit = 0): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << bit), offset); // throws if there is no such byte
  writeFileSync(path, bytes);
}

/** Reads the position recorded next to the log. */
export function readRecordedHead(dataDir: string): number {
  const copies = readFileSync(join(dataDir, 'log.head'), 'latin1').trimEnd().split('\n');
  return Math.max(...copies.map((copy) => (JSON.parse(copy) as { readonly position: number }).position));
}

/** Waits until the service has recorded this position as its head, which takes up to a quarter of a second. */
export async function waitUntilRecorded(dataDir: string, position: number): Promise<void> {
  while (readRecordedHead(dataDir) < position) await new Promise((resolve) => setImmediate(resolve));
}
