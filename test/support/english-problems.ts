import { english } from '../../src/language/english.ts';
import type { Text } from '../../src/language/message.ts';

/** Translates the problems into English, without the fields that have none. */
export function englishProblems<Field extends string>(problems: { readonly [Each in Field]?: Text | undefined }): {
  readonly [Each in Field]?: string;
} {
  const translated = Object.entries<Text | undefined>(problems).flatMap(([field, problem]) =>
    problem === undefined ? [] : [[field, english.text(problem)] as const],
  );
  return Object.fromEntries(translated) as { readonly [Each in Field]?: string };
}

/** Translates the problem into English. */
export function englishProblem(problem: Text | undefined): string | undefined {
  return problem && english.text(problem);
}
