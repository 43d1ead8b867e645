import { expect } from 'chai';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { ActivityEntry } from '../../src/projections/user-activity.ts';
import { createUserActivity, MAX_ENTRIES } from '../../src/projections/user-activity.ts';
import { clientId, grantId, hashOf, keyId, loginOf, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const assertionData = (client: string) =>
  ({
    clientId: clientId(client),
    use: 'assertion',
    issuer: 'https://issuer.example',
    assertionHash: hashOf('assertion'),
    subjectHash: hashOf('subject'),
    mapping: 'user-name',
    keyId: keyId('k'),
    algorithm: 'ES256',
    scope: ['read'],
    requested: { scope: [] },
    assertionExpiresAt: seconds(60),
    expiresAt: seconds(60),
  }) as const;

/** Events are recorded in sequence, so the first one is at position 1. */
function setUp() {
  const activity = createUserActivity();
  const { record } = createRecording(activity);
  const change = (user: string, type: 'AllSessionsEnded' | 'UserErased' = 'AllSessionsEnded'): void =>
    record(`user-${user}`, { type, data: { userId: userId(user) } });
  const logIn = (user: string, session: string, at = 0): void =>
    record(
      `session-${hashOf(session)}`,
      { type: 'SessionStarted', data: { userId: userId(user), expiresAt: seconds(9_999) } },
      at,
    );
  const consent = (user: string, session: string, at = 0): void => {
    const data = { grantId: grantId('g'), clientId: clientId('app'), userId: userId(user), scope: ['read'] };
    const event: DomainEvent = { type: 'ConsentGiven', data: { ...data, basis: 'asked', login: loginOf(session) } };
    record('grant-g', event, at);
  };
  const redeemAssertion = (user: string | null, client: string, at = 0): void => {
    const subject = user === null ? null : userId(user);
    const data = { ...assertionData(client), userId: subject, grantId: grantId('a') };
    record('grant-a', { type: 'AssertionRedeemed', data }, at);
  };
  const listActivity = (user: string): readonly ActivityEntry[] => [...activity.listByUser(userId(user))];
  return { activity, change, logIn, consent, redeemAssertion, listActivity };
}

describe('user activity', () => {
  it('contains only the events about the given user, newest first', () => {
    const { change, logIn, consent, listActivity } = setUp();
    change('ada');
    change('bob');
    consent('ada', 'earlier');
    logIn('ada', 'one');
    expect(listActivity('ada')).to.deep.equal([
      { position: 4, kind: 'login' },
      { position: 3, kind: 'application' },
      { position: 1, kind: 'account' },
    ]);
    expect(listActivity('eve')).to.deep.equal([]);
  });

  it('combines a consent only with the login just before it', () => {
    const { change, logIn, consent, listActivity } = setUp();
    logIn('ada', 'one', 0);
    consent('ada', 'one', 600);
    expect(listActivity('ada')).to.deep.equal([{ position: 1, kind: 'login', consentAt: 2 }]);
    consent('ada', 'one', 600);
    logIn('ada', 'two', 700);
    consent('ada', 'one', 700);
    logIn('ada', 'three', 800);
    change('ada');
    consent('ada', 'three', 800);
    logIn('ada', 'four', 900);
    consent('ada', 'four', 1_501);
    expect(listActivity('ada').map(({ kind }) => kind)).to.deep.equal([
      'application',
      'login',
      'application',
      'account',
      'login',
      'application',
      'login',
      'application',
      'login',
    ]);
    expect(listActivity('ada').filter(({ consentAt }) => consentAt !== undefined)).to.have.length(1);
  });

  it('is limited to the newest entries', () => {
    const { change, listActivity } = setUp();
    for (let count = 0; count < 3 * MAX_ENTRIES; count += 1) change('ada');
    const positions = listActivity('ada').map(({ position }) => Number(position));
    expect(positions).to.deep.equal(Array.from({ length: MAX_ENTRIES }, (_, index) => 3 * MAX_ENTRIES - index));
  });

  it('includes only the newest JWT about the user for each application and day', () => {
    const { change, redeemAssertion, listActivity } = setUp();
    change('ada');
    for (let count = 0; count < 2 * MAX_ENTRIES; count += 1)
      redeemAssertion('ada', count % 2 === 0 ? 'one' : 'two', count);
    redeemAssertion(null, 'one', 2_000);
    redeemAssertion('ada', 'one', 86_400);
    expect(listActivity('ada').map(({ position, kind }) => [Number(position), kind])).to.deep.equal([
      [2 * MAX_ENTRIES + 3, 'application'],
      [2 * MAX_ENTRIES + 1, 'application'],
      [2 * MAX_ENTRIES, 'application'],
      [1, 'account'],
    ]);
  });

  it('includes the time of the last login', () => {
    const { activity, logIn, change } = setUp();
    expect(activity.lastLoginAt(userId('ada'))).to.equal(undefined);
    logIn('ada', 'one', 10);
    logIn('ada', 'two', 20);
    change('ada');
    expect(activity.lastLoginAt(userId('ada'))).to.equal(20);
  });

  it('is empty after the user has been erased', () => {
    const { activity, change, logIn, listActivity } = setUp();
    logIn('ada', 'one');
    change('ada', 'UserErased');
    expect([listActivity('ada'), activity.lastLoginAt(userId('ada'))]).to.deep.equal([[], undefined]);
    expect([...activity.contents()]).to.deep.equal([]);
  });

  it('is the same after being restored from a snapshot, and includes later events', () => {
    const [original, restored] = [setUp(), setUp()];
    original.redeemAssertion('ada', 'app');
    original.logIn('ada', 'one');
    for (const piece of original.activity.freeze()) restored.activity.restore(piece);
    restored.change('bob');
    restored.consent('ada', 'one');
    expect(restored.listActivity('ada')).to.deep.equal([
      { position: 2, kind: 'login', consentAt: 2 },
      { position: 1, kind: 'application' },
    ]);
    restored.redeemAssertion('ada', 'app');
    expect(restored.listActivity('ada').map(({ position }) => Number(position))).to.deep.equal([3, 2]);
  });
});
