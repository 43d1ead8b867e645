import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createStorageMeter } from '../../../src/platform/metrics/storage-sizes.ts';

describe('The sizes of the stored data', () => {
  let dataDir: string;
  let now: number;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    for (const part of ['log', 'snapshots']) {
      mkdirSync(join(dataDir, part));
      writeFileSync(join(dataDir, part, 'file'), '12345');
    }
    now = 0;
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('are those of the files, or of a database for the parts that it contains', async () => {
    expect((await createStorageMeter({ dataDir, archive: null }, () => now)()).sizes).to.deep.equal({
      log: 5,
      archive: 0,
      snapshots: 5,
    });
    const sharedMeter = createStorageMeter(
      { dataDir, archive: null },
      () => now,
      async () => ({ log: 700 }),
    );
    expect((await sharedMeter()).sizes).to.deep.equal({ log: 700, archive: 0, snapshots: 5 });
  });

  it('include an archive in another directory', async () => {
    const archive = join(dataDir, 'snapshots');
    expect((await createStorageMeter({ dataDir, archive }, () => now)()).sizes).to.include({ archive: 5 });
  });

  it('are measured at most once a minute', async () => {
    let measurements = 0;
    const measureStorage = createStorageMeter(
      { dataDir, archive: null },
      () => now,
      async () => ({ log: (measurements += 1) }),
    );
    await Promise.all([measureStorage(), measureStorage()]);
    now = 60_000;
    expect((await measureStorage()).sizes).to.include({ log: 1 });
    now = 60_001;
    expect((await measureStorage()).sizes).to.include({ log: 2 });
  });

  it('stay unchanged while the database does not respond', async () => {
    let isFailing = false;
    const measure = async () => (isFailing ? Promise.reject(new Error('unreachable')) : { log: 700 });
    const measureStorage = createStorageMeter({ dataDir, archive: null }, () => now, measure);
    await measureStorage();
    [isFailing, now] = [true, 100_000];
    expect((await measureStorage()).sizes).to.include({ log: 700 });
  });
});
