import { withOperations } from '../support/with-operations.ts';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import Koa from 'koa';
import { runCommand } from '../../src/cli/command-line.ts';
import {
  checkClock,
  checkCookies,
  checkDisk,
  checkNode,
  checkSettings,
  type CheckResult,
} from '../../src/cli/doctor-checks.ts';
import { checkDirectory } from '../../src/cli/doctor-directory.ts';
import {
  checkIssuer,
  checkMetrics,
  checkReady,
  checkServerState,
  newestEventTime,
} from '../../src/cli/doctor-server.ts';
import { checkProfile } from '../../src/cli/doctor-profile.ts';
import { checkRedirectUris } from '../../src/cli/doctor-redirect-uris.ts';
import { checkSampleApi } from '../../src/cli/doctor-sample-api.ts';
import { findClockProblem } from '../../src/composition/clock-behind.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { callControl } from '../../src/operations/control/client.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { configFromSettings, readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/platform/ports.ts';
import { settingsSchema } from '../../src/config/settings-schema.ts';
import { effectiveDefault } from '../../src/config/effective-defaults.ts';
import { SETTING_NAMES } from '../../src/config/settings.ts';
import { english } from '../../src/language/english.ts';
import { findFreePort } from '../support/checkout.ts';
import { withServer } from '../support/with-server.ts';
import { runningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { startServer } from '../support/server-process.ts';
import { withoutDatabase } from '../support/without-database.ts';

const failedChecks = (results: readonly CheckResult[]): readonly string[] =>
  results.filter(({ ok }) => !ok).map(({ check }) => check);

describe('grantlog doctor', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    for (const name of ['keys', 'log', 'checkpoints', 'snapshots']) mkdirSync(join(dataDir, name), { mode: 0o700 });
    await keyDirectory(join(dataDir, 'keys')).open(seededEntropy('keys'), { isNew: true, mayPredateLogKey: false });
    for (const name of ['log/CURRENT', 'checkpoints/12']) writeFileSync(join(dataDir, name), '', { mode: 0o600 });
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('reports no problem in a sound data directory', () => {
    expect(
      failedChecks(checkDirectory(configFromSettings({ dataDir })).filter(({ check }) => check !== 'disk')),
    ).to.deep.equal([]);
  });

  it('reports files that other users can read, and files that are missing', () => {
    chmodSync(join(dataDir, 'keys/log.key'), 0o644);
    rmSync(join(dataDir, 'checkpoints/12'));
    const results = checkDirectory(configFromSettings({ dataDir }));
    expect(failedChecks(results)).to.include.members(['modes', 'checkpoints']);
    expect(results.find(({ check }) => check === 'modes')?.says).to.include('keys/log.key');
    chmodSync(join(dataDir, 'keys/log.key'), 0o600);
    chmodSync(join(dataDir, 'log/CURRENT'), 0o644);
    const levelDbResult = checkDirectory(configFromSettings({ dataDir })).find(({ check }) => check === 'modes');
    expect([levelDbResult?.ok, levelDbResult?.says.includes('log/CURRENT')]).to.deep.equal([false, true]);
    expect(failedChecks(checkDirectory(configFromSettings({ dataDir: join(dataDir, 'nowhere') })))).to.deep.equal([
      'data',
    ]);
    expect(failedChecks(checkDirectory(configFromSettings({ dataDir: import.meta.filename }))), 'a file').to.deep.equal(
      ['data'],
    );
  });

  const findResult = (wanted: string): CheckResult | undefined =>
    checkDirectory(configFromSettings({ dataDir })).find(({ check }) => check === wanted);

  it('never advises to change the modes of a directory that no server has used', () => {
    const foreignDirectory = join(dataDir, 'foreign');
    mkdirSync(foreignDirectory, { mode: 0o755 });
    const checkDataDir = (directory: string) => checkDirectory(configFromSettings({ dataDir: directory }));
    const problem = `${foreignDirectory} is not the data directory of a Grantlog server`;
    const [emptyResult, ...furtherResults] = checkDataDir(foreignDirectory);
    expect([emptyResult?.check, emptyResult?.ok, emptyResult?.says]).to.deep.equal([
      'data',
      false,
      `${problem}: it is empty`,
    ]);
    expect(furtherResults).to.deep.equal([]);
    mkdirSync(join(foreignDirectory, 'log'), { mode: 0o755 });
    for (const name of ['log/syslog', 'passwd']) writeFileSync(join(foreignDirectory, name), '', { mode: 0o644 });
    for (const directory of [foreignDirectory, '/etc', '/', '/var']) {
      const results = checkDataDir(directory);
      expect(results.map(({ check }) => check)).to.deep.equal(['data']);
      expect(results[0]?.says).to.include(`${directory} is not the data directory of a Grantlog server`);
      expect(results[0]?.todo).to.not.include('chmod');
    }
  });

  it('advises to change the modes only of the files that other users can access', () => {
    chmodSync(dataDir, 0o755);
    chmodSync(join(dataDir, 'keys/log.key'), 0o644);
    expect(findResult('modes')?.todo).to.equal(`chmod go= ${dataDir} ${join(dataDir, 'keys/log.key')}`);
    chmodSync(join(dataDir, 'log/CURRENT'), 0o644);
    expect(findResult('modes')?.todo).to.match(/^chmod go= \S+ \S+log\.key && chmod -R go= \S+\/log$/);
  });

  it('does not advise to change the mode of a data directory that other programs use', () => {
    chmodSync(dataDir, 0o755);
    mkdirSync(join(dataDir, 'etc'));
    expect(findResult('data')?.says).to.equal(`${dataDir} also contains other directories: etc`);
    expect(findResult('modes')?.ok).to.equal(true);
    chmodSync(join(dataDir, 'keys/log.key'), 0o644);
    expect(findResult('modes')?.todo).to.equal(`chmod go= ${join(dataDir, 'keys/log.key')}`);
  });

  it('never advises to change the mode of a directory of keys that contains other directories', () => {
    const keys = mkdtempSync(join(tmpdir(), 'grantlog-keys-'));
    chmodSync(keys, 0o755);
    for (const name of ['log.key', 'passwd']) writeFileSync(join(keys, name), '', { mode: 0o644 });
    const advice = () =>
      checkDirectory(configFromSettings({ dataDir, keys })).find(({ check }) => check === 'modes')?.todo;
    expect(advice()).to.equal(`chmod go= ${keys} ${join(keys, 'log.key')}`);
    mkdirSync(join(keys, 'ssl'));
    expect(advice()).to.equal(`chmod go= ${join(keys, 'log.key')}`);
    rmSync(keys, { recursive: true });
  });

  it('advises to restore a log that is missing although its head is recorded, instead of starting the server', () => {
    rmSync(join(dataDir, 'log'), { recursive: true });
    expect(findResult('log')?.todo).to.include('start the server');
    writeFileSync(join(dataDir, 'log.head'), '', { mode: 0o600 });
    const { says, todo } = findResult('log') ?? expect.fail('no result');
    expect(says).to.include(`contains no log, although other files in ${dataDir} show that there was one`);
    expect(todo).to.include('grantlog log verify').and.not.include('start the server');
  });

  it('reports key files that are missing or damaged', () => {
    rmSync(join(dataDir, 'keys/refresh.key'));
    writeFileSync(join(dataDir, 'keys/names.key'), 'damaged');
    const result = checkDirectory(configFromSettings({ dataDir })).find(({ check }) => check === 'keys');
    expect(result?.ok).to.equal(false);
    expect(result?.says).to.match(/^damaged in .*keys: names\.key; missing in .*keys: refresh\.key$/);
    expect(result?.todo).to.include('grantlog restore FILE DIR').and.include('grantlog log repair --help');
  });

  it('reports a file in place of the key directory', () => {
    const keys = join(dataDir, 'keys/log.key');
    const result = checkDirectory(configFromSettings({ dataDir, keys })).find(({ check }) => check === 'keys');
    expect(result).to.deep.include({ ok: false, todo: 'set GRANTLOG_KEYS to the key directory' });
    expect(result?.says).to.equal(`the key directory ${keys} cannot be used: it is not a directory`);
  });

  it('reports risky settings, and none among the defaults', () => {
    expect(failedChecks(checkSettings(configFromSettings({})))).to.deep.equal([]);
    expect(
      failedChecks(
        checkSettings(
          configFromSettings({
            requirePkce: 'none',
            pkceMethods: ['plain'],
            plainHttpRedirectUris: true,
            issuer: 'https://id.example',
          }),
        ),
      ),
    ).to.have.length(4);
  });

  it('reports a public issuer without TLS, whose cookies are not secure', () => {
    expect([
      checkCookies(configFromSettings({})).ok,
      checkCookies(configFromSettings({ issuer: 'http://id.example' })).ok,
    ]).to.deep.equal([true, false]);
  });

  it('reports a version of Node.js that is too old', () => {
    expect([checkNode('20.19.0').ok, checkNode('18.20.1').ok, checkNode('26.0.0').ok]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('reports who can read the user directory, and warns if users of other machines can', () => {
    const check = (env: Readonly<Record<string, string>>, file: object = {}) =>
      checkSampleApi(readConfig(env, () => JSON.stringify(file)).config);
    const withConfigFile = { GRANTLOG_CONFIG: '/etc/grantlog.json' };
    const PUBLIC_ISSUER = { ISSUER: 'https://id.example' };
    expect(check({}))
      .to.include({ ok: true })
      .and.to.have.property('says')
      .that.matches(
        /^on: no configuration file is specified, .*; every user can register .* read the user names, .* with the read scope;/,
      );
    expect(check(withConfigFile)).to.include({ ok: true, says: 'off: a configuration file is specified' });
    expect(check({ ...PUBLIC_ISSUER, GRANTLOG_SAMPLE_API: 'false' })).to.include({
      ok: true,
      says: 'off: set in the environment',
    });
    for (const result of [check(PUBLIC_ISSUER), check({ ...withConfigFile, ...PUBLIC_ISSUER }, { sampleApi: true })]) {
      expect(result)
        .to.include({ ok: false })
        .and.to.have.property('todo')
        .that.matches(/^set sampleApi to false/);
    }
    const openSignup = check(withConfigFile, { sampleApi: true, signup: 'open', readScope: 'groups' });
    expect(openSignup).to.include({ ok: false });
    expect(openSignup.says).to.match(/^on: set in the file; anyone can sign up, .* with the groups scope$/);
  });

  it('reports each redirect URI that the settings refuse, and a setting that would allow it, if there is one', () => {
    const registeredClient = (clientType: 'confidential' | 'public', ...redirectUris: readonly string[]) => ({
      client_id: 'id',
      name: 'Name',
      client_type: clientType,
      redirect_uris: [...redirectUris],
      post_logout_redirect_uris: [],
    });
    const clients = [
      registeredClient('public', 'myapp:/cb', 'com.example.app:/cb', 'http://127.0.0.1/cb'),
      registeredClient('confidential', 'http://a.example/cb', 'https://a.example/cb', 'com.example.app:/cb'),
    ];
    const strictResults = checkRedirectUris(configFromSettings({}), clients);
    expect(strictResults.map(({ ok, says }) => [ok, says.split(' ')[2]])).to.deep.equal([
      [false, 'myapp:/cb'],
      [false, 'http://a.example/cb'],
      [false, 'com.example.app:/cb'],
    ]);
    expect(strictResults.map(({ todo }) => /the (\w+) setting$/.exec(todo ?? '')?.[1])).to.deep.equal([
      'redirectUriSchemes',
      'plainHttpRedirectUris',
      undefined,
    ]);
    const looseConfig = configFromSettings({ plainHttpRedirectUris: true, redirectUriSchemes: ['myapp'] });
    expect(checkRedirectUris(looseConfig, clients.slice(0, 1))).to.deep.equal([
      {
        check: 'redirect-uris',
        ok: true,
        says: 'the settings allow all redirect URIs of 1 application',
        todo: null,
      },
    ]);
    expect(checkRedirectUris(looseConfig, null)).to.containSubset([{ ok: true }]);
    const logoutClient = { ...registeredClient('confidential'), post_logout_redirect_uris: ['http://a.example/bye'] };
    expect(checkRedirectUris(configFromSettings({}), [logoutClient])[0]?.todo).to.match(
      /grantlog client update id --post-logout-redirect-uri URI, or change the plainHttpRedirectUris setting$/,
    );
  });

  it('reports the settings that violate the profile of an application', () => {
    const client = {
      client_id: 'id',
      name: 'Bank',
      client_type: 'confidential' as const,
      redirect_uris: [],
      post_logout_redirect_uris: [],
    };
    const bank = { ...client, profile: 'fapi2' as const };
    const mtlsBank = { ...bank, tls_client_certificate_bound_access_tokens: true };
    const soundSettings = { issuer: 'https://a.example' } as const;
    const check = (changes: Readonly<Record<string, unknown>>, ...clients: readonly (typeof bank | typeof client)[]) =>
      checkProfile(configFromSettings(changes), clients, []).map((result) => result.todo ?? result.says);
    expect(check({}, client)).to.deep.equal(['no application has the profile']);
    expect(check(soundSettings, bank, client)).to.deep.equal([
      '1 application has the profile, and no setting violates it',
    ]);
    expect(check({ ...soundSettings, mtlsUrl: 'https://m.example' }, mtlsBank)[0]).to.match(/no setting violates it$/);
    const weakSettings = { pkceMethods: ['plain'], authorizationCodeLifetimeSeconds: 61 };
    const problems = check(weakSettings, mtlsBank);
    for (const [index, todo] of [/^set ISSUER/, /^add S256/, /60 or less/, /^set mtlsPort/].entries())
      expect(problems[index]).to.match(todo);
    expect(problems).to.have.length(4);
    expect(checkProfile(configFromSettings({}), null, [])).to.containSubset([{ ok: true }]);
  });

  it('reports the resource servers whose tokens the profile forbids, and the applications that get no tokens', () => {
    const client = (id: string, algorithm: string, profile: 'fapi2' | null = 'fapi2', format = 'opaque') => ({
      client_id: id,
      name: id.toUpperCase(),
      client_type: 'confidential' as const,
      redirect_uris: [],
      post_logout_redirect_uris: [],
      profile,
      access_token_format: format,
      access_token_algorithm: algorithm,
    });
    const resource = (host: string, format: string | null, algorithm: string | null) => ({
      uri: `https://${host}.example`,
      access_token_format: format,
      access_token_algorithm: algorithm,
    });
    const clients = [
      client('a', 'PS256'),
      client('b', 'RS256'),
      client('c', 'RS256', null),
      client('d', 'ES256', 'fapi2', 'jwt'),
    ];
    const check = (...resources: readonly ReturnType<typeof resource>[]) =>
      checkProfile(configFromSettings({ issuer: 'https://a.example' }), clients, resources).map(({ says, todo }) => [
        says.replace(/^.*refused to /, ''),
        todo?.replace(/, if .*/, '') ?? null,
      ]);
    expect(
      check(resource('any', null, null), resource('opaque', 'opaque', 'RS256'), resource('fine', 'jwt', 'EdDSA')),
    ).to.deep.equal([['3 applications have the profile, and no setting violates it', null]]);
    expect(
      check(resource('weak', 'jwt', 'RS256'), resource('own', 'jwt', null), resource('half', null, 'RS256')),
    ).to.deep.equal([
      ['a (A), b (B), d (D)', 'grantlog resource update https://weak.example --access-token-algorithm PS256'],
      ['b (B)', 'grantlog client update ID --access-token-algorithm PS256'],
      ['d (D)', 'grantlog resource update https://half.example --access-token-algorithm PS256'],
    ]);
  });

  it('reports an issuer that does not respond, or whose metadata names a different issuer', async () => {
    const running = await runningService({ isItsOwnIssuer: true });
    const signal = new AbortController().signal;
    const { result, date } = await checkIssuer(running.origin(), signal);
    expect([result.ok, typeof date]).to.deep.equal([true, 'number']);
    expect(
      (await checkIssuer(`${running.origin()}/elsewhere`, signal)).result.ok,
      'the metadata names another issuer',
    ).to.equal(false);
    await running.close();
    expect(await checkIssuer('http://127.0.0.1:1', signal))
      .to.deep.include({ date: null })
      .and.to.have.nested.property('result.ok', false);
  });

  const NOW = 1_800_000_000_000;
  const CLOCKS: readonly (readonly [string, number | null, number | null, boolean, string])[] = [
    ['agree within seconds', NOW - 4_000, NOW - 60_000, true, 'agrees with the issuer and the newest event'],
    ['have no reference', null, null, true, 'no reference clock'],
    ['went back since the newest event', NOW, NOW + 60_000, false, '60 seconds in the future'],
    ['are behind the issuer', NOW + 90_000, null, false, '90 seconds behind'],
    ['are ahead of the issuer', NOW - 90_000, NOW - 91_000, false, '90 seconds ahead of'],
  ];
  for (const [state, issuerDate, newestEvent, isOk, message] of CLOCKS) {
    it(`checks clocks that ${state}`, () => {
      const result = checkClock(NOW, issuerDate, newestEvent);
      expect([result.ok, result.ok || result.todo === null, result.says.includes(message)], result.says).to.deep.equal([
        isOk,
        isOk,
        true,
      ]);
    });
  }

  it('asks the server whether it is ready, and reports its reason if it is not', async () => {
    const signal = new AbortController().signal;
    const failedServer = new Koa().use((ctx) => {
      ctx.status = 503;
      ctx.body = { status: 'not ready', detail: 'the log failed' };
    });
    const results = await withServer(failedServer, (origin) =>
      checkReady({ host: '0.0.0.0', port: Number(new URL(origin).port) }, signal),
    );
    expect(results.map(({ ok, says }) => [ok, says.endsWith('responds with 503: the log failed')])).to.deep.equal([
      [false, true],
    ]);
    expect((await checkReady({ host: '127.0.0.1', port: 1 }, signal)).map(({ ok }) => ok)).to.deep.equal([false]);
    expect(await checkReady({ host: '127.0.0.1', port: 0 }, signal)).to.deep.equal([]);
  });

  it('reports metrics that anyone can read through a public address', async () => {
    const signal = new AbortController().signal;
    const checkMetricsOf = (app: Koa) =>
      withServer(app, (origin) => checkMetrics(`http://0.0.0.0:${new URL(origin).port}`, signal));
    const [publicMetrics, hiddenMetrics] = [
      await checkMetricsOf(new Koa().use((ctx) => void (ctx.body = 'up 1'))),
      await checkMetricsOf(new Koa()),
    ];
    expect(
      [publicMetrics, hiddenMetrics].map(([result]) => [result?.check, result?.ok, result?.todo === null]),
    ).to.deep.equal([
      ['metrics', false, false],
      ['metrics', true, true],
    ]);
    expect(
      await checkMetrics('http://localhost:1', signal),
      'users of this machine may read the metrics',
    ).to.deep.equal([]);
    expect(await checkMetrics(null, signal)).to.deep.equal([]);
    expect((await checkMetrics('http://0.0.0.0:1', signal)).map(({ ok }) => ok)).to.deep.equal([true]);
  });

  it('does not open a log that no server has open', async () => {
    expect(await newestEventTime({ dataDir })).to.equal(null);
  });

  it("reports exactly a running server's problems, when it is new and after each change", async function () {
    this.timeout(180_000);
    const port = await findFreePort();
    const data = join(dataDir, 'server-data');
    const server = await startServer(data, {
      env: {
        PORT: String(port),
        GRANTLOG_ADMIN_USERNAME: 'root',
        GRANTLOG_ADMIN_PASSWORD: 'correct horse battery',
      },
    });
    try {
      expect(
        (await runDoctor({ PORT: String(port), DATA_DIR: data })).problems,
        'no checkpoint of its log exists yet',
      ).to.deep.equal(['settings', 'checkpoints']);
      for await (const checkpoint of callControl(controlSocketPath(data), 'log checkpoint', {}))
        expect(checkpoint).to.be.an('object');
      const healthy = await runDoctor({ PORT: String(port), DATA_DIR: data });
      expect(healthy.problems, "the password is in the server's environment").to.deep.equal(['settings']);
      expect(healthy.results.map(({ check }) => check)).to.include.members([
        'node',
        'settings',
        'sample-api',
        'cookies',
        'modes',
        'disk',
        'checkpoints',
        'snapshots',
        'redirect-uris',
        'ready',
        'client secrets',
        'issuer',
        'clock',
      ]);
      expect(healthy.results.find(({ check }) => check === 'clock')?.says).to.equal(
        'agrees with the issuer and the newest event',
      );
      const otherIssuer = await runDoctor({ PORT: String(port), DATA_DIR: data, ISSUER: 'https://id.example.invalid' });
      expect(otherIssuer.problems, "the server's settings, not those of the command").to.deep.equal(['settings']);
      expect(otherIssuer.results.find(({ check }) => check === 'restart')?.says).to.include(
        'a restart would change issuer https://id.example.invalid',
      );
      const otherDirectory = await runDoctor({ PORT: String(port), DATA_DIR: dataDir });
      for (const check of ['ready', 'issuer'])
        expect(
          otherDirectory.results.find((result) => result.check === check)?.says,
          'another server responded',
        ).to.match(/, but no server is running on this data directory: a different one may have responded$/);
      const clockBehind = await runDoctor({ PORT: String(port), DATA_DIR: data }, -3_600_000);
      expect(clockBehind.problems).to.deep.equal(['settings', 'clock']);
      const rows: { client_id?: string }[] = [];
      const plainHttp = { name: 'plainHttpRedirectUris', value: 'true' };
      for (const [operation, input] of [
        ['setting set', plainHttp],
        ['client add', INTRANET_CLIENT],
        ['setting reset', { name: plainHttp.name }],
      ] as const)
        for await (const row of callControl(controlSocketPath(data), operation, input)) rows.push(row as object);
      const clientId = rows[1]?.client_id;
      const { problems, results } = await runDoctor({ PORT: String(port), DATA_DIR: data });
      expect(problems).to.deep.equal(['settings', 'redirect-uris']);
      const finding = results.find(({ check }) => check === 'redirect-uris');
      expect(finding?.says).to.equal(`${clientId} (Intranet): http://intranet.example/cb must use https; ${HTTP_RULE}`);
      expect(finding?.todo).to.match(
        /grantlog client update \S+ --redirect-uri URI, or change the plainHttpRedirectUris setting$/,
      );
      for await (const row of callControl(controlSocketPath(data), 'client remove', { clientId }))
        expect(row).to.be.an('object');
      chmodSync(join(data, 'keys'), 0o755);
      expect((await runDoctor({ PORT: String(port), DATA_DIR: data })).problems).to.deep.equal(['settings', 'modes']);
      chmodSync(join(data, 'keys'), 0o700);
      server.kill('SIGTERM');
      expect(await server.exitStatus).to.equal(0);
      const afterStop = await runDoctor({ PORT: String(port), DATA_DIR: data });
      expect(afterStop.problems).to.deep.equal(['ready', 'issuer']);
      expect(afterStop.results.find(({ check }) => check === 'redirect-uris')?.says).to.match(
        /^not checked: no server/,
      );
    } finally {
      await server.destroy();
    }
  });

  it('says where to find the set-up link of a server without an administrator', async () => {
    const running = await runningService();
    const control = await serveControl(controlSocketPath(dataDir), operate(running.service()));
    const readResult = async () =>
      (await checkServerState({ dataDir })).find(({ check }) => check === 'administrators')?.says;
    try {
      expect(await readResult()).to.equal(
        'none yet; create one with the set-up link, which the server prints when it starts',
      );
      const root = { username: 'root', password: 'correct horse battery', roles: ['administrator'] } as const;
      await running.service().accounts.register(root, { actor: { kind: 'operator' }, requestId: null });
      expect(await readResult()).to.match(/^1 of 1 without a second factor/);
    } finally {
      await control.close();
      await running.close();
    }
  });

  it('reports a disk with less than a gibibyte of free space, and says when requests are refused', () => {
    const [mebibyte, minFreeBytes] = [1_048_576, 67_108_864];
    expect(checkDisk(1024 * mebibyte, minFreeBytes)).to.include({ ok: true, says: '1 GiB free' });
    expect(checkDisk(1023 * mebibyte, minFreeBytes).todo).to.match(
      /below 64 MiB, requests that record events are refused/,
    );
    expect(checkDisk(63 * mebibyte, minFreeBytes).says).to.match(
      /^63 MiB free, less than minFreeDiskBytes: requests .* are refused/,
    );
    expect(checkDisk(1536 * mebibyte, 2048 * mebibyte).says).to.match(/^1536 MiB free, less than minFreeDiskBytes/);
  });

  it('reports a clock that is behind the log by more than five minutes', () => {
    const now = Date.UTC(2026, 0, 1);
    expect(findClockProblem(now + 300_000, now)).to.equal(undefined);
    const { says, todo } = findClockProblem(now + 300_001, now) ?? { says: '', todo: '' };
    expect(says).to.match(/the log has events recorded at 2026-01-01T00:05:00/);
    expect(todo).to.match(/correct it \(NTP\).*grantlog clock confirm/);
  });

  it('gives advice for each problem', () => {
    for (const { ok, todo } of [
      ...checkDirectory(configFromSettings({ dataDir: '/nowhere/at/all' })),
      ...checkSettings(configFromSettings({ requirePkce: 'none' })),
    ])
      expect(todo === null).to.equal(ok);
  });
});

const HTTP_RULE = 'http is allowed only for 127.0.0.1, [::1] and localhost';
const INTRANET_CLIENT = {
  name: 'Intranet',
  clientType: 'confidential',
  grantTypes: ['authorization-code'],
  redirectUris: ['http://intranet.example/cb', 'https://intranet.example/cb'],
  allowedOrigins: [],
  skipAuthorization: false,
  owner: null,
  credentials: null,
};

/** Runs `grantlog doctor`. Ignores findings about the disk and the limits of this machine. */
async function runDoctor(
  env: Readonly<Record<string, string>>,
  clockOffset = 0,
): Promise<{ readonly results: readonly CheckResult[]; readonly problems: readonly string[] }> {
  let out = '';
  const terminal = {
    signal: new AbortController().signal,
    out: async (text: string) => void (out += text),
    err: () => {},
    readInput: async () => '',
  };
  const neverCalled = (): never => {
    throw new Error('the doctor opens nothing');
  };
  const run = (...args: readonly string[]) =>
    runCommand(['doctor', ...args], {
      version: '1',
      terminal,
      readSettings: () => readConfig(env, () => '{}'),
      open: neverCalled,
      inspect: neverCalled,
      now: async () => systemClock.now() + clockOffset,
      ...withoutDatabase,
      ...withOperations,
      serve: neverCalled,
    });
  const status = await run('--json');
  const results = JSON.parse(out) as readonly CheckResult[];
  expect(status).to.equal(results.every(({ ok }) => ok) ? 0 : 1);
  return { results, problems: failedChecks(results.filter(({ check }) => check !== 'disk' && check !== 'open files')) };
}

describe('grantlog config --schema', () => {
  it('describes every setting, with its default when a configuration file is used', () => {
    const { properties } = settingsSchema() as {
      readonly properties: Readonly<Record<string, { readonly description: string; readonly default: unknown }>>;
    };
    expect(Object.keys(properties)).to.deep.equal([...SETTING_NAMES]);
    for (const name of SETTING_NAMES) {
      expect(properties[name]?.description).to.include(english.t(`setting.${name}`));
      expect(properties[name]?.default).to.deep.equal(effectiveDefault(name, 'file').value);
    }
  });
});
