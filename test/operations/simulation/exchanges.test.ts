import { expect } from 'chai';
import type { Finding } from '../../../src/operations/simulation/findings.ts';
import { operate } from '../../../src/operations/operations.ts';
import type { WhatIfItem } from '../../../src/operations/what-if.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { allowExchange, exchangeForToken, ownToken } from '../../support/token-exchange.ts';

const API = 'https://api.example';

describe('log what-if on a log with exchanged tokens', () => {
  let running: RunningService;
  let api: TestClient;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [API] } });
    const options = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;
    const web = await running.addClient({ name: 'Web', ...options });
    api = await running.addClient({ name: 'Api', ...options });
    await allowExchange(running, api, web);
    const subject = await ownToken(running, web);
    running.clock.advance(600);
    await exchangeForToken(running, api, subject, { resource: API });
  });
  afterEach(() => running.close());

  /** Returns the number of simulated requests, and the findings about the client that exchanged a token. */
  async function simulate(set: Readonly<Record<string, string>>): Promise<readonly [requests: number, ...Finding[]]> {
    const items: WhatIfItem[] = [];
    const { signal } = new AbortController();
    for await (const item of operate(running.service())('log what-if', { set }, signal)) items.push(item as WhatIfItem);
    const [summary] = items.flatMap((item) => ('requests' in item ? [item] : []));
    const findings = items.filter((item): item is Finding => 'rule' in item);
    return [summary?.requests ?? 0, ...findings.filter(({ client }) => client === api.id)];
  }

  it('counts an exchange as one request, and reports nothing if the exchange would not be affected', async () => {
    const [requests, ...findings] = await simulate({ requirePkce: 'all' });
    expect(requests).to.equal(4); // two registrations, a token and its exchange
    expect(findings).to.deep.equal([]);
  });

  it('reports a shorter lifetime, but not a longer one, because the token expires with its subject token', async () => {
    const [, ...findingsIfShorter] = await simulate({ accessTokenLifetimeSeconds: '60' });
    expect(findingsIfShorter.map(({ outcome }) => outcome)).to.deep.equal(['answered otherwise']);
    const [, ...findingsIfLonger] = await simulate({ accessTokenLifetimeSeconds: '100000' });
    expect(findingsIfLonger).to.deep.equal([]);
  });

  it('reports that tokens for a removed resource server are refused', async () => {
    const [, finding, ...otherFindings] = await simulate({ resources: '[]' });
    expect(otherFindings).to.deep.equal([]);
    expect(finding).to.include({ outcome: 'refused', rule: 'resource-unknown' });
  });
});
