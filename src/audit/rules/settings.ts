import { finding, type EventRule } from './rule.ts';

export const settingRules: readonly EventRule[] = [
  {
    name: 'settings-change-to-another-value',
    description: 'A setting that has a changed value is changed only to a different value.',
    check({ event: { type, data } }, { settings }) {
      if (type !== 'SettingChanged') return undefined;
      return settings.findValue(data.name) === JSON.stringify(data.value)
        ? finding(`the setting ${data.name} already had this value`)
        : undefined;
    },
  },
  {
    name: 'settings-are-changed-before-they-are-reset',
    description: 'A setting is reset only while it has a changed value.',
    check({ event: { type, data } }, { settings }) {
      if (type !== 'SettingReset') return undefined;
      return settings.findValue(data.name) === undefined
        ? finding(`the setting ${data.name} was not changed`)
        : undefined;
    },
  },
  {
    name: 'settings-are-changed-by-administrators',
    description: 'A user who changes a setting is an administrator, and the server itself changes none.',
    check({ event: { type }, record: { actor } }, { users }) {
      if (type !== 'SettingChanged' && type !== 'SettingReset') return undefined;
      if (actor.kind === 'server') return finding('the server changed the setting');
      if (actor.kind !== 'user') return undefined;
      return users.find(actor.id)?.roles.includes('administrator') === true
        ? undefined
        : finding(`user ${actor.id} was not an administrator`);
    },
  },
];
