/** Words of up to this length fit into every column of a table. */
const MAX_SHORT_WORD_LENGTH = 16;

/** Matches most e-mail addresses. A broken address makes its list row take two lines. */
const SHORT_ADDRESS = /^[^@]{1,16}@[^@]{1,20}$/u;
const MAX_SHORT_ADDRESS_LENGTH = 26;

/** Everything up to a mark inside a word, such as the "@" in an address. */
const PART_WITH_MARK = /[^@._/:=&?-]*[@._/:=&?-]+|[^@._/:=&?-]+/gu;

/** The mark after which two parts of a word can stay together. Both sides of an "@" are names of their own. */
const TRAILING_MARK = /[._/:=&?-]$/;

/** Matches a short piece of a word without marks. Combining characters stay with their letters. */
const SHORT_PIECE = new RegExp(String.raw`.{1,${MAX_SHORT_WORD_LENGTH}}(?:\p{M}|\u200D.)*`, 'gsu');

/**
 * Splits the text where a line may break inside a word. Words of up to 16 characters, and e-mail addresses of up to 26,
 * stay whole. Longer words break after "@" and after other marks, into parts of up to 16 characters. Only a longer part
 * without marks is broken between letters.
 */
export function breakableParts(text: string): readonly string[] {
  const parts: string[] = [];
  let currentPart = '';
  for (const word of text.split(/(\s+)/)) {
    const [first = '', ...rest] = isUnbreakable(word) ? [word] : splitWord(word);
    currentPart += first;
    for (const piece of rest) {
      parts.push(currentPart);
      currentPart = piece;
    }
  }
  return [...parts, currentPart];
}

function isUnbreakable(word: string): boolean {
  return word.length <= MAX_SHORT_WORD_LENGTH || (word.length <= MAX_SHORT_ADDRESS_LENGTH && SHORT_ADDRESS.test(word));
}

function splitWord(word: string): readonly string[] {
  const pieces: string[] = [];
  for (const piece of (word.match(PART_WITH_MARK) ?? []).flatMap((part) => part.match(SHORT_PIECE) ?? [])) {
    const last = pieces.at(-1) ?? '';
    const canJoin = TRAILING_MARK.test(last) && last.length + piece.length <= MAX_SHORT_WORD_LENGTH;
    if (canJoin) pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}
