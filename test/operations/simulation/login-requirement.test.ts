import { expect } from 'chai';
import type { LoginClass } from '../../../src/domain/login.ts';
import { operate } from '../../../src/operations/operations.ts';
import type { WhatIfItem } from '../../../src/operations/what-if.ts';
import { listCorpora, readEvents, readKeys, thaw } from '../../corpus/frozen.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../../support/authenticator.ts';
import { authorizePath } from '../../support/authorize-requests.ts';
import type { BrowserSession } from '../../support/browser-session.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../../support/running-service.ts';

const ONE_MINUTE = 60;
const ONE_HOUR = 3_600;

interface Requirement {
  readonly acr?: LoginClass;
  readonly maxAgeSeconds?: number;
}

/** Counts the authorizations that would have needed a different login, by reason, and those with unknown logins. */
async function predict(running: RunningService, login: Requirement) {
  let unknownLoginCount = 0;
  const counts = { 'login-age': 0, 'login-class': 0 };
  for await (const item of operate(running.service())(
    'log what-if',
    { set: {}, login },
    new AbortController().signal,
  )) {
    const whatIfItem = item as WhatIfItem;
    if ('requests' in whatIfItem) unknownLoginCount = whatIfItem.unknown_logins;
    else if ('rule' in whatIfItem) counts[whatIfItem.rule as keyof typeof counts] += whatIfItem.count;
  }
  return { ...counts, unknown: unknownLoginCount };
}

describe('the login that applications would have required', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    client = await running.addClient();
  });
  afterEach(() => running.close());

  async function authorize(browser: BrowserSession): Promise<void> {
    const consent = await browser.get(authorizePath(client));
    const { status } = await browser.submit(consent, { allow: 'Authorize' });
    expect(status).to.equal(302);
  }

  it('is missing if the recorded login was of a different class or too long ago', async () => {
    const [passwordBrowser, passkeyBrowser] = [running.browser(), running.browser()];
    const device = createAuthenticator();
    await passwordBrowser.logIn(ada.username, ada.password);
    await addPasskey(passwordBrowser, ada.password, device);
    await authorize(passwordBrowser);
    running.clock.advance(2 * ONE_HOUR);
    await authorize(passwordBrowser);
    await logInWithPasskey(passkeyBrowser, device);
    running.clock.advance(ONE_MINUTE);
    await authorize(passkeyBrowser);
    await running.token(client, { grant_type: 'password', ...ada });
    for (const [requirement, tooOld, wrongClass] of [
      [{}, 0, 0],
      [{ maxAgeSeconds: 3 * ONE_HOUR }, 0, 0],
      [{ maxAgeSeconds: 2 * ONE_HOUR }, 0, 0],
      [{ maxAgeSeconds: 2 * ONE_HOUR - 1 }, 1, 0],
      [{ maxAgeSeconds: ONE_MINUTE - 1 }, 2, 0],
      [{ acr: 'phr' }, 0, 2],
      [{ acr: 'mfa' }, 0, 2],
      [{ acr: 'pwd' }, 0, 0],
      [{ acr: 'phr', maxAgeSeconds: ONE_HOUR }, 1, 2],
    ] as const)
      expect(await predict(running, requirement), JSON.stringify(requirement)).to.deep.equal({
        'login-age': tooOld,
        'login-class': wrongClass,
        unknown: 0,
      });
  });

  it('is not predicted for events from releases that did not record logins', async () => {
    const [oldest = ''] = listCorpora();
    const earlierServer = await thaw(readEvents(oldest), readKeys(oldest));
    try {
      const { unknown, ...needs } = await predict(earlierServer, { acr: 'phr', maxAgeSeconds: 1 });
      expect(needs).to.deep.equal({ 'login-age': 0, 'login-class': 0 });
      expect(unknown).to.be.above(0);
      expect((await predict(earlierServer, {})).unknown).to.equal(0);
    } finally {
      await earlierServer.close();
    }
  });
});
