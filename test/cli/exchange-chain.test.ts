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
  runGrantlog(dataDir, ['log', 'chain', ...args], input);

async function runGrantlog(dataDir: string, args: readonly string[], input = '') {
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
      const apiToken = await exchangeForToken(running, second, access, { actor });
      const toolToken = await exchangeForToken(running, third, apiToken, { scope: 'read' });
      return { access, refresh, apiToken, toolToken, web: first };
    }
    const runForJson = async (args: readonly string[], input = ''): Promise<Chain> => {
      const { status, out, err } = await runChain(dataDir, [...args, '--json'], input);
      expect({ status, err }).to.deep.equal({ status: 0, err: '' });
      return JSON.parse(out) as Chain;
    };

    it('draws the tree from the root for any of its tokens on standard input', async () => {
      const { access, refresh, apiToken, toolToken } = await exchangeTwice();
      for (const [token, markedText] of [
        [access, 'Web was granted'],
        [refresh, 'Web was granted'],
        [apiToken, 'Api exchanged'],
        [toolToken, 'Tool exchanged'],
      ]) {
        const { status, out, err } = await runChain(dataDir, ['-'], `${token}\n`);
        expect({ status, err: err.replace(/position \d+, \S+:/, '') }).to.deep.equal({
          status: 0,
          err: 'as of  2 exchanges\n',
        });
        const lines = out.trimEnd().split('\n');
        expect(lines.filter((line) => line.includes('* ')).join('')).to.include(markedText);
        expect(lines.map((line) => line.replace('* ', '').slice(0, 30))).to.satisfy((starts: readonly string[]) =>
          ['Web was granted', '└─ Api exchanged', '   └─ Tool exchanged'].every((start) =>
            starts.some((line) => line.startsWith(start)),
          ),
        );
        expect(out).to.include('acting for ada, with Api as the actor').and.not.include(token);
        expect(lines.filter((line) => line.includes('live, until'))).to.have.length(3);
      }
    });

    it('is complemented by log blast-radius, which lists and ends the blast radius of a token', async () => {
      const { access, toolToken } = await exchangeTwice();
      const listResult = await runGrantlog(dataDir, ['log', 'blast-radius', '--token', '-'], access);
      expect({ status: listResult.status, rows: listResult.out.trim().split('\n').length }).to.deep.equal({
        status: 0,
        rows: 4,
      });
      expect(listResult.err).to.include('3 grants with 3 tokens');
      expect(listResult.out).to.include('Web').and.include('ada').and.include('subject ').and.not.include(access);
      const position = String(running.log.head());
      for (const [args, message] of [
        [['--token', access], 'on standard input'],
        [['--token', '-', '--end'], 'Add --yes to confirm'],
      ] as const) {
        const refusal = await runGrantlog(dataDir, ['log', 'blast-radius', ...args], access);
        expect(refusal.status).not.to.equal(0);
        expect(refusal.err).to.include(message).and.not.include(access);
      }
      const endResult = await runGrantlog(
        dataDir,
        ['log', 'blast-radius', '--token', '-', '--end', '--yes', '--json'],
        access,
      );
      expect(endResult.status).to.equal(0);
      expect((JSON.parse(endResult.out) as { ended: readonly unknown[] }).ended).to.have.length(3);
      expect((await runForJson(['-'], toolToken)).tree.live).to.equal(false);
      const radius = ['blast-radius', '--token', '-', '--json'];
      const earlierResult = await runGrantlog(dataDir, ['log', ...radius, '--as-of', position], toolToken);
      expect((JSON.parse(earlierResult.out) as { affected: readonly unknown[] }).affected).to.have.length(1);
      const currentResult = await runGrantlog(dataDir, ['log', ...radius], toolToken);
      expect((JSON.parse(currentResult.out) as { affected: readonly unknown[] }).affected).to.deep.equal([]);
      const client = await runGrantlog(dataDir, ['log', 'blast-radius', '--client', web?.id ?? '', '--end', '--yes']);
      expect(client.status).to.equal(0);
      expect(client.err).to.include('the client secret was replaced');
      expect(client.out).to.match(/new client secret: \S{40,}/);
    });

    it('is complemented by log as-of, which shows each token with the login at the root of its chain', async () => {
      const { access, web: client } = await exchangeTwice();
      const position = String(running.log.head());
      await running.post('/o/revoke_token/', { token: access }, { authorization: client.basic });
      const listTokens = async (args: readonly string[]) => {
        const { out } = await runGrantlog(dataDir, ['log', 'as-of', ...args, '--user', 'ada', '--json']);
        const { held } = JSON.parse(out) as { held: readonly { kind: string; application: string; login: string }[] };
        return held.filter(({ kind }) => kind === 'token').map(({ application, login }) => `${application} ${login}`);
      };
      const tokens = ['Web password', 'Api password', 'Tool password'];
      expect(await listTokens(['--position', position])).to.have.members(tokens);
      expect(await listTokens([])).to.deep.equal([]);
    });

    it('is complemented by log prove --chain, whose proof the standalone verifier accepts', async () => {
      const { toolToken } = await exchangeTwice();
      const { grant } = await runForJson(['-'], toolToken);
      for (const [subject, input] of [
        [grant, ''],
        [`grant-${grant}`, ''],
        ['-', toolToken],
      ] as const) {
        const { status, out, err } = await runGrantlog(dataDir, ['log', 'prove', '--chain', subject], input);
        expect({ status, err }).to.deep.equal({ status: 0, err: '' });
        const file = join(dataDir, 'proof.json');
        writeFileSync(file, out);
        const key = running.service().attestation.verifierKey();
        const verifierOutput = execFileSync(process.execPath, [
          'scripts/verify-chain.mjs',
          file,
          '--key',
          key,
        ]).toString();
        expect(verifierOutput).to.include('verified: 2 exchanges').and.include(`hop 2: grant ${grant}`);
      }
      const unknownGrant = await runGrantlog(dataDir, ['log', 'prove', '--chain', 'x'.repeat(22)]);
      expect(unknownGrant).to.include({ status: 1, out: '' });
      expect(unknownGrant.err).to.include('the log contains no grant with the id');
    });

    it('shows the event that ended a grant and the grants below it, and the earlier state with --as-of', async () => {
      const { access, toolToken, web: client } = await exchangeTwice();
      const head = running.log.head();
      const time = new Date(running.clock.now()).toISOString();
      running.clock.advance(60);
      await running.post('/o/revoke_token/', { token: access }, { authorization: client.basic });
      const { tree, grant } = await runForJson(['-'], toolToken);
      const [apiNode] = tree.exchanges;
      const [toolNode] = apiNode?.exchanges ?? [];
      const end = {
        cause: 'revoked',
        position: head + 1,
        recorded_at: running.clock.now() / 1000,
        grant: tree.grant,
      };
      expect(tree.ended).to.deep.include({ ...end, of: 'own', says: 'Web gave up its access to the account of ada' });
      expect(apiNode?.ended).to.deep.include({
        ...end,
        of: 'above',
        says: 'The grant of Web above it ended: Web gave up its access to the account of ada',
      });
      expect(toolNode).to.include({
        grant,
        live: false,
        scope: 'read',
        mode: 'impersonation',
        user: 'ada',
        client: tool?.id,
      });
      expect(toolNode?.ended).to.deep.equal(apiNode?.ended);
      expect((await runChain(dataDir, [grant])).out).to.include(
        `ended: The grant of Web above it ended: Web gave up its access to the account of ada (event ${head + 1}, `,
      );
      for (const asOf of [String(head), time]) {
        const earlierTree = await runForJson([grant, '--as-of', asOf]);
        expect(earlierTree).to.include({ as_of: head, exchanges: 2, shown: 2 });
        expect(earlierTree.tree.exchanges[0]?.exchanges[0]).to.deep.include({ grant, live: true, ended: null });
      }
      const earlyResult = await runChain(dataDir, [grant, '--as-of', '3']);
      expect(earlyResult).to.include({ status: 1 });
      expect(earlyResult.err).to.include('at that time');
    });

    it('shows the event that disabled a client, which pauses its tokens and those exchanged for them', async () => {
      const { toolToken } = await exchangeTwice();
      const switchApi = async (command: 'disable' | 'enable') =>
        expect(await runGrantlog(dataDir, ['client', command, api?.id ?? expect.fail()])).to.include({ status: 0 });
      await switchApi('disable');
      const position = running.log.head();
      const pause = {
        says: 'The operator disabled the application Api',
        position,
        recorded_at: running.clock.now() / 1000,
      };
      const { tree } = await runForJson(['-'], toolToken);
      const [apiNode] = tree.exchanges;
      expect(tree).to.deep.include({ live: true, paused: null });
      expect(apiNode).to.deep.include({ live: false, ended: null, paused: { ...pause, of: 'own' } });
      expect(apiNode?.exchanges[0]).to.deep.include({ live: false, ended: null, paused: { ...pause, of: 'above' } });
      expect((await runChain(dataDir, ['-'], toolToken)).out).to.include(`paused: ${pause.says} (event ${position}, `);
      await switchApi('enable');
      expect((await runForJson(['-'], toolToken)).tree.exchanges[0]).to.deep.include({ live: true, paused: null });
    });

    it("is complemented by log blast-radius, which includes and ends a disabled client's tokens", async () => {
      const { apiToken, toolToken } = await exchangeTwice();
      const [client, id] = [api ?? expect.fail(), api?.id ?? expect.fail()];
      const clientToken = await ownToken(running, client);
      for (const args of [
        ['client', 'disable', id],
        ['log', 'blast-radius', '--client', id, '--end', '--yes'],
        ['client', 'enable', id],
      ])
        expect((await runGrantlog(dataDir, args)).status, args.join(' ')).to.equal(0);
      for (const token of [clientToken, apiToken, toolToken]) expect(await isAccepted(running, token)).to.equal(false);
    });

    it('shows the resource servers that each token of the root grant is restricted to', async () => {
      const { access } = await userTokens(running, web ?? expect.fail(), await running.addUser('ada'), {
        resource: API,
      });
      const { tree } = await runForJson(['-'], access);
      expect(tree).to.include({ resource: API, login: 'password', is: 'authorization', omitted: 0 });
      expect((await runChain(dataDir, [tree.grant])).out).to.include(`for ${API}`);
    });

    it('explains exchanges that are no longer in the projections', async () => {
      const { toolToken } = await exchangeTwice();
      running.clock.advance(10 * 86_400);
      await running.addUser('bob');
      const { tree } = await runForJson(['-'], toolToken);
      expect(running.service().projections.exchanges.find(tree.grant as never)).to.equal(undefined);
      expect(tree.exchanges[0]?.exchanges[0]?.ended).to.include({ cause: 'expired', position: null });
      expect((await runChain(dataDir, ['-'], toolToken)).out).to.match(/expired at 2026-\S+Z/);
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
        [['x'.repeat(22)], '', 'the log contains no grant with the id "xxxxxxxxxxxxxxxxxxxxxx"'],
        [['short'], '', 'a grant id has 22 characters'],
        [['-'], 'unknown', 'the log contains no event that issued this token or code'],
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
      .and.include('└─ * clientApi exchanged a token of clientWeb for one with read, acting for clientWeb');
  });
});
