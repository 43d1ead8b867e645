import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { ChainProof } from '../../src/audit/queries/chain-proof.ts';
import { hashCredential } from '../../src/oauth/credentials/credentials.ts';
import { createChain } from '../support/proven-chains.ts';
import { describeInChromium } from '../support/browser.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describeInChromium('In a browser, an auditor', (chromium) => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
    await running
      .service()
      .accounts.register({ username: 'bob', password: "bob's password", roles: ['auditor'] }, OPERATOR);
    const client = await running.addClient({ name: 'Aé "<&> \u{1F511}', owner: 'bob' });
    for (let round = 0; round < 4; round += 1)
      await running.token(client, { grant_type: 'password', username: 'bob', password: "bob's password" });
  });
  afterEach(() => running.close());

  async function logIn(page: Page): Promise<void> {
    await page.goto(`${running.origin()}/accounts/login/?next=/audit/`);
    await page.getByLabel('User name').fill('bob');
    await page.getByLabel('Password').fill("bob's password");
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor();
  }

  async function verify(
    page: Page,
  ): Promise<{ readonly outcome: string | null; readonly steps: readonly (string | null)[] }> {
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    const verdict = page.locator('[data-verdict]');
    await verdict.waitFor();
    return {
      outcome: await verdict.getAttribute('data-verdict'),
      steps: await page
        .locator('[data-result]')
        .evaluateAll((items: readonly { getAttribute(name: string): string | null }[]) =>
          items.map((item) => item.getAttribute('data-result')),
        ),
    };
  }

  it("verifies each event in an unchanged log on the event's page", async () => {
    const { page, consoleErrors } = await chromium.open();
    await logIn(page);
    const supportsEd25519 = await page.evaluate<boolean>(
      "crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']).then(() => true, () => false)",
    );
    for (let position = 1; position <= running.log.head(); position += 1) {
      await page.goto(`${running.origin()}/audit/events/${position}/`);
      expect(await verify(page), String(position)).to.deep.equal(
        supportsEd25519
          ? { outcome: 'good', steps: ['good', 'good', 'good'] }
          : { outcome: 'warning', steps: ['good', 'good', 'warning'] },
      );
    }
    expect(consoleErrors).to.deep.equal([]);
  });

  const forgeries = [
    { part: 'the record', id: 'record', change: ['"read"', '"rean"'], steps: ['danger', 'danger', 'good'] },
    {
      part: 'the root',
      id: 'checkpoint',
      change: [/\n[^\n]{4}(?=[^\n]*=\n)/, '\nAAAA'],
      steps: ['good', 'danger', 'danger'],
    },
    { part: 'the leaf index', id: 'leaf-index', change: [/\d+/, '1'], steps: ['good', 'danger', 'good'] },
    {
      part: 'a hash in the inclusion proof',
      id: 'inclusion-proof',
      change: [/(?<=<code>).{4}/, 'AAAA'],
      steps: ['good', 'danger', 'good'],
    },
    { part: 'the key', id: 'verifier-key', change: [/.{4}(?=$|<)/, 'AAA='], steps: ['good', 'good', 'danger'] },
  ] as const;

  for (const {
    part,
    id,
    change: [from, to],
    steps,
  } of forgeries) {
    it(`sees that ${part} was changed in transit`, async () => {
      const { page } = await chromium.open();
      await logIn(page);
      await page.route('**/audit/events/4/', async (route) => {
        const response = await route.fetch();
        const html = await response.text();
        const start = html.indexOf(`id="${id}"`);
        const forgedHtml = html
          .slice(start, start + 4_000)
          .replaceAll('&#34;', '"')
          .replace(from, to);
        await route.fulfill({ response, body: html.slice(0, start) + forgedHtml + html.slice(start + 4_000) });
      });
      await page.goto(`${running.origin()}/audit/events/4/`);
      const result = await verify(page);
      expect(result.outcome).to.equal('danger');
      expect(result.steps.map((step, index) => (index === 2 && step === 'warning' ? steps[2] : step))).to.deep.equal(
        steps,
      );
    });
  }

  it('sees that the record on the page was changed, and later that it was restored', async () => {
    const { page } = await chromium.open();
    await logIn(page);
    await page.goto(`${running.origin()}/audit/events/3/`);
    await page.evaluate("document.getElementById('record').append(' ')");
    expect((await verify(page)).outcome).to.equal('danger');
    await page.reload();
    expect((await verify(page)).outcome).to.be.oneOf(['good', 'warning']);
  });

  describe("on an exchange chain's page", () => {
    let path: string;

    beforeEach(async () => {
      const token = await createChain(running, {
        root: 'login',
        actors: [true, false],
        end: 'actor-revoked',
        hopIndex: 1,
      });
      const tokenEvent = (await running.events()).findLast(
        ({ data }) => (data as { readonly tokenHash?: string }).tokenHash === hashCredential(token),
      );
      path = `/audit/grants/${tokenEvent?.stream.slice('grant-'.length) ?? ''}/`;
    });

    async function verifyAfter(change: (proof: string) => string): Promise<string> {
      const { page, consoleErrors } = await chromium.open();
      await logIn(page);
      await page.route('**/proof/', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: change(await response.text()) });
      });
      await page.goto(`${running.origin()}${path}`);
      const { outcome } = await verify(page);
      const text = await page.locator('#verdict').innerText();
      expect(consoleErrors).to.deep.equal([]);
      return `${outcome}: ${text}`;
    }

    it('verifies the signatures, records and rules, and checks that the page matches them', async () => {
      const text = await verifyAfter((proof) => proof);
      expect(text).to.match(/^(?:good|warning): /);
      expect(text.match(/: yes/g)).to.have.length.at.least(3);
    });

    it('detects a dropped hop, an altered record and a malformed proof', async () => {
      const change = (edit: (proof: ChainProof) => unknown) => (text: string) => {
        const proof = JSON.parse(text) as ChainProof;
        edit(proof);
        return `${JSON.stringify(proof, null, 2)}\n`;
      };
      expect(await verifyAfter(change(({ hops }) => (hops as unknown[]).splice(1, 1)))).to.match(
        /^danger: [^]*hop 1 \(grant [\w-]{22}\) dropped/,
      );
      expect(await verifyAfter((text) => text.replace('"write\\"', '"wrote\\"'))).to.match(
        /^danger: [^]*record at position \d+ is not in the log/,
      );
      expect(await verifyAfter(() => '[')).to.match(/^danger: /);
    });

    it('sees that the chain has ended since the page was shown', async () => {
      const { page } = await chromium.open();
      await logIn(page);
      await page.goto(`${running.origin()}${path}`);
      await page.evaluate("document.querySelectorAll('[data-end]').forEach((each) => { each.dataset.end = ''; })");
      expect((await verify(page)).outcome).to.equal('danger');
      expect(await page.locator('#verdict').innerText()).to.include('reload the page');
    });
  });

  it('filters events with a form, and follows links to their pages', async () => {
    const { page, consoleErrors } = await chromium.open({ viewport: { width: 360, height: 740 } });
    await logIn(page);
    await page.getByText('Filter by type').press('Enter');
    await page.getByLabel('Event type').selectOption('ConsentGiven');
    await page.getByLabel('User name').fill('bob');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    expect(await page.locator('tbody tr').count()).to.equal(4);
    await page.locator('tbody th a').first().click();
    await page.getByRole('heading', { name: /^Event \d+: Consent given$/ }).waitFor();
    expect(consoleErrors).to.deep.equal([]);
  });
});
