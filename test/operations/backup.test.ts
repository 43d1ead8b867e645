import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { operate } from '../../src/operations/operations.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import type { IssuedEntry } from '../../src/audit/proofs/issued-checkpoints.ts';
import { createBackupFile } from '../../src/operations/backup/backup-file.ts';
import { endBody, encodeLine } from '../../src/operations/backup/format.ts';
import { createBackupReader } from '../../src/operations/backup/read-backup.ts';
import { restoreBackup, type RestoreSummary } from '../../src/operations/backup/restore.ts';
import type { BackupSummary } from '../../src/operations/backup/write-backup.ts';
import { configFromSettings } from '../../src/config/config.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { seconds } from '../support/domain-values.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import { restoreLevelLog } from '../../src/event-store/engines/level-restore.ts';
import type { EventLog, RecordedEvent } from '../../src/event-store/event-log.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { CLIENT_KEYS } from '../../src/platform/keys/client-keys.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { SIGNING_KEYS } from '../../src/platform/keys/signing-keyring.ts';
import { findLeaks, readFilesBelow } from '../support/at-rest.ts';
import { importClient, requestToken } from '../support/chosen-secrets.ts';
import { LIFETIMES } from '../support/authorization-model.ts';
import { headsOf, sizesOf } from '../support/issued-heads.ts';
import { manualClock } from '../support/manual-clock.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { createModel, ALL_COMMANDS, settingsFor } from '../support/traffic.ts';
import { readWholeStream } from '../support/whole-stream.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER = new AbortController().signal;

describe('a backup', function () {
  this.timeout(180_000);

  let parentDirectory: string;
  let pathCount = 0;

  before(() => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-backup-'));
  });
  after(() => rmSync(parentDirectory, { recursive: true }));

  const freshPath = (): string => join(parentDirectory, String((pathCount += 1)));

  function openDirectory(dataDir: string): Promise<Service> {
    const parts = {
      clock: manualClock(),
      entropy: seededEntropy('restored'),
      hasher: quickHasher,
      issuer: () => 'http://localhost:8000',
    };
    return openService(configFromSettings({ dataDir }), parts);
  }

  async function restore(
    text: string | Uint8Array,
    directory: string,
    signal = NEVER,
  ): Promise<RestoreSummary & { readonly notices: readonly string[] }> {
    const file = freshPath();
    writeFileSync(file, text);
    const notices: string[] = [];
    const summary = await restoreBackup({
      file,
      directory,
      signal,
      notice: (line) => void notices.push(line),
      async replay(dataDir) {
        const service = await openDirectory(dataDir);
        await service.close();
        return service.projector;
      },
    });
    return { ...summary, notices };
  }

  /** Serves a restored data directory over HTTP. */
  async function serveRestored(dataDir: string, startsAt: number, settings = {}): Promise<RunningService> {
    const keys = join(dataDir, 'keys');
    return runningService({
      log: await openLevelLog({ location: join(dataDir, 'log') }),
      keys: await keyDirectory(keys).open(seededEntropy('no key'), { isNew: false, mayPredateLogKey: false }),
      personalKeys: await keyDirectory(keys).keyring(PERSONAL_KEYS),
      clientKeys: await keyDirectory(keys).keyring(CLIENT_KEYS),
      signingKeyring: await keyDirectory(keys).keyring(SIGNING_KEYS),
      generateSigningKey: () => expect.fail('a key was introduced'),
      seed: 'later',
      startsAt,
      settings,
    });
  }

  async function readEvents(dataDir: string): Promise<readonly RecordedEvent[]> {
    const log = await openLevelLog({ location: join(dataDir, 'log') });
    const events = await readAllEvents(log);
    await log.close();
    return events;
  }

  describe('that was restored', () => {
    it('contains the same records byte for byte and the same projections, after any sequence of commands', async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands([...ALL_COMMANDS], { maxCommands: 40, size: 'max' }), async (sequence) => {
          const running = await runningService({ settings: settingsFor(LIFETIMES.refresh) });
          const traffic = { running, refreshLifetime: LIFETIMES.refresh };
          await fc.asyncModelRun(async () => ({ model: await createModel(traffic), real: traffic }), sequence);
          const directory = freshPath();
          const { text, summary } = await backUp(running.service());
          const restoration = await restore(text, directory);
          expect({ position: restoration.position, root: restoration.root }).to.deep.equal({
            position: summary.position,
            root: summary.root,
          });
          expect(restoration.digests).to.deep.equal(running.service().projector.digests());
          expect(await readEvents(directory)).to.deep.equal(await running.events());
          await running.close();
        }),
        { numRuns: 8 },
      );
    });

    it('keeps tokens, codes and passwords valid', async () => {
      const running = await runningService();
      const [user, client] = [await running.addUser(), await running.addClient()];
      const tokens = (await running.token(client, { grant_type: 'password', ...user })).json ?? {};
      const code = await running.authorize(client, user);
      const directory = freshPath();
      await restore((await backUp(running.service())).text, directory);
      await running.close();

      const restoredServer = await serveRestored(directory, running.clock.now());
      expect(
        (await restoredServer.get('/users/', { authorization: `Bearer ${String(tokens['access_token'])}` })).status,
      ).to.equal(200);
      expect(
        (
          await restoredServer.token(client, {
            grant_type: 'refresh_token',
            refresh_token: String(tokens['refresh_token']),
          })
        ).status,
      ).to.equal(200);
      expect(
        (await restoredServer.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }))
          .status,
      ).to.equal(200);
      expect((await restoredServer.token(client, { grant_type: 'password', ...user })).status).to.equal(200);
      const registration = await restoredServer.service().accounts.register(user, OPERATOR);
      expect(registration, 'the name is still taken').to.have.property('errors');
      await restoredServer.close();
    });

    it('authenticates clients with imported secrets, except removed clients', async () => {
      const running = await runningService();
      const { registration, clientKeys } = running.service();
      const unusedClient = await importClient(running.service(), 'in plain text');
      const rehashedClient = await importClient(running.service(), 'as a PBKDF2 hash');
      expect((await requestToken(running, rehashedClient)).status).to.equal(200);
      const removedClient = await importClient(running.service(), 'as an argon2id hash');
      const key =
        clientKeys.find(removedClient.clientId as ClientId)?.toString('base64url') ??
        expect.fail('the client has no key');
      await registration.remove(removedClient.clientId as ClientId, OPERATOR);
      const { text, summary } = await backUp(running.service());
      expect(summary.client_keys).to.equal(2);
      const directory = freshPath();
      const restoration = await restore(text, directory);
      expect(restoration.client_keys).to.equal(2);
      expect(restoration.digests).to.deep.equal(running.service().projector.digests());
      await running.close();
      expect(
        findLeaks(readFilesBelow(directory), [{ name: 'the key of the removed client', text: key }]),
      ).to.deep.equal([]);

      const restoredServer = await serveRestored(directory, running.clock.now());
      for (const client of [unusedClient, rehashedClient])
        expect((await requestToken(restoredServer, client)).status).to.equal(200);
      expect((await requestToken(restoredServer, removedClient)).status).to.equal(401);
      await restoredServer.close();
    });

    it('keeps the signing keys, but not the private halves of retired keys', async () => {
      const running = await runningService();
      const now = seconds(Math.floor(running.clock.now() / 1000));
      const { keyRotation, signingKeyring } = running.service();
      await keyRotation.maintain(now);
      const { kid } = await running.service().signingKeys.sign('ES256', 'JWT', {}, now);
      const { kid: retiredKid } = await running.service().signingKeys.sign('RS256', 'JWT', {}, now);
      const privateHalf =
        signingKeyring.find(retiredKid)?.toString('base64url') ?? expect.fail('the key has no private half');
      await keyRotation.introduce('RS256', now, 'requested');
      await keyRotation.retire(retiredKid, now, OPERATOR);
      const { text, summary } = await backUp(running.service());
      expect(summary.signing_keys).to.equal(4);
      const directory = freshPath();
      expect((await restore(text, directory)).signing_keys).to.equal(4);
      await running.close();
      expect(findLeaks(readFilesBelow(directory), [{ name: 'the retired key', text: privateHalf }])).to.deep.equal([]);

      const restoredServer = await serveRestored(directory, running.clock.now());
      expect((await restoredServer.service().signingKeys.sign('ES256', 'JWT', {}, now)).kid).to.equal(kid);
      await restoredServer.close();
    });

    it('may come from an earlier release that stored no client keys', async () => {
      const running = await createSample();
      const { text } = await backUp(running.service());
      const bodies = text
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(12, -1));
      const [header = '', ...otherBodies] = bodies.slice(0, -1);
      expect(header).to.include('"version":3');
      const earlierLines = [header.replace('"version":3', '"version":1'), ...otherBodies].map(encodeLine);
      const end = JSON.parse(bodies.at(-1) ?? '') as { readonly records: number; readonly root: string };
      const sha256 = createHash('sha256').update(earlierLines.join('')).digest('hex');
      const restoration = await restore(earlierLines.join('') + encodeLine(endBody({ ...end, sha256 })), freshPath());
      expect(restoration.digests).to.deep.equal(running.service().projector.digests());
      expect(restoration.client_keys).to.equal(0);
      await running.close();
    });

    it('has every stream at the same revision', async () => {
      const running = await runningService();
      const client = await running.addClient();
      await running.service().registration.rotateSecret(client.id as never, OPERATOR);
      const streams = new Set((await running.events()).map(({ stream }) => stream));
      const directory = freshPath();
      await restore((await backUp(running.service())).text, directory);
      const log = await openLevelLog({ location: join(directory, 'log') });
      for (const stream of streams) {
        expect(await readWholeStream(log, stream)).to.deep.equal(await readWholeStream(running.log, stream));
      }
      await log.close();
      await running.close();
    });

    it('has every checkpoint, including one that covers exactly its records', async () => {
      const running = await runningService();
      await running.addUser();
      await running.service().attestation.checkpointNow();
      await running.addClient();
      const directory = freshPath();
      const restoration = await restore((await backUp(running.service())).text, directory);
      expect(restoration.checkpoints).to.equal(2);
      const { checkpoints, close } = await openInspection(
        configFromSettings({ dataDir: directory }),
        seededEntropy('none'),
      );
      const original = running.service().inspection.checkpoints;
      expect(headsOf(checkpoints)).to.deep.equal(headsOf(original));
      expect(sizesOf(checkpoints)).to.include(restoration.position);
      await close();
      await running.close();
    });

    it('may be empty if the server was never used', async () => {
      const running = await runningService();
      const directory = freshPath();
      const restoration = await restore((await backUp(running.service())).text, directory);
      expect(restoration).to.include({ position: 0, users: 0, checkpoints: 0 });
      expect(restoration.digests).to.deep.equal(running.service().projector.digests());
      await running.close();
    });

    it('produces the same bytes when backed up again, except for the time', async () => {
      const running = await createSample();
      const directory = freshPath();
      const { text } = await backUp(running.service());
      await restore(text, directory);
      const service = await openDirectory(directory);
      const secondBackup = await backUp(service);
      expect(secondBackup.text.split('\n').slice(1, -2)).to.deep.equal(text.split('\n').slice(1, -2));
      await service.close();
      await running.close();
    });

    it('is readable only by its owner', async () => {
      const running = await createSample();
      const directory = freshPath();
      await restore((await backUp(running.service())).text, directory);
      expect(statSync(directory).mode & 0o777).to.equal(0o700);
      for (const file of readFilesBelow(join(directory, 'keys')).keys())
        expect(statSync(file).mode & 0o777, file).to.equal(0o600);
      await running.close();
    });
  });

  it('is consistent as of the position where it began, even if events are appended in the meantime', async () => {
    const dataDir = freshPath();
    const service = await openDirectory(dataDir);
    for (let index = 0; index < 400; index += 1)
      await service.accounts.register({ username: `user${index}`, password: 'long enough' }, OPERATOR);
    const stateAtStart = { position: service.log.head(), digests: service.projector.digests() };
    let chunkCount = 0;
    const { text, summary } = await backUp(service, async () => {
      const user = service.projections.users.findByName('user7');
      if (user !== undefined) await service.accounts.erase(user, OPERATOR); // wipes a key that the backup needs
      await service.accounts.register({ username: `late${(chunkCount += 1)}`, password: 'long enough' }, OPERATOR);
    });
    expect(chunkCount, 'the number of chunks').to.be.above(3);
    expect(service.log.head()).to.equal(stateAtStart.position + 1 + chunkCount);
    expect(summary.position).to.equal(stateAtStart.position);
    const restoration = await restore(text, freshPath());
    expect(restoration).to.deep.include(stateAtStart);
    await service.close();
  });

  it('contains neither the key nor personal data of an erased user', async () => {
    const personalKeys = await keyDirectory(freshPath()).keyring(PERSONAL_KEYS);
    const running = await runningService({ personalKeys });
    const { accounts, projections } = running.service();
    const account = {
      username: 'edsger-wybe',
      email: 'edsger@dijkstra.example',
      first_name: 'Wybe',
      last_name: 'Nuenensis',
    };
    await accounts.register(
      { ...account, firstName: 'Wybe', lastName: 'Nuenensis', password: 'structured programming' },
      OPERATOR,
    );
    const user = projections.users.findByName(account.username);
    if (user === undefined) throw new Error('there is no such user');
    const key = personalKeys.find(user.userId)?.toString('base64url') ?? '';
    const secrets = [...Object.values(account), key].map((text) => ({ name: text, text }));
    expect((await backUp(running.service())).text.split('\n')).to.satisfy((texts: string[]) =>
      texts.some((line) => line.includes(key)),
    );

    await accounts.erase(user, OPERATOR);
    const { text, summary } = await backUp(running.service());
    expect(summary.users).to.equal(0);
    expect(findLeaks(new Map([['the backup', Buffer.from(text)]]), secrets)).to.deep.equal([]);
    const directory = freshPath();
    await restore(text, directory);
    expect(findLeaks(readFilesBelow(directory), secrets)).to.deep.equal([]);
    await running.close();
  });

  describe('that was modified', () => {
    let intact: Buffer;

    before(async () => {
      const running = await createSample();
      intact = Buffer.from((await backUp(running.service())).text);
      await running.close();
      expect(readAndFindRefusal(intact, intact.length)).to.equal(undefined);
    });

    it('is refused with the line number if any byte was changed', () => {
      for (let offset = 0; offset < intact.length; offset += 1) {
        const corruptedBackup = Buffer.from(intact);
        corruptedBackup[offset] = (corruptedBackup[offset] ?? 0) ^ (1 << (offset % 8));
        expect(readAndFindRefusal(corruptedBackup, 4096)?.message, `byte ${offset}`).to.match(
          /^the backup is damaged at line \d+/,
        );
      }
    });

    it('is refused if it was truncated anywhere', () => {
      for (let length = 0; length < intact.length; length += 1) {
        expect(readAndFindRefusal(intact.subarray(0, length), 4096)?.message, `cut at ${length}`).to.match(
          /^the backup is damaged at line \d+/,
        );
      }
    });

    it('is refused if data was added', () => {
      expect(readAndFindRefusal(Buffer.concat([intact, Buffer.from('\n')]), 4096)?.message).to.include(
        'there is data after the last line',
      );
      expect(readAndFindRefusal(Buffer.concat([intact, intact]), 4096)?.message).to.include(
        'there is data after the last line',
      );
      expect(readAndFindRefusal(Buffer.concat([intact, Buffer.from('x')]), 4096)?.message).to.include(
        'in the middle of a line',
      );
    });

    it('is refused if whole lines were removed, repeated, swapped or replaced', () => {
      const originalLines = intact.toString().trimEnd().split('\n');
      const lineIndex = fc.nat({ max: originalLines.length - 1 });
      fc.assert(
        fc.property(
          lineIndex,
          lineIndex,
          fc.constantFrom('leave out', 'repeat', 'exchange', 'rewrite'),
          (index, otherIndex, change) => {
            const changedLines = [...originalLines];
            const [line = '', otherLine = ''] = [originalLines[index], originalLines[otherIndex]];
            if (change === 'leave out') changedLines.splice(index, 1);
            if (change === 'repeat') changedLines.splice(otherIndex, 0, line);
            if (change === 'exchange') [changedLines[index], changedLines[otherIndex]] = [otherLine, line];
            if (change === 'rewrite')
              changedLines[index] = encodeLine(
                line.slice(12, -1).replace('Test application', 'Best application'),
              ).trimEnd();
            fc.pre(changedLines.join('\n') !== originalLines.join('\n'));
            expect(readAndFindRefusal(Buffer.from(`${changedLines.join('\n')}\n`), 4096)?.message).to.match(
              /^the backup is damaged at line \d+/,
            );
          },
        ),
        { numRuns: 300 },
      );
    });

    it('is refused with the position of the changed record', () => {
      const offset = intact.indexOf('{"position":3,') + 40;
      const corruptedBackup = Buffer.from(intact);
      corruptedBackup[offset] = (corruptedBackup[offset] ?? 0) ^ 1;
      expect(readAndFindRefusal(corruptedBackup, 4096)?.message).to.match(
        /^the backup is damaged at line \d+ \(position 3\)/,
      );
    });

    it('leaves no files when a restore refuses it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: intact.length - 1 }), fc.integer({ min: 1, max: 255 }), async (offset, bits) => {
          const corruptedBackup = Buffer.from(intact);
          corruptedBackup[offset] = (corruptedBackup[offset] ?? 0) ^ bits;
          await expectRefusalWithoutFiles((directory) => restore(corruptedBackup, directory));
        }),
        { numRuns: 15 },
      );
    });

    it('leaves no files when its restore is aborted', async () => {
      const directory = join(freshPath(), 'data');
      await restore(intact, directory, AbortSignal.abort('SIGINT')).then(
        () => expect.fail('the restore continued'),
        () => {},
      );
      expect(readdirSync(join(directory, '..'))).to.deep.equal([]);
    });

    it('is refused if its checkpoints are not signed with its key, even if all digests are correct', async () => {
      const originalLines = intact.toString().trimEnd().split('\n');
      const forgedLines = originalLines.slice(0, -1).map((line) => {
        const body = line.slice(12, -1);
        return encodeLine(
          body.startsWith('{"key":"log"') ? JSON.stringify({ key: 'log', value: 'ab'.repeat(32) }) : body,
        );
      });
      const end = JSON.parse(originalLines.at(-1)?.slice(12, -1) ?? '') as { records: number; root: string };
      const sha256 = createHash('sha256').update(forgedLines.join('')).digest('hex');
      const text = forgedLines.join('') + encodeLine(JSON.stringify({ records: end.records, root: end.root, sha256 }));
      expect(await expectRefusalWithoutFiles((directory) => restore(text, directory))).to.match(/checkpoint \d+/);
    });

    /** Returns the refusal, or `undefined` if the backup was read. */
    function readAndFindRefusal(bytes: Buffer, chunkBytes: number): OperationRefused | undefined {
      try {
        const reader = createBackupReader(() => {});
        for (let offset = 0; offset < bytes.length; offset += chunkBytes)
          reader.push(bytes.subarray(offset, offset + chunkBytes));
        reader.finish();
        return undefined;
      } catch (error) {
        if (error instanceof OperationRefused) return error;
        throw error;
      }
    }

    async function expectRefusalWithoutFiles(attempt: (directory: string) => Promise<unknown>): Promise<string> {
      const folder = freshPath();
      const refusal: unknown = await attempt(join(folder, 'data')).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal).to.be.instanceOf(OperationRefused);
      expect(readdirSync(folder)).to.deep.equal([]);
      return (refusal as Error).message;
    }
  });

  it('is read identically in chunks of any size', async () => {
    const running = await createSample();
    const text = Buffer.from((await backUp(running.service())).text);
    const events = await running.events();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (chunkBytes) => {
        const reader = createBackupReader(() => {});
        const parsedEvents: RecordedEvent[] = [];
        for (let offset = 0; offset < text.length; offset += chunkBytes)
          parsedEvents.push(...reader.push(text.subarray(offset, offset + chunkBytes)));
        expect(reader.finish().header.position).to.equal(events.length);
        expect(parsedEvents).to.deep.equal(events);
      }),
      { numRuns: 30 },
    );
    await running.close();
  });

  it('fails if a checkpoint contradicts the log, because the backup could not be restored', async () => {
    const running = await createSample();
    await running.addClient();
    const { checkpoints } = running.service().inspection;
    const [oldest = 0] = sizesOf(checkpoints);
    const rootHash = Buffer.alloc(32, 7);
    const forgedEntries = headsOf(checkpoints).map(({ size }): IssuedEntry => ({ head: { size, rootHash } }));
    const forgedCheckpoints = {
      ...checkpoints,
      entries: function* entries() {
        yield* forgedEntries;
      },
    };
    const service: Service = {
      ...running.service(),
      inspection: { ...running.service().inspection, checkpoints: forgedCheckpoints },
    };
    const refusal: unknown = await backUp(service).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(OperationRefused);
    expect((refusal as Error).message).to.include(`checkpoint ${oldest}: `);
    await running.close();
  });

  it('is never merged into an existing log', async () => {
    const location = freshPath();
    await restoreLevelLog(location, noEvents());
    const error: unknown = await restoreLevelLog(location, noEvents()).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(Error);

    async function* noEvents(): AsyncGenerator<readonly RecordedEvent[], void, void> {}
  });

  it('is restored only into a new or empty directory', async () => {
    const running = await createSample();
    const { text } = await backUp(running.service());
    const directory = freshPath();
    mkdirSync(directory);
    await restore(text, directory);
    const files = readFilesBelow(directory);
    const refusal: unknown = await restore(text, directory).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(OperationRefused);
    expect(readFilesBelow(directory)).to.deep.equal(files);
    await running.close();
  });

  it('is restored by only one of two concurrent restores into the same directory; the other fails', async () => {
    const running = await createSample();
    const { text } = await backUp(running.service());
    const directory = freshPath();
    const outcomes = await Promise.allSettled([restore(text, directory), restore(text, directory)]);
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refusals).to.have.length(1);
    expect(refusals[0]).to.be.instanceOf(OperationRefused);
    expect(await readEvents(directory)).to.deep.equal(await running.events());
    await running.close();
  });

  describe('file', () => {
    it('is readable only by its owner, and is renamed only when it is complete', async () => {
      const path = freshPath();
      const file = await createBackupFile(path);
      await file.write('some');
      await file.write('thing');
      expect(existsSync(path)).to.equal(false);
      await file.finish();
      await file.discard();
      expect(readFileSync(path, 'utf8')).to.equal('something');
      expect(existsSync(`${path}.new`)).to.equal(false);
      expect(statSync(path).mode & 0o777).to.equal(0o600);
    });

    it('does not overwrite an existing file, either when it is created or when it is finished', async () => {
      const path = freshPath();
      const [file, refusal] = [await createBackupFile(path), await expectRefusal(createBackupFile(path))];
      expect(refusal).to.include('another backup is writing it');
      writeFileSync(path, "someone else's");
      expect(await expectRefusal(file.finish())).to.include('already exists');
      await file.discard();
      expect(await expectRefusal(createBackupFile(path))).to.include('already exists');
      expect(readFileSync(path, 'utf8')).to.equal("someone else's");
      expect(existsSync(`${path}.new`)).to.equal(false);
    });

    async function expectRefusal(attempt: Promise<unknown>): Promise<string> {
      const error: unknown = await attempt.then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
      expect(error).to.be.instanceOf(OperationRefused);
      return (error as Error).message;
    }
  });
});

/** A server with a user, clients, tokens, a group and a checkpoint. */
async function createSample(): Promise<RunningService> {
  const running = await runningService({ log: createMemoryLog() });
  const [user, client] = [await running.addUser('bjørn 熊'), await running.addClient()];
  await running.service().groupDirectory.create('editors\u2028 and "readers"', OPERATOR);
  await running.service().attestation.checkpointNow();
  const { json } = await running.token(client, { grant_type: 'password', ...user });
  await running.token(client, { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) });
  await running.addClient({ name: 'Ünïcode "quoted"\n' });
  return running;
}

async function backUp(
  service: Service,
  onChunk: () => Promise<void> = async () => {},
): Promise<{ readonly text: string; readonly summary: BackupSummary }> {
  let text = '';
  let summary: BackupSummary | undefined;
  for await (const item of operate(service)('backup', {}, NEVER)) {
    if (typeof item === 'string') text += item;
    else if ('root' in (item as object)) summary = item as BackupSummary;
    await onChunk();
  }
  if (summary === undefined) throw new Error('the backup has no summary');
  return { text, summary };
}

async function readAllEvents(log: EventLog): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of log.readAll(0 as never)) events.push(...batch);
  return events;
}
