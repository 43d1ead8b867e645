import { expect } from 'chai';
import type { UserId } from '../../src/domain/values.ts';
import { createSentInvitations, type SentInvitations } from '../../src/projections/sent-invitations.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const [ada, bob] = [userId('ada'), userId('bob')];

function setUpInvitations(invitations: SentInvitations = createSentInvitations()) {
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

const listPending = (invitations: SentInvitations): readonly string[] => invitations.all().map(({ stream }) => stream);

describe('the sent invitations', () => {
  it('end only when the user who sent them last is disabled', () => {
    const { invitations, send, disable } = setUpInvitations();
    send('first', ada);
    send('second', ada);
    send('second', bob);
    send('third', null);
    disable(ada);
    expect(listPending(invitations)).to.deep.equal(['second', 'third']);
    disable(bob);
    expect(listPending(invitations)).to.deep.equal(['third']);
    expect([...invitations.ended()]).to.deep.equal(['first', 'second']);
  });

  it('end each time their sender is disabled', () => {
    const { invitations, send, disable } = setUpInvitations();
    for (const name of ['first', 'second']) {
      send(name, ada);
      disable(ada);
    }
    expect([...invitations.ended()]).to.deep.equal(['first', 'second']);
  });

  it('end when their sender is disabled, even if they were restored from a snapshot', () => {
    const original = setUpInvitations();
    original.send('first', ada);
    const { invitations, disable } = setUpInvitations();
    for (const piece of original.invitations.freeze()) invitations.restore(piece);
    disable(ada);
    expect(listPending(invitations)).to.deep.equal([]);
  });
});
