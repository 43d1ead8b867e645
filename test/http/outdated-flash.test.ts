import { expect } from 'chai';
import { createCookieSigner } from '../../src/http/pipeline/cookie-signer.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const COOKIE = 'grantlog';

describe('A flash message that a different release stored in the cookie', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
  });
  afterEach(() => running.close());

  /** Opens a page in a browser whose cookie contains the message. */
  async function openPageWith(flash: unknown): Promise<{ readonly status: number; readonly html: string }> {
    const value = Buffer.from(JSON.stringify({ flash, _expire: 8e15, _maxAge: 1e9 })).toString('base64');
    const signature = createCookieSigner(running.service().cookieKeys.cookies).sign(`${COOKIE}=${value}`) ?? '';
    const browser = running.browser();
    browser.setCookie(COOKIE, value);
    browser.setCookie(`${COOKIE}.sig`, signature);
    return browser.get('/accounts/login/');
  }

  it('is shown if this release has the message', async () => {
    const { status, html } = await openPageWith({ text: { key: 'error.nothing-changed' }, tone: 'good' });
    expect(status).to.equal(200);
    expect(html).to.include('Nothing was changed.');
  });

  for (const [name, text] of Object.entries({
    'has no such message': { key: 'message.of-another-release' },
    'needs a value that is missing': { key: 'error.too-many-fields' },
    'does not know its key': { key: '__proto__' },
    'lacks a message among its values': {
      key: 'problem.sentences',
      values: { one: { key: 'message.of-another-release' }, other: 'x' },
    },
    'expects an object': 7,
  }))
    it(`is omitted if this release ${name}`, async () => {
      const { status, html } = await openPageWith({ text, tone: 'good' });
      expect(status).to.equal(200);
      expect(html).not.to.include('another-release').and.not.to.include('class="flash');
    });
});
