import { expect } from 'chai';
import { addPasskey, createAuthenticator, type Authenticator, type RequestOptions } from '../authenticator.ts';
import { hiddenFields, type Page } from '../browser-session.ts';
import { oneTimePassword } from '../one-time-passwords.ts';
import { ADA, asAda, ROOT, currentSeconds, asVisitor, type Scenario, type SuccessfulForms } from './scenario.ts';

/** After this many seconds, all earlier codes of an authenticator app have expired. */
const CODE_EXPIRY_SECONDS = 90;

const extractSecret = ({ html }: Page): string =>
  /id="secret"[^>]*>([^<]+)</.exec(html)?.[1] ?? expect.fail('no secret');

/** Adds an authenticator app to the logged-in user's account. */
async function addApp(
  scenario: Scenario,
  password: string,
): Promise<{ readonly response: Page; readonly secret: string }> {
  const page = await scenario.browser.get('/accounts/two-step/app/');
  const secret = extractSecret(page);
  const fields = { code: oneTimePassword(secret, currentSeconds(scenario)), password };
  return { response: await scenario.browser.submit(page, fields, '/accounts/two-step/app/'), secret };
}

/** Enters Ada's password in a new browser, and returns that scenario with the next page. */
async function enterAdasPassword(scenario: Scenario): Promise<Scenario & { readonly page: Page }> {
  const visit = asVisitor(scenario);
  const { location } = await visit.browser.logIn(ADA.username, ADA.password);
  return { ...visit, page: await visit.browser.get(location ?? '') };
}

/** Adds an authenticator app to the administrator's account and submits the form at `path`. */
async function changeWithApp(scenario: Scenario, path: string): Promise<Page> {
  await addApp(scenario, ROOT.password);
  return scenario.send(path);
}

async function answerWithPasskey({ browser, page }: Scenario & { readonly page: Page }, device: Authenticator) {
  const path = '/accounts/login/second-step/passkey/';
  const options = JSON.parse((await browser.get(path)).html) as RequestOptions;
  return browser.post(path, { ...hiddenFields(page.html), answer: device.get(options) });
}

export const TWO_STEP_LOGIN_FORMS: SuccessfulForms = {
  '/accounts/login/second-step': async (scenario) => {
    const { secret } = await addApp(await asAda(scenario), ADA.password);
    scenario.running.clock.advance(CODE_EXPIRY_SECONDS);
    const { browser, page } = await enterAdasPassword(scenario);
    const code = oneTimePassword(secret, currentSeconds(scenario));
    return browser.submit(page, { code }, '/accounts/login/second-step/');
  },
  '/accounts/login/second-step/passkey': async (scenario) => {
    const [ada, device] = [await asAda(scenario), createAuthenticator()];
    await addApp(ada, ADA.password);
    await addPasskey(ada.browser, ADA.password, device);
    return answerWithPasskey(await enterAdasPassword(scenario), device);
  },
  '/accounts/login/second-step/set-up': async (scenario) => {
    await scenario.running.restart({ requireSecondFactor: 'all' });
    const { browser, page } = await enterAdasPassword(scenario);
    const setUp = await browser.get(page.location ?? '');
    return browser.submit(setUp, { code: oneTimePassword(extractSecret(setUp), currentSeconds(scenario)) });
  },
  '/accounts/two-step/app': async (scenario) => (await addApp(scenario, ROOT.password)).response,
  '/accounts/two-step/remove-app': (scenario) => changeWithApp(scenario, '/accounts/two-step/remove-app/'),
  '/accounts/two-step/off': (scenario) => changeWithApp(scenario, '/accounts/two-step/off/'),
  '/accounts/two-step/new-codes': (scenario) => changeWithApp(scenario, '/accounts/two-step/new-codes/'),
};
