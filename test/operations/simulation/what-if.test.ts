import { withOperations } from '../../support/with-operations.ts';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { operate } from '../../../src/operations/operations.ts';
import { runCommand } from '../../../src/cli/command-line.ts';
import { controlSocketPath } from '../../../src/cli/operation-target.ts';
import { readConfig, type Config } from '../../../src/config/config.ts';
import { serveControl } from '../../../src/operations/control/server.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';
import { openInspection } from '../../../src/composition/inspection.ts';
import { openService } from '../../../src/composition/open-service.ts';
import type { Service } from '../../../src/composition/service.ts';
import type { EventLog } from '../../../src/event-store/event-log.ts';
import type { RegistrationFields } from '../../../src/oauth/clients/registration-rules.ts';
import { SETTING_NAMES } from '../../../src/config/settings.ts';
import { SETTING_CLASSES } from '../../../src/operations/simulation/setting-classes.ts';
import type { Finding } from '../../../src/operations/simulation/findings.ts';
import { listCorpora, readEvents, readKeys, thaw } from '../../corpus/frozen.ts';
import { authorizePath } from '../../support/authorize-requests.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { quickHasher } from '../../support/quick-hasher.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { withoutDatabase } from '../../support/without-database.ts';

interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Invalid arguments for `--set` and their messages. */
const INVALID_ARGUMENTS: readonly (readonly [set: readonly string[], message: RegExp])[] = [
  [[], /specify what to change: --set NAME=VALUE, --acr, --max-age or --profile/],
  [['requirePkce'], /"requirePkce" must be NAME=VALUE/],
  [['requirePKCE=all'], /requirePKCE: unknown setting; did you mean requirePkce\?/],
  [['requirePkce=sometimes'], /requirePkce: must be one of all, public, none, not "sometimes"/],
  [['accessTokenLifetimeSeconds=10m'], /must be a whole number of seconds from 1/],
  [['pkceMethods=S256'], /must be a list of S256, plain or both/],
  [['requirePkce=all', 'requirePkce=none'], /requirePkce is given twice/],
  [['requirePkce=all', 'GRANTLOG_REQUIRE_PKCE=none'], /are the same setting; keep one/],
  [['adminPassword='], /adminPassword: must be a password/],
];

describe('log what-if', () => {
  let directory: string;
  let config: Config;
  const clock = manualClock();

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    config = readConfig({ DATA_DIR: join(directory, 'data') }, () => '').config;
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const openTestService = (): Promise<Service> =>
    openService(config, {
      clock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => 'http://localhost:8000',
    });

  async function run(...args: readonly string[]): Promise<CommandResult> {
    const output = { out: '', err: '' };
    const terminal = {
      signal: new AbortController().signal,
      out: async (text: string) => void (output.out += text),
      err: (text: string) => void (output.err += text),
      readInput: async () => '',
    };
    const readSettings = () => ({ config, file: null });
    const status = await runCommand(['log', 'what-if', ...args], {
      version: '1',
      terminal,
      readSettings,
      open: openTestService,
      inspect: (inspected) => openInspection(inspected, systemEntropy()),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
    });
    return { status, ...output };
  }

  /** Writes a log with an application that was authorized without PKCE and refreshed its token an hour later. */
  async function writeSampleLog(): Promise<string> {
    const service = await openTestService();
    const running = await runningService({ log: keepOpen(service.log), startsAt: clock.now() });
    try {
      const user = await running.addUser();
      const client = await running.addClient({ name: 'Harbour Calendar' });
      const code = await running.authorize(client, user);
      const { json } = await running.token(client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'https://app.example/callback',
      });
      running.clock.advance(3_600);
      await running.token(client, { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) });
      return client.id;
    } finally {
      await running.close();
      await service.close();
    }
  }

  const findingsWithoutPkce = (client: string): readonly object[] => [
    {
      client,
      application: 'Harbour Calendar',
      outcome: 'refused',
      rule: 'code-challenge-missing',
      difference: 'code_challenge is required (PKCE, RFC 7636)',
      advice: 'Enable PKCE in the client library. Keep the verifier for the token request.',
      count: 1,
      followed_by: 2,
      refreshed_late: 0,
      position: 4,
      time: '2026-01-01T00:00:00.000Z',
    },
  ];
  const findingsForShortLifetime = (client: string): readonly object[] => [
    {
      client,
      application: 'Harbour Calendar',
      outcome: 'answered otherwise',
      rule: 'access-token-lifetime',
      difference: 'the access token would have been valid for 600 s instead of 36000 s',
      advice: 'Request the next access token when expires_in seconds have elapsed.',
      count: 2,
      followed_by: 0,
      refreshed_late: 1,
      position: 6,
      time: '2026-01-01T00:00:00.000Z',
    },
  ];

  for (const source of ['on a stopped log', 'on a running server']) {
    it(`${source}, lists the applications that would have been affected, with the effects`, async () => {
      const client = await writeSampleLog();
      const service = source === 'on a running server' ? await openTestService() : undefined;
      const control = service && (await serveControl(controlSocketPath(config.dataDir), operate(service)));
      try {
        const pkce = await run('--set', 'requirePkce=true', '--json');
        expect(pkce.err).to.equal('grantlog: applications refused: 1; applications with different responses: 0\n');
        expect(pkce.status).to.equal(1);
        expect(JSON.parse(pkce.out)).to.deep.equal({
          from: 1,
          to: 10,
          requests: 4,
          unknown_logins: 0,
          unknown_authentications: 0,
          changed: { requirePkce: 'all' },
          cannot_be_judged: [],
          without_influence: [],
          findings: findingsWithoutPkce(client),
          registrations: [],
        });
        expect(
          (JSON.parse((await run('--set', 'accessTokenLifetimeSeconds=600', '--json')).out) as { findings: unknown })
            .findings,
        ).to.deep.equal(findingsForShortLifetime(client));
        expect((await run('--acr', 'phr', '--max-age', '3600')).out).to.match(
          /^answered differently +Harbour Calendar .* login-class +the user would have had to log in with a passkey; /m,
        );
        expect(await run('--acr', 'pwd')).to.include({ status: 0, out: '' });
        const { out, err } = await run('--set', 'accessTokenLifetimeSeconds=600');
        expect(out).to.match(/^OUTCOME .*REFRESHED LATE[^]*^answered differently +Harbour Calendar /m);
        expect(out).to.match(/^RULE +ADVICE\naccess-token-lifetime +Request the next access token /m);
        expect(err).to.match(/^4 successful requests at positions 1 to 10$/m);
        expect(await run('--set', 'requirePkce=public')).to.deep.equal({
          status: 0,
          out: '',
          err: '4 successful requests at positions 1 to 10\nno request would have had a different outcome\n',
        });
      } finally {
        await control?.close();
        await service?.close();
      }
    });
  }

  it('reports settings whose effect it cannot predict, with status 1, and settings that have no effect', async () => {
    await writeSampleLog();
    const unsupported = await run('--set', 'introspectionOwnTokensOnly=true', '--set', 'logLevel=warn');
    expect(unsupported.err).to.match(
      /^the effect of introspectionOwnTokensOnly cannot be predicted: introspection is not recorded$/m,
    );
    expect(unsupported.err).to.match(/^logLevel does not affect responses: /m);
    expect(unsupported.err).to.match(
      /^grantlog: effect cannot be predicted from the log: introspectionOwnTokensOnly$/m,
    );
    expect(unsupported.status).to.equal(1);
    expect((await run('--set', 'logLevel=warn')).status).to.equal(0);
  });

  it('reports that nothing was recorded in an empty period', async () => {
    await writeSampleLog();
    const window = ['--since', '2100-01-01', '--until', '2100-01-02'];
    expect(await run('--set', 'requirePkce=all', ...window)).to.deep.equal({
      status: 0,
      out: '',
      err: 'nothing was recorded in this period\n',
    });
    expect(JSON.parse((await run('--set', 'requirePkce=all', '--json', ...window)).out)).to.include({
      from: null,
      to: null,
      requests: 0,
    });
    expect((await run('--set', 'requirePkce=all', '--since', '2100-01-02', '--until', '2100-01-01')).err).to.match(
      /--since must be before --until/,
    );
  });

  for (const [set, message] of INVALID_ARGUMENTS) {
    const title = set.length === 0 ? 'a command that changes nothing' : `--set ${set.join(' --set ')}`;
    it(`refuses ${title}, and says why`, async () => {
      const { status, out, err } = await run(...set.flatMap((text) => ['--set', text]));
      expect({ status, out }).to.deep.equal({ status: 2, out: '' });
      expect(err).to.match(message);
    });
  }
});

/** Makes `close` do nothing, so that a second service can still use the log. */
function keepOpen(log: EventLog): EventLog {
  return { ...log, onAppended: (listener) => log.onAppended(listener), close: async () => {} };
}

describe("a setting's class", () => {
  it('is simulated, without effect or unknown, with a reason', () => {
    expect(Object.keys(SETTING_CLASSES)).to.have.members(SETTING_NAMES);
    for (const { kind, reason } of Object.values(SETTING_CLASSES)) {
      expect(['simulated', 'no-effect', 'unknown']).to.include(kind);
      expect(reason).to.not.equal('');
    }
  });
});

describe('what-if on a frozen log', () => {
  for (const directory of listCorpora()) {
    it(`predicts no difference in ${basename(directory)} if the settings allow everything`, async () => {
      const running = await thaw(readEvents(directory), readKeys(directory));
      const set = {
        requirePkce: 'none',
        pkceMethods: '["S256","plain"]',
        authorizationCodeLifetimeSeconds: '3600',
        refreshTokenLifetimeSeconds: 'null',
        plainHttpRedirectUris: 'true',
      };
      try {
        const { findings, requests } = await runWhatIf(running, set);
        expect(findings).to.deep.equal([]);
        expect(requests).to.be.above(5);
      } finally {
        await running.close();
      }
    });
  }
});

describe('what-if for a period', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({
      settings: {
        approvalPrompt: 'auto',
        refreshTokenLifetimeSeconds: 86_400,
        plainHttpRedirectUris: true,
        resources: ['https://api.example'],
      },
    });
  });
  afterEach(() => running.close());

  it('starts from the state before the period, so that earlier codes and tokens keep their lifetimes', async () => {
    const user = await running.addUser();
    const client = await running.addClient({ redirectUris: ['http://app.example/callback'] });
    const redirect = { redirect_uri: 'http://app.example/callback' };
    const code = await running.authorize(client, user, redirect);
    running.clock.advance(50);
    const since = running.clock.now();
    const { json } = await running.token(client, { grant_type: 'authorization_code', code, ...redirect });
    running.clock.advance(5_000);
    const refreshResponse = await running.token(client, {
      grant_type: 'refresh_token',
      refresh_token: String(json?.['refresh_token']),
    });
    const set = { authorizationCodeLifetimeSeconds: '10', refreshTokenLifetimeSeconds: '5001' };
    expect((await runWhatIf(running, set, since)).findings).to.deep.equal([]);
    running.clock.advance(5_001);
    expect(
      (
        await running.token(client, {
          grant_type: 'refresh_token',
          refresh_token: String(refreshResponse.json?.['refresh_token']),
        })
      ).status,
    ).to.equal(200);
    expect((await runWhatIf(running, set, since)).findings).to.containSubset([
      {
        rule: 'refresh-token-expired',
        count: 1,
        difference: 'the refresh token would have expired 0 s before it was used',
      },
    ]);
    expect(
      (await runWhatIf(running, { ...set, plainHttpRedirectUris: 'false' })).findings.map(
        ({ rule, followed_by: followed }) => [rule, followed],
      ),
    ).to.deep.equal([['redirect-uri-not-allowed', 4]]);
  });

  describe('predicts the responses of a server restarted with the changed settings', () => {
    const PLAIN_HTTP_URI = 'http://app.example/callback';

    async function updateClient({ id }: TestClient, changes: Partial<RegistrationFields>): Promise<boolean> {
      const { registration, projections } = running.service();
      const client = projections.clients.find(id) ?? expect.fail('no client');
      const context = { actor: { kind: 'operator' }, requestId: null } as const;
      return (await registration.update(client.clientId, { ...client, ...changes }, context)) === undefined;
    }

    /**
     * Returns the rules that a redemption is predicted to violate, and whether a server restarted with the settings
     * refuses a similar redemption.
     */
    async function compareWithServer(
      changedSettings: Readonly<Record<string, unknown>>,
      parameters: Readonly<Record<string, string>>,
    ): Promise<{ readonly rules: readonly string[]; readonly refused: boolean }> {
      const user = await running.addUser();
      const client = await running.addClient({ redirectUris: [PLAIN_HTTP_URI] });
      const [code, secondCode] = [
        await running.authorize(client, user, { redirect_uri: PLAIN_HTTP_URI, ...parameters }),
        await running.authorize(client, user, { redirect_uri: PLAIN_HTTP_URI, ...parameters }),
      ];
      const redeem = (value: string) =>
        running.token(client, { grant_type: 'authorization_code', code: value, redirect_uri: PLAIN_HTTP_URI });
      running.clock.advance(5);
      const since = running.clock.now();
      expect((await redeem(code)).status).to.equal(200);
      const set = Object.fromEntries(
        Object.entries(changedSettings).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      );
      const { findings } = await runWhatIf(running, set, since);
      await running.restart(changedSettings);
      return {
        rules: findings.filter(({ outcome }) => outcome === 'refused').map(({ rule }) => rule),
        refused: (await redeem(secondCode)).status === 400,
      };
    }

    it('to earlier codes that violate a rule for redirect URIs, PKCE or resource servers', async () => {
      expect(await compareWithServer({ plainHttpRedirectUris: false }, {})).to.deep.equal({
        rules: ['redirect-uri-not-allowed'],
        refused: true,
      });
      await running.restart();
      expect(await compareWithServer({ requirePkce: 'all' }, {})).to.deep.equal({
        rules: ['code-challenge-missing'],
        refused: true,
      });
      await running.restart();
      expect(
        await compareWithServer({ resources: ['https://other.example'] }, { resource: 'https://api.example' }),
      ).to.deep.equal({ rules: ['resource-unknown'], refused: true });
      await running.restart();
      expect(
        await compareWithServer({ resources: ['https://api.example'] }, { resource: 'https://api.example' }),
      ).to.deep.equal({
        rules: [],
        refused: false,
      });
    });

    it('to authorization requests for a redirect URI registered earlier, and to updates that keep it', async () => {
      const user = await running.addUser();
      const client = await running.addClient({ redirectUris: [PLAIN_HTTP_URI] });
      running.clock.advance(5);
      const since = running.clock.now();
      const update = (redirectUris: readonly string[]): Promise<boolean> => updateClient(client, { redirectUris });
      await running.authorize(client, user, { redirect_uri: PLAIN_HTTP_URI });
      const headBeforeUpdates = running.log.head();
      for (const uris of [[PLAIN_HTTP_URI], [PLAIN_HTTP_URI, 'http://app.example/new']])
        expect(await update(uris)).to.equal(true);
      const { findings } = await runWhatIf(running, { plainHttpRedirectUris: 'false' }, since);
      expect(
        findings.map(({ rule, count }) => [rule, count]),
        'the authorization, and the update that adds a redirect URI',
      ).to.deep.equal([['redirect-uri-not-allowed', 2]]);
      expect(findings[0]?.position).to.be.at.most(headBeforeUpdates);
      expect(await update([PLAIN_HTTP_URI])).to.equal(true);
      await running.restart({ plainHttpRedirectUris: false });
      expect([await update([PLAIN_HTTP_URI]), await update([PLAIN_HTTP_URI, 'http://app.example/new'])]).to.deep.equal([
        true,
        false,
      ]);
      const browser = running.browser();
      await browser.logIn(user.username, user.password);
      const query = new URLSearchParams({ response_type: 'code', client_id: client.id, redirect_uri: PLAIN_HTTP_URI });
      expect((await browser.get(`/o/authorize/?${query.toString()}`)).status).to.equal(400);
    });

    it('to updates that add a post-logout or back-channel logout URI, and to updates that keep one', async () => {
      const keptUris = { postLogoutRedirectUris: ['http://app.example/'] };
      const client = await running.addClient({ openid: keptUris });
      const updates = [
        { ...keptUris, requireAuthTime: true },
        { postLogoutRedirectUris: [...keptUris.postLogoutRedirectUris, 'http://app.example/new'] },
        { ...keptUris, backchannelLogoutUri: 'http://app.example/logout' },
      ];
      running.clock.advance(5);
      const since = running.clock.now();
      for (const openid of updates) expect(await updateClient(client, { openid })).to.equal(true);
      const { findings } = await runWhatIf(running, { plainHttpRedirectUris: 'false' }, since);
      expect(findings.map(({ rule, count }) => [rule, count])).to.deep.equal([['redirect-uri-not-allowed', 2]]);
    });
  });

  it('reports consents that would have expired before the request', async () => {
    const user = await running.addUser();
    const client = await running.addClient();
    const code = await running.authorize(client, user);
    await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
    });
    running.clock.advance(40_000);
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const { status } = await browser.get(authorizePath(client));
    expect(status).to.equal(302); // without a consent page
    expect(
      (await runWhatIf(running, { refreshTokenLifetimeSeconds: '40000' })).findings.map(({ rule, outcome }) => [
        rule,
        outcome,
      ]),
    ).to.deep.equal([['consent-required', 'answered otherwise']]);
    expect((await runWhatIf(running, { refreshTokenLifetimeSeconds: '40001' })).findings).to.deep.equal([]);
  });

  it('reports requests for a redirect URI that would have been refused, and requests that depend on them', async () => {
    const user = await running.addUser();
    const client = await running.addClient();
    const registeredClient = running.service().projections.clients.find(client.id) ?? expect.fail('no client');
    await running
      .service()
      .registration.update(
        registeredClient.clientId,
        { ...registeredClient, redirectUris: ['http://app.example/new'] },
        { actor: { kind: 'operator' }, requestId: null },
      );
    await running.authorize(client, user, { redirect_uri: 'http://app.example/new' });
    const { findings } = await runWhatIf(running, { plainHttpRedirectUris: 'false' });
    expect(findings.map(({ rule, count, followed_by: followed }) => [rule, count, followed])).to.deep.equal([
      ['redirect-uri-not-allowed', 1, 1],
    ]);
  });
});

async function runWhatIf(
  running: RunningService,
  set: object,
  since?: number,
): Promise<{ readonly findings: readonly Finding[]; readonly requests: number }> {
  const items: object[] = [];
  for await (const item of operate(running.service())('log what-if', { set, since }, new AbortController().signal))
    items.push(item as object);
  const summary = items.find((item) => 'requests' in item) as { readonly requests: number };
  return { requests: summary.requests, findings: items.filter((item): item is Finding => 'rule' in item) };
}
