import type { CommandContext } from '../../event-store/command-handler.ts';
import { outdatedFormError } from './page-error.ts';

/**
 * Runs a change that replaces the current values with those in a form. An outdated form changes nothing. It is refused,
 * unless the change would record nothing anyway, because the user may have submitted the same form twice.
 * @param isOutdated whether the current values have changed since the form was rendered
 * @throws PageError 409 if an outdated form would change something, or contains invalid values. Showing such a form
 *   again, with its errors, would make it look as if it were based on the current values
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
