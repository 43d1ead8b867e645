import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { CliContext } from './context.ts';

/**
 * Returns a context whose operations also accept other names of a thing. An operation that does not recognize the
 * entered name is run again with the name that `resolve` finds, so exact names need no additional operation.
 * @param members the members of inputs that contain the name of such a thing
 * @param resolve returns the name that operations accept, or the entered name if it finds no such thing
 */
export function acceptOtherNames(
  context: CliContext,
  members: readonly string[],
  resolve: (enteredName: string, context: CliContext) => Promise<string>,
): CliContext {
  const call: CliContext['call'] = async function* (operation, input, options) {
    try {
      yield* context.call(operation, input, options);
    } catch (error) {
      const [member, enteredName] =
        Object.entries(input as object).find(
          (entry): entry is [string, string] => members.includes(entry[0]) && typeof entry[1] === 'string',
        ) ?? [];
      if (!(error instanceof OperationRefused) || error.kind !== 'unknown') throw error;
      if (member === undefined || enteredName === undefined) throw error;
      const name = await resolve(enteredName, context);
      if (name === enteredName) throw error;
      yield* context.call(operation, { ...(input as object), [member]: name }, options);
    }
  };
  return { ...context, call };
}
