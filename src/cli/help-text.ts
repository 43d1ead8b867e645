/** The maximum width of help texts, in characters. */
export const HELP_WIDTH = 100;

const CONTINUATION_INDENT = 2;

/**
 * Wraps help lines that are too long, and rewraps the rest of their paragraphs. An example continues on the next line
 * after a backslash; other indented lines and list items continue at the column where their text starts. Consecutive
 * empty lines are reduced to one.
 */
export function fitHelp(text: string): string {
  const lines: string[] = [];
  for (const block of splitBlocks(text)) lines.push(...(block.some(isTooLong) ? rewrap(block) : block));
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

const isTooLong = (line: string): boolean => line.length > HELP_WIDTH;

const isProse = (line: string): boolean => continuesProse(line) && !line.endsWith(':');

/** Unlike `isProse`, accepts a colon at the end, because the last line of a paragraph may introduce an example. */
const continuesProse = (line: string): boolean => /^\S/.test(line) && !/^Usage:|^- |^\S+ {2,}/.test(line);

/** Splits text into blocks, each to be wrapped as a unit: a paragraph, or another line and its continuation lines. */
function splitBlocks(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  for (const line of text.split('\n')) {
    const lastBlock = blocks.at(-1);
    const [first = ''] = lastBlock ?? [];
    const isContinuation = isProse(first)
      ? continuesProse(line)
      : textStart(first) > 0 && indentWidth(line) === textStart(first);
    if (lastBlock !== undefined && first !== '' && line !== '' && !isExample(first) && isContinuation)
      lastBlock.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function rewrap([first = '', ...continuations]: readonly string[]): readonly string[] {
  const start = isProse(first) ? 0 : textStart(first);
  const continuation = isExample(first) ? ' \\' : '';
  const indent = ' '.repeat(isExample(first) ? indentWidth(first) + CONTINUATION_INDENT : start);
  const lines: string[] = [];
  let remainder = [first.trimEnd(), ...continuations.map((line) => line.trim())].join(' ');
  while (remainder.length > HELP_WIDTH) {
    const end = breakPosition(remainder, HELP_WIDTH - continuation.length, isExample(first) ? ' -' : ' ');
    if (end <= indent.length) break; // the first word is longer than the width
    lines.push(remainder.slice(0, end) + continuation);
    remainder = indent + remainder.slice(end).trimStart();
  }
  return [...lines, remainder];
}

function breakPosition(line: string, width: number, separator: string): number {
  const end = line.lastIndexOf(separator, width);
  return end > indentWidth(line) ? end : line.lastIndexOf(' ', width);
}

const isExample = (line: string): boolean => /^\s+(?:grantlog|npm) /.test(line);

const indentWidth = (line: string): number => line.length - line.trimStart().length;

/** Returns the column where an item's text begins: after its term and at least two spaces, or after its dash. */
function textStart(line: string): number {
  return /^(?:\s*\S.*?\S {2,}|\s*\S {2,}|\s*- |\s*)/.exec(line)?.[0].length ?? 0;
}
