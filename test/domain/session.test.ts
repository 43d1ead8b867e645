import { expect } from 'chai';
import { session, type SessionCommand } from '../../src/domain/session.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { clientId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const authentication = { method: 'password', authenticatedAt: seconds(0), checkedAsOf: 1 as Position } as const;
const start: SessionCommand = {
  type: 'StartSession',
  userId: userId('ada'),
  authentication,
  sealed: undefined,
  now: seconds(0),
  expiresAt: seconds(60),
  isNew: true,
};
const end: SessionCommand = { type: 'EndSession', reason: 'logged-out' };

describe('a session', () => {
  it('starts once: an id is never used again', () => {
    given(session).when(start).accepted('SessionStarted');
    given(session, start).when(start).refused('session-exists');
    given(session, start, end).when(start).refused('session-exists');
  });

  it('records how its user was authenticated', () => {
    const { decision } = given(session).when(start);
    expect(decision.events[0]?.data).to.deep.equal({ userId: userId('ada'), authentication, expiresAt: 60 });
  });

  it('ends once, and records whose it was and why', () => {
    const { decision } = given(session, start).when(end).accepted('SessionEnded');
    expect(decision.events[0]?.data).to.deep.equal({ userId: userId('ada'), reason: 'logged-out' });
    given(session, start, end).when(end).changesNothing();
  });

  it('records which session continues it', () => {
    const again: SessionCommand = { ...end, reason: 'logged-in-again', continuedBy: hashOf('next') };
    const { decision } = given(session, start).when(again).accepted('SessionEnded');
    const data = { userId: userId('ada'), reason: 'logged-in-again', continuedBy: hashOf('next') };
    expect(decision.events[0]?.data).to.deep.equal(data);
  });

  it('cannot end before it started', () => {
    given(session).when(end).changesNothing();
  });

  it('starts in a new stream, from the time of its command; its end has no time and no such stream', () => {
    expect([session.initialRevision?.(start), session.decidedAt?.(start)]).to.deep.equal(['new-stream', 0]);
    expect(session.initialRevision?.({ ...start, isNew: false }), 'with an id that can recur').to.equal('no-stream');
    expect([session.initialRevision?.(end), session.decidedAt?.(end)]).to.deep.equal([undefined, undefined]);
  });

  it('is ended by its end', () => {
    const ended = session.evolve(session.initial, { type: 'SessionEnded', data: { userId: userId('ada') } });
    expect(ended).to.deep.equal({ status: 'ended' });
  });

  it('records once whether a client was told of its end, and how it failed', () => {
    const told: SessionCommand = {
      type: 'RecordLogoutDelivery',
      clientId: clientId('app'),
      userId: userId('ada'),
      attempts: 2,
      failure: undefined,
    };
    const data = { clientId: clientId('app'), userId: userId('ada'), attempts: 2 };
    const { decision } = given(session, start, end).when(told).accepted('LogoutDelivered');
    expect(decision.events[0]?.data).to.deep.equal(data);
    const failure = { reason: 'error-status', status: 500 } as const;
    const failed = given(session, start, end)
      .when({ ...told, failure })
      .accepted('LogoutDeliveryFailed');
    expect(failed.decision.events[0]?.data).to.deep.equal({ ...data, ...failure });
    given(session, start, end, told)
      .when({ ...told, failure })
      .changesNothing();
    given(session, start, end, told)
      .when({ ...told, clientId: clientId('other') })
      .accepted('LogoutDelivered');
    given(session, start, told, end).when(told).changesNothing();
  });

  it('knows no other command and no other event', () => {
    const other = unchecked({ type: 'Other' });
    expect(() => session.decide(other, session.initial)).to.throw('unhandled case');
    expect(() => session.evolve(session.initial, other)).to.throw('unhandled case');
  });
});
