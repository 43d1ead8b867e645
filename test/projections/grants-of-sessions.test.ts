import { expect } from 'chai';
import fc from 'fast-check';
import type { Authentication, DomainEvent } from '../../src/domain/events.ts';
import { sessionLogin } from '../../src/domain/login.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { createGrants, type Grants } from '../../src/projections/grants.ts';
import { createSessions, type Sessions } from '../../src/projections/sessions.ts';
import { clientId, grantId, hashOf, passkeyId, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const SESSION_SECONDS = 10_000;
const USERS = ['ada', 'bob'] as const;
const SCOPES = ['read', 'openid', 'offline_access'] as const;
const BOUND_SCOPE = ['openid', 'read'];

/** A session is started with a passkey or, if `passkey` is null, with a password. */
type Step =
  | { readonly kind: 'log-in'; readonly user: string; readonly passkey: string | null; readonly continues: boolean }
  | { readonly kind: 'consent'; readonly session: number; readonly scope: readonly string[] }
  | { readonly kind: 'log-out'; readonly session: number }
  | { readonly kind: 'end-all'; readonly type: 'AllSessionsEnded' | 'PasswordChanged'; readonly user: string }
  | { readonly kind: 'remove-passkey'; readonly user: string; readonly passkey: string }
  | { readonly kind: 'wait' };

interface ModelSession {
  readonly user: string;
  readonly passkey: string | null;
  hasEnded: boolean;
  hasExpired: boolean;
}
interface ModelGrant {
  readonly label: string;
  readonly isBound: boolean;
  /** The index of the session that ends the grant. */
  session: number;
  isLive: boolean;
}

/** Creates a server's log, its projections, copies restored from snapshots, and a simple model. */
function setUp() {
  const sessions = createSessions();
  const grants = createGrants(sessions, { listByIssuer: () => [] });
  const copies: { readonly sessions: Sessions; readonly grants: Grants }[] = [];
  let at = 0;
  const { record: recordEvent } = createRecording(sessions, grants, {
    ...grants,
    apply: (event) =>
      copies.forEach((restored) => [restored.sessions, restored.grants].forEach((copy) => copy.apply(event))),
  });
  const record = (stream: string, event: DomainEvent): void => recordEvent(stream, event, at);
  const model = { sessions: [] as ModelSession[], grants: [] as ModelGrant[] };
  const endSessions = (isEnded: (session: ModelSession, index: number) => boolean): void => {
    for (const [index, session] of model.sessions.entries()) if (isEnded(session, index)) session.hasEnded = true;
    for (const grant of model.grants) {
      const session = model.sessions[grant.session];
      if (grant.isBound && session !== undefined && isEnded(session, grant.session)) grant.isLive = false;
    }
  };
  const sessionHash = (index: number): string => hashOf(`session ${index}`);
  const removedPasskeys = new Set<string>();
  const authenticationOf = ({ user, passkey }: Pick<ModelSession, 'user' | 'passkey'>): Authentication => ({
    authenticatedAt: seconds(at),
    checkedAsOf: Number.MAX_SAFE_INTEGER as Position,
    ...(passkey === null ? { method: 'password' } : { method: 'passkey', passkeyId: passkeyId(`${user} ${passkey}`) }),
  });

  function logIn({ user, passkey, continues }: Extract<Step, { kind: 'log-in' }>): void {
    const index = model.sessions.length;
    const authentication = authenticationOf({ user, passkey });
    const data = { userId: userId(user), expiresAt: seconds(at + SESSION_SECONDS), authentication };
    record(`session-${sessionHash(index)}`, { type: 'SessionStarted', data });
    const isOpen = passkey === null || !removedPasskeys.has(`${user} ${passkey}`);
    model.sessions.push({ user, passkey, hasEnded: !isOpen, hasExpired: false });
    if (!isOpen) return;
    const previousIndex = model.sessions.findLastIndex(
      (session, candidateIndex) => candidateIndex < index && session.user === user,
    );
    if (!continues || previousIndex === -1 || model.sessions[previousIndex]?.hasEnded !== false) return;
    const reason = { reason: 'logged-in-again', continuedBy: sessionHash(index) } as const;
    record(`session-${sessionHash(previousIndex)}`, {
      type: 'SessionEnded',
      data: { userId: userId(user), ...reason },
    });
    model.sessions[previousIndex].hasEnded = true;
    for (const grant of model.grants) if (grant.session === previousIndex) grant.session = index;
  }

  function consent({ session: choice, scope }: Extract<Step, { kind: 'consent' }>): void {
    const index = choice % Math.max(model.sessions.length, 1);
    const session = model.sessions[index];
    if (session === undefined || session.hasExpired) return;
    const label = `grant ${model.grants.length}`;
    const login = sessionLogin(sessionHash(index), authenticationOf(session));
    if (login === undefined) throw new Error('the login is unknown');
    const holder = { clientId: clientId('A'), userId: userId(session.user), scope, login };
    const stream = `grant-${grantId(label)}`;
    record(stream, { type: 'ConsentGiven', data: { ...holder, grantId: grantId(label), basis: 'asked' } });
    record(stream, { type: 'RefreshTokenIssued', data: { ...holder, tokenHash: hashOf(label), expiresAt: null } });
    const isBound = scope.includes('openid') && !scope.includes('offline_access');
    model.grants.push({ label, isBound, session: index, isLive: !isBound || !session.hasEnded });
  }

  function applyStep(step: Step): void {
    at += 1;
    switch (step.kind) {
      case 'log-in':
        return logIn(step);
      case 'consent':
        return consent(step);
      case 'log-out': {
        const index = step.session % Math.max(model.sessions.length, 1);
        const session = model.sessions[index];
        if (session === undefined || session.hasEnded) return;
        const data = { userId: userId(session.user), reason: 'logged-out' } as const;
        record(`session-${sessionHash(index)}`, { type: 'SessionEnded', data });
        return endSessions((_, sessionIndex) => sessionIndex === index);
      }
      case 'end-all': {
        const data = { userId: userId(step.user), sealed: 'sealed' };
        if (step.type === 'PasswordChanged') record(`user-${step.user}`, { type: step.type, data });
        else record(`user-${step.user}`, { type: step.type, data: { userId: data.userId } });
        return endSessions(({ user }) => user === step.user);
      }
      case 'remove-passkey': {
        const data = { userId: userId(step.user), passkeyId: passkeyId(`${step.user} ${step.passkey}`) };
        removedPasskeys.add(`${step.user} ${step.passkey}`);
        record(`user-${step.user}`, { type: 'PasskeyRemoved', data });
        return endSessions(({ user, passkey }) => user === step.user && passkey === step.passkey);
      }
      case 'wait':
        at += 2 * SESSION_SECONDS;
        for (const session of model.sessions) session.hasExpired = true;
        return undefined;
    }
  }

  function restart(): void {
    const copy = { sessions: createSessions(), grants: undefined as unknown as Grants };
    copy.grants = createGrants(copy.sessions, { listByIssuer: () => [] });
    for (const piece of sessions.freeze()) copy.sessions.restore(piece);
    for (const piece of grants.freeze()) copy.grants.restore(piece);
    copies.push(copy);
  }

  const checkGrants = (projection: Grants): readonly boolean[] =>
    model.grants.map(({ label }) => projection.isLive(grantId(label)));
  return {
    applyStep,
    restart,
    grants,
    sessionHash,
    /** Reports for every grant whether it is live, in each projection and according to the model. */
    checkLiveness: () => ({
      projections: [grants, ...copies.map((copy) => copy.grants)].map(checkGrants),
      expected: model.grants.map(({ isLive }) => isLive),
    }),
  };
}

const aUser = fc.constantFrom(...USERS);
const aPasskey = fc.constantFrom('phone', 'laptop');
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('log-in' as const),
    user: aUser,
    passkey: fc.option(aPasskey),
    continues: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('consent' as const), session: fc.nat(20), scope: fc.subarray([...SCOPES]) }),
  fc.record({ kind: fc.constant('consent' as const), session: fc.nat(20), scope: fc.constant(BOUND_SCOPE) }),
  fc.record({ kind: fc.constant('log-out' as const), session: fc.nat(20) }),
  fc.record({
    kind: fc.constant('end-all' as const),
    type: fc.constantFrom('AllSessionsEnded' as const, 'PasswordChanged' as const),
    user: aUser,
  }),
  fc.record({ kind: fc.constant('remove-passkey' as const), user: aUser, passkey: aPasskey }),
  fc.constant({ kind: 'wait' } as const),
);

const logIn = (user = 'ada', passkey: string | null = null, continues = false): Step => ({
  kind: 'log-in',
  user,
  passkey,
  continues,
});
const consent = (session = 0, scope = BOUND_SCOPE): Step => ({ kind: 'consent', session, scope });

describe('a grant for OpenID Connect without offline_access', () => {
  it('ends if and only if an event ends its session, even after a restart', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 25 }), fc.nat(25), (steps, restartAt) => {
        const { applyStep, restart, checkLiveness } = setUp();
        for (const [index, step] of steps.entries()) {
          if (index === restartAt) restart();
          applyStep(step);
          const { projections, expected } = checkLiveness();
          for (const projection of projections) expect(projection).to.deep.equal(expected);
        }
      }),
    );
  });

  const ENDS: readonly (readonly [string, Step])[] = [
    ['the user logs out', { kind: 'log-out', session: 0 }],
    ['the user logs out everywhere', { kind: 'end-all', type: 'AllSessionsEnded', user: 'ada' }],
    ['the password changes', { kind: 'end-all', type: 'PasswordChanged', user: 'ada' }],
    ["the session's passkey is removed", { kind: 'remove-passkey', user: 'ada', passkey: 'phone' }],
  ];
  for (const [cause, step] of ENDS) {
    it(`ends when ${cause}`, () => {
      const { applyStep, checkLiveness } = setUp();
      [logIn('ada', 'phone'), consent(), consent(0, ['read']), consent(0, ['openid', 'offline_access'])].forEach(
        applyStep,
      );
      applyStep(step);
      expect(checkLiveness().projections).to.deep.equal([[false, true, true]]);
    });
  }

  it('remains live after its session has expired', () => {
    const { applyStep, checkLiveness } = setUp();
    [logIn(), consent(), { kind: 'wait' } as const, logIn('bob')].forEach(applyStep);
    expect(checkLiveness().projections).to.deep.equal([[true]]);
  });

  it('is never live if its session ended before the consent was recorded', () => {
    const { applyStep, checkLiveness } = setUp();
    [logIn(), { kind: 'log-out', session: 0 } as const, consent(), consent(0, ['read'])].forEach(applyStep);
    expect(checkLiveness().projections).to.deep.equal([[false, true]]);
  });

  it('ends with the session that continues its session, after the user has logged in again', () => {
    const { applyStep, checkLiveness, grants, sessionHash } = setUp();
    [logIn(), consent(), logIn('ada', null, true)].forEach(applyStep);
    expect(checkLiveness().projections).to.deep.equal([[true]]);
    expect(grants.listBySession(userId('ada'), sessionHash(0))).to.deep.equal([]);
    expect(grants.listBySession(userId('ada'), sessionHash(1))).to.have.length(1);
    applyStep({ kind: 'log-out', session: 1 });
    expect(checkLiveness().projections).to.deep.equal([[false]]);
  });

  it('is listed with its session, as are other grants authorized in that session', () => {
    const { applyStep, grants, sessionHash } = setUp();
    [logIn(), logIn(), consent(0), consent(0, ['read']), consent(1)].forEach(applyStep);
    const listGrants = (index: number) => grants.listBySession(userId('ada'), sessionHash(index));
    expect(listGrants(0).map((grant) => grant.grantId)).to.deep.equal([grantId('grant 0'), grantId('grant 1')]);
    expect(listGrants(1).map((grant) => grant.grantId)).to.deep.equal([grantId('grant 2')]);
    expect(grants.listBySession(userId('bob'), sessionHash(0))).to.deep.equal([]);
  });
});
