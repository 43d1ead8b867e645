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
  /** The actor's user name, or what kind of actor it was, such as the operator. */
  readonly by: Text;
  /** Null for a reset. */
  readonly value: readonly SettingLine[] | null;
  /** Whether the value is the current one. */
  readonly isCurrent: boolean;
  /** The content of the form that would restore the value; null if it cannot be restored here. */
  readonly restored: string | null;
  readonly position: number;
}

/** A setting, as shown on its page. */
export interface SettingFacts {
  readonly name: SettingName;
  /** The name of the environment variable that sets it. */
  readonly environment: string;
  readonly title: Text;
  readonly description: Text;
  readonly value: readonly SettingLine[];
  readonly default: readonly SettingLine[];
  readonly origin: string;
  readonly fixedBy: 'start' | 'file' | 'environment' | null;
  /** The value in the log that is being ignored, and why; null if no value is being ignored. */
  readonly ignored: { readonly value: readonly SettingLine[]; readonly because: Text } | null;
  /** Whether there is a change in the log, even if it has no effect. */
  readonly isChanged: boolean;
}

export interface AdminSettingLocals extends PageContext, SettingForm {
  readonly setting: SettingFacts;
  readonly entered: EnteredSetting;
  readonly error: Text | null;
  /** The change that the administrator must confirm, if any. */
  readonly proposed: {
    readonly value: readonly SettingLine[];
    readonly isReset: boolean;
    readonly forecast: ForecastLocals;
  } | null;
  /** Newest first. */
  readonly history: readonly SettingChangeLocals[];
  readonly hasOlder: boolean;
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
