import { accept, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { isSameValue } from './same-value.ts';

/** The events of the stream `settings`: changes to run-time settings. */
export type ChangedSettingEvent = EventOf<'SettingChanged' | 'SettingReset'>;

/** A setting's value, as JSON. */
export type SettingValue = EventOf<'SettingChanged'>['data']['value'];

/** Changes either all of the settings or none of them. Skips settings that already have their new value. */
export interface ChangeSettings {
  readonly type: 'ChangeSettings';
  readonly set: Readonly<Record<string, SettingValue>>;
  /** Settings to reset to their defaults. */
  readonly reset: readonly string[];
  /**
   * The number of changes that the sender knew of. If there have been more, the command is refused, because settings
   * depend on each other.
   */
  readonly basedOnChanges: number;
  /** The values that the settings in `set` would have without the changes in the log. */
  readonly baseValues: Readonly<Record<string, SettingValue>>;
}

export interface ChangedSettingsState {
  readonly values: ReadonlyMap<string, SettingValue>;
  /** The number of events in the stream. */
  readonly changeCount: number;
}

/** `outdated`: another change was made first. */
export type ChangedSettingsRefusal = 'outdated';

export const changedSettings: Decider<
  ChangeSettings,
  ChangedSettingsState,
  ChangedSettingEvent,
  ChangedSettingsRefusal
> = {
  initial: { values: new Map(), changeCount: 0 },

  decide({ set, reset, basedOnChanges, baseValues }, { values, changeCount }) {
    if (basedOnChanges !== changeCount) return refuse('outdated');
    const changedEntries = Object.entries(set).filter(
      ([name, value]) => !isSameValue(values.has(name) ? values.get(name) : baseValues[name], value),
    );
    return accept<ChangedSettingEvent>(
      ...changedEntries.map(([name, value]) => ({ type: 'SettingChanged', data: { name, value } }) as const),
      ...reset.filter((name) => values.has(name)).map((name) => ({ type: 'SettingReset', data: { name } }) as const),
    );
  },

  evolve({ values: previousValues, changeCount }, { type, data }) {
    const values = new Map(previousValues);
    if (type === 'SettingChanged') values.set(data.name, data.value);
    else values.delete(data.name);
    return { values, changeCount: changeCount + 1 };
  },
};
