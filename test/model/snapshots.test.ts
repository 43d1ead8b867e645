import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import type { Projection } from '../../src/event-store/projector.ts';
import type { Service } from '../../src/composition/service.ts';
import { LIFETIMES } from '../support/authorization-model.ts';
import { prefixLog } from '../support/prefix-log.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { createModel, COMMON_COMMANDS, ALL_COMMANDS, settingsFor, type TrafficCommand } from '../support/traffic.ts';
import { MAX_COMMANDS } from './max-commands.ts';
import { repetitions } from '../support/repetitions.ts';

type Digests = Readonly<Record<string, string>>;

/** Restarts the service from the newest snapshot, which must not change its state. */
const restart: TrafficCommand = {
  check: () => true,
  toString: () => 'restart',
  async run(_model, { running }) {
    const digestsBefore = running.service().projector.digests();
    await running.restart();
    expect(running.service().projector.digests()).to.deep.equal(digestsBefore);
  },
};

const arbitraryTraffic = (kinds: typeof COMMON_COMMANDS) =>
  fc.commands([...kinds, fc.constant(restart)], { maxCommands: MAX_COMMANDS, size: 'max' });
const arbitraryInterval = fc.constantFrom(1, 2, 5, 20);

describe('a service that starts from snapshots', function () {
  this.timeout(300_000);

  it('has the same state as a full replay, with restarts at any time and after erasures', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTraffic(ALL_COMMANDS), arbitraryInterval, async (sequence, snapshotEvents) => {
        const { running } = await startObservedService(snapshotEvents);
        await drive(running, sequence, async () => {
          const replayedProjector = await running.service().rebuild(() => {});
          expect(running.service().projector.digests()).to.deep.equal(replayedProjector.digests());
        });
      }),
      { numRuns: repetitions(5) },
    );
  });

  it('reproduces the earlier states of the live projections, at a sample of positions', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTraffic(COMMON_COMMANDS), arbitraryInterval, async (sequence, snapshotEvents) => {
        const { running, liveDigests } = await startObservedService(snapshotEvents);
        await drive(running, sequence, async () => {
          for (const [position, { tree: _, ...liveEntries }] of sample(liveDigests)) {
            expect({ at: position, ...(await digestsAsOf(running.service(), position)) }).to.deep.equal({
              at: position,
              last: position,
              ...liveEntries,
            });
          }
        });
      }),
      { numRuns: repetitions(3) },
    );
  });
});

async function startObservedService(
  snapshotEvents: number,
): Promise<{ running: RunningService; liveDigests: Map<Position, Digests> }> {
  const log = prefixLog(createMemoryLog());
  const running = await runningService({ settings: { ...settingsFor(LIFETIMES.refresh), snapshotEvents }, log });
  const liveDigests = new Map<Position, Digests>();
  log.onEach((position) => liveDigests.set(position, running.service().projector.digests()));
  return { running, liveDigests };
}

/** Returns the last entry and a few earlier ones. Comparing all of them would take too many replays. */
function sample<Entry>(entries: Iterable<Entry>): readonly Entry[] {
  const newestFirst = [...entries].toReversed();
  return newestFirst.filter((_, index) => index % Math.ceil(newestFirst.length / SAMPLE_COUNT) === 0);
}

const SAMPLE_COUNT = 8;

async function digestsAsOf(service: Service, position: number): Promise<Readonly<Record<string, unknown>>> {
  const { projections, last } = await service.projectionsAsOf({ position, time: Infinity });
  return {
    last: last?.position,
    ...Object.fromEntries(
      Object.values(projections as unknown as Record<string, Projection>).map((projection) => [
        projection.name,
        digest(projection),
      ]),
    ),
  };
}

function digest(projection: Projection): string {
  const hash = createHash('sha256');
  for (const entry of projection.contents()) hash.update(JSON.stringify(entry)).update('\n');
  return hash.digest('hex');
}

async function drive(
  running: RunningService,
  sequence: Iterable<TrafficCommand>,
  compare: () => Promise<void>,
): Promise<void> {
  const traffic = { running, refreshLifetime: LIFETIMES.refresh };
  try {
    await fc.asyncModelRun(async () => ({ model: await createModel(traffic), real: traffic }), sequence);
    await compare();
  } finally {
    await running.close();
  }
}
