import { expect } from 'chai';
import fc from 'fast-check';
import { operate } from '../../src/operations/operations.ts';
import { countUpTo } from '../../src/http/pages/admin/health-figures.ts';
import type { AccessEntry } from '../../src/audit/queries/access-report.ts';
import { LIFETIMES } from '../support/authorization-model.ts';
import { openSessionAs } from '../support/audit-pages.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { createModel, ALL_COMMANDS, settingsFor, type TrafficCommand } from '../support/traffic.ts';
import { repetitions } from '../support/repetitions.ts';

describe('Live figures', function () {
  this.timeout(300_000);

  /** Counts the items of each kind in `log as-of` at the current time. */
  async function countAsOfNow(running: RunningService): Promise<Readonly<Record<AccessEntry['kind'], number>>> {
    const counts = { account: 0, membership: 0, application: 0, grant: 0, token: 0 };
    const input = { time: running.clock.now() };
    for await (const item of operate(running.service())('log as-of', input, new AbortController().signal)) {
      if ('kind' in (item as object)) counts[(item as AccessEntry).kind] += 1;
    }
    return counts;
  }

  async function readHealthPage(browser: BrowserSession): Promise<(title: string) => number> {
    const { html } = await browser.get('/admin/health/');
    return (title) => {
      const [, text] = new RegExp(`<dt>${title}</dt>\\s*<dd>([\\s\\S]*?)</dd>`).exec(html) ?? [];
      const [number] =
        /[\d,]+/.exec((text ?? expect.fail(`${title} is not on the page`)).replaceAll(/<[^>]*>/g, '')) ?? [];
      return Number(number?.replaceAll(',', ''));
    };
  }

  async function expectAgreementAfter(sequence: Iterable<TrafficCommand>): Promise<void> {
    const running = await runningService({ settings: settingsFor(LIFETIMES.refresh) });
    const traffic = { running, refreshLifetime: LIFETIMES.refresh };
    try {
      const administrator = await openSessionAs(running, 'root', 'administrator');
      await fc.asyncModelRun(async () => ({ model: await createModel(traffic), real: traffic }), sequence);
      const figure = await readHealthPage(administrator);
      const access = await countAsOfNow(running);
      expect({
        account: figure('Users'),
        membership: access.membership, // no page shows this number
        application: figure('Applications'),
        grant: figure('Live authorizations'),
        token: figure('Live access tokens'),
      }).to.deep.equal(access);
      const metrics = (await running.get('/metrics')).text;
      expect(Number(/^grantlog_access_tokens (\d+)$/m.exec(metrics)?.[1]))
        .to.equal(figure('Access tokens in memory'))
        .and.be.at.least(access.token);
    } finally {
      await running.close();
    }
  }

  it('on the health page match log as-of after any traffic, and never exceed those in /metrics', async () => {
    const commands = fc.commands([...ALL_COMMANDS], { maxCommands: 60, size: 'max' });
    await fc.assert(fc.asyncProperty(commands, expectAgreementAfter), { numRuns: repetitions(15) });
  });

  it('do not include revoked grants, or revoked tokens that are still in memory', async () => {
    const running = await runningService();
    const administrator = await openSessionAs(running, 'root', 'administrator');
    const [client, ada] = [await running.addClient(), await running.addUser('ada')];
    const tokens: string[] = [];
    for (let count = 0; count < 3; count += 1)
      tokens.push(String((await running.token(client, { grant_type: 'password', ...ada })).json?.['access_token']));
    await running.post('/o/revoke_token/', { token: tokens[0] ?? '' }, { authorization: client.basic });
    const figure = await readHealthPage(administrator);
    expect([
      figure('Live authorizations'),
      figure('Live access tokens'),
      figure('Access tokens in memory'),
    ]).to.deep.equal([2, 2, 3]);
    await running.close();
  });

  it('do not include grants, tokens or sessions that began while the clock was an hour ahead', async () => {
    const running = await runningService();
    const administrator = await openSessionAs(running, 'root', 'administrator');
    const [client, ada] = [await running.addClient(), await running.addUser('ada')];
    running.clock.advance(3_600);
    await running.token(client, { grant_type: 'password', ...ada });
    await running.browser().logIn(ada.username, ada.password);
    running.clock.advance(-3_600);
    const figure = await readHealthPage(administrator);
    expect([figure('Live authorizations'), figure('Live access tokens'), figure('Sessions')]).to.deep.equal([0, 0, 1]);
    const { grant, token } = await countAsOfNow(running);
    expect([grant, token]).to.deep.equal([0, 0]);
    await running.close();
  });

  it('are counted up to a maximum', async () => {
    expect(await countUpTo([1, 2, 3], 3)).to.deep.equal({ value: 3, isExact: true });
    expect(await countUpTo([1, 2, 3, 4], 3)).to.deep.equal({ value: 3, isExact: false });
    expect(await countUpTo([])).to.deep.equal({ value: 0, isExact: true });
  });
});
