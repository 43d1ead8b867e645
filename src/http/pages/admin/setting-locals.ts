import type { SettingInput } from '../../../config/setting-inputs.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Forecast } from '../../../oauth/settings/forecast.ts';
import type { PageContext } from '../page-context.ts';
import { brandPages, type BrandPages } from './brand-locals.ts';
import type { PageCompiler } from './provider-locals.ts';
import { scopePages, type ScopePages } from './scope-locals.ts';
import type { SettingLine } from './setting-lines.ts';
import type { SettingSection } from './setting-sections.ts';

interface SettingChangeLocals {
  readonly at: EpochSeconds;
  /** A user name, or what else made the change. */
  readonly by: string;
  /** Null for a reset. */
  readonly value: readonly SettingLine[] | null;
  readonly position: number;
}

export interface AdminSettingLocals extends PageContext {
  readonly setting: {
    readonly name: string;
    readonly environment: string;
    readonly description: string;
    readonly expects: string;
    readonly unit: string | null;
    readonly value: readonly SettingLine[];
    readonly default: readonly SettingLine[];
    readonly origin: string;
    readonly fixedBy: 'start' | 'file' | 'environment' | null;
    /** The change in the log, if it is not in force, and why. */
    readonly ignored: { readonly value: readonly SettingLine[]; readonly because: string } | null;
    readonly isChanged: boolean;
  };
  readonly input: SettingInput;
  readonly entered: string;
  readonly error: string | null;
  /** The change that waits for confirmation; null while the administrator enters it. */
  readonly proposed: {
    readonly value: readonly SettingLine[];
    readonly isReset: boolean;
    readonly forecast: Forecast;
  } | null;
  /** Newest first; not all of them. */
  readonly history: readonly SettingChangeLocals[];
  readonly formId: string;
}

interface AdminSettingsLocals extends PageContext {
  /** The first has the settings that differ from their default, and may be empty. */
  readonly sections: readonly SettingSection[];
  /** The search text as entered; empty for all. */
  readonly query: string;
  /** Changes in the log that are not in force. */
  readonly ignored: readonly { readonly name: string; readonly because: string }[];
}

export interface SettingPages extends ScopePages, BrandPages {
  adminSettings(locals: AdminSettingsLocals): string;
  adminSetting(locals: AdminSettingLocals): string;
}

export function settingPages(page: PageCompiler): SettingPages {
  return {
    adminSettings: page('admin/settings', () => 'Settings'),
    adminSetting: page('admin/setting', ({ setting }) => `Setting ${setting.name}`),
    ...scopePages(page),
    ...brandPages(page),
  };
}
