import { expect } from 'chai';
import fc from 'fast-check';
import { invitation } from '../../src/domain/invitation.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

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

  it('has the number of times that it was sent, and the status that the last event gave it', () => {
    const aCommand = fc.oneof(
      fc.nat({ max: 5 }).map((timesSent) => ({ ...sendInvitation, timesSent })),
      fc.constantFrom(useInvitation, withdrawInvitation),
    );
    const statusAfter = { InvitationSent: 'sent', InvitationWithdrawn: 'withdrawn', InvitationAccepted: 'accepted' };
    fc.assert(
      fc.property(fc.array(aCommand), (commands) => {
        let state = invitation.initial;
        let timesSent = 0;
        let status = 'unknown';
        for (const command of commands) {
          for (const event of invitation.decide(command, state).events) {
            if (event.type === 'InvitationSent') timesSent += 1;
            status = statusAfter[event.type];
            state = invitation.evolve(state, event);
          }
          expect(state).to.deep.equal({ status, timesSent });
        }
      }),
    );
  });

  it('accepts no unknown command', () => {
    expect(() => given(invitation).when(unchecked({ type: 'Other' }))).to.throw('unhandled case');
  });
});
