import type { SettingValue } from '../domain/changed-settings.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { Actor, Position, RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** A changed run-time setting. */
export interface ChangedSetting {
  readonly name: string;
  readonly value: SettingValue;
  readonly changedAt: EpochSeconds;
  readonly changedBy: Actor;
  readonly position: Position;
}

export interface ChangedSettings extends Projection {
  find(name: string): ChangedSetting | undefined;
  /** Returns the values by name. Each change replaces the map. */
  values(): ReadonlyMap<string, SettingValue>;
}

export function createChangedSettings(): ChangedSettings {
  const settings = new Map<string, ChangedSetting>();
  let values: ReadonlyMap<string, SettingValue> = new Map();
  const updateValues = (): void => void (values = new Map([...settings].map(([name, { value }]) => [name, value])));
  const sortedSettings = (): ChangedSetting[] => [...settings.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));

  const handlers = handleEvents<'changed-settings'>({
    SettingChanged({ name, value }, event: RecordedEvent) {
      const { position, actor: changedBy } = event;
      settings.set(name, { name, value, changedAt: recordedSecond(event), changedBy, position });
      updateValues();
    },
    SettingReset({ name }) {
      settings.delete(name);
      updateValues();
    },
  });

  return {
    name: 'changed-settings',
    find: (name) => settings.get(name),
    values: () => values,
    contents: sortedSettings,
    freeze: () => jsonPieces(sortedSettings()),
    restore(piece) {
      for (const setting of parseEntries<ChangedSetting>(piece)) settings.set(setting.name, setting);
      updateValues();
    },
    ...handlers,
  };
}
