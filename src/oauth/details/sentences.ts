import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isPrintable } from '../../domain/printable.ts';

const PLACEHOLDER = /\{([^{}]*)\}/g;
const MEMBER_PATH = /^[\w-]+(?:\.[\w-]+){0,7}$/;
const MAX_PLACEHOLDERS = 10;

/** The problem with a sentence for users, such as `Pay {amount} to {creditorName}`; undefined if there is none. */
export function sentenceProblem(sentence: string): string | undefined {
  if (sentence.trim() === '' || sentence.length > MAX_LENGTH.detailSentence || !isPrintable(sentence))
    return `Describe the type for users in one sentence of at most ${MAX_LENGTH.detailSentence} characters.`;
  const paths = [...sentence.matchAll(PLACEHOLDER)].map(([, path = '']) => path);
  if (paths.length > MAX_PLACEHOLDERS) return `A sentence can name at most ${MAX_PLACEHOLDERS} members.`;
  if (/[{}]/.test(sentence.replaceAll(PLACEHOLDER, ''))) return 'Each brace of the sentence must surround a member.';
  const wrong = paths.find((path) => !MEMBER_PATH.test(path));
  return wrong === undefined
    ? undefined
    : `Between braces, name a member by its path, such as {instructedAmount.amount}, and not {${wrong}}.`;
}
