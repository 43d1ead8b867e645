import { message, type Text } from '../../language/message.ts';

const SIZES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns the exact size in the largest unit that makes it a whole number, such as "64 MiB". */
export function formatExactSize(bytes: number): Text {
  const power = SIZES.findLastIndex((_, exponent) => bytes >= 1024 ** exponent && bytes % 1024 ** exponent === 0);
  return formatSize(Math.max(0, power), bytes);
}

/** Returns the size in the largest unit that makes it at least one, rounded to a tenth, such as "3.2 GiB". */
export function formatRoughSize(bytes: number): Text {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), SIZES.length - 1);
  return formatSize(power, bytes);
}

function formatSize(power: number, bytes: number): Text {
  const count = Math.round((bytes / 1024 ** power) * 10) / 10;
  return power === 0
    ? message('quantity.bytes', { count })
    : message('quantity.binary', { count, unit: SIZES[power] ?? '' });
}
