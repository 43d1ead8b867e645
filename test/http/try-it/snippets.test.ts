import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { LANGUAGES, type ExampleLanguage } from '../../../src/http/pages/applications/try-it/languages.ts';
import { signAssertion, keyPairFor, registerKeys, withAssertion } from '../../support/assertions.ts';
import { signProof, NONCE_PERIOD_SECONDS, updateSecuritySettings } from '../../support/dpop.ts';
import type { BrowserSession } from '../../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { canRun, runSnippets, extractSnippets } from '../../support/snippets.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** Contains no quote, because it is inserted between quotes without escaping. */
const PASSWORD = 'correct horse battery';
const AUTHORIZE_TITLE = 'Authorization code: ask the user';
const LOGIN_TITLE = 'OpenID Connect: log the user in';
const EXCHANGE_TITLE = 'Authorization code: exchange the code';

/** Declares the tests of a language. They are skipped with a warning if it is not installed. */
function describeLanguage(language: ExampleLanguage, tests: () => void): void {
  describe(`The ${language.name} examples on the try-it page of an application`, function () {
    this.timeout(300_000); // the first run of a compiler on a machine compiles its standard library
    before(function () {
      if (canRun(language.name)) return;
      console.warn(`NOT RUN: the examples in ${language.name}, which is not installed`);
      this.skip();
    });
    tests();
  });
}

for (const language of LANGUAGES) {
  describeLanguage(language, () => {
    let running: RunningService;
    let browser: BrowserSession;

    beforeEach(async () => {
      running = await runningService({ isItsOwnIssuer: true });
      running.clock.advance(NONCE_PERIOD_SECONDS);
      await running.service().accounts.register({ username: 'ada', password: PASSWORD }, OPERATOR);
      browser = running.browser();
      await browser.logIn('ada', PASSWORD);
    });
    afterEach(() => running.close());

    const fetchExamples = async ({ id }: TestClient) =>
      extractSnippets((await browser.get(`/o/applications/${id}/try/?language=${language.id}`)).html);

    async function obtainCode(link: string | undefined): Promise<string> {
      const { location } = await browser.submit(await browser.get(link ?? ''), { allow: 'Authorize' });
      return new URL(location ?? '').searchParams.get('code') ?? '';
    }

    async function setAuthenticationMethod({ id }: TestClient, method: string): Promise<void> {
      const { registration, projections } = running.service();
      const registeredClient = projections.clients.find(id) ?? expect.fail('not registered');
      const authentication = { ...registeredClient.authentication, methods: [method] };
      await registration.update(registeredClient.clientId, { ...registeredClient, authentication }, OPERATOR);
    }

    /** Adds a client with a private key and bound tokens, and returns it with the JWTs that it needs. */
    async function addBoundClient() {
      const client = await running.addClient({ owner: 'ada' });
      const key = keyPairFor('ES256');
      await registerKeys(running, client, key);
      await updateSecuritySettings(running, client, {
        dpopBoundAccessTokens: true,
        requirePushedAuthorizationRequests: true,
      });
      const issuer = running.origin();
      const jwts = async () => ({
        CLIENT_ASSERTION: await signAssertion(running, client, key, { claims: { aud: issuer } }),
        DPOP_PROOF: await signProof(running, key, { claims: { htu: `${issuer}/o/token/` } }),
      });
      const { CLIENT_ASSERTION, DPOP_PROOF } = await jwts();
      const form = { grant_type: 'client_credentials', client_id: client.id, ...withAssertion(CLIENT_ASSERTION) };
      const { json } = await running.post('/o/token/', form, { dpop: DPOP_PROOF });
      const accessToken = String(json?.['access_token']);
      const claims = { htm: 'GET', htu: `${issuer}/users/` };
      const apiValues = {
        ACCESS_TOKEN: accessToken,
        DPOP_PROOF: await signProof(running, key, { claims, accessToken }),
      };
      return { client, jwts, apiValues };
    }

    type Examples = Awaited<ReturnType<typeof fetchExamples>>;
    const fillIn = (examples: Examples, title: string, values: Readonly<Record<string, string>>): string =>
      Object.entries(values).reduce(
        (code, [placeholder, value]) => code.replaceAll(placeholder, value),
        examples.get(title)?.code ?? expect.fail(`there is no example ${title}`),
      );

    it('get tokens with every grant type, use, refresh and revoke them, and print refusals', async () => {
      const client = await running.addClient({ owner: 'ada', redirectUris: [`${REDIRECT_URI}?a=1&b='2'`] });
      const examples = await fetchExamples(client);
      const publicClient = await running.addClient({
        owner: 'ada',
        clientType: 'public',
        grantTypes: ['authorization-code'],
      });
      const publicExamples = await fetchExamples(publicClient);
      const CLIENT_SECRET = client.secret;
      const credentials = { CLIENT_SECRET, USERNAME: 'ada', PASSWORD };
      const issueTokens = async (scope: string) =>
        (await running.token(client, { grant_type: 'password', username: 'ada', password: PASSWORD, scope }))
          .json as Readonly<Record<string, string>>;
      const { access_token: readToken = '', refresh_token: REFRESH_TOKEN = '' } = await issueTokens('read');
      const { access_token: revokedToken = '' } = await issueTokens('read');
      const code = await obtainCode(examples.get(AUTHORIZE_TITLE)?.link);
      const loginCode = await obtainCode(publicExamples.get(LOGIN_TITLE)?.link);

      const basicClient = await running.addClient({
        owner: 'ada',
        grantTypes: ['client-credentials', 'device-code'],
        redirectUris: [],
      });
      await setAuthenticationMethod(basicClient, 'client_secret_basic');
      const basicExamples = await fetchExamples(basicClient);
      const boundClient = await addBoundClient();
      const boundExamples = await fetchExamples(boundClient.client);

      const [
        exchangeOutput,
        clientCredentialsOutput,
        passwordOutput,
        apiOutput,
        introspectionOutput,
        refreshOutput,
        revocationOutput,
        loginOutput,
        refusalOutput,
        apiRefusalOutput,
        basicOutput,
        boundOutput,
        ...otherOutputs
      ] = (
        await runSnippets(language.name, [
          fillIn(examples, EXCHANGE_TITLE, { CLIENT_SECRET, CODE: code }),
          fillIn(examples, 'Client credentials', { CLIENT_SECRET }),
          fillIn(examples, 'Resource owner password', credentials),
          fillIn(examples, 'Use the token', { ACCESS_TOKEN: readToken }),
          fillIn(examples, 'Introspect a token', { CLIENT_SECRET, ACCESS_TOKEN: readToken }),
          fillIn(examples, 'Refresh the tokens', { CLIENT_SECRET, REFRESH_TOKEN }),
          fillIn(examples, 'Revoke the token', { CLIENT_SECRET, ACCESS_TOKEN: revokedToken }),
          fillIn(publicExamples, EXCHANGE_TITLE, { CODE: loginCode }),
          fillIn(examples, 'Client credentials', {}),
          fillIn(examples, 'Use the token', {}),
          fillIn(basicExamples, 'Client credentials', { CLIENT_SECRET: basicClient.secret }),
          fillIn(boundExamples, 'Client credentials', await boundClient.jwts()),
          fillIn(boundExamples, 'Use the token', boundClient.apiValues),
          fillIn(boundExamples, 'Authorization code: push the request', await boundClient.jwts()),
          fillIn(basicExamples, 'Device: get the codes', { CLIENT_SECRET: basicClient.secret }),
        ])
      ).map((output) => (output.trim() === '' ? null : (JSON.parse(output) as Record<string, unknown>)));
      for (const output of [exchangeOutput, clientCredentialsOutput, passwordOutput, refreshOutput])
        expect(output).to.include({ token_type: 'Bearer' });
      expect(apiOutput).to.have.nested.property('[0].username', 'ada');
      expect(introspectionOutput).to.include({ active: true, scope: 'read' });
      expect(revocationOutput).to.equal(null);
      const introspection = { token: revokedToken, client_id: client.id, client_secret: client.secret };
      expect((await running.post('/o/introspect/', introspection)).json).to.deep.equal({ active: false });
      expect(loginOutput).to.have.property('id_token');
      expect(refusalOutput).to.include({ error: 'invalid_client' });
      expect(apiRefusalOutput).to.have.property('detail');
      expect(basicOutput).to.include({ token_type: 'Bearer' });
      expect(boundOutput).to.include({ token_type: 'DPoP' });
      const [boundApiOutput, pushOutput, deviceOutput] = otherOutputs;
      expect(boundApiOutput).to.have.nested.property('[0].username', 'ada');
      expect(pushOutput).to.have.property('request_uri');
      expect(deviceOutput).to.have.property('user_code');
    });

    it('send every value unchanged', async () => {
      const receivedForms: URLSearchParams[] = [];
      const server = createServer((request, response) => {
        void (async () => {
          receivedForms.push(new URLSearchParams(await text(request)));
          response.end('"done"');
        })();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const form = fc
        .sample(awkwardText, { numRuns: 60, seed: 7 })
        .map((value, index): [string, string] => [`v${index}`, value]);
      const url = `http://127.0.0.1:${port}/it's/$(x)/?a=%22`;
      const output = await runSnippets(language.name, [
        language.write({ url, form, basic: null, bearer: null, proof: null, certificate: false }),
      ]);
      server.close();
      expect(output.map((line) => line.trim())).to.deep.equal(['"done"']);
      expect(Object.fromEntries(receivedForms[0] ?? [])).to.deep.equal(Object.fromEntries(form));
    });
  });
}

/** Quotes, escapes and interpolation syntax of all languages, invisible characters, and all line terminators. */
const CHARACTERS = '\'"$`\\();&! <{}%@+=#anu\n\r\t\u0001\u000b\u001b\u007f\u0085\u2028\u202e\ufeffé😀';
const SEQUENCES = ['//', '/*', 'u0022', 'x41', String.raw`\u0041`, String.raw`\\u000a`];
const awkwardText = fc.string({
  unit: fc.constantFrom(...Array.from(CHARACTERS), ...SEQUENCES),
  minLength: 1,
});
