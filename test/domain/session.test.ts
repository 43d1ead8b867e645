import { expect } from 'chai';
import { session, type SessionCommand } from '../../src/domain/session.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { clientId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const authentication = { method: 'password', authenticatedAt: seconds(0), checkedAsOf: 1 as Position } as const;
const startSession: SessionCommand = {
  type: 'StartSession',
  userId: userId('ada'),
  authentication,
  sealed: undefined,
  now: seconds(0),
  expiresAt: seconds(60),
  isNew: true,
};
const endSession: SessionCommand = { type: 'EndSession', reason: 'logged-out' };

describe('a session', () => {
  it('starts once, and its id is never reused', () => {
    given(session).when(startSession).accepted('SessionStarted');
    given(session, startSession).when(startSession).refused('session-exists');
    given(session, startSession, endSession).when(startSession).refused('session-exists');
  });

  it('records how its user was authenticated', () => {
    const { decision } = given(session).when(startSession);
    expect(decision.events[0]?.data).to.deep.equal({ userId: userId('ada'), authentication, expiresAt: 60 });
  });

  it('records the browser, encrypted, if it is known', () => {
    const { decision } = given(session).when({ ...startSession, sealed: 'sealed' });
    expect(decision.events[0]?.data).to.include({ sealed: 'sealed' });
  });

  it('ends once, and records its user and the reason', () => {
    const { decision } = given(session, startSession).when(endSession).accepted('SessionEnded');
    expect(decision.events[0]?.data).to.deep.equal({ userId: userId('ada'), reason: 'logged-out' });
    given(session, startSession, endSession).when(endSession).changesNothing();
  });

  it('records which session continues it', () => {
    const replacement: SessionCommand = { ...endSession, reason: 'logged-in-again', continuedBy: hashOf('next') };
    const { decision } = given(session, startSession).when(replacement).accepted('SessionEnded');
    const data = { userId: userId('ada'), reason: 'logged-in-again', continuedBy: hashOf('next') };
    expect(decision.events[0]?.data).to.deep.equal(data);
  });

  it('records one use per day (UTC) after its start', () => {
    const useSession = (now: number): SessionCommand => ({ type: 'UseSession', now: seconds(now) });
    given(session, startSession).when(useSession(86_399)).changesNothing();
    const { decision } = given(session, startSession).when(useSession(86_400)).accepted('SessionUsed');
    expect(decision.events[0]?.data).to.deep.equal({ userId: userId('ada'), usedAt: 86_400 });
    given(session, startSession, useSession(86_400)).when(useSession(172_799)).changesNothing();
    given(session, startSession, useSession(86_400)).when(useSession(172_800)).accepted('SessionUsed');
    given(session, startSession, useSession(172_800)).when(useSession(86_400)).changesNothing();
  });

  it('records a use if an earlier release did not record its authentication', () => {
    const withoutLogin = { ...startSession, authentication: unchecked(undefined) };
    given(session, withoutLogin)
      .when({ type: 'UseSession', now: seconds(1) })
      .accepted('SessionUsed');
  });

  it('records no use before it started or after it ended', () => {
    const useSession: SessionCommand = { type: 'UseSession', now: seconds(100_000) };
    given(session).when(useSession).changesNothing();
    given(session, startSession, endSession).when(useSession).changesNothing();
  });

  it('cannot end before it started', () => {
    given(session).when(endSession).changesNothing();
  });

  it('starts in a new stream and has a decision time, whereas its uses and its end have neither', () => {
    expect([session.initialRevision?.(startSession), session.decidedAt?.(startSession)]).to.deep.equal([
      'new-stream',
      0,
    ]);
    expect(session.initialRevision?.({ ...startSession, isNew: false }), 'with an id that may recur').to.equal(
      'no-stream',
    );
    for (const command of [endSession, { type: 'UseSession', now: seconds(0) }] as const)
      expect([session.initialRevision?.(command), session.decidedAt?.(command)], command.type).to.deep.equal([
        undefined,
        undefined,
      ]);
  });

  it('is ended by a SessionEnded event', () => {
    const state = session.evolve(session.initial, { type: 'SessionEnded', data: { userId: userId('ada') } });
    expect(state).to.deep.equal({ status: 'ended' });
  });

  it('records the outcome of a logout delivery to each client once', () => {
    const delivery: SessionCommand = {
      type: 'RecordLogoutDelivery',
      clientId: clientId('app'),
      userId: userId('ada'),
      attempts: 2,
      failure: undefined,
    };
    const data = { clientId: clientId('app'), userId: userId('ada'), attempts: 2 };
    const { decision } = given(session, startSession, endSession).when(delivery).accepted('LogoutDelivered');
    expect(decision.events[0]?.data).to.deep.equal(data);
    const failure = { reason: 'error-status', status: 500 } as const;
    const failedDelivery = given(session, startSession, endSession)
      .when({ ...delivery, failure })
      .accepted('LogoutDeliveryFailed');
    expect(failedDelivery.decision.events[0]?.data).to.deep.equal({ ...data, ...failure });
    given(session, startSession, endSession, delivery)
      .when({ ...delivery, failure })
      .changesNothing();
    given(session, startSession, endSession, delivery)
      .when({ ...delivery, clientId: clientId('other') })
      .accepted('LogoutDelivered');
    given(session, startSession, delivery, endSession).when(delivery).changesNothing();
    const state = session.evolve(session.initial, { type: 'LogoutDeliveryFailed', data: { ...data, ...failure } });
    expect(state.notifiedClients).to.deep.equal([clientId('app')]);
  });

  it('records a failed delivery without a status if there was no response', () => {
    const { decision } = given(session, startSession, endSession).when({
      type: 'RecordLogoutDelivery',
      clientId: clientId('app'),
      userId: userId('ada'),
      attempts: 3,
      failure: { reason: 'timed-out' },
    });
    expect(decision.events[0]?.data).not.to.have.property('status');
  });

  it('refuses unknown commands and events', () => {
    const unknownMessage = unchecked({ type: 'Other' });
    expect(() => session.decide(unknownMessage, session.initial)).to.throw('unhandled case');
    expect(() => session.evolve(session.initial, unknownMessage)).to.throw('unhandled case');
  });
});
