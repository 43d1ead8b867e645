import { expect } from 'chai';
import { authorizePath } from '../support/authorize-requests.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The consent page for claims', () => {
  let running: RunningService;
  let client: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({
      settings: {
        scopes: { read: 'Read', write: 'Write', staff: 'Check your staff card', phone: 'Call you' },
        scopeClaims: { staff: ['name', 'picture'] },
      },
    });
    const ada = await running.addUser('ada');
    client = await running.addClient({ name: 'Engine' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const setProfile = (profile: Readonly<Record<string, string>>) =>
    running
      .service()
      .accounts.changeProfile(
        running.service().projections.users.findByName('ada') ?? expect.fail(),
        { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', profile },
        OPERATOR,
      );
  /** Opens the consent page, and returns its text without tags. */
  async function openConsentPage(scope: string, claims?: object): Promise<string> {
    const parameters = { scope, ...(claims && { claims: JSON.stringify(claims) }) };
    const { html, status } = await browser.get(authorizePath(client, parameters));
    expect(status).to.equal(200);
    return extractText(html);
  }
  const extractText = (html: string): string =>
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();

  it('shows the values that the scopes share, and lists claims without a value', async () => {
    await setProfile({ nickname: 'Countess', street_address: '12 St James Square\nFlat 3' });
    const text = await openConsentPage('openid profile email address phone');
    for (const entry of [
      'Name Ada Lovelace',
      'Nickname Countess',
      'User name ada',
      'E-mail address ada@example.org',
      'Postal address 12 St James Square Flat 3',
      'Not filled in: profile page, picture, website, gender, birthday, time zone, language',
      'Call you Not filled in: phone number',
    ])
      expect(text).to.include(entry);
    expect(text).to.include('If you change this data later, Engine will see the changes.');
  });

  it('shows the values that a custom scope shares, whatever its description says', async () => {
    await setProfile({ picture: 'https://ada.example/me.png' });
    expect(await openConsentPage('openid staff read'))
      .to.include('Name Ada Lovelace Picture https://ada.example/me.png')
      .and.not.to.include('ada@example.org');
  });

  it('shows individually requested claims, unless a scope covers them', async () => {
    await setProfile({ nickname: 'Countess', phone_number: '+442079460123' });
    const claims = {
      id_token: { email: null, acr: null },
      userinfo: { phone_number: { essential: true }, nickname: null },
    };
    expect(await openConsentPage('openid profile', claims)).to.match(
      /It also asks for .* E-mail address ada@example\.org Phone number \+442079460123 If you/,
    );
    expect(await openConsentPage('openid profile email phone', claims)).not.to.include('It also asks for');
    expect(await openConsentPage('read', claims), 'without openid, the parameter has no effect').not.to.include(
      'ada@example',
    );
  });

  it('shows none of the data without the openid scope, because userinfo requires it', async () => {
    await setProfile({ nickname: 'Countess' });
    const text = await openConsentPage('read staff email');
    for (const hiddenText of ['Countess', 'Lovelace', 'ada@example.org', 'Not filled in', 'If you change'])
      expect(text).not.to.include(hiddenText);
  });

  it('is followed by sentences about the same claims in the list of authorized applications', async () => {
    const scope = 'openid email phone staff offline_access';
    const claims = JSON.stringify({ userinfo: { nickname: null, email: null } });
    const page = await browser.get(authorizePath(client, { scope, claims }));
    const { location } = await browser.submit(page, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const text = extractText((await browser.get('/o/authorized_tokens/')).html);
    for (const sentence of [
      'Recognize you when you log in with your account here',
      'See your e-mail address',
      'Call you · See your phone number',
      'Check your staff card · See your name and picture',
      'Keep its access when you are logged out',
      'See your nickname',
    ])
      expect(text).to.include(sentence);
  });
});
