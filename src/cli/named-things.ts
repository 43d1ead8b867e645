import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { CliContext } from './context.ts';

/**
 * Returns a context whose operations also accept alternative names, such as the name of a client instead of its id. If
 * an operation does not recognize the entered name, it runs again with the name that `resolve` returns, so exact names
 * need no additional operation.
 * @param members the members of an operation's input that can contain such a name
 * @param resolve returns the name that operations accept, or the entered name if nothing matches
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
