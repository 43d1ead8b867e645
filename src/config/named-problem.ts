import { message, type Message, type Text } from '../language/message.ts';

/** A problem, preceded by the name of the setting or by another name under which it was given. */
export function problemOf(setting: string, problem: Text): Message {
  return message('setting-problem.of', { setting, problem });
}

/** The problem without the name of the setting, for a page that shows the name. */
export function withoutName(problem: Text): Text {
  if (typeof problem === 'string' || problem.key !== 'setting-problem.of') return problem;
  return (problem.values as { readonly problem: Text }).problem;
}
