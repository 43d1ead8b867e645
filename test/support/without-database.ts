import { expect } from 'chai';

/** The parts of a command line for databases and for copying logs, in tests of commands that use none of them. */
export const withoutDatabase = {
  migrate: () => expect.fail('no database to migrate'),
  openCopySource: () => expect.fail('no log to copy'),
  openCopyTarget: () => expect.fail('no log to copy'),
  copyKeys: () => expect.fail('no log to copy'),
  examineDatabase: () => expect.fail('no database to examine'),
  changeKeys: () => expect.fail('no keys to change'),
  listNodes: () => expect.fail('no database to examine'),
};
