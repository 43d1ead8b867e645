import { formatSettingValue } from '../config/effective-settings.ts';
import type { SettingName } from '../config/settings.ts';
import type { Lines } from './print.ts';
import type { Terminal } from './terminal.ts';

const MAX_VALUE_LENGTH = 1_000;

/** Truncates long values, such as images, which only `--json` prints in full. */
export function truncate(text: string): string {
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}… (${text.length} characters)` : text;
}

/**
 * Formats a value for a cell: at a terminal, with one line per entry of a map or list of objects; otherwise, as in an
 * environment variable. Returns null for an empty value.
 */
export function valueCell(
  { tableWidth }: Pick<Terminal, 'tableWidth'>,
  name: SettingName,
  value: unknown,
): string | Lines | null {
  if (value === null || value === undefined || value === '') return null;
  if (tableWidth === undefined) return truncate(formatSettingValue(name, value));
  if (!isObject(value)) return truncate(formatScalar(value));
  const lines = formatLines(value).map(truncate);
  return lines.length === 0 ? null : { lines };
}

function formatLines(value: object): readonly string[] {
  if (Array.isArray(value)) return value.some(isObject) ? value.map(formatInOneLine) : [formatInOneLine(value)];
  return Object.entries(value).map(([key, entry]) => `${key}: ${formatInOneLine(entry)}`);
}

function formatInOneLine(value: unknown): string {
  if (value === null || value === '') return '-';
  if (!isObject(value)) return formatScalar(value);
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(formatInOneLine).join(', ');
  return Object.entries(value)
    .map(([key, entry]) => `${key}=${formatInOneLine(entry)}`)
    .join(', ');
}

function formatScalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
