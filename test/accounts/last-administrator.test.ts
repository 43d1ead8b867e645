import { expect } from 'chai';
import type { AdministratorLogins } from '../../src/accounts/administrator-logins.ts';
import { LastAdministrator } from '../../src/accounts/last-administrator.ts';
import type { ProviderId } from '../../src/domain/values.ts';
import type { Actor } from '../../src/event-store/event-log.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { operate } from '../../src/operations/operations.ts';
import type { User } from '../../src/projections/users.ts';
import { addPasskey, authenticator } from '../support/authenticator.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR: Actor = { kind: 'operator' };
const PROGRAM: Actor = { kind: 'client', id: 'a program' };
const CORP = { name: 'Corp', issuer: 'https://corp.example', clientId: 'grantlog', secret: 'a secret' };

describe('An administrator who can log in', () => {
  let running: RunningService;
  let logins: AdministratorLogins;

  /** Root has a password. Eve has only an account at the provider `corp`. */
  beforeEach(async () => {
    running = await runningService();
    logins = running.service().administratorLogins;
    await running.addUser('root', ['administrator']);
    await addAdministratorAt('eve', 'corp');
  });
  afterEach(() => running.close());

  const userNamed = (name: string): User =>
    running.service().projections.users.findByName(name) ?? expect.fail(`no user ${name}`);
  const userActor = (name: string): Actor => ({ kind: 'user', id: userNamed(name).userId });

  async function run(name: string, input: Readonly<Record<string, unknown>>, actor: Actor = OPERATOR): Promise<void> {
    const cause = { actor, requestId: null };
    for await (const _ of operate(running.service(), cause)(name, input, new AbortController().signal));
  }
  const setProvider = (changes: Readonly<Record<string, unknown>>, actor?: Actor, providerId = 'corp') =>
    run('provider set', { providerId, ...changes }, actor);

  async function addAdministratorAt(name: string, providerId: string): Promise<void> {
    const { accounts, linkedAccounts, projections } = running.service();
    if (projections.upstreamProviders.find(providerId) === undefined) await setProvider(CORP, OPERATOR, providerId);
    const context = { actor: OPERATOR, requestId: null };
    const account = { username: name, password: { hash: null }, active: true, roles: ['administrator'] } as const;
    await accounts.importAccount(account, context);
    const provider = projections.upstreamProviders.find(providerId) ?? expect.fail();
    const subject = { providerId: providerId as ProviderId, issuer: CORP.issuer, subject: name };
    const names = { preferredName: '', firstName: '', lastName: '', email: '', isEmailVerified: false };
    const identity = { ...subject, ...names, groups: [], authenticatedAt: null, hasSecondFactor: false };
    await linkedAccounts.link(identity, provider, userNamed(name), context);
  }

  /** Expects that the change is refused, and that nothing was recorded. */
  async function expectRefused(change: () => Promise<unknown>, what = ''): Promise<void> {
    const head = running.log.head();
    const refusal = await change().then(
      () => 'done',
      (error: unknown) => error,
    );
    expect(refusal, what).to.be.instanceOf(OperationRefused);
    expect(String(refusal), what).to.match(/administrator/);
    expect(running.log.head(), what).to.equal(head);
  }

  const END_ROOT: Readonly<Record<string, () => Promise<void>>> = {
    disabled: () => run('user disable', { username: 'root' }),
    erased: () => run('user erase', { username: 'root' }),
    demoted: () => run('user roles', { username: 'root', roles: [] }),
  };

  for (const [change, end] of Object.entries(END_ROOT)) {
    it(`cannot be ${change}, even by the operator, if the only other one needs a disabled provider`, async () => {
      await setProvider({ disabled: true });
      await expectRefused(end);
      await setProvider({ disabled: false });
      await end();
      expect(logins.canLogIn(userNamed('eve'))).to.equal(true);
    });
  }

  it('may be disabled if another one has a way to log in', async () => {
    await run('user disable', { username: 'root' });
    await expectRefused(() => run('user disable', { username: 'eve' }));
  });

  const LOSE_PROVIDER: Readonly<Record<string, (actor: Actor) => Promise<void>>> = {
    disabled: (actor) => setProvider({ disabled: true }, actor),
    removed: (actor) => run('provider remove', { providerId: 'corp' }, actor),
    'given another issuer': (actor) => setProvider({ ...CORP, issuer: 'https://moved.example' }, actor),
    'superseded by a required one': (actor) => setProvider({ ...CORP, required: true }, actor, 'new'),
  };

  for (const [change, lose] of Object.entries(LOSE_PROVIDER)) {
    it(`remains when a provider is ${change} on a page or by a program`, async () => {
      await run('user disable', { username: 'root' });
      for (const actor of [userActor('eve'), PROGRAM]) await expectRefused(() => lose(actor), actor.kind);
    });

    it(`need not remain after a command of the operator, who can undo it: a provider is ${change}`, async () => {
      await run('user disable', { username: 'root' });
      await lose(OPERATOR);
      expect(logins.basisAfter()).to.equal(undefined);
    });
  }

  it('remains when passwords are turned off', async () => {
    await run('user disable', { username: 'eve' });
    await expectRefused(() => setProvider({ required: true }, PROGRAM), 'the only administrator has a password');
    await run('user enable', { username: 'eve' });
    await setProvider({ required: true }, PROGRAM);
    expect(logins.canLogIn(userNamed('root'))).to.equal(false);
    await expectRefused(() => run('user disable', { username: 'eve' }), 'only she can log in');
  });

  it('keeps the only passkey with which an administrator can log in, unless the operator removes it', async () => {
    const browser = running.browser();
    await browser.logIn('root', "root's password");
    await addPasskey(browser, "root's password", authenticator());
    await run('user disable', { username: 'eve' });
    await setProvider({ ...CORP, required: true }, OPERATOR, 'new');
    const { passkeyLogins, secondFactorChanges, projections } = running.service();
    const [passkey] = projections.passkeys.listByUser(userNamed('root').userId);
    if (passkey === undefined) expect.fail();
    const head = running.log.head();
    const context = { actor: userActor('root'), requestId: null };
    const removals: readonly (() => Promise<unknown>)[] = [
      () => passkeyLogins.remove(userNamed('root'), passkey.passkeyId, context),
      () => secondFactorChanges.removeAll(userNamed('root'), 'lost', context),
    ];
    for (const remove of removals) {
      const refusal = await Promise.resolve()
        .then(remove)
        .catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(LastAdministrator);
    }
    expect(running.log.head()).to.equal(head);
    await run('user second-factor', { username: 'root', remove: true });
    expect(logins.canLogIn(userNamed('root'))).to.equal(false);
  });

  it('remains when an administrator who cannot log in anyway is disabled', async () => {
    await setProvider({ disabled: true });
    await run('user disable', { username: 'eve' });
    expect(logins.canLogIn(userNamed('root'))).to.equal(true);
  });

  it('need not exist for the last administrator to remain', async () => {
    await run('user erase', { username: 'root' });
    await setProvider({ disabled: true });
    await expectRefused(() => run('user disable', { username: 'eve' }));
  });

  it('remains after two concurrent changes, each of which is harmless without the other', async () => {
    const pairs = [
      [() => setProvider({ disabled: true }, PROGRAM), END_ROOT['disabled']!],
      [() => setProvider({ required: true }, PROGRAM), () => run('user disable', { username: 'eve' })],
      [() => setProvider({ ...CORP, disabled: true }, PROGRAM), END_ROOT['demoted']!],
    ] as const;
    for (const pair of pairs) {
      const settled = await Promise.allSettled(pair.map((change) => change()));
      expect(settled.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
      expect(logins.basisAfter()).not.to.equal(undefined);
      await setProvider({ disabled: false, required: false });
      await run('user enable', { username: 'root' });
      await run('user enable', { username: 'eve' });
      await run('user roles', { username: 'root', roles: ['administrator'] });
    }
  });

  it('remains when two providers are disabled at the same time', async () => {
    await addAdministratorAt('second', 'other');
    await run('user disable', { username: 'root' });
    const disable = (providerId: string) => setProvider({ disabled: true }, PROGRAM, providerId);
    const settled = await Promise.allSettled(['corp', 'other'].map(disable));
    expect(settled.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    expect(logins.basisAfter()).not.to.equal(undefined);
  });
});
