import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { checkRequiredProviders } from '../../src/cli/doctor-providers.ts';
import type { UpstreamIdentity } from '../../src/domain/upstream-identity.ts';
import type { UpstreamProvider } from '../../src/projections/upstream-providers.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { openServiceOf, runCommandOn } from '../support/run-command.ts';

/** Returns an account at the provider. */
function createIdentity({ providerId, issuer }: UpstreamProvider): UpstreamIdentity {
  const names = { preferredName: '', firstName: '', lastName: '', email: '', isEmailVerified: false };
  return { ...names, providerId, issuer, subject: 'x', groups: [], authenticatedAt: null, hasSecondFactor: false };
}

describe('grantlog provider', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) => runCommandOn(env, args, 'the client secret\n');

  async function runForJson(...args: readonly string[]): Promise<unknown> {
    const { status, out, err } = await run(...args, '--json');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  }

  async function whileServing(body: () => Promise<void>): Promise<void> {
    const service = await openServiceOf(env);
    const control = await serveControl(controlSocketPath(env['DATA_DIR'] ?? ''), operate(service));
    try {
      await body();
    } finally {
      await control.close();
      await service.close();
    }
  }

  const CORP = ['--issuer', 'https://login.example', '--name', 'Corp', '--client-id', 'grantlog'] as const;
  const addCorp = () => runForJson('provider', 'set', 'corp', ...CORP, '--client-secret-stdin');

  for (const [target, withTarget] of [
    ['on a stopped log', (body: () => Promise<void>) => body()],
    ['on a running server', (body: () => Promise<void>) => whileServing(body)],
  ] as const) {
    it(`adds a provider, changes only the given options, and removes it ${target}`, async () => {
      await withTarget(async () => {
        const provider = (await addCorp()) as Record<string, unknown>;
        expect(provider).to.include({ provider_id: 'corp', has_secret: true, linking: 'explicit', required: false });
        expect(JSON.stringify(provider)).not.to.contain('the client secret');
        const changedOptions = ['--create-users', '--domain', 'example.org', '--linking', 'verified-email'];
        const groups = ['--groups-claim', 'groups', '--role', 'auditor=auditors', '--group', 'Staff=staff'];
        const changedProvider = await runForJson('provider', 'set', 'corp', ...changedOptions, ...groups);
        expect(changedProvider).to.deep.include({
          name: 'Corp',
          domains: ['example.org'],
          roles: ['auditor=auditors'],
        });
        expect(changedProvider).to.include({ has_secret: true, creates_users: true, linking: 'verified-email' });
        expect(await runForJson('provider', 'set', 'corp', '--domain', '')).to.deep.include({ domains: [] });
        expect(await runForJson('provider', 'set', 'corp', '--disabled')).to.include({
          disabled: true,
          creates_users: true,
        });
        expect(await runForJson('provider', 'set', 'corp', '--no-disabled')).to.include({ disabled: false });
        expect(await runForJson('provider', 'show', 'corp')).to.include({ linked_accounts: 0 });
        expect(await runForJson('provider', 'list')).to.have.length(1);
        expect((await run('provider', 'remove', 'corp', '--yes')).out).to.equal('the provider corp was removed\n');
        expect((await run('provider', 'show', 'corp')).status).to.equal(1);
      });
    });
  }

  it('prints a new provider, and later only what changed, with the previous values', async () => {
    const set = async (...args: readonly string[]) => (await run('provider', 'set', 'corp', ...args)).out;
    expect(await set(...CORP, '--client-secret-stdin')).to.include('redirect_uri: ');
    expect(await set('--create-users', '--domain', 'example.org')).to.equal(
      'creates_users: yes (was no)\ndomains: example.org (was -)\n',
    );
    expect(await set('--create-users')).to.equal('corp already had these values; nothing changed\n');
    expect(await set('--client-secret-stdin')).to.equal('client_secret: set\n');
  });

  it('reports all missing options of a new provider before it asks for the secret', async () => {
    const findMissingOptions = async (...args: readonly string[]) => {
      const { status, err } = await run('provider', 'set', 'corp', ...args);
      expect(status).to.equal(2);
      return /also needs (.*); see grantlog provider set --help\n$/.exec(err)?.[1];
    };
    expect(await findMissingOptions()).to.equal('--name, --issuer, --client-id, --client-secret-stdin');
    expect(await findMissingOptions('--preset', 'google')).to.equal('--client-id, --client-secret-stdin');
    expect(await findMissingOptions(...CORP)).to.equal('--client-secret-stdin');
    expect(await findMissingOptions('--name', 'Corp', '--authentication', 'none')).to.equal('--issuer, --client-id');
    expect(await runForJson('provider', 'list')).to.deep.equal([]);
  });

  it('turns password logins off and on again', async () => {
    await addCorp();
    expect(await runForJson('provider', 'set', 'corp', '--required', '--yes')).to.include({ required: true });
    expect(await runForJson('provider', 'set', 'corp', '--no-required')).to.include({ required: false });
  });

  describe('before it turns passwords off', () => {
    const REQUIRE = ['provider', 'set', 'corp', '--required'] as const;
    const isRequired = async () =>
      ((await runForJson('provider', 'show', 'corp')) as Record<string, unknown>)['required'];

    beforeEach(async () => {
      await runCommandOn(env, ['user', 'add', 'ada', '--admin', '--password-stdin'], 'a long passphrase\n');
      await runCommandOn(env, ['user', 'add', 'bob', '--password-stdin'], 'a long passphrase\n');
      await addCorp();
    });

    it('counts the users who could no longer log in, and asks at a terminal', async () => {
      const questions: string[] = [];
      const answer = (text: string) => async (question: string) => {
        questions.push(question);
        return text;
      };
      const declined = await runCommandOn(env, REQUIRE, '', undefined, answer('n'));
      expect(declined.status).to.equal(2);
      expect(declined.err).to.contain('grantlog provider test corp');
      expect(questions[0]).to.contain('2 of 2 users, including 1 of 1 administrator, could no longer log in');
      expect(await isRequired()).to.equal(false);
      expect((await runCommandOn(env, REQUIRE, '', undefined, answer('y'))).status).to.equal(0);
      expect(await isRequired()).to.equal(true);
      expect((await runCommandOn(env, REQUIRE, '', undefined, answer('n'))).status).to.equal(0);
      expect(questions).to.have.length(2);
    });

    it('changes nothing in a script without --yes', async () => {
      const result = await run(...REQUIRE);
      expect(result.status).to.equal(2);
      expect(result.err)
        .to.match(/^grantlog: passwords would be turned off for all users: 2 of 2 users, .*Add --yes to confirm/)
        .and.include('To test the connection first: grantlog provider test corp.');
      expect(await isRequired()).to.equal(false);
      expect((await run(...REQUIRE, '--yes')).err).to.equal('');
      expect(await isRequired()).to.equal(true);
      expect((await run(...REQUIRE)).status, 'passwords are off already').to.equal(0);
    });

    it('does not need --yes in a script if no user would be locked out', async () => {
      const { status, err } = await runCommandOn(
        { DATA_DIR: join(directory, 'without-users') },
        ['provider', 'set', 'corp', ...CORP, '--client-secret-stdin', '--required'],
        'the client secret\n',
      );
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    });

    it('says that a new provider must be added before it can be tested', async () => {
      const otherProvider = ['--issuer', 'https://other.example', '--name', 'Other', '--client-id', 'grantlog'];
      const { status, err } = await run(
        'provider',
        'set',
        'new',
        ...otherProvider,
        '--client-secret-stdin',
        '--required',
      );
      expect(status).to.equal(2);
      expect(err).to.include('add the provider without --required, and then run: grantlog provider test new.');
    });

    it('lets doctor report a required provider that no administrator can use, or that does not respond', async () => {
      const check = () => checkRequiredProviders({ dataDir: env['DATA_DIR'] ?? '' });
      await whileServing(async () => {
        expect(await check()).to.deep.equal([]);
        await run(...REQUIRE, '--yes');
        const findings = await check();
        expect(findings.map(({ ok }) => ok)).to.deep.equal([false, false]);
        expect(findings[0]?.says).to.contain('no administrator has a passkey or an account at a required provider');
        expect(findings[1]?.says).to.match(/^corp: the step metadata failed/);
        expect(findings[0]?.todo).to.contain('grantlog provider set corp --no-required');
      });
    });
  });

  describe('before it disables the only provider through which an administrator can log in', () => {
    const DISABLE = ['provider', 'set', 'corp', '--disabled'] as const;

    beforeEach(async () => {
      await addCorp();
      const service = await openServiceOf(env);
      const { accounts, linkedAccounts, projections } = service;
      const context = { actor: { kind: 'operator' }, requestId: null } as const;
      const account = { username: 'ada', password: { hash: null }, active: true, roles: ['administrator'] } as const;
      await accounts.importAccount(account, context);
      const [ada, corp] = [projections.users.findByName('ada'), projections.upstreamProviders.find('corp')];
      if (ada === undefined || corp === undefined) expect.fail();
      await linkedAccounts.link(createIdentity(corp), corp, ada, context);
      await service.close();
    });

    it('asks at a terminal, and warns in a script, unless --yes is given', async () => {
      const questions: string[] = [];
      const decline = async (question: string) => {
        questions.push(question);
        return 'n';
      };
      expect((await runCommandOn(env, DISABLE, '', undefined, decline)).status).to.equal(2);
      expect(questions[0]).to.contain('no administrator will be able to log in');
      expect(await runForJson('provider', 'show', 'corp')).to.include({ disabled: false });
      expect((await run(...DISABLE, '--yes')).err).to.equal('');
      await runForJson('provider', 'set', 'corp', '--enabled');
      expect(await run(...DISABLE)).to.deep.include({
        status: 0,
        err: 'grantlog: warning: no administrator will be able to log in\n',
      });
    });

    it('warns before a removal, too', async () => {
      const declined = await runCommandOn(env, ['provider', 'remove', 'corp'], '', undefined, async () => 'n');
      expect(declined.err).to.contain('; no administrator would be able to log in.');
    });
  });

  it('enables a provider with --enabled as with --no-disabled, and refuses contradictory options', async () => {
    await addCorp();
    await runForJson('provider', 'set', 'corp', '--disabled');
    expect(await runForJson('provider', 'set', 'corp', '--enabled')).to.include({ disabled: false });
    for (const [option, opposite] of [
      ['--disabled', '--no-disabled'],
      ['--disabled', '--enabled'],
      ['--required', '--no-required'],
      ['--create-users', '--no-create-users'],
    ] as const)
      for (const options of [
        [option, opposite],
        [opposite, option],
      ]) {
        const { status, err } = await run('provider', 'set', 'corp', ...options);
        expect({ status, err }).to.deep.equal({
          status: 2,
          err: `grantlog: ${option} and ${opposite} contradict each other; specify only one of them\n`,
        });
      }
    expect(await runForJson('provider', 'show', 'corp')).to.include({ disabled: false, required: false });
  });

  it("does not send one issuer's secret to another issuer", async () => {
    await addCorp();
    const { status, err } = await run('provider', 'set', 'corp', '--issuer', 'https://other.example');
    expect({ status, err }).to.deep.include({ status: 1 });
    expect(err).to.contain('Enter the client secret again');
  });

  it('requires the tenants for a multi-tenant Entra issuer', async () => {
    const entra = ['--preset', 'entra', '--issuer', 'https://login.microsoftonline.com/organizations/v2.0'];
    const fields = [...entra, '--client-id', 'grantlog', '--client-secret-stdin'];
    const { status, err } = await run('provider', 'set', 'entra', ...fields);
    expect(status).to.equal(2);
    expect(err).to.contain('--tenant: ');
    const tenant = '11111111-2222-3333-4444-555555555555';
    expect(await runForJson('provider', 'set', 'entra', ...fields, '--tenant', tenant)).to.deep.include({
      tenants: [tenant],
    });
  });

  it('reports a provider that it cannot reach', async () => {
    await addCorp();
    const { status, out, err } = await run('provider', 'test', 'corp', '--json');
    const checks = JSON.parse(out) as readonly { readonly result: string }[];
    expect(checks.map(({ result }) => result)).to.deep.equal(['bad']);
    expect({ status, err }).to.deep.equal({ status: 1, err: 'grantlog: the step metadata failed\n' });
  });
});
