import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalog, MessageKey } from './catalog.ts';
import { textProblem, type CustomTexts } from './custom-texts.ts';
import { escapeHtml } from '../platform/escape-html.ts';
import { DEFAULT_BRAND_NAME, LOCALES, type Language } from './languages.ts';
import { isList, type ChosenNames, type MessageValues, type Text } from './message.ts';
import { createMoments, type Moments } from './moments.ts';

/** An element in a message, with its attributes. `element` is its name, if that differs from the tag. */
export type MessageElement = Readonly<Record<string, string>>;

/** Elements, keyed by their tag in the message. */
export type MessageTags = Readonly<Record<string, MessageElement>>;

/**
 * The operator's brand name and texts. They are read for each message, because they can change while the server runs.
 */
export interface TextSettings {
  /** The `brand` argument, which every message may use. */
  readonly brandName: string;
  /** The texts that replace catalog entries. Texts that do not fit their entry are ignored. */
  readonly brandTexts: CustomTexts;
}

/** Formats messages in one language. */
export interface Translator {
  readonly language: Language;
  /**
   * Returns the entry as text, without its tags.
   * @throws Error if the entry has an argument without a value
   */
  t(key: MessageKey, values?: MessageValues): string;
  /** Returns the message as text, without its tags. A string is returned unchanged. */
  text(text: Text): string;
  /**
   * Returns the entry as HTML, in which everything is escaped except for the elements of `tags` and the plain ones:
   * `b`, `bdi` and `code`.
   * @throws Error if the entry has an argument without a value, or a tag without an element
   */
  html(key: MessageKey, values?: MessageValues, tags?: MessageTags): string;
  number(value: number): string;
  readonly moments: Moments;
}

/** Elements without attributes, which every message may contain. `bdi` isolates names of any direction. */
const PLAIN_TAGS = { b: { element: 'strong' }, bdi: {}, code: {} } as const satisfies MessageTags;

/** HTML among the parts of a formatted message. */
interface Markup {
  readonly html: string;
}

/** The parsed entries of each catalog. Translators share them, because parsing takes longer than formatting. */
const parsedEntries = new WeakMap<Catalog, Map<MessageKey, IntlMessageFormat>>();

/** Returns the parsed entry. It is parsed on first use. */
function parsedEntry(catalog: Catalog, key: MessageKey, locale: string): IntlMessageFormat {
  const entries = parsedEntries.get(catalog) ?? new Map<MessageKey, IntlMessageFormat>();
  parsedEntries.set(catalog, entries);
  const format = entries.get(key) ?? new IntlMessageFormat(catalog[key], locale);
  entries.set(key, format);
  return format;
}

export const DEFAULT_TEXTS: TextSettings = { brandName: DEFAULT_BRAND_NAME, brandTexts: {} };

export function createTranslator(language: Language, catalog: Catalog, settings = DEFAULT_TEXTS): Translator {
  const locale = LOCALES[language];
  const numbers = new Intl.NumberFormat(locale);
  const moments = createMoments(locale);
  const lists = new Intl.ListFormat(locale);
  const customFormats = new Map<MessageKey, { readonly custom: string; readonly format: IntlMessageFormat }>();

  function formatOf(key: MessageKey): IntlMessageFormat {
    const custom = settings.brandTexts[language]?.[key];
    return custom === undefined ? parsedEntry(catalog, key, locale) : customFormatOf(key, custom);
  }

  function customFormatOf(key: MessageKey, custom: string): IntlMessageFormat {
    const cached = customFormats.get(key);
    if (cached?.custom === custom) return cached.format;
    const fits = textProblem(language, key, custom) === undefined;
    const format = fits ? new IntlMessageFormat(custom, locale) : parsedEntry(catalog, key, locale);
    customFormats.set(key, { custom, format });
    return format;
  }

  function t(key: MessageKey, values: MessageValues = {}): string {
    const formatted = formatOf(key).format<string>({ ...WITHOUT_MARKUP, ...translateValues(values) });
    return Array.isArray(formatted) ? formatted.join('') : formatted;
  }

  function textOf(text: Text): string {
    return typeof text === 'string' ? text : t(text.key, text.values);
  }

  /** Translates the values and adds the `brand` argument. */
  function translateValues(values: MessageValues): Record<string, string | number> {
    const translated = Object.entries(values).map(([name, value]) => [name, valueOf(value)] as const);
    return { brand: settings.brandName, ...Object.fromEntries(translated) };
  }

  function valueOf(value: MessageValues[string]): string | number {
    if (typeof value === 'number') return value;
    if (isList(value)) return lists.format(value.map(textOf));
    if (typeof value === 'string' || 'key' in value) return textOf(value);
    return 'at' in value ? moments.moment(value) : value.names.join(', ');
  }

  function html(key: MessageKey, values: MessageValues = {}, tags: MessageTags = {}): string {
    const inserted = { ...translateValues(values), ...isolatedNames(values, html) };
    const parts = formatOf(key).formatToParts<Markup>({
      ...elementFormatters({ ...PLAIN_TAGS, ...tags }),
      ...inserted,
    });
    return parts.map(({ value }) => htmlOf(value)).join('');
  }

  return {
    language,
    t,
    text: textOf,
    html,
    number: (value) => numbers.format(value),
    moments,
  };
}

const WITHOUT_MARKUP = Object.fromEntries(
  Object.keys(PLAIN_TAGS).map((name) => [name, (parts: readonly string[]) => parts.join('')]),
);

/** Returns HTML for the values that are names or messages with names. */
function isolatedNames(values: MessageValues, html: Translator['html']): Readonly<Record<string, Markup>> {
  const isolateValue = (value: MessageValues[string]): readonly Markup[] => {
    if (hasNames(value)) return [{ html: value.names.map(isolateName).join(', ') }];
    const isNamed = typeof value === 'object' && 'key' in value && Object.values(value.values ?? {}).some(hasNames);
    return isNamed ? [{ html: html(value.key, value.values) }] : [];
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => isolateValue(value).map((markup) => [name, markup] as const)),
  );
}

function hasNames(value: MessageValues[string]): value is ChosenNames {
  return typeof value === 'object' && 'names' in value;
}

function isolateName(name: string): string {
  return `<bdi class="named">${escapeHtml(name)}</bdi>`;
}

function elementFormatters(tags: MessageTags): Record<string, (parts: readonly (string | Markup)[]) => Markup> {
  return Object.fromEntries(
    Object.entries(tags).map(([name, { element = name, ...attributes }]) => {
      const openingTag = [
        element,
        ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeHtml(value)}"`),
      ];
      return [name, (parts) => ({ html: `<${openingTag.join(' ')}>${parts.map(htmlOf).join('')}</${element}>` })];
    }),
  );
}

function htmlOf(part: string | Markup): string {
  return typeof part === 'string' ? escapeHtml(part) : part.html;
}
