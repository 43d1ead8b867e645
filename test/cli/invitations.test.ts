import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommandOn } from '../support/run-command.ts';

describe('grantlog invitation', () => {
  let directory: string;
  const run = (...args: readonly string[]) => runCommandOn({ DATA_DIR: join(directory, 'data') }, args);

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    await runCommandOn({ DATA_DIR: join(directory, 'data') }, ['user', 'add', 'root', '--admin'], 'a long password');
    await run('user', 'invite', 'eve@example.org', '--auditor');
  });
  after(() => rmSync(directory, { recursive: true }));

  it('lists pending invitations, sends one again, and withdraws it', async () => {
    const [row] = JSON.parse((await run('invitation', 'list', '--json')).out) as readonly object[];
    expect(row).to.include({ id: 1, address: 'eve@example.org', invited_by: 'The operator' });
    const resent = await run('invitation', 'resend', '1');
    expect(resent.out)
      .to.match(/^link: http/m)
      .and.match(/^sent: no, because this server sends no mail/m);
    const { out } = await run('invitation', 'withdraw', '1');
    expect(out).to.equal('the invitation of eve@example.org is withdrawn\n');
    expect((await run('invitation', 'list')).err).to.include('No pending invitations.');
  });

  it('warns, but does not refuse, if an invitation is pending or a user has the address', async () => {
    await run('user', 'profile', 'root', '--set', 'email=root@example.org');
    const known = await run('user', 'invite', 'ROOT@example.org');
    expect(known.status).to.equal(0);
    expect(known.err).to.include('grantlog: warning: root has this address, not verified.\n');
    const { id } = (JSON.parse((await run('invitation', 'list', '--json')).out) as { id: number }[])[0]!;
    const again = JSON.parse((await run('user', 'invite', 'root@example.org', '--json')).out) as { warning: string };
    expect(again.warning).to.include(`is pending; send it again with: grantlog invitation resend ${id}`);
  });

  for (const command of ['resend', 'withdraw'])
    it(`refuses an invitation that is not pending: ${command}`, async () => {
      const { status, err } = await run('invitation', command, '9');
      expect(status, err).to.equal(1);
      expect(err).to.include('no invitation "9" is pending').and.include('grantlog invitation list');
    });
});
