import { expect } from 'chai';
import fc from 'fast-check';
import type { Position } from '../../src/event-store/event-log.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { LIFETIMES } from '../support/authorization-model.ts';
import { prefixLog, type PrefixLog } from '../support/prefix-log.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { createModel, COMMON_COMMANDS, ALL_COMMANDS, settingsFor, type TrafficCommand } from '../support/traffic.ts';
import { MAX_COMMANDS } from './max-commands.ts';
import { repetitions } from '../support/repetitions.ts';

type Digests = Readonly<Record<string, string>>;

const arbitraryTraffic = (kinds: typeof COMMON_COMMANDS) =>
  fc.commands([...kinds], { maxCommands: MAX_COMMANDS, size: 'max' });

describe('a replay of the log', function () {
  this.timeout(300_000);

  it("reproduces the running service's projections at every position", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTraffic(COMMON_COMMANDS), async (sequence) => {
        const { log, running, liveDigests } = await startObservedService();
        await drive(running, sequence, async () => {
          for (const [position, digests] of liveDigests) {
            log.showUntil(position);
            const replayedProjector = await running.service().rebuild(() => {});
            expect({ position: replayedProjector.position(), ...replayedProjector.digests() }).to.deep.equal({
              position,
              ...digests,
            });
          }
        });
      }),
      { numRuns: repetitions(3) },
    );
  });

  it("reproduces the running service's projections, even after erasures", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTraffic(ALL_COMMANDS), async (sequence) => {
        const { running } = await startObservedService();
        await drive(running, sequence, async () => {
          const replayedProjector = await running.service().rebuild(() => {});
          expect(replayedProjector.digests()).to.deep.equal(running.service().projector.digests());
        });
      }),
      { numRuns: repetitions(5) },
    );
  });
});

/** Starts a service that records its digests at each position. */
async function startObservedService(): Promise<{
  log: PrefixLog;
  running: RunningService;
  liveDigests: Map<Position, Digests>;
}> {
  const log = prefixLog(createMemoryLog());
  const running = await runningService({ settings: settingsFor(LIFETIMES.refresh), log });
  const liveDigests = new Map<Position, Digests>();
  log.onEach((position) => liveDigests.set(position, running.service().projector.digests()));
  return { log, running, liveDigests };
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
