import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../language/languages.ts';
import { message, type Text } from '../../../language/message.ts';
import type { EditableText } from '../../../oauth/settings/own-texts.ts';
import {
  actionColumn,
  joinItems,
  EMPTY_CELL,
  textColumn,
  type Cell,
  type PageColumn,
  type PageList,
} from '../lists/page-list.ts';

const TEXTS_PATH = '/admin/brand/texts/';

/** Returns the path of the page that shows a text. */
export function textPagePath(key: string): string {
  return `${TEXTS_PATH}${encodeURIComponent(key)}/`;
}

type Status = 'standard' | 'own' | 'ignored';

/** Reports whether the operator's version of the text is ignored in at least one language. */
export function isIgnored({ versions }: EditableText): boolean {
  return Object.values(versions).some(({ problem }) => problem !== null);
}

function statusOf(text: EditableText): Status {
  if (isIgnored(text)) return 'ignored';
  return Object.values(text.versions).some(({ own }) => own !== null) ? 'own' : 'standard';
}

const STATUS_CELLS: Readonly<Record<Status, Cell>> = {
  standard: { text: message('brand-texts.standard'), tone: 'neutral' },
  own: { text: message('brand-texts.own'), tone: 'good' },
  ignored: { text: message('brand-texts.ignored'), tone: 'warning' },
};

const isMailText = ({ key }: EditableText): boolean => key.startsWith('mail.');

/** The key prefixes of the texts that are listed by default. Few operators replace other texts. */
const DEFAULT_PREFIXES = [
  'account-invitation.',
  'forgot.',
  'forgot-sent.',
  'logged-out.',
  'login.',
  'logout.',
  'mail.',
  'reset.',
  'signup.',
  'verify.',
];

const isShownByDefault = ({ key }: EditableText): boolean => DEFAULT_PREFIXES.some((prefix) => key.startsWith(prefix));

/** About three lines in a column. The full text is on its own page and in the downloaded file. */
const MAX_SHOWN_CHARACTERS = 100;

/** Returns the text without its tags, truncated if it is long. */
function shorten(source: string): Text {
  const text = source.replaceAll(/<\/?[a-z][\w-]*>/g, '');
  if (text.length <= MAX_SHOWN_CHARACTERS) return text;
  return message('brand-texts.cut', { text: text.slice(0, MAX_SHOWN_CHARACTERS).replace(/\s+\S*$/, '') });
}

function standardColumn(language: Language): PageColumn<EditableText> {
  const title = message('brand-texts.standard-in', { language: LANGUAGE_NAMES[language] });
  return textColumn(`standard_${language}`, title, ({ versions }) => versions[language].standard ?? '', 'file');
}

/** Returns the shortened standard text, or the key if the standard text is empty, missing or not replaceable. */
function nameInList({ key, versions }: EditableText, language: Language): Text {
  const { standard } = versions[language];
  return standard === null || standard === '' ? key : shorten(standard);
}

function replacementColumn(language: Language): PageColumn<EditableText> {
  const title = message('brand-texts.own-in', { language: LANGUAGE_NAMES[language] });
  return textColumn(`own_${language}`, title, ({ versions }) => versions[language].own ?? '', 'file');
}

function joinReplacements({ versions }: EditableText): string {
  return LANGUAGES.flatMap((language) => versions[language].own ?? []).join(' ');
}

function replacementCell({ versions }: EditableText): Cell {
  const texts = LANGUAGES.flatMap((language): Text[] => {
    const { own } = versions[language];
    return own === null ? [] : [message('brand-texts.in', { language: LANGUAGE_NAMES[language], text: shorten(own) })];
  });
  return texts.length === 0 ? EMPTY_CELL : { text: joinItems(texts, 'list.joined.details') };
}

/**
 * Defines the list of page and e-mail texts, with their replacements.
 * @param language the reader's language, which is used to name each text
 */
export function brandTextList(language: Language): PageList<EditableText> {
  return {
    name: message('brand-texts.title'),
    countMessage: 'brand-texts.count',
    fileName: 'texts',
    searchLabel: message('brand-texts.search'),
    id: ({ key }) => key,
    texts: ({ key, versions }) => [
      key,
      ...Object.values(versions).flatMap(({ standard, own }) => [standard ?? '', own ?? '']),
    ],
    filters: [
      {
        name: 'status',
        title: message('column.status'),
        choices: [
          { value: 'own', title: message('brand-texts.all-own'), matches: (text) => statusOf(text) !== 'standard' },
          { value: 'ignored', title: message('brand-texts.ignored'), matches: isIgnored },
          {
            value: 'standard',
            title: message('brand-texts.standard'),
            matches: (text) => statusOf(text) === 'standard',
          },
        ],
      },
      {
        name: 'type',
        title: message('brand-texts.where'),
        choices: [
          { value: 'first', title: message('brand-texts.first'), matches: isShownByDefault },
          { value: 'mails', title: message('brand-texts.mails'), matches: isMailText },
          { value: 'pages', title: message('brand-texts.pages'), matches: (text) => !isMailText(text) },
        ],
      },
    ],
    initialFilter: { filter: 'type', value: 'first' },
    columns: [
      textColumn(
        'key',
        message('brand-texts.text'),
        ({ key }) => key,
        (text) => ({ text: nameInList(text, language), href: textPagePath(text.key) }),
      ),
      ...LANGUAGES.map(standardColumn),
      textColumn('placeholders', message('brand-texts.placeholders'), ({ placeholders }) => placeholders().join(' ')),
      ...LANGUAGES.map(replacementColumn),
      textColumn('own', message('brand-texts.own-column'), joinReplacements, replacementCell),
      textColumn('status', message('column.status'), statusOf, (text) => STATUS_CELLS[statusOf(text)]),
      actionColumn(message('brand-texts.key'), ({ key }) => ({ text: key, code: true })),
    ],
    sort: { by: 'key', direction: 'ascending' },
    empty: { icon: 'pencil', text: message('brand-texts.none'), action: null },
  };
}
