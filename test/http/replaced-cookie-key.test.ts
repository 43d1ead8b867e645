import { createSecretKey, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { createCookieSigner } from '../../src/http/pipeline/cookie-signer.ts';
import { createRequestSeal } from '../../src/oauth/credentials/sealed-request.ts';
import type { RotatingKey } from '../../src/platform/keys/rotating-key.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const [OLD_KEY, NEW_KEY, OTHER_KEY] = [1, 2, 3].map((byte) => createSecretKey(Buffer.alloc(32, byte))) as [
  KeyObject,
  KeyObject,
  KeyObject,
];
const createRotatingKey = (...acceptedKeys: readonly [KeyObject, ...KeyObject[]]): RotatingKey => ({
  current: () => acceptedKeys[0],
  accepted: () => acceptedKeys,
});

describe('After the cookie key has been replaced,', () => {
  it('a signature made with the previous key is valid and renewed, and one made with any other key is not', () => {
    const signer = createCookieSigner(createRotatingKey(NEW_KEY, OLD_KEY));
    const signWith = (key: KeyObject): string => createCookieSigner(createRotatingKey(key)).sign('a=1') ?? '';
    expect(signer.sign('a=1')).to.equal(signWith(NEW_KEY));
    expect([NEW_KEY, OLD_KEY, OTHER_KEY].map((key) => signer.index('a=1', signWith(key)))).to.deep.equal([0, 1, -1]);
    expect([NEW_KEY, OLD_KEY, OTHER_KEY].map((key) => signer.verify('a=1', signWith(key)))).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('a consent form sealed with the previous key can be submitted', () => {
    const entropy = seededEntropy('seal');
    const sealedRequest = createRequestSeal(createRotatingKey(OLD_KEY), entropy).seal(
      new Map([['scope', 'read']]),
      'session',
      0,
    );
    const request = createRequestSeal(createRotatingKey(NEW_KEY, OLD_KEY), entropy).open(sealedRequest, 'session', 1);
    expect(request?.parameters.get('scope')).to.equal('read');
    expect(
      createRequestSeal(createRotatingKey(NEW_KEY, OTHER_KEY), entropy).open(sealedRequest, 'session', 1),
    ).to.equal(undefined);
  });

  describe('on the pages', () => {
    let running: RunningService;
    let acceptedKeys: readonly [KeyObject, ...KeyObject[]];
    /** A key that tests replace by assigning `acceptedKeys`. */
    const rotatingKey: RotatingKey = { current: () => acceptedKeys[0], accepted: () => acceptedKeys };

    beforeEach(async () => {
      acceptedKeys = [OLD_KEY];
      const cookieKeys = {
        cookies: rotatingKey,
        secretsShownOnce: rotatingKey,
        resubmissionGuard: rotatingKey,
        pendingLogins: rotatingKey,
      };
      running = await runningService({ cookieKeys });
    });
    afterEach(() => running.close());

    it('users stay logged in, and a form submitted before and after the replacement takes effect once', async () => {
      const ada = await running.addUser('ada');
      const browser = running.browser();
      await browser.logIn(ada.username, ada.password);
      const form = await browser.get('/o/applications/register/');
      const fields = { name: 'Loom', client_type: 'confidential', authorization_grant_type: 'client-credentials' };
      const firstResponse = await browser.submit(form, fields);
      expect(firstResponse.status, firstResponse.html).to.equal(302);
      acceptedKeys = [NEW_KEY, OLD_KEY];
      const secondResponse = await browser.submit(form, fields);
      expect(secondResponse.status).to.equal(302);
      expect(running.service().projections.clients.all()).to.have.length(1);
      const secretPage = await browser.get(firstResponse.location ?? '');
      expect(secretPage.html, 'the secret that the previous key encrypted').to.match(/gls_|value="[\w-]{40,}"/);
      acceptedKeys = [NEW_KEY];
      expect((await browser.get('/accounts/')).status, 'the cookie was renewed').to.equal(200);
    });

    it('users with a cookie signed with the old key are logged out once that key is no longer accepted', async () => {
      const ada = await running.addUser('ada');
      const browser = running.browser();
      await browser.logIn(ada.username, ada.password);
      acceptedKeys = [NEW_KEY];
      expect((await browser.get('/accounts/')).status).to.equal(302);
    });
  });
});
