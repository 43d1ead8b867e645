import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { OperationRefused } from '../../../src/operations/control/operation-refused.ts';
import { verifyLog } from '../../../src/audit/proofs/verify.ts';
import { runCommand } from '../../../src/cli/command-line.ts';
import { configFromSettings, readConfig } from '../../../src/config/config.ts';
import { openInspection } from '../../../src/composition/inspection.ts';
import { repairDataDirectory, type RepairResult } from '../../../src/operations/repair/repair.ts';
import type { Service } from '../../../src/composition/service.ts';
import { KEY_NAMES, type KeyName } from '../../../src/platform/keys/keys.ts';
import { readFilesBelow } from '../../support/at-rest.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import {
  createStarter,
  flipBit,
  INCOMPLETE_WRITE,
  waitUntilRecorded,
  findWriteAheadLog,
} from '../../support/stored-files.ts';
import { unchecked } from '../../support/unchecked.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const EVENT_COUNT = 300;
const SIGNED_SIZE = 280;

describe('log repair', function () {
  this.timeout(180_000);

  let parentDirectory: string;
  /** The data directory of a server that was killed after all events were recorded. */
  let killedDataDir: string;
  let dataDir: string;
  const starter = createStarter(100);
  const start = (directory = dataDir): Promise<Service> => starter.start(directory);

  before(async () => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-repair-'));
    killedDataDir = join(parentDirectory, 'killed');
    const originalDataDir = join(parentDirectory, 'original');
    const service = await start(originalDataDir);
    for (let number = 1; number <= EVENT_COUNT; number += 1) {
      await service.groupDirectory.create(`group ${number}.`, OPERATOR);
      if (number === 100 || number === SIGNED_SIZE) await service.attestation.checkpointNow();
    }
    await service.snapshotsSettled();
    await waitUntilRecorded(originalDataDir, EVENT_COUNT);
    cpSync(originalDataDir, killedDataDir, { recursive: true });
    await service.close();
  });
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(parentDirectory, 'copy-')), 'data');
    cpSync(killedDataDir, dataDir, { recursive: true });
  });
  after(() => rmSync(parentDirectory, { recursive: true }));

  const repair = (acceptLoss = false, keysToReplace: readonly KeyName[] = []): Promise<RepairResult> =>
    repairDataDirectory(
      { dataDir, keys: null },
      {
        acceptLoss,
        keysToReplace,
        entropy: seededEntropy(`repair ${starter.count()}`),
        notice: () => {},
      },
    );
  const walPath = (): string => findWriteAheadLog(dataDir);
  const walOffsetOf = (event: number): number => readFileSync(walPath()).indexOf(`group ${event}.`);

  async function expectRefusal(attempt: Promise<unknown>): Promise<string> {
    const error: unknown = await attempt.then(
      () => expect.fail('the repair was not refused'),
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(OperationRefused);
    return (error as Error).message;
  }

  async function expectStartToFail(): Promise<void> {
    const outcome: unknown = await start().catch((error: unknown) => error);
    if (!(outcome instanceof Error)) {
      await (outcome as Service).close();
      expect.fail('the server started');
    }
  }

  /** Expects the server to start at `head` with the same state as a replay, and to accept appends. */
  async function expectToServe(head: number): Promise<void> {
    const service = await start();
    expect(service.log.head()).to.equal(head);
    expect(service.projector.digests()).to.deep.equal((await service.rebuild(() => {})).digests());
    for (let number = 0; number < 40; number += 1)
      await service.groupDirectory.create(`another ${starter.count()} ${number}`, OPERATOR);
    await service.close();
    const inspection = await openInspection(configFromSettings({ dataDir }), seededEntropy('none'));
    const damages: unknown[] = [];
    for await (const item of verifyLog(inspection, new AbortController().signal)) {
      if ('damage' in item) damages.push(item);
    }
    await inspection.close();
    expect(damages).to.deep.equal([]);
  }

  it('changes nothing in an intact directory', async () => {
    expect(await repair()).to.deep.include({ position: EVENT_COUNT, repaired: [] });
    await expectToServe(EVENT_COUNT);
  });

  for (const [condition, damage] of [
    ['whose end is missing', () => truncateSync(walPath(), walOffsetOf(290))],
    ['whose end is damaged', () => flipBit(walPath(), walOffsetOf(290))],
  ] as const) {
    it(`of a log ${condition} reports the loss, and truncates the log once the loss is accepted`, async () => {
      damage();
      const damagedWal = readFileSync(walPath());
      await expectStartToFail();
      const message = await expectRefusal(repair());
      expect(message).to.match(/290|position 289, but events up to position 300/);
      expect(message).to.include('grantlog log repair --accept-loss');
      expect(message).to.include('a token that one of them revoked becomes valid again');
      await expectStartToFail();
      const { position, repaired } = await repair(true);
      expect(position).to.equal(289);
      expect(repaired.length).to.be.at.least(1);
      if (condition === 'whose end is damaged') {
        const [keptName = ''] = readdirSync(join(dataDir, 'damaged'));
        expect(readFileSync(join(dataDir, 'damaged', keptName))).to.deep.equal(damagedWal);
      }
      await expectToServe(289);
    });
  }

  it('never drops an event that a checkpoint covers, because the server would sign two histories', async () => {
    truncateSync(walPath(), walOffsetOf(270));
    const truncatedWal = readFileSync(walPath());
    const message = await expectRefusal(repair(true));
    expect(message).to.include('cannot be repaired without a backup: a checkpoint of 280 records was issued');
    await expectStartToFail();
    expect(readFileSync(walPath())).to.deep.equal(truncatedWal);
  });

  it('keeps the files of a truncated log, so that the correct file can be restored', async () => {
    const [path, completeWal] = [walPath(), readFileSync(walPath())];
    truncateSync(path, walOffsetOf(290));
    const truncatedFiles = logFiles();
    expect(await expectRefusal(repair())).to.include(`the events from 290 on are missing from ${path}`);
    expect(logFiles()).to.deep.equal(truncatedFiles);
    const { repaired } = await repair(true);
    expect(repaired[0]).to.match(/the files were also kept unchanged in .*damaged\/log-\w+$/);
    const [keptName = ''] = readdirSync(join(dataDir, 'damaged'));
    const restoredDataDir = join(parentDirectory, `restored ${starter.count()}`);
    cpSync(killedDataDir, restoredDataDir, { recursive: true });
    rmSync(join(restoredDataDir, 'log'), { recursive: true });
    cpSync(join(dataDir, 'damaged', keptName), join(restoredDataDir, 'log'), { recursive: true });
    writeFileSync(findWriteAheadLog(restoredDataDir), completeWal);
    dataDir = restoredDataDir;
    await expectToServe(EVENT_COUNT);
  });

  it('removes an incomplete last write without any loss', async () => {
    appendFileSync(walPath(), INCOMPLETE_WRITE);
    const message = await expectRefusal(repair());
    expect(message).to.include('nothing is lost').and.include('grantlog log repair --accept-loss');
    expect(message).not.to.include('tokens');
    expect((await repair(true)).position).to.equal(EVENT_COUNT);
    await expectToServe(EVENT_COUNT);
  });

  /** All log files except LevelDB's LOG and LOCK, which change whenever it is opened. */
  function logFiles(): ReadonlyMap<string, unknown> {
    return new Map([...readFilesBelow(join(dataDir, 'log'))].filter(([name]) => !/\/LO(?:G|CK)/.test(name)));
  }

  it('changes no file if the damage in the write-ahead log begins before the newest checkpoint', async () => {
    flipBit(walPath(), walOffsetOf(270));
    const filesBefore = readFilesBelow(dataDir);
    const message = await expectRefusal(repair(true));
    expect(message).to.match(/without a backup: a checkpoint of 280 records was issued, but .* is damaged at byte/);
    expect(readFilesBelow(dataDir).get(walPath())).to.deep.equal(filesBefore.get(walPath()));
  });

  it('changes no file if only the recorded head contains a checkpoint after the damage', async () => {
    truncateSync(join(dataDir, 'checkpoints', 'issued'), 85);
    flipBit(walPath(), walOffsetOf(270));
    const walBefore = readFileSync(walPath());
    expect(await expectRefusal(repair(true))).to.match(
      /a checkpoint of 280 records was issued, but .* is damaged at byte/,
    );
    expect(readFileSync(walPath())).to.deep.equal(walBefore);
    expect(existsSync(join(dataDir, 'damaged'))).to.equal(false);
  });

  it('changes no file if the write-ahead log is missing, and keeps copies once the loss is accepted', async () => {
    const [path, movedPath] = [walPath(), join(dataDir, '..', 'away')];
    renameSync(path, movedPath);
    const filesBefore = readFilesBelow(join(dataDir, 'log'));
    expect(await expectRefusal(repair()))
      .to.include(`${path} is missing`)
      .and.include('grantlog log repair --accept-loss');
    expect([...readFilesBelow(join(dataDir, 'log')).keys()].filter((name) => !/\/LOG/.test(name))).to.deep.equal(
      [...filesBefore.keys()].filter((name) => !/\/LOG/.test(name)),
    );
    renameSync(movedPath, path);
    await expectToServe(EVENT_COUNT);

    rmSync(dataDir, { recursive: true });
    cpSync(killedDataDir, dataDir, { recursive: true });
    renameSync(path, movedPath);
    expect(await expectRefusal(repair(true))).to.match(/a checkpoint of \d+ records was issued/);
    const [keptName = ''] = readdirSync(join(dataDir, 'damaged'));
    rmSync(join(dataDir, 'log'), { recursive: true });
    renameSync(join(dataDir, 'damaged', keptName), join(dataDir, 'log'));
    renameSync(movedPath, path);
    await expectToServe(EVENT_COUNT);
  });

  it('rewrites the recorded head once its loss is accepted', async () => {
    const path = (): string => join(dataDir, 'log.head');
    for (const damage of [() => unlinkSync(path()), () => truncateSync(path(), 10)]) {
      rmSync(dataDir, { recursive: true });
      cpSync(killedDataDir, dataDir, { recursive: true });
      damage();
      await expectStartToFail();
      const message = await expectRefusal(repair());
      expect(message).to.match(/ends at position 300, and .*log\.head, which records where it should end, is \w+/);
      expect((await repair(true)).position).to.equal(EVENT_COUNT);
      await expectToServe(EVENT_COUNT);
    }
  });

  it('rewrites tiles and checkpoints from intact records without any loss', async () => {
    const tile = join(dataDir, 'tile', '0', '000');
    const intactTile = readFileSync(tile);
    truncateSync(tile, 100);
    const issuedFile = readFileSync(join(dataDir, 'checkpoints', 'issued'), 'latin1');
    writeFileSync(join(dataDir, 'checkpoints', 'issued'), issuedFile.replace('0000000000000100', '0000000000000101'));
    const { repaired } = await repair();
    expect(repaired).to.have.length(2);
    expect(repaired[0]).to.include('tile/0/000').and.include('was rewritten');
    expect(repaired[1]).to.match(/line 1 of .*issued is damaged; the checkpoints were rewritten/);
    expect(readFileSync(tile)).to.deep.equal(intactTile);
    await expectToServe(EVENT_COUNT);
  });

  it('rewrites the newest checkpoint if it was truncated but is in the recorded head', async () => {
    truncateSync(join(dataDir, 'checkpoints', 'issued'), 85);
    await expectStartToFail();
    const { repaired } = await repair();
    expect(repaired).to.have.length(1);
    expect(repaired[0]).to.match(/^the checkpoint of 280 records is missing; the checkpoints were rewritten$/);
    await expectToServe(EVENT_COUNT);
  });

  it('removes the tiles and snapshots of the events that it drops', async () => {
    rmSync(join(dataDir, 'checkpoints', 'issued'));
    cpSync(join(killedDataDir, 'log.head'), join(dataDir, 'log.head'));
    truncateSync(walPath(), walOffsetOf(220));
    expect(await expectRefusal(repair(true)), 'the checkpoint is in the recorded head').to.include('280');
    rmSync(join(dataDir, 'log.head'));
    expect((await repair(true)).position).to.equal(219);
    expect(existsSync(join(dataDir, 'tile', '0', '000'))).to.equal(false);
    const snapshots = readdirSync(join(dataDir, 'snapshots')).map((name) => Number.parseInt(name, 10));
    expect(Math.max(...snapshots)).to.be.at.most(219);
    await expectToServe(219);
  });

  it('refuses records that differ from the signed records', async () => {
    const service = await start();
    await service.close(); // moves the records from the write-ahead log into a table
    rmSync(join(dataDir, 'log'), { recursive: true });
    const otherDataDir = join(parentDirectory, `other ${starter.count()}`);
    const forgedService = await start(otherDataDir);
    for (let number = 1; number <= EVENT_COUNT; number += 1)
      await forgedService.groupDirectory.create(`forged ${number}.`, OPERATOR);
    await forgedService.close();
    renameSync(join(otherDataDir, 'log'), join(dataDir, 'log'));
    const message = await expectRefusal(repair(true));
    expect(message).to.include('cannot be repaired without a backup: checkpoint 100 covers different records');
  });

  describe('with a key file missing or damaged', () => {
    const path = (name: KeyName): string => join(dataDir, 'keys', `${name}.key`);
    const tryToStart = (): Promise<string> =>
      start().then(
        () => 'the server started',
        (error: unknown) => String(error),
      );

    it('creates no key, even if a loss is accepted, nor does the server at startup; both name the file', async () => {
      for (const name of KEY_NAMES) {
        const intactKey = readFileSync(path(name));
        unlinkSync(path(name));
        const expectedRefusal = new RegExp(`keys/${name}\\.key is missing, .* --replace-key ${name}`);
        expect(await tryToStart()).to.match(expectedRefusal);
        expect(String(await repair(true).catch((error: unknown) => error))).to.match(expectedRefusal);
        expect(existsSync(path(name))).to.equal(false);
        writeFileSync(path(name), intactKey);
      }
      await expectToServe(EVENT_COUNT);
    });

    it('creates no key if the events are also missing', async () => {
      rmSync(join(dataDir, 'log'), { recursive: true });
      unlinkSync(path('refresh'));
      expect(await tryToStart()).to.match(/the events from 1 on are missing/);
      expect(existsSync(path('refresh'))).to.equal(false);
    });

    it('creates a new key on request, reports the consequences, and keeps a damaged file', async () => {
      const cookies = readFileSync(path('cookies'));
      unlinkSync(path('refresh'));
      writeFileSync(path('names'), 'damaged');
      const { repaired } = await repair(false, ['refresh', 'names', 'names']);
      expect(repaired).to.have.length(2);
      expect(repaired[0]).to.match(/created a new refresh\.key; all existing refresh tokens are refused/);
      const [, keptDirectory = ''] = /moved \S*names\.key to (\S+)$/.exec(repaired[1] ?? '') ?? [];
      expect(readFileSync(join(keptDirectory, 'names.key'), 'utf8')).to.equal('damaged');
      expect(readFileSync(path('cookies'))).to.deep.equal(cookies);
      await expectToServe(EVENT_COUNT);
    });

    it('does not replace an intact key', async () => {
      const filesBefore = readFilesBelow(dataDir);
      expect(await expectRefusal(repair(true, ['cookies']))).to.include('the key cookies is intact');
      unlinkSync(path('refresh'));
      expect(await expectRefusal(repair(true, ['refresh', 'cookies']))).to.include('the key cookies is intact');
      for (const name of KEY_NAMES.filter((keyName) => keyName !== 'refresh')) {
        expect(readFileSync(path(name))).to.deep.equal(filesBefore.get(path(name)));
      }
    });

    it('changes the signing key only if the loss is accepted, and keeps the checkpoints', async () => {
      unlinkSync(path('log'));
      const issuedFile = readFileSync(join(dataDir, 'checkpoints', 'issued'));
      expect(await expectRefusal(repair(false, ['log']))).to.match(/a different key signs .*--accept-loss/);
      expect(existsSync(path('log'))).to.equal(false);
      const { position, repaired } = await repair(true, ['log']);
      expect(position).to.equal(EVENT_COUNT);
      const [, keptDirectory = ''] = /; moved .* to (\S+)$/.exec(repaired[0] ?? '') ?? [];
      expect(readFileSync(join(keptDirectory, 'checkpoints', 'issued'))).to.deep.equal(issuedFile);
      await expectToServe(EVENT_COUNT);
    });
  });

  it('does not touch a directory that a server has open', async () => {
    const service = await start();
    const error: unknown = await repair().catch((reason: unknown) => reason);
    expect((error as Error).name).to.equal('LogLocked');
    await service.close();
  });

  it('is a command with help and JSON output, and exits with 1 when it refuses', async () => {
    // The functions that open a service or a log are absent, because the command repairs the data directory itself.
    const run = async (...args: readonly string[]) => {
      const output = { out: '', err: '' };
      const status = await runCommand(
        ['log', 'repair', ...args],
        unchecked({
          version: '1.2.3',
          readSettings: () => readConfig({ DATA_DIR: dataDir }, () => '{}'),
          terminal: {
            signal: new AbortController().signal,
            out: async (text: string) => void (output.out += text),
            err: (text: string) => void (output.err += text),
            readInput: async () => '',
          },
        }),
      );
      return { status, ...output };
    };
    expect(JSON.parse((await run('--json')).out)).to.include({ position: EVENT_COUNT });
    unlinkSync(join(dataDir, 'log.head'));
    const result = await run();
    expect(result).to.include({ status: 1, out: '' });
    expect(result.err).to.match(/^grantlog: the log ends at position 300, and .*log\.head.* is missing.*\n$/);
    expect((await run('--accept-loss')).out).to.include('is missing and was rewritten');
    expect((await run('--help')).out)
      .to.include('--accept-loss')
      .and.include('DATA_DIR/damaged');
    unlinkSync(join(dataDir, 'keys', 'cookies.key'));
    expect(await run())
      .to.include({ status: 2 })
      .and.to.have.property('err')
      .that.includes('--replace-key cookies');
    expect((await run('--replace-key', 'cookies')).out).to.include('all browser sessions end');
    expect((await run('--help')).out).to.include('- cookies: all browser sessions end');
    dataDir = join(parentDirectory, 'nowhere');
    expect(await run()).to.include({ status: 2 });
  });
});
