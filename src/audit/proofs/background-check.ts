import { setTimeout as sleep } from 'node:timers/promises';
import { LogDamaged, START, type EventLog } from '../../event-store/event-log.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { createEvidenceCheck, type Damage, type Evidence } from './verify.ts';

/**
 * A check of the stored log, after startup, against its checksums and its Merkle tree. LevelDB does not verify block
 * checksums on reads, and Node's binding (classic-level) has no option for that. Compaction can even give a damaged
 * block a new checksum; then only the tree reveals the damage. A server that starts from a snapshot does not read the
 * records before the snapshot, so only this check finds damage in them.
 */
export interface BackgroundCheck {
  /** Runs the check once. Ends early if `signal` is aborted. Never rejects, and does not keep the process alive. */
  start(signal: AbortSignal): Promise<void>;
  /** Returns the position up to which the records have been checked. */
  position(): number;
  /** Returns the position at which the check ends: the last position at startup. */
  end(): number;
  isFinished(): boolean;
  /** Returns descriptions of the first few defects, in the order they were found. */
  findings(): readonly string[];
}

/** A batch is small enough to be decoded without blocking the event loop for long. */
const EVENTS_PER_BATCH = 256;

/** The check pauses nine times as long as it works, so it uses at most a tenth of one processor. */
const PAUSE_RATIO = 9;

/** The limit keeps the server's output short: each defect is one line. `log verify` lists all damage. */
const MAX_FINDINGS = 10;

export function createBackgroundCheck({
  log,
  evidence,
  head,
  ticks,
  notice,
}: {
  readonly log: Pick<EventLog, 'readAll' | 'checkFiles' | 'checkIndex' | 'archive'>;
  readonly evidence: Evidence;
  /** The head at startup, which matched the recorded head and the newest checkpoint. */
  readonly head: TreeHead;
  readonly ticks: Ticks;
  /** Receives a line for each reported defect. */
  readonly notice: (line: string) => void;
}): BackgroundCheck {
  const findings: string[] = [];
  let lastCheckedPosition: number = START;
  let isFinished = false;

  function report(damage: string): void {
    if (findings.length >= MAX_FINDINGS) return;
    findings.push(damage);
    notice(`the stored log is damaged: ${damage}. Run grantlog log verify to list all damage`);
  }

  /** Creates a function to be called after each unit of work. It pauses in proportion to the duration of that work. */
  function createPacer(signal: AbortSignal): () => Promise<void> {
    let startedAt = ticks();
    return async () => {
      await sleep((ticks() - startedAt) * PAUSE_RATIO, undefined, { signal, ref: false });
      startedAt = ticks();
    };
  }

  async function checkRecords(pace: () => Promise<void>): Promise<void> {
    const check = createEvidenceCheck(evidence);
    const reportAll = (defects: readonly Damage[]): void => {
      for (const { damage, position } of defects) report(`position ${position}: ${damage}`);
    };
    for await (const events of head.size === 0 ? [] : log.readAll(START, EVENTS_PER_BATCH)) {
      const eventsToCheck = events.filter((event) => event.position <= head.size);
      check.addRecords(eventsToCheck);
      reportAll(check.takeDamage());
      lastCheckedPosition = eventsToCheck.at(-1)?.position ?? lastCheckedPosition;
      await pace();
      if (lastCheckedPosition === head.size) break;
    }
    if (findings.length > 0 || check.root().equals(head.rootHash)) return;
    report(`the root of the first ${head.size} records differs from the root computed at startup`);
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
        isFinished = true;
      } catch (error) {
        if (signal.aborted) return;
        const readFailure = `the log cannot be read after position ${lastCheckedPosition} (${String(error)})`;
        report(error instanceof LogDamaged ? error.message : readFailure);
        isFinished = true;
      }
    },
    position: () => lastCheckedPosition,
    end: () => head.size,
    isFinished: () => isFinished,
    findings: () => findings,
  };
}
