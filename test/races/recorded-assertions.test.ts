import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLevelLog } from '../../src/event-store/engines/level.ts';
import { LogUnavailable } from '../../src/event-store/event-log.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../support/assertions.ts';
import { FailingLevel } from '../support/failing-level.ts';
import { createGate, type Gate } from '../support/gate.ts';
import { GatedLevel } from '../support/gated-level.ts';
import { startRacingService } from '../support/racing-service.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';

const KEY = keyPairFor('ES256');

/** Authenticated requests: one that records events, one that records none, and one that is refused. */
const REQUESTS: Readonly<Record<string, readonly [path: string, parameters: Readonly<Record<string, string>>]>> = {
  'a token': ['/o/token/', { grant_type: 'client_credentials' }],
  introspection: ['/o/introspect/', { token: 'unknown' }],
  'a refusal': ['/o/token/', { grant_type: 'client_credentials', scope: 'unheard-of' }],
};

describe('The response to a request with a client assertion', () => {
  let directory: string;
  let disk: GatedLevel | FailingLevel;
  let writeGate: Gate;
  let running: RunningService;
  let client: TestClient;

  async function start(open: (location: string) => GatedLevel | FailingLevel): Promise<void> {
    disk = open(join(directory, 'log'));
    await disk.open();
    running = await runningService({ log: await createLevelLog(disk) });
    client = await running.addClient({ grantTypes: ['client-credentials'] });
    await registerKeys(running, client, KEY);
  }

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-assertions-'));
    writeGate = createGate();
  });
  afterEach(async () => {
    await running.close().catch((error: unknown) => {
      // Failed writes are expected; other failures are not.
      for (const failure of running.unexpected) if (!(failure instanceof LogUnavailable)) throw error;
    });
    rmSync(directory, { recursive: true });
  });

  const send = async (name: string): Promise<TestResponse> => {
    const [path, parameters = {}] = REQUESTS[name] ?? [''];
    return running.post(path, { ...parameters, ...withAssertion(await signAssertion(running, client, KEY)) });
  };

  for (const name of Object.keys(REQUESTS)) {
    it(`is sent only after the acceptance of the assertion is on disk: ${name}`, async () => {
      await start((location) => new GatedLevel(location, writeGate));
      const heldWrite = writeGate.hold();
      let hasResponded = false;
      const pendingResponse = send(name).finally(() => (hasResponded = true));
      await heldWrite.reached;
      for (let request = 0; request < 10; request += 1) await running.get('/healthz');
      expect(hasResponded).to.equal(false);
      heldWrite.release();
      expect((await pendingResponse).status).to.equal(name === 'a refusal' ? 400 : 200);
    });

    it(`is an error if the acceptance of the assertion cannot be stored: ${name}`, async () => {
      const failingDisk = new FailingLevel(join(directory, 'log'));
      await start(() => failingDisk);
      failingDisk.writeError = new Error('the disk is gone');
      expect((await send(name)).status).to.equal(503);
    });
  }
});

describe('The acceptance of a client assertion', () => {
  it('shares the next write with the token if another write is in progress', async () => {
    const racing = await startRacingService();
    const { running } = racing;
    try {
      const [client, otherClient] = [await running.addClient(), await running.addClient()];
      await registerKeys(running, client, KEY);
      const request = { grant_type: 'client_credentials' };
      const assertion = await signAssertion(running, client, KEY);
      const [response, otherResponse] = await racing.runBehind(
        () => running.post('/o/token/', request, { authorization: otherClient.basic }),
        /^grant-/,
        () => running.post('/o/token/', { ...request, ...withAssertion(assertion) }),
      );
      expect([response.status, otherResponse.status]).to.deep.equal([200, 200]);
    } finally {
      await racing.close();
    }
  });
});
