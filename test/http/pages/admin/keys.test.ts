import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { seconds } from '../../../support/domain-values.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const PAGE = '/admin/keys/';
const DAY = 86_400;
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The signing keys page', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const { username, password } = await running.addUser('root', ['administrator']);
    await running.service().keyRotation.maintain(seconds(Math.floor(running.clock.now() / 1000)));
    browser = running.browser();
    await browser.logIn(username, password);
  });
  afterEach(() => running.close());

  const keys = () => running.service().projections.signingKeys;
  const introductions = async () => (await running.events()).filter(({ type }) => type === 'SigningKeyIntroduced');
  const rotate = async (fields: Readonly<Record<string, string | readonly string[]>>) =>
    browser.submit(await browser.get(`${PAGE}rotate/`), fields);

  /** Issues a token to a new application, and returns the id of the key that signs it. */
  async function issueTokenFor(name: string): Promise<string> {
    const client = await running.addClient({ name, accessTokenFormat: 'jwt', accessTokenAlgorithm: 'ES256' });
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    return decodeProtectedHeader(String(json?.['access_token'])).kid ?? expect.fail('no kid');
  }

  const confirmRotation = async (confirmation: Awaited<ReturnType<typeof rotate>>, algorithms: readonly string[]) =>
    browser.submit(confirmation, { key_algorithm: algorithms }, `${PAGE}rotate/`);
  const checkedAlgorithms = (html: string): readonly string[] =>
    [...html.matchAll(/name="key_algorithm" value="(\w+)"\s+checked/g)].map(([, algorithm = '']) => algorithm);
  async function logInInGerman(): Promise<BrowserSession> {
    const germanSession = running.browser({ 'accept-language': 'de' });
    await germanSession.logIn('root', "root's password");
    return germanSession;
  }

  it('lists each key with its id, algorithm, state, times and events', async () => {
    const now = Math.floor(running.service().clock.now() / 1000);
    await confirmRotation(await rotate({ key_algorithm: ['ES256'], key_start: 'now' }), ['ES256']);
    await rotate({ key_algorithm: ['ES256'], key_start: 'later' });
    const [currentKey, nextKey] = keys().all().slice(-2);
    const html = (await browser.get(PAGE)).html.replaceAll('<wbr>', '');
    for (const key of [currentKey, nextKey])
      expect(html).to.include(key?.kid).and.include(`/audit/events/${key?.introducedPosition}/`);
    expect(html).to.include('Current');
    const { html: csv } = await browser.get(`${PAGE}?format=csv&status=next&type=ES256`);
    const [header, ...rows] = csv.trim().split(/\r?\n/);
    expect(header).to.include('id,algorithm,status,introduced,from,until,tokens_valid_until,retired,event');
    expect(rows.some((row) => row.includes(`${nextKey?.kid},ES256,next,`))).to.equal(true);
    expect(nextKey?.from).to.be.at.least(now + DAY);
  });

  it('introduces new keys for the chosen algorithms, and records the administrator as the actor', async () => {
    const count = (await introductions()).length;
    const answer = await rotate({ key_algorithm: ['EdDSA', 'RS256'], key_start: 'later' });
    expect([answer.status, answer.location]).to.deep.equal([302, PAGE]);
    const events = (await introductions()).slice(count);
    expect(events.map(({ data }) => (data as { algorithm: string }).algorithm)).to.have.members(['EdDSA', 'RS256']);
    const root = running.service().projections.users.findByName('root');
    for (const { actor } of events) expect(actor).to.deep.equal({ kind: 'user', id: root?.userId });
  });

  it('says on both pages when a next key starts to sign, and preselects only the other algorithms', async () => {
    await rotate({ key_algorithm: ['ES256'], key_start: 'later' });
    const startMilliseconds = (keys().all().at(-1)?.from ?? 0) * 1000;
    const day = new Date(startMilliseconds).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    expect((await browser.get(PAGE)).html).to.include(`Next, signs from ${day} at `);
    const { html } = await browser.get(`${PAGE}rotate/`);
    expect(html.match(/Its next key signs from/g)).to.have.length(1);
    expect(html).to.include(`Its next key signs from ${day} at `);
    expect(checkedAlgorithms(html)).to.deep.equal(['RS256', 'PS256', 'EdDSA']);
    const germanSession = await logInInGerman();
    expect((await germanSession.get(PAGE)).html).to.include('Nächster, signiert ab ');
    expect((await germanSession.get(`${PAGE}rotate/`)).html).to.include('Der nächste Schlüssel signiert ab ');
  });

  it('introduces no second next key, and no key for the other chosen algorithms', async () => {
    await rotate({ key_algorithm: ['ES256'], key_start: 'later' });
    const count = (await introductions()).length;
    const refusal = await rotate({ key_algorithm: ['ES256', 'RS256'], key_start: 'later' });
    expect([refusal.status, (await introductions()).length]).to.deep.equal([422, count]);
    expect(refusal.html).to.include('The algorithm ES256 already has a next key. Leave it out');
    const germanSession = await logInInGerman();
    const form = await germanSession.get(`${PAGE}rotate/`);
    const { html } = await germanSession.submit(form, { key_algorithm: ['ES256'], key_start: 'later' });
    expect(html).to.include('Für den Algorithmus ES256 gibt es schon einen nächsten Schlüssel.');
  });

  it('asks for confirmation before new keys sign immediately, even for an algorithm with a next key', async () => {
    await rotate({ key_algorithm: ['ES256'], key_start: 'later' });
    const count = (await introductions()).length;
    const confirmation = await rotate({ key_algorithm: ['ES256', 'RS256'], key_start: 'now' });
    expect([confirmation.status, (await introductions()).length]).to.deep.equal([200, count]);
    expect(confirmation.html)
      .to.include('Introduce new keys that sign immediately?')
      .and.include('refuse new tokens until they')
      .and.match(/name="key_algorithm" value="RS256">\s*<input[^>]*name="key_algorithm" value="ES256">/);
    const germanSession = await logInInGerman();
    const form = await germanSession.get(`${PAGE}rotate/`);
    expect((await germanSession.submit(form, { key_algorithm: ['ES256'], key_start: 'now' })).html).to.include(
      'Neue Schlüssel einführen, die sofort signieren?',
    );
    expect((await confirmRotation(confirmation, ['ES256', 'RS256'])).location).to.equal(PAGE);
    expect((await introductions()).length).to.equal(count + 2);
  });

  it('introduces keys once for a form that is sent twice', async () => {
    const form = await browser.get(`${PAGE}rotate/`);
    const fields = { key_algorithm: ['ES256'], key_start: 'later' };
    await browser.submit(form, fields);
    const count = (await introductions()).length;
    expect((await browser.submit(form, fields)).status).to.equal(409);
    expect((await introductions()).length).to.equal(count);
  });

  it('requires an algorithm and a start', async () => {
    const count = (await introductions()).length;
    const { status, html } = await rotate({ key_algorithm: [], key_start: 'never' });
    expect(status).to.equal(422);
    expect(html).to.include('id="key_algorithm-error"').and.include('id="key_start-error"');
    expect((await introductions()).length).to.equal(count);
  });

  it('shows the first characters of each id in the list, and the whole id in its title', async () => {
    const { html } = await browser.get(PAGE);
    for (const { kid } of keys().all()) expect(html).to.include(`title="${kid}"><bdi>${kid.slice(0, 10)}…</bdi>`);
  });

  it('asks for confirmation before retiring a key, and shows the affected applications and the successor', async () => {
    const kid = await issueTokenFor('Portal');
    await confirmRotation(await rotate({ key_algorithm: ['ES256'], key_start: 'now' }), ['ES256']);
    const successor = keys().all().at(-1)?.kid;
    expect((await browser.get(PAGE)).html).to.include(`href="${PAGE}${kid}/retire/"`);
    const { html } = await browser.get(`${PAGE}${kid}/retire/`);
    for (const part of [`Retire the signing key ${kid.slice(0, 10)}…?`, kid, 'Portal', successor, 'cannot be undone'])
      expect(html).to.include(part);
    expect(html).to.match(/Tokens valid until<\/dt><dd>\d+ \w+ \d{4} at /);
    expect(keys().find(kid)?.retired).to.equal(null);
    const germanSession = await logInInGerman();
    expect((await germanSession.get(`${PAGE}${kid}/retire/`)).html).to.include('Den Signaturschlüssel');
  });

  it('retires a key once, invalidates its tokens, and records the administrator as the actor', async () => {
    const kid = await issueTokenFor('Portal');
    await confirmRotation(await rotate({ key_algorithm: ['ES256'], key_start: 'now' }), ['ES256']);
    const confirmation = await browser.get(`${PAGE}${kid}/retire/`);
    const answer = await browser.submitAndFollow(confirmation, {});
    expect(answer.html).to.include('Tokens of these applications became invalid: Portal.');
    const root = running.service().projections.users.findByName('root');
    const retirements = (await running.events()).filter(({ type }) => type === 'SigningKeyRetired');
    expect(retirements).to.have.length(1);
    expect(retirements[0]).to.deep.include({ actor: { kind: 'user', id: root?.userId } });
    expect(retirements[0]?.data).to.deep.equal({ kid, reason: 'requested' });
    expect((await browser.submit(confirmation, {})).status, 'the same form submitted twice').to.equal(404);
    for (const missingKeyId of [kid, 'x'.repeat(43)])
      expect((await browser.get(`${PAGE}${missingKeyId}/retire/`)).status, missingKeyId).to.equal(404);
    expect((await browser.get(PAGE)).html).not.to.include(`${kid}/retire/`);
  });

  it('lists at most five applications after a retirement, and counts the others', async () => {
    const [kid] = await Promise.all(['A1', 'A2', 'A3', 'A4', 'A5', 'A6'].map(issueTokenFor));
    await confirmRotation(await rotate({ key_algorithm: ['ES256'], key_start: 'now' }), ['ES256']);
    const { html } = await browser.submitAndFollow(await browser.get(`${PAGE}${String(kid)}/retire/`), {});
    const [notice = ''] =
      /Tokens of these applications became invalid:[^<]*/.exec(html.replaceAll(/<\/?bdi>/g, '')) ?? [];
    expect(notice).to.match(
      /^Tokens of these applications became invalid: (?:A\d, ){4}A\d and one more application\.$/,
    );
  });

  it('introduces a successor first if no other key of the algorithm could sign', async () => {
    const kid =
      keys()
        .all()
        .find(({ algorithm }) => algorithm === 'ES256')?.kid ?? expect.fail('no key');
    const page = await browser.get(`${PAGE}${kid}/retire/`);
    expect(page.html).to.include('no other ES256 key could take over').and.not.to.include('Retire the key');
    const confirmation = await browser.submit(page, {});
    expect(confirmation.html).to.include('Introduce new keys that sign immediately?');
    await confirmRotation(confirmation, ['ES256']);
    expect((await browser.get(`${PAGE}${kid}/retire/`)).html).to.include('Retire the key');
    expect(keys().find(kid)?.retired).to.equal(null);
  });

  it('says that a past key would sign again after the retirement of the current one', async () => {
    await confirmRotation(await rotate({ key_algorithm: ['ES256'], key_start: 'now' }), ['ES256']);
    const [pastKey, currentKey] = keys()
      .all()
      .filter(({ algorithm }) => algorithm === 'ES256');
    const question = async (kid = '', session = browser) => (await session.get(`${PAGE}${kid}/retire/`)).html;
    expect(await question(currentKey?.kid)).to.include(`${pastKey?.kid} (a past key, which will sign again)`);
    expect(await question(pastKey?.kid)).to.include(`${currentKey?.kid}</dd>`);
    const germanSession = await logInInGerman();
    expect(await question(currentKey?.kid, germanSession)).to.include('(ein früherer, der wieder signiert)');
  });

  it('says nothing about tokens before it retires a next key that has signed none', async () => {
    await rotate({ key_algorithm: ['ES256'], key_start: 'later' });
    const [currentKey, nextKey] = keys()
      .all()
      .filter(({ algorithm }) => algorithm === 'ES256');
    const { html } = await browser.get(`${PAGE}${nextKey?.kid}/retire/`);
    expect(html).to.include('It has not signed anything yet').and.not.to.include('refuse the access tokens');
    expect((await browser.get(`${PAGE}${currentKey?.kid}/retire/`)).html)
      .to.include('refuse the access tokens')
      .and.include(`${nextKey?.kid} (the next key, which will start early)`);
  });

  it('retires no key whose successor was retired after the confirmation page was shown', async () => {
    const kid =
      keys()
        .all()
        .find(({ algorithm }) => algorithm === 'ES256')?.kid ?? expect.fail('no key');
    await rotate({ key_algorithm: ['ES256'], key_start: 'later' });
    const confirmation = await browser.get(`${PAGE}${kid}/retire/`);
    const now = seconds(Math.floor(running.clock.now() / 1000));
    await running.service().keyRotation.retire(keys().all().at(-1)?.kid ?? expect.fail(), now, OPERATOR);
    expect((await browser.submit(confirmation, {})).location).to.equal(`${PAGE}${kid}/retire/`);
    expect(keys().find(kid)?.retired).to.equal(null);
  });

  it('refuses users who are not administrators', async () => {
    const { username, password } = await running.addUser('ada');
    const ada = running.browser();
    await ada.logIn(username, password);
    expect((await ada.get(PAGE)).status).to.equal(403);
    const token = hiddenFields((await ada.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    const [key] = keys().all();
    for (const page of ['rotate/', `${key?.kid}/retire/`]) {
      expect((await ada.get(PAGE + page)).status, page).to.equal(403);
      expect((await ada.post(PAGE + page, { csrf_token: token, key_start: 'now' })).status, page).to.equal(403);
    }
    expect(key?.retired).to.equal(null);
  });
});
