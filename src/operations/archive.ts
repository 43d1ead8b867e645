import { z } from 'zod';
import type { ArchiveOptions, ArchiveStep } from '../event-store/event-log.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './refused.ts';

/** About a line a second. */
const EVENTS_PER_REPORT = 250_000;

export const archiveOperations: Readonly<Record<string, Operation>> = {
  'log archive': streamingOperation(
    z.strictObject({ before: z.number() }),
    async function* ({ before }, { log: { archive }, attestation }, signal) {
      if (archive === undefined)
        throw new OperationRefused('the engine that keeps this log has no archive; every event stays where it is');
      const moved = yield* withProgress((progress) => archive.archiveBefore(before, { signal, progress }), signal);
      if (moved === undefined) return;
      if (moved.events > 0) await attestation.checkpointNow(); // later, a signature is over all that was moved
      const { events, end, files, textBytes, archivedBytes } = moved;
      yield { events, end, files, text_bytes: textBytes, archived_bytes: archivedBytes };
    },
  ),
};

/** Yields the steps of what runs, not all of the many small ones, and returns what it comes to; undefined when it was stopped. */
async function* withProgress<Result>(
  run: (progress: ArchiveOptions['progress']) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<ArchiveStep, Result | undefined, void> {
  const steps: ArchiveStep[] = [];
  let told = 0;
  let isOver = false;
  let wake: (() => void) | undefined;
  const running = run((step) => {
    const isSmall = step.step === 'compressed' || step.step === 'dropped';
    if (isSmall && Math.abs(step.position - told) < EVENTS_PER_REPORT) return;
    told = step.position;
    steps.push(step);
    wake?.();
  }).finally(() => {
    isOver = true;
    wake?.();
  });
  running.catch(() => {}); // thrown below, once all is told
  for (;;) {
    const step = steps.shift();
    if (step !== undefined) yield step;
    else if (isOver) break;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  try {
    return await running;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
