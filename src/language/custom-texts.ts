import { IntlMessageFormat } from 'intl-messageformat';
import { isPrintable } from '../domain/printable.ts';
import { CATALOGS, isMessageKey, type MessageKey } from './catalog.ts';
import { LOCALES, type Language } from './languages.ts';
import { message, type Message } from './message.ts';

/** The texts with which an operator replaces entries of the catalog, by language and key. */
export type CustomTexts = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

/**
 * Prefixes of entries that cannot be replaced: the log records consents with the texts of the catalog, so a page must
 * not show different texts.
 */
const RECORDED_PREFIXES = ['consent.', 'scope.', 'claim.', 'claims.', 'effect.'];

/** Elements that every message may contain: see `Translator.html`. */
const PLAIN_TAGS = ['b', 'bdi', 'code'];

/** The argument that every message may have: see `TextSettings`. */
const ALWAYS_AVAILABLE = ['brand'];

/** Reports whether operators can replace the entry. */
export function isReplaceable(key: MessageKey): boolean {
  return !RECORDED_PREFIXES.some((start) => key.startsWith(start));
}

/** Returns why the text cannot replace the entry, to complete "KEY: …", or undefined if it can. */
export function textProblem(language: Language, key: string, text: string): Message | undefined {
  if (!isMessageKey(key)) return message('own-text.unknown');
  if (!isReplaceable(key)) return message('own-text.recorded');
  if (!isPrintable(text.replaceAll('\n', ' '))) return message('own-text.characters');
  const [own, entry] = [partsOf(language, text), partsOf(language, CATALOGS[language][key])];
  if (typeof own === 'string') return message('own-text.malformed', { problem: own });
  if (typeof entry === 'string') throw new Error(`${key} is not an ICU message: ${entry}`);
  return differenceOf(own, entry);
}

/** Cached by key, because parsing every entry takes most of the time of a list. */
const cachedPlaceholders = new Map<MessageKey, readonly string[]>();

/** Returns the arguments and tags that a text must have to replace the entry, such as `{server}` and `<a>`. */
export function placeholdersOf(key: MessageKey): readonly string[] {
  const known = cachedPlaceholders.get(key);
  if (known !== undefined) return known;
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
  /** The formats of each argument in the message, by the argument's name. */
  readonly argumentFormats: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tags: ReadonlySet<string>;
}

/**
 * Returns why the parts of a text do not fit its entry, or undefined if they do. The text must use each argument and
 * tag of the entry, so that it hides no name or link, and must not use any others.
 */
function differenceOf(own: Parts, entry: Parts): Message | undefined {
  const names = { own: [...own.argumentFormats.keys()], entry: [...entry.argumentFormats.keys()] };
  const missingArguments = names.entry.filter((name) => !own.argumentFormats.has(name));
  const unknownArguments = names.own.filter(
    (name) => !entry.argumentFormats.has(name) && !ALWAYS_AVAILABLE.includes(name),
  );
  const missingTags = [...entry.tags].filter((name) => !own.tags.has(name));
  const unknownTags = [...own.tags].filter((name) => !entry.tags.has(name));
  const missing = [...missingArguments.map((name) => `{${name}}`), ...missingTags.map((name) => `<${name}>`)];
  if (missing.length > 0) return message('own-text.lacks', { names: missing.join(', ') });
  const excess = [...unknownArguments.map((name) => `{${name}}`), ...unknownTags.map((name) => `<${name}>`)];
  if (excess.length > 0) return message('own-text.excess', { names: excess.join(', ') });
  for (const [name, formats] of own.argumentFormats)
    for (const format of formats)
      if (format !== PLAIN && entry.argumentFormats.get(name)?.has(format) !== true)
        return message('own-text.format', { name: `{${name}}` });
  return undefined;
}

const PLAIN = 'plain';

/** The kinds of elements in a parsed message, as its parser numbers them. */
const KINDS = { argument: 1, number: 2, date: 3, time: 4, select: 5, plural: 6, tag: 8 } as const;

interface ParsedElement {
  readonly type: number;
  readonly value?: string;
  readonly style?: unknown;
  readonly options?: Readonly<Record<string, { readonly value: readonly ParsedElement[] }>>;
  readonly children?: readonly ParsedElement[];
}

/** Returns the parts of a message, or the reason why it cannot be parsed. */
function partsOf(language: Language, text: string): Parts | string {
  const argumentFormats = new Map<string, Set<string>>();
  const tags = new Set<string>();

  function read({ type, value = '', style, options = {}, children = [] }: ParsedElement): void {
    if (type === KINDS.tag && !PLAIN_TAGS.includes(value)) tags.add(value);
    if (type >= KINDS.argument && type <= KINDS.plural) {
      const format = type === KINDS.argument ? PLAIN : `${type} ${JSON.stringify(style ?? null)}`;
      argumentFormats.set(value, (argumentFormats.get(value) ?? new Set()).add(format));
    }
    for (const option of Object.values(options)) option.value.forEach(read);
    children.forEach(read);
  }

  try {
    const parsed = new IntlMessageFormat(text, LOCALES[language]).getAst() as readonly ParsedElement[];
    parsed.forEach(read);
    return { argumentFormats, tags };
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
  }
}
