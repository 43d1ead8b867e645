import { withOperations } from '../../support/with-operations.ts';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Level } from 'level';
import { fileCheckpoints, memoryCheckpoints } from '../../../src/audit/proofs/issued-checkpoints.ts';
import { memoryTileStore } from '../../../src/audit/proofs/tile-store.ts';
import { verifyLog, type Damage } from '../../../src/audit/proofs/verify.ts';
import { runCommand } from '../../../src/cli/command-line.ts';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../../src/platform/ports.ts';
import { openInspection } from '../../../src/composition/inspection.ts';
import { openService } from '../../../src/composition/open-service.ts';
import type { Service } from '../../../src/composition/service.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import { quickHasher } from '../../support/quick-hasher.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { withoutDatabase } from '../../support/without-database.ts';
import { repetitions } from '../../support/repetitions.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const RECORDS = 300;
const FIRST_CHECKPOINT = 100;

describe('log verify', () => {
  let original: string;
  let dataDir: string;

  const readSettings = () => readConfig({ DATA_DIR: dataDir }, () => '{}');
  const open = (): Promise<Service> =>
    openService(readSettings().config, {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });

  before(async function () {
    this.timeout(300_000);
    original = mkdtempSync(join(tmpdir(), 'grantlog-'));
    dataDir = original;
    const service = await open();
    for (let number = 1; number <= RECORDS; number += 1) {
      await service.groupDirectory.create(`group ${number}`, OPERATOR);
      if (number === FIRST_CHECKPOINT) await service.attestation.checkpointNow();
    }
    await service.close();
  });

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    cpSync(original, dataDir, { recursive: true });
  });

  afterEach(() => rmSync(dataDir, { recursive: true }));
  after(() => rmSync(original, { recursive: true }));

  async function run(...args: readonly string[]): Promise<{ status: number; out: string; err: string }> {
    const output = { out: '', err: '' };
    const status = await runCommand(args, {
      version: '1',
      readSettings,
      open,
      inspect: (config) => openInspection(config, systemEntropy()),
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => {
        await (await open()).close();
        return 0;
      },
      terminal: {
        signal: new AbortController().signal,
        readInput: async () => '',
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
      },
    });
    return { status, ...output };
  }

  async function expectFirstDamageAt(position: number): Promise<void> {
    const { status, err, out } = await run('log', 'verify');
    expect(err, out).to.include(`the first damaged position is ${position}.`);
    expect(status).to.equal(1);
  }

  /** Expects that the server does not start and explains the reason in one line. */
  async function expectNotServing(): Promise<void> {
    const { status, err } = await run('serve');
    expect(status).to.equal(2);
    expect(err).to.match(/^grantlog: .*restore .*\n$/);
  }

  /** Rewrites the records in LevelDB while the service is stopped. Removed records shorten the last groups. */
  async function rewrite(change: (records: string[]) => void): Promise<void> {
    const db = new Level(join(dataDir, 'log'));
    const groups = await db.iterator({ gte: 'e', lt: 'f' }).all();
    const records = groups.flatMap(([, group]) => group.split('\n'));
    change(records);
    let next = 0;
    for (const [key, group] of groups) {
      const groupRecords = records.slice(next, (next += group.split('\n').length));
      await (groupRecords.length === 0 ? db.del(key) : db.put(key, groupRecords.join('\n')));
    }
    await db.close();
  }

  function overwrite(path: string, change: (bytes: Buffer) => void): void {
    const bytes = readFileSync(path);
    change(bytes);
    writeFileSync(path, bytes);
  }

  it('reports no damage in an intact log', async () => {
    const { status, out } = await run('log', 'verify');
    expect(status).to.equal(0);
    expect(out).to.match(/of 300 records, verified against 2 checkpoints and 1 tile\n$/);
  });

  for (const position of [1, 57, 100, 101, 256]) {
    it(`names record ${position} if it has been changed, and the server does not start`, async () => {
      await rewrite((records) => {
        records[position - 1] = (records[position - 1] ?? '').replace(`group ${position}`, `group x${position}`);
      });
      await expectFirstDamageAt(position);
      await expectNotServing();
    });
  }

  it('names the position after the last matching checkpoint if the changed record is in no full tile', async () => {
    await rewrite((records) => void (records[279] = (records[279] ?? '').replace('group 280', 'group 28x')));
    await expectFirstDamageAt(FIRST_CHECKPOINT + 1);
    await expectNotServing();
  });

  it('names the first of two swapped records', async () => {
    await rewrite((records) => void ([records[41], records[140]] = [records[140] ?? '', records[41] ?? '']));
    await expectFirstDamageAt(42);
    await expectNotServing();
  });

  it('names the end of the log if its last records have been removed', async () => {
    await rewrite((records) => void records.splice(290));
    await expectFirstDamageAt(291);
    await expectNotServing();
  });

  it('names a record that was removed from the middle', async () => {
    const db = new Level(join(dataDir, 'log'));
    await db.del('e0000000000000123');
    await db.close();
    await expectFirstDamageAt(123);
    await expectNotServing();
  });

  it('names the record whose hash in a tile has been changed', async () => {
    overwrite(join(dataDir, 'tile', '0', '000'), (bytes) => void (bytes[32 * 199 + 5]! ^= 1));
    await expectFirstDamageAt(200);
  });

  it('names the range that a changed checkpoint no longer covers', async () => {
    overwrite(join(dataDir, 'checkpoints', 'issued'), (bytes) => void (bytes[bytes.length - 20]! ^= 1));
    await expectFirstDamageAt(FIRST_CHECKPOINT + 1);
    await expectNotServing();
  });

  it('reports missing, extra and incorrect entries in the stream index', async () => {
    const intactResult = await run('log', 'verify');
    expect(intactResult.status).to.equal(0);
    const db = new Level(join(dataDir, 'log'));
    const keys = await db.keys({ gte: 's', lt: 't' }).all();
    const [indexKey = '', otherKey = ''] = keys;
    const value = (await db.get(indexKey)) ?? '';
    const position = Number(value.split(' ')[1]);
    await db.close();
    const changes: readonly [change: (level: Level) => Promise<void>, message: RegExp][] = [
      [
        (level) => level.del(indexKey),
        new RegExp(`^DAMAGED at position ${position}: .*the stream index does not point to the event`, 'm'),
      ],
      [
        async (level) => level.put(indexKey, (await level.get(otherKey)) ?? ''),
        new RegExp(`^DAMAGED at position ${position}: .*does not point to the event`, 'm'),
      ],
      [(level) => level.put(indexKey, value.replace(/1$/, '2')), /^DAMAGED at position \d+: /m],
      [
        (level) => level.put(`${indexKey.slice(0, -1)}7`, value),
        new RegExp(`^DAMAGED at position ${position}: .*has an incorrect entry for this position in group-\\S+`, 'm'),
      ],
    ];
    for (const [change, message] of changes) {
      const level = new Level(join(dataDir, 'log'));
      await change(level);
      await level.close();
      const { status, out } = await run('log', 'verify');
      expect(status, String(message)).to.equal(1);
      expect(out).to.match(message);
      rmSync(dataDir, { recursive: true });
      cpSync(original, dataDir, { recursive: true });
    }
  });

  it('reports a checkpoint signed with a different key', async () => {
    const { config } = readSettings();
    const inspection = await openInspection(config, systemEntropy());
    const checkpoints = fileCheckpoints(join(dataDir, 'checkpoints'), ephemeralKeys(seededEntropy('other')));
    const otherInspection = { ...inspection, checkpoints };
    const defects: Damage[] = [];
    for await (const item of verifyLog(otherInspection, new AbortController().signal))
      if ('damage' in item) defects.push(item);
    await otherInspection.close();
    expect(defects.map(({ position }) => position)).to.deep.equal([1, 1]);
  });

  it('reports any flipped bit in the stored records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 0.9, noNaN: true }), fc.nat({ max: 7 }), async (fraction, bit) => {
        rmSync(dataDir, { recursive: true });
        cpSync(original, dataDir, { recursive: true });
        const file = readdirSync(join(dataDir, 'log')).find((name) => name.endsWith('.log')) ?? '';
        overwrite(
          join(dataDir, 'log', file),
          (bytes) => void (bytes[Math.floor(fraction * bytes.length)]! ^= 1 << bit),
        );
        const { status, err } = await run('log', 'verify');
        expect(err).to.match(/the first damaged position is \d+\. Keep the data directory unchanged, and restore/);
        expect(status).to.equal(1);
      }),
      { numRuns: repetitions(25) },
    );
  }).timeout(180_000);

  it('reports a storage error as damage after the last readable record', async () => {
    const failingLog = {
      head: () => 5 as never,
      async *readAll() {
        yield [];
        throw new Error('Corruption: block checksum mismatch');
      },
    };
    const items: unknown[] = [];
    const inspection = {
      log: failingLog,
      tiles: memoryTileStore(),
      checkpoints: memoryCheckpoints(),
      heads: undefined,
    };
    for await (const item of verifyLog(inspection, new AbortController().signal)) items.push(item);
    expect(items).to.have.length(1);
    expect(items[0]).to.include({ position: 1 });
    expect((items[0] as Damage).damage).to.match(/block checksum mismatch.*restore the newest backup/);
  });
});
