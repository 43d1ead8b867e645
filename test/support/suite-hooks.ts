import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { RootHookObject } from 'mocha';
import { watched } from './watched-output.ts';

/** Mocha takes no notice of a promise that is rejected while nobody looks; Node would end a server for it. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

/** What a file's last test leaves behind is thrown by then: a process without a test would end unnoticed. */
const AFTERMATH_MS = 20;

/** What mocha runs around each file; files run in more than one process, and each process has its own servers. */
export const mochaHooks: RootHookObject = {
  afterAll: async function nothingPrintedHasACredentialInIt() {
    await setTimeout(AFTERMATH_MS);
    expect(watched().found, 'credentials in what the servers of the suite printed').to.deep.equal([]);
  },
};
