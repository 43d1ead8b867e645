import type { AuditedEvent } from '../audited-event.ts';

/** The changed run-time settings, according to the log. */
export interface SettingHistory {
  /** Returns the value of a changed setting as JSON, or undefined if it was never changed or has been reset. */
  findValue(name: string): string | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createSettingHistory(): SettingHistory {
  const values = new Map<string, string>();
  return {
    findValue: (name) => values.get(name),
    apply({ event: { type, data } }) {
      if (type === 'SettingChanged') values.set(data.name, JSON.stringify(data.value));
      if (type === 'SettingReset') values.delete(data.name);
    },
  };
}
