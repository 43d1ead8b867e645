import { MAX_LENGTH } from '../../domain/lengths.ts';
import { joinTexts, message, type Message, type Text } from '../../language/message.ts';

const MAX_ENTRIES = 50;

/**
 * Returns all problems with the URIs or origins that a client registers, one per line, or undefined if all are valid.
 * @param findProblem returns a sentence that states the problem with one entry, or undefined if the entry is valid
 */
export function uriListProblem(
  entries: readonly string[],
  kind: 'redirect' | 'post_logout' | 'request' | 'origin',
  findProblem: (entry: string) => Message | undefined,
): Text | undefined {
  if (entries.length > MAX_ENTRIES) return message('uri.too-many', { limit: MAX_ENTRIES, what: kind });
  if (entries.join('').length > MAX_LENGTH.uris) {
    return message('uri.too-long-together', { limit: MAX_LENGTH.uris, what: kind });
  }
  const problems = entries.map(findProblem).filter((problem) => problem !== undefined);
  return joinTexts(problems, 'problem.lines');
}
