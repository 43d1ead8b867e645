import { z } from 'zod';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { isMessageKey, MESSAGE_KEYS } from '../language/catalog.ts';
import { textProblem, type CustomTexts } from '../language/custom-texts.ts';
import { LANGUAGES, type Language } from '../language/languages.ts';
import { joinTexts, message, type Message, type Text } from '../language/message.ts';
import { didYouMean } from './did-you-mean.ts';

/**
 * The maximum length of the JSON of all texts, in UTF-16 code units. An event that changes one text contains them all.
 */
export const MAX_TEXTS = 32_768;

const MAX_PROBLEMS = 5;

const texts = z.record(
  z
    .string()
    .regex(/^[\w-]+(?:\.[\w-]+)+$/)
    .max(MAX_LENGTH.textKey),
  z.string().min(1).max(MAX_LENGTH.customText),
);

export const brandTexts = z
  .partialRecord(z.enum(LANGUAGES), texts)
  .refine((value) => JSON.stringify(value).length <= MAX_TEXTS) as z.ZodType<CustomTexts>;

/** Returns a problem for each text that cannot replace its entry, with the language and key of the text. */
export function textProblems(customTexts: CustomTexts): readonly Message[] {
  return LANGUAGES.flatMap((language) =>
    Object.entries(customTexts[language] ?? {}).flatMap(([key, text]) => {
      const problem = textProblem(language, key, text);
      if (problem === undefined) return [];
      const suggestion = isMessageKey(key) ? undefined : didYouMean(key, MESSAGE_KEYS);
      const values = { entry: `${language} ${key}`, problem };
      return suggestion === undefined
        ? [message('own-text.of', values)]
        : [message('own-text.of-unknown', { ...values, suggestion })];
    }),
  );
}

/**
 * Joins the first problems with the texts into one message. Returns undefined if all texts are valid.
 * @param previousTexts the texts before the change. Unchanged texts are not checked, so that a text that no longer fits
 *   its entry does not prevent changes to other texts.
 */
export function brandTextsProblem(customTexts: CustomTexts, previousTexts?: unknown): Text | undefined {
  const problems = textProblems(changedTexts(customTexts, (previousTexts as CustomTexts | undefined) ?? {}));
  const omittedCount = problems.length - MAX_PROBLEMS;
  const omission = omittedCount > 0 ? [message('own-text.more', { count: omittedCount })] : [];
  return joinTexts([...problems.slice(0, MAX_PROBLEMS), ...omission], 'problem.semicolons');
}

/** Returns the texts that are new or have changed since `previousTexts`. */
function changedTexts(customTexts: CustomTexts, previousTexts: CustomTexts): CustomTexts {
  return Object.fromEntries(
    Object.entries(customTexts).map(([language, languageTexts]) => {
      const previous = previousTexts[language as Language] ?? {};
      return [
        language,
        Object.fromEntries(Object.entries(languageTexts).filter(([key, text]) => previous[key] !== text)),
      ];
    }),
  );
}
