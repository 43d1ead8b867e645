import { english } from '../../src/language/english.ts';
import type { Text } from '../../src/language/message.ts';

/** Translates the problems into English, without the fields that have none. */
export function englishProblems<Field extends string>(problems: { readonly [Name in Field]?: Text | undefined }): {
  readonly [Name in Field]?: string;
} {
  const translatedEntries = Object.entries<Text | undefined>(problems).flatMap(([field, problem]) =>
    problem === undefined ? [] : [[field, english.text(problem)] as const],
  );
  return Object.fromEntries(translatedEntries) as { readonly [Name in Field]?: string };
}

/** Translates the problem into English. */
export function englishProblem(problem: Text | undefined): string | undefined {
  return problem && english.text(problem);
}
