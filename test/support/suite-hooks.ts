import { expect } from 'chai';
import type { RootHookObject } from 'mocha';
import { watched } from './watched-output.ts';

/** Mocha ignores an unhandled rejection; Node would end a server for it. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/**
 * Hooks around all tests. Mocha's parallel mode is not used: a worker that crashes between two files loses its
 * failures, and the run is green.
 */
export const mochaHooks: RootHookObject = {
  afterAll: function nothingPrintedHasACredentialInIt() {
    expect(watched().found, 'credentials in what the servers of the suite printed').to.deep.equal([]);
  },
};
