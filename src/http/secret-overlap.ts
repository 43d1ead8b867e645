import { formOf } from './middleware/page-form.ts';
import { PageError } from './page-error.ts';
import type { RequestContext } from './state.ts';

/** What the forms that replace a client secret offer, and how long the old secret then lives on, in seconds. */
const OVERLAPS: Readonly<Record<string, number>> = { now: 0, hour: 3_600, day: 86_400, week: 604_800 };

/** A form without the field says what it always said: the old secret stops now. @throws PageError 400 it says something else */
export function chosenOverlap(ctx: RequestContext): number {
  const chosen = formOf(ctx).text('old_secret') || 'now';
  const seconds = Object.hasOwn(OVERLAPS, chosen) ? OVERLAPS[chosen] : undefined;
  if (seconds === undefined) throw new PageError(400, 'The form could not be read', 'It does not say when the old secret stops.', 'Go back and send the form again.');
  return seconds;
}
