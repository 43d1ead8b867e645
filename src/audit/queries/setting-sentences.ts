import type { EventOf } from '../../domain/events.ts';
import { isSameValue } from '../../domain/same-value.ts';
import { isMessageKey } from '../../language/catalog.ts';
import { durationText } from '../../language/durations.ts';
import { joinTexts, message, type Message, type MessageValues, type Text } from '../../language/message.ts';

/**
 * Returns a message saying that a setting was changed or reset.
 * @param previousValue the value before the change, or undefined if it was the default
 */
export function describeSettingChange(
  data: EventOf<'SettingChanged' | 'SettingReset'>['data'],
  previousValue: unknown,
  actorValues: MessageValues,
): Message {
  const { name } = data;
  const values = {
    ...actorValues,
    setting: settingTitle(name),
    before: formatValue(name, previousValue ?? null),
    beforeIs: previousValue === undefined ? 'default' : isEmptyValue(previousValue) ? 'none' : 'value',
  };
  if (!('value' in data)) return message('sentence.setting-reset', values);
  const { value } = data;
  const changes =
    name === 'brandTexts'
      ? entryChanges(brandTextEntries(previousValue), brandTextEntries(value))
      : previousValue === undefined
        ? undefined
        : entryChanges(toEntries(previousValue), toEntries(value));
  if (changes !== undefined)
    return message('sentence.setting-entries', { ...actorValues, setting: values.setting, changes });
  return message('sentence.setting-changed', {
    ...values,
    value: formatValue(name, value),
    valueIs: isEmptyValue(value) ? 'none' : 'value',
  });
}

/** Returns the title of a setting, or the name of a setting that no longer exists. */
function settingTitle(name: string): Text {
  const key = `setting-title.${name}`;
  return isMessageKey(key) ? message(key) : name;
}

const isEmptyValue = (value: unknown): boolean => value === null || toEntries(value)?.size === 0;

/** Returns the entries of a list or a map; undefined if the value is neither. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value)
    ? new Map(value.map((entry) => [String(entry), true]))
    : new Map<string, unknown>(Object.entries(value));
}

/** Returns the custom texts, each under its key and language. There are none if `value` is undefined. */
function brandTextEntries(value: unknown): ReadonlyMap<string, unknown> {
  const languages = [...(toEntries(value ?? {}) ?? [])];
  return new Map(
    languages.flatMap(([language, texts]) =>
      [...(toEntries(texts) ?? [])].map(([key, text]) => [`${key} (${language})`, text] as const),
    ),
  );
}

/**
 * Describes the differences. Returns undefined if the values are equal, or if one of them has no entries to compare.
 */
function entryChanges(
  previousEntries: ReadonlyMap<string, unknown> | undefined,
  newEntries: ReadonlyMap<string, unknown> | undefined,
): Text | undefined {
  if (previousEntries === undefined || newEntries === undefined) return undefined;
  const addedEntries = [...newEntries.keys()].filter((entry) => !previousEntries.has(entry));
  const removedEntries = [...previousEntries.keys()].filter((entry) => !newEntries.has(entry));
  const changedEntries = [...newEntries].filter(
    ([entry, value]) => previousEntries.has(entry) && !isSameValue(previousEntries.get(entry), value),
  );
  const clauses = [
    addedEntries.length === 0 ? undefined : message('sentence.entries-added', { entries: addedEntries.join(', ') }),
    removedEntries.length === 0
      ? undefined
      : message('sentence.entries-removed', { entries: removedEntries.join(', ') }),
    changedEntries.length === 0
      ? undefined
      : message('sentence.entries-changed', { entries: changedEntries.map(([entry]) => entry).join(', ') }),
  ];
  return joinTexts(
    clauses.filter((clause) => clause !== undefined),
    'problem.semicolons',
  );
}

function formatValue(name: string, value: unknown): Text {
  if (typeof value === 'boolean') return message(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number') return formatNumber(name, value);
  const entries = toEntries(value);
  if (entries !== undefined) return [...entries.keys()].join(', ');
  const text = String(value);
  return text.startsWith('data:') ? message('sentence.image') : text;
}

function formatNumber(name: string, value: number): Text {
  if (name.endsWith('Seconds')) return durationText(value);
  return name.endsWith('Days') ? message('quantity.days', { count: value }) : message('list.number', { number: value });
}
