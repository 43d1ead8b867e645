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

  it('lists pending invitations, resends one, and withdraws it', async () => {
    const [row] = JSON.parse((await run('invitation', 'list', '--json')).out) as readonly object[];
    expect(row).to.include({ id: 1, address: 'eve@example.org', invited_by: 'The operator' });
    const resendResult = await run('invitation', 'resend', '1');
    expect(resendResult.out)
      .to.match(/^link: http/m)
      .and.match(/^sent: no, because this server sends no mail/m);
    const { out } = await run('invitation', 'withdraw', '1');
    expect(out).to.equal('the invitation for eve@example.org was withdrawn\n');
    expect((await run('invitation', 'list')).err).to.include('No pending invitations.');
  });

  it('warns, but does not refuse, if an invitation is pending or a user has the address', async () => {
    await run('user', 'profile', 'root', '--set', 'email=root@example.org');
    const result = await run('user', 'invite', 'ROOT@example.org');
    expect(result.status).to.equal(0);
    expect(result.err).to.include('grantlog: warning: root has this address, but has not verified it.\n');
    const { id } = (JSON.parse((await run('invitation', 'list', '--json')).out) as { id: number }[])[0]!;
    const repeatedInvitation = JSON.parse((await run('user', 'invite', 'root@example.org', '--json')).out) as {
      warning: string;
    };
    expect(repeatedInvitation.warning).to.include(`is pending; to withdraw it: grantlog invitation withdraw ${id}`);
  });

  it('asks at a terminal before it withdraws an invitation, and warns in a script', async () => {
    const env = { DATA_DIR: join(directory, 'data') };
    const invitation = await run('user', 'invite', 'max@example.org', '--json');
    expect(invitation.status).to.equal(0);
    const listOutput = (await run('invitation', 'list', '--search', 'max', '--json')).out;
    const id = String((JSON.parse(listOutput) as { id: number }[])[0]!.id);
    const questions: string[] = [];
    const result = await runCommandOn(env, ['invitation', 'withdraw', id], '', undefined, async (question) => {
      questions.push(question);
      return '';
    });
    expect(result).to.deep.equal({ status: 2, out: '', err: 'grantlog: not confirmed; nothing was changed\n' });
    expect(questions).to.deep.equal([
      'This cannot be undone: the links that were sent to max@example.org will stop working. Continue? [y/N] ',
    ]);
    const withdrawal = await run('invitation', 'withdraw', id);
    expect(withdrawal.err).to.equal(
      'grantlog: warning: this cannot be undone: the links that were sent to max@example.org will stop working. ' +
        'A later release will require --yes to confirm\n',
    );
    expect(withdrawal.out).to.equal('the invitation for max@example.org was withdrawn\n');
  });

  for (const command of ['resend', 'withdraw'])
    it(`refuses to ${command} an invitation that is not pending`, async () => {
      const { status, err } = await run('invitation', command, '9');
      expect(status, err).to.equal(1);
      expect(err).to.include('no pending invitation has the number "9"').and.include('grantlog invitation list');
    });
});
