import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { distributeFiles, runBatch, type BatchResult } from '../../scripts/test/batch.ts';
import { summarize } from '../../scripts/test/summary.ts';
import { RUN_TYPESCRIPT } from '../support/typescript.ts';

const arbitraryFiles = fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 100, max: 50_000 })), {
  selector: ([file]) => file,
});

describe('The test suite runner', () => {
  const FIXTURES = 'test/support/suite-fixtures';
  let directory: string;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-runner-'));
  });

  after(() => rmSync(directory, { recursive: true, force: true }));

  function run(...names: readonly string[]): Promise<BatchResult> {
    return runBatch(
      names.map((name) => join(FIXTURES, `${name}.ts`)),
      join(directory, `${names.join('+')}.json`),
      RUN_TYPESCRIPT,
    );
  }

  const runSuite = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/test/main.ts', ...args], { encoding: 'utf8' });

  it('succeeds if every file ran a test and every test passed', async () => {
    const result = await run('passing');
    expect(result.problems).to.deep.equal([]);
    expect(result.report).to.include({ passes: 1, failures: 0, pending: 0 });
    expect(summarize([result]).isGreen).to.equal(true);
  });

  for (const [name, kind] of [
    ['failing', 'test'],
    ['failing-hook', 'hook'],
    ['failing-before-hook', 'hook before all tests'],
  ] as const) {
    it(`fails and shows the error of a failing ${kind}`, async () => {
      const result = await run('passing', name);
      expect(result.report?.failures).to.equal(1);
      expect(result.output).to.contain('as it should');
      expect(summarize([result]).isGreen).to.equal(false);
    });

    it(`repeats a failing ${kind} once at the end, with its file and error`, async () => {
      const { text } = summarize([await run('passing', name)]);
      expect(text.match(/^(?:Failed|Problem): /gm)).to.deep.equal(['Failed: ']);
      const [, line = ''] = /^Failed: (.+)$/m.exec(text) ?? [];
      expect(line)
        .to.contain(`${join(FIXTURES, name)}.ts: `)
        .and.to.contain('as it should');
    });
  }

  it('fails if a process exits before it writes its report, even with exit status 0', async () => {
    const result = await run('passing', 'exiting');
    expect(result.problems).to.have.lengthOf(1);
    expect(result.problems[0]).to.contain('without a report').and.to.contain('exiting.ts');
    expect(summarize([result]).isGreen).to.equal(false);
  });

  it('fails if a test is exclusive, because no other test would run', async () => {
    const result = await run('passing', 'exclusive');
    expect(result.output).to.contain('`.only` forbidden');
    expect(summarize([result]).isGreen).to.equal(false);
  });

  it('refuses a path that is not a file, with the status of a usage error', async () => {
    for (const path of ['test/absent.test.ts', 'test']) {
      const { status, stderr } = runSuite(path);
      expect(stderr).to.match(new RegExp(`^${path} is not a file`));
      expect(status).to.equal(2);
    }
  });

  it('refuses a file that is not a test of this project, with the status of a usage error', () => {
    const outsideFile = join(directory, 'outside.test.ts');
    writeFileSync(outsideFile, '');
    for (const path of ['README.md', 'test/support/run-command.ts', outsideFile]) {
      const { status, stderr } = runSuite(path);
      expect(stderr).to.include(`${relative('.', path)} is not a test; specify files in test`);
      expect(status).to.equal(2);
    }
  });

  it('prints its usage for --help, even with invalid arguments', () => {
    for (const args of [['--help'], ['--help', 'nope'], ['--nope', '--help']]) {
      const { status, stdout, stderr } = runSuite(...args);
      expect([status, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(/^Usage: npm test/);
    }
  });

  it('fails if a file runs no test', async () => {
    const result = await run('passing', 'without-tests');
    expect(result.problems).to.deep.equal([`${join(FIXTURES, 'without-tests.ts')} ran no test`]);
    expect(summarize([result]).isGreen).to.equal(false);
  });

  it('fails if a file skips all of its tests', async () => {
    const result = await run('passing', 'skipped');
    expect(result.problems).to.deep.equal([`${join(FIXTURES, 'skipped.ts')} ran no test`]);
  });

  it('fails if anything other than a test sets a failing exit status', async () => {
    const result = await run('passing', 'exit-code');
    expect(result.problems[0]).to.contain('a process exited with 3 after its tests passed');
    expect(summarize([result]).isGreen).to.equal(false);
  });

  it('fails if one of many batches fails', async () => {
    const [passingBatch, failingBatch] = [await run('passing'), await run('failing')];
    expect(summarize([passingBatch, failingBatch, passingBatch]).isGreen).to.equal(false);
  });

  it('runs every file once, in any number of batches', () => {
    fc.assert(
      fc.property(arbitraryFiles, fc.integer({ min: 1, max: 40 }), (times, count) => {
        const files = times.map(([file]) => file);
        const batches = distributeFiles(files, count, new Map(times));
        expect(batches.flat()).to.have.members(files).and.to.have.lengthOf(files.length);
        expect(batches.every(({ length }) => length > 0)).to.equal(true);
      }),
    );
  });

  it('distributes files across batches whose durations differ by at most the duration of the slowest file', () => {
    fc.assert(
      fc.property(arbitraryFiles, fc.integer({ min: 1, max: 40 }), (times, count) => {
        const fileTimes = new Map(times);
        const batches = distributeFiles([...fileTimes.keys()], count, fileTimes);
        const sums = batches.map((files) => files.reduce((sum, file) => sum + (fileTimes.get(file) ?? 0), 0));
        const maxTime = Math.max(0, ...fileTimes.values());
        expect(Math.max(0, ...sums) - Math.min(...sums, Infinity)).to.be.at.most(maxTime);
      }),
    );
  });
});
