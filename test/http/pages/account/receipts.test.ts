import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { textVersion } from '../../../../src/http/pages/authorize/text-version.ts';
import { VIEWS_DIRECTORY } from '../../../../src/http/pages/views.ts';
import type { Receipt } from '../../../../src/audit/queries/receipt.ts';
import { authorizePath } from '../../../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { decodeEvent } from '../../../../src/domain/events.ts';
import { detailsParameter, BANK, registerBank } from '../../../support/details.ts';
import { PAYMENT, RENT } from '../../../support/detail-types.ts';
import { approveDevice, requestCodes } from '../../../support/devices.ts';
import { operate } from '../../../../src/operations/operations.ts';
import {
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/verify-receipt.mjs', import.meta.url));
const CALENDAR = 'https://calendar.example/api';
const SETTINGS = {
  scopes: { read: 'Read your calendar', write: 'Add appointments', openid: 'Log you in', profile: 'Your profile' },
  resources: [CALENDAR],
  sampleApi: false,
  languages: ['en', 'de'],
} as const;

/** The standalone verifier, which imports nothing from `src`. */
interface Verifier {
  verifyReceipt(text: string, key?: string): Receipt;
  pageOf(version: string, views: string): string | undefined;
}

describe('A consent receipt', () => {
  let verifier: Verifier;
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let browser: BrowserSession;

  before(async () => {
    verifier = (await import(SCRIPT)) as Verifier;
  });
  beforeEach(async () => {
    running = await runningService({ settings: SETTINGS });
    ada = await running.addUser('ada');
    client = await running.addClient({ name: 'Engine' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const authorize = (parameters: Readonly<Record<string, string>> = {}, fields = {}): Promise<string> =>
    running.authorize(client, ada, { scope: 'read write', resource: CALENDAR, ...parameters }, fields);
  async function authorizeAndRedeem(parameters: Readonly<Record<string, string>> = {}, fields = {}): Promise<void> {
    const code = await authorize(parameters, fields);
    const redirect_uri = 'https://app.example/callback';
    expect((await running.token(client, { grant_type: 'authorization_code', code, redirect_uri })).status).to.equal(
      200,
    );
  }
  const pathsOf = async (application = client): Promise<readonly string[]> => {
    const { html } = await browser.get(`/o/authorized_tokens/applications/${application.id}/`);
    return [...html.matchAll(/href="(\/o\/authorized_tokens\/[\w-]{22}\/receipt\/)"/g)].map(([, path = '']) => path);
  };
  async function download(): Promise<string> {
    const [path = ''] = await pathsOf();
    const page = await browser.get(path);
    expect(page.status).to.equal(200);
    return page.html;
  }
  const consentEvents = async () => (await running.events()).filter(({ type }) => type === 'ConsentGiven');

  it("is on the application's page, and states everything that the user saw and allowed", async () => {
    await authorizeAndRedeem();
    const { proof, ...statement } = verifier.verifyReceipt(await download());
    const [consent] = await consentEvents();
    expect(statement).to.deep.equal({
      format: 'grantlog-receipt-1',
      log: 'localhost:8000',
      grant: consent?.stream.slice('grant-'.length),
      user: running.service().projections.users.findByName('ada')?.userId,
      client: { id: client.id, name: 'Engine', documentHash: null },
      scopes: [
        { name: 'read', text: ['Read your calendar'], claims: [] },
        { name: 'write', text: ['Add appointments'], claims: [] },
      ],
      claims: [],
      resources: [CALENDAR],
      redirectUri: 'https://app.example/callback',
      consentedAt: new Date(consent?.recordedAt ?? 0).toISOString(),
      basis: 'asked',
      textVersion: textVersion('authorize', 'en'),
    });
    expect(proof.records[0]?.record).to.equal(consent?.record);
    expect(verifier.pageOf(statement.textVersion ?? '', VIEWS_DIRECTORY)).to.equal('authorize');
  });

  it('is on the user’s activity page, even after the user has revoked the access', async () => {
    await authorizeAndRedeem();
    const earlierReceipt = await download();
    const application = `/o/authorized_tokens/applications/${client.id}/`;
    const page = await browser.get(application);
    const [, revocationPath = ''] = /action="(\/o\/authorized_tokens\/[^"]*\/revoke\/)"/.exec(page.html) ?? [];
    expect((await browser.post(revocationPath, hiddenFields(page.html))).status).to.equal(302);
    expect((await browser.get(application)).status, 'nothing is authorized any more').to.equal(404);
    const { html } = await browser.get('/accounts/activity/?type=application');
    const [, path = ''] = /href="(\/o\/authorized_tokens\/[\w-]{22}\/receipt\/)"/.exec(html) ?? [];
    expect(verifier.verifyReceipt((await browser.get(path)).html).grant).to.equal(
      verifier.verifyReceipt(earlierReceipt).grant,
    );
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    await bobsBrowser.logIn(bob.username, bob.password);
    expect((await bobsBrowser.get(path)).status, 'only the user can read it').to.equal(404);
  });

  it('omits the scopes that the user unticked', async () => {
    await authorizeAndRedeem({}, { leave_out: 'write' });
    expect(verifier.verifyReceipt(await download()).scopes.map(({ name }) => name)).to.deep.equal(['read']);
  });

  it('names claims, but contains none of their values', async () => {
    const claims = JSON.stringify({ userinfo: { email: null } });
    await authorizeAndRedeem({ scope: 'openid profile', claims });
    const text = await download();
    const { scopes, claims: separateClaims } = verifier.verifyReceipt(text);
    expect(scopes.find(({ name }) => name === 'profile')?.claims).to.include('name');
    expect(separateClaims).to.deep.equal(['e-mail address']);
    expect(text.replace(/"textVersion": "[0-9a-f]{64}"/, '')).not.to.include('ada');
  });

  it('describes authorization details by the sentence on the page and a hash, without their values', async () => {
    await registerBank(running);
    await authorizeAndRedeem({ scope: '', resource: BANK, ...detailsParameter(RENT) });
    const text = await download();
    const [consent] = (await consentEvents()).map(decodeEvent);
    const [recordedDetail] = consent?.type === 'ConsentGiven' ? (consent.data.details ?? []) : [];
    expect(verifier.verifyReceipt(text).details).to.deep.equal([
      { type: PAYMENT.type, hash: recordedDetail?.hash, text: PAYMENT.sentence },
    ]);
    expect(JSON.stringify({ ...(JSON.parse(text) as object), proof: null })).not.to.include('Landlord');
    const forgedReceipt = text.replace(PAYMENT.sentence, 'Pay {instructedAmount.amount} to me');
    expect(() => verifier.verifyReceipt(forgedReceipt)).to.throw('details');
  });

  it('has the language of the page, even if the user chose a different one before submitting it', async () => {
    const germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn(ada.username, ada.password);
    const page = await germanBrowser.get(authorizePath(client, { scope: 'openid email' }));
    expect(page.html).to.include('<bdi>Engine</bdi> zulassen?').and.include('Ihre E-Mail-Adresse sehen');
    await germanBrowser.submit(await germanBrowser.get('/accounts/'), { language: 'en' }, '/language/');
    const { location } = await germanBrowser.submit(page, { allow: 'Authorize' }, '/o/authorize/');
    expect(location).to.include('code=');
    const [receipt] = await receiptsOf((await consentEvents())[0]?.stream ?? '');
    const { scopes, textVersion: version } = verifier.verifyReceipt(JSON.stringify(receipt));
    expect(scopes.find(({ name }) => name === 'email')).to.deep.equal({
      name: 'email',
      text: ['Ihre E-Mail-Adresse sehen'],
      claims: ['E-Mail-Adresse'],
    });
    expect(version).to.equal(textVersion('authorize', 'de')).and.not.equal(textVersion('authorize', 'en'));
    expect(verifier.pageOf(version ?? '', VIEWS_DIRECTORY)).to.equal('authorize');
  });

  it('for a device has the text of the device page', async () => {
    const tv = await running.addClient({
      name: 'Television',
      clientType: 'public',
      grantTypes: ['device-code'],
      redirectUris: [],
    });
    await approveDevice(running, ada, await requestCodes(running, tv, { scope: 'read' }));
    const grant = (await consentEvents())[0]?.stream ?? '';
    const [receipt] = await receiptsOf(grant);
    const { basis, redirectUri, textVersion: version, scopes } = verifier.verifyReceipt(JSON.stringify(receipt));
    expect({ basis, redirectUri, scopes }).to.deep.equal({
      basis: 'device',
      redirectUri: null,
      scopes: [{ name: 'read', text: ['Read your calendar'], claims: [] }],
    });
    expect(verifier.pageOf(version ?? '', VIEWS_DIRECTORY)).to.equal('device-consent');
  });

  it('for a consent without a page says so, and has no text', async () => {
    await running.token(client, {
      grant_type: 'password',
      username: ada.username,
      password: ada.password,
      scope: 'read',
    });
    const { basis, client: receiptClient, scopes, textVersion: version } = verifier.verifyReceipt(await download());
    expect({ basis, name: receiptClient.name, scopes, version }).to.deep.equal({
      basis: 'password',
      name: null,
      scopes: [{ name: 'read', text: null, claims: null }],
      version: null,
    });
  });

  it('can be read only by the user', async () => {
    await authorizeAndRedeem();
    const [path = ''] = await pathsOf();
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    expect((await bobsBrowser.get(path)).location).to.match(/^\/accounts\/login\//);
    await bobsBrowser.logIn(bob.username, bob.password);
    expect((await bobsBrowser.get(path)).status).to.equal(404);
    expect((await browser.get(path.replace(/[\w-]{22}/, 'x'.repeat(22)))).status).to.equal(404);
  });

  it('stays the same and valid after the text has changed and the user has been erased', async () => {
    await authorizeAndRedeem();
    const text = await download();
    const originalReceipt = verifier.verifyReceipt(text);
    await running.restart({ ...SETTINGS, scopes: { ...SETTINGS.scopes, read: 'Read everything' } });
    await browser.logIn(ada.username, ada.password);
    expect(verifier.verifyReceipt(await download()).scopes).to.deep.equal(originalReceipt.scopes);
    await operateOnce('user erase', { username: 'ada' });
    const [laterReceipt] = await receiptsOf(originalReceipt.grant);
    expect(laterReceipt).to.deep.include({ scopes: originalReceipt.scopes, user: originalReceipt.user });
    const { verifierKey } = running.service().attestation;
    for (const receiptText of [text, JSON.stringify(laterReceipt)]) verifier.verifyReceipt(receiptText, verifierKey());
  });

  it('causes no new checkpoint if an existing one covers the consent', async () => {
    await authorizeAndRedeem();
    await download();
    const size = running.service().attestation.newestCheckpointSize();
    await running.addUser('later');
    await download();
    expect(running.service().attestation.newestCheckpointSize()).to.equal(size);
  });

  it('fails verification if any member is altered, removed or added, at any depth', async () => {
    await authorizeAndRedeem({ scope: 'openid profile read', claims: JSON.stringify({ userinfo: { email: null } }) });
    const receipt = JSON.parse(await download()) as object;
    const jsonPaths = collectJsonPaths(receipt);
    expect(jsonPaths.length).to.be.greaterThan(30);
    for (const jsonPath of jsonPaths)
      expectForged(
        withChange(receipt, jsonPath, () => undefined),
        jsonPath,
      );
    fc.assert(
      fc.property(
        fc.constantFrom(...jsonPaths),
        fc.anything({ maxDepth: 1 }),
        fc.nat(),
        (jsonPath, replacement, seed) => {
          const alter = (value: unknown): unknown =>
            typeof value === 'string' && seed % 2 === 0 ? alterText(value, seed) : replacement;
          const alteredReceipt = withChange(receipt, jsonPath, alter);
          fc.pre(JSON.stringify(alteredReceipt) !== JSON.stringify(receipt));
          expectForged(alteredReceipt, jsonPath);
        },
      ),
      { numRuns: 500 },
    );
    for (const jsonPath of jsonPaths) {
      const addMember = (value: unknown): unknown =>
        Array.isArray(value) ? [...(value as unknown[]), 'more'] : { ...(value as object), more: 1 };
      const isContainer = typeof selectValue(receipt, jsonPath) === 'object' && selectValue(receipt, jsonPath) !== null;
      if (isContainer) expectForged(withChange(receipt, jsonPath, addMember), jsonPath);
    }
    expectForged({ ...receipt, more: true }, []);
  });

  it('fails verification if any single character of the file is altered', async () => {
    await authorizeAndRedeem();
    const text = await download();
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (index, character) => {
        fc.pre(text[index] !== character && !/\s/.test(character) && !/\s/.test(text[index] ?? ''));
        expect(() => verifier.verifyReceipt(`${text.slice(0, index)}${character}${text.slice(index + 1)}`)).to.throw();
      }),
      { numRuns: 500 },
    );
  });

  it('fails verification if a member occurs twice, because another parser could use the other value', async () => {
    await authorizeAndRedeem();
    const text = await download();
    expect(() => verifier.verifyReceipt(text.replace('{', '{"scopes":[],'))).to.throw('its JSON');
  });

  it('fails verification with the key of another log, records of another consent, or missing records', async () => {
    await authorizeAndRedeem();
    await authorizeAndRedeem({ scope: 'read' });
    const [firstText, secondText] = await Promise.all(
      (await pathsOf()).map(async (path) => (await browser.get(path)).html),
    );
    const [firstReceipt, secondReceipt] = [JSON.parse(firstText ?? ''), JSON.parse(secondText ?? '')] as [
      Receipt,
      Receipt,
    ];
    const mixedProof = {
      ...firstReceipt.proof,
      records: [firstReceipt.proof.records[0], secondReceipt.proof.records[1]],
    };
    expectForged({ ...firstReceipt, proof: mixedProof }, ['proof']);
    expectForged({ ...firstReceipt, proof: secondReceipt.proof }, ['proof']);
    const incompleteReceipt = {
      ...firstReceipt,
      proof: { ...firstReceipt.proof, records: firstReceipt.proof.records.slice(0, 1) },
    };
    expectForged(incompleteReceipt, ['proof']);
    expectForged({ ...incompleteReceipt, resources: [], redirectUri: null }, ['a receipt that hides its resources']);
    const otherServer = await runningService({ seed: 'stranger' });
    try {
      const key = otherServer.service().attestation.verifierKey();
      expect(() => verifier.verifyReceipt(firstText ?? '', key)).to.throw('not signed with the given key');
    } finally {
      await otherServer.close();
    }
  });

  it('can be verified by a command without the server', async () => {
    await authorizeAndRedeem();
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-receipt-'));
    try {
      const file = join(directory, 'receipt.json');
      const text = await download();
      writeFileSync(file, text);
      const key = running.service().attestation.verifierKey();
      const runVerifier = (): string =>
        execFileSync(process.execPath, [SCRIPT, file, '--key', key, '--views', VIEWS_DIRECTORY], { encoding: 'utf8' });
      expect(runVerifier())
        .to.include('authorized Engine')
        .and.include('Add appointments')
        .and.include('authorize.ejs');
      writeFileSync(file, text.replace('"Add appointments"', '"Read appointments"'));
      expect(runVerifier).to.throw().with.include({ status: 1 });
      writeFileSync(file, 'not a receipt');
      expect(runVerifier).to.throw().with.include({ status: 1 });
      rmSync(file);
      expect(runVerifier).to.throw().with.include({ status: 2 });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  describe('has only text that the user has seen:', () => {
    it('a form whose text has changed in the meantime is shown again, and records nothing', async () => {
      const page = await browser.get(authorizePath(client, { scope: 'read' }));
      await running.restart({ ...SETTINGS, scopes: { ...SETTINGS.scopes, read: 'Read everything' } });
      const answer = await browser.post('/o/authorize/', { ...hiddenFields(page.html), allow: 'Authorize' });
      expect(answer.status).to.equal(303);
      const newForm = await browser.get(answer.location ?? '');
      expect(newForm.html).to.include('has changed. Read it again').and.include('Read everything');
      expect(await consentEvents()).to.deep.equal([]);
      await browser.post('/o/authorize/', { ...hiddenFields(newForm.html), allow: 'Authorize' });
      const [consent] = await consentEvents();
      expect(consent?.record).to.include('Read everything');
    });

    it('an application that was renamed in the meantime is recorded under the name that was shown', async () => {
      const page = await browser.get(authorizePath(client, { scope: 'read' }));
      await operateOnce('client update', { clientId: client.id, changes: { name: 'Renamed' } });
      await browser.post('/o/authorize/', { ...hiddenFields(page.html), allow: 'Authorize' });
      expect((await consentEvents())[0]?.record).to.include('"application":"Engine"');
    });

    it('the user can deny a request whose text has changed', async () => {
      const page = await browser.get(authorizePath(client, { scope: 'read' }));
      await running.restart({ ...SETTINGS, scopes: { ...SETTINGS.scopes, read: 'Read everything' } });
      const answer = await browser.post('/o/authorize/', { ...hiddenFields(page.html), deny: 'Deny' });
      expect(answer.location).to.include('error=access_denied');
    });

    it('text that is too long for a record is omitted from the recorded consent', async () => {
      await running.restart({ ...SETTINGS, scopes: { ...SETTINGS.scopes, read: 'Read. '.repeat(3_000) } });
      await authorizeAndRedeem();
      const [consent] = await consentEvents();
      expect(consent?.data).not.to.have.property('shown');
    });
  });

  async function operateOnce(name: string, input: object): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())(name, input, new AbortController().signal)) items.push(item);
    return items;
  }

  const receiptsOf = (grant: string): Promise<readonly unknown[]> => operateOnce('log receipt', { grant });

  function expectForged(receipt: unknown, jsonPath: JsonPath): void {
    const text = JSON.stringify(receipt, null, 2);
    expect(() => verifier.verifyReceipt(text), `${jsonPath.join('.')} in ${text}`).to.throw();
  }
});

type JsonPath = readonly (string | number)[];

/** Returns the paths of all members and elements, including nested ones. */
function collectJsonPaths(value: unknown, jsonPath: JsonPath = []): readonly JsonPath[] {
  if (typeof value !== 'object' || value === null) return [jsonPath];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const nestedPaths = keys.flatMap((key) =>
    collectJsonPaths((value as Record<string | number, unknown>)[key], [...jsonPath, key]),
  );
  return jsonPath.length === 0 ? nestedPaths : [jsonPath, ...nestedPaths];
}

function selectValue(root: unknown, jsonPath: JsonPath): unknown {
  return jsonPath.reduce((value, key) => (value as Record<string | number, unknown>)[key], root);
}

function withChange(root: object, jsonPath: JsonPath, change: (value: unknown) => unknown): unknown {
  const copy = structuredClone(root);
  const [lastKey = '', ...parents] = jsonPath.toReversed();
  const parent = selectValue(copy, parents.toReversed()) as Record<string | number, unknown>;
  const value = change(parent[lastKey]);
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(lastKey), 1);
  else if (value === undefined) delete parent[lastKey];
  else parent[lastKey] = value;
  return copy;
}

/** Replaces one character of the text. */
function alterText(text: string, seed: number): string {
  const index = text.length === 0 ? 0 : seed % text.length;
  return `${text.slice(0, index)}${text[index] === 'x' ? 'y' : 'x'}${text.slice(index + 1)}`;
}
