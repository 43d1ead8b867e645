import {
  beginLogin,
  linkAccount,
  logInThrough,
  startScriptedProvider,
  setProvider,
  type ScriptedProvider,
} from '../scripted-provider.ts';
import type { BrowserSession } from '../browser-session.ts';
import { OPERATOR, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const ACCOUNT = { sub: 'somebody', email: 'somebody@example.org' };

/** Runs `use` with a provider whose ID is `corp`. */
async function withProvider(
  { running }: RefusalScenario,
  use: (provider: ScriptedProvider, browser: BrowserSession) => Promise<{ readonly headers: Headers }>,
) {
  const provider = await startScriptedProvider(running.clock.now);
  try {
    await setProvider(running, provider);
    return await use(provider, running.browser());
  } finally {
    await provider.close();
  }
}

/** Returns a function that logs in through a provider after `spoil` has made it misbehave. */
const logInWithMisbehavingProvider = (spoil: (provider: ScriptedProvider) => void) => (scenario: RefusalScenario) =>
  withProvider(scenario, async (provider, browser) => {
    const address = await beginLogin(browser);
    spoil(provider);
    return browser.get(provider.authorize(address, ACCOUNT));
  });

/** Refused logins through upstream providers. */
export const UPSTREAM_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'upstream-unavailable',
    name: 'an empty key set',
    about: 'nobody',
    details: { what: 'keys' },
    send: logInWithMisbehavingProvider((provider) => (provider.script.keys = [])),
  },
  {
    rule: 'upstream-login-unknown',
    name: 'a callback without a login',
    about: 'nobody',
    send: (scenario) =>
      withProvider(scenario, (_provider, browser) =>
        browser.get('/accounts/login/provider/corp/callback/?code=code&state=state'),
      ),
  },
  {
    rule: 'upstream-provider-changed',
    name: 'settings that change during a login',
    about: 'nobody',
    send: (scenario) =>
      withProvider(scenario, async (provider, browser) => {
        const address = await beginLogin(browser);
        await setProvider(scenario.running, provider, { name: 'Changed' });
        return browser.get(provider.authorize(address, ACCOUNT));
      }),
  },
  {
    rule: 'upstream-issuer-differs',
    name: 'a different issuer',
    about: 'nobody',
    details: { seen: 'https://evil.example' },
    send: logInWithMisbehavingProvider((provider) => (provider.script.response = { iss: 'https://evil.example' })),
  },
  {
    rule: 'upstream-denied',
    name: 'an error instead of a code',
    about: 'nobody',
    details: { error: 'access_denied' },
    send: logInWithMisbehavingProvider((provider) => (provider.script.response = { error: 'access_denied' })),
  },
  {
    rule: 'upstream-code-refused',
    name: 'an error instead of tokens',
    about: 'nobody',
    send: logInWithMisbehavingProvider((provider) => (provider.script.tokenError = 'invalid_client')),
  },
  {
    rule: 'upstream-token-invalid',
    name: 'a different nonce',
    about: 'nobody',
    details: { check: 'nonce' },
    send: logInWithMisbehavingProvider((provider) => (provider.script.claims = { nonce: 'another' })),
  },
  {
    rule: 'upstream-login-too-old',
    name: 'an earlier authentication',
    about: 'nobody',
    send: (scenario) =>
      withProvider(scenario, async (provider) => {
        const address = await beginLogin(scenario.browser);
        const authTime = Math.floor(scenario.running.clock.now() / 1000) - 3_600;
        return scenario.browser.get(provider.authorize(address, { ...ACCOUNT, auth_time: authTime }));
      }),
  },
  {
    rule: 'upstream-user-unknown',
    name: 'an account that is not linked to any user',
    about: 'nobody',
    details: { why: 'not-linked' },
    send: logInWithMisbehavingProvider(() => {}),
  },
  {
    rule: 'upstream-user-inactive',
    name: 'a disabled user',
    about: 'nobody',
    send: (scenario) =>
      withProvider(scenario, async (provider, browser) => {
        await linkAccount(scenario.browser, provider, ACCOUNT);
        const { accounts, projections } = scenario.running.service();
        const user = projections.users.findByName(scenario.user.username);
        if (user !== undefined) await accounts.disable(user, OPERATOR);
        return logInThrough(browser, provider, ACCOUNT);
      }),
  },
  {
    rule: 'upstream-linked-elsewhere',
    name: "another user's account",
    about: 'nobody',
    send: (scenario) =>
      withProvider(scenario, async (provider, browser) => {
        await linkAccount(scenario.browser, provider, ACCOUNT);
        const { username, password } = await scenario.running.addUser();
        await browser.logIn(username, password);
        return linkAccount(browser, provider, ACCOUNT);
      }),
  },
  {
    rule: 'passwords-off',
    name: 'the password grant while a provider is required',
    about: 'proven',
    send: ({ running, client, user: { username, password } }) =>
      withProviderRequired(running, () => running.token(client, { grant_type: 'password', username, password })),
  },
];

async function withProviderRequired<Result>(
  running: RefusalScenario['running'],
  act: () => Promise<Result>,
): Promise<Result> {
  const { providerRegistry, projections } = running.service();
  await setProvider(running, { issuer: 'https://login.example' }, { required: true }, 'required');
  try {
    return await act();
  } finally {
    const provider = projections.upstreamProviders.find('required');
    if (provider !== undefined) await providerRegistry.remove(provider, OPERATOR);
  }
}
