import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { CLIENT_KEYS } from '../../src/platform/keys/client-keys.ts';
import { ephemeralKeys } from '../../src/platform/keys/keys.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { systemClock } from '../../src/platform/ports.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { openTestLog } from '../support/postgres/open-log.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const NODE_COUNT = 2;
const PAUSE_MILLISECONDS = 20;
const WRONG_CREDENTIALS = { authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` };

describe('Nodes on one database', () => {
  let nodes: RunningService[];

  beforeEach(async () => {
    const url = await createDatabase();
    const sharedOptions = {
      keys: ephemeralKeys(seededEntropy('shared')),
      personalKeys: PERSONAL_KEYS.inMemory(),
      clientKeys: CLIENT_KEYS.inMemory(),
      clock: { ...systemClock, advance: () => expect.fail(), shift: () => expect.fail() },
      limits: SMALL_LIMITS,
    };
    nodes = [];
    for (let index = 0; index < NODE_COUNT; index += 1) {
      const log = await openTestLog(url, { isMigrated: index > 0 });
      nodes.push(await runningService({ ...sharedOptions, seed: `node ${index}`, log }));
    }
  });
  afterEach(() => Promise.all(nodes.map((node) => node.close())));

  const node = (index: number): RunningService => nodes[index] ?? expect.fail();
  const guess = async (index: number) =>
    node(index).post('/o/token/', { grant_type: 'client_credentials' }, WRONG_CREDENTIALS);

  it("share their counts of failed guesses, and explain each other's refusals", async () => {
    const { max } = SMALL_LIMITS['client-secret-by-client-and-address'];
    let id = '';
    for (let attempt = 0; attempt < max; attempt += 1) {
      const { status, headers } = await guess(0);
      expect(status).to.equal(401);
      id = headers.get('x-request-id') ?? expect.fail();
    }
    const { explanations } = node(1).service();
    while (explanations.find(id) === undefined) await delay(PAUSE_MILLISECONDS);
    expect(explanations.find(id)).to.deep.equal(node(0).service().explanations.find(id));
    while (mayGuess(1)) await delay(PAUSE_MILLISECONDS);
    expect((await guess(1)).status, 'the first attempt at the second node').to.equal(429);
  });

  /** Checks the limit without counting a guess. */
  function mayGuess(index: number): boolean {
    try {
      node(index).service().limits.clientSecrets.attempt({ subject: 'nobody', source: '127.0.0.1' });
      return true;
    } catch {
      return false;
    }
  }
});
