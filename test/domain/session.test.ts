import { expect } from 'chai';
import { session, type SessionCommand } from '../../src/domain/session.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

const start: SessionCommand = { type: 'StartSession', userId: userId('ada'), expiresAt: seconds(60) };
const end: SessionCommand = { type: 'EndSession' };

describe('a session', () => {
  it('starts once: an id that was in use is never in use again', () => {
    given(session).when(start).accepted('SessionStarted');
    given(session, start).when(start).refused('session-exists');
    given(session, start, end).when(start).refused('session-exists');
  });

  it('ends once, and says whose it was', () => {
    const { decision } = given(session, start).when(end).accepted('SessionEnded');
    expect(decision.events[0]?.data).to.deep.equal({ userId: userId('ada') });
    given(session, start, end).when(end).changesNothing();
  });

  it('that nobody started does not end', () => {
    given(session).when(end).changesNothing();
  });
});
