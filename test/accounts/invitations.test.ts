import { expect } from 'chai';
import { createInvitations } from '../../src/accounts/invitations.ts';
import { invitationStream } from '../../src/domain/streams.ts';
import type { SentInvitation } from '../../src/projections/sent-invitations.ts';
import { seconds } from '../support/domain-values.ts';

const NOW = 1_000;

const sentInvitation = (id: number, expiresAt = NOW + 1): SentInvitation => ({
  id,
  stream: invitationStream(`invitation ${id}`),
  invitedBy: null,
  sender: { kind: 'operator' },
  roles: [],
  sealed: `sealed ${id}`,
  times: 1,
  sentAt: seconds(1),
  expiresAt: seconds(expiresAt),
});

describe('An invitation that is looked up by its number', () => {
  const invitations = [sentInvitation(1), sentInvitation(2), sentInvitation(3, NOW)];
  let decryptedValues: string[];

  type Parts = Parameters<typeof createInvitations>[0];
  const findByNumber = (number: string) => {
    decryptedValues = [];
    const parts = {
      sentInvitations: {
        all: () => invitations,
        find: (id: number) => invitations.find((invitation) => invitation.id === id),
      },
      users: { find: () => undefined, findByVerifiedEmail: () => undefined },
      vault: {
        tryUnseal(_id: string, sealed: string) {
          decryptedValues.push(sealed);
          return { email: `${sealed}@example.org`, invitationId: sealed };
        },
      },
      now: () => NOW,
    };
    return createInvitations(parts as unknown as Parts).findByNumber(number);
  };

  it('is the only one that is decrypted', () => {
    expect(findByNumber('2')).to.deep.include({ id: 2, email: 'sealed 2@example.org' });
    expect(decryptedValues).to.deep.equal(['sealed 2']);
  });

  it('is not decrypted after it has expired, or if the number is wrong', () => {
    for (const number of ['3', '4', '02', 'x']) {
      expect(findByNumber(number), number).to.equal(undefined);
      expect(decryptedValues, number).to.deep.equal([]);
    }
  });
});
