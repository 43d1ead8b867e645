import { CannotRunError } from './exit.ts';

/** A terminal with a raw mode, which delivers each key as it is pressed, without echo. */
export interface KeyReader {
  setRawMode(raw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterableIterator<unknown>;
  pause(): unknown;
}

/**
 * Asks the questions one at a time, without echo. Supports Backspace and Ctrl-U. Writes the questions to `show` rather
 * than to standard output, which may be piped to a program.
 * @throws CannotRunError if the input ends (for example, with Ctrl-C or Ctrl-D) before all questions are answered
 */
export async function askSecrets(
  keys: KeyReader,
  show: (text: string) => void,
  questions: readonly string[],
): Promise<readonly string[]> {
  const answers: string[] = [];
  let input: string[] = [];
  keys.setEncoding('utf8');
  keys.setRawMode(true);
  show(questions[0] ?? '');
  try {
    for await (const text of keys.iterator({ destroyOnReturn: false })) {
      for (const key of splitKeys(String(text))) {
        if (key === INTERRUPT || key === END_OF_INPUT) throw cancellationError();
        if (key !== ENTER) {
          input = applyKey(input, key);
          continue;
        }
        answers.push(input.join(''));
        input = [];
        show(`\n${questions[answers.length] ?? ''}`);
        if (answers.length === questions.length) return answers;
      }
    }
    throw cancellationError();
  } catch (error) {
    show('\n');
    throw error;
  } finally {
    keys.setRawMode(false);
    keys.pause(); // lets the process exit
  }
}

const ENTER = '\r';
const INTERRUPT = '\u0003';
const END_OF_INPUT = '\u0004';
const CLEAR_LINE = '\u0015';
const BACKSPACE = ['\u007f', '\b'];

/** Keys that type no character, such as the arrow keys, send sequences that begin with Escape. */
const ESCAPE = String.fromCharCode(27);
const KEY = new RegExp(`${ESCAPE}(?:\\[[\\d;]*[A-Za-z~]|O[A-Za-z])?|\\r\\n|[^]`, 'gu');
const IS_CONTROL = /^\p{Cc}/u;

/** Splits the input into keys. A newline, which ends a pasted line, becomes the Enter key, a carriage return. */
function splitKeys(text: string): readonly string[] {
  return (text.match(KEY) ?? []).map((key) => (key === '\n' || key === '\r\n' ? ENTER : key));
}

function applyKey(input: readonly string[], key: string): string[] {
  if (BACKSPACE.includes(key)) return input.slice(0, -1);
  if (key === CLEAR_LINE) return [];
  return IS_CONTROL.test(key) ? [...input] : [...input, key];
}

function cancellationError(): CannotRunError {
  return new CannotRunError('canceled; nothing was changed');
}
