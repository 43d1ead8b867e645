import { withOperations } from '../support/with-operations.ts';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { grantStream } from '../../src/domain/streams.ts';
import { serveControl, type ControlServer } from '../../src/operations/control/server.ts';
import type { Chain } from '../../src/operations/exchange-chain.ts';
import { operate } from '../../src/operations/operations.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { clientId, grantId, hashOf, seconds } from '../support/domain-values.ts';
import { exchangeToken, SUBJECT } from '../support/exchanges.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import { allowExchange, exchangeForToken, ownToken, userTokens } from '../support/token-exchange.ts';
import { withoutDatabase } from '../support/without-database.ts';

const open = (config: Config) =>
  openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: quickHasher,
    issuer: () => 'http://localhost:8000',
  });

const API = 'https://api.example/';

/** Runs `grantlog log chain` with `input` on standard input. */
const runChain = (dataDir: string, args: readonly string[], input = '') =>
  grantlog(dataDir, ['log', 'chain', ...args], input);

async function grantlog(dataDir: string, args: readonly string[], input = '') {
  const output = { out: '', err: '' };
  const status = await runCommand(args, {
    version: '1.2.3',
    open,
    inspect: (config) => openInspection(config, systemEntropy()),
    now: async () => 0,
    ...withoutDatabase,
    ...withOperations,
    serve: async () => 0,
    readSettings: () => readConfig({ DATA_DIR: dataDir }, () => '{}'),
    terminal: {
      signal: new AbortController().signal,
      out: async (text) => void (output.out += text),
      err: (text) => void (output.err += text),
      readInput: async () => input,
    },
  });
  return { status, ...output };
}

describe('grantlog log chain', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  describe('on a running server', () => {
    let running: RunningService;
    let control: ControlServer;
    let [web, api, tool]: readonly TestClient[] = [];

    beforeEach(async () => {
      running = await runningService({ settings: { resources: [API] } });
      control = await serveControl(controlSocketPath(dataDir), operate(running.service()));
      const grantTypes = ['password', 'client-credentials', 'token-exchange'] as const;
      web = await running.addClient({ name: 'Web', grantTypes });
      api = await running.addClient({ name: 'Api', grantTypes });
      tool = await running.addClient({ name: 'Tool', grantTypes });
      await allowExchange(running, api, web);
      await allowExchange(running, tool, api);
    });
    afterEach(async () => {
      await control.close();
      await running.close();
    });

    /** Ada authorizes Web. Api exchanges Web's token with its own as the actor token, and Tool exchanges the result. */
    async function exchangeTwice() {
      const [first, second, third] = [web, api, tool];
      if (first === undefined || second === undefined || third === undefined) return expect.fail('no clients');
      const { access, refresh } = await userTokens(running, first, await running.addUser('ada'), {
        scope: 'read write',
      });
      const actor = await ownToken(running, second, { scope: 'read write' });
      const one = await exchangeForToken(running, second, access, { actor });
      const two = await exchangeForToken(running, third, one, { scope: 'read' });
      return { access, refresh, one, two, web: first };
    }
    const jsonOf = async (args: readonly string[], input = ''): Promise<Chain> => {
      const { status, out, err } = await runChain(dataDir, [...args, '--json'], input);
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
      return JSON.parse(out) as Chain;
    };

    it('draws the tree from the root for each of its tokens on standard input', async () => {
      const { access, refresh, one, two } = await exchangeTwice();
      for (const [token, marked] of [
        [access, 'Web was granted'],
        [refresh, 'Web was granted'],
        [one, 'Api exchanged'],
        [two, 'Tool exchanged'],
      ]) {
        const { status, out, err } = await runChain(dataDir, ['-'], `${token}\n`);
        expect({ status, err: err.replace(/position \d+, \S+:/, '') }).to.deep.equal({
          status: 0,
          err: 'as of  2 exchanges\n',
        });
        const lines = out.trimEnd().split('\n');
        expect(lines.filter((line) => line.includes('* ')).join('')).to.include(marked);
        expect(lines.map((line) => line.replace('* ', '').slice(0, 30))).to.satisfy((starts: readonly string[]) =>
          ['Web was granted', '└─ Api exchanged', '   └─ Tool exchanged'].every((start) =>
            starts.some((line) => line.startsWith(start)),
          ),
        );
        expect(out).to.include('on behalf of ada, with Api as the actor').and.not.include(token);
        expect(lines.filter((line) => line.includes('live, until'))).to.have.length(3);
      }
    });

    it('is complemented by log blast-radius, which lists and ends the blast radius of a token', async () => {
      const { access, two } = await exchangeTwice();
      const listed = await grantlog(dataDir, ['log', 'blast-radius', '--token', '-'], access);
      expect({ status: listed.status, rows: listed.out.trim().split('\n').length }).to.deep.equal({
        status: 0,
        rows: 4,
      });
      expect(listed.err).to.include('3 grants with 3 tokens');
      expect(listed.out).to.include('Web').and.include('ada').and.include('subject ').and.not.include(access);
      const position = String(running.log.head());
      for (const [args, message] of [
        [['--token', access], 'on standard input'],
        [['--token', '-', '--end'], 'Add --yes to confirm'],
      ] as const) {
        const refused = await grantlog(dataDir, ['log', 'blast-radius', ...args], access);
        expect(refused.status).not.to.equal(0);
        expect(refused.err).to.include(message).and.not.include(access);
      }
      const ended = await grantlog(
        dataDir,
        ['log', 'blast-radius', '--token', '-', '--end', '--yes', '--json'],
        access,
      );
      expect(ended.status).to.equal(0);
      expect((JSON.parse(ended.out) as { ended: readonly unknown[] }).ended).to.have.length(3);
      expect((await jsonOf(['-'], two)).tree.live).to.equal(false);
      const radius = ['blast-radius', '--token', '-', '--json'];
      const earlier = await grantlog(dataDir, ['log', ...radius, '--as-of', position], two);
      expect((JSON.parse(earlier.out) as { affected: readonly unknown[] }).affected).to.have.length(1);
      const now = await grantlog(dataDir, ['log', ...radius], two);
      expect((JSON.parse(now.out) as { affected: readonly unknown[] }).affected).to.deep.equal([]);
      const client = await grantlog(dataDir, ['log', 'blast-radius', '--client', web?.id ?? '', '--end', '--yes']);
      expect(client.status).to.equal(0);
      expect(client.err).to.include('the client secret was replaced');
      expect(client.out).to.match(/new client secret: \S{40,}/);
    });

    it('is complemented by log as-of, which shows each token with the login at the root of its chain', async () => {
      const { access, web: client } = await exchangeTwice();
      const position = String(running.log.head());
      await running.post('/o/revoke_token/', { token: access }, { authorization: client.basic });
      const tokensAt = async (args: readonly string[]) => {
        const { out } = await grantlog(dataDir, ['log', 'as-of', ...args, '--user', 'ada', '--json']);
        const { held } = JSON.parse(out) as { held: readonly { kind: string; application: string; login: string }[] };
        return held.filter(({ kind }) => kind === 'token').map(({ application, login }) => `${application} ${login}`);
      };
      const tokens = ['Web password', 'Api password', 'Tool password'];
      expect(await tokensAt(['--position', position])).to.have.members(tokens);
      expect(await tokensAt([])).to.deep.equal([]);
    });

    it('is complemented by log prove --chain, whose proof the standalone verifier accepts', async () => {
      const { two } = await exchangeTwice();
      const { grant } = await jsonOf(['-'], two);
      for (const [subject, input] of [
        [grant, ''],
        [`grant-${grant}`, ''],
        ['-', two],
      ] as const) {
        const { status, out, err } = await grantlog(dataDir, ['log', 'prove', '--chain', subject], input);
        expect({ status, err }).to.deep.equal({ status: 0, err: '' });
        const file = join(dataDir, 'proof.json');
        writeFileSync(file, out);
        const key = running.service().attestation.verifierKey();
        const verified = execFileSync(process.execPath, ['scripts/verify-chain.mjs', file, '--key', key]).toString();
        expect(verified).to.include('verified: 2 exchanges').and.include(`hop 2: grant ${grant}`);
      }
      const unknown = await grantlog(dataDir, ['log', 'prove', '--chain', 'x'.repeat(22)]);
      expect(unknown).to.include({ status: 1, out: '' });
      expect(unknown.err).to.include('there is no grant with the id');
    });

    it('shows the event that ended a grant and those below it, and the earlier state with --as-of', async () => {
      const { access, two, web: client } = await exchangeTwice();
      const before = running.log.head();
      const time = new Date(running.clock.now()).toISOString();
      running.clock.advance(60);
      await running.post('/o/revoke_token/', { token: access }, { authorization: client.basic });
      const { tree, grant } = await jsonOf(['-'], two);
      const [one] = tree.exchanges;
      const [deep] = one?.exchanges ?? [];
      const end = {
        cause: 'revoked',
        position: before + 1,
        recorded_at: running.clock.now() / 1000,
        grant: tree.grant,
      };
      expect(tree.ended).to.deep.include({ ...end, of: 'own', says: 'Web gave up its access to the account of ada' });
      expect(one?.ended).to.deep.include({
        ...end,
        of: 'above',
        says: 'With the grant of Web above it: Web gave up its access to the account of ada',
      });
      expect(deep).to.include({
        grant,
        live: false,
        scope: 'read',
        mode: 'impersonation',
        user: 'ada',
        client: tool?.id,
      });
      expect(deep?.ended).to.deep.equal(one?.ended);
      expect((await runChain(dataDir, [grant])).out).to.include(
        `ended: With the grant of Web above it: Web gave up its access to the account of ada (event ${before + 1}, `,
      );
      for (const asOf of [String(before), time]) {
        const earlier = await jsonOf([grant, '--as-of', asOf]);
        expect(earlier).to.include({ as_of: before, exchanges: 2, shown: 2 });
        expect(earlier.tree.exchanges[0]?.exchanges[0]).to.deep.include({ grant, live: true, ended: null });
      }
      const tooEarly = await runChain(dataDir, [grant, '--as-of', '3']);
      expect(tooEarly).to.include({ status: 1 });
      expect(tooEarly.err).to.include('at that moment');
    });

    it('shows the event that disabled a client, which pauses its tokens and those exchanged for them', async () => {
      const { two } = await exchangeTwice();
      const switchApi = async (to: 'disable' | 'enable') =>
        expect(await grantlog(dataDir, ['client', to, api?.id ?? expect.fail()])).to.include({ status: 0 });
      await switchApi('disable');
      const position = running.log.head();
      const paused = {
        says: 'The operator disabled the application Api',
        position,
        recorded_at: running.clock.now() / 1000,
      };
      const { tree } = await jsonOf(['-'], two);
      const [one] = tree.exchanges;
      expect(tree).to.deep.include({ live: true, paused: null });
      expect(one).to.deep.include({ live: false, ended: null, paused: { ...paused, of: 'own' } });
      expect(one?.exchanges[0]).to.deep.include({ live: false, ended: null, paused: { ...paused, of: 'above' } });
      expect((await runChain(dataDir, ['-'], two)).out).to.include(`paused: ${paused.says} (event ${position}, `);
      await switchApi('enable');
      expect((await jsonOf(['-'], two)).tree.exchanges[0]).to.deep.include({ live: true, paused: null });
    });

    it('includes tokens of a disabled client in its blast radius, and ends them', async () => {
      const { one, two } = await exchangeTwice();
      const [client, id] = [api ?? expect.fail(), api?.id ?? expect.fail()];
      const clientToken = await ownToken(running, client);
      for (const args of [
        ['client', 'disable', id],
        ['log', 'blast-radius', '--client', id, '--end', '--yes'],
        ['client', 'enable', id],
      ])
        expect((await grantlog(dataDir, args)).status, args.join(' ')).to.equal(0);
      for (const token of [clientToken, one, two]) expect(await isAccepted(running, token)).to.equal(false);
    });

    it('shows the resource servers to which each token of the root grant is limited', async () => {
      const { access } = await userTokens(running, web ?? expect.fail(), await running.addUser('ada'), {
        resource: API,
      });
      const { tree } = await jsonOf(['-'], access);
      expect(tree).to.include({ resource: API, login: 'password', is: 'authorization', omitted: 0 });
      expect((await runChain(dataDir, [tree.grant])).out).to.include(`for ${API}`);
    });

    it('explains exchanges that the projections have forgotten', async () => {
      const { two } = await exchangeTwice();
      running.clock.advance(10 * 86_400);
      await running.addUser('bob');
      const { tree } = await jsonOf(['-'], two);
      expect(running.service().projections.exchanges.find(tree.grant as never)).to.equal(undefined);
      expect(tree.exchanges[0]?.exchanges[0]?.ended).to.include({ cause: 'expired', position: null });
      expect((await runChain(dataDir, ['-'], two)).out).to.match(/expired at 2026-\S+Z/);
    });

    it('draws the newest exchanges, and counts the others', async () => {
      const { access } = await exchangeTwice();
      for (let times = 0; times < 4; times += 1) await exchangeForToken(running, api ?? expect.fail(), access);
      const { out, err } = await runChain(dataDir, ['-', '--limit', '2'], access);
      expect(out).to.include('├─ (3 other exchanges are not shown)');
      expect(out.match(/Api exchanged/g)).to.have.length(2);
      expect(err).to.include('6 exchanges, of which 2 are shown; see --limit');
    });

    it('refuses unknown grants, tokens and positions', async () => {
      await exchangeTwice();
      for (const [args, input, problem] of [
        [['x'.repeat(22)], '', 'there is no grant with the id "xxxxxxxxxxxxxxxxxxxxxx" in the log'],
        [['short'], '', 'a grant id has 22 characters'],
        [['-'], 'unknown', 'no event issued this token or code'],
        [['x'.repeat(22), '--as-of', '100000'], '', 'position 100000 does not exist'],
      ] as const) {
        const { status, out, err } = await runChain(dataDir, args, input);
        expect({ status, out }).to.deep.equal({ status: 1, out: '' });
        expect(err).to.include(problem);
      }
      expect(await runChain(dataDir, ['-'], ' \n')).to.include({ status: 2, out: '' });
      expect(await runChain(dataDir, ['x', '--as-of', 'yesterday'])).to.include({ status: 2, out: '' });
      expect((await runChain(dataDir, ['--help'])).out).to.include('requested grant is marked with *');
    });
  });

  it('draws the tree from a stopped data directory', async () => {
    const [root, now] = [grantId('root'), Math.floor(systemClock.now() / 1000)];
    const service = await open(readConfig({ DATA_DIR: dataDir }, () => '{}').config);
    const context = { actor: { kind: 'operator' }, requestId: null } as const;
    const tokens = { now: seconds(now), accessExpiresAt: seconds(now + 100), previousSecretUsed: false };
    const client = {
      grantId: root,
      clientId: clientId('Web'),
      scope: ['read'],
      resource: [],
      accessHash: hashOf('subject'),
    };
    await service.grantCommands.execute(grantStream(root), { type: 'GrantToClient', ...client, ...tokens }, context);
    const subject = { ...SUBJECT, userId: null, scope: ['read'], expiresAt: seconds(now + 100) };
    await service.grantCommands.execute(
      grantStream(grantId('exchange')),
      exchangeToken({ ...tokens, subject }),
      context,
    );
    await service.close();
    const { status, out } = await runChain(dataDir, [`grant-${grantId('exchange')}`]);
    expect(status).to.equal(0);
    expect(out)
      .to.include('clientWeb was issued an access token for read, acting on its own behalf')
      .and.include('└─ * clientApi exchanged a token of clientWeb for one for read, on behalf of clientWeb');
  });
});
