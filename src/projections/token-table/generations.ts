import type { RowKind } from './row.ts';
import { createSegment, type Segment } from './segment.ts';
import type { SegmentRegister } from './segment-register.ts';
import { createTermsRegister, type TermsRegister } from './terms.ts';

/** The tokens that expire in the same hour. They are removed together. */
export interface Generation {
  /** Hours since the epoch. */
  readonly hour: number;
  readonly terms: TermsRegister;
  readonly segments: readonly Segment[];
  /** Returns a segment with room for at least one more row of that kind. */
  current(kind: RowKind): Segment;
  /** Adds a segment that begins with these rows. */
  restore(kind: RowKind, bytes: Uint8Array): Segment;
}

export interface Generations {
  /** Returns the generation of that hour, creating it if necessary. */
  get(hour: number): Generation;
  all(): readonly Generation[];
  /** Returns the latest hour of all generations, or undefined if no generation exists. */
  lastHour(): number | undefined;
  /** Removes generations whose hour ended before `now` (seconds since the epoch). Returns true if there were any. */
  expire(now: number): boolean;
}

export const GENERATION_SECONDS = 3_600;

/** Returns the hour that contains a time in seconds since the epoch. */
export function hourOf(seconds: number): number {
  return Math.floor(seconds / GENERATION_SECONDS);
}

export function createGenerations(register: SegmentRegister<Segment>): Generations {
  const generations = new Map<number, Generation>();
  let oldestHour = Infinity;
  let newestHour = -Infinity;

  return {
    get(hour) {
      const existing = generations.get(hour);
      if (existing !== undefined) return existing;
      const generation = createGeneration(hour, register);
      newestHour = generations.size === 0 ? hour : Math.max(newestHour, hour);
      oldestHour = Math.min(oldestHour, hour);
      generations.set(hour, generation);
      return generation;
    },

    all: () => [...generations.values()],
    lastHour: () => (generations.size === 0 ? undefined : newestHour),

    expire(now) {
      const currentHour = hourOf(now);
      if (oldestHour >= currentHour) return false;
      for (const { hour, segments } of generations.values()) {
        if (hour >= currentHour) continue;
        generations.delete(hour);
        segments.forEach(register.remove);
      }
      oldestHour = Math.min(Infinity, ...generations.keys());
      return true;
    },
  };
}

function createGeneration(hour: number, register: SegmentRegister<Segment>): Generation {
  const terms = createTermsRegister();
  const segments: Segment[] = [];
  const latestSegments: { [Kind in RowKind]?: Segment } = {};

  function add(kind: RowKind, bytes?: Uint8Array): Segment {
    const segment = register.add((number) => createSegment({ number, kind, hour, terms }, bytes));
    segments.push(segment);
    latestSegments[kind] = segment;
    return segment;
  }

  return {
    hour,
    terms,
    segments,
    current(kind) {
      const { [kind]: segment } = latestSegments;
      return segment !== undefined && !segment.isFull() ? segment : add(kind);
    },
    restore: add,
  };
}
