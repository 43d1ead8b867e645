import { z } from 'zod';
import { isMessageKey, MESSAGE_KEYS } from '../language/catalogue.ts';
import { textProblem, type CustomTexts } from '../language/custom-texts.ts';
import { LANGUAGES } from '../language/languages.ts';
import { joinTexts, message, type Message, type Text } from '../language/message.ts';
import { didYouMean } from './did-you-mean.ts';

/** In UTF-16 code units: of one text, and of all as JSON. Each change of one text is an event with all of them. */
const MAX_TEXT = 2_000;
export const MAX_TEXTS = 32_768;

const MAX_PROBLEMS = 5;

const texts = z.record(
  z
    .string()
    .regex(/^[\w-]+(?:\.[\w-]+)+$/)
    .max(100),
  z.string().min(1).max(MAX_TEXT),
);

export const brandTexts = z
  .partialRecord(z.enum(LANGUAGES), texts)
  .refine((value) => JSON.stringify(value).length <= MAX_TEXTS) as z.ZodType<CustomTexts>;

/** Why texts cannot replace their entries, with their languages and keys; empty if all can. */
export function textProblems(custom: CustomTexts): readonly Message[] {
  return LANGUAGES.flatMap((language) =>
    Object.entries(custom[language] ?? {}).flatMap(([key, text]) => {
      const problem = textProblem(language, key, text);
      if (problem === undefined) return [];
      const suggestion = isMessageKey(key) ? undefined : didYouMean(key, MESSAGE_KEYS);
      const about = { entry: `${language} ${key}`, problem };
      return suggestion === undefined
        ? [message('own-text.of', about)]
        : [message('own-text.of-unknown', { ...about, suggestion })];
    }),
  );
}

/** The first problems in one text, or undefined. */
export function brandTextsProblem(custom: CustomTexts): Text | undefined {
  const problems = textProblems(custom);
  const count = problems.length - MAX_PROBLEMS;
  const more = count > 0 ? [message('own-text.more', { count })] : [];
  return joinTexts([...problems.slice(0, MAX_PROBLEMS), ...more], 'problem.semicolons');
}
