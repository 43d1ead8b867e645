import { formOf } from '../../pipeline/page-form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** What the forms that rotate a client secret offer, and for how many more seconds the old secret then works. */
const OVERLAPS: Readonly<Record<string, number>> = { now: 0, hour: 3_600, day: 86_400, week: 604_800 };

/**
 * In seconds. The forms suggest a day; a request without the field, such as a script's, ends the old secret at once, as
 * it always has.
 * @throws PageError 400 the field has a value that no form offers
 */
export function readOverlap(ctx: RequestContext): number {
  const chosen = formOf(ctx).text('old_secret') || 'now';
  const seconds = Object.hasOwn(OVERLAPS, chosen) ? OVERLAPS[chosen] : undefined;
  if (seconds === undefined) {
    const expected = Object.keys(OVERLAPS).join(', ');
    const problem = `old_secret must be one of: ${expected}.`;
    throw new PageError(400, 'The form could not be read', problem, 'Go back and send the form again.');
  }
  return seconds;
}

/** For the page behind the redirect, which itself shows until when the old secret works. */
export function rotationMessage(application: string, overlapSeconds: number): string {
  return overlapSeconds === 0
    ? `${application} has a new secret. The old one no longer works.`
    : `${application} has a new secret. The old one still works for a while.`;
}
