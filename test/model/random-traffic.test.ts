import fc from 'fast-check';
import { LIFETIMES } from '../support/authorization-model.ts';
import { anyNode } from '../support/any-node.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { createModel, ALL_COMMANDS, settingsFor, type TrafficCommand } from '../support/traffic.ts';
import { MAX_COMMANDS } from './max-commands.ts';
import { repetitions } from '../support/repetitions.ts';

describeTraffic('the service', repetitions(15), async (settings) => runningService({ settings }));
// A run with three nodes takes three times as long and tests the same rules.
describeTraffic('random nodes of a three-node cluster', repetitions(5), (settings, seed) =>
  anyNode(3, seed, { settings }),
);

type Start = (settings: ReturnType<typeof settingsFor>, seed: number) => Promise<RunningService>;

function describeTraffic(target: string, runs: number, start: Start): void {
  describe(`random requests to ${target}`, function () {
    this.timeout(300_000);

    for (const [expiry, refreshLifetime] of [
      ['never expire', Infinity],
      ['expire', LIFETIMES.refresh],
    ] as const) {
      it(`leave each token valid exactly as long as a simple model does, if refresh tokens ${expiry}`, async () => {
        const commands = fc.commands([...ALL_COMMANDS], { maxCommands: MAX_COMMANDS, size: 'max' });
        await fc.assert(
          fc.asyncProperty(commands, fc.nat(), (sequence, seed) =>
            drive(sequence, refreshLifetime, (settings) => start(settings, seed)),
          ),
          { numRuns: runs },
        );
      });
    }
  });
}

async function drive(
  sequence: Iterable<TrafficCommand>,
  refreshLifetime: number,
  start: (settings: ReturnType<typeof settingsFor>) => Promise<RunningService>,
): Promise<void> {
  const running = await start(settingsFor(refreshLifetime));
  const traffic = { running, refreshLifetime };
  try {
    await fc.asyncModelRun(async () => ({ model: await createModel(traffic), real: traffic }), sequence);
  } finally {
    await running.close();
  }
}
