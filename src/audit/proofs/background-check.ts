import { setTimeout as sleep } from 'node:timers/promises';
import { LogDamaged, START, type EventLog } from '../../event-store/event-log.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { createEvidenceCheck, type Damage, type Evidence } from './verify.ts';

/**
 * Reads the stored log after the start and compares it with its checksums and its Merkle tree. LevelDB stores a
 * checksum for every block but does not verify it on reads, and Node's binding (classic-level) offers neither
 * `verify_checksums` nor `paranoid_checks`. A compaction even gives a damaged block a new checksum; then only the tree
 * shows the damage. A start from a snapshot does not read the records before it, so only this check finds damage there.
 */
export interface BackgroundCheck {
  /** Runs the check once. Ends early if `signal` aborts. Never rejects, and does not keep the process alive. */
  start(signal: AbortSignal): Promise<void>;
  /** Returns the position up to which the records have been read. */
  position(): number;
  /** Returns the position at which the check ends: the head at the start. */
  end(): number;
  isOver(): boolean;
  /** Descriptions of the first few damaged places, in the order in which they were found. */
  damages(): readonly string[];
}

/** Small enough to decode without blocking the event loop for long. */
const EVENTS_PER_BATCH = 256;

/** Rests nine times as long as it works, so it uses at most a tenth of one processor. */
const REST_RATIO = 9;

/** Each report is a line in the server's log. `log verify` lists all damage. */
const MAX_REPORTED = 10;

export function createBackgroundCheck({
  log,
  evidence,
  head,
  ticks,
  notice,
}: {
  readonly log: Pick<EventLog, 'readAll' | 'checkFiles' | 'checkIndex' | 'archive'>;
  readonly evidence: Evidence;
  /** The head at the start, which matched the recorded head and the newest checkpoint. */
  readonly head: TreeHead;
  readonly ticks: Ticks;
  /** Receives a line for each damaged place. */
  readonly notice: (line: string) => void;
}): BackgroundCheck {
  const damages: string[] = [];
  let position: number = START;
  let isOver = false;

  function report(damage: string): void {
    if (damages.length >= MAX_REPORTED) return;
    damages.push(damage);
    notice(`the stored log is damaged: ${damage}. Run grantlog log verify, which lists all damage`);
  }

  /** Returns a function to call after each piece of work. */
  function createPacer(signal: AbortSignal): () => Promise<void> {
    let startedAt = ticks();
    return async () => {
      await sleep((ticks() - startedAt) * REST_RATIO, undefined, { signal, ref: false });
      startedAt = ticks();
    };
  }

  async function checkRecords(pace: () => Promise<void>): Promise<void> {
    const check = createEvidenceCheck(evidence);
    const reportAll = (damage: readonly Damage[]): void => {
      for (const { damage: text, position: at } of damage) report(`position ${at}: ${text}`);
    };
    for await (const events of head.size === 0 ? [] : log.readAll(START, EVENTS_PER_BATCH)) {
      const before = events.filter((event) => event.position <= head.size);
      check.take(before);
      reportAll(check.takeDamage());
      position = before.at(-1)?.position ?? position;
      await pace();
      if (position === head.size) break;
    }
    if (damages.length > 0 || check.root().equals(head.rootHash)) return;
    report(`the first ${head.size} records do not have the root that was computed at the start`);
  }

  async function checkAll(signal: AbortSignal): Promise<void> {
    const pace = createPacer(signal);
    for await (const { message } of log.checkFiles?.(signal, pace) ?? []) report(message);
    await checkRecords(pace);
    for await (const { message } of log.archive?.check(signal, pace) ?? []) report(message);
    for await (const { message } of log.checkIndex?.(signal, pace) ?? []) report(message);
  }

  return {
    async start(signal) {
      try {
        await checkAll(signal);
        isOver = true;
      } catch (error) {
        if (signal.aborted) return;
        const unreadable = `it cannot be read after position ${position} (${String(error)})`;
        report(error instanceof LogDamaged ? error.message : unreadable);
        isOver = true;
      }
    },
    position: () => position,
    end: () => head.size,
    isOver: () => isOver,
    damages: () => damages,
  };
}
