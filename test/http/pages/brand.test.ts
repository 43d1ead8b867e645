import { english } from '../../../src/language/english.ts';
import { expect } from 'chai';
import { encodeEvent } from '../../../src/domain/events.ts';
import { escapeHtml } from '../../../src/platform/escape-html.ts';
import { png } from '../../support/images.ts';
import { mailbox } from '../../support/mailbox.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The brand', () => {
  let running: RunningService;
  afterEach(() => running.close());

  async function changeSettings(set: Readonly<Record<string, unknown>>): Promise<void> {
    const result = await running.service().settingChanges.change({ set, reset: [] }, OPERATOR);
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  }

  async function findProblem(name: string, value: unknown): Promise<string | undefined> {
    const problems = await running.service().settingChanges.problems({ set: { [name]: value }, reset: [] });
    return problems[name] && english.text(problems[name]);
  }

  const fetchLoginPage = async (): Promise<string> => (await running.get('/accounts/login/')).text;
  const extractStylesheetUrl = (html: string): string | undefined => /href="([^"]*brand\.css[^"]*)"/.exec(html)?.[1];

  it('is the name, logo and colors of Grantlog by default', async () => {
    running = await runningService();
    const html = await fetchLoginPage();
    expect(html).to.include(' · Grantlog</title>').and.include('<span>Grantlog</span>').and.include('favicon.svg');
    expect(extractStylesheetUrl(html)).to.equal(undefined);
    expect((await running.get('/static/brand.css')).status).to.equal(404);
  });

  it('has the configured name on pages, escaped, from the next request on and after a restart', async () => {
    running = await runningService();
    await changeSettings({ brandName: 'Harbour & <b>Sons</b>' });
    for (const afterRestart of [false, true]) {
      if (afterRestart) await running.restart();
      const html = await fetchLoginPage();
      expect(html).to.include(' · Harbour &amp; &lt;b&gt;Sons&lt;/b&gt;</title>').and.not.include('<b>Sons');
      const [, markPath = ''] = /<img src="([^"]+)"/.exec(html) ?? [];
      const response = await running.get(markPath);
      expect([response.headers.get('content-type'), response.text.includes('>H</text>')]).to.deep.equal([
        'image/svg+xml',
        true,
      ]);
    }
  });

  it('has its colors in a cached stylesheet, whose URL changes with them', async () => {
    running = await runningService();
    await changeSettings({ brandColor: '#9a1f5c' });
    const oldUrl = extractStylesheetUrl(await fetchLoginPage()) ?? expect.fail('there is no stylesheet');
    const stylesheet = await running.get(oldUrl);
    expect(stylesheet.headers.get('content-type')).to.equal('text/css; charset=utf-8');
    expect(stylesheet.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(stylesheet.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(stylesheet.text).to.match(
      /^:root \{ --accent: #9a1f5c; .*\}\n@media \(prefers-color-scheme: dark\) \{ :root \{/,
    );
    await changeSettings({ brandColorDark: '#ffb3d9' });
    const newUrl = extractStylesheetUrl(await fetchLoginPage()) ?? expect.fail('there is no stylesheet');
    expect(newUrl).to.not.equal(oldUrl);
    expect((await running.get(newUrl)).text).to.include('--accent: #ffb3d9;');
    expect((await running.get(oldUrl)).headers.get('cache-control')).to.equal('no-cache');
  });

  it('cannot have a color that makes text unreadable, or a value that is not a color', async () => {
    running = await runningService();
    expect(await findProblem('brandColor', '#ffcc00'))
      .to.include('1.32:1')
      .and.include('brandColor: #ffcc00');
    expect(await findProblem('brandColorDark', '#111111')).to.include(':1 with the dark pages');
    const invalidColors = [
      'red',
      '#12345',
      '#9a1f5c;}body{display:none',
      'url(//evil.example)',
      '#9a1f5c\n',
      'var(--x)',
    ];
    for (const value of invalidColors)
      expect(await findProblem('brandColor', value), value).to.include('must be null, or a color');
  });

  it('keeps a recorded color that this release would refuse', async () => {
    running = await runningService();
    const event = encodeEvent({ type: 'SettingChanged', data: { name: 'brandColor', value: '#ffcc00' } });
    await running.log.append('settings', 'no-stream', [{ ...event, recordedAt: 0, ...OPERATOR }]);
    await running.restart();
    const stylesheet = extractStylesheetUrl(await fetchLoginPage()) ?? expect.fail('there is no stylesheet');
    expect((await running.get(stylesheet)).text).to.include('--accent: #ffcc00;');
  });

  it('has a name of at most 60 characters, without invisible ones', async () => {
    running = await runningService();
    for (const name of ['', ' Acme', 'a'.repeat(61), 'Acme\nInc', 'A\u202ecme', 'A\u200bcme'])
      expect(await findProblem('brandName', name), JSON.stringify(name)).to.include('brandName: must be a name');
    expect(await findProblem('brandName', 'Ürün AŞ')).to.equal(undefined);
  });

  it('has its configured links in the footer of pages and in the metadata', async () => {
    running = await runningService();
    const links = { support: 'mailto:help@acme.example', privacy: 'https://acme.example/p?a=1&b=2' };
    await changeSettings({ brandLinks: links });
    const html = await fetchLoginPage();
    expect(html).to.include('<a href="mailto:help@acme.example">Help</a>');
    expect(html).to.include('<a href="https://acme.example/p?a=1&amp;b=2">Privacy</a>');
    expect(html).to.not.include('Terms of use');
    const metadata = await running.get('/.well-known/openid-configuration');
    expect(metadata.json).to.include({ op_policy_uri: links.privacy }).and.not.have.property('op_tos_uri');
    const invalidLinks = [
      'javascript:alert(1)',
      'http://acme.example/',
      'data:text/html,x',
      'https://user@acme.example/',
      '//x',
    ];
    for (const privacy of [...invalidLinks, 'mailto:help@acme.example'])
      expect(await findProblem('brandLinks', { privacy }), privacy).to.include('brandLinks: must be a map');
  });

  it('provides the name that passkeys and authenticator apps show', async () => {
    running = await runningService({ settings: { issuer: 'http://localhost:8000', brandName: 'Acme: Login' } });
    await running.addUser('ada');
    const { passkeyLogins, secondFactorChanges, projections } = running.service();
    const ada = projections.users.findByName('ada') ?? expect.fail('there is no such user');
    expect((await passkeyLogins.creationOptions(ada, 'session')).rp).to.deep.equal({
      name: 'Acme: Login',
      id: 'localhost',
    });
    const { searchParams } = new URL(secondFactorChanges.offerApp(ada, 'session').uri);
    expect(searchParams.get('issuer')).to.equal('Acme  Login');
  });

  it('has custom texts on pages and in e-mails, escaped, but not on the consent page', async () => {
    const inbox = mailbox(({ subject }) => !subject.startsWith('New login'));
    running = await runningService({ mailTransport: inbox.transport });
    await running.addUser('ada');
    const { accounts, projections } = running.service();
    const ada = () => projections.users.findByName('ada') ?? expect.fail('there is no such user');
    await accounts.changeProfile(ada(), { email: 'ada@example.org' }, OPERATOR);
    await accounts.verifyEmail(ada(), OPERATOR);
    const texts = {
      'login.title': 'Welcome <b>aboard</b> of {brand} & co',
      'mail.reset.subject': '{brand}: your new password for {server}',
      'mail.reset.once': 'Click within half an hour.',
    };
    await changeSettings({ brandName: 'Acme', brandTexts: { en: texts } });
    expect(await fetchLoginPage()).to.include('<title>Welcome aboard of Acme &amp; co · Acme</title>');
    const browser = running.browser();
    await browser.submit(await browser.get('/accounts/forgot/'), { username: 'ada' });
    const mail = await inbox.waitFor(1);
    expect(mail.subject).to.match(/^Acme: your new password for /);
    expect(mail.text).to.include('Click within half an hour.');
    expect(await findProblem('brandTexts', { en: { 'consent.title': 'Say yes' } })).to.include(
      'brandTexts: en consent.title: ',
    );
    expect(await findProblem('brandTexts', { en: { 'login.title': 'x'.repeat(2_001) } })).to.include('must be a map');
    expect(await findProblem('brandTexts', { fr: {} })).to.include('must be a map');
  });

  it('appears in the next e-mail after each change, with the logo embedded', async () => {
    const inbox = mailbox(({ subject }) => !subject.startsWith('New login'));
    running = await runningService({ mailTransport: inbox.transport });
    await running.addUser('ada');
    const { accounts, projections } = running.service();
    const ada = () => projections.users.findByName('ada') ?? expect.fail('there is no such user');
    await accounts.changeProfile(ada(), { email: 'ada@example.org' }, OPERATOR);
    await accounts.verifyEmail(ada(), OPERATOR);
    const mailCount = inbox.emails.length;
    const browser = running.browser();
    for (const [index, brand] of [
      { brandName: 'Acme & <b>Co</b>', brandColor: '#9a1f5c', brandLogo: dataUrl(png()) },
      { brandName: 'Harbour', brandColor: '#1d4ed8', brandLogo: dataUrl(png({ width: 32 })) },
      { brandName: 'Harbour', brandColor: null, brandLogo: null },
    ].entries()) {
      await changeSettings(brand);
      await browser.submit(await browser.get('/accounts/forgot/'), { username: 'ada' });
      const { html, images = [] } = await inbox.waitFor(mailCount + index + 1);
      expect(html).to.include(`<strong>${escapeHtml(brand.brandName)}</strong>`);
      expect(html).to.include(`background:${brand.brandColor ?? '#0b6b5b'};`);
      const logos = images.map(({ mediaType, base64 }) => `data:${mediaType};base64,${base64}`);
      expect(logos).to.deep.equal(brand.brandLogo === null ? [] : [brand.brandLogo]);
    }
  });
});

const dataUrl = (image: Buffer): string => `data:image/png;base64,${image.toString('base64')}`;
