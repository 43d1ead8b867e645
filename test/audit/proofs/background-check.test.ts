import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { operate } from '../../../src/operations/operations.ts';
import { checkServerState } from '../../../src/cli/doctor-server.ts';
import { controlSocketPath } from '../../../src/cli/operation-target.ts';
import { serveControl } from '../../../src/operations/control/server.ts';
import { createHealthFiguresReader } from '../../../src/http/pages/admin/health-figures.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { sumSamples } from '../../support/samples.ts';
import { createStarter, findFile, flipBit } from '../../support/stored-files.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const EVENTS = 700;
const ARCHIVED = 200;
const NEVER = new AbortController().signal;

describe('the background check of the stored log', () => {
  let parent: string;
  let original: string;
  let dataDir: string;
  const starter = createStarter(300);

  before(async () => {
    parent = mkdtempSync(join(tmpdir(), 'grantlog-background-'));
    original = join(parent, 'original');
    const clock = manualClock();
    const service = await starter.start(original, clock);
    for (let number = 1; number <= EVENTS; number += 1) {
      await service.groupDirectory.create(`group ${number}`, OPERATOR);
      if (number === ARCHIVED) clock.advance(60);
    }
    await service.snapshotsSettled();
    await service.log.archive?.archiveBefore(clock.now(), { signal: NEVER, progress: () => {} });
    await service.close();
    expect(readdirSync(join(original, 'snapshots')).map((name) => Number.parseInt(name, 10))).to.include(600);
  });
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(parent, 'copy-')), 'data');
    cpSync(original, dataDir, { recursive: true });
  });
  after(() => rmSync(parent, { recursive: true }));

  async function changeLevel(change: (db: Level) => Promise<void>): Promise<void> {
    const db = new Level(join(dataDir, 'log'));
    await change(db);
    await db.close();
  }

  const groupKey = (position: number): string => `e${String(position).padStart(16, '0')}`;

  it('reads the complete log, and reports nothing if it is intact', async () => {
    const service = await starter.start(dataDir);
    const { backgroundCheck: check } = service;
    expect([check.position(), check.end(), check.isFinished()]).to.deep.equal([0, EVENTS, false]);
    await service.groupDirectory.create('created during the check', OPERATOR);
    await service.attestation.checkpointNow();
    await check.start(NEVER);
    expect([check.position(), check.isFinished(), check.findings()]).to.deep.equal([EVENTS, true, []]);
    expect(starter.notices()).to.deep.equal([]);
    await service.close();
  });

  const archiveFile = (name: RegExp): string => findFile(join(dataDir, 'archive'), name);
  const changeRecord = async (position: number): Promise<void> =>
    changeLevel(async (db) => {
      const group = (await db.get(groupKey(position))) ?? '';
      await db.put(groupKey(position), group.replace('"group ', '"GROUP '));
    });

  const DAMAGE_CASES: readonly (readonly [location: string, inflict: () => Promise<void> | void, message: RegExp])[] = [
    [
      'a record before the newest snapshot',
      () => changeRecord(451),
      /position 451: the record or tile 1 at level 0 has been changed/,
    ],
    ['a missing record', () => changeLevel((db) => db.del(groupKey(452))), /at position 452: the event is missing/],
    [
      'an entry in the stream index',
      () =>
        changeLevel(async (db) => {
          const [key = ''] = await db.keys({ gte: 's', lt: 't', limit: 1 }).all();
          await db.del(key);
        }),
      /the stream index does not point to the event/,
    ],
    [
      'a bit in a table',
      () => flipBit(findFile(join(dataDir, 'log'), /\.ldb$/), 100),
      /the block at byte 0 of .*\.ldb/,
    ],
    [
      'a bit in a filter, which is not read at startup',
      () => {
        const table = findFile(join(dataDir, 'log'), /\.ldb$/);
        flipBit(table, statSync(table).size - 400);
      },
      /the block at byte \d+ of .*\.ldb is damaged/,
    ],
    ['an archived record', () => flipBit(archiveFile(/\.gz$/), 500), /the archive file .*\.jsonl\.gz is damaged/],
    ['an archive index', () => flipBit(archiveFile(/\.index$/), 100), /the archive file .*\.index is damaged/],
    ['a tile', () => flipBit(join(dataDir, 'tile', '0', '000'), 32 * 99), /position 100: .* or tile 0 at level 0 has/],
  ];
  for (const [location, inflict, message] of DAMAGE_CASES) {
    it(`reports damage while the server is running: ${location}`, async () => {
      await inflict();
      const service = await starter.start(dataDir);
      expect(starter.notices(), 'notices at startup').to.deep.equal([]);
      await service.backgroundCheck.start(NEVER);
      expect(starter.notices().length).to.be.at.least(1);
      expect(starter.notices()[0]).to.match(message).and.include('Run grantlog log verify');
      expect(service.backgroundCheck.isFinished()).to.equal(true);
      await service.close();
    });
  }

  it('shows damage in the metrics, on the Health page and in the output of doctor', async () => {
    await changeLevel((db) => db.del(groupKey(452)));
    const service = await starter.start(dataDir);
    const figures = async (): Promise<string> => JSON.stringify(await createHealthFiguresReader(service)());
    expect(await figures()).to.include('health.verified-nothing');
    await service.backgroundCheck.start(NEVER);
    const { text } = await service.metrics.exposition();
    expect(sumSamples(text, 'grantlog_stored_log_damages')).to.equal(1);
    expect(sumSamples(text, 'grantlog_stored_log_checked_position')).to.be.below(452);
    expect(await figures()).to.include('health.verified-damaged');
    const control = await serveControl(controlSocketPath(dataDir), operate(service));
    const storedLogCheck = (await checkServerState({ dataDir })).find(({ check }) => check === 'stored log');
    await control.close();
    expect(
      [storedLogCheck?.ok, storedLogCheck?.says.includes('damaged at position 452')],
      storedLogCheck?.says,
    ).to.deep.equal([false, true]);
    await service.close();
  });

  it('stops when the server stops', async () => {
    const service = await starter.start(dataDir);
    const controller = new AbortController();
    const checking = service.backgroundCheck.start(controller.signal);
    controller.abort();
    await checking;
    expect([service.backgroundCheck.isFinished(), service.backgroundCheck.findings()]).to.deep.equal([false, []]);
    expect(starter.notices()).to.deep.equal([]);
    await service.close();
  });

  it('prints at most ten notices', async () => {
    await changeLevel(async (db) => {
      for (const key of await db.keys({ gte: 's', lt: 't', limit: 30 }).all()) await db.del(key);
    });
    const service = await starter.start(dataDir);
    await service.backgroundCheck.start(NEVER);
    expect(starter.notices()).to.have.length(10);
    await service.close();
  });
});
