import type { MessageKey } from './catalog.ts';

/** A time, formatted to the minute and with its time zone. */
export interface Moment {
  /** Seconds since the epoch. */
  readonly at: number;
  /** A name from the IANA time zone database; UTC by default. */
  readonly timeZone?: string | undefined;
}

/** Names chosen by users, separated by commas. In HTML, each name is isolated from the text around it. */
export interface ChosenNames {
  readonly names: readonly string[];
}

/**
 * Values for a message's arguments. Messages and times are translated into the language of the message, and lists are
 * joined.
 */
export type MessageValues = Readonly<Record<string, Text | number | Moment | ChosenNames | readonly Text[]>>;

/** Text that has not been translated yet: a catalog key and the values of the entry's arguments. */
export interface Message {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

/** A message, or a string that is the same in every language, such as a name. */
export type Text = Message | string;

export function message(key: MessageKey, values?: MessageValues): Message {
  return values === undefined ? { key } : { key, values };
}

/**
 * Joins the texts in order. Returns undefined for an empty list.
 * @param key the catalog entry that joins two texts
 */
export function joinTexts(
  texts: readonly Text[],
  key: `problem.${'sentences' | 'lines' | 'commas' | 'semicolons' | 'either'}`,
): Text | undefined {
  const [first, ...others] = texts;
  return others.reduce<Text | undefined>((joined, text) => joined && message(key, { one: joined, other: text }), first);
}

export function isList(value: MessageValues[string]): value is readonly Text[] {
  return Array.isArray(value);
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'key' in value;
}
