import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../scripts/postgres/process-tree.ts';

const TARGET = 'test/support/bench-target.ts';

describe('the temporary directory of a benchmark', () => {
  let parent: string;
  beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'grantlog-'))));
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  for (const [event, signal] of [
    ['receives SIGTERM', 'SIGTERM'],
    ['receives SIGINT', 'SIGINT'],
    ['throws an error', undefined],
  ] as const)
    it(`is removed when the benchmark ${event}, after its servers have exited`, async function () {
      this.timeout(60_000);
      const mode = signal === undefined ? ['end'] : [];
      const benchmark = spawn(process.execPath, ['--import', 'tsx', TARGET, parent, ...mode], {
        stdio: ['ignore', 'pipe', signal === undefined ? 'ignore' : 'inherit'],
      });
      const exit = once(benchmark, 'exit');
      const [line] = (await once(benchmark.stdout, 'data')) as [Buffer];
      const servers = line.toString().trim().split(' ').map(Number);
      if (signal !== undefined) {
        expect(readdirSync(parent)).to.have.length(1);
        benchmark.kill(signal);
      }
      expect(await exit).to.deep.equal([1, null]);
      expect(servers.filter(isRunning)).to.deep.equal([]);
      expect(readdirSync(parent)).to.deep.equal([]);
    });
});
