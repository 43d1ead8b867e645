import { invitation } from '../../src/domain/invitation.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

describe('An invitation', () => {
  const settings = { invitedBy: userId('root'), sealed: 'sealed', roles: [], expiresAt: seconds(604_800) } as const;
  const send = { type: 'SendInvitation', invitation: settings, timesSent: 0 } as const;
  const sendAgain = { ...send, timesSent: 1 } as const;
  const use = { type: 'AcceptInvitation', invitedBy: userId('root') } as const;
  const withdraw = { type: 'WithdrawInvitation' } as const;

  it('can be used once', () => {
    given(invitation, send).when(use).accepted('InvitationAccepted');
    given(invitation, send, use).when(use).refused('invitation-ended');
  });

  it('can be used even if no event records that it was sent, because earlier releases recorded none', () => {
    given(invitation).when(use).accepted('InvitationAccepted');
  });

  it('can be sent any number of times', () => {
    given(invitation).when(send).accepted('InvitationSent');
    given(invitation, send).when(sendAgain).accepted('InvitationSent');
  });

  it('is sent once if the form is submitted twice', () => {
    given(invitation, send).when(send).accepted();
  });

  it('ends once: after it has been used or withdrawn, it cannot be used, sent again or withdrawn', () => {
    given(invitation, send).when(withdraw).accepted('InvitationWithdrawn');
    for (const end of [use, withdraw])
      for (const command of [send, use, withdraw])
        given(invitation, send, end).when(command).refused('invitation-ended');
  });
});
