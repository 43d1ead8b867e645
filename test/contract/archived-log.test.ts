import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import type { EventLog } from '../../src/event-store/event-log.ts';
import { archiveAll } from '../support/archiving.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { openTestLog } from '../support/postgres/open-log.ts';
import { describeEventLog } from './event-log.contract.ts';

/** Small, so that archives divide streams at any event and usually contain most of the log. */
const APPENDS_BETWEEN_ARCHIVES = 12;

/** Archiving waits for the disk several times, and each run of the model archives often. */
const OPTIONS = { isDurable: true, modelRuns: 10 };

describe('LevelDB engine with an archive', function () {
  this.timeout(240_000); // archiving waits for the disk several times

  let parent: string;
  let directories = 0;

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'grantlog-'));
  });
  after(() => rm(parent, { recursive: true }));

  const kinds = [
    { name: 'with reusable stream names', isNeverReused: () => false },
    { name: 'forgetting streams whose names are never reused', isNeverReused: (stream: string) => stream !== 's' },
  ];
  for (const { name, isNeverReused } of kinds) {
    describeEventLog(
      `LevelDB, archived repeatedly, ${name}`,
      async () => {
        const directory = join(parent, String((directories += 1)));
        const open = (): Promise<EventLog> =>
          openLevelLog({
            location: join(directory, 'log'),
            archiving: { directory: join(directory, 'archive'), isNeverReused },
          });
        const log = withFrequentArchiving(await open());
        return {
          log,
          async reopen() {
            await log.close();
            const reopenedLog = await open();
            await archiveAll(reopenedLog);
            return withFrequentArchiving(reopenedLog);
          },
        };
      },
      OPTIONS,
    );
  }
});

describe('PostgreSQL engine with an archive', function () {
  this.timeout(240_000);
  let parent: string;
  let directories = 0;

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'grantlog-'));
  });
  after(() => rm(parent, { recursive: true }));

  describeEventLog(
    'PostgreSQL, archived repeatedly',
    async () => {
      const [url, archiveDirectory] = [await createDatabase(), join(parent, String((directories += 1)))];
      const log = withFrequentArchiving(await openTestLog(url, { archiveDirectory }));
      return {
        log,
        async reopen() {
          await log.close();
          const reopenedLog = await openTestLog(url, { archiveDirectory });
          await archiveAll(reopenedLog);
          return withFrequentArchiving(reopenedLog);
        },
      };
    },
    OPTIONS,
  );
});

/** Some appends resolve only after all earlier events have been archived. Other appends continue in the meantime. */
function withFrequentArchiving(log: EventLog): EventLog {
  let appendCount = 0;
  return {
    ...log,
    async append(...append) {
      const result = await log.append(...append);
      appendCount += 1;
      if (appendCount % APPENDS_BETWEEN_ARCHIVES === 0) await archiveAll(log);
      return result;
    },
  };
}
