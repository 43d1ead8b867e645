import { message, type Message } from '../language/message.ts';

const RESERVED = '__proto__';

/**
 * Returns a problem if the value contains a member named `__proto__`, or undefined if it contains none. Validators drop
 * such members silently, so this check must precede validation.
 */
export function reservedMemberProblem(value: unknown): Message | undefined {
  const path = findReservedMember(value);
  return path && message('setting-problem.reserved-member', { where: path.join('.') });
}

/** Returns the path of the first member named `__proto__` at any depth, or undefined if no member has that name. */
export function findReservedMember(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const innerPath = name === RESERVED ? [] : findReservedMember(member);
    if (innerPath !== undefined) return [name, ...innerPath];
  }
  return undefined;
}
