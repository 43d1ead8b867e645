import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { processorTime } from '../../scripts/bench/processor-time.ts';
import type { BatchReport, FileReport } from './batch-report.ts';

const { EVENT_TEST_END, EVENT_TEST_FAIL, EVENT_RUN_BEGIN, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_RUN_END } =
  Mocha.Runner.constants;

/**
 * Mocha's `spec` reporter, which also writes a `BatchReport` to the path in its `output` option. A process that exits
 * before all files have run leaves no report.
 */
export default class TimedReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { output } = options.reporterOptions as { readonly output: string };
    const files = new Map<string, FileReport>();
    const failureLines: string[] = [];
    let startedAt = 0;
    let startProcessorTime = 0;

    const findReport = (path: string | undefined): FileReport => {
      const file = relative(process.cwd(), path ?? '');
      const report = files.get(file) ?? { file, tests: 0, failures: 0, milliseconds: 0, processorMilliseconds: 0 };
      files.set(file, report);
      return report;
    };

    const startMeasuring = (): void => {
      startedAt = performance.now();
      startProcessorTime = processorTimeSoFar();
    };

    runner.on(EVENT_RUN_BEGIN, startMeasuring);
    runner.on(EVENT_SUITE_BEGIN, (suite) => {
      if (suite.parent?.root) startMeasuring();
    });
    runner.on(EVENT_TEST_END, (test: Mocha.Test) => {
      if (!test.isPending()) findReport(test.file).tests += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test: Mocha.Test, error: unknown) => {
      findReport(test.file).failures += 1;
      failureLines.push(failureLine(test, error));
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (!suite.parent?.root) return;
      const report = findReport(suite.file);
      report.milliseconds += performance.now() - startedAt;
      report.processorMilliseconds += processorTimeSoFar() - startProcessorTime;
    });
    runner.on(EVENT_RUN_END, () => {
      const { passes = 0, pending = 0, failures = 0 } = runner.stats ?? {};
      const report: BatchReport = { passes, pending, failures, failureLines, files: [...files.values()] };
      writeFileSync(output, JSON.stringify(report));
    });
  }
}

function failureLine(test: Mocha.Test, error: unknown): string {
  const [firstLine = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `${relative(process.cwd(), test.file ?? '')}: ${test.fullTitle()}: ${firstLine}`;
}

function processorTimeSoFar(): number {
  const { user, system } = process.cpuUsage();
  // the fallback for systems other than Linux excludes child processes
  return processorTime(process.pid) ?? (user + system) / 1000;
}
