import { expect } from 'chai';
import fc from 'fast-check';
import { operate } from '../../../src/operations/operations.ts';
import type { WhatIfItem, WhatIfSummary } from '../../../src/operations/what-if.ts';
import type { Finding } from '../../../src/operations/simulation/findings.ts';
import type { RegistrationProblem } from '../../../src/operations/simulation/registrations.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';
import { setClientAuthentication } from '../../support/certificate-clients.ts';
import { performFlow, registerFor, someFlow, type Flow } from '../../support/profile-flows.ts';
import { repetitions } from '../../support/repetitions.ts';

const SETTINGS = {
  authorizationCodeLifetimeSeconds: 600,
  plainHttpRedirectUris: true,
  pkceMethods: ['S256', 'plain'],
} as const;

/** A flow that complies with the profile in every respect. */
const COMPLIANT_FLOW: Flow = {
  grantType: 'authorization_code',
  authentication: 'key',
  isPushed: true,
  pkce: 'S256',
  redirectUri: 'https',
  statesRedirectUri: true,
  hasProof: true,
  resource: 'none',
  seconds: 0,
};

async function predict(running: RunningService) {
  const items: WhatIfItem[] = [];
  const never = new AbortController().signal;
  for await (const item of operate(running.service())('log what-if', { set: {}, profile: 'fapi2' }, never))
    items.push(item as WhatIfItem);
  return {
    summary: items.find((item): item is WhatIfSummary => 'requests' in item) ?? expect.fail('no summary'),
    findings: items.filter((item): item is Finding => 'rule' in item),
    registrations: items.filter((item): item is RegistrationProblem => 'field' in item),
  };
}

describe('what-if with the FAPI 2.0 profile', function () {
  this.timeout(120_000);
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ settings: SETTINGS });
  });
  afterEach(() => running.close());

  /** Returns the rules under which requests in the flow would have been refused, with the numbers of requests. */
  async function predictRules(changes: Partial<Flow>) {
    const flow = { ...COMPLIANT_FLOW, ...changes };
    const client = await registerFor(running, flow, { hasProfile: false });
    for (const { isAccepted } of await performFlow(running, client, flow)) expect(isAccepted).to.equal(true);
    const { findings } = await predict(running);
    return findings
      .filter((finding) => finding.client === client.id)
      .map(({ rule, count, followed_by: followed }) => [rule, count, followed]);
  }

  it('refuses no requests that comply with the profile', async () => {
    expect(await predictRules({})).to.deep.equal([]);
    expect(await predictRules({ grantType: 'client_credentials' })).to.deep.equal([]);
    expect(await predictRules({ authentication: 'one of both, the key', isPushed: true })).to.deep.equal([]);
  });

  it('reports the first rule that each request violates, and counts the requests that depended on it', async () => {
    expect(await predictRules({ isPushed: false })).to.deep.equal([['push-required', 1, 2]]);
    expect(await predictRules({ pkce: 'plain' })).to.deep.equal([['profile-requires', 1, 2]]);
    expect(await predictRules({ redirectUri: 'http' })).to.deep.equal([['profile-requires', 1, 2]]);
    expect(await predictRules({ statesRedirectUri: false })).to.deep.equal([['profile-requires', 1, 2]]);
    expect(await predictRules({ hasProof: false })).to.deep.equal([['dpop-proof-missing', 1, 1]]);
    expect(await predictRules({ seconds: 61 })).to.deep.equal([['code-expired', 1, 1]]);
    expect(await predictRules({ authentication: 'secret' })).to.deep.equal([['client-method-not-allowed', 1, 2]]);
    expect(await predictRules({ authentication: 'none' })).to.deep.equal([['client-method-not-allowed', 1, 2]]);
    const clientFlow = { grantType: 'client_credentials' } as const;
    expect(await predictRules({ ...clientFlow, hasProof: false })).to.deep.equal([['dpop-proof-missing', 1, 0]]);
    expect(await predictRules({ ...clientFlow, authentication: 'RS256' })).to.deep.equal([['profile-requires', 1, 0]]);
    expect(await predictRules({ ...clientFlow, authentication: 'one of both, the secret' })).to.deep.equal([
      ['client-method-not-allowed', 1, 0],
    ]);
    expect(await predictRules({ grantType: 'password' })).to.deep.equal([['client-not-registered-for', 1, 1]]);
  });

  it('refuses tokens for resource servers with a forbidden algorithm, for every grant type', async () => {
    for (const resource of ['its own', 'ES256'] as const) expect(await predictRules({ resource })).to.deep.equal([]);
    expect(await predictRules({ resource: 'RS256' })).to.deep.equal([['token-algorithm-forbidden', 1, 1]]);
    const clientFlow = { grantType: 'client_credentials', resource: 'RS256' } as const;
    expect(await predictRules(clientFlow)).to.deep.equal([['token-algorithm-forbidden', 1, 0]]);
  });

  it('lists each application with its number of requests, an example and advice', async () => {
    const flow = {
      ...COMPLIANT_FLOW,
      hasProof: false,
      authentication: 'secret',
      grantType: 'client_credentials',
    } as const;
    const client = await registerFor(running, flow, { hasProfile: false });
    await performFlow(running, client, flow);
    const firstToken =
      (await running.events()).find(({ type }) => type === 'AccessTokenIssued') ?? expect.fail('no token');
    await performFlow(running, client, flow);
    const { findings, registrations } = await predict(running);
    expect(findings).to.deep.equal([
      {
        client: client.id,
        application: 'Flow',
        outcome: 'refused',
        rule: 'client-method-not-allowed',
        difference: 'the application authenticated with a secret',
        advice:
          'Authenticate with a key or a certificate, and register it: ' +
          'client update --auth-method private_key_jwt --jwks.',
        count: 2,
        followed_by: 0,
        refreshed_late: 0,
        position: firstToken.position,
        time: new Date(firstToken.recordedAt).toISOString(),
      },
    ]);
    expect(registrations.map(({ field }) => field)).to.deep.equal(['grantTypes', 'authentication']);
    expect(registrations[0]).to.deep.equal({
      client: client.id,
      application: 'Flow',
      field: 'grantTypes',
      problem: 'FAPI 2.0 (§5.3.2.1) forbids the password grant: remove it.',
    });
  });

  it('counts requests whose authentication is unknown', async () => {
    const flow = { ...COMPLIANT_FLOW, grantType: 'client_credentials', authentication: 'secret' } as const;
    const client = await registerFor(running, flow, { hasProfile: false });
    const methods = ['client_secret_basic', 'tls_client_auth'] as const;
    await setClientAuthentication(running, client, { methods, tls: { kind: 'san_dns', value: 'app.example' } });
    await running.token(client, { grant_type: 'client_credentials' });
    const { summary, findings } = await predict(running);
    expect(findings).to.deep.equal([]);
    expect(summary.unknown_authentications).to.equal(1);
  });

  it('reports nothing about applications that have the profile', async () => {
    const client = await registerFor(running, COMPLIANT_FLOW, { hasProfile: true });
    await performFlow(running, client, COMPLIANT_FLOW);
    const { findings, registrations, summary } = await predict(running);
    expect({ findings, registrations }).to.deep.equal({ findings: [], registrations: [] });
    expect(summary.requests).to.be.above(2);
  });

  it('refuses exactly the requests that are refused once the applications have the profile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someFlow, { minLength: 6, maxLength: 6 }), async (flows) => {
        const [unrestrictedServer, restrictedServer] = [
          await runningService({ settings: SETTINGS }),
          await runningService({ settings: SETTINGS }),
        ];
        try {
          for (const flow of flows) {
            const client = await registerFor(unrestrictedServer, flow, { hasProfile: false });
            const recordedRequests = await performFlow(unrestrictedServer, client, flow);
            const repeatedRequests = await performFlow(
              restrictedServer,
              await registerFor(restrictedServer, flow, { hasProfile: true }),
              flow,
            );
            const refusedCount = recordedRequests.filter(
              ({ isAccepted }, index) => isAccepted && repeatedRequests[index]?.isAccepted !== true,
            ).length;
            const { findings } = await predict(unrestrictedServer);
            const ownFindings = findings.filter((finding) => finding.client === client.id);
            const predictedCount = ownFindings.reduce(
              (sum, { count, followed_by: followed }) => sum + count + followed,
              0,
            );
            expect(predictedCount, JSON.stringify(flow)).to.equal(refusedCount);
          }
        } finally {
          await unrestrictedServer.close();
          await restrictedServer.close();
        }
      }),
      { numRuns: repetitions(6), endOnFailure: true },
    );
  });
});
