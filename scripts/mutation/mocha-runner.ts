/**
 * Runs mocha for Stryker (https://stryker-mutator.io), because Stryker's mocha runner does not support mocha 12.
 *
 * The code contains all mutants, and a global variable selects one, so one process loads the tests once, and runs them
 * for many mutants, each time only the tests that reach the mutant.
 */
import Mocha from 'mocha';

/** The global variable that Stryker uses to control and observe the instrumented code. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: unknown;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  /** The titles of the tests that reach the mutant; absent for all tests. */
  readonly testFilter?: readonly string[];
  /** A mutant that is reached more often is treated as an endless loop. */
  readonly hitLimit?: number;
}

interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  /** 0 if the test passed, 1 if it failed (Stryker's numbers). */
  readonly status: 0 | 1;
  readonly failureMessage?: string;
}

/** The name of the global variable is Stryker's default. */
const instrumentation = ((globalThis as Record<string, unknown>)['__stryker__'] ??= {}) as Instrumentation;

/** Relative to Stryker's copy of the project. */
const TEST_FILES = ['scripts/mutation/fixed-seed.ts', ...(process.env['MUTATION_TESTS'] ?? '').split(' ')];

class MochaRunner {
  readonly #mocha = new Mocha({ timeout: 0, bail: true, reporter: 'base' });
  #isLoaded = false;

  constructor() {
    for (const file of TEST_FILES) this.#mocha.addFile(file);
    this.#mocha.cleanReferencesAfterRun(false);
    this.#mocha.suite.beforeEach(function setCurrentTest(this: Mocha.Context) {
      instrumentation.currentTestId = this.currentTest?.fullTitle();
    });
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    const tests = await this.#run();
    return { status: 'complete', tests, mutantCoverage: instrumentation.mutantCoverage };
  }

  async mutantRun({ activeMutant: { id: activeMutant }, testFilter, hitLimit }: MutantRun) {
    // For mutants in code that runs while the files load, Stryker starts a new process.
    Object.assign(instrumentation, { activeMutant, hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
    const titles = testFilter?.map((title) => `^${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`);
    this.#mocha.grep(new RegExp(titles?.join('|') ?? ''));
    const tests = await this.#run();
    if (hitLimit !== undefined && (instrumentation.hitCount ?? 0) > hitLimit) return { status: 'timeout' };
    const failedTests = tests.filter(({ status }) => status === 1);
    return failedTests.length === 0
      ? { status: 'survived', nrOfTests: tests.length }
      : {
          status: 'killed',
          killedBy: failedTests.map(({ id }) => id),
          failureMessage: failedTests[0]?.failureMessage ?? '',
          nrOfTests: tests.length,
        };
  }

  async #run(): Promise<readonly TestResult[]> {
    try {
      if (!this.#isLoaded) await this.#mocha.loadFilesAsync();
      this.#isLoaded = true;
    } catch (error) {
      return [{ id: 'load', name: 'load', timeSpentMs: 0, status: 1, failureMessage: String(error) }];
    }
    const results: TestResult[] = [];
    await new Promise((resolve) => {
      this.#mocha
        .run(resolve)
        .on('pass', (test) => results.push({ ...toTestResult(test), status: 0 }))
        .on('fail', (test, error: Error) =>
          results.push({ ...toTestResult(test), status: 1, failureMessage: error.message || 'failed' }),
        );
    });
    return results;
  }
}

function toTestResult(test: Mocha.Runnable): Pick<TestResult, 'id' | 'name' | 'timeSpentMs'> {
  return { id: test.fullTitle(), name: test.fullTitle(), timeSpentMs: test.duration ?? 0 };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'mocha-12', injectableClass: MochaRunner }];
