import { message, type Message, type Text } from '../language/message.ts';

/** Prefixes a problem with the name of the setting, or with the name that it was set under. */
export function addSettingName(setting: string, problem: Text): Message {
  return message('setting-problem.of', { setting, problem });
}

/** Removes the name of the setting from a problem, for a page that shows the name. */
export function removeSettingName(problem: Text): Text {
  if (typeof problem === 'string' || problem.key !== 'setting-problem.of') return problem;
  return (problem.values as { readonly problem: Text }).problem;
}
