import { formatSettingValue, type EffectiveSetting } from '../../../config/effective-settings.ts';

/** A line of a setting's value: the value itself, or one entry of a list or map. */
export interface SettingLine {
  readonly text: string;
  /** Whether the text is part of the value as the setting takes it. */
  readonly isLiteral: boolean;
  /** The same value as the setting takes it, or what the map says about the entry. */
  readonly note: string | null;
}

/** A value as administrators read it. No lines mean that nothing is set. */
export function settingLines(
  name: EffectiveSetting['name'],
  value: unknown,
  unit: string | null,
): readonly SettingLine[] {
  if (value === null) return [];
  if (typeof value === 'number' && unit !== null) return [quantity(value, unit)];
  if (Array.isArray(value)) return value.map((entry) => line(String(entry)));
  if (typeof value === 'object') return Object.entries(value).map(([key, entry]) => line(key, entryText(entry)));
  const text = formatSettingValue(name, value);
  return [text.startsWith('data:') ? imageLine(text) : line(text)];
}

/** Such as "image/png, 3.2 KiB". */
function imageLine(url: string): SettingLine {
  const [, type = '', base64 = ''] = /^data:([^;,]*);base64,(.*)$/.exec(url) ?? [];
  return { text: `${type}, ${((base64.length * 3) / 4096).toFixed(1)} KiB`, isLiteral: false, note: null };
}

/** An entry of a map: a list, an object such as `icon: card, sensitivity: sensitive`, or a plain value. */
function entryText(entry: unknown): string {
  if (Array.isArray(entry)) return entry.join(', ');
  if (typeof entry !== 'object' || entry === null) return String(entry);
  return Object.entries(entry)
    .map(([name, part]) => `${name}: ${String(part)}`)
    .join(', ');
}

function line(text: string, note: string | null = null): SettingLine {
  return { text, isLiteral: true, note };
}

function quantity(value: number, unit: string): SettingLine {
  const exact = `${value} ${unit}`;
  const readable = unit === 'seconds' ? duration(value) : size(value);
  return { text: readable, isLiteral: false, note: readable === exact ? null : exact };
}

const DURATIONS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Such as "1 day 2 hours". */
function duration(seconds: number): string {
  let rest = seconds;
  const parts = DURATIONS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? '0 seconds' : parts.join(' ');
}

const SIZES = [
  ['TiB', 1024 ** 4],
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

/** In the largest unit of which it is a whole number. */
function size(bytes: number): string {
  const [unit, length] = SIZES.find(([, each]) => bytes % each === 0) ?? ['bytes', 1];
  return `${bytes / length} ${unit}`;
}
