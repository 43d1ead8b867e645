import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A Markdown file of the repository. */
export interface Document {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
  /** The text with code blocks and comments replaced by empty lines. */
  readonly prose: string;
}

/** A fenced code block, with the instructions for running it from the comment before it. */
export interface CodeBlock {
  readonly document: string;
  readonly language: string;
  readonly code: string;
  /** `<!-- run: NAME -->` */
  readonly runAs: string | undefined;
  /** `<!-- not run: REASON -->` */
  readonly notRunBecause: string | undefined;
  /** `<!-- output: NAME -->`: the output of the example with that name, where `…` matches anything. */
  readonly outputOf: string | undefined;
}

export function readDocument(path: string): Document {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const blank = (match: string): string => match.replaceAll(/[^\n]/g, '');
  return { path, text, prose: text.replaceAll(FENCED, blank).replaceAll(/<!--[\s\S]*?-->/g, blank) };
}

/** Reads every Markdown file of the repository that Git does not ignore. */
export function readAllDocuments(): readonly Document[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return output
    .split('\n')
    .filter((path) => path !== '')
    .map(readDocument);
}

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;
const DIRECTED_BLOCK = /(?:^<!-- (run|not run|output): ([^\n]+?) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;

export function codeBlocksOf({ path, text }: Document): readonly CodeBlock[] {
  return [...text.matchAll(DIRECTED_BLOCK)].map(([, directive, value, language = '', code = '']) => ({
    document: path,
    language,
    code,
    runAs: directive === 'run' ? value : undefined,
    notRunBecause: directive === 'not run' ? value : undefined,
    outputOf: directive === 'output' ? value : undefined,
  }));
}

/**
 * Returns a pattern for outputs that end like the one in the document. Numbers and whitespace may differ, and `…`
 * matches anything. A long output that does not match is rejected quickly: the text before each `…` is matched only
 * once, as by an atomic group.
 */
export function outputPattern({ code }: Pick<CodeBlock, 'code'>): RegExp {
  const parts = code.trim().split('…').map(loosePattern);
  const last = parts.pop() ?? '';
  const atomic = parts.map((part, index) => `(?=(${index === 0 ? '' : '[^]*?'}${part}))\\${index + 1}`);
  return new RegExp(`^${atomic.join('')}${parts.length === 0 ? '' : '[^]*?'}${last}\\s*$(?![^])`, 'm');
}

function loosePattern(text: string): string {
  return text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\d+ seconds?/g, '0 seconds?')
    .replaceAll(/\d+/g, String.raw`\d+`)
    .replaceAll(/^\s+|\s+$/g, String.raw`\s`) // `…` matches the rest
    .replaceAll(/\s+/g, String.raw`\s+`);
}

/** Returns the text of a section, from its heading to the next heading of the same or a higher level. */
export function sectionOf({ path, text }: Document, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const start = text.indexOf(`\n${heading}\n`);
  if (level === 0 || start === -1) throw new Error(`${path} has no section ${heading}`);
  const remainder = text.slice(start + heading.length + 2);
  const end = remainder.search(new RegExp(`^#{1,${level}} `, 'm'));
  return end === -1 ? remainder : remainder.slice(0, end);
}

/** Returns the rows of the tables in `text`, cell by cell, without the header and the line below it. */
export function tableRows(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const isRow = (line = ''): boolean => line.startsWith('|');
  const isRule = (line = ''): boolean => /^\|[ :|-]+\|$/.test(line);
  return lines
    .filter((line, index) => isRow(line) && !isRule(line) && !isRule(lines[index + 1]))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
