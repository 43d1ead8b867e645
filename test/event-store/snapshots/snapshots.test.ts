import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { configFromSettings } from '../../../src/config/config.ts';
import { openService } from '../../../src/composition/open-service.ts';
import type { Service } from '../../../src/composition/service.ts';
import { UNLIMITED_SPACE } from '../../../src/platform/files/disk-space.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import type { Position } from '../../../src/event-store/event-log.ts';
import { memorySnapshotStore } from '../../../src/event-store/snapshots/snapshot-store.ts';
import { createSnapshots } from '../../../src/event-store/snapshots/snapshots.ts';
import { mostRedundantPosition } from '../../../src/event-store/snapshots/snapshots.ts';
import { SNAPSHOT_VERSION } from '../../../src/event-store/snapshots/snapshot-format.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { quickHasher } from '../../support/quick-hasher.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { repetitions } from '../../support/repetitions.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const INTERVAL = 100;

describe('the snapshots in a data directory', () => {
  let dataDir: string;
  let notices: string[];
  let seed = 0;
  const clock = manualClock();

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'snapshots-'));
    notices = [];
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const open = (directory = dataDir): Promise<Service> =>
    openService(configFromSettings({ dataDir: directory, snapshotEvents: INTERVAL }), {
      clock,
      entropy: seededEntropy(`snapshots ${(seed += 1)}`),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
      notice: (line) => void notices.push(line),
    });

  const listFiles = (): readonly string[] =>
    readdirSync(join(dataDir, 'snapshots')).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const newestPath = (): string =>
    join(dataDir, 'snapshots', listFiles().at(-1) ?? expect.fail('there is no snapshot'));

  async function appendEvents(events: number, directory = dataDir): Promise<void> {
    const service = await open(directory);
    for (let count = 0; count < events; count += 1)
      await service.groupDirectory.create(`group ${seed} ${count}`, OPERATOR);
    await service.close();
  }

  /** Starts the server, and checks that its projections equal those of a full replay. */
  async function startAndCompare(): Promise<{ readonly notices: readonly string[]; readonly groups: number }> {
    notices = [];
    const service = await open();
    try {
      const rebuiltProjector = await service.rebuild(() => {});
      expect(service.projector.digests()).to.deep.equal(rebuiltProjector.digests());
      expect(service.projector.position()).to.equal(service.log.head());
      return { notices, groups: service.projections.groups.all().length };
    } finally {
      await service.close();
    }
  }

  it('are written after the configured number of events, and are readable only by their owner', async () => {
    await appendEvents(INTERVAL - 1);
    expect(listFiles()).to.deep.equal([]);
    await appendEvents(1);
    expect(listFiles()).to.deep.equal([`${INTERVAL}.snapshot`]);
    expect(statSync(newestPath()).mode & 0o777).to.equal(0o600);
    expect(statSync(join(dataDir, 'snapshots')).mode & 0o777).to.equal(0o700);
  });

  it('let the server start without reading the events before the newest snapshot', async () => {
    await appendEvents(INTERVAL * 2 + 7);
    const readPositions: number[] = [];
    const service = await open();
    try {
      const { readAll } = service.log;
      const log = {
        ...service.log,
        readAll: (after: Parameters<typeof readAll>[0]) => (readPositions.push(after), readAll(after)),
      };
      const { fileSnapshotStore } = await import('../../../src/event-store/snapshots/snapshot-store.ts');
      const snapshots = createSnapshots({
        store: fileSnapshotStore(join(dataDir, 'snapshots')),
        key: service.keys.snapshots,
        log,
        everyEvents: INTERVAL,
        space: UNLIMITED_SPACE,
        notice: () => {},
      });
      const restoredSnapshot = await snapshots.restore(
        () => true,
        () => ({ projections: [] }),
      );
      expect(restoredSnapshot?.progress).to.include({ position: INTERVAL * 2, before: INTERVAL * 2 - 1 });
      expect(readPositions).to.deep.equal([INTERVAL * 2 - 1]);
    } finally {
      await service.close();
    }
    expect(await startAndCompare()).to.deep.equal({ notices: [], groups: INTERVAL * 2 + 7 });
  });

  it('are reported and ignored if any byte has changed, in favor of an older snapshot or a replay', async () => {
    await appendEvents(INTERVAL * 2 + 3);
    const [path, intactBytes] = [newestPath(), readFileSync(newestPath())];
    await fc.assert(
      fc.asyncProperty(fc.nat(intactBytes.length - 1), fc.integer({ min: 1, max: 255 }), async (offset, change) => {
        const damagedBytes = Buffer.from(intactBytes);
        damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ change;
        // Removes the snapshots that the previous startup wrote, because it replayed many events.
        for (const name of listFiles().slice(2)) rmSync(join(dataDir, 'snapshots', name));
        writeFileSync(path, damagedBytes);
        const { notices: printedNotices, groups } = await startAndCompare();
        expect(printedNotices)
          .to.have.length(1)
          .and.satisfy(([line]: string[]) => line?.startsWith(`the snapshot at position ${INTERVAL * 2} is ignored: `));
        expect(groups).to.equal(INTERVAL * 2 + 3);
      }),
      { numRuns: repetitions(15) },
    );
  });

  it('are ignored if they have been truncated or emptied', async () => {
    await appendEvents(INTERVAL);
    const intactBytes = readFileSync(newestPath());
    for (const length of [0, 1, 40, intactBytes.length - 1]) {
      writeFileSync(newestPath(), intactBytes.subarray(0, length));
      expect((await startAndCompare()).notices, `${length} bytes`).to.have.length(1);
    }
  });

  it('are ignored if a different release wrote them', async () => {
    await appendEvents(INTERVAL);
    writeFileSync(
      newestPath(),
      readFileSync(newestPath(), 'latin1').replace(
        `"version":${SNAPSHOT_VERSION}`,
        `"version":${SNAPSHOT_VERSION + 1}`,
      ),
      'latin1',
    );
    expect((await startAndCompare()).notices[0]).to.contain(`version ${SNAPSHOT_VERSION + 1}`);
  });

  it('are ignored if they are from a different server, or from a different log of the same server', async () => {
    const otherDir = mkdtempSync(join(tmpdir(), 'snapshots-'));
    try {
      await appendEvents(INTERVAL);
      await appendEvents(INTERVAL, otherDir);
      const ownSnapshot = readFileSync(newestPath());
      writeFileSync(newestPath(), readFileSync(join(otherDir, 'snapshots', `${INTERVAL}.snapshot`)));
      expect((await startAndCompare()).notices[0]).to.contain('a different server wrote it');
      // the same keys with a different log
      for (const part of ['log', 'log.head', 'tile', 'checkpoints']) {
        rmSync(join(dataDir, part), { recursive: true, force: true });
      }
      writeFileSync(newestPath(), ownSnapshot);
      rmSync(newestPath());
      await appendEvents(INTERVAL - 1);
      writeFileSync(join(dataDir, 'snapshots', `${INTERVAL}.snapshot`), ownSnapshot);
      expect((await startAndCompare()).notices, 'it is beyond the end of the log').to.deep.equal([]);
      await appendEvents(5);
      writeFileSync(join(dataDir, 'snapshots', `${INTERVAL}.snapshot`), ownSnapshot);
      expect((await startAndCompare()).notices[0]).to.contain('a different log');
    } finally {
      rmSync(otherDir, { recursive: true, force: true });
    }
  });

  it('are ignored if a required tile is missing, which the replay recreates', async () => {
    await appendEvents(INTERVAL * 3);
    const tile = join(dataDir, 'tile', '0', '000');
    const intactBytes = readFileSync(tile);
    rmSync(tile);
    expect((await startAndCompare()).notices[0]).to.contain('tile 0 at level 0 is missing');
    expect(readFileSync(tile)).to.deep.equal(intactBytes);
  });

  it('contain no personal data in plain text', async () => {
    const service = await open();
    const names = Array.from({ length: INTERVAL / 2 }, (_, index) => `Leonhard Euler the ${index}`);
    for (const username of names) {
      const { user } = (await service.accounts.register(
        {
          username,
          password: 'e to the i pi',
          email: `${names.indexOf(username)}@example.org`,
          firstName: 'Leonhard',
          lastName: 'Euler',
        },
        OPERATOR,
      )) as { user: Parameters<typeof service.accounts.disable>[0] };
      await service.accounts.disable(user, OPERATOR);
    }
    await service.close();
    const text = readFileSync(newestPath(), 'latin1');
    for (const value of ['Leonhard', 'Euler', 'example.org', '$argon2id$', 'e to the i pi'])
      expect(text).to.not.contain(value);
    const reopenedService = await open();
    expect(reopenedService.projections.users.all().map(({ username, active }) => ({ username, active }))).to.deep.equal(
      names.map((username) => ({ username, active: false })),
    );
    await reopenedService.close();
  });

  it('are written at shutdown if the next startup would replay many events, even if they are large', async () => {
    const service = await open();
    for (let count = 0; count < INTERVAL * 9; count += 1) {
      await service.groupDirectory.create(`${'g'.repeat(140)} ${count}`, OPERATOR);
      await service.snapshotsSettled();
    }
    const newestPosition = Number.parseInt(listFiles().at(-1) ?? '', 10);
    expect(service.log.head() - newestPosition, 'no snapshot was due because of their size').to.be.above(INTERVAL);
    await service.close();
    expect(Number.parseInt(listFiles().at(-1) ?? '', 10)).to.equal(service.log.head());
    expect((await startAndCompare()).notices).to.deep.equal([]);
  });

  it('are limited to eight, spread over the log, and always include the newest snapshot', async () => {
    const service = await open();
    for (let count = 0; count < INTERVAL * 20; count += 1) {
      await service.groupDirectory.create(`group ${count}`, OPERATOR);
      if (count % INTERVAL === INTERVAL - 1) await service.snapshotsSettled();
    }
    await service.close();
    const positions = listFiles().map((name) => Number.parseInt(name, 10));
    expect(positions).to.have.length(8);
    expect(positions.at(-1)).to.be.greaterThan(INTERVAL * 18);
    const gaps = positions.map((position, index) => position - (positions[index - 1] ?? 0));
    expect(Math.max(...gaps)).to.be.at.most(INTERVAL * 4);
  });

  it('are optional: the server keeps running if they cannot be written', async () => {
    await appendEvents(1);
    rmSync(join(dataDir, 'snapshots'), { recursive: true });
    const service = await open();
    rmSync(join(dataDir, 'snapshots'), { recursive: true });
    for (let count = 0; count < INTERVAL; count += 1) await service.groupDirectory.create(`group ${count}`, OPERATOR);
    await service.close();
    expect(notices).to.have.length(1);
    expect(notices[0]).to.contain('could not be written');
    expect((await startAndCompare()).groups).to.equal(INTERVAL + 1);
  });
});

describe('snapshots on a disk that is almost full', () => {
  it('are not written, not even at shutdown, until there is space again', async () => {
    let isLow = true;
    const store = memorySnapshotStore();
    const snapshots = createSnapshots({
      store,
      key: ephemeralKeys(seededEntropy('snapshots')).snapshots,
      log: { readAll: async function* readNothing() {} },
      everyEvents: INTERVAL,
      space: { isLow: () => isLow },
      notice: (line) => expect.fail(line),
    });
    const freezable = { projections: [], root: () => '', settled: async () => {} };
    const reach = (position: number): void => {
      const progress = { position: position as Position, before: (position - 1) as Position, record: '', latest: 1 };
      snapshots.onApplied(progress, freezable);
    };
    reach(INTERVAL);
    await snapshots.finish();
    expect(store.positions()).to.deep.equal([]);
    isLow = false;
    reach(2 * INTERVAL);
    await snapshots.settled();
    expect(store.positions()).to.deep.equal([2 * INTERVAL]);
  });
});

describe('thinning out snapshots', () => {
  it('removes the position that leaves the smallest gap, but never the last position', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1 }), { minLength: 3 }), (unorderedPositions) => {
        const positions = unorderedPositions.toSorted((a, b) => a - b);
        const redundantPosition = mostRedundantPosition(positions);
        expect(positions.slice(0, -1)).to.include(redundantPosition);
        const gapWithout = (position: number): number => {
          const index = positions.indexOf(position);
          return (positions[index + 1] ?? Infinity) - (positions[index - 1] ?? 0);
        };
        for (const position of positions.slice(0, -1))
          expect(gapWithout(redundantPosition)).to.be.at.most(gapWithout(position));
      }),
    );
  });
});
