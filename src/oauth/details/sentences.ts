import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isPrintable } from '../../domain/printable.ts';
import { message, type Message } from '../../language/message.ts';

const PLACEHOLDER = /\{([^{}]*)\}/g;
const MEMBER_PATH = /^[\w-]+(?:\.[\w-]+){0,7}$/;
const MAX_PLACEHOLDERS = 10;

/**
 * Returns the problem with the template of a sentence that users see, such as `Pay {amount} to {creditorName}`, or
 * undefined if it is valid.
 */
export function sentenceProblem(sentence: string): Message | undefined {
  if (sentence.trim() === '' || sentence.length > MAX_LENGTH.detailSentence || !isPrintable(sentence))
    return message('detail-type.sentence', { limit: MAX_LENGTH.detailSentence });
  const paths = [...sentence.matchAll(PLACEHOLDER)].map(([, path = '']) => path);
  if (paths.length > MAX_PLACEHOLDERS) return message('detail-type.too-many-placeholders', { limit: MAX_PLACEHOLDERS });
  if (/[{}]/.test(sentence.replaceAll(PLACEHOLDER, ''))) return message('detail-type.braces');
  const invalidPath = paths.find((path) => !MEMBER_PATH.test(path));
  return invalidPath === undefined ? undefined : message('detail-type.path', { path: invalidPath });
}
