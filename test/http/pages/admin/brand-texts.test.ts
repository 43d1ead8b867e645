import { expect } from 'chai';
import { encodeEvent } from '../../../../src/domain/events.ts';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const LIST = '/admin/brand/texts/';
const PAGE = `${LIST}mail.reset.subject/`;

const extractText = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('The pages for custom texts', () => {
  let running: RunningService;
  let browser: BrowserSession;

  async function start(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    running = await runningService({ settings });
    const { username, password } = await running.addUser('root', ['administrator']);
    browser = running.browser();
    await browser.logIn(username, password);
  }
  afterEach(() => running.close());

  const currentTexts = (): unknown => running.service().settingChanges.find('brandTexts')?.value;
  const setTo = (value: unknown) =>
    running.service().settingChanges.change({ set: { brandTexts: value }, reset: [] }, OPERATOR);
  const submit = async (fields: Readonly<Record<string, string>>, path = PAGE, action = path) =>
    browser.submit(await browser.get(path), fields, action);

  it("list each text by its standard wording, in the reader's language, with the custom text", async () => {
    await start();
    await setTo({ de: { 'mail.reset.subject': 'Passwort für {server}' } });
    const { html } = await browser.get(`${LIST}?q=mail.reset.subject`);
    expect(extractText(html))
      .to.include('Choose a new password for {server}')
      .and.include('Deutsch: Passwort für {server}')
      .and.match(/ \{server\} /)
      .and.not.include('Neues Passwort für {server} wählen');
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', "root's password");
    expect((await german.get(`${LIST}?q=mail.reset.subject`)).html).to.include(
      `<a href="${LIST}mail.reset.subject/"><bdi>Neues Passwort für {server} wählen</bdi></a>`,
    );
    const { html: customTextsHtml } = await browser.get(`${LIST}?status=own`);
    expect(customTextsHtml).to.include('mail.reset.subject').and.not.include('mail.reset.note');
    expect((await browser.get(`${LIST}?q=consent.title`)).html).to.not.include(`${LIST}consent.title/`);
    const { html: csv } = await browser.get(`${LIST}?status=own&format=csv`);
    expect(csv.split(/\r?\n/)[0]).to.equal('key,standard_en,standard_de,placeholders,own_en,own_de,own,status');
  });

  it('list the texts for login, sign-up, passwords and e-mails first, and link to all texts', async () => {
    await start();
    const { html } = await browser.get(LIST);
    expect(html).to.include(`${LIST}account-invitation.`).and.not.include(`${LIST}account-nav.`);
    const { html: lastTextsHtml } = await browser.get(`${LIST}?type=first&sort=-key`);
    expect(lastTextsHtml).to.include(`${LIST}verify.`).and.not.include(`${LIST}value.`);
    expect(html).to.include(`href="${LIST}?type="`);
    const { html: allTextsHtml } = await browser.get(`${LIST}?type=`);
    expect(allTextsHtml).to.include(`${LIST}account-nav.`).and.include(`href="${LIST}?type=&amp;format=csv"`);
    expect((await browser.get(`${LIST}?q=value.on`)).html).to.include(`${LIST}value.on/`);
    const german = running.browser({ 'accept-language': 'de' });
    await german.logIn('root', "root's password");
    expect(extractText((await german.get(LIST)).html)).to.include('Anmeldung, Registrierung, Passwort und Mails');
  });

  it('list texts without their tags', async () => {
    await start();
    await setTo({ en: { 'login.title': '<b>Hello</b> there' } });
    const { html } = await browser.get(`${LIST}?q=account-invitation.lede`);
    expect(extractText(html))
      .to.include('{email}')
      .and.not.match(/&lt;|&#60;/);
    expect(extractText((await browser.get(`${LIST}?q=login.title`)).html)).to.include('English: Hello there');
  });

  it('truncate long texts in the list, but not in the downloaded file', async () => {
    await start();
    const longText = `${'Hello '.repeat(40)}end`;
    await setTo({ en: { 'login.title': longText } });
    expect((await browser.get(`${LIST}?q=login.title`)).html)
      .to.include('Hello …')
      .and.not.include('Hello end');
    expect((await browser.get(`${LIST}?q=login.title&format=csv`)).html).to.include('Hello end');
  });

  it('explain the tags that a text may have, and those that it must have', async () => {
    await start();
    const openTextPage = async (key: string) => (await browser.get(`/admin/brand/texts/${key}/`)).html;
    const invitation = await openTextPage('account-invitation.lede');
    for (const tag of ['b', 'bdi', 'code'])
      expect(invitation).to.include(`<code>&lt;${tag}&gt;…&lt;/${tag}&gt;</code>`);
    expect(invitation).to.include('a name or an address').and.not.include('a link or another part of the page');
    expect(await openTextPage('admin-people.only')).to.include(
      '<code>&lt;a&gt;…&lt;/a&gt;</code></dt><dd>a link or another',
    );
  });

  it('replace a text, and keep all other texts', async () => {
    await start();
    await setTo({ en: { 'login.title': 'Hello' }, de: { 'mail.reset.subject': 'Passwort für {server}' } });
    const form = await browser.get(PAGE);
    expect(form.html).to.include('Passwort für {server}</textarea>');
    const fields = { own_text_en: 'New password at {server}, by {brand}', own_text_de: 'Passwort für {server}' };
    const answer = await browser.submit(form, fields, PAGE);
    expect([answer.status, answer.location]).to.deep.equal([302, PAGE]);
    expect(currentTexts()).to.deep.equal({
      en: { 'login.title': 'Hello', 'mail.reset.subject': 'New password at {server}, by {brand}' },
      de: { 'mail.reset.subject': 'Passwort für {server}' },
    });
    const [event] = (await running.events()).filter(({ type }) => type === 'SettingChanged').slice(-1);
    expect(event?.actor.kind).to.equal('user');
  });

  it('return to the standard text with an empty field, or with a button', async () => {
    await start();
    await setTo({ en: { 'mail.reset.subject': '{server}' }, de: { 'mail.reset.subject': '{server}' } });
    await submit({ own_text_en: '', own_text_de: '{server}' });
    expect(currentTexts()).to.deep.equal({ de: { 'mail.reset.subject': '{server}' } });
    const answer = await submit({}, PAGE, `${PAGE}reset/`);
    expect([answer.status, answer.location, currentTexts()]).to.deep.equal([302, PAGE, {}]);
    expect((await running.events()).at(-1)?.type).to.equal('SettingReset');
  });

  it('report missing and unknown placeholders at the field, and keep the input in the form', async () => {
    await start();
    const { status, html } = await submit({ own_text_en: 'A new password', own_text_de: '{server} {name}' });
    expect(status).to.equal(422);
    expect(html).to.include('<title>Error: Text mail.reset.subject');
    expect(html).to.match(/id="own_text_en-error">This text cannot be used: it lacks \{server\}\./);
    expect(html).to.match(/id="own_text_de-error">This text cannot be used: it contains \{name\}, but/);
    expect(html).to.include('A new password</textarea>');
    expect((await submit({ own_text_en: `{server}${'x'.repeat(2_000)}` })).status).to.equal(422);
    expect(currentTexts()).to.deep.equal({});
  });

  it('warn about a text that no longer fits, which does not prevent changes to other texts', async () => {
    await start();
    const brokenTexts = { en: { 'mail.reset.subject': 'Old', 'mail.gone': 'Old' } };
    const { settingChanges } = running.service();
    const problem = await settingChanges.problems({ set: { brandTexts: brokenTexts }, reset: [] });
    expect(problem).to.have.property('brandTexts');
    const event = encodeEvent({ type: 'SettingChanged', data: { name: 'brandTexts', value: brokenTexts } });
    await running.log.append('settings', 'no-stream', [{ ...event, recordedAt: 0, ...OPERATOR }]);
    await running.restart();
    browser = running.browser();
    await browser.logIn('root', "root's password");
    expect(extractText((await browser.get(LIST)).html)).to.include('2 of your texts do not fit');
    expect(extractText((await browser.get(PAGE)).html)).to.include('Your text is ignored: it lacks {server}.');
    expect((await submit({ own_text_en: 'Hello' }, `${LIST}login.title/`)).status).to.equal(302);
    expect(currentTexts()).to.deep.equal({ en: { ...brokenTexts.en, 'login.title': 'Hello' } });
    const removedTextPath = `${LIST}mail.gone/`;
    expect(extractText((await browser.get(removedTextPath)).html)).to.include('Grantlog no longer has this text.');
    const removal = await submit({}, removedTextPath, `${removedTextPath}reset/`);
    expect([removal.status, removal.location]).to.deep.equal([302, LIST]);
    expect((await browser.get(removedTextPath)).status).to.equal(404);
  });

  it('refuse a form that is older than the newest change to its text', async () => {
    await start();
    const form = await browser.get(PAGE);
    await submit({ own_text_en: 'Newer {server}' });
    const lateResponse = await browser.submit(form, { own_text_en: 'Older {server}' }, PAGE);
    expect([lateResponse.status, currentTexts()]).to.deep.equal([
      409,
      { en: { 'mail.reset.subject': 'Newer {server}' } },
    ]);
  });

  it('offer no field for texts from the configuration file, and exist only for replaceable texts', async () => {
    await start({ brandTexts: { en: { 'mail.reset.subject': 'Fixed {server}' } } });
    const page = await browser.get(PAGE);
    expect(extractText(page.html)).to.include('It can be changed only there').and.include('Fixed {server}');
    expect(page.html).to.not.include('<textarea');
    const token = hiddenFields(page.html)['csrf_token'] ?? '';
    expect((await browser.post(PAGE, { csrf_token: token, own_text_en: '{server}' })).status).to.equal(422);
    expect(currentTexts()).to.deep.equal({ en: { 'mail.reset.subject': 'Fixed {server}' } });
    for (const key of ['consent.title', 'mail.nothing', '__proto__'])
      expect((await browser.get(`${LIST}${key}/`)).status, key).to.equal(404);
  });
});
