import type { Position } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** The position of an event and its time, in seconds since the epoch. */
export interface Moment {
  readonly position: Position;
  readonly at: number;
}

interface SetBack {
  readonly position: Position;
  readonly issuedAfter: number;
}

export interface ClockHistory {
  /** Returns the first clock correction that ended the credentials issued at `moment`, or undefined if none did. */
  findSetBackThatEnded(moment: Moment): SetBack | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createClockHistory(): ClockHistory {
  const setBacks: SetBack[] = [];
  return {
    findSetBackThatEnded: ({ position, at }) =>
      setBacks.find((setBack) => position < setBack.position && at > setBack.issuedAfter),
    apply({ event: { type, data }, record: { position } }) {
      if (type === 'ClockSetBack') setBacks.push({ position, issuedAfter: data.issuedAfter });
    },
  };
}
