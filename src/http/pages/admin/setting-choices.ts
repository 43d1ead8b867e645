import type { SettingName } from '../../../config/settings.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Text } from '../../../language/message.ts';

/** Titles for setting values that are not self-explanatory. */
const TITLES: Readonly<Partial<Record<SettingName, Readonly<Record<string, MessageKey>>>>> = {
  clientDocuments: {
    off: 'setting-choice.documents.off',
    list: 'setting-choice.documents.list',
    any: 'setting-choice.documents.any',
  },
  resourceRegistration: { administrators: 'setting-choice.administrators', developers: 'setting-choice.every-user' },
  approvalPrompt: { force: 'setting-choice.prompt.force', auto: 'setting-choice.prompt.auto' },
  requirePkce: {
    all: 'setting-choice.pkce.all',
    public: 'setting-choice.pkce.public',
    none: 'setting-choice.pkce.none',
  },
  requireSecondFactor: {
    none: 'setting-choice.factor.none',
    roles: 'setting-choice.factor.roles',
    all: 'setting-choice.factor.all',
  },
  signup: { closed: 'setting-choice.signup.closed', open: 'setting-choice.signup.open' },
  dynamicRegistration: {
    off: 'setting-choice.registration.off',
    token: 'setting-choice.registration.token',
    open: 'setting-choice.registration.open',
  },
};

/** Returns the value's title, or undefined if the value is self-explanatory. */
export function choiceTitle(name: SettingName, value: string): Text | undefined {
  const key = TITLES[name]?.[value];
  return key === undefined ? undefined : message(key);
}
