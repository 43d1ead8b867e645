import { expect } from 'chai';
import type { RootHookObject } from 'mocha';
import { searchedOutput } from './watched-output.ts';

/** Mocha ignores unhandled rejections, but they would crash a server. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/**
 * Hooks around all tests. Mocha's parallel mode is not used, because the failures of a worker that crashes between two
 * files get lost, and the run is green.
 */
export const mochaHooks: RootHookObject = {
  afterAll: function checkPrintedOutput() {
    expect(searchedOutput().found, 'credentials in the output of the servers').to.deep.equal([]);
  },
};
