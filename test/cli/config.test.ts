import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkChanges } from '../../src/cli/doctor-settings.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { serverSettings, type ServerSettings } from '../../src/cli/server-settings.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { effectiveSettings } from '../../src/config/effective-settings.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import type { SettingItem } from '../../src/operations/settings.ts';
import { runCommandOn } from '../support/run-command.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const configFromEnv = (env: Readonly<Record<string, string>>): Config => readConfig(env, () => '{}').config;

describe('the settings of a running server', () => {
  /** The configuration that the service reads when it starts. */
  let startConfig: Config;
  let running: RunningService;

  beforeEach(async () => {
    startConfig = configFromEnv({
      PORT: '8222',
      GRANTLOG_REQUIRE_PKCE: 'all',
      GRANTLOG_SCOPES: '{"read":"Read","write":"Write"}',
    });
    running = await runningService({ replaceConfig: () => startConfig });
  });
  afterEach(() => running.close());

  async function runOperation(name: string, input: object): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())(name, input, new AbortController().signal)) items.push(item);
    return items;
  }

  const listSettings = async () => (await runOperation('setting list', {})) as readonly SettingItem[];

  async function readServerSettings(localConfig: Config): Promise<ServerSettings> {
    return serverSettings(localConfig, JSON.parse(JSON.stringify(await listSettings())) as readonly SettingItem[]);
  }

  it('are those that it started with, plus the changes in the log', async () => {
    await runOperation('setting set', { name: 'accessTokenLifetimeSeconds', value: '7200' });
    await runOperation('setting set', { name: 'scopeClaims', value: '{"read":["email"]}' });
    const { config } = await readServerSettings(configFromEnv({ DATA_DIR: '/here', GRANTLOG_REQUIRE_PAR: 'true' }));
    const listValues = (settings: readonly { name: string; value: unknown }[]) =>
      Object.fromEntries(settings.filter(({ name }) => name !== 'dataDir').map(({ name, value }) => [name, value]));
    expect(listValues(effectiveSettings(config))).to.deep.equal(listValues(await listSettings()));
    expect(config).to.deep.include({
      dataDir: '/here',
      port: 8222,
      issuer: 'http://localhost:8222',
      requirePar: false,
    });
    expect(config.defaultScopes).to.deep.equal(startConfig.defaultScopes);
  });

  it('are compared with the settings after a restart, which keeps the changes in the log', async () => {
    await runOperation('setting set', { name: 'accessTokenLifetimeSeconds', value: '7200' });
    await runOperation('setting set', { name: 'refreshReuseWindowSeconds', value: '5' });
    const localConfig = { PORT: '8222', GRANTLOG_SCOPES: '{"read":"Read","write":"Write"}' };
    const changesAfter = async (env: Readonly<Record<string, string>>) =>
      Object.fromEntries((await readServerSettings(configFromEnv({ ...localConfig, ...env }))).afterRestart);
    expect(await changesAfter({ GRANTLOG_REQUIRE_PKCE: 'all' })).to.deep.equal({});
    expect(await changesAfter({ PORT: '1', GRANTLOG_REFRESH_REUSE_WINDOW_SECONDS: '9' })).to.deep.equal({
      port: { value: 1, origin: 'environment' },
      issuer: { value: 'http://localhost:1', origin: 'default' },
      requirePkce: { value: 'public', origin: 'default' },
      refreshReuseWindowSeconds: { value: 9, origin: 'environment' },
    });
  });

  it('are checked by doctor: only a change without effect is a problem, not a difference after a restart', async () => {
    expect(checkChanges(undefined)).to.deep.equal([]);
    const localConfig = configFromEnv({ PORT: '1' });
    expect(checkChanges(await readServerSettings(startConfig)).map(({ ok, says }) => [ok, says])).to.deep.equal([
      [true, 'every setting change in the log takes effect'],
      [true, 'a restart would change nothing'],
    ]);
    await runOperation('setting set', { name: 'accessTokenLifetimeSeconds', value: '7200' });
    startConfig = configFromEnv({ PORT: '8222', GRANTLOG_ACCESS_TOKEN_LIFETIME_SECONDS: '600' });
    await running.restart();
    const [changes, restart] = checkChanges(await readServerSettings(localConfig));
    expect(changes).to.deep.include({
      ok: false,
      says: 'accessTokenLifetimeSeconds: 7200 has no effect, because the operator set it in the environment',
    });
    expect(changes?.todo).to.include('grantlog setting reset NAME');
    expect([restart?.ok, restart?.says]).to.deep.equal([
      true,
      'with the environment of this command, a restart would change port 1, issuer http://localhost:1, ' +
        'accessTokenLifetimeSeconds 7200',
    ]);
  });

  describe('are printed by config', () => {
    let directory: string;
    beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'grantlog-'))));
    afterEach(() => rmSync(directory, { recursive: true }));

    it('with the values after a restart, or, without a server, the values that a server would start with', async () => {
      const env = { DATA_DIR: directory, GRANTLOG_REQUIRE_PKCE: 'all' };
      const showPort = async () => {
        const { out } = await runCommandOn(env, ['config', '--json']);
        const rows = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[];
        return rows.find(({ name }) => name === 'port');
      };
      const printTable = async () => (await runCommandOn(env, ['config'], '', 100)).out;
      const control = await serveControl(controlSocketPath(directory), operate(running.service()));
      try {
        expect(await showPort()).to.deep.include({
          value: 8222,
          origin: 'environment',
          environment: 'PORT',
          after_restart: { value: 8000, origin: 'default' },
        });
        expect(await printTable())
          .to.match(/^NAME +VALUE +ORIGIN +DEFAULT +AFTER RESTART\n/)
          .and.match(/^port +8222 +environment +8000 +8000$/m)
          .and.match(
            new RegExp(
              String.raw`the\scurrent\ssettings\sof\sthe\sserver\srunning\son .*` +
                String.raw`A\srestart\swith\sthe\senvironment\sof\sthis\scommand\swould`,
              's',
            ),
          );
      } finally {
        await control.close();
      }
      expect(await showPort()).to.deep.include({ value: 8000, origin: 'default', after_restart: null });
      expect(await printTable())
        .to.match(/^NAME +VALUE +ORIGIN +DEFAULT\n/)
        .and.include(`No server is running on ${directory}. A server started with this environment`);
      for (const line of (await printTable()).split('\n')) expect(line.length, line).to.be.at.most(100);
    });

    it('by any name of a setting, in any case', async () => {
      const env = { DATA_DIR: directory, PORT: '8111' };
      for (const [name, line] of [
        ['DATA_DIR', `dataDir ${directory} environment`],
        ['data_dir', `dataDir ${directory} environment`],
        ['PORT', 'port 8111 environment'],
        ['port', 'port 8111 environment'],
        ['GRANTLOG_REQUIRE_PKCE', 'requirePkce public default'],
        ['require_pkce', 'requirePkce public default'],
      ] as const) {
        const { status, out } = await runCommandOn(env, ['config', name]);
        expect(status, name).to.equal(0);
        expect(out.replaceAll(/ +/g, ' '), name).to.include(line);
      }
    });

    it('or say why there is no row', async () => {
      const env = { DATA_DIR: directory, GRANTLOG_CONFIG: 'settings.json' };
      const printConfig = (...args: readonly string[]) => runCommandOn(env, ['config', ...args]);
      expect(await printConfig('GRANTLOG_CONFIG')).to.deep.equal({
        status: 2,
        out: '',
        err:
          'grantlog: GRANTLOG_CONFIG is not a setting, but the environment variable with the path of the ' +
          'configuration file. It is set to settings.json\n',
      });
      const unchanged = await printConfig('port', '--changed');
      expect(unchanged).to.deep.equal({ status: 0, out: '', err: 'The setting port has its default value.\n' });
    });

    it('one by one, or only those that differ from their default', async () => {
      const env = { DATA_DIR: directory, GRANTLOG_REQUIRE_PKCE: 'all' };
      const listNames = async (...args: readonly string[]) => {
        const { out } = await runCommandOn(env, ['config', ...args, '--json']);
        return (JSON.parse(out) as readonly { readonly name: string }[]).map(({ name }) => name);
      };
      expect(await listNames('requirePkce')).to.deep.equal(['requirePkce']);
      expect(await listNames('--changed'))
        .to.include('requirePkce')
        .and.not.include('requirePar')
        .and.not.include('issuer');
      expect(await runCommandOn(env, ['config', 'requirePkc'])).to.include({ status: 2, out: '' });
    });
  });
});
