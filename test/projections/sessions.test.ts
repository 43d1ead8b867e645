import { expect } from 'chai';
import fc from 'fast-check';
import type { Authentication, DomainEvent } from '../../src/domain/events.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { createSessions } from '../../src/projections/sessions.ts';
import { passkeyId, totpId, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

/** Events are recorded in sequence, so the first one is at position 1. */
function setUp() {
  const sessions = createSessions();
  const { record } = createRecording(sessions);
  function start(hash: string, user: string, at = 0, expiresAt = at + 100, authentication?: Authentication): void {
    const data = { userId: userId(user), expiresAt: seconds(expiresAt), ...(authentication && { authentication }) };
    record(`session-${hash}`, { type: 'SessionStarted', data }, at);
  }
  const startChecked = (hash: string, user: string, authentication: Authentication): void =>
    start(hash, user, 0, 100, authentication);
  return { sessions, record, start, startChecked };
}

const passwordAuthentication = (checkedAsOf: number): Extract<Authentication, { readonly method: 'password' }> => ({
  method: 'password',
  authenticatedAt: seconds(0),
  checkedAsOf: checkedAsOf as Position,
});
const passkeyAuthentication = (label: string, checkedAsOf: number): Authentication => ({
  ...passwordAuthentication(checkedAsOf),
  method: 'passkey',
  passkeyId: passkeyId(label),
});
const codeAuthentication = (checkedAsOf: number): Authentication => ({
  ...passwordAuthentication(checkedAsOf),
  secondFactor: { method: 'totp', totpId: totpId('t'), step: 1 },
});
const APP_REMOVALS: readonly DomainEvent[] = [
  { type: 'TotpRemoved', data: { userId: userId('ada'), totpId: totpId('t') } },
  { type: 'SecondFactorsRemoved', data: { userId: userId('ada'), reason: 'turned-off' } },
];
const passkeyRemoval = (label: string): DomainEvent => ({
  type: 'PasskeyRemoved',
  data: { userId: userId('ada'), passkeyId: passkeyId(label) },
});
const ENDING_EVENTS: readonly DomainEvent[] = [
  { type: 'AllSessionsEnded', data: { userId: userId('ada') } },
  { type: 'PasswordChanged', data: { userId: userId('ada'), sealed: 'sealed' } },
  { type: 'UserDisabled', data: { userId: userId('ada') } },
  { type: 'UserErased', data: { userId: userId('ada') } },
];

describe('a session', () => {
  it('is open from its start until it expires', () => {
    const { sessions, start } = setUp();
    start('one', 'ada', 10, 60);
    expect(sessions.find('one', 59)).to.deep.equal({ userId: userId('ada'), startedAt: 10, expiresAt: 60 });
    expect(sessions.find('one', 60)).to.equal(undefined);
    expect(sessions.find('two', 10)).to.equal(undefined);
  });

  it('has its most recent recorded use, even after a restart', () => {
    const { sessions, record, start } = setUp();
    start('one', 'ada', 0, 200_000);
    start('two', 'ada', 0, 200_000);
    const useEvent = { type: 'SessionUsed', data: { userId: userId('ada'), usedAt: seconds(90_000) } } as const;
    for (const name of ['one', 'unknown']) record(`session-${name}`, useEvent, 90_000);
    const restoredSessions = createSessions();
    for (const piece of sessions.freeze()) restoredSessions.restore(piece);
    for (const projection of [sessions, restoredSessions]) {
      const uses = projection
        .listByUser(userId('ada'), 100_000)
        .map((session) => [session.sessionHash, session.lastUsedAt]);
      expect(uses).to.deep.equal([
        ['two', undefined],
        ['one', 90_000],
      ]);
    }
  });

  it('ends without ending other sessions of its user', () => {
    const { sessions, record, start } = setUp();
    start('one', 'ada');
    start('two', 'ada');
    record('session-one', { type: 'SessionEnded', data: { userId: userId('ada') } });
    expect([sessions.find('one', 1), sessions.find('two', 1)?.userId]).to.deep.equal([undefined, userId('ada')]);
  });

  it('is dropped some time after its expiry', () => {
    const { sessions, start } = setUp();
    start('one', 'ada', 0, 100);
    start('two', 'bob', 10_000, 20_000);
    expect([...sessions.contents()]).to.have.length(1);
  });

  for (const event of ENDING_EVENTS) {
    it(`ends at ${event.type}, along with its user's other sessions, but not those of other users`, () => {
      const { sessions, record, start } = setUp();
      start('one', 'ada');
      start('two', 'ada');
      start('three', 'bob');
      record('user-ada', event);
      expect([sessions.find('one', 1), sessions.find('two', 1)]).to.deep.equal([undefined, undefined]);
      expect(sessions.find('three', 1)?.userId).to.equal(userId('bob'));
    });
  }

  it("can start after all of its user's sessions have ended", () => {
    const { sessions, record, start } = setUp();
    record('user-ada', { type: 'AllSessionsEnded', data: { userId: userId('ada') } });
    start('one', 'ada');
    expect(sessions.find('one', 1)?.userId).to.equal(userId('ada'));
  });

  it('that is recorded after its user was disabled never opens, even once the user is enabled again', () => {
    const { sessions, record, start } = setUp();
    record('user-ada', { type: 'UserDisabled', data: { userId: userId('ada') } });
    start('one', 'ada');
    record('user-ada', { type: 'UserEnabled', data: { userId: userId('ada') } });
    expect(sessions.find('one', 1)).to.equal(undefined);
    start('two', 'ada');
    expect(sessions.find('two', 1)?.userId).to.equal(userId('ada'));
  });
});

describe('a session that records how its user was authenticated', () => {
  it('keeps the authentication method while it is open', () => {
    const { sessions, startChecked } = setUp();
    startChecked('one', 'ada', passkeyAuthentication('laptop', 0));
    expect(sessions.find('one', 1)?.authentication).to.deep.equal(passkeyAuthentication('laptop', 0));
  });

  for (const event of ENDING_EVENTS) {
    it(`never opens if its credentials were read before ${event.type}`, () => {
      const { sessions, record, startChecked } = setUp();
      record('user-ada', event);
      startChecked('late', 'ada', passwordAuthentication(0));
      startChecked('of a different user', 'bob', passwordAuthentication(0));
      record('user-ada', { type: 'UserEnabled', data: { userId: userId('ada') } });
      startChecked('later still', 'ada', passwordAuthentication(0));
      startChecked('checked since', 'ada', passwordAuthentication(1));
      const startedSessions = ['late', 'later still', 'checked since', 'of a different user'];
      const openSessions = startedSessions.filter((hash) => sessions.find(hash, 1) !== undefined);
      expect(openSessions).to.deep.equal(['checked since', 'of a different user']);
    });
  }

  it("ends when the passkey that started it is removed, unlike the user's other sessions", () => {
    const { sessions, record, startChecked } = setUp();
    startChecked('laptop', 'ada', passkeyAuthentication('laptop', 0));
    startChecked('phone', 'ada', passkeyAuthentication('phone', 0));
    startChecked('password', 'ada', passwordAuthentication(0));
    record('user-ada', passkeyRemoval('laptop'));
    const openSessions = sessions.listByUser(userId('ada'), 1).map(({ sessionHash }) => sessionHash);
    expect(openSessions).to.deep.equal(['password', 'phone']);
  });

  it('never opens if its passkey was removed before it was recorded', () => {
    const { sessions, record, startChecked } = setUp();
    record('user-ada', passkeyRemoval('laptop'));
    startChecked('laptop', 'ada', passkeyAuthentication('laptop', 0));
    startChecked('phone', 'ada', passkeyAuthentication('phone', 0));
    expect([sessions.find('laptop', 1), sessions.find('phone', 1)?.userId]).to.deep.equal([undefined, userId('ada')]);
  });

  it('ends when its second-factor passkey is removed, and never opens once the app for its code is removed', () => {
    const { sessions, record, startChecked } = setUp();
    startChecked('app', 'ada', codeAuthentication(0));
    startChecked('passkey', 'ada', {
      ...passwordAuthentication(0),
      secondFactor: { method: 'passkey', passkeyId: passkeyId('p') },
    });
    record('user-ada', passkeyRemoval('p'));
    for (const event of APP_REMOVALS) {
      record('user-ada', event);
      startChecked(`late ${event.type}`, 'ada', codeAuthentication(0));
    }
    startChecked('other', 'ada', passwordAuthentication(0));
    startChecked('new', 'ada', codeAuthentication(9));
    const openSessions = sessions.listByUser(userId('ada'), 1).map(({ sessionHash }) => sessionHash);
    expect(openSessions).to.deep.equal(['new', 'other', 'app']);
    const restoredSessions = createSessions();
    for (const piece of sessions.freeze()) restoredSessions.restore(piece);
    expect([...restoredSessions.contents()]).to.deep.equal([...sessions.contents()]);
  });

  it('is open if and only if no event ended it after its credentials were read, wherever in the log it starts', () => {
    const PASSKEYS = ['laptop', 'phone'];
    const endings = [...ENDING_EVENTS.slice(0, 2), ...PASSKEYS.map(passkeyRemoval)];
    const endingEvent = fc.constantFrom(...endings);
    const start = fc.record({ ago: fc.nat(12), passkey: fc.option(fc.constantFrom(...PASSKEYS)) });

    /**
     * Reports whether an event at `position` ends the session: removing a passkey ends the sessions started with it,
     * and any other event ends those whose credentials were read earlier.
     */
    function endsSession(event: DomainEvent, position: number, authentication: Authentication): boolean {
      if (event.type !== 'PasskeyRemoved') return position > authentication.checkedAsOf;
      return authentication.method === 'passkey' && authentication.passkeyId === event.data.passkeyId;
    }

    fc.assert(
      fc.property(fc.array(fc.oneof(endingEvent, start), { maxLength: 25 }), (steps) => {
        const { sessions, record, startChecked } = setUp();
        const authentications = new Map<string, Authentication>();
        steps.forEach((step, index) => {
          if ('type' in step) return record('user-ada', step);
          const checkedAsOf = Math.max(0, index - step.ago);
          const authentication =
            step.passkey === null
              ? passwordAuthentication(checkedAsOf)
              : passkeyAuthentication(step.passkey, checkedAsOf);
          authentications.set(String(index), authentication);
          return startChecked(String(index), 'ada', authentication);
        });
        const isOpen = ([, authentication]: readonly [string, Authentication]): boolean =>
          !steps.some((step, index) => 'type' in step && endsSession(step, index + 1, authentication));
        const expected = [...authentications].filter(isOpen).map(([hash]) => hash);
        const restoredSessions = createSessions();
        for (const piece of sessions.freeze()) restoredSessions.restore(piece);
        for (const projection of [sessions, restoredSessions]) {
          expect([...authentications.keys()].filter((hash) => projection.find(hash, 1) !== undefined)).to.deep.equal(
            expected,
          );
        }
        expect([...restoredSessions.contents()]).to.deep.equal([...sessions.contents()]);
      }),
    );
  });
});
