import fc from 'fast-check';
import { LIFETIMES } from '../support/authorization-model.ts';
import { runningService } from '../support/running-service.ts';
import { createModel, ALL_COMMANDS, settingsFor, type TrafficCommand } from '../support/traffic.ts';
import { MAX_COMMANDS, RUNS } from './runs.ts';

describe('random requests to the service', function () {
  this.timeout(300_000);

  for (const [what, refreshLifetime] of [
    ['without an end', Infinity],
    ['that expire', LIFETIMES.refresh],
  ] as const) {
    it(`leave each token valid exactly as long as a small model says: refresh tokens ${what}`, async () => {
      const commands = fc.commands([...ALL_COMMANDS], { maxCommands: MAX_COMMANDS, size: 'max' });
      await fc.assert(
        fc.asyncProperty(commands, (sequence) => drive(sequence, refreshLifetime)),
        { numRuns: RUNS / 2 },
      );
    });
  }
});

async function drive(sequence: Iterable<TrafficCommand>, refreshLifetime: number): Promise<void> {
  const running = await runningService({ settings: settingsFor(refreshLifetime) });
  const traffic = { running, refreshLifetime };
  try {
    await fc.asyncModelRun(async () => ({ model: await createModel(traffic), real: traffic }), sequence);
  } finally {
    await running.close();
  }
}
