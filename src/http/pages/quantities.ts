import { message, type Text } from '../../language/message.ts';

const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats the exact size in the largest unit in which it is a whole number, such as "64 MiB". */
export function formatExactSize(bytes: number): Text {
  const power = SIZE_UNITS.findLastIndex((_, exponent) => bytes >= 1024 ** exponent && bytes % 1024 ** exponent === 0);
  return formatSize(Math.max(0, power), bytes);
}

/** Formats the size in the largest unit in which it is at least one, rounded to a tenth, such as "3.2 GiB". */
export function formatRoughSize(bytes: number): Text {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), SIZE_UNITS.length - 1);
  return formatSize(power, bytes);
}

function formatSize(power: number, bytes: number): Text {
  const count = Math.round((bytes / 1024 ** power) * 10) / 10;
  return power === 0
    ? message('quantity.bytes', { count })
    : message('quantity.binary', { count, unit: SIZE_UNITS[power] ?? '' });
}
