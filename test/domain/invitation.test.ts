import { invitation } from '../../src/domain/invitation.ts';
import { userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

describe('An invitation', () => {
  const use = { type: 'AcceptInvitation', invitedBy: userId('root') } as const;

  it('is used once', () => {
    given(invitation).when(use).accepted('InvitationAccepted');
    given(invitation, use).when(use).refused('invitation-used');
  });
});
