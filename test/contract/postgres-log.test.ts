import { openTestLog } from '../support/postgres/open-log.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { describeEventLog } from './event-log.contract.ts';

describeEventLog(
  'PostgreSQL',
  async () => {
    const url = await createDatabase();
    let log = await openTestLog(url);
    return {
      log,
      async reopen() {
        await log.close();
        log = await openTestLog(url);
        return log;
      },
    };
  },
  { isDurable: true },
);
