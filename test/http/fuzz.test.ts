import { expect } from 'chai';
import fc from 'fast-check';
import { aRequest } from '../support/fuzz-requests.ts';
import { fuzzTarget, type FuzzTarget } from '../support/fuzz-target.ts';
import type { Sender } from '../support/fuzz-values.ts';

/** So many that random requests hardly ever miss one of the routes: less than once in a thousand runs. */
const REQUESTS_PER_ROUTE = 20;
const REQUESTS_OF_INSIDERS = 1_600;
const INSIDERS = 10; // they spend their tokens, log out and remove their client
const AT_ONCE = 20;
const PATIENCE_MILLISECONDS = 180_000;

for (const settings of [{}, { jsonTokenRequests: true, signup: 'open' as const }]) {
  describe(`random requests, with ${Object.keys(settings).join(' and ') || 'the sample configuration'}`, () => {
    let target: FuzzTarget;

    before(async () => {
      target = await fuzzTarget(settings);
    });
    after(() => target.close()); // fails if anything unexpected was logged

    async function survives(sender: Sender, count: number, check: () => void): Promise<ReadonlySet<string | null>> {
      const requestedRoutes = new Set<string | null>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(aRequest(target.routes, sender), { minLength: AT_ONCE, maxLength: AT_ONCE }),
          async (requests) => {
            for (const { route } of requests) requestedRoutes.add(route);
            await target.send(requests);
            check();
          },
        ),
        { numRuns: Math.ceil(count / AT_ONCE), endOnFailure: true },
      ); // twenty at once are not worth shrinking
      expect((await target.running.get('/readyz')).status).to.equal(200);
      return requestedRoutes;
    }

    it('from unauthenticated callers are refused or cut off, and append nothing', async function () {
      this.timeout(PATIENCE_MILLISECONDS);
      const { log } = target.running;
      const head = log.head();
      // where sign-up is open, a session with the page's token could create an account
      const stranger = 'signup' in settings ? { ...target.stranger, headers: ['Accept: */*'] } : target.stranger;
      const requestedRoutes = await survives(stranger, target.routes.length * REQUESTS_PER_ROUTE, () =>
        expect(log.head()).to.equal(head),
      );
      expect([...requestedRoutes]).to.include.members(target.routes.map(({ path }) => path));
    });

    it('from users and clients cause no internal error', async function () {
      this.timeout(PATIENCE_MILLISECONDS);
      for (let count = 0; count < INSIDERS; count += 1)
        await survives(await target.insider(), REQUESTS_OF_INSIDERS / INSIDERS, () => {});
    });
  });
}

describe('the list of routes for random requests', () => {
  it('contains every route of the application, with parameters and wildcards', async () => {
    const { routes, close } = await fuzzTarget();
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
