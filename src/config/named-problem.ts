import { message, type Message, type Text } from '../language/message.ts';

/** A problem with the name of the setting before it, or another name that it was given by. */
export function problemOf(setting: string, problem: Text): Message {
  return message('setting-problem.of', { setting, problem });
}

/** The problem without the name of the setting, for a page that shows the name. */
export function withoutName(problem: Text): Text {
  if (typeof problem === 'string' || problem.key !== 'setting-problem.of') return problem;
  return (problem.values as { readonly problem: Text }).problem;
}
