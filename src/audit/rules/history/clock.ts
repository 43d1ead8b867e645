import type { Position } from '../../../event-store/event-log.ts';
import type { Fact } from '../rule.ts';

/** An event in time: seconds since the epoch. */
export interface Moment {
  readonly position: Position;
  readonly at: number;
}

interface SetBack {
  readonly position: Position;
  readonly issuedAfter: number;
}

export interface ClockHistory {
  /** The first correction of the clock that ended what was issued then; undefined where none did. */
  setBackThatEnded(issued: Moment): SetBack | undefined;
  note(fact: Fact): void;
}

export function createClockHistory(): ClockHistory {
  const setBacks: SetBack[] = [];
  return {
    setBackThatEnded: ({ position, at }) =>
      setBacks.find((setBack) => position < setBack.position && at > setBack.issuedAfter),
    note({ event: { type, data }, recorded: { position } }) {
      if (type === 'ClockSetBack') setBacks.push({ position, issuedAfter: data.issuedAfter });
    },
  };
}
