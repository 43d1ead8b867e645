import { z } from 'zod';
import type { ArchiveOptions, ArchiveStep, ArchivingRefused } from '../event-store/event-log.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

/** About one progress line per second. */
const EVENTS_PER_REPORT = 250_000;

const NO_ARCHIVE = 'only a log in a data directory or in PostgreSQL has an archive; no events were moved';

export const archiveOperations: Readonly<Record<string, Operation>> = {
  'log archive': streamingOperation(
    z.strictObject({ before: z.number() }),
    async function* ({ before }, { log: { archive }, attestation }, signal) {
      if (archive === undefined) throw new OperationRefused(NO_ARCHIVE);
      const result = yield* withProgress(
        (progress) => archive.archiveBefore(before, { signal, progress }).catch(refuse),
        signal,
      );
      if (result === undefined) return;
      if (result.events > 0) await attestation.checkpointNow(); // so that a signature covers all moved events
      const { events, end, files, textBytes, archivedBytes } = result;
      yield { events, end, files, text_bytes: textBytes, archived_bytes: archivedBytes };
    },
  ),
};

function refuse(error: unknown): never {
  throw error instanceof Error && error.name === REFUSAL ? new OperationRefused(error.message) : error;
}

const REFUSAL: ArchivingRefused['name'] = 'ArchivingRefused';

/**
 * Yields the steps of `run`, omitting most of the small ones. Returns its result, or undefined if it was aborted.
 */
async function* withProgress<Result>(
  run: (progress: ArchiveOptions['progress']) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<ArchiveStep, Result | undefined, void> {
  const steps: ArchiveStep[] = [];
  let reportedPosition = 0;
  let isFinished = false;
  let wake: (() => void) | undefined;
  const running = run((step) => {
    const isSmall = step.step === 'compressed' || step.step === 'dropped';
    if (isSmall && Math.abs(step.position - reportedPosition) < EVENTS_PER_REPORT) return;
    reportedPosition = step.position;
    steps.push(step);
    wake?.();
  }).finally(() => {
    isFinished = true;
    wake?.();
  });
  running.catch(() => {}); // rethrown below, after the remaining steps
  for (;;) {
    const step = steps.shift();
    if (step !== undefined) yield step;
    else if (isFinished) break;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  try {
    return await running;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
