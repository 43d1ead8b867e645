import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import { mochaHooks } from '../../test/support/suite-hooks.ts';
import TimedReporter from '../../test/support/timed-reporter.ts';

// Runs a batch: `run-batch.ts REPORT FILE...`. Mocha's command line is not used, because it loads TypeScript with
// `require`, which compiled-hooks.mjs cannot intercept on Node 20.
const [output, ...files] = process.argv.slice(2);
const { timeout } = JSON.parse(readFileSync('.mocharc.json', 'utf8')) as { readonly timeout: number };
const mocha = new Mocha({
  timeout,
  forbidOnly: true, // one forgotten `it.only` would leave out the other tests of its batch
  rootHooks: mochaHooks,
  reporter: TimedReporter,
  reporterOptions: { output },
});
const { EVENT_FILE_PRE_REQUIRE, EVENT_FILE_REQUIRE, EVENT_FILE_POST_REQUIRE } = Mocha.Suite.constants;

for (const file of files.map((path) => resolve(path))) {
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const module: unknown = await import(pathToFileURL(file).href);
  mocha.suite.emit(EVENT_FILE_REQUIRE, module, file, mocha);
  mocha.suite.emit(EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}
mocha.run((failures) => {
  if (failures > 0) process.exitCode = 1; // keeps the failure of another test framework
  setTimeout(exitWithLeak, LEAK_MILLISECONDS).unref();
});

/** A failed test that has not closed its server must not block the whole suite. */
const LEAK_MILLISECONDS = 10_000;

function exitWithLeak(): void {
  const resources = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`a test of this batch has left resources open (${resources}): ${files.join(' ')}\n`);
  process.exit(1);
}
