import { createSecretKey, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { createCookieSigner } from '../../src/http/pipeline/cookie-signer.ts';
import { createRequestSeal } from '../../src/oauth/credentials/sealed-request.ts';
import type { RotatingKey } from '../../src/platform/keys/rotating-key.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => createSecretKey(Buffer.alloc(32, byte))) as [
  KeyObject,
  KeyObject,
  KeyObject,
];
const keyOf = (...accepted: readonly [KeyObject, ...KeyObject[]]): RotatingKey => ({
  current: () => accepted[0],
  accepted: () => accepted,
});

describe('after the cookie key has been replaced,', () => {
  it('a signature made with the previous key is valid and renewed, and one made with any other key is not', () => {
    const signer = createCookieSigner(keyOf(NEW, OLD));
    const signWith = (key: KeyObject): string => createCookieSigner(keyOf(key)).sign('a=1') ?? '';
    expect(signer.sign('a=1')).to.equal(signWith(NEW));
    expect([NEW, OLD, OTHER].map((key) => signer.index('a=1', signWith(key)))).to.deep.equal([0, 1, -1]);
    expect([NEW, OLD, OTHER].map((key) => signer.verify('a=1', signWith(key)))).to.deep.equal([true, true, false]);
  });

  it('a consent form sealed with the previous key can be submitted', () => {
    const entropy = seededEntropy('seal');
    const sealed = createRequestSeal(keyOf(OLD), entropy).seal(new Map([['scope', 'read']]), 'session', 0);
    const request = createRequestSeal(keyOf(NEW, OLD), entropy).open(sealed, 'session', 1);
    expect(request?.parameters.get('scope')).to.equal('read');
    expect(createRequestSeal(keyOf(NEW, OTHER), entropy).open(sealed, 'session', 1)).to.equal(undefined);
  });

  describe('on the pages', () => {
    let running: RunningService;
    let accepted: readonly [KeyObject, ...KeyObject[]];
    /** Keys that a test replaces. */
    const rotating: RotatingKey = { current: () => accepted[0], accepted: () => accepted };

    beforeEach(async () => {
      accepted = [OLD];
      const cookieKeys = {
        cookies: rotating,
        secretsShownOnce: rotating,
        repeatedForms: rotating,
        pendingLogins: rotating,
      };
      running = await runningService({ cookieKeys });
    });
    afterEach(() => running.close());

    it('users stay logged in, and a form that is sent before and after the replacement has one effect', async () => {
      const ada = await running.addUser('ada');
      const browser = running.browser();
      await browser.logIn(ada.username, ada.password);
      const form = await browser.get('/o/applications/register/');
      const fields = { name: 'Loom', client_type: 'confidential', authorization_grant_type: 'client-credentials' };
      const first = await browser.submit(form, fields);
      expect(first.status, first.html).to.equal(302);
      accepted = [NEW, OLD];
      const second = await browser.submit(form, fields);
      expect(second.status).to.equal(302);
      expect(running.service().projections.clients.all()).to.have.length(1);
      const secretPage = await browser.get(first.location ?? '');
      expect(secretPage.html, 'the secret that the previous key encrypted').to.match(/gls_|value="[\w-]{40,}"/);
      accepted = [NEW];
      expect((await browser.get('/accounts/')).status, 'the cookie was renewed').to.equal(200);
    });

    it('users whose cookie was signed with the previous key are logged out once the key is not accepted', async () => {
      const ada = await running.addUser('ada');
      const browser = running.browser();
      await browser.logIn(ada.username, ada.password);
      accepted = [NEW];
      expect((await browser.get('/accounts/')).status).to.equal(302);
    });
  });
});
