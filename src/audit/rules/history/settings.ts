import type { AuditedEvent } from '../audited-event.ts';

/** The settings that were changed while the server ran, according to the log. */
export interface SettingHistory {
  /** Returns the value of a changed setting as JSON, or undefined if it has its default. */
  valueOf(name: string): string | undefined;
  apply(audited: AuditedEvent): void;
}

export function createSettingHistory(): SettingHistory {
  const values = new Map<string, string>();
  return {
    valueOf: (name) => values.get(name),
    apply({ event: { type, data } }) {
      if (type === 'SettingChanged') values.set(data.name, JSON.stringify(data.value));
      if (type === 'SettingReset') values.delete(data.name);
    },
  };
}
