import { message } from '../../../language/message.ts';
import type { FieldErrors } from '../page-context.ts';
import { createEnteredTimes } from './entered-times.ts';
import { INVALID_TIME } from './filters.ts';
import { parseMoment } from '../times.ts';

/** The inclusive limits on the position and the time of events. Either limit can be infinite. */
export interface PastMoment {
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** A query about an earlier time or position, as entered. */
export interface MomentQuery {
  /** The entered values, even if invalid. The time is in UTC. */
  readonly entered: { readonly time: string; readonly position: string };
  readonly errors: FieldErrors;
  /** Undefined if no moment was entered, or if a field is invalid. */
  readonly moment: PastMoment | undefined;
}

/** The fields of a URL or form. Empty fields are absent. */
interface MomentFields {
  text(name: 'time' | 'position' | 'time_zone'): string | undefined;
}

/**
 * Reads the moment of a query.
 * @param head the position of the newest event; a later position is invalid
 */
export function readMomentQuery(query: MomentFields, head: number): MomentQuery {
  const { endOfSecond } = createEnteredTimes(query.text('time_zone'));
  const enteredMoment = { time: endOfSecond(query.text('time') ?? ''), position: query.text('position') ?? '' };
  const time = parseMoment(enteredMoment.time);
  const hasTimeAndPosition = enteredMoment.time !== '' && enteredMoment.position !== '';
  const hasOnlyPosition = enteredMoment.position !== '' && !hasTimeAndPosition;
  const position =
    hasOnlyPosition && /^\d{1,15}$/.test(enteredMoment.position) ? Number(enteredMoment.position) : undefined;
  const errors = {
    ...(enteredMoment.time !== '' && time === undefined ? { time: INVALID_TIME } : {}),
    ...(hasTimeAndPosition ? { position: message('as-of.not-both') } : {}),
    ...(hasOnlyPosition && (position === undefined || position > head)
      ? { position: message('as-of.invalid-position', { end: String(head) }) }
      : {}),
  };
  const isEntered = time !== undefined || position !== undefined;
  const isValid = isEntered && Object.keys(errors).length === 0;
  return {
    entered: enteredMoment,
    errors,
    moment: isValid ? { position: position ?? Infinity, time: time ?? Infinity } : undefined,
  };
}
