import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { CliContext } from './context.ts';

/**
 * Returns a context whose operations also accept another name of a thing. An operation that knows nothing of the given
 * name is run again with the name that `resolve` finds, so exact names need no additional operation.
 * @param members the members of inputs that name such a thing
 * @param resolve returns the name that operations accept, or the given text if it finds no such thing
 */
export function acceptOtherNames(
  context: CliContext,
  members: readonly string[],
  resolve: (given: string, context: CliContext) => Promise<string>,
): CliContext {
  const call: CliContext['call'] = async function* (operation, input, options) {
    try {
      yield* context.call(operation, input, options);
    } catch (error) {
      const [member, given] =
        Object.entries(input as object).find(
          (entry): entry is [string, string] => members.includes(entry[0]) && typeof entry[1] === 'string',
        ) ?? [];
      if (!(error instanceof OperationRefused) || error.kind !== 'unknown') throw error;
      if (member === undefined || given === undefined) throw error;
      const resolved = await resolve(given, context);
      if (resolved === given) throw error;
      yield* context.call(operation, { ...(input as object), [member]: resolved }, options);
    }
  };
  return { ...context, call };
}
