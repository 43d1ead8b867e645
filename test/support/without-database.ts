import { expect } from 'chai';

/** Fails a test of a command that must not use databases, keys or copies of logs if it does. */
export const withoutDatabase = {
  migrate: () => expect.fail('no database to migrate'),
  openCopySource: () => expect.fail('no log to copy'),
  openCopyTarget: () => expect.fail('no log to copy'),
  copyKeys: () => expect.fail('no log to copy'),
  examineDatabase: () => expect.fail('no database to examine'),
  changeKeys: () => expect.fail('no keys to change'),
  listNodes: () => expect.fail('no database to examine'),
};
