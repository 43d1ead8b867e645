import { expect } from 'chai';
import type { RootHookObject } from 'mocha';
import { watched } from './watched-output.ts';

/** What mocha runs around each file; files run in more than one process, and each process has its own servers. */
export const mochaHooks: RootHookObject = {
  afterAll: function nothingPrintedHasACredentialInIt() {
    expect(watched().found, 'credentials in what the servers of the suite printed').to.deep.equal([]);
  },
};
