import { openTestLog } from '../support/postgres/open-log.ts';
import { newDatabase } from '../support/postgres/cluster.ts';
import { describeEventLog } from './event-log.contract.ts';

describeEventLog(
  'PostgreSQL',
  async () => {
    const url = await newDatabase();
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
