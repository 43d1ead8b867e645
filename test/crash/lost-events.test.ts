import { withOperations } from '../support/with-operations.ts';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand } from '../../src/cli/command-line.ts';
import { readConfig } from '../../src/config/config.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import type { Service } from '../../src/composition/service.ts';
import { readFilesBelow } from '../support/at-rest.ts';
import { headsOf } from '../support/issued-heads.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { startServer } from '../support/server-process.ts';
import {
  createStarter,
  flipBit,
  INCOMPLETE_WRITE,
  readRecordedHead,
  waitUntilRecorded,
  findWriteAheadLog,
  type Starter,
} from '../support/stored-files.ts';
import { withoutDatabase } from '../support/without-database.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADMIN = { GRANTLOG_ADMIN_USERNAME: 'root', GRANTLOG_ADMIN_PASSWORD: 'correct horse battery' };

describe('a server that was killed', function () {
  this.timeout(180_000);

  let parentDirectory: string;
  let dataDir: string;
  let starter: Starter;

  beforeEach(() => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-lost-'));
    dataDir = join(parentDirectory, 'data');
    starter = createStarter(40);
  });
  afterEach(() => rmSync(parentDirectory, { recursive: true }));

  /** Appends records that contain `group <start number>:<position>.`. */
  async function appendGroups(service: Service, count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      await service.groupDirectory.create(`group ${starter.count()}:${service.log.head() + 1}.`, OPERATOR);
    }
  }

  /** Leaves `dataDir` as a SIGKILL after `work` would leave it. */
  async function killAfter(work: (service: Service) => Promise<void>): Promise<void> {
    const service = await starter.start(dataDir);
    await work(service);
    const killedCopy = `${dataDir} killed`;
    cpSync(dataDir, killedCopy, { recursive: true });
    await service.close();
    rmSync(dataDir, { recursive: true });
    renameSync(killedCopy, dataDir);
  }

  /** All log files except LevelDB's LOG and LOCK, which change whenever it is opened. */
  function logFiles(): ReadonlyMap<string, unknown> {
    return new Map([...readFilesBelow(join(dataDir, 'log'))].filter(([name]) => !/\/LO(?:G|CK)/.test(name)));
  }

  const walOffsetOf = (position: number): number =>
    readFileSync(findWriteAheadLog(dataDir)).indexOf(`group 1:${position}.`);
  const truncateWalAt = (position: number): void => truncateSync(findWriteAheadLog(dataDir), walOffsetOf(position));

  async function startAndGetRefusal(): Promise<string> {
    const result: unknown = await starter.start(dataDir).catch((error: unknown) => error);
    if (result instanceof Error) return result.message;
    await (result as Service).close();
    throw new Error('the server started');
  }

  async function verify(): Promise<{ readonly status: number; readonly out: string; readonly err: string }> {
    const output = { out: '', err: '' };
    const never = (): never => expect.fail('log verify must only read');
    const status = await runCommand(['log', 'verify'], {
      version: '1',
      readSettings: () => readConfig({ DATA_DIR: dataDir }, () => '{}'),
      inspect: (config) => openInspection(config, seededEntropy('none')),
      open: never,
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: never,
      terminal: {
        signal: new AbortController().signal,
        readInput: async () => '',
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
      },
    });
    return { status, ...output };
  }

  it('continues with all events, and records its head again, if its files are intact', async () => {
    await killAfter((service) => appendGroups(service, 30));
    const service = await starter.start(dataDir);
    expect(service.log.head()).to.equal(30);
    expect(readRecordedHead(dataDir)).to.equal(30);
    await appendGroups(service, 1);
    await waitUntilRecorded(dataDir, 31);
    await service.close();
    expect(starter.notices()).to.deep.equal([]);
  });

  describe('does not start when the end of its write-ahead log', () => {
    it('is missing, but reports the lost events and the remedy; log verify also reports the lost events', async () => {
      await killAfter(async (service) => {
        await appendGroups(service, 30);
        await waitUntilRecorded(dataDir, 30);
      });
      truncateWalAt(13);
      const { status, out, err } = await verify();
      expect(status).to.equal(1);
      expect(err).to.include('the first damaged position is 13.');
      expect(out).to.match(/^DAMAGED at position 13: .* ends at position 12, but events up to position 30 were ack/);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const message = await startAndGetRefusal();
        expect(message).to.include('ends at position 12, but events up to position 30 were acknowledged');
        expect(message).to.include(
          `the events from 13 on are missing from ${findWriteAheadLog(dataDir)}. No file was changed`,
        );
        expect(message).to.include('restore the correct one').and.include('restore the newest backup');
      }
    });

    it('was truncated between records, and changes no file, so restoring that file recovers all events', async () => {
      const lengths = [0];
      await killAfter((service) => appendGroups(service, 10));
      await killAfter(async (service) => {
        for (let event = 1; event <= 3; event += 1) {
          await appendGroups(service, 1);
          lengths.push(statSync(findWriteAheadLog(dataDir)).size);
        }
        await waitUntilRecorded(dataDir, 13);
      });
      const completeWal = readFileSync(findWriteAheadLog(dataDir));
      for (const [remainingCount, length] of lengths.slice(0, -1).entries()) {
        truncateSync(findWriteAheadLog(dataDir), length);
        const filesBefore = logFiles();
        expect(await startAndGetRefusal()).to.include(
          `ends at position ${10 + remainingCount}, but events up to position 13`,
        );
        expect((await verify()).err).to.include(`the first damaged position is ${11 + remainingCount}.`);
        expect(logFiles()).to.deep.equal(filesBefore);
        writeFileSync(findWriteAheadLog(dataDir), completeWal);
      }
      const service = await starter.start(dataDir);
      expect(service.log.head()).to.equal(13);
      await service.close();
    });

    it('has a flipped bit, but reports the file and the position; log verify also reports the position', async () => {
      await killAfter((service) => appendGroups(service, 30));
      flipBit(findWriteAheadLog(dataDir), walOffsetOf(13));
      const { status, err } = await verify();
      expect(status).to.equal(1);
      expect(err).to.include('the first damaged position is 13. Keep the data directory');
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect(await startAndGetRefusal()).to.match(/damaged at position 13: .*\.log is damaged at byte \d+/);
      }
    });

    it('is an incomplete, unacknowledged write, but reports that nothing is lost', async () => {
      await killAfter(async (service) => {
        await appendGroups(service, 30);
        await waitUntilRecorded(dataDir, 30);
      });
      appendFileSync(findWriteAheadLog(dataDir), INCOMPLETE_WRITE);
      const message = await startAndGetRefusal();
      expect(message).to.match(/^the last write to the log, at byte \d+ of .*\.log, is incomplete/);
      expect(message).to.include('every event up to position 30').and.include('nothing is lost');
      expect((await verify()).err).to.include('the first damaged position is 31.');
    });

    it('is damaged in its last record, but reports that the record was acknowledged', async () => {
      await killAfter(async (service) => {
        await appendGroups(service, 30);
        await waitUntilRecorded(dataDir, 30);
      });
      flipBit(findWriteAheadLog(dataDir), walOffsetOf(30));
      expect(await startAndGetRefusal()).to.match(/damaged at position 30: .* acknowledged events follow the damage/);
    });

    it('lacks an event that a checkpoint covers, even a checkpoint just issued to an anonymous caller', async () => {
      let note = '';
      await killAfter(async (service) => {
        await appendGroups(service, 20);
        await waitUntilRecorded(dataDir, 20);
        await appendGroups(service, 5);
        note = await service.attestation.checkpoint();
      });
      expect(note.split('\n')[1]).to.equal('25');
      truncateWalAt(23);
      expect(await startAndGetRefusal()).to.include(
        'ends at position 22, but events up to position 25 were acknowledged',
      );
    });

    it('lacks records of a full tile', async () => {
      await killAfter(async (service) => {
        cpSync(join(dataDir, 'log.head'), join(parentDirectory, 'first.head'));
        await appendGroups(service, 300);
        await service.snapshotsSettled(); // Snapshots are written after all tiles.
      });
      cpSync(join(parentDirectory, 'first.head'), join(dataDir, 'log.head')); // Restores the head recorded at startup.
      rmSync(join(dataDir, 'snapshots'), { recursive: true });
      truncateWalAt(251);
      expect(await startAndGetRefusal()).to.include(
        'ends at position 250, but events up to position 256 were acknowledged',
      );
    });
  });

  it('does not start if its recorded head is missing or unreadable, and reports the file', async () => {
    await killAfter(async (service) => {
      await appendGroups(service, 3);
      await waitUntilRecorded(dataDir, 3);
    });
    const path = join(dataDir, 'log.head');
    const intactHead = readFileSync(path);
    const changes: readonly (() => void)[] = [
      () => unlinkSync(path),
      () => truncateSync(path, 0),
      () => truncateSync(path, 400),
      () => writeFileSync(path, intactHead.toString('latin1').replaceAll('"checkpoint":0', '"checkpoint":1')),
    ];
    for (const change of changes) {
      writeFileSync(path, intactHead);
      change();
      expect(await startAndGetRefusal()).to.match(
        /log\.head, which records the length of the log, is (?:missing|damaged)\./,
      );
    }
    writeFileSync(path, intactHead);
    await (await starter.start(dataDir)).close();
  });

  it('reports an I/O error on its checkpoints as an I/O error, not as tampering', async () => {
    await killAfter((service) => appendGroups(service, 3));
    rmSync(join(dataDir, 'checkpoints', 'issued'), { force: true });
    mkdirSync(join(dataDir, 'checkpoints', 'issued'));
    expect(await startAndGetRefusal()).to.include('EISDIR');
  });

  it('starts with one damaged copy of its head, reports it, and rewrites it', async () => {
    await killAfter((service) => appendGroups(service, 3));
    const intactHead = readFileSync(join(dataDir, 'log.head'));
    for (const offset of [20, 540]) {
      writeFileSync(join(dataDir, 'log.head'), intactHead);
      flipBit(join(dataDir, 'log.head'), offset);
      const { out, status } = await verify();
      expect([status, out.includes('one of the two copies in')], out).to.deep.equal([1, true]);
      await (await starter.start(dataDir)).close();
      expect(starter.notices()).to.have.length(1);
      expect(starter.notices()[0]).to.match(/one of the two copies in .*log\.head is damaged/);
      await (await starter.start(dataDir)).close();
      expect(starter.notices()).to.deep.equal([]);
    }
  });

  describe('and ran an earlier release, which recorded no head,', () => {
    let note: string;
    beforeEach(async () => {
      await killAfter(async (service) => {
        await appendGroups(service, 10);
        note = await service.attestation.checkpointNow();
        await appendGroups(service, 5);
      });
      for (const name of readdirSync(join(dataDir, 'keys')).filter((file) => file.endsWith('.key'))) {
        const path = join(dataDir, 'keys', name);
        writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, 64)}\n`);
      }
      unlinkSync(join(dataDir, 'log.head'));
      unlinkSync(join(dataDir, 'checkpoints', 'issued'));
      writeFileSync(join(dataDir, 'checkpoints', '10'), note);
    });

    it('starts and records its head', async () => {
      const service = await starter.start(dataDir);
      expect(service.log.head()).to.equal(15);
      const notes = headsOf(service.inspection.checkpoints).map((head) => service.attestation.sign(head));
      expect(notes).to.deep.equal([note]);
      await service.close();
      expect(readRecordedHead(dataDir)).to.equal(15);
      unlinkSync(join(dataDir, 'log.head'));
      expect(await startAndGetRefusal()).to.include('log.head, which records the length of the log, is missing');
    });

    it('completes an interrupted upgrade of its key files', async () => {
      const service = await starter.start(dataDir);
      await service.close();
      for (const name of ['log', 'refresh']) {
        const path = join(dataDir, 'keys', `${name}.key`);
        writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, 64)}\n`);
      }
      await (await starter.start(dataDir)).close();
      for (const name of ['log', 'refresh']) {
        expect(readFileSync(join(dataDir, 'keys', `${name}.key`), 'utf8')).to.match(/^[0-9a-f]{64} [0-9a-f]{8}\n$/);
      }
    });

    it('must match the newest stored checkpoint', async () => {
      truncateWalAt(8);
      expect(await startAndGetRefusal()).to.include(
        'ends at position 7, but events up to position 10 were acknowledged',
      );
    });
  });

  it('during its first startup continues with the keys that it had created', async () => {
    const firstService = await starter.start(dataDir);
    const keys = join(dataDir, 'keys');
    const refresh = readFileSync(join(keys, 'refresh.key'));
    await firstService.close();
    rmSync(dataDir, { recursive: true });
    mkdirSync(keys, { recursive: true });
    mkdirSync(join(dataDir, 'log'));
    writeFileSync(join(keys, 'refresh.key'), refresh);
    await (await starter.start(dataDir)).close();
    expect(readFileSync(join(keys, 'refresh.key'))).to.deep.equal(refresh);
    expect(readdirSync(keys)).to.include.members(['cookies.key', 'log.key', 'names.key']);
  });

  it('gets a new log key if it was created by the first release, which had none', async () => {
    await killAfter((service) => appendGroups(service, 10));
    const keys = join(dataDir, 'keys');
    for (const name of ['cookies', 'names', 'refresh']) {
      const path = join(keys, `${name}.key`);
      writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, 64)}\n`);
    }
    unlinkSync(join(keys, 'log.key'));
    for (const laterName of ['checkpoints', 'log.head', 'snapshots', 'tile']) {
      rmSync(join(dataDir, laterName), { recursive: true, force: true });
    }
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const service = await starter.start(dataDir);
      expect(service.log.head()).to.equal(10);
      await service.close();
    }
    unlinkSync(join(keys, 'log.key'));
    expect(await startAndGetRefusal()).to.include('log.key is missing');
    expect(readdirSync(keys)).not.to.include('log.key');
  });

  it('prints the reason, exits with status 2 and serves no request if events were lost', async () => {
    const server = await startServer(dataDir, { env: ADMIN });
    await waitUntilRecorded(dataDir, 1);
    server.kill('SIGKILL');
    await server.exitStatus;
    truncateSync(findWriteAheadLog(dataDir), 0);
    const outcome = await startServer(dataDir).then(() => 'the server started', String);
    expect(outcome).to.include('exited with 2 ');
    // The position varies, because startup also introduces signing keys.
    expect(outcome).to.match(/the log ends at position 0, but events up to position [1-9] were acknowledged/);
  });
});
