import { expect } from 'chai';
import type { RootHookObject } from 'mocha';
import { watched } from './watched-output.ts';

/** Mocha takes no notice of a promise that is rejected while nobody looks; Node would end a server for it. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/**
 * What mocha runs around all tests of all files. They run in one process: of mocha's parallel ones, one that breaks down between
 * two files takes its failures with it, and the run is green.
 */
export const mochaHooks: RootHookObject = {
  afterAll: function nothingPrintedHasACredentialInIt() {
    expect(watched().found, 'credentials in what the servers of the suite printed').to.deep.equal([]);
  },
};
