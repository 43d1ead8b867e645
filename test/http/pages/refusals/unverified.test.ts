import { expect } from 'chai';
import type { EpochSeconds } from '../../../../src/domain/values.ts';
import { createApp } from '../../../../src/http/app.ts';
import { refusalLocals } from '../../../../src/http/pages/refusals/refusal-locals.ts';
import { toExplanation } from '../../../../src/oauth/refusals/explanations.ts';
import { routesOf } from '../../../support/app-routes.ts';
import { runningService } from '../../../support/running-service.ts';

function isUnverifiedAt(path: string, isProven: boolean): boolean {
  const refusal = { rule: 'parameter-missing', parameter: 'scope' } as const;
  const request = { id: 'r', at: 0 as EpochSeconds, method: 'POST', path, error: null, clientId: 'a' };
  return refusalLocals(toExplanation({ ...request, isProven, refusal })).isUnverified;
}

describe('A refusal of a request that names a client', () => {
  it('is marked as unverified at every route where clients authenticate, unless the client authenticated', async () => {
    const running = await runningService({ settings: { dynamicRegistration: 'open' } });
    const routes = routesOf(createApp(running.service(), { error: () => expect.fail('unexpected error') }));
    const paths = routes.filter(({ authentication }) => authentication === 'client').map(({ path }) => path);
    expect(paths).to.include.members(['/o/token', '/o/par', '/o/device_authorization']);
    for (const path of paths) {
      expect(isUnverifiedAt(`${path}/`, false), path).to.equal(true);
      expect(isUnverifiedAt(`${path}/`, true), path).to.equal(false);
    }
    await running.close();
  });

  it('is not marked as unverified at the authorization endpoint, where clients do not authenticate', () => {
    expect(isUnverifiedAt('/o/authorize/', false)).to.equal(false);
  });
});
