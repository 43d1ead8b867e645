import { expect } from 'chai';
import type { BrowserSession } from '../../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { canRun, runSnippet, snippetsOf } from '../../support/snippets.ts';

/** Without a quote: it goes into a quoted place as it is. */
const PASSWORD = 'correct horse battery';
const EXCHANGE = 'Authorization code: exchange the code';

/** Every example on the page of an application, run unchanged except for its placeholders in capitals. */
for (const language of ['curl', 'JavaScript', 'Python']) {
  describe(`The examples in ${language} on the page of an application`, function () {
    let running: RunningService;
    let browser: BrowserSession;

    before(function () {
      if (!canRun(language)) this.skip();
    });
    beforeEach(async () => {
      running = await runningService({ isItsOwnIssuer: true });
      await running
        .service()
        .accounts.register({ username: 'ada', password: PASSWORD }, { actor: { kind: 'operator' }, requestId: null });
      browser = running.browser();
      await browser.logIn('ada', PASSWORD);
    });
    afterEach(() => running.close());

    const examplesOf = async ({ id }: TestClient) => snippetsOf((await browser.get(`/o/applications/${id}/`)).html);

    async function send(
      examples: ReturnType<typeof snippetsOf>,
      title: string,
      filledIn: Readonly<Record<string, string>>,
    ): Promise<Readonly<Record<string, string>>> {
      const code = examples.get(title)?.code.get(language) ?? expect.fail(`no ${title} in ${language}`);
      const complete = Object.entries(filledIn).reduce(
        (text, [placeholder, value]) => text.replaceAll(placeholder, value),
        code,
      );
      return JSON.parse(await runSnippet(language, complete)) as Readonly<Record<string, string>>;
    }

    async function codeFrom(link: string): Promise<string> {
      const { location } = await browser.submit(await browser.get(link), { allow: 'Authorize' });
      return new URL(location ?? '').searchParams.get('code') ?? '';
    }

    it('get tokens by every grant type, refresh and use them, with the secret filled in', async () => {
      const client = await running.addClient({ owner: 'ada', redirectUris: [`${REDIRECT_URI}?a=1&b='2'`] });
      const CLIENT_SECRET = client.secret;
      const examples = await examplesOf(client);
      expect(await send(examples, 'Client credentials', { CLIENT_SECRET })).to.include({ token_type: 'Bearer' });
      expect(await send(examples, 'Resource owner password', { CLIENT_SECRET, USERNAME: 'ada', PASSWORD })).to.include({
        token_type: 'Bearer',
      });
      const code = await codeFrom(examples.get('Authorization code: ask the user')?.link ?? '');
      const tokens = await send(examples, EXCHANGE, { CLIENT_SECRET, CODE: code });
      expect(tokens).to.include({ token_type: 'Bearer', scope: 'read write' });
      const renewed = await send(examples, 'Refresh', { CLIENT_SECRET, REFRESH_TOKEN: tokens['refresh_token'] ?? '' });
      expect(
        await send(examples, 'Use the token', { ACCESS_TOKEN: renewed['access_token'] ?? '' }),
      ).to.have.nested.property('[0].username', 'ada');
      expect(examples.get(EXCHANGE)?.code.size).to.equal(3);
    });

    it('of a public application need no secret, and only a verifier for the code', async () => {
      const client = await running.addClient({
        owner: 'ada',
        clientType: 'public',
        grantTypes: ['authorization-code'],
      });
      const examples = await examplesOf(client);
      const code = await codeFrom(examples.get('Authorization code: ask the user')?.link ?? '');
      expect(await send(examples, EXCHANGE, { CODE: code })).to.include({ token_type: 'Bearer' });
    });

    it('print a refusal', async () => {
      const examples = await examplesOf(await running.addClient({ owner: 'ada' }));
      expect(await send(examples, 'Client credentials', {})).to.include({ error: 'invalid_client' });
      expect(await send(examples, EXCHANGE, { CODE: 'CODE' })).to.include({ error: 'invalid_client' });
      expect(await send(examples, 'Use the token', {})).to.have.property('detail');
    });

    it('have a new verifier and state on each view', async () => {
      const client = await running.addClient({ owner: 'ada' });
      const [one, other] = [await examplesOf(client), await examplesOf(client)];
      expect(one.get(EXCHANGE)?.code.get(language)).not.to.equal(other.get(EXCHANGE)?.code.get(language));
      const states = [one, other].map((examples) =>
        new URL(examples.get('Authorization code: ask the user')?.code.get('curl') ?? '').searchParams.get('state'),
      );
      expect(states[0])
        .to.match(/^[\w-]{22}$/)
        .and.not.equal(states[1]);
    });
  });
}
