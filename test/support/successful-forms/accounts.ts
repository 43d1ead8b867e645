import type { Page } from '../browser-session.ts';
import { inviteEve } from '../invite-eve.ts';
import { linkAccount, startScriptedProvider, setProvider, type ScriptedProvider } from '../scripted-provider.ts';
import { addPasskey, createAuthenticator, logInWithPasskey } from '../authenticator.ts';
import {
  findAccount,
  ADA,
  asAda,
  NEW_PASSWORD,
  OPERATOR,
  ROOT,
  currentSeconds,
  asVisitor,
  type Scenario,
  type SuccessfulForms,
} from './scenario.ts';

async function withProvider(scenario: Scenario, act: (provider: ScriptedProvider) => Promise<Page>): Promise<Page> {
  const provider = await startScriptedProvider(scenario.running.clock.now);
  try {
    await setProvider(scenario.running, provider);
    return await act(provider);
  } finally {
    await provider.close();
  }
}

export const ACCOUNT_FORMS: SuccessfulForms = {
  '/accounts/login': (scenario) => asVisitor(scenario).send('/accounts/login/', { ...ROOT }),
  '/accounts/login/passkey': (scenario) => logInWithPasskey(asVisitor(scenario).browser, scenario.device),
  '/accounts/login/provider/:id': (scenario) =>
    withProvider(scenario, () => asVisitor(scenario).send('/accounts/login/', {}, '/accounts/login/provider/corp/')),
  '/accounts/ways/link/:id': (scenario) =>
    withProvider(scenario, () => scenario.send('/accounts/ways/', {}, '/accounts/ways/link/corp/')),
  '/accounts/ways/:id/unlink': (scenario) =>
    withProvider(scenario, async (provider) => {
      await linkAccount(scenario.browser, provider, { sub: 'root', email: '' });
      const id = await scenario.findId('/accounts/ways/', /ways\/([^/]+)\/unlink/);
      return scenario.send(`/accounts/ways/${id}/unlink/`);
    }),
  '/language': ({ send }) => send('/accounts/', { language: 'de' }, '/language/'),
  '/accounts/logout': ({ send }) => send('/accounts/', {}, '/accounts/logout/'),
  '/accounts/logout/everywhere': ({ send }) => send('/accounts/', {}, '/accounts/logout/everywhere/'),
  '/accounts/signup': (scenario) =>
    asVisitor(scenario).send('/accounts/signup/', { username: 'eve', email: '', password: NEW_PASSWORD }),
  '/accounts/profile': ({ send }) =>
    send('/accounts/', { first_name: 'Root', last_name: '', email: '' }, '/accounts/profile/'),
  '/accounts/details': ({ send }) => send('/accounts/details/', { nickname: 'Rooty' }),
  '/accounts/password': ({ send }) =>
    send('/accounts/password/', { current_password: ROOT.password, new_password: NEW_PASSWORD }),
  '/accounts/sessions/:id/end': async (scenario) => {
    await scenario.running.browser().logIn(ROOT.username, ROOT.password);
    const id = await scenario.findId('/accounts/', /Another browser[\s\S]*?sessions\/([^/]+)\/end/);
    return scenario.send('/accounts/', {}, `/accounts/sessions/${id}/end/`);
  },
  '/accounts/erase': async (scenario) => {
    const { send } = await asAda(scenario);
    return send('/accounts/erase/', { ...ADA });
  },
  '/accounts/passkeys/options': ({ send }) =>
    send('/accounts/passkeys/add/', { password: ROOT.password }, '/accounts/passkeys/options/'),
  '/accounts/passkeys/add': ({ browser }) => addPasskey(browser, ROOT.password, createAuthenticator()),
  '/accounts/passkeys/:id/remove': async ({ send, findId }) =>
    send('/accounts/', {}, `/accounts/passkeys/${await findId('/accounts/', /passkeys\/([^/]+)\/remove/)}/remove/`),

  '/accounts/forgot': (scenario) => asVisitor(scenario).send('/accounts/forgot/', { username: 'ada' }),
  '/accounts/reset': async (scenario) => {
    const browser = scenario.running.browser();
    const { accounts, accountLinks } = scenario.running.service();
    await accounts.changeProfile(findAccount(scenario, ADA), { email: 'ada@example.org' }, OPERATOR);
    await accounts.verifyEmail(findAccount(scenario, ADA), OPERATOR);
    const link = new URL(accountLinks.resetUrl(findAccount(scenario, ADA), currentSeconds(scenario)));
    return browser.submit(await browser.get(`${link.pathname}${link.search}`), { new_password: NEW_PASSWORD });
  },
  '/accounts/verify': async (scenario) => {
    const browser = scenario.running.browser();
    const { accounts, accountLinks } = scenario.running.service();
    await accounts.changeProfile(findAccount(scenario, ADA), { email: 'ada@example.org' }, OPERATOR);
    const link = new URL(accountLinks.verificationUrl(findAccount(scenario, ADA), currentSeconds(scenario)));
    return browser.submit(await browser.get(`${link.pathname}${link.search}`), {});
  },
  '/accounts/invitation': async (scenario) => {
    const [browser, { pathname, search }] = [scenario.running.browser(), new URL(await inviteEve(scenario.running))];
    return browser.submit(await browser.get(`${pathname}${search}`), { username: 'eve', password: NEW_PASSWORD });
  },
  '/accounts/verify/send': ({ send }) => send('/accounts/', {}, '/accounts/verify/send/'),
};
