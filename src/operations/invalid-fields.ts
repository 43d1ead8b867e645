import type { MessageKey } from '../language/catalog.ts';
import { english } from '../language/english.ts';
import { isMessage, type Text } from '../language/message.ts';
import { OperationRefused } from './control/operation-refused.ts';

/**
 * Problems that depend not only on the input, but also on the state of this server or of a document that it reads. A
 * test lists all other problems with fields, so a new problem must be added to one of the lists.
 */
export const STATE_PROBLEMS: ReadonlySet<MessageKey> = new Set<MessageKey>([
  'problem.account-gone',
  'problem.name-taken',
  'problem.name-similar',
  'resource-problem.own-uri',
  'resource-problem.registered',
  'resource-problem.unregistered',
  'resource-problem.unknown-client',
  'resource-problem.public-client',
  'detail-type.taken',
  'detail-type.of-type', // the problem is in the file with the types, not in the command
  'policy-problem.unknown-subject',
  'policy-problem.unknown-client',
  'policy-problem.public-client',
  'policy-problem.unknown-scope',
  'policy-problem.unknown-resource',
  'policy-problem.removed',
  'issuer-problem.own-issuer',
  'issuer-problem.unknown-user',
  'issuer-problem.ambiguous-line',
  'issuer-problem.unknown-client',
  'issuer-problem.public-client',
  'issuer-problem.removed',
  'scope-problem.taken',
  'scope-problem.built-in',
  'scope-problem.unknown',
  'provider-problem.secret-again',
  'provider-problem.removed',
  'sector.unreadable',
  'sector.not-a-list',
  'sector.lacks',
]);

/**
 * Returns the refusal for invalid members of the input. The command line reports a refusal with `problems` as a usage
 * error, so `problems` is empty if one of them depends on more than the input.
 */
export function invalidFields(errors: Readonly<Partial<Record<string, Text>>>): OperationRefused {
  const entries = Object.entries(errors).flatMap(([field, problem]) =>
    problem === undefined ? [] : [{ field, problem }],
  );
  const problems = entries.map(({ field, problem }) => ({ path: [field], message: english.text(problem) }));
  const anyDependsOnState = entries.some(({ problem }) => dependsOnState(problem));
  const text = problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return new OperationRefused(text, 'invalid', anyDependsOnState ? [] : problems);
}

/** Reports whether the problem, or one that it contains, depends on more than the input. */
function dependsOnState(problem: unknown): boolean {
  if (Array.isArray(problem)) return problem.some(dependsOnState);
  if (!isMessage(problem)) return false;
  return STATE_PROBLEMS.has(problem.key) || Object.values(problem.values ?? {}).some(dependsOnState);
}

/** Returns the refusal for one member of the input that is invalid in every state of this server. */
export function invalidField(field: string, problem: string): OperationRefused {
  return new OperationRefused(problem, 'invalid', [{ path: [field], message: problem }]);
}
