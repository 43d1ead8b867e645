import type { SettingName } from '../../../config/settings.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { PageContext } from '../page-context.ts';
import { brandPages, type BrandPages } from './brand-locals.ts';
import type { PageCompiler } from './provider-locals.ts';
import { scopePages, type ScopePages } from './scope-locals.ts';
import type { EnteredSetting, SettingForm } from './setting-form.ts';
import type { SettingLine } from './setting-lines.ts';
import type { SettingSection } from './setting-sections.ts';
import type { ForecastLocals } from './shown-forecast.ts';

export interface SettingChangeLocals {
  readonly at: EpochSeconds;
  /** The actor's user name, or a description of the actor, such as "The operator". */
  readonly by: Text;
  /** Null for a reset. */
  readonly value: readonly SettingLine[] | null;
  /** Whether the setting currently has this value. */
  readonly isCurrent: boolean;
  /** The text to submit to restore the value; null for a reset, and if only the operator can change the setting. */
  readonly restorableValue: string | null;
  readonly position: number;
}

/** A setting, as shown on its page. */
export interface SettingFacts {
  readonly name: SettingName;
  /** The name of the setting's environment variable. */
  readonly environment: string;
  readonly title: Text;
  readonly description: Text;
  readonly value: readonly SettingLine[];
  readonly default: readonly SettingLine[];
  readonly origin: string;
  readonly fixedBy: 'start' | 'file' | 'environment' | null;
  /** The value in the log that is ignored, with the reason; null if no value is ignored. */
  readonly ignored: { readonly value: readonly SettingLine[]; readonly because: Text } | null;
  /** Whether the log contains a change to the setting, even if that change has no effect. */
  readonly isChanged: boolean;
}

export interface AdminSettingLocals extends PageContext, SettingForm {
  readonly setting: SettingFacts;
  readonly entered: EnteredSetting;
  readonly error: Text | null;
  /** The change that the administrator is asked to confirm; null if no change is proposed. */
  readonly proposal: {
    readonly value: readonly SettingLine[];
    readonly isReset: boolean;
    readonly forecast: ForecastLocals;
  } | null;
  /** Newest first. */
  readonly history: readonly SettingChangeLocals[];
  readonly hasOlderChanges: boolean;
  readonly formId: string;
}

interface AdminSettingsLocals extends ListPageLocals {
  readonly sections: readonly SettingSection[];
  /** Changes in the log that have no effect. */
  readonly ignored: readonly { readonly name: string; readonly because: Text }[];
}

export interface SettingPages extends ScopePages, BrandPages {
  adminSettings(locals: AdminSettingsLocals): string;
  adminSetting(locals: AdminSettingLocals): string;
}

export function settingPages(page: PageCompiler): SettingPages {
  return {
    adminSettings: page('admin/settings', () => message('admin.settings')),
    adminSetting: page('admin/setting', ({ setting }) => message('one-setting.title', { setting: setting.title })),
    ...scopePages(page),
    ...brandPages(page),
  };
}
