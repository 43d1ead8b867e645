import { expect } from 'chai';
import fc from 'fast-check';
import { aRequest, aRequestTo, type FuzzRequest } from '../support/fuzz-requests.ts';
import { startFuzzTarget, type FuzzTarget } from '../support/fuzz-target.ts';
import type { Sender } from '../support/fuzz-values.ts';

/**
 * The number of random requests to each route. As many again go to random routes.
 * `.ci/run` runs `scripts/fuzz-drill.ts` with larger numbers.
 */
const REQUESTS_PER_ROUTE = 1;
const INSIDER_COUNT = 8; // Insiders spend their tokens, log out and remove their clients.
const BATCHES_PER_INSIDER = 8;
const BATCH_SIZE = 20;
const TIMEOUT_MS = 180_000;

for (const settings of [{}, { jsonTokenRequests: true, signup: 'open' as const }]) {
  describe(`Random requests, with ${Object.keys(settings).join(' and ') || 'the sample configuration'}`, () => {
    let target: FuzzTarget;

    before(async () => {
      target = await startFuzzTarget(settings);
    });
    after(() => target.close()); // Fails if anything unexpected was logged.

    async function expectSurvival(
      requests: fc.Arbitrary<readonly FuzzRequest[]>,
      numRuns: number,
      check: () => void,
    ): Promise<void> {
      const send = fc.asyncProperty(requests, async (batch) => {
        await target.send(batch);
        check();
      });
      await fc.assert(send, { numRuns, endOnFailure: true }); // Shrinking a batch of twenty is not worth the time.
      expect((await target.running.get('/readyz')).status).to.equal(200);
    }

    const randomRequests = (sender: Sender, count: number): fc.Arbitrary<FuzzRequest[]> =>
      fc.array(aRequest(target.routes, sender), { minLength: count, maxLength: count });

    it('from unauthenticated callers to every route cause no internal error, and append no events', async function () {
      this.timeout(TIMEOUT_MS);
      const { log } = target.running;
      const head = log.head();
      // If sign-up is open, a session with the page's token could create an account.
      const stranger = 'signup' in settings ? { ...target.stranger, headers: ['Accept: */*'] } : target.stranger;
      for (let start = 0; start < target.routes.length; start += BATCH_SIZE / 2) {
        const routes = target.routes.slice(start, start + BATCH_SIZE / 2);
        const batches = fc
          .tuple(
            fc.tuple(...routes.map((route) => aRequestTo(route, stranger))),
            randomRequests(stranger, BATCH_SIZE / 2),
          )
          .map((batch) => batch.flat());
        await expectSurvival(batches, REQUESTS_PER_ROUTE, () => expect(log.head()).to.equal(head));
      }
    });

    it('from users and clients cause no internal error', async function () {
      this.timeout(TIMEOUT_MS);
      for (let count = 0; count < INSIDER_COUNT; count += 1)
        await expectSurvival(randomRequests(await target.insider(), BATCH_SIZE), BATCHES_PER_INSIDER, () => {});
    });
  });
}

describe('The route list for random requests', () => {
  it('contains routes with parameters and wildcards, and the methods of each route', async () => {
    const { routes, close } = await startFuzzTarget();
    await close();
    expect(routes.map(({ path }) => path)).to.include.members([
      '/',
      '/o/token',
      '/o/log/tile/*path',
      '/o/applications/:id/update',
      '/users/:pk',
    ]);
    expect(routes.find(({ path }) => path === '/o/authorize')?.methods).to.have.members(['HEAD', 'GET', 'POST']);
  });
});
