import { message, type Message, type Text } from '../language/message.ts';

/** Prefixes a problem with the name of the setting, in any of its spellings. */
export function addSettingName(settingName: string, problem: Text): Message {
  return message('setting-problem.of', { setting: settingName, problem });
}

/** Removes the prefix that `addSettingName` added, for a page that already shows the name of the setting. */
export function removeSettingName(problem: Text): Text {
  if (typeof problem === 'string' || problem.key !== 'setting-problem.of') return problem;
  return (problem.values as { readonly problem: Text }).problem;
}
