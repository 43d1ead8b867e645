import { runInterval } from './interval.ts';
import type { LoadAnswer, LoadOrder } from './protocol.ts';

/** The process that makes the load: one order after the other, from the process that started it. */
process.on('message', (order: LoadOrder) => {
  void runInterval(order).then(
    (report) => answer({ report }),
    (error: unknown) => answer({ wrong: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

function answer(said: LoadAnswer): void {
  process.send?.(said);
}
