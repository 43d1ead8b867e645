import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { PROCESS_NAME, withFileLock } from '../../../src/platform/files/file-lock.ts';

const QUICK_TIMEOUTS = { abandonedAfter: 60, giveUpAfter: 100_000 };
const [MACHINE = ''] = PROCESS_NAME.split('-');

describe('a lock file', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    path = join(directory, 'some.lock');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const failureMessage = (promise: Promise<unknown>): Promise<unknown> =>
    promise.catch((error: Error) => error.message);

  it('exists while the action runs, and is removed after its result or error', async () => {
    expect(await withFileLock(path, () => readdirSync(directory))).to.deep.equal(['some.lock']);
    const fail = (): never => {
      throw new Error('the action failed');
    };
    expect(await failureMessage(withFileLock(path, fail))).to.equal('the action failed');
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('makes other callers wait until it is free', async () => {
    writeFileSync(path, 'another-machine 1\n');
    let isDone = false;
    const pendingLock = withFileLock(path, () => (isDone = true));
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(isDone).to.equal(false);
    rmSync(path);
    await pendingLock;
    expect(isDone).to.equal(true);
  });

  it('of a process that died on this machine is removed immediately', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(path, `${MACHINE} ${pid}\n`);
    const longTimeouts = { abandonedAfter: 1_000_000, giveUpAfter: 2_000_000 };
    expect(await withFileLock(path, () => 'done', longTimeouts)).to.equal('done');
  });

  it('of a running process is reported after a wait', async () => {
    writeFileSync(path, `${MACHINE} ${process.ppid}\n`);
    const shortTimeouts = { abandonedAfter: 1_000_000, giveUpAfter: 100 };
    expect(await failureMessage(withFileLock(path, () => 'done', shortTimeouts))).to.match(
      /other processes held the lock file/,
    );
    expect(readFileSync(path, 'utf8')).to.equal(`${MACHINE} ${process.ppid}\n`);
  });

  for (const content of ['another-machine 1\n', '']) {
    it(`of an unknown process is removed if it has not changed for long (${JSON.stringify(content)})`, async () => {
      writeFileSync(path, content);
      expect(await withFileLock(path, () => 'done', QUICK_TIMEOUTS)).to.equal('done');
      expect(readdirSync(directory)).to.deep.equal([]);
    });
  }

  it('that another process replaced during the action makes the action run again', async () => {
    let runCount = 0;
    const act = (): number => {
      runCount += 1;
      if (runCount === 1) {
        rmSync(path);
        writeFileSync(path, 'another-machine 1\n');
      }
      return runCount;
    };
    expect(await withFileLock(path, act, QUICK_TIMEOUTS)).to.equal(2);
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('cannot be created in a missing directory', async () => {
    expect(await failureMessage(withFileLock(join(directory, 'none', 'some.lock'), () => 'done'))).to.match(/ENOENT/);
  });
});
