import { runInterval } from './interval.ts';
import type { LoadOutcome, LoadJob } from './protocol.ts';

/** The load generator process. Runs jobs from its parent, one at a time. */
process.on('message', (job: LoadJob) => {
  void runInterval(job).then(
    (report) => send({ report }),
    (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

function send(outcome: LoadOutcome): void {
  process.send?.(outcome);
}
