import type { CommandContext } from '../../event-store/command-handler.ts';
import { outdatedFormError } from './page-error.ts';

/**
 * Runs a change that replaces values with those in a form. Nothing is recorded for an outdated form. If the change
 * would record nothing anyway, the form is not refused, because it may have been submitted twice.
 * @param isOutdated whether the values have changed since the form was rendered
 * @throws PageError 409 if an outdated form would change something, or if its values are invalid, because the form
 *   would otherwise be shown again, as if it were based on the current values
 */
export async function changeByForm<Problem>(
  isOutdated: boolean,
  context: CommandContext,
  change: (context: CommandContext) => Promise<Problem | undefined>,
): Promise<Problem | undefined> {
  let isRefused = false;
  const isStillValid = (): boolean => {
    isRefused = isOutdated;
    return !isOutdated && context.isStillValid?.() !== false;
  };
  const problem = await change({ ...context, isStillValid }).catch((error: unknown) => {
    throw isRefused ? outdatedFormError() : error;
  });
  if (isOutdated && problem !== undefined) throw outdatedFormError();
  return problem;
}
