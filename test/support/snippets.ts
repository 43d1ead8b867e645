import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/** The command that runs a snippet, by language. */
const RUNNERS: Readonly<Record<string, (code: string) => readonly [program: string, ...args: string[]]>> = {
  curl: (code) => ['sh', '-c', code],
  JavaScript: (code) => [process.execPath, '--eval', code],
  Python: (code) => ['python3', '-c', code],
};

const PROGRAMS: Readonly<Record<string, string>> = { curl: 'curl', JavaScript: process.execPath, Python: 'python3' };

export function canRun(language: string): boolean {
  const program = PROGRAMS[language];
  return program !== undefined && spawnSync(program, ['--version']).status === 0;
}

/** Runs a snippet unchanged, and returns its output. */
export async function runSnippet(language: string, code: string): Promise<string> {
  const [program, ...args] = RUNNERS[language]?.(code) ?? [''];
  const { stdout } = await promisify(execFile)(program, args, {
    env: { ...process.env, NO_PROXY: '*', no_proxy: '*' },
  });
  return stdout;
}

/** Unescapes the code of a page. */
function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&#34;': '"',
    '&#39;': "'",
  };
  return html.replaceAll(/&(?:amp|lt|gt|#34|#39);/g, (entity) => entities[entity] ?? entity);
}

/** The snippets of a page by the title of their example and their language, with links if they have any. */
export function snippetsOf(
  html: string,
): ReadonlyMap<string, { readonly code: ReadonlyMap<string, string>; readonly link: string | undefined }> {
  const examples = html.match(/<section class="example">[\s\S]*?<\/section>/g) ?? [];
  return new Map(
    examples.map((example) => {
      const title = textOf(/<h3>([^<]*)<\/h3>/.exec(example)?.[1] ?? '');
      const blocks = [...example.matchAll(/(?:in (\w+)<\/summary>\s*)?<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)];
      const code = new Map(blocks.map(([, language = 'curl', text = '']) => [language, textOf(text)]));
      return [title, { code, link: textOf(/ href="([^"]*)" target="_blank"/.exec(example)?.[1] ?? '') || undefined }];
    }),
  );
}
