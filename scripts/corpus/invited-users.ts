import type { User } from '../../src/projections/users.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { expectPage } from './expect-page.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/**
 * Records invitations. Two users accept them, one from an administrator and one from the operator. The operator
 * verifies an e-mail address, withdraws an invitation, and sends another one twice.
 */
export async function recordInvitations(running: RunningService, administrator: User, otherUser: User): Promise<void> {
  const { accounts, invitations } = running.service();
  for (const [username, invitedBy] of [
    ['lena', administrator.userId],
    ['moritz', null],
  ] as const) {
    const actor = invitedBy === null ? OPERATOR.actor : ({ kind: 'user', id: invitedBy } as const);
    const invitee = { email: `${username}@example.com`, roles: [], invitedBy };
    const invitation = await invitations.invite(invitee, { ...OPERATOR, actor });
    const { pathname, search } = new URL(invitation?.link ?? '');
    const browser = running.browser();
    const page = await expectPage(browser.get(`${pathname}${search}`));
    await expectPage(browser.submit(page, { username, password: `the password of ${username}` }));
  }
  await accounts.verifyEmail(otherUser, OPERATOR);
  for (const email of ['nobody@example.com', 'pending@example.com'])
    await invitations.invite({ email, roles: ['auditor'], invitedBy: null }, OPERATOR);
  const [invitationToWithdraw, invitationToResend] = invitations.listPending();
  if (invitationToWithdraw === undefined || invitationToResend === undefined)
    throw new Error('an invitation is missing');
  await invitations.withdraw(invitationToWithdraw, OPERATOR);
  await invitations.resend(invitationToResend, null, OPERATOR);
}
