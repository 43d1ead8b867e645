import type { Config } from '../../config/config.ts';
import { fixedByOperator } from '../../config/live-config.ts';
import { removeSettingName } from '../../config/named-problem.ts';
import { CATALOGS, isMessageKey, MESSAGE_KEYS } from '../../language/catalog.ts';
import { isReplaceable, placeholdersOf, textProblem, type CustomTexts } from '../../language/custom-texts.ts';
import { LANGUAGES, type Language } from '../../language/languages.ts';
import type { Text } from '../../language/message.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { RequestedChange, SettingChanges } from './setting-changes.ts';

/** A text in one language. */
export interface TextVersion {
  /** The catalog entry; null if the catalog has no such entry, or if it cannot be replaced. */
  readonly standard: string | null;
  /** The operator's text; null if the standard text applies. */
  readonly own: string | null;
  /** Why the operator's text is ignored; null if it is not. */
  readonly problem: Text | null;
}

/** A page or e-mail text that the operator can replace, or one of the operator's texts that replaces nothing. */
export interface EditableText {
  readonly key: string;
  /** Returns the placeholders that every version must have, such as `{server}` and `<a>`. */
  readonly placeholders: () => readonly string[];
  readonly versions: Readonly<Record<Language, TextVersion>>;
}

/** New texts by language; null restores the standard text. */
export type TextEdits = Readonly<Partial<Record<Language, string | null>>>;

/** Problems by language, and a problem with the operator's texts as a whole. */
export type TextProblems = Readonly<Partial<Record<Language | 'all', Text>>>;

/** Changes the operator's texts, which replace page and e-mail texts, one by one in the `brandTexts` setting. */
export interface TextChanges {
  all(): readonly EditableText[];
  find(key: string): EditableText | undefined;
  /** Returns why only the operator can change the texts, or null if administrators can. */
  fixedBy(): 'file' | 'environment' | null;
  /**
   * Changes versions of a text and keeps all other texts.
   * @returns the problems; empty if the text was changed
   * @throws DecisionOutdated as `SettingChanges.change` does
   */
  change(key: string, edits: TextEdits, context: CommandContext): Promise<TextProblems>;
}

const SETTING = 'brandTexts';

export function createTextChanges(settingChanges: Pick<SettingChanges, 'change' | 'find'>, base: Config): TextChanges {
  /** Returns the current texts, or those in the log if they are ignored as invalid, so that they can be corrected. */
  function recordedTexts(): CustomTexts {
    const setting = settingChanges.find(SETTING);
    const isChanged = setting?.fixedBy === null && setting.changed !== null;
    return ((isChanged ? setting.changed.value : setting?.value) as CustomTexts | undefined) ?? {};
  }

  return {
    all() {
      const customTexts = recordedTexts();
      const replaceableKeys = MESSAGE_KEYS.filter(isReplaceable);
      const otherKeys = LANGUAGES.flatMap((language) => Object.keys(customTexts[language] ?? {})).filter(
        (key) => !isMessageKey(key) || !isReplaceable(key),
      );
      return [...new Set(otherKeys), ...replaceableKeys].map((key) => editableText(key, customTexts));
    },

    find(key) {
      const text = editableText(key, recordedTexts());
      return Object.values(text.versions).some(({ standard, own }) => standard !== null || own !== null)
        ? text
        : undefined;
    },

    fixedBy: () => fixedByOperator(base, SETTING),

    async change(key, edits, context) {
      const problems = findProblems(key, edits);
      if (Object.keys(problems).length > 0) return problems;
      const result = await settingChanges.change((values) => changeFor(values.get(SETTING), key, edits), context);
      if (!('problems' in result)) return {};
      const [problem = ''] = Object.values(result.problems);
      return { all: removeSettingName(problem) };
    },
  };
}

function editableText(key: string, customTexts: CustomTexts): EditableText {
  const isReplaceableKey = isMessageKey(key) && isReplaceable(key);
  const versions = Object.fromEntries(
    LANGUAGES.map((language) => {
      const customVersion = customText(customTexts, language, key);
      const problem = (customVersion === null ? undefined : textProblem(language, key, customVersion)) ?? null;
      return [language, { standard: isReplaceableKey ? CATALOGS[language][key] : null, own: customVersion, problem }];
    }),
  ) as EditableText['versions'];
  return { key, versions, placeholders: () => (isReplaceableKey ? placeholdersOf(key) : []) };
}

function customText(customTexts: CustomTexts, language: Language, key: string): string | null {
  const texts = customTexts[language] ?? {};
  return Object.hasOwn(texts, key) ? (texts[key] ?? null) : null;
}

function findProblems(key: string, edits: TextEdits): TextProblems {
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = edits[language] ?? null;
      const problem = text === null ? undefined : textProblem(language, key, text);
      return problem === undefined ? [] : [[language, problem]];
    }),
  );
}

/** Returns the change that applies the edits. It resets the setting if no text remains. */
function changeFor(value: unknown, key: string, edits: TextEdits): RequestedChange {
  const customTexts = (value ?? {}) as CustomTexts;
  const editedTexts = LANGUAGES.map((language) => {
    const { [key]: currentText, ...others } = customTexts[language] ?? {};
    const text = edits[language] === undefined ? currentText : edits[language];
    return [
      language,
      text === null || text === undefined ? others : { ...customTexts[language], [key]: text },
    ] as const;
  }).filter(([, texts]) => Object.keys(texts).length > 0);
  if (editedTexts.length > 0) return { set: { [SETTING]: Object.fromEntries(editedTexts) }, reset: [] };
  return { set: {}, reset: value === undefined ? [] : [SETTING] };
}
