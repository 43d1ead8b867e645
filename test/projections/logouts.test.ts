import { expect } from 'chai';
import type { Authentication, DomainEvent } from '../../src/domain/events.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { createLogouts, type Logouts } from '../../src/projections/logouts.ts';
import { createSessions } from '../../src/projections/sessions.ts';
import { clientId, grantId, passkeyId, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const APP = clientId('app');
const ADA = userId('ada');
const hash = (label: string): string => label.padEnd(43, '-');
const stream = (label: string): `session-${string}` => `session-${hash(label)}`;

/** @param logoutUriOf returns a client's logout URI. By default, every client has one */
function setUp(logoutUriOf: (client: string) => string | null | undefined = () => 'https://rp.example/logout') {
  const sessions = createSessions();
  const logouts = createLogouts({ findStarted: sessions.findStarted, logoutUriOf });
  const { record } = createRecording(sessions, logouts);
  let grants = 0;

  function start(session: string, authentication?: Authentication): void {
    const data = { userId: ADA, expiresAt: seconds(100), ...(authentication && { authentication }) };
    record(stream(session), { type: 'SessionStarted', data }, 10);
  }
  function authorize(session: string | null, client = APP, scope: readonly string[] = ['openid']): void {
    const login = {
      sessionHash: session === null ? null : hash(session),
      authTime: seconds(0),
      amr: ['pwd'],
      acr: 'pwd',
    };
    const id = grantId(`${(grants += 1)}`);
    const data = { grantId: id, clientId: client, userId: ADA, scope, basis: 'asked', login } as const;
    record(`grant-${id}`, { type: 'ConsentGiven', data }, 1);
  }
  const user = (event: DomainEvent, at = 5): void => record('user-ada', event, at);
  const end = (session: string, continuedBy?: string): void =>
    record(stream(session), {
      type: 'SessionEnded',
      data: { userId: ADA, reason: 'logged-out', ...(continuedBy !== undefined && { continuedBy: hash(continuedBy) }) },
    });
  const pending = (projection = logouts): readonly string[] =>
    [...projection.pending()].map((logout) => `${logout.sessionHash.replace(/-+$/, '')} ${logout.clientId}`);
  return { logouts, record, start, authorize, user, end, pending };
}

const passkeyAuthentication = (label: string): Authentication => ({
  method: 'passkey',
  passkeyId: passkeyId(label),
  authenticatedAt: seconds(0),
  checkedAsOf: 0 as Position,
});

function restoreFrom(original: Logouts): Logouts {
  const restoredLogouts = createLogouts({
    findStarted: () => undefined,
    logoutUriOf: () => 'https://rp.example/logout',
  });
  for (const piece of original.freeze()) restoredLogouts.restore(piece);
  return restoredLogouts;
}

describe('a logout token', () => {
  it('is due when a session ends, to each client that was authorized for OpenID Connect in it', () => {
    const { logouts, start, authorize, end } = setUp();
    start('one');
    authorize('one');
    expect([...logouts.pending()]).to.deep.equal([]);
    end('one');
    expect([...logouts.pending()]).to.deep.equal([
      { clientId: APP, userId: ADA, sessionHash: hash('one'), endedAt: 0, position: 3 },
    ]);
    expect(logouts.isPending({ clientId: APP, sessionHash: hash('one') })).to.equal(true);
    expect(logouts.pendingOf(clientId('other'))).to.deep.equal([]);
  });

  it('is not due to a client that has no logout URI or openid scope, or was authorized outside a session', () => {
    const { start, authorize, end, pending } = setUp((client) => (client === APP ? null : 'https://rp.example/'));
    start('one');
    authorize('one', APP);
    authorize('one', clientId('other'), ['read']);
    authorize(null, clientId('third'));
    end('one');
    expect(pending()).to.deep.equal([]);
  });

  const ENDING_EVENTS: readonly DomainEvent[] = [
    { type: 'AllSessionsEnded', data: { userId: ADA } },
    { type: 'PasswordChanged', data: { userId: ADA, sealed: 'sealed' } },
    { type: 'UserDisabled', data: { userId: ADA } },
    { type: 'UserErased', data: { userId: ADA } },
  ];
  for (const event of ENDING_EVENTS) {
    it(`is due for all of the user's sessions at ${event.type}, and for no other user`, () => {
      const { start, authorize, user, pending } = setUp();
      for (const session of ['one', 'two']) {
        start(session);
        authorize(session);
      }
      user({ ...event, data: { ...event.data, userId: userId('bob') } } as DomainEvent);
      expect(pending()).to.deep.equal([]);
      user(event);
      expect(pending()).to.deep.equal([`one ${APP}`, `two ${APP}`]);
    });
  }

  it('is due for the sessions that a removed passkey started', () => {
    const { start, authorize, user, pending } = setUp();
    start('one', passkeyAuthentication('p'));
    start('two');
    for (const session of ['one', 'two']) authorize(session);
    user({ type: 'PasskeyRemoved', data: { userId: ADA, passkeyId: passkeyId('p') } });
    expect(pending()).to.deep.equal([`one ${APP}`]);
  });

  it('is due for sessions that were started while the clock was ahead', () => {
    const { record, start, authorize, pending } = setUp();
    start('one');
    authorize('one');
    const data = { setBackTo: seconds(0), newestAt: seconds(0), issuedAfter: seconds(10) };
    record('clock', { type: 'ClockSetBack', data });
    expect(pending()).to.deep.equal([]);
    record('clock', { type: 'ClockSetBack', data: { ...data, issuedAfter: seconds(9) } });
    expect(pending()).to.deep.equal([`one ${APP}`]);
  });

  it('is not due when a session expires', () => {
    const { authorize, user, start, pending } = setUp();
    start('one');
    authorize('one');
    user({ type: 'UserEnabled', data: { userId: userId('bob') } }, 20_000);
    user({ type: 'AllSessionsEnded', data: { userId: ADA } }, 20_000);
    expect(pending()).to.deep.equal([]);
  });

  it("is due when the session that continues the authorization's session ends", () => {
    const { start, authorize, end, pending } = setUp();
    start('one');
    authorize('one');
    start('two');
    authorize('two', clientId('other'));
    end('one', 'two');
    expect(pending()).to.deep.equal([]);
    end('two');
    expect(pending()).to.have.members([`one ${APP}`, `two ${clientId('other')}`]);
  });

  it('is not due once its outcome is recorded; the newest twenty outcomes are kept until the client is removed', () => {
    const { logouts, record, start, authorize, end } = setUp();
    for (let at = 0; at < 25; at += 1) {
      start(`s${at}`);
      authorize(`s${at}`);
      end(`s${at}`);
      const data = { clientId: APP, userId: ADA, attempts: 1 };
      const failure = { type: 'LogoutDeliveryFailed', data: { ...data, reason: 'error-status', status: 500 } } as const;
      record(stream(`s${at}`), at % 5 === 0 ? failure : { type: 'LogoutDelivered', data }, at);
    }
    expect(logouts.counts()).to.deep.equal({ pending: 0, delivered: 20, failed: 5 });
    const outcomes = logouts.outcomesOf(APP);
    expect(outcomes).to.have.length(20);
    expect(outcomes[0]).to.deep.include({ sessionHash: hash('s24'), reason: null, status: null, attempts: 1, at: 24 });
    expect(outcomes[4]).to.deep.include({ sessionHash: hash('s20'), reason: 'error-status', status: 500 });
    record(`client-${APP}`, { type: 'ClientRemoved', data: {} });
    expect(logouts.outcomesOf(APP)).to.deep.equal([]);
  });

  it('is still due after the projection is restored from a snapshot', () => {
    const { logouts, record, start, authorize, end, pending } = setUp();
    for (const session of ['one', 'two', 'three']) {
      start(session);
      authorize(session);
    }
    end('one');
    end('two');
    record(stream('one'), { type: 'LogoutDelivered', data: { clientId: APP, userId: ADA, attempts: 1 } });
    const restoredLogouts = restoreFrom(logouts);
    expect([...restoredLogouts.contents()]).to.deep.equal([...logouts.contents()]);
    const { record: recordInCopy } = createRecording(restoredLogouts);
    recordInCopy(stream('three'), { type: 'SessionEnded', data: { userId: ADA } });
    expect(pending(restoredLogouts)).to.deep.equal([`two ${APP}`, `three ${APP}`]);
  });
});
