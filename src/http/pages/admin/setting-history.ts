import { formatFieldValue, deriveInput } from '../../../config/setting-inputs.ts';
import { settings } from '../../../config/settings.ts';
import { decodeEvent } from '../../../domain/events.ts';
import { recordedSecond } from '../../../domain/recorded-second.ts';
import { isSameValue } from '../../../domain/same-value.ts';
import { SETTINGS_STREAM } from '../../../domain/streams.ts';
import type { EventLog, RecordedEvent } from '../../../event-store/event-log.ts';
import { message, type Text } from '../../../language/message.ts';
import type { CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import type { Users } from '../../../projections/users.ts';
import { settingLines } from './setting-lines.ts';
import type { AdminSettingLocals, SettingChangeLocals } from './setting-locals.ts';

export interface SettingHistoryDeps {
  readonly log: Pick<EventLog, 'readStreamBackwards'>;
  readonly users: Pick<Users, 'find'>;
}

const MAX_CHANGES = 20;

/** Reads the newest changes to a setting from the log. */
export async function readSettingHistory(
  setting: CurrentSetting,
  { log, users }: SettingHistoryDeps,
): Promise<Pick<AdminSettingLocals, 'history' | 'hasOlderChanges'>> {
  const { name } = setting;
  const { unit = null } = settings[name] as { readonly unit?: string };
  const input = deriveInput(name);
  const history: SettingChangeLocals[] = [];
  for await (const page of log.readStreamBackwards(SETTINGS_STREAM)) {
    for (const recordedEvent of page) {
      const { type, data } = decodeEvent(recordedEvent);
      if ((type !== 'SettingChanged' && type !== 'SettingReset') || data.name !== name) continue;
      if (history.length === MAX_CHANGES) return { history, hasOlderChanges: true };
      const isChange = type === 'SettingChanged';
      const canRestore = isChange && setting.fixedBy === null;
      history.push({
        at: recordedSecond(recordedEvent),
        by: actorName(recordedEvent, users),
        value: isChange ? settingLines(name, data.value, unit) : null,
        isCurrent: isChange && isSameValue(data.value, setting.value),
        restorableValue: canRestore ? formatFieldValue(input, data.value) : null,
        position: recordedEvent.position,
      });
    }
  }
  return { history, hasOlderChanges: false };
}

function actorName({ actor }: Pick<RecordedEvent, 'actor'>, users: SettingHistoryDeps['users']): Text {
  if (actor.kind === 'operator') return message('one-setting.operator');
  if (actor.kind !== 'user') return actor.kind;
  const user = users.find(actor.id as Parameters<typeof users.find>[0]);
  return user?.username ?? message('one-setting.erased-user');
}
