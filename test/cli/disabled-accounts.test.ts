import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandOn } from '../support/run-command.ts';

describe('A command that changes a disabled account', () => {
  let directory: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    await run('user', 'add', 'carol');
    await run('client', 'add', '--name', 'Demo', '--type', 'confidential', '--grant', 'client-credentials');
    await run('user', 'disable', 'carol', '--yes');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) =>
    runCommandOn({ DATA_DIR: join(directory, 'data') }, args, 'a long and secret password\n');

  const WARNING = 'grantlog: warning: the account carol is disabled; to enable it: grantlog user enable carol\n';

  it('warns about a new password, a new owner and a new test user', async () => {
    for (const args of [
      ['user', 'passwd', 'carol'],
      ['client', 'owners', 'Demo', '--add', 'carol'],
    ])
      expect(await run(...args), args.join(' ')).to.include({ status: 0, err: WARNING });
    await run('user', 'add', 'dan');
    await run('user', 'disable', 'dan', '--yes');
    expect((await run('client', 'test-users', 'Demo', '--add', 'dan')).err).to.equal(
      WARNING.replaceAll('carol', 'dan'),
    );
    expect((await run('client', 'owners', 'Demo')).err, 'listing owners changes nothing').to.equal('');
  });
});
