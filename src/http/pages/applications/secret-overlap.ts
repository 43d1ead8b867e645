import { formOf } from '../../pipeline/page-form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** The choices of the rotation form, and for how many more seconds the old secret works. */
const OVERLAPS: Readonly<Record<string, number>> = { now: 0, hour: 3_600, day: 86_400, week: 604_800 };

/**
 * The chosen overlap, in seconds. The form suggests a day. Without the field, as from a script, the old secret expires
 * at once.
 * @throws PageError 400 the value is not one of the form's
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

/** The message for the page after the redirect, which shows the exact time itself. */
export function rotationMessage(application: string, overlapSeconds: number): string {
  return overlapSeconds === 0
    ? `${application} has a new secret. The old one no longer works.`
    : `${application} has a new secret. The old one still works for a while.`;
}
