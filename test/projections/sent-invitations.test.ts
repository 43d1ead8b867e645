import { expect } from 'chai';
import type { UserId } from '../../src/domain/values.ts';
import { createSentInvitations, type SentInvitations } from '../../src/projections/sent-invitations.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const [ada, bob] = [userId('ada'), userId('bob')];

function someInvitations(invitations: SentInvitations = createSentInvitations()) {
  const { record } = createRecording(invitations);
  return {
    invitations,
    send: (name: string, invitedBy: UserId | null) =>
      record(name, {
        type: 'InvitationSent',
        data: { invitedBy, sealed: 'sealed', roles: [], expiresAt: seconds(60) },
      }),
    disable: (user: UserId) => record(`user-${user}`, { type: 'UserDisabled', data: { userId: user } }),
  };
}

const pending = (invitations: SentInvitations): readonly string[] => invitations.all().map(({ stream }) => stream);

describe('the sent invitations', () => {
  it('end with the account of the user who sent them last, and with no other account', () => {
    const { invitations, send, disable } = someInvitations();
    send('first', ada);
    send('second', ada);
    send('second', bob);
    send('third', null);
    disable(ada);
    expect(pending(invitations)).to.deep.equal(['second', 'third']);
    disable(bob);
    expect(pending(invitations)).to.deep.equal(['third']);
    expect([...invitations.ended()]).to.deep.equal(['first', 'second']);
  });

  it('end each time that their sender is disabled', () => {
    const { invitations, send, disable } = someInvitations();
    for (const name of ['first', 'second']) {
      send(name, ada);
      disable(ada);
    }
    expect([...invitations.ended()]).to.deep.equal(['first', 'second']);
  });

  it('end with their sender even if they come from a snapshot', () => {
    const before = someInvitations();
    before.send('first', ada);
    const { invitations, disable } = someInvitations();
    for (const piece of before.invitations.freeze()) invitations.restore(piece);
    disable(ada);
    expect(pending(invitations)).to.deep.equal([]);
  });
});
