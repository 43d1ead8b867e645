import { oneTimePassword } from '../../test/support/one-time-passwords.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { linkAccount, logInThrough, startScriptedProvider, setProvider } from '../../test/support/scripted-provider.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PETRA = { sub: 'linked', email: 'petra@example.org' };

/**
 * Sets up two providers. Logs in to an account that the login creates, to an account that is linked by its verified
 * e-mail address, and to an account whose user links and unlinks it. Removes one provider.
 */
export async function recordUpstreamProviders(running: RunningService): Promise<void> {
  const provider = await startScriptedProvider(running.clock.now);
  try {
    const { accounts, groupDirectory, projections, providerRegistry } = running.service();
    await groupDirectory.create('employees', OPERATOR);
    const mapping = { groupsClaim: 'groups', roles: ['auditor=auditors'], groups: ['employees=staff'] };
    const fields = { linking: 'verified-email', createsUsers: true, secondFactorValues: ['mfa'], ...mapping };
    await setProvider(running, provider, fields);
    await setProvider(running, provider, { authentication: 'none', secret: '' }, 'other');

    const ninaClaims = { sub: 'created', preferred_username: 'nina', email: 'nina@example.org', email_verified: true };
    await logInThrough(running.browser(), provider, { ...ninaClaims, groups: ['auditors', 'staff'], amr: ['mfa'] });
    await logInThrough(running.browser(), provider, { ...ninaClaims, groups: [] });

    const { username } = await running.addUser('olaf');
    const olaf = () => projections.users.findByName(username);
    const emailField = { email: 'olaf@example.org' };
    const user = olaf();
    if (user === undefined) throw new Error('there is no user olaf');
    await accounts.changeProfile(user, emailField, OPERATOR);
    await accounts.verifyEmail(olaf() ?? user, OPERATOR);
    const olafClaims = { sub: 'known', ...emailField, email_verified: true, groups: [] };
    const first = await logInThrough(running.browser(), provider, olafClaims);
    if (first.location !== '/accounts/') throw new Error(first.html);
    await addApp(running, username);
    const twoStepBrowser = running.browser();
    const step = await logInThrough(twoStepBrowser, provider, olafClaims);
    const page = await twoStepBrowser.get(step.location ?? '');
    const { secret } = projections.secondFactors.totpOf(user.userId) ?? { secret: '' };
    running.clock.advance(60);
    await twoStepBrowser.submit(page, { code: oneTimePassword(secret, Math.floor(running.clock.now() / 1000)) });

    const browser = running.browser();
    const petra = await running.addUser('petra');
    await browser.logIn(petra.username, petra.password);
    const response = await linkAccount(browser, provider, PETRA, 'other');
    if (response.location === null) throw new Error(response.html);
    await logInThrough(running.browser(), provider, PETRA, 'other');
    const [, unlink = ''] = /href="([^"]+\/unlink\/)"/.exec((await browser.get('/accounts/ways/')).html) ?? [];
    await browser.submit(await browser.get(unlink), {}, unlink);
    const otherProvider = projections.upstreamProviders.find('other');
    if (otherProvider !== undefined) await providerRegistry.remove(otherProvider, OPERATOR);
  } finally {
    await provider.close();
  }
}

async function addApp(running: RunningService, username: string): Promise<void> {
  const { projections, secondFactorChanges } = running.service();
  const user = projections.users.findByName(username);
  if (user === undefined) throw new Error(`there is no user ${username}`);
  const { secret } = secondFactorChanges.offerApp(user, username);
  const code = oneTimePassword(secret, Math.floor(running.clock.now() / 1000));
  await secondFactorChanges.addApp(user, { code, session: username, first: { method: 'password' } }, OPERATOR);
}
