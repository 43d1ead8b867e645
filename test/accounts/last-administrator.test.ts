import { expect } from 'chai';
import type { AdministratorLogins } from '../../src/accounts/administrator-logins.ts';
import { NoAdministratorLeft } from '../../src/accounts/last-administrator.ts';
import type { ProviderId } from '../../src/domain/values.ts';
import type { Actor } from '../../src/event-store/event-log.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { operate } from '../../src/operations/operations.ts';
import type { User } from '../../src/projections/users.ts';
import { addPasskey, createAuthenticator } from '../support/authenticator.ts';
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

  const findUser = (name: string): User =>
    running.service().projections.users.findByName(name) ?? expect.fail(`no user ${name}`);
  const userActor = (name: string): Actor => ({ kind: 'user', id: findUser(name).userId });

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
    await linkedAccounts.link(identity, provider, findUser(name), context);
  }

  /** Expects the change to be refused and nothing to be recorded. */
  async function expectRefused(change: () => Promise<unknown>, label = ''): Promise<void> {
    const head = running.log.head();
    const refusal = await change().then(
      () => 'done',
      (error: unknown) => error,
    );
    expect(refusal, label).to.be.instanceOf(OperationRefused);
    expect(String(refusal), label).to.match(/administrator/);
    expect(running.log.head(), label).to.equal(head);
  }

  const ROOT_CHANGES: Readonly<Record<string, () => Promise<void>>> = {
    disabled: () => run('user disable', { username: 'root' }),
    erased: () => run('user erase', { username: 'root' }),
    demoted: () => run('user roles', { username: 'root', roles: [] }),
  };

  for (const [change, apply] of Object.entries(ROOT_CHANGES)) {
    it(`cannot be ${change}, even by the operator, if the only other one needs a disabled provider`, async () => {
      await setProvider({ disabled: true });
      await expectRefused(apply);
      await setProvider({ disabled: false });
      await apply();
      expect(logins.canLogIn(findUser('eve'))).to.equal(true);
    });
  }

  it('may be disabled if another administrator can log in', async () => {
    await run('user disable', { username: 'root' });
    await expectRefused(() => run('user disable', { username: 'eve' }));
  });

  const PROVIDER_CHANGES: Readonly<Record<string, (actor: Actor) => Promise<void>>> = {
    disabled: (actor) => setProvider({ disabled: true }, actor),
    removed: (actor) => run('provider remove', { providerId: 'corp' }, actor),
    'given a different issuer': (actor) => setProvider({ ...CORP, issuer: 'https://moved.example' }, actor),
    'superseded by a required provider': (actor) => setProvider({ ...CORP, required: true }, actor, 'new'),
  };

  for (const [change, apply] of Object.entries(PROVIDER_CHANGES)) {
    it(`remains when a provider is ${change} on a page or by a program`, async () => {
      await run('user disable', { username: 'root' });
      for (const actor of [userActor('eve'), PROGRAM]) await expectRefused(() => apply(actor), actor.kind);
    });

    it(`need not remain when a provider is ${change} by the operator, who can undo it`, async () => {
      await run('user disable', { username: 'root' });
      await apply(OPERATOR);
      expect(logins.administratorBasis()).to.equal(undefined);
    });
  }

  it('remains when passwords are turned off', async () => {
    await run('user disable', { username: 'eve' });
    await expectRefused(() => setProvider({ required: true }, PROGRAM), 'the only administrator has a password');
    await run('user enable', { username: 'eve' });
    await setProvider({ required: true }, PROGRAM);
    expect(logins.canLogIn(findUser('root'))).to.equal(false);
    await expectRefused(() => run('user disable', { username: 'eve' }), 'only she can log in');
  });

  it('keeps the only passkey that allows an administrator to log in, unless the operator removes it', async () => {
    const browser = running.browser();
    await browser.logIn('root', "root's password");
    await addPasskey(browser, "root's password", createAuthenticator());
    await run('user disable', { username: 'eve' });
    await setProvider({ ...CORP, required: true }, OPERATOR, 'new');
    const { passkeyLogins, secondFactorChanges, projections } = running.service();
    const [passkey] = projections.passkeys.listByUser(findUser('root').userId);
    if (passkey === undefined) expect.fail();
    const head = running.log.head();
    const context = { actor: userActor('root'), requestId: null };
    const removals: readonly (() => Promise<unknown>)[] = [
      () => passkeyLogins.remove(findUser('root'), passkey.passkeyId, context),
      () => secondFactorChanges.removeAll(findUser('root'), 'lost', context),
    ];
    for (const remove of removals) {
      const refusal = await Promise.resolve()
        .then(remove)
        .catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(NoAdministratorLeft);
    }
    expect(running.log.head()).to.equal(head);
    await run('user second-factor', { username: 'root', remove: true });
    expect(logins.canLogIn(findUser('root'))).to.equal(false);
  });

  it('remains when an administrator who cannot log in anyway is disabled', async () => {
    await setProvider({ disabled: true });
    await run('user disable', { username: 'eve' });
    expect(logins.canLogIn(findUser('root'))).to.equal(true);
  });

  it('need not exist: even then, the last administrator cannot be disabled', async () => {
    await run('user erase', { username: 'root' });
    await setProvider({ disabled: true });
    await expectRefused(() => run('user disable', { username: 'eve' }));
  });

  it('remains after two concurrent changes, each of which would be harmless alone', async () => {
    const pairs = [
      [() => setProvider({ disabled: true }, PROGRAM), ROOT_CHANGES['disabled']!],
      [() => setProvider({ required: true }, PROGRAM), () => run('user disable', { username: 'eve' })],
      [() => setProvider({ ...CORP, disabled: true }, PROGRAM), ROOT_CHANGES['demoted']!],
    ] as const;
    for (const pair of pairs) {
      const results = await Promise.allSettled(pair.map((change) => change()));
      expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
      expect(logins.administratorBasis()).not.to.equal(undefined);
      await setProvider({ disabled: false, required: false });
      await run('user enable', { username: 'root' });
      await run('user enable', { username: 'eve' });
      await run('user roles', { username: 'root', roles: ['administrator'] });
    }
  });

  it('remains when two providers are disabled concurrently', async () => {
    await addAdministratorAt('second', 'other');
    await run('user disable', { username: 'root' });
    const disable = (providerId: string) => setProvider({ disabled: true }, PROGRAM, providerId);
    const results = await Promise.allSettled(['corp', 'other'].map(disable));
    expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    expect(logins.administratorBasis()).not.to.equal(undefined);
  });
});
