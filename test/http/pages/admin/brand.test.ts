import { expect } from 'chai';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { png, pngChunk } from '../../../support/images.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const PAGE = '/admin/brand/';

const extractText = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('The brand page', () => {
  let running: RunningService;
  let browser: BrowserSession;

  async function start(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    running = await runningService({ settings });
    const { username, password } = await running.addUser('root', ['administrator']);
    browser = running.browser();
    await browser.logIn(username, password);
  }
  afterEach(() => running.close());

  const valueOf = (name: 'brandName' | 'brandColor' | 'brandLogo' | 'brandLogoDark' | 'brandLinks'): unknown =>
    running.service().settingChanges.find(name)?.value;
  const save = async (fields: Readonly<Record<string, string>>, path = PAGE) =>
    browser.submit(await browser.get(PAGE), fields, path);
  const settingEvents = async () => (await running.events()).filter(({ type }) => type.startsWith('Setting'));

  async function upload(file: Buffer, scheme = 'light') {
    const form = new FormData();
    form.append('csrf_token', hiddenFields((await browser.get(PAGE)).html)['csrf_token'] ?? '');
    form.append('brand_scheme', scheme);
    form.append('logo', new Blob([new Uint8Array(file)]), '../evil.svg');
    return browser.upload(`${PAGE}logo/`, form);
  }

  const logoOn = (html: string): string => /<picture>[\s\S]*?<img src="([^"]+)"/.exec(html)?.[1] ?? '';

  it('changes only the settings that differ, with one event each, and with effect from the next request', async () => {
    await start();
    const firstSave = await save({ brand_name: 'Harbour & Sons', brand_privacy: 'https://harbour.example/privacy' });
    expect([firstSave.status, firstSave.location]).to.deep.equal([302, PAGE]);
    expect(
      (await settingEvents()).map(({ data, actor }) => [(data as { name: string }).name, actor.kind]),
    ).to.deep.equal([
      ['brandName', 'user'],
      ['brandLinks', 'user'],
    ]);
    const page = await browser.get(PAGE);
    expect(extractText(page.html)).to.include('The brand was changed. The change takes effect immediately.');
    expect(page.html).to.include('<title>Brand · Harbour &amp; Sons</title>');
    const secondSave = await save({ brand_name: 'Harbour & Sons', brand_privacy: 'https://harbour.example/privacy' });
    expect(extractText((await browser.get(secondSave.location ?? '')).html)).to.include('Nothing was changed.');
    await save({ brand_name: 'Grantlog', brand_privacy: '' });
    expect((await settingEvents()).map(({ type }) => type).slice(2)).to.deep.equal(['SettingReset', 'SettingReset']);
  });

  it('refuses a name that is too long, even if a setting would ignore its spaces', async () => {
    await start();
    for (const path of [PAGE, `${PAGE}preview/`]) {
      const { status, html } = await save({ brand_name: `Acme${' '.repeat(200)}x` }, path);
      expect(status).to.equal(422);
      expect(html).to.include('Use at most');
    }
    expect(await settingEvents()).to.deep.equal([]);
  });

  it('previews the entered values on light and dark pages, without saving them', async () => {
    await start();
    const preview = await save({ brand_name: 'Acme <b>', brand_color: '#9a1f5c' }, `${PAGE}preview/`);
    expect(preview.status).to.equal(200);
    expect(extractText(preview.html)).to.include('They have not taken effect yet.');
    expect(preview.html).to.include('Acme &lt;b&gt;').and.include('value="#9a1f5c"');
    const [, stylesheetUrl = ''] = /href="(\/admin\/brand\/preview\.css[^"]*)"/.exec(preview.html) ?? [];
    expect(stylesheetUrl).to.match(/\?light=9a1f5c&amp;dark=[\da-f]{6}$/);
    const { html: css, headers } = await browser.get(stylesheetUrl.replaceAll('&amp;', '&'));
    expect(headers.get('content-type')).to.equal('text/css; charset=utf-8');
    const [lightStyles = '', darkStyles = ''] = css.trim().split(/\n(?=\.brand-preview--dark)/);
    expect(lightStyles)
      .to.include('--paper: #f8f7f4;')
      .and.include('--accent: #9a1f5c;')
      .and.include('color-scheme: light;');
    expect(darkStyles).to.include('--paper: #111315;').and.include('color-scheme: dark;');
    expect(await settingEvents()).to.deep.equal([]);
    expect(valueOf('brandColor')).to.equal(null);
  });

  it('serves a preview stylesheet only for valid colors, and only to administrators', async () => {
    await start();
    for (const color of ['red', '9a1f5c;}', '%7D*%7Bcolor%3Ared', '9A1F5C0', '#9a1f5c'.replace('#', '%23')])
      expect((await browser.get(`${PAGE}preview.css?light=${color}`)).status, color).to.equal(404);
    expect((await running.get(`${PAGE}preview.css`)).status).to.not.equal(200);
  });

  it('shows a branded e-mail without working links', async () => {
    await start();
    await save({ brand_name: 'Harbour & Sons', brand_color: '#9a1f5c' });
    await upload(png());
    const eventCount = (await running.events()).length;
    const { status, html, headers } = await browser.get(`${PAGE}mail/`);
    expect(status).to.equal(200);
    expect(headers.get('content-security-policy'))
      .to.include("default-src 'none'")
      .and.include("frame-ancestors 'self'")
      .and.match(/\bsandbox$/);
    expect(headers.get('x-frame-options')).to.equal('SAMEORIGIN');
    const page = await browser.get(PAGE);
    expect(extractText(page.html)).to.match(/Subject: \S/);
    expect(page.html).to.match(
      /<iframe src="\/admin\/brand\/mail\/\?mail=reset&amp;language=en" title="[^"]+" sandbox>/,
    );
    expect(page.headers.get('content-security-policy')).to.match(/frame-ancestors 'none'.*; frame-src 'self'$/);
    expect(html)
      .to.include('<strong>Harbour &amp; Sons</strong>')
      .and.include('background:#9a1f5c')
      .and.include('src="data:image/png;base64,')
      .and.include('the account root at')
      .and.include('/accounts/reset/"')
      .and.not.include('cid:');
    expect((await running.events()).length).to.equal(eventCount);
    expect((await running.get(`${PAGE}mail/`)).status).to.not.equal(200);
  });

  it('shows the chosen e-mail in the chosen language, with its sender and its subject', async () => {
    await start();
    const examples = [...(await browser.get(PAGE)).html.matchAll(/<option value="([\w-]+)"/g)].map(([, name]) => name);
    expect(examples).to.include.members(['reset', 'login', 'invitation', 'test', 'en', 'de']);
    for (const mail of examples.filter((name) => name !== 'en' && name !== 'de')) {
      const page = await browser.get(`${PAGE}?mail=${mail}&language=de`);
      expect(extractText(page.html)).to.match(/From: \S+@\S+/);
      const [, frameUrl = ''] = /<iframe src="([^"]+)"/.exec(page.html) ?? [];
      const { html } = await browser.get(frameUrl.replaceAll('&amp;', '&'));
      expect(html, mail).to.include('lang="de"');
    }
    const unknownMailPage = await browser.get(`${PAGE}?mail=nothing&language=xx`);
    expect(unknownMailPage.html).to.include('/admin/brand/mail/?mail=reset&amp;language=en');
    const [, title = ''] = /<iframe [^>]*title="([^"]+)"/.exec((await browser.get(`${PAGE}?mail=test`)).html) ?? [];
    expect(title).to.match(/^The e-mail: Test e-mail from /);
  });

  it('refuses a color that makes text unreadable, and keeps the input in the form', async () => {
    await start();
    const refusal = await save({ brand_name: 'Acme', brand_color: '#ffcc00', brand_terms: 'javascript:alert(1)' });
    expect(refusal.status).to.equal(422);
    expect(refusal.html).to.match(/id="brand_color-error">#ffcc00 has a contrast of only 1\.32:1/);
    expect(refusal.html).to.include('value="javascript:alert(1)"').and.include('value="Acme"');
    expect(extractText(refusal.html))
      .to.include('With the saved colors, because the entered color cannot be used.')
      .and.not.include('With the values that you entered.');
    expect(await settingEvents()).to.deep.equal([]);
  });

  it('reports each invalid link, color and name at its field', async () => {
    await start();
    const refusal = await save({
      brand_name: ' ',
      brand_color: 'red',
      brand_support: 'help@harbour.example',
      brand_privacy: 'https://harbour.example/privacy',
      brand_terms: 'terms',
    });
    const errors = [...refusal.html.matchAll(/id="(brand_\w+)-error">([^<]*)/g)].map(([, field, error]) => [
      field,
      error,
    ]);
    expect(errors).to.deep.equal([
      ['brand_name', 'Enter a name of at most 60 visible characters.'],
      ['brand_color', 'Enter a color with six hexadecimal digits, such as #0b6b5b, or leave the field empty.'],
      [
        'brand_support',
        'Enter an https address, such as https://example.com/help, or mailto: with an e-mail address, or leave ' +
          'the field empty.',
      ],
      ['brand_terms', 'Enter an https address, such as https://example.com/privacy, or leave the field empty.'],
    ]);
  });

  it('refuses a form that is older than the newest change', async () => {
    await start();
    const form = await browser.get(PAGE);
    await save({ brand_name: 'Acme' });
    const lateResponse = await browser.submit(form, { brand_name: 'Grantlog', brand_color: '#9a1f5c' }, PAGE);
    expect([lateResponse.status, valueOf('brandName')]).to.deep.equal([409, 'Acme']);
  });

  it('offers no field for a setting from the configuration file, and ignores one that is sent', async () => {
    await start({ brandName: 'Fixed & Co' });
    const page = await browser.get(PAGE);
    expect(extractText(page.html)).to.include(
      'The operator set brandName in the configuration file or the environment',
    );
    expect(page.html).to.not.include('name="brand_name"');
    const token = hiddenFields(page.html)['csrf_token'] ?? '';
    await browser.post(PAGE, { csrf_token: token, brand_name: 'Acme', brand_color: '#9a1f5c' });
    expect([valueOf('brandName'), valueOf('brandColor')]).to.deep.equal(['Fixed & Co', '#9a1f5c']);
  });

  it('accepts a logo, removes its metadata, and serves it at a URL that changes with it', async () => {
    await start();
    const previousLogoPath = logoOn((await running.get('/accounts/login/')).text);
    const image = png();
    const photograph = Buffer.concat([
      image.subarray(0, 33),
      pngChunk('tEXt', Buffer.from('Place\0Home')),
      image.subarray(33),
    ]);
    const answer = await upload(photograph);
    expect([answer.status, answer.location]).to.deep.equal([302, PAGE]);
    expect(valueOf('brandLogo')).to.equal(`data:image/png;base64,${image.toString('base64')}`);
    const logoPath = logoOn((await running.get('/accounts/login/')).text);
    expect(logoPath)
      .to.match(/^\/static\/brand-logo\?v=/)
      .and.not.equal(previousLogoPath);
    const logoResponse = await running.get(logoPath);
    expect(logoResponse.headers.get('content-type')).to.equal('image/png');
    expect(logoResponse.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(logoResponse.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(logoResponse.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    await upload(image, 'dark');
    expect((await running.get('/accounts/login/')).text).to.include('<source srcset="/static/brand-logo-dark?v=');
    const removal = await browser.submit(await browser.get(PAGE), { brand_scheme: 'light' }, `${PAGE}logo/remove/`);
    expect([removal.status, valueOf('brandLogo')]).to.deep.equal([302, null]);
  });

  it('refuses anything but a small image, even in the settings', async () => {
    await start();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const refusal = await upload(svg);
    expect(refusal.status).to.equal(422);
    expect(extractText(refusal.html)).to.include('SVG is not accepted, because it can contain scripts.');
    const { settingChanges } = running.service();
    const urls = [
      `data:image/svg+xml;base64,${svg.toString('base64')}`,
      `data:image/png;base64,${svg.toString('base64')}`,
      `data:image/jpeg;base64,${png().toString('base64')}`,
      'https://evil.example/logo.png',
      'data:text/html,<script>',
    ];
    for (const brandLogo of urls)
      expect(await settingChanges.problems({ set: { brandLogo }, reset: [] }), brandLogo).to.have.property('brandLogo');
    expect(valueOf('brandLogo')).to.equal(null);
  });
});
