import { expect } from 'chai';

/** Functions that fail the test if the command uses a database, keys or copies of logs. */
export const withoutDatabase = {
  migrate: () => expect.fail('no database to migrate'),
  openCopySource: () => expect.fail('no log to copy'),
  openCopyTarget: () => expect.fail('no log to copy'),
  copyKeys: () => expect.fail('no log to copy'),
  examineDatabase: () => expect.fail('no database to examine'),
  changeKeys: () => expect.fail('no keys to change'),
  listNodes: () => expect.fail('no database to examine'),
};
