import { message, type Text } from '../../language/message.ts';

/** Converts a description from `describeBrowser` to a translatable message. Returns other text unchanged. */
export function browserName(description: string): Text {
  const [, browser, system] = /^(.{1,32}?) on (.{1,32})$/.exec(description) ?? [];
  if (browser === undefined || system === undefined) return description;
  return browser === 'A browser'
    ? message('browser-name.unknown', { system })
    : message('browser-name.known', { browser, system });
}
