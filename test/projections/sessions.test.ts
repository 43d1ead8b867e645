import { expect } from 'chai';
import type { DomainEvent } from '../../src/domain/events.ts';
import { createSessions } from '../../src/projections/sessions.ts';
import { seconds, userId } from '../support/domain-values.ts';
import { recording } from '../support/recording.ts';

function setUp() {
  const sessions = createSessions();
  const { record } = recording(sessions);
  const start = (hash: string, user: string, at = 0, expiresAt = at + 100): void =>
    record(`session-${hash}`, { type: 'SessionStarted', data: { userId: userId(user), expiresAt: seconds(expiresAt) } }, at);
  return { sessions, record, start };
}

describe('a session', () => {
  it('is open from its start until the second it expires', () => {
    const { sessions, start } = setUp();
    start('one', 'ada', 10, 60);
    expect(sessions.find('one', 59)).to.deep.equal({ userId: userId('ada'), startedAt: 10, expiresAt: 60 });
    expect(sessions.find('one', 60)).to.equal(undefined);
    expect(sessions.find('two', 10)).to.equal(undefined);
  });

  it('ends by itself and leaves the others of its user open', () => {
    const { sessions, record, start } = setUp();
    start('one', 'ada');
    start('two', 'ada');
    record('session-one', { type: 'SessionEnded', data: { userId: userId('ada') } });
    expect([sessions.find('one', 1), sessions.find('two', 1)?.userId]).to.deep.equal([undefined, userId('ada')]);
  });

  it('is not kept for ever after it has expired', () => {
    const { sessions, start } = setUp();
    start('one', 'ada', 0, 100);
    start('two', 'bob', 10_000, 20_000);
    expect([...sessions.contents()]).to.have.length(1);
  });

  const ends: readonly DomainEvent[] = [
    { type: 'AllSessionsEnded', data: { userId: userId('ada') } },
    { type: 'PasswordChanged', data: { userId: userId('ada'), sealed: 'sealed' } },
    { type: 'UserDisabled', data: { userId: userId('ada') } },
    { type: 'UserErased', data: { userId: userId('ada') } },
  ];
  for (const event of ends) {
    it(`ends with all others of its user at ${event.type}, and nobody else's does`, () => {
      const { sessions, record, start } = setUp();
      start('one', 'ada');
      start('two', 'ada');
      start('three', 'bob');
      record('user-ada', event);
      expect([sessions.find('one', 1), sessions.find('two', 1)]).to.deep.equal([undefined, undefined]);
      expect(sessions.find('three', 1)?.userId).to.equal(userId('bob'));
    });
  }

  it('can be started again after all of its user were ended', () => {
    const { sessions, record, start } = setUp();
    record('user-ada', { type: 'AllSessionsEnded', data: { userId: userId('ada') } });
    start('one', 'ada');
    expect(sessions.find('one', 1)?.userId).to.equal(userId('ada'));
  });

  it('that arrives after its user was disabled never opens, not even when the user is enabled again', () => {
    const { sessions, record, start } = setUp();
    record('user-ada', { type: 'UserDisabled', data: { userId: userId('ada') } });
    start('one', 'ada');
    record('user-ada', { type: 'UserEnabled', data: { userId: userId('ada') } });
    expect(sessions.find('one', 1)).to.equal(undefined);
    start('two', 'ada');
    expect(sessions.find('two', 1)?.userId).to.equal(userId('ada'));
  });
});
