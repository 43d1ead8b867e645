import { join } from 'node:path';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import type { EventToAppend } from '../../src/event-store/event-log.ts';
import { archiveAll } from './archiving.ts';
import { openTestLog } from './postgres/open-log.ts';
import { readWholeStream } from './whole-stream.ts';

/**
 * A process that appends and archives until it is killed, and reports its progress after each step. Its log is in a
 * directory or, if there is a second argument, in the database at that URL.
 */
const [, , dataDir = '', url] = process.argv;
const archiveDirectory = join(dataDir, 'archive');
const log =
  url === undefined
    ? await openLevelLog({
        location: join(dataDir, 'log'),
        archiving: { directory: archiveDirectory, isNeverReused: (stream) => stream.startsWith('grant-') },
      })
    : await openTestLog(url, { archiveDirectory, isMigrated: true });
const event: EventToAppend = {
  type: 'Happened',
  version: 1,
  recordedAt: 1_700_000_000_000,
  actor: { kind: 'server' },
  requestId: null,
  data: { filling: 'x'.repeat(200) },
};
for (;;) {
  const headBefore = log.head();
  const archival = archiveAll(log);
  for (let i = 0; i < 10; i += 1) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const stream = index === 0 ? 'user-a' : `grant-${headBefore}-${i}-${index}`;
        await log.append(stream, index === 0 ? (await readWholeStream(log, stream)).revision : 'no-stream', [
          event,
          event,
        ]);
      }),
    );
    process.stdout.write(`${log.head()}\n`);
  }
  await archival;
}
