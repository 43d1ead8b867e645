import type { z } from 'zod';
import type { CommandContext } from '../event-store/command-handler.ts';
import { decideAgain } from '../event-store/decide-again.ts';
import { DecisionOutdated } from '../event-store/event-log.ts';
import type { OperationContext } from './operation-context.ts';
import { OperationRefused } from './refused.ts';

/** What a command does, however it was reached: in a running server or with a log opened for it. */
export type Operation<Given = OperationContext> = (
  input: unknown,
  given: Given,
  signal: AbortSignal,
) => AsyncGenerator<unknown, void, void>;

/** Everything an operation writes is the operator's doing. */
export const BY_OPERATOR: CommandContext = { actor: { kind: 'operator' }, requestId: null };

/** An operation with one answer. It runs again when what it read has changed before anything was recorded. */
export function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, admin: OperationContext) => unknown,
): Operation {
  return streamingOperation(schema, async function* (input, admin) {
    yield await decideAgain(async () => run(input, admin)).catch((error: unknown) => {
      throw error instanceof DecisionOutdated ? new OperationRefused(OUTDATED) : error;
    });
  });
}

const OUTDATED = 'what this is about is being changed by others again and again, so nothing was changed; try again';

/** An operation with an answer of many items; it ends soon after `signal` aborts. */
export function streamingOperation<Schema extends z.ZodType, Given = OperationContext>(
  schema: Schema,
  run: (input: z.output<Schema>, given: Given, signal: AbortSignal) => AsyncGenerator<unknown, void, void>,
): Operation<Given> {
  return async function* (input, given, signal) {
    const checked = schema.safeParse(input);
    if (!checked.success) throw new OperationRefused(oneLine(checked.error));
    yield* run(checked.data, given, signal);
  };
}

function oneLine({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ');
}
