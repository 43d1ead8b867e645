import { addPasskey, createAuthenticator, type RequestOptions } from '../../test/support/authenticator.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../test/support/browser-session.ts';
import { oneTimePassword } from '../../test/support/one-time-passwords.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { expectPage, elementText } from './expect-page.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** After this time, an authenticator app shows a code that has not been used yet. */
const STEP_SECONDS = 90;
const APP = '/accounts/two-step/app/';
const SECOND_STEP = '/accounts/login/second-step/';

/**
 * A user turns two-step login on, logs in with each second factor, replaces the recovery codes, removes the app, turns
 * two-step login off, and adds an app again. Then the operator removes all second factors.
 */
export async function recordTwoStepLogins(running: RunningService): Promise<void> {
  const user = await running.addUser('hanna');
  const browser = running.browser();
  await browser.logIn(user.username, user.password);
  const { secret, codes } = await addApp(running, browser, user);
  const [recovery_code = ''] = codes;
  await logIn(running, user, { code: oneTimePassword(secret, currentSeconds(running)) });
  await logIn(running, user, { recovery_code });

  const device = createAuthenticator();
  await expectPage(addPasskey(browser, user.password, device));
  const { phone, page } = await enterPassword(running, user);
  const options = JSON.parse((await expectPage(phone.get(`${SECOND_STEP}passkey/`))).html) as RequestOptions;
  await expectPage(phone.post(`${SECOND_STEP}passkey/`, { ...hiddenFields(page.html), answer: device.get(options) }));

  for (const change of ['new-codes', 'remove-app', 'off'])
    await expectPage(browser.submit(await expectPage(browser.get(`/accounts/two-step/${change}/`)), { ...user }));

  await addApp(running, browser, user);
  const { projections, secondFactorChanges } = running.service();
  const account = projections.users.findByName(user.username);
  if (account === undefined) throw new Error(`there is no user ${user.username}`);
  await secondFactorChanges.removeAll(account, 'lost', OPERATOR);
}

/** Adds an app on the page, and advances the clock until its first code has expired. */
async function addApp(running: RunningService, browser: BrowserSession, { password }: TestUser) {
  const page = await expectPage(browser.get(APP));
  const secret = elementText(page, 'secret');
  const code = oneTimePassword(secret, currentSeconds(running));
  const nextPage = await expectPage(browser.submitAndFollow(page, { code, password }, APP));
  running.clock.advance(STEP_SECONDS);
  return { secret, codes: elementText(nextPage, 'codes').split(/\s+/) };
}

/** Enters the password in a new browser, which then shows the second step. */
async function enterPassword(running: RunningService, user: TestUser) {
  const phone = running.browser();
  const page = await phone.submitAndFollow(await phone.get('/accounts/login/'), { ...user }, '/accounts/login/');
  return { phone, page: await expectPage(Promise.resolve(page)) };
}

async function logIn(running: RunningService, user: TestUser, factor: Readonly<Record<string, string>>): Promise<Page> {
  const { phone, page } = await enterPassword(running, user);
  return expectPage(phone.submit(page, factor, SECOND_STEP));
}

const currentSeconds = ({ clock }: RunningService): number => clock.now() / 1000;
