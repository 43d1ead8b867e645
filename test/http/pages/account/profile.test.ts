import { expect } from 'chai';
import { PROFILE_FIELDS } from '../../../../src/domain/profile.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const PROFILE = {
  middle_name: 'King',
  nickname: 'Countess',
  gender: 'female',
  birthdate: '1815-12-10',
  profile: 'https://ada.example/about',
  website: 'https://ada.example/',
  picture: 'https://ada.example/me.png',
  phone_number: '+442079460123',
  street_address: '12 St James’s Square\nFlat 3',
  locality: 'London',
  region: 'Greater London',
  postal_code: 'SW1Y 4LB',
  country: 'United Kingdom',
  zoneinfo: 'Europe/London',
  locale: 'en-GB',
};

describe('The page “Your profile”', () => {
  let running: RunningService;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const profile = () => running.service().projections.users.findByName('ada')?.profile;
  const openForm = (): Promise<Page> => browser.get('/accounts/details/');
  async function send(fields: Readonly<Record<string, string>>): Promise<Page> {
    const { html } = await openForm();
    return browser.post('/accounts/details/', { csrf_token: hiddenFields(html)['csrf_token'] ?? '', ...fields });
  }

  it('is for logged-in users, and has no required fields', async () => {
    expect((await running.browser().get('/accounts/details/')).location).to.include('/accounts/login/');
    const { html } = await openForm();
    for (const name of PROFILE_FIELDS) expect(html).to.include(`name="${name}"`);
    expect(html).not.to.match(/<(?:input|select|textarea)[^>]* required/);
    expect(await send({})).to.include({ status: 302, location: '/accounts/' });
    expect(profile()).to.deep.equal({});
  });

  it('saves every field, and shows it again in the form', async () => {
    expect(await send(PROFILE)).to.include({ status: 302, location: '/accounts/' });
    expect(profile()).to.deep.equal(PROFILE);
    const [accountHtml, formHtml] = [(await browser.get('/accounts/')).html, (await openForm()).html];
    expect(accountHtml).to.include('Your profile was saved.');
    for (const value of Object.values(PROFILE).flatMap((text) => text.split('\n'))) expect(formHtml).to.include(value);
    expect(formHtml).to.include('<option selected>Europe/London</option>');
  });

  it('removes a field that is emptied', async () => {
    await send(PROFILE);
    await send({ ...PROFILE, street_address: ' ', phone_number: '' });
    expect(profile()).not.to.have.any.keys('street_address', 'phone_number');
    expect(profile()).to.include({ nickname: 'Countess' });
  });

  it('shows an error beside its field, keeps the input in the form, and saves nothing', async () => {
    const initialHead = running.log.head();
    const { status, html } = await send({
      ...PROFILE,
      website: 'my site',
      birthdate: '31.12.1815',
      zoneinfo: 'Mars/Base',
    });
    expect(status).to.equal(422);
    for (const name of ['website', 'birthdate', 'zoneinfo']) expect(html).to.include(`id="${name}-error"`);
    expect(html).to.include('value="my site"').and.to.include('value="Countess"').and.to.include('Flat 3');
    expect(running.log.head()).to.equal(initialHead);
  });

  it('keeps a time zone under the name that was set, even if the list has a different name for it', async () => {
    const user = running.service().projections.users.findByName('ada') ?? expect.fail();
    const operator = { actor: { kind: 'operator' }, requestId: null } as const;
    await running.service().accounts.changeProfile(user, { profile: { zoneinfo: 'Asia/Calcutta' } }, operator);
    expect((await openForm()).html).to.include('<option selected>Asia/Calcutta</option>');
    await send({ zoneinfo: profile()?.zoneinfo ?? '' });
    expect(profile()).to.deep.equal({ zoneinfo: 'Asia/Calcutta' });
  });
});
