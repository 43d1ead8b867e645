import type { z } from 'zod';
import type { CommandContext } from '../event-store/command-handler.ts';
import { decideAgain } from '../event-store/decide-again.ts';
import { DecisionOutdated, type ObservedRevision } from '../event-store/event-log.ts';
import type { OperationContext } from './operation-context.ts';
import { OperationRefused } from './control/operation-refused.ts';

/** The work of a command, in a running server or on a log opened for the command. */
export interface Operation<Context = OperationContext> {
  (input: unknown, context: Context, signal: AbortSignal): AsyncGenerator<unknown, void, void>;
  /** The schema of the input. */
  readonly input: z.ZodType;
}

/** The cause of changes that are made with the command line. Operations take the cause from their context. */
export const BY_OPERATOR: CommandContext = { actor: { kind: 'operator' }, requestId: null };

/**
 * Returns the cause of this run with `revisions` added, so that a command fails if one of their streams has changed.
 */
export function basedOn({ cause }: OperationContext, ...revisions: readonly ObservedRevision[]): CommandContext {
  return { ...cause, basedOn: [...(cause.basedOn ?? []), ...revisions] };
}

/**
 * Creates an operation with a single result. It is retried if data that it read changed before its events were
 * appended.
 */
export function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, context: OperationContext) => unknown,
): Operation {
  return streamingOperation(schema, async function* (input, context) {
    yield await decideAgain(async () => run(input, context)).catch((error: unknown) => {
      throw error instanceof DecisionOutdated ? new OperationRefused(OUTDATED, 'conflict') : error;
    });
  });
}

const OUTDATED = 'nothing was changed, because there were too many concurrent changes; try again';

/** Creates an operation that yields many items. A long-running `run` must end soon after `signal` is aborted. */
export function streamingOperation<Schema extends z.ZodType, Context = OperationContext>(
  schema: Schema,
  run: (input: z.output<Schema>, context: Context, signal: AbortSignal) => AsyncGenerator<unknown, void, void>,
): Operation<Context> {
  async function* validateAndRun(
    input: unknown,
    context: Context,
    signal: AbortSignal,
  ): AsyncGenerator<unknown, void, void> {
    const parsed = schema.safeParse(input);
    if (!parsed.success) throw invalidInput(parsed.error);
    yield* run(parsed.data, context, signal);
  }
  return Object.assign(validateAndRun, { input: schema });
}

function invalidInput(error: z.ZodError): OperationRefused {
  const problems = error.issues.map((issue) => ({ path: issue.path.map(toPathPart), message: describeIssue(issue) }));
  return new OperationRefused(formatIssues(error), 'invalid', problems);
}

function toPathPart(part: PropertyKey): string | number {
  return typeof part === 'symbol' ? '' : part;
}

function formatIssues({ issues }: z.ZodError): string {
  return issues
    .map((issue) => [...(issue.path.length === 0 ? [] : [issue.path.join('.')]), describeIssue(issue)].join(': '))
    .join('; ');
}

/** Returns the message for an issue. Replaces the schema library's messages about lengths. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
  if (issue.code === 'too_big' && issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  return issue.message;
}
