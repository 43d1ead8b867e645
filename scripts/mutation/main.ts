import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { runScript } from '../run-script.ts';

/** Not a dependency, because it installs 65 MB that neither the server nor its tests need. */
const STRYKER = '@stryker-mutator/core@9.6.1';

interface Area {
  readonly folder: string;
  readonly isMeasured: (file: string) => boolean;
  /** The tests that must detect changes in the area. */
  readonly tests: readonly string[];
}

const AREAS: readonly Area[] = [
  // The frozen logs in test/corpus test the schemas.
  { folder: 'src/domain', isMeasured: (file) => file !== 'events.ts', tests: testsIn('test/domain') },
  { folder: 'src/policy', isMeasured: () => true, tests: testsIn('test/policy') },
  { folder: 'src/audit/merkle', isMeasured: () => true, tests: testsIn('test/audit/merkle') },
  {
    folder: 'src/oauth/grant-types',
    isMeasured: isAboutCodesAndRefreshes,
    tests: testsIn('test/oauth/grant-types', isAboutCodesAndRefreshes),
  },
];

const USAGE = `Usage: npm run mutate [-- FILE...]

Makes many small changes to the code, and runs the unit tests for each change. Prints the changes that no test detects,
and the share of changes that a test detects. Without FILE, it measures
${AREAS.map(({ folder }) => `  ${folder}`).join('\n')}
npx fetches ${STRYKER} on first use. The report of the last area is in .mutation/report.json.

Exit status 0: measured. 1: the tests fail without any change, or Stryker fails. 2: usage error.
`;

interface Options {
  readonly help: boolean;
  readonly files: readonly string[];
}

function readOptions(args: readonly string[]): Options {
  const files = args.filter((argument) => argument !== '--help');
  for (const file of files) {
    if (!AREAS.some((area) => listFiles(area).includes(file)))
      throw new Error(`${file} is not measured; specify a file such as src/domain/scope.ts`);
  }
  return { help: files.length < args.length, files };
}

function run({ files }: Options): Promise<number> {
  for (const area of AREAS) {
    const selectedFiles = listFiles(area).filter((file) => files.length === 0 || files.includes(file));
    if (selectedFiles.length > 0 && !measure(selectedFiles, area.tests)) return Promise.resolve(1);
  }
  return Promise.resolve(0);
}

function measure(files: readonly string[], tests: readonly string[]): boolean {
  const stryker = ['stryker', 'run', 'scripts/mutation/stryker.json', '--mutate', files.join(',')];
  const { status } = spawnSync('npx', ['-y', '-p', STRYKER, ...stryker], {
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: '--import tsx', MUTATION_TESTS: tests.join(' ') },
  });
  return status === 0;
}

function listFiles({ folder, isMeasured }: Area): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && isMeasured(file))
    .map((file) => `${folder}/${file}`);
}

function isAboutCodesAndRefreshes(file: string): boolean {
  return /^(?:authorization-code|code-rules|code-tokens|recorded-tokens|refresh-rules|refresh-token)\./.test(file);
}

function testsIn(folder: string, isIncluded = (file: string): boolean => file.endsWith('.test.ts')): readonly string[] {
  return readdirSync(folder)
    .filter(isIncluded)
    .map((file) => `${folder}/${file}`);
}

await runScript(USAGE, readOptions, run);
