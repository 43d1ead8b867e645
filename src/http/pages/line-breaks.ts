/** Words of up to this length fit in any table column. */
const MAX_SHORT_WORD_LENGTH = 16;

/** Matches most e-mail addresses. They do not wrap, because a wrapped address makes its list row two lines high. */
const SHORT_ADDRESS = /^[^@]{1,16}@[^@]{1,20}$/u;
const MAX_SHORT_ADDRESS_LENGTH = 26;

/** Matches the part of a word up to and including a run of delimiters, or the part after the last delimiter. */
const DELIMITED_PART = /[^@._/:=&?-]*[@._/:=&?-]+|[^@._/:=&?-]+/gu;

/** Parts are rejoined only after these delimiters. "@" is not one of them: local part and domain stay separate. */
const TRAILING_DELIMITER = /[._/:=&?-]$/;

/** Matches up to 16 characters. Combining characters after them stay with their base letter. */
const SHORT_PIECE = new RegExp(String.raw`.{1,${MAX_SHORT_WORD_LENGTH}}(?:\p{M}|\u200D.)*`, 'gsu');

/**
 * Splits the text where a line may break inside a word. Words of up to 16 characters, and e-mail addresses of up to 26,
 * stay whole. Longer words break after "@" and other delimiters, into pieces of up to 16 characters. A single part,
 * including its delimiters, is split only if it is longer than 16 characters.
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
  for (const piece of (word.match(DELIMITED_PART) ?? []).flatMap((part) => part.match(SHORT_PIECE) ?? [])) {
    const last = pieces.at(-1) ?? '';
    const canJoin = TRAILING_DELIMITER.test(last) && last.length + piece.length <= MAX_SHORT_WORD_LENGTH;
    if (canJoin) pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}
