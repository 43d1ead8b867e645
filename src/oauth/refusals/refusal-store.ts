import type { KeyObject } from 'node:crypto';
import { openSlotFile, SLOT_CAPACITY, type SlotFile } from '../../platform/files/slot-file.ts';
import type { Entropy, Ticks } from '../../platform/ports.ts';
import { STORED_REFUSALS, type RefusedRequest } from './explanations.ts';
import { isRefusedRequest } from './refused-request.ts';
import { createPerSecondBudget } from './per-second-budget.ts';
import {
  allocateSlots,
  refusalClass,
  type RefusalClass,
  type SlotAllocation,
  type StoredRefusal,
} from './slot-allocation.ts';

/** Stores refusals in a file of fixed size beside the log, so that they survive a restart. */
export interface RefusalStore {
  /** The refused requests from earlier runs, oldest first. */
  readonly earlierRequests: readonly RefusedRequest[];
  /** Stores the request within a second, unless a limit is exceeded. Never throws. */
  add(request: RefusedRequest): void;
  /** Resolves when the server has tried to write everything that was added so far. */
  settled(): Promise<void>;
  counts(): RefusalStoreCounts;
  /** Writes the remaining requests, and closes the file. */
  close(): Promise<void>;
}

export interface RefusalStoreCounts {
  readonly stored: number;
  /** The number of requests since startup that were not stored: too many in a second, or too large. */
  readonly skipped: number;
  /** The number of writes that have failed since startup. */
  readonly failures: number;
}

/** Prevents one client from using up all writes in a second. */
export const STORED_PER_CLIENT_PER_SECOND = 5;

const CLASSES = Object.keys(STORED_REFUSALS) as readonly RefusalClass[];
const SLOTS = CLASSES.reduce((sum, name) => sum + STORED_REFUSALS[name].slots, 0);

/**
 * A killed process loses at most the refusals from this period. A power failure can lose more, because writes are not
 * synced.
 */
const WRITE_BEHIND_MILLISECONDS = 1_000;

export const REFUSALS_FILE = 'refusals';

export interface RefusalStoreDeps {
  readonly path: string;
  readonly key: KeyObject;
  readonly entropy: Entropy;
  readonly ticks: Ticks;
  /** Receives a line about a damaged file, and a line when writes start to fail and when they succeed again. */
  readonly notice: (line: string) => void;
}

/** Opens the store, replacing a damaged file. If the file cannot be opened, refusals are kept only in memory. */
export async function openRefusalStore(deps: RefusalStoreDeps): Promise<RefusalStore> {
  try {
    return createStore(await openSlotFile({ ...deps, slots: SLOTS }), deps);
  } catch (error) {
    deps.notice(`explanations of refusals cannot be stored, and will not survive a restart: ${String(error)}`);
    return MEMORY_ONLY;
  }
}

const MEMORY_ONLY: RefusalStore = {
  earlierRequests: [],
  add: () => {},
  settled: async () => {},
  counts: () => ({ stored: 0, skipped: 0, failures: 1 }),
  close: async () => {},
};

function createStore(file: SlotFile, { path, ticks, notice }: RefusalStoreDeps): RefusalStore {
  const allocations = allocateAll();
  const earlierRefusals = restore(file, allocations);
  reportDamage(file, path, notice);
  let sequence = earlierRefusals.at(-1)?.sequence ?? 0;
  const unwrittenSlots = new Map<number, string>();
  const mayWrite = createWriteLimit();
  let [skipped, failures, isFailing] = [0, 0, false];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let pendingWrite: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    for (const [slot, text] of unwrittenSlots) {
      await file.write(slot, text);
      if (unwrittenSlots.get(slot) === text) unwrittenSlots.delete(slot);
    }
    if (isFailing) notice('explanations of refusals can be stored again');
    isFailing = false;
  }

  function onFailure(error: unknown): void {
    failures += 1;
    if (!isFailing) notice(`explanations of refusals cannot be stored: ${String(error)}`);
    isFailing = true;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    pendingWrite = pendingWrite.then(writeAll).catch(onFailure);
    return pendingWrite;
  }

  return {
    earlierRequests: earlierRefusals.map(({ refused }) => refused),
    add(request) {
      const text = JSON.stringify({ sequence: sequence + 1, refused: request });
      const isAdmitted = mayWrite(request, Math.floor(ticks() / 1000));
      if (isClosed || !isAdmitted || Buffer.byteLength(text) > SLOT_CAPACITY) return void (skipped += 1);
      sequence += 1;
      unwrittenSlots.set(allocations[refusalClass(request)].add(request).slot, text);
      timer ??= setTimeout(() => void flush(), WRITE_BEHIND_MILLISECONDS).unref();
    },
    settled: flush,
    counts: () => ({
      stored: CLASSES.reduce((sum, name) => sum + allocations[name].size(), 0),
      skipped,
      failures,
    }),
    async close() {
      isClosed = true;
      await flush();
      await file.close();
    },
  };
}

function allocateAll(): Readonly<Record<RefusalClass, SlotAllocation>> {
  let firstSlot = 0;
  const allocate = (name: RefusalClass): SlotAllocation => {
    const allocation = allocateSlots(firstSlot, STORED_REFUSALS[name]);
    firstSlot += STORED_REFUSALS[name].slots;
    return allocation;
  };
  return { proven: allocate('proven'), named: allocate('named'), rest: allocate('rest') };
}

interface EarlierRefusal extends StoredRefusal {
  readonly sequence: number;
}

/** Restores the stored refusals, except those from other releases that this release cannot explain. */
function restore({ stored }: SlotFile, allocations: ReturnType<typeof allocateAll>): readonly EarlierRefusal[] {
  const earlierRefusals = [...stored.contents]
    .map(([slot, text]) => parseSlot(slot, text))
    .filter((refusal) => refusal !== undefined)
    .toSorted((a, b) => a.sequence - b.sequence);
  for (const refusal of earlierRefusals) allocations[refusalClass(refusal.refused)].restore(refusal);
  return earlierRefusals;
}

function parseSlot(slot: number, text: string): EarlierRefusal | undefined {
  const { sequence, refused } = JSON.parse(text) as { readonly sequence?: unknown; readonly refused?: unknown };
  return Number.isSafeInteger(sequence) && isRefusedRequest(refused)
    ? { slot, sequence: sequence as number, refused }
    : undefined;
}

function reportDamage({ stored }: SlotFile, path: string, notice: (line: string) => void): void {
  const { contents, damagedCount, problem } = stored;
  if (problem !== undefined) notice(`${path}: ${problem}; explanations of earlier refusals are lost`);
  if (damagedCount > 0)
    notice(
      `${path}: ${damagedCount} of ${damagedCount + contents.size} explanations of refusals are damaged, or ` +
        'encrypted under a different key, and were ignored',
    );
}

/** Returns a function that counts a refusal, and reports whether it may be written in this second. */
function createWriteLimit(): (request: RefusedRequest, second: number) => boolean {
  const budgets = {
    proven: createPerSecondBudget(STORED_REFUSALS.proven.perSecond),
    named: createPerSecondBudget(STORED_REFUSALS.named.perSecond),
    rest: createPerSecondBudget(STORED_REFUSALS.rest.perSecond),
  };
  let lastSecond = -Infinity;
  const countsByClient = new Map<string, number>();
  return (request, second) => {
    if (second !== lastSecond) countsByClient.clear();
    lastSecond = second;
    const name = refusalClass(request);
    const client = `${name} ${request.clientId}`;
    const count = (countsByClient.get(client) ?? 0) + 1;
    if (count > STORED_PER_CLIENT_PER_SECOND) return false;
    if (!budgets[name].admits(second)) return false;
    countsByClient.set(client, count);
    return true;
  };
}
