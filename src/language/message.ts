import type { MessageKey } from './catalog.ts';

/** A time, which is shown to the minute and with the zone. */
export interface Moment {
  /** Seconds since the epoch. */
  readonly at: number;
  /** A name of the IANA database; UTC by default. */
  readonly timeZone?: string | undefined;
}

/** Names that users chose. In HTML, each name is isolated from the text around it. Commas separate several names. */
export interface ChosenNames {
  readonly names: readonly string[];
}

/**
 * Values of arguments. Messages and times among them are translated into the language of the message, and lists become
 * one text.
 */
export type MessageValues = Readonly<Record<string, Text | number | Moment | ChosenNames | readonly Text[]>>;

/** A text for readers that is not in any language yet: an entry of the catalog and the values of its arguments. */
export interface Message {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

/** A message, or a text that is the same in every language, such as a name. */
export type Text = Message | string;

export function message(key: MessageKey, values?: MessageValues): Message {
  return values === undefined ? { key } : { key, values };
}

/**
 * Joins the texts into one, in order. Returns undefined for an empty list.
 * @param key the entry that joins two texts
 */
export function joinTexts(
  texts: readonly Text[],
  key: `problem.${'sentences' | 'lines' | 'commas' | 'semicolons' | 'either'}`,
): Text | undefined {
  const [first, ...others] = texts;
  return others.reduce<Text | undefined>((one, other) => one && message(key, { one, other }), first);
}

export function isList(value: MessageValues[string]): value is readonly Text[] {
  return Array.isArray(value);
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'key' in value;
}
