import { withOperations } from '../../support/with-operations.ts';
import { expect } from 'chai';
import { keyDirectory } from '../../../src/platform/keys/key-directory.ts';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operate } from '../../../src/operations/operations.ts';
import { runCommand } from '../../../src/cli/command-line.ts';
import { controlSocketPath } from '../../../src/cli/operation-target.ts';
import { readConfig } from '../../../src/config/config.ts';
import { serveControl } from '../../../src/operations/control/server.ts';
import { isNeverReused } from '../../../src/domain/streams.ts';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import { openInspection } from '../../../src/composition/inspection.ts';
import { openService } from '../../../src/composition/open-service.ts';
import type { Service } from '../../../src/composition/service.ts';
import { PERSONAL_KEYS } from '../../../src/platform/keys/personal-keys.ts';
import { archiveAll, requireArchive } from '../../support/archiving.ts';
import { readDocument } from '../../support/documents.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { quickHasher } from '../../support/quick-hasher.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { withoutDatabase } from '../../support/without-database.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('with an archived log', function () {
  this.timeout(180_000);
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-archive-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  describe('the server', () => {
    let running: RunningService;
    let client: TestClient;
    let startCount = 0;

    /** Archives all events before a new event, and restarts the service with the same data but empty caches. */
    async function archiveAndRestart(): Promise<void> {
      await running.addUser(`later${startCount}`);
      const { events } = await archiveAll(running.log);
      expect(events).to.be.above(0);
      await running.close();
      await start(running.clock.now());
    }

    async function start(startsAt?: number): Promise<void> {
      startCount += 1;
      const keys = join(dataDir, 'keys');
      running = await runningService({
        log: await openLevelLog({
          location: join(dataDir, 'log'),
          archiving: { directory: join(dataDir, 'archive'), isNeverReused },
        }),
        keys: await keyDirectory(keys).open(seededEntropy('keys'), {
          isNew: startsAt === undefined,
          mayPredateLogKey: false,
        }),
        personalKeys: await keyDirectory(keys).keyring(PERSONAL_KEYS),
        seed: startCount,
        ...(startsAt !== undefined && { startsAt }),
      });
    }

    const refresh = (token: unknown) =>
      running.token(client, { grant_type: 'refresh_token', refresh_token: String(token) });
    const isActive = async (token: unknown) =>
      (await running.post('/o/introspect/', { token: String(token) }, { authorization: client.basic })).json?.[
        'active'
      ];

    beforeEach(async () => {
      await start();
      client = await running.addClient();
    });
    afterEach(() => running.close());

    it("refreshes an archived grant's token, and revokes the grant if a token is reused", async () => {
      const user = await running.addUser();
      const first = (await running.token(client, { grant_type: 'password', ...user })).json ?? {};
      await archiveAndRestart();
      const second = await refresh(first['refresh_token']);
      expect(second.status).to.equal(200);
      expect((await refresh(first['refresh_token'])).json).to.deep.equal(second.json); // a retry after a lost response
      await archiveAndRestart();
      expect((await refresh(first['refresh_token'])).json, 'after the grant was archived twice').to.deep.equal(
        second.json,
      );
      const third = await refresh(second.json?.['refresh_token']);
      expect(third.status).to.equal(200);
      expect(await isActive(third.json?.['access_token'])).to.equal(true);
      expect((await refresh(first['refresh_token'])).json?.['error']).to.equal('invalid_grant'); // reuse
      for (const token of [first, second.json, third.json])
        expect(await isActive(token?.['access_token'])).to.equal(false);
      await archiveAndRestart();
      expect((await refresh(third.json?.['refresh_token'])).json?.['error']).to.equal('invalid_grant');
    });

    it('redeems an archived code once, and revokes its tokens if it is replayed', async () => {
      const user = await running.addUser();
      const code = await running.authorize(client, user);
      const redeem = () =>
        running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
      await archiveAndRestart();
      const response = await redeem();
      expect(response.status).to.equal(200);
      await archiveAndRestart();
      expect(await isActive(response.json?.['access_token'])).to.equal(true);
      expect((await redeem()).json?.['error']).to.equal('invalid_grant');
      expect(await isActive(response.json?.['access_token'])).to.equal(false);
    });

    it('keeps archived user names taken, and accepts archived passwords', async () => {
      const user = await running.addUser('ada');
      await archiveAndRestart();
      expect(
        await running.service().accounts.register({ username: 'ada', password: 'another' }, OPERATOR),
      ).to.have.property('errors');
      expect((await running.token(client, { grant_type: 'password', ...user })).status).to.equal(200);
    });

    it('uses as much space per event as the documentation states', async () => {
      const { text } = readDocument('docs/operations.md');
      const [, recordBytes, bytesPerArchivedEvent] =
        /An event of about (\d+) bytes takes \d+ bytes in\s+LevelDB with its index, (\d+) in the\s+archive/.exec(
          text,
        ) ?? [];
      for (let number = 0; number < 500; number += 1) await running.token(client, { grant_type: 'client_credentials' });
      const { events, textBytes, archivedBytes } = await archiveAll(running.log);
      expect(textBytes / events).to.be.closeTo(Number(recordBytes), 25);
      expect(archivedBytes / events).to.be.closeTo(Number(bytesPerArchivedEvent), 20);
    });

    it('returns archived events to auditors, both in pages and as entries', async () => {
      const auditor = await running.addClient({ restrictedScopes: ['audit'] });
      for (let number = 0; number < 300; number += 1)
        await running.service().groupDirectory.create(`group ${number}`, OPERATOR);
      const events = await running.events();
      await archiveAndRestart();
      const token = (await running.token(auditor, { grant_type: 'client_credentials', scope: 'audit' })).json?.[
        'access_token'
      ];
      const page = await running.get('/o/events/?after=250&limit=20', { authorization: `Bearer ${String(token)}` });
      expect(page.text.trim().split('\n')).to.deep.equal(
        events.slice(250, 270).map(({ position, record }) => `{"position":${position},"record":${record}}`),
      );
      const entries = await running.get('/o/log/tile/entries/000', { authorization: `Bearer ${String(token)}` });
      expect(entries.status).to.equal(200);
      expect(entries.text).to.include(events[255]?.record);
    });
  });

  describe('the command line', () => {
    const readSettings = (directory = dataDir) => readConfig({ DATA_DIR: directory }, () => '{}');
    const clock = manualClock();
    const open = (config = readSettings().config): Promise<Service> =>
      openService(config, {
        clock,
        entropy: seededEntropy(clock.now()),
        hasher: quickHasher,
        issuer: () => 'http://localhost',
      });

    async function run(args: readonly string[]): Promise<{ status: number; out: string; err: string }> {
      const output = { out: '', err: '' };
      const status = await runCommand(args, {
        version: '1',
        readSettings,
        open,
        inspect: (config) => openInspection(config, seededEntropy('none')),
        now: async () => 0,
        ...withoutDatabase,
        ...withOperations,
        serve: async () => 0,
        terminal: {
          signal: new AbortController().signal,
          readInput: async () => '',
          out: async (text) => void (output.out += text),
          err: (text) => void (output.err += text),
        },
      });
      return { status, ...output };
    }

    const advanceOneDay = (): void => clock.advance(86_400);
    const now = (): string => new Date(clock.now()).toISOString();
    let halfwayTime: string;

    beforeEach(async () => {
      const service = await open();
      await service.accounts.register({ username: 'ada', password: 'secret', roles: ['administrator'] }, OPERATOR);
      for (let number = 1; number <= 300; number += 1) {
        await service.groupDirectory.create(`group ${number}`, OPERATOR);
        if (number === 150) advanceOneDay();
        if (number === 150) halfwayTime = now();
      }
      await service.close();
      advanceOneDay();
    });

    const COMMANDS = [
      ['log', 'export'],
      ['log', 'verify'],
      ['log', 'replay'],
      ['log', 'tail', '--limit', '200'],
      ['log', 'as-of', '--position', '100', '--json'],
      ['log', 'export', '--user', 'ada'],
      ['log', 'prove', '7', '--json'],
      ['log', 'prove', '290', '--json'],
      ['group', 'list'],
    ] as const;

    async function runCommands(): Promise<readonly unknown[]> {
      const results = [];
      for (const args of COMMANDS) results.push(await run(args));
      return results;
    }

    it('prints the same output after archiving, whether the server is stopped or running', async () => {
      const resultsBefore = await runCommands();
      for (const { status, err } of resultsBefore as readonly { status: number; err: string }[])
        expect(status, err).to.equal(0);
      expect((await run(['log', 'archive', '--yes', '--before', halfwayTime, '--json'])).out).to.match(
        /"events": 151,\s+"end": 151,/,
      );
      expect(readdirSync(join(dataDir, 'archive'))).to.have.length(3);
      expect(await runCommands()).to.deep.equal(resultsBefore);

      const service = await open();
      const control = await serveControl(controlSocketPath(dataDir), operate(service));
      const result = await run(['log', 'archive', '--yes', '--before', now()]);
      expect(result).to.include({
        status: 0,
        out: [
          'events: 149',
          'end: 300',
          'files: 0000000000000152-0000000000000300.jsonl.gz',
          ...result.out.split('\n').slice(3),
        ].join('\n'),
      });
      expect(result.err).to.include('sealed up to position 300');
      expect(requireArchive(service.log).end()).to.equal(300);
      await control.close();
      await service.close();
      expect(await runCommands()).to.deep.equal(resultsBefore);
    });

    it('reports an invalid time, or that there is nothing to archive', async () => {
      expect(await run(['log', 'archive', '--yes', '--before', '2001-01-01']))
        .to.include({ status: 0 })
        .and.have.property('out')
        .that.matches(/^nothing to archive: /);
      expect(existsSync(join(dataDir, 'archive', '0000000000000001-0000000000000001.seal'))).to.equal(false);
      expect((await run(['log', 'archive', '--yes', '--before', 'yesterday'])).status).to.equal(2);
      expect((await run(['log', 'archive'])).status).to.equal(2);
      const help = await run(['log', 'archive', '--help']);
      expect(help.status).to.equal(0);
      expect(help.out).to.include('--before').and.include('zcat');
    });

    it('includes the archive in backups and bundles', async () => {
      await run(['log', 'archive', '--yes', '--before', halfwayTime]);
      expect(await run(['log', 'export', '--bundle', join(dataDir, 'bundle')])).to.include({ status: 0 });
      expect(await run(['log', 'verify', '--bundle', join(dataDir, 'bundle')])).to.include({ status: 0 });
      expect((await run(['backup', join(dataDir, 'backup')])).status).to.equal(0);
      const result = await run(['restore', join(dataDir, 'backup'), join(dataDir, 'restored'), '--json']);
      expect(result.status, result.err).to.equal(0);
      expect(JSON.parse(result.out)).to.have.property('position', 301);
      expect(existsSync(join(dataDir, 'restored', 'archive'))).to.equal(false);
    });

    for (const ending of ['.jsonl.gz', '.index', '.seal']) {
      it(`finds one changed byte in a ${ending} file with log verify, and names the file`, async () => {
        await run(['log', 'archive', '--yes', '--before', halfwayTime]);
        const path = join(dataDir, 'archive', `${'1'.padStart(16, '0')}-${'151'.padStart(16, '0')}${ending}`);
        const bytes = readFileSync(path);
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        writeFileSync(path, bytes);
        const { status, out, err } = await run(['log', 'verify']);
        expect(status, out).to.equal(1);
        expect(err).to.include('the first damaged position is 1.');
        expect(out).to.include(`-0000000000000151${ending}`);
      });
    }

    it('does not open the log if a segment is missing, and log verify names its position', async () => {
      await run(['log', 'archive', '--yes', '--before', halfwayTime]);
      await run(['log', 'archive', '--yes', '--before', now()]);
      for (const name of readdirSync(join(dataDir, 'archive')).filter((file) => file.includes('152-')))
        rmSync(join(dataDir, 'archive', name));
      expect((await run(['log', 'verify'])).err).to.include('the first damaged position is 152.');
      const refusal = await run(['group', 'list']);
      expect(refusal.status).to.equal(2);
      expect(refusal.err).to.match(/^grantlog: the log is damaged at position 152: .*archive.*\n$/);
    });
  });
});

describe('an engine without an archive', () => {
  it('refuses to archive', async () => {
    const running = await runningService();
    const operation = operate(running.service())('log archive', { before: 0 }, new AbortController().signal);
    const refusal: unknown = await operation.next().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).to.have.property('name', 'OperationRefused');
    expect(refusal).to.have.property('message').that.includes('has an archive');
    await running.close();
  });
});
