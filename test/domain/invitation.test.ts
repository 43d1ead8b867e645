import { invitation } from '../../src/domain/invitation.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

describe('An invitation', () => {
  const settings = { invitedBy: userId('root'), sealed: 'sealed', roles: [], expiresAt: seconds(604_800) } as const;
  const sendInvitation = { type: 'SendInvitation', invitation: settings, timesSent: 0 } as const;
  const sendAgain = { ...sendInvitation, timesSent: 1 } as const;
  const useInvitation = { type: 'AcceptInvitation', invitedBy: userId('root') } as const;
  const withdrawInvitation = { type: 'WithdrawInvitation' } as const;

  it('can be used once', () => {
    given(invitation, sendInvitation).when(useInvitation).accepted('InvitationAccepted');
    given(invitation, sendInvitation, useInvitation).when(useInvitation).refused('invitation-ended');
  });

  it('can be used even if no event records that it was sent, because earlier releases recorded none', () => {
    given(invitation).when(useInvitation).accepted('InvitationAccepted');
  });

  it('can be sent any number of times', () => {
    given(invitation).when(sendInvitation).accepted('InvitationSent');
    given(invitation, sendInvitation).when(sendAgain).accepted('InvitationSent');
  });

  it('is sent once if the form is submitted twice', () => {
    given(invitation, sendInvitation).when(sendInvitation).accepted();
  });

  it('ends once: after it has been used or withdrawn, it cannot be used, sent again or withdrawn', () => {
    given(invitation, sendInvitation).when(withdrawInvitation).accepted('InvitationWithdrawn');
    for (const endInvitation of [useInvitation, withdrawInvitation])
      for (const command of [sendInvitation, useInvitation, withdrawInvitation])
        given(invitation, sendInvitation, endInvitation).when(command).refused('invitation-ended');
  });
});
