import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How to run snippets in a language, and how to check whether they can be run. */
interface Runner {
  readonly check: readonly [program: string, ...args: string[]];
  /** Returns the output of each snippet. Starts compilers and virtual machines only once for all snippets. */
  readonly run: (snippets: readonly string[]) => Promise<readonly string[]>;
}

const execute = promisify(execFile);
const ENVIRONMENT = { ...process.env, NO_PROXY: '*', no_proxy: '*' };

const RUNNERS: Readonly<Record<string, Runner>> = {
  curl: { check: ['curl', '--version'], run: runSeparately((code) => ['sh', '-c', code]) },
  JavaScript: {
    check: [process.execPath, '--version'],
    run: runSeparately((code) => [process.execPath, '--eval', code]),
  },
  Python: { check: ['python3', '--version'], run: runSeparately((code) => ['python3', '-c', code]) },
  Go: { check: ['go', 'version'], run: runGo },
  Java: { check: ['java', '--describe-module', 'jdk.compiler'], run: runJava },
  'C#': { check: ['dotnet', '--version'], run: runCSharp },
};

export function canRun(language: string): boolean {
  const [program, ...args] = RUNNERS[language]?.check ?? [''];
  return spawnSync(program, args).status === 0;
}

/**
 * Runs snippets in a language, and returns their outputs. Snippets in a compiled language run in one process, and are
 * changed only as much as that requires.
 */
export async function runSnippets(language: string, snippets: readonly string[]): Promise<readonly string[]> {
  return RUNNERS[language]?.run(snippets) ?? [];
}

export async function runSnippet(language: string, code: string): Promise<string> {
  return (await runSnippets(language, [code]))[0] ?? '';
}

function runSeparately(command: (code: string) => readonly [program: string, ...args: string[]]): Runner['run'] {
  return (snippets) =>
    Promise.all(
      snippets.map(async (code) => {
        const [program, ...args] = command(code);
        return (await execute(program, args, { env: ENVIRONMENT })).stdout;
      }),
    );
}

/** Runs a program that prints a NUL after each snippet's output, in a temporary directory with `files`. */
async function runInDirectory(
  files: Readonly<Record<string, string>>,
  [program, ...args]: readonly [program: string, ...args: string[]],
  environment: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-snippets-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(directory, name, '..'), { recursive: true });
      writeFileSync(join(directory, name), content);
    }
    const { stdout } = await execute(program, args, { cwd: directory, env: { ...ENVIRONMENT, ...environment } });
    return stdout.split('\0').slice(0, -1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Turns each snippet into a package, and calls all of them from one program. */
function runGo(snippets: readonly string[]): Promise<readonly string[]> {
  const packages = snippets.map((code, index) => [
    `s${index}/main.go`,
    code.replace('package main', `package s${index}`).replace('func main()', 'func Main()'),
  ]);
  const imports = snippets.map((_, index) => `\t"snippets/s${index}"`);
  const calls = snippets.map((_, index) => `\ts${index}.Main()\n\tfmt.Print("\\x00")`);
  const main = ['package main', 'import (', '\t"fmt"', ...imports, ')', 'func main() {', ...calls, '}', ''].join('\n');
  const files = { ...Object.fromEntries(packages), 'go.mod': 'module snippets\n\ngo 1.21\n', 'main.go': main };
  return runInDirectory(files, ['go', 'run', '.'], { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' });
}

const JAVA_HARNESS = `
import java.io.*;
import java.net.*;
import java.nio.file.*;
import javax.tools.*;

public class Harness {
    public static void main(String[] args) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (String folder : args) {
            if (compiler.run(null, null, System.err, "-d", folder, folder + "/Main.java") != 0) System.exit(1);
            URL[] classes = { Path.of(folder).toUri().toURL() };
            Class<?> main = new URLClassLoader(classes).loadClass("Main");
            main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            System.out.print("\\0");
        }
        System.out.flush();
        System.exit(0);
    }
}
`;

/** Compiles and runs all snippets in one virtual machine. */
function runJava(snippets: readonly string[]): Promise<readonly string[]> {
  const folders = snippets.map((_, index) => `s${index}`);
  const programs = snippets.map((code, index) => [`s${index}/Main.java`, code]);
  const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dfile.encoding=UTF-8'];
  const files = { ...Object.fromEntries(programs), 'Harness.java': JAVA_HARNESS };
  return runInDirectory(files, ['java', ...options, 'Harness.java', ...folders]);
}

/** Turns each snippet into a method, because only one file of a project can have top-level statements. */
function runCSharp(snippets: readonly string[]): Promise<readonly string[]> {
  const programs = snippets.map((code, index) => {
    const [usings = '', ...body] = code.split('\n\n');
    const run = `public static async System.Threading.Tasks.Task Run()\n{\n${body.join('\n\n')}\n}`;
    return [`S${index}.cs`, `${usings}\nnamespace Snippets;\npublic static class S${index}\n{\n${run}\n}\n`];
  });
  const calls = snippets.map((_, index) => `await Snippets.S${index}.Run();\nSystem.Console.Write("\\0");`);
  const properties =
    '<OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><RollForward>Major</RollForward>';
  const files = {
    ...Object.fromEntries(programs),
    'Program.cs': calls.join('\n'),
    'snippets.csproj': `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup></Project>`,
  };
  return runInDirectory(files, ['dotnet', 'run'], { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' });
}

/** Decodes the entities in HTML text. */
function decodeEntities(html: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&#34;': '"',
    '&#39;': "'",
  };
  return html.replaceAll(/&(?:amp|lt|gt|#34|#39);/g, (entity) => entities[entity] ?? entity);
}

/** Returns a page's snippets, keyed by the titles of their examples, with the examples' links, if any. */
export function extractSnippets(
  html: string,
): ReadonlyMap<string, { readonly code: string; readonly link: string | undefined }> {
  const examples = html.match(/<section class="example"[\s\S]*?<\/section>/g) ?? [];
  return new Map(
    examples.map((example) => {
      const part = (pattern: RegExp): string => decodeEntities(pattern.exec(example)?.[1] ?? '');
      const code = part(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/);
      return [part(/<h3>([^<]*)<\/h3>/), { code, link: part(/ href="([^"]*)" data-authorize/) || undefined }];
    }),
  );
}
