import { formatSettingValue, type EffectiveSetting } from '../../../config/effective-settings.ts';
import { isSameValue } from '../../../domain/same-value.ts';
import { durationText } from '../../../language/durations.ts';
import { message, type Text } from '../../../language/message.ts';
import { formatExactSize, formatRoughSize } from '../quantities.ts';
import { choiceTitle } from './setting-choices.ts';

/** A line of a setting's value: the value itself, or one entry of a list or map. */
export interface SettingLine {
  readonly text: Text;
  /** Whether the text is literally part of the value. */
  readonly isLiteral: boolean;
  /** The literal value, the quantity in bytes or seconds, or the content of a map entry; null if the text suffices. */
  readonly note: Text | null;
}

/** Returns the lines that show a value to administrators; empty for null and for an empty list or map. */
export function settingLines(
  name: EffectiveSetting['name'],
  value: unknown,
  unit: string | null,
): readonly SettingLine[] {
  if (value === null) return [];
  if (typeof value === 'number') return [numberLine(name, value, unit)];
  if (typeof value === 'boolean') return [textLine(message(value ? 'value.yes' : 'value.no'), null)];
  if (Array.isArray(value)) return value.map((entry) => literalLine(String(entry)));
  if (typeof value === 'object') return Object.entries(value).map(([key, entry]) => literalLine(key, entryText(entry)));
  const text = formatSettingValue(name, value);
  const title = choiceTitle(name, text);
  if (title !== undefined) return [textLine(title, text)];
  if (text === '(hidden)') return [textLine(message('setting-value.hidden'), null)];
  return [text.startsWith('data:') ? imageLine(text) : literalLine(text)];
}

function numberLine(name: string, value: number, unit: string | null): SettingLine {
  if (unit === 'bytes') return quantityLine(formatExactSize(value), message('quantity.bytes', { count: value }));
  if (unit === 'seconds' || name.endsWith('Seconds'))
    return quantityLine(durationText(value), message('quantity.seconds', { count: value }));
  if (name.endsWith('Days')) return textLine(message('quantity.days', { count: value }), null);
  return /port$/i.test(name) ? literalLine(String(value)) : textLine(message('list.number', { number: value }), null);
}

/** Returns a line that notes the quantity in its base unit, unless the text already uses that unit. */
function quantityLine(text: Text, inBaseUnit: Text): SettingLine {
  return textLine(text, isSameValue(text, inBaseUnit) ? null : inBaseUnit);
}

/** Returns a line that describes an image, such as "image/png, 3.2 KiB". */
function imageLine(url: string): SettingLine {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/.exec(url) ?? [];
  return textLine(message('setting-value.image', { type, size: formatRoughSize((base64.length * 3) / 4) }), null);
}

/**
 * Formats the value of a map entry, which is a list, an object or a plain value. An object becomes, for example,
 * `icon: card, sensitivity: sensitive`.
 */
function entryText(entry: unknown): string {
  if (Array.isArray(entry)) return entry.join(', ');
  if (typeof entry !== 'object' || entry === null) return String(entry);
  return Object.entries(entry)
    .map(([name, part]) => `${name}: ${String(part)}`)
    .join(', ');
}

function literalLine(text: string, note: string | null = null): SettingLine {
  return { text, isLiteral: true, note };
}

function textLine(text: Text, note: Text | null): SettingLine {
  return { text, isLiteral: false, note };
}
