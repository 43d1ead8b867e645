import type { MessageKey } from './catalogue.ts';

/** Values of the arguments of a message. A message among them is put into the same language. */
export type MessageValues = Readonly<Record<string, Text | number>>;

/** A text for readers that is not in any language yet: an entry of the catalogue and the values of its arguments. */
export interface Message {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

/** A message, or a text that is the same in every language, such as a name. */
export type Text = Message | string;

export function message(key: MessageKey, values?: MessageValues): Message {
  return values === undefined ? { key } : { key, values };
}
