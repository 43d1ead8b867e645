import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandOn } from '../support/run-command.ts';

describe('grantlog clock confirm', () => {
  let directory: string;

  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'grantlog-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) => runCommandOn({ DATA_DIR: join(directory, 'data') }, args);

  it('succeeds without recording anything if nothing was issued after the current time', async () => {
    await run('group', 'add', 'editors');
    const { status, out, err } = await run('clock', 'confirm');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(out).to.match(/^nothing to confirm: .* The clock says .*; the newest event was recorded at /);
    const json = JSON.parse((await run('clock', 'confirm', '--json')).out) as object;
    expect(json).to.include({ position: null }).and.to.have.all.keys('position', 'clock', 'newest_event');
    expect((await run('log', 'tail')).out).not.to.include('ClockSetBack');
  });
});
