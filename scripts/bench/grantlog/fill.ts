import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDirectory } from '../../../src/composition/data-directory.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import type { EventLog } from '../../../src/event-store/event-log.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';
import { createTokenEvent } from '../../token-event.ts';
import { BENCH_DATA_FILE } from './filled-directory.ts';
import { createBenchData, openBenchService } from './bench-data.ts';

/**
 * Fills a data directory in a separate process, to limit the benchmark's memory use. The directory gets its name only
 * when it is complete.
 */

/** The maximum number of appends per commit. */
const BATCH_SIZE = 4_096;
/** Issuing this many takes about a minute. */
const TOKENS_PER_REPORT = 1_000_000;

const entropy = systemEntropy();

/** Appends the events of the client credentials grant directly to the log, without projections. */
async function issueTokens(log: EventLog, clientId: ClientId, count: number): Promise<void> {
  const issueOne = async (): Promise<void> => {
    const { stream, event } = createTokenEvent(clientId, entropy);
    await log.append(stream, 'no-stream', [event]);
  };
  for (let issuedCount = 0; issuedCount < count; issuedCount += BATCH_SIZE) {
    if (issuedCount % TOKENS_PER_REPORT < BATCH_SIZE) console.error(`issued ${issuedCount} of ${count} tokens`);
    await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, count - issuedCount) }, issueOne));
  }
}

const [dataDir = '', tokens = ''] = process.argv.slice(2);
const temporary = `${dataDir}.growing`;
rmSync(temporary, { recursive: true, force: true });
const benchData = await createBenchData(temporary, 0);
const { log } = await openDataDirectory({ dataDir: temporary, keys: null }, { entropy, notice: console.error });
await issueTokens(log, benchData.clientId as ClientId, Number(tokens));
await log.close();
await (await openBenchService(temporary)).close(); // writes tiles and snapshots
writeFileSync(join(temporary, BENCH_DATA_FILE), JSON.stringify(benchData));
renameSync(temporary, dataDir);
