import { runInterval } from './interval.ts';
import type { LoadAnswer, LoadOrder } from './protocol.ts';

/** The load generator process. Executes orders from its parent, one at a time. */
process.on('message', (order: LoadOrder) => {
  void runInterval(order).then(
    (report) => send({ report }),
    (error: unknown) => send({ wrong: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

function send(answer: LoadAnswer): void {
  process.send?.(answer);
}
