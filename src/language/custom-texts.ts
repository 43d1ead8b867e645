import { IntlMessageFormat } from 'intl-messageformat';
import { isPrintable } from '../domain/printable.ts';
import { CATALOGS, isMessageKey, type MessageKey } from './catalog.ts';
import { LOCALES, type Language } from './languages.ts';
import { message, type Message } from './message.ts';

/** An operator's replacements for catalog entries, keyed by language and key. */
export type CustomTexts = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

/**
 * Prefixes of entries that cannot be replaced. The log records consents in the words of the catalog, so a page must not
 * show different words.
 */
const RECORDED_PREFIXES = ['consent.', 'scope.', 'claim.', 'claims.', 'effect.'];

/** Tags that every message may contain: see `Translator.html`. */
const PLAIN_TAGS = ['b', 'bdi', 'code'];

/** The arguments that every message may use: see `TextSettings`. */
const SHARED_ARGUMENTS = ['brand'];

/** Reports whether operators can replace the entry with this key. */
export function isReplaceable(key: MessageKey): boolean {
  return !RECORDED_PREFIXES.some((start) => key.startsWith(start));
}

/**
 * Returns why the text cannot replace the entry, as the end of a sentence that starts with the key; undefined if it
 * can.
 */
export function textProblem(language: Language, key: string, text: string): Message | undefined {
  if (!isMessageKey(key)) return message('own-text.unknown');
  if (!isReplaceable(key)) return message('own-text.recorded');
  if (!isPrintable(text.replaceAll('\n', ' '))) return message('own-text.characters');
  const [customParts, entryParts] = [partsOf(language, text), partsOf(language, CATALOGS[language][key])];
  if (typeof customParts === 'string') return message('own-text.malformed', { problem: customParts });
  if (typeof entryParts === 'string') throw new Error(`${key} is not an ICU message: ${entryParts}`);
  return explainMismatch(customParts, entryParts);
}

/** Cached by key, because listing all entries would otherwise spend most of its time parsing them. */
const cachedPlaceholders = new Map<MessageKey, readonly string[]>();

/** Returns the arguments and tags that a replacement for the entry must have, such as `{server}` and `<a>`. */
export function placeholdersOf(key: MessageKey): readonly string[] {
  const cachedNames = cachedPlaceholders.get(key);
  if (cachedNames !== undefined) return cachedNames;
  const parts = partsOf('en', CATALOGS.en[key]);
  if (typeof parts === 'string') throw new Error(`${key} is not an ICU message: ${parts}`);
  const names = [
    ...[...parts.argumentFormats.keys()].map((name) => `{${name}}`),
    ...[...parts.tags].map((name) => `<${name}>`),
  ];
  cachedPlaceholders.set(key, names);
  return names;
}

/** The arguments and tags of a message. */
interface Parts {
  /** The formats that each argument has in the message, keyed by argument name. */
  readonly argumentFormats: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tags: ReadonlySet<string>;
}

/**
 * Returns why a text with these parts cannot replace its entry, or undefined if it can. The text must use each of the
 * entry's arguments and tags, so that it hides no name or link, and must not use any others.
 */
function explainMismatch(customParts: Parts, entryParts: Parts): Message | undefined {
  const names = { own: [...customParts.argumentFormats.keys()], entry: [...entryParts.argumentFormats.keys()] };
  const missingArguments = names.entry.filter((name) => !customParts.argumentFormats.has(name));
  const unknownArguments = names.own.filter(
    (name) => !entryParts.argumentFormats.has(name) && !SHARED_ARGUMENTS.includes(name),
  );
  const missingTags = [...entryParts.tags].filter((name) => !customParts.tags.has(name));
  const unknownTags = [...customParts.tags].filter((name) => !entryParts.tags.has(name));
  const missing = [...missingArguments.map((name) => `{${name}}`), ...missingTags.map((name) => `<${name}>`)];
  if (missing.length > 0) return message('own-text.lacks', { names: missing.join(', ') });
  const excess = [...unknownArguments.map((name) => `{${name}}`), ...unknownTags.map((name) => `<${name}>`)];
  if (excess.length > 0) return message('own-text.excess', { names: excess.join(', ') });
  for (const [name, formats] of customParts.argumentFormats)
    for (const format of formats)
      if (format !== PLAIN && entryParts.argumentFormats.get(name)?.has(format) !== true)
        return message('own-text.format', { name: `{${name}}` });
  return undefined;
}

const PLAIN = 'plain';

/** The parser's numbers for the kinds of elements in a message. */
const KINDS = { argument: 1, number: 2, date: 3, time: 4, select: 5, plural: 6, tag: 8 } as const;

interface ParsedElement {
  readonly type: number;
  readonly value?: string;
  readonly style?: unknown;
  readonly options?: Readonly<Record<string, { readonly value: readonly ParsedElement[] }>>;
  readonly children?: readonly ParsedElement[];
}

/** Returns the parts of a message, or the reason it cannot be parsed. */
function partsOf(language: Language, text: string): Parts | string {
  const argumentFormats = new Map<string, Set<string>>();
  const tags = new Set<string>();

  function collectParts({ type, value = '', style, options = {}, children = [] }: ParsedElement): void {
    if (type === KINDS.tag && !PLAIN_TAGS.includes(value)) tags.add(value);
    if (type >= KINDS.argument && type <= KINDS.plural) {
      const format = type === KINDS.argument ? PLAIN : `${type} ${JSON.stringify(style ?? null)}`;
      argumentFormats.set(value, (argumentFormats.get(value) ?? new Set()).add(format));
    }
    for (const option of Object.values(options)) option.value.forEach(collectParts);
    children.forEach(collectParts);
  }

  try {
    const parsed = new IntlMessageFormat(text, LOCALES[language]).getAst() as readonly ParsedElement[];
    parsed.forEach(collectParts);
    return { argumentFormats, tags };
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
  }
}
