import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESERVE_BYTES, RESERVE_FILE } from '../../../src/platform/files/disk-reserve.ts';
import { openDiskSpace, type DiskSpace } from '../../../src/platform/files/disk-space.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const MEBIBYTE = 1_048_576;
const MIN_FREE_BYTES = 64 * MEBIBYTE;

describe('free disk space', () => {
  let dataDir: string;
  let freeBytes: number;
  let notices: string[];
  let spaces: DiskSpace[];
  let measurementCount: number;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-space-'));
    [freeBytes, notices, spaces, measurementCount] = [1024 * MEBIBYTE, [], [], 0];
  });
  afterEach(async () => {
    await Promise.all(spaces.map((space) => space.close()));
    rmSync(dataDir, { recursive: true });
  });

  async function measure(): Promise<number> {
    measurementCount += 1;
    return freeBytes;
  }

  async function open(): Promise<DiskSpace> {
    const space = await openDiskSpace({
      dataDir,
      minFreeBytes: MIN_FREE_BYTES,
      entropy: seededEntropy('space'),
      freeBytes: measure,
      notice: (line) => notices.push(line),
    });
    spaces.push(space);
    return space;
  }

  const reservePath = (): string => join(dataDir, RESERVE_FILE);

  it('is low below the limit plus the reserve, until it is a quarter above the limit', async () => {
    freeBytes = MIN_FREE_BYTES + RESERVE_BYTES;
    const space = await open();
    expect(space.isLow()).to.equal(false);
    freeBytes -= 1;
    await space.makeRoom();
    expect(space.isLow()).to.equal(true);
    freeBytes = 1.25 * MIN_FREE_BYTES + RESERVE_BYTES - 1;
    await space.makeRoom();
    expect(space.isLow()).to.equal(true);
    freeBytes += 1;
    await space.makeRoom();
    expect(space.isLow()).to.equal(false);
    expect(notices).to.have.length(2);
    expect(notices[0]).to.match(
      /only 79 MiB are free in .*; requests that record events are refused until 96 MiB are free/,
    );
    expect(notices[1]).to.match(/appends are accepted/);
  });

  it('can be awaited until it is no longer low', async () => {
    const space = await open();
    await space.waitForSpace();
    freeBytes = 0;
    await space.makeRoom();
    let isEnough = false;
    const spaceAvailable = space.waitForSpace().then(() => (isEnough = true));
    freeBytes = MIN_FREE_BYTES;
    await space.makeRoom();
    expect(isEnough).to.equal(false);
    freeBytes = 1024 * MEBIBYTE;
    await space.makeRoom();
    await spaceAvailable;
  });

  it('includes a reserve file with allocated blocks, readable only by its owner', async () => {
    const space = await open();
    await waitForAllocation(reservePath());
    await space.close();
    const { size, blocks, mode } = statSync(reservePath());
    expect(size).to.equal(RESERVE_BYTES);
    expect(blocks * 512).to.be.at.least(RESERVE_BYTES);
    expect(mode & 0o777).to.equal(0o600);
  });

  it('includes no new reserve file while it is low', async () => {
    freeBytes = MIN_FREE_BYTES;
    const space = await open();
    await waitForMeasurement();
    await space.close();
    expect(existsSync(reservePath())).to.equal(false);
  });

  it('is increased by removing the reserve file at startup on a full disk, and stays low', async () => {
    writeFileSync(reservePath(), Buffer.alloc(RESERVE_BYTES));
    freeBytes = 4096;
    const space = await open();
    expect(existsSync(reservePath())).to.equal(false);
    freeBytes += RESERVE_BYTES;
    await space.makeRoom();
    expect(space.isLow()).to.equal(true);
  });

  it('includes the reserve file while it is low but not exhausted', async () => {
    writeFileSync(reservePath(), Buffer.alloc(RESERVE_BYTES));
    freeBytes = RESERVE_BYTES;
    const space = await open();
    expect(space.isLow()).to.equal(true);
    expect(existsSync(reservePath())).to.equal(true);
  });

  /** Resolves at the end of a measurement that started after the call. */
  async function waitForMeasurement(): Promise<void> {
    const target = measurementCount + 2;
    await waitUntil(() => measurementCount >= target);
  }

  async function waitForAllocation(path: string): Promise<void> {
    await waitUntil(() => statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES);
  }
});

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
