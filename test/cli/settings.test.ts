import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandOn } from '../support/run-command.ts';

describe('grantlog setting and grantlog scope', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) => runCommandOn(env, args);

  async function runForJson(...args: readonly string[]): Promise<unknown> {
    const { status, out, err } = await run(...args, '--json');
    expect(status, err).to.equal(0);
    return JSON.parse(out);
  }

  it('changes a setting, shows it, lists it with its history, and resets it', async () => {
    expect(await runForJson('setting', 'set', 'accessTokenLifetimeSeconds', '600')).to.deep.equal({
      name: 'accessTokenLifetimeSeconds',
      value: 600,
      was: 36_000,
    });
    expect(await runForJson('setting', 'show', 'GRANTLOG_ACCESS_TOKEN_LIFETIME_SECONDS')).to.deep.include({
      value: 600,
      origin: 'change',
      can_change: true,
    });
    expect((await run('setting', 'list', '--changed')).out).to.match(
      /accessTokenLifetimeSeconds +600 +change +36000 +yes/,
    );
    expect(await runForJson('setting', 'reset', 'accessTokenLifetimeSeconds')).to.deep.include({
      value: 36_000,
      was: 600,
    });
    const history = (await runForJson('setting', 'history', 'accessTokenLifetimeSeconds')) as readonly object[];
    expect(history.map((change) => ({ ...change, time: '', position: 0 }))).to.deep.equal([
      { time: '', name: 'accessTokenLifetimeSeconds', default: 36_000, by: 'operator', position: 0 },
      { time: '', name: 'accessTokenLifetimeSeconds', value: 600, by: 'operator', position: 0 },
    ]);
    expect((await run('setting', 'history')).out).to.match(/accessTokenLifetimeSeconds +default \(36000\) +operator/);
  });

  it('refuses unknown names, invalid values, start-up settings and settings in the environment', async () => {
    env['GRANTLOG_REQUIRE_PKCE'] = 'all';
    for (const [args, message, expected = 1] of [
      [['acessTokenLifetimeSeconds', '1'], /unknown setting; did you mean accessTokenLifetimeSeconds\?/, 2],
      [['accessTokenLifetime', '1'], /unknown setting; did you mean accessTokenLifetimeSeconds\?/, 2],
      [['requirePar', 'maybe'], /requirePar: must be true or false/, 2],
      [['port', '1'], /port: it is read at startup/],
      [['requirePkce', 'none'], /requirePkce: the operator set it in the environment/],
    ] as const) {
      const { status, err } = await run('setting', 'set', ...args);
      expect([status, message.test(err)], err).to.deep.equal([expected, true]);
    }
  });

  it('says whether a change made a difference', async () => {
    expect((await run('setting', 'set', 'requirePar', 'true')).err).to.equal(
      'the new value is in effect on every node\n',
    );
    expect((await run('setting', 'set', 'requirePar', 'true')).err).to.equal('the value is the same as before\n');
    const scopesEndingWith = (name: string): string =>
      JSON.stringify(Object.fromEntries([...Array(60).keys(), name].map((scope) => [`scope-${scope}`, 'A scope'])));
    await run('setting', 'set', 'scopes', scopesEndingWith('one'));
    expect((await run('setting', 'set', 'scopes', scopesEndingWith('two'))).err, 'a difference at the end').to.equal(
      'the new value is in effect on every node\n',
    );
  });

  it('refuses an unknown setting with the same message and status in every command', async () => {
    await runForJson('setting', 'set', 'requirePar', 'true');
    for (const args of [
      ['setting', 'show', 'nope'],
      ['setting', 'set', 'nope', '1'],
      ['setting', 'forecast', 'nope', '1'],
      ['setting', 'reset', 'nope'],
      ['setting', 'history', 'nope'],
      ['log', 'what-if', '--set', 'nope=1'],
    ])
      expect(await run(...args), args.join(' ')).to.deep.equal({
        status: 2,
        out: '',
        err: 'grantlog: nope: unknown setting; list all settings with grantlog setting list\n',
      });
  });

  it('shows an empty setting name in quotes', async () => {
    expect((await run('setting', 'show', '')).err).to.equal(
      "grantlog: '': unknown setting; list all settings with grantlog setting list\n",
    );
  });

  it('forecasts the effect of a value, and reports if the log does not show it', async () => {
    await runForJson('setting', 'set', 'requirePar', 'true');
    expect(await runForJson('setting', 'forecast', 'requirePkce', 'all')).to.deep.include({
      kind: 'simulated',
      refused: 0,
      requests: 0,
    });
    expect(await runForJson('setting', 'forecast', 'signup', 'open')).to.deep.include({ kind: 'unknown' });
    const [value, forecast, ...otherLines] = (await run('setting', 'forecast', 'requirePkce', 'all')).out.split('\n');
    expect({ value, otherLines }).to.deep.equal({ value: 'requirePkce: all', otherLines: [''] });
    expect(forecast).to.match(
      /^No application would have been refused or would have .* response \(0 requests since \d{4}-\d\d-\d\d\)\.$/,
    );
    expect((await run('setting', 'forecast', 'signup', 'open')).out).to.match(
      /^signup: open\nThe log does not show what this would have changed \(.+\)\.\n$/,
    );
  });

  it('lists as changed only the settings whose value differs from the default and is not derived', async () => {
    await runForJson('setting', 'set', 'accessTokenLifetimeSeconds', '36000');
    await runForJson('scope', 'add', 'invoices:read', '--description', 'Read your invoices');
    await runForJson('scope', 'remove', 'invoices:read', '--yes');
    await runForJson('setting', 'set', 'requirePar', 'true');
    const settings = (await runForJson('setting', 'list', '--changed')) as readonly { readonly name: string }[];
    const names = settings.map(({ name }) => name);
    expect(names).to.include('requirePar');
    for (const name of ['accessTokenLifetimeSeconds', 'scopes', 'scopeDisplay', 'issuer'])
      expect(names).to.not.include(name);
  });

  it('adds, updates, forecasts, lists and removes scopes', async () => {
    const fields = ['--description', 'Read your invoices', '--icon', 'card', '--sensitivity', 'sensitive'];
    expect(await runForJson('scope', 'add', 'invoices:read', ...fields)).to.deep.equal({
      scope: 'invoices:read',
      description: 'Read your invoices',
      icon: 'card',
      sensitivity: 'sensitive',
      built_in: false,
      origin: 'added',
      restricted: false,
      allowed_clients: [],
    });
    const repeatedResult = await run('scope', 'add', 'invoices:read', ...fields);
    expect(repeatedResult.err).to.include(
      'there is already a scope invoices:read; see: grantlog scope show invoices:read',
    );
    expect(repeatedResult.status).to.equal(1);
    expect(await runForJson('scope', 'update', 'invoices:read', '--icon', 'none')).to.include({
      description: 'Read your invoices',
      icon: null,
      sensitivity: 'sensitive',
    });
    expect(await runForJson('scope', 'forecast', 'invoices:read')).to.deep.include({ applications: [] });
    expect((await run('scope', 'list')).out).to.include('invoices:read');
    expect(await runForJson('scope', 'remove', 'invoices:read', '--yes')).to.deep.equal({
      scope: 'invoices:read',
      removed: true,
    });
    expect((await run('scope', 'remove', 'openid', '--yes')).err).to.include('A built-in scope cannot be removed');
  });
});
