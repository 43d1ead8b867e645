import { leafHash } from '../audit/merkle/hashing.ts';
import { emptyTree, type MerkleTree } from '../audit/merkle/tree.ts';
import { START, type EventLog, type RecordedEvent } from '../event-store/event-log.ts';
import type { RecordTarget } from '../event-store/record-target.ts';
import { OperationRefused } from './control/operation-refused.ts';

export interface CopySummary {
  /** The position of the last event in both logs. */
  readonly position: number;
  /** The number of events copied; less than `position` if the target already had some of them. */
  readonly copied: number;
  /** The root of the Merkle tree over all records, in base64. Both logs have this root. */
  readonly root: string;
}

export interface CopyDeps {
  readonly source: Pick<EventLog, 'readAll' | 'head'>;
  readonly target: RecordTarget;
  readonly signal: AbortSignal;
  /** Called after each batch, with the position reached and the position of the last event to copy. */
  readonly progress: (position: number, end: number) => void;
}

/** Few enough for one transaction. */
const BATCH_EVENTS = 2_000;

/**
 * Copies a log record for record, and reads the copy back to verify it. If the target already has the beginning of the
 * source, for example from an interrupted copy, only the remaining events are copied.
 * @throws OperationRefused before anything is written, if the target has more events than the source, or different
 *   ones; after copying, if the copy differs from the source
 */
export async function copyLog({ source, target, signal, progress }: CopyDeps): Promise<CopySummary> {
  const end = source.head();
  const existingCount = await target.head();
  if (existingCount > end)
    throw new OperationRefused(
      `the target has ${existingCount} events, but the source has only ${end}; nothing was copied`,
    );
  const [copy, original] = [emptyTree(), emptyTree()];
  for await (const events of target.readAll()) addToTree(copy, events);
  for await (const batch of source.readAll(START, BATCH_EVENTS)) {
    signal.throwIfAborted();
    // The source may have grown since its head was read.
    const events = batch.filter(({ position }) => position <= end);
    const missingEvents = events.filter(({ position }) => position > existingCount);
    addToTree(original, events.slice(0, events.length - missingEvents.length));
    if (original.size === existingCount)
      assertSame(original, copy, 'the events in the target differ from those in the source; nothing was copied');
    for (const chunk of chunks(missingEvents)) await target.write(chunk);
    addToTree(original, missingEvents);
    progress(original.size, end);
  }
  for await (const events of target.readAll())
    addToTree(
      copy,
      events.filter(({ position }) => position > existingCount),
    );
  assertSame(original, copy, 'the events read back from the target differ from those in the source; delete the target');
  return { position: end, copied: end - existingCount, root: original.root().toString('base64') };
}

function addToTree(tree: MerkleTree, events: readonly RecordedEvent[]): void {
  if (events.length > 0) tree.append(events.map(({ record }) => leafHash(record)));
}

function assertSame(original: MerkleTree, copy: MerkleTree, problem: string): void {
  if (original.size === copy.size && original.root().equals(copy.root())) return;
  throw new OperationRefused(problem);
}

function* chunks(events: readonly RecordedEvent[]): Generator<readonly RecordedEvent[], void, void> {
  for (let from = 0; from < events.length; from += BATCH_EVENTS) yield events.slice(from, from + BATCH_EVENTS);
}
