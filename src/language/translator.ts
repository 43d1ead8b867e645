import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalog, MessageKey } from './catalog.ts';
import { textProblem, type CustomTexts } from './custom-texts.ts';
import { escapeHtml } from '../platform/escape-html.ts';
import { DEFAULT_BRAND_NAME, LOCALES, type Language } from './languages.ts';
import { isList, type ChosenNames, type MessageValues, type Text } from './message.ts';
import { createMoments, type Moments } from './moments.ts';

/** The attributes of an HTML element in a message, and its name as `element` if that differs from the tag. */
export type MessageElement = Readonly<Record<string, string>>;

/** HTML elements, keyed by their tags in the message. */
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
   * Returns the entry as text, without its plain tags: `b`, `bdi` and `code`.
   * @throws Error if the entry has an argument without a value, or any other tag
   */
  t(key: MessageKey, values?: MessageValues): string;
  /** Returns the message as text, as `t` does. A string is returned unchanged. */
  text(text: Text): string;
  /**
   * Returns the entry as HTML. Everything is escaped except the elements in `tags` and those for the plain tags.
   * @throws Error if the entry has an argument without a value, or a tag without an element
   */
  html(key: MessageKey, values?: MessageValues, tags?: MessageTags): string;
  number(value: number): string;
  readonly moments: Moments;
}

/** Elements without attributes, which every message may contain. `bdi` isolates the text direction of names. */
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
  const customFormats = new Map<MessageKey, { readonly customText: string; readonly format: IntlMessageFormat }>();

  function formatFor(key: MessageKey): IntlMessageFormat {
    const customText = settings.brandTexts[language]?.[key];
    return customText === undefined ? parsedEntry(catalog, key, locale) : customFormatFor(key, customText);
  }

  function customFormatFor(key: MessageKey, customText: string): IntlMessageFormat {
    const cachedFormat = customFormats.get(key);
    if (cachedFormat?.customText === customText) return cachedFormat.format;
    const isUsable = textProblem(language, key, customText) === undefined;
    const format = isUsable ? new IntlMessageFormat(customText, locale) : parsedEntry(catalog, key, locale);
    customFormats.set(key, { customText, format });
    return format;
  }

  function t(key: MessageKey, values: MessageValues = {}): string {
    const result = formatFor(key).format<string>({ ...WITHOUT_MARKUP, ...translateValues(values) });
    return Array.isArray(result) ? result.join('') : result;
  }

  function translateText(text: Text): string {
    return typeof text === 'string' ? text : t(text.key, text.values);
  }

  /** Translates the values and adds the `brand` argument. */
  function translateValues(values: MessageValues): Record<string, string | number> {
    const entries = Object.entries(values).map(([name, value]) => [name, translateValue(value)] as const);
    return { brand: settings.brandName, ...Object.fromEntries(entries) };
  }

  function translateValue(value: MessageValues[string]): string | number {
    if (typeof value === 'number') return value;
    if (isList(value)) return lists.format(value.map(translateText));
    if (typeof value === 'string' || 'key' in value) return translateText(value);
    return 'at' in value ? moments.moment(value) : value.names.join(', ');
  }

  function html(key: MessageKey, values: MessageValues = {}, tags: MessageTags = {}): string {
    const insertedValues = { ...translateValues(values), ...isolatedNames(values, html) };
    const parts = formatFor(key).formatToParts<Markup>({
      ...elementFormatters({ ...PLAIN_TAGS, ...tags }),
      ...insertedValues,
    });
    return parts.map(({ value }) => toHtml(value)).join('');
  }

  return {
    language,
    t,
    text: translateText,
    html,
    number: (value) => numbers.format(value),
    moments,
  };
}

const WITHOUT_MARKUP = Object.fromEntries(
  Object.keys(PLAIN_TAGS).map((name) => [name, (parts: readonly string[]) => parts.join('')]),
);

/** Returns the HTML of the values that are names, or messages that contain names. */
function isolatedNames(values: MessageValues, html: Translator['html']): Readonly<Record<string, Markup>> {
  const isolateValue = (value: MessageValues[string]): readonly Markup[] => {
    if (hasNames(value)) return [{ html: value.names.map(isolateName).join(', ') }];
    const containsNames =
      typeof value === 'object' && 'key' in value && Object.values(value.values ?? {}).some(hasNames);
    return containsNames ? [{ html: html(value.key, value.values) }] : [];
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
      return [name, (parts) => ({ html: `<${openingTag.join(' ')}>${parts.map(toHtml).join('')}</${element}>` })];
    }),
  );
}

function toHtml(part: string | Markup): string {
  return typeof part === 'string' ? escapeHtml(part) : part.html;
}
