import { expect } from 'chai';
import type { Authentication, SecondFactor } from '../../src/domain/events.ts';
import {
  endsWithSession,
  firstFactorOf,
  usedSecondFactor,
  isAtLeast,
  LOGIN_CLASSES,
  loginMethod,
  passwordLogin,
  sessionLogin,
  authenticationPasskey,
} from '../../src/domain/login.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { hashOf, loginOf, passkeyId, providerId, recoveryCodesId, seconds, totpId } from '../support/domain-values.ts';
import { unchecked } from '../support/unchecked.ts';

const AUTHENTICATION_TIMES = { authenticatedAt: seconds(5), checkedAsOf: 1 as Position };
const SESSION = hashOf('session');
const PASSKEY: SecondFactor = { method: 'passkey', passkeyId: passkeyId('p') };
const TOTP: SecondFactor = { method: 'totp', totpId: totpId('t'), step: 1 };
const UPSTREAM = { method: 'upstream', providerId: providerId('corp'), subjectHash: hashOf('subject') } as const;

const AUTHENTICATIONS = {
  password: { method: 'password', ...AUTHENTICATION_TIMES },
  passkey: { ...PASSKEY, ...AUTHENTICATION_TIMES },
  'password and code': { method: 'password', secondFactor: TOTP, ...AUTHENTICATION_TIMES },
  'password and passkey': { method: 'password', secondFactor: PASSKEY, ...AUTHENTICATION_TIMES },
  provider: { ...UPSTREAM, ...AUTHENTICATION_TIMES },
  'provider with second factor': { ...UPSTREAM, hasSecondFactor: true, ...AUTHENTICATION_TIMES },
  'provider and code': { ...UPSTREAM, secondFactor: TOTP, ...AUTHENTICATION_TIMES },
  'provider and passkey': { ...UPSTREAM, secondFactor: PASSKEY, ...AUTHENTICATION_TIMES },
} as const satisfies Readonly<Record<string, Authentication>>;
const outcomesOf = (outcomeOf: (authentication: Authentication) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(AUTHENTICATIONS).map(([name, value]) => [name, outcomeOf(value)]));

describe('a login', () => {
  it('states the session, the time and methods of the authentication (RFC 8176), and the class', () => {
    expect(sessionLogin(SESSION, { method: 'password', ...AUTHENTICATION_TIMES })).to.deep.equal({
      sessionHash: SESSION,
      authTime: 5,
      amr: ['pwd'],
      acr: 'pwd',
    });
    expect(
      sessionLogin(SESSION, { method: 'passkey', passkeyId: passkeyId('p'), ...AUTHENTICATION_TIMES }),
    ).to.deep.equal({
      sessionHash: SESSION,
      authTime: 5,
      amr: ['pop', 'user'],
      acr: 'phr',
    });
  });

  it('is a password login after the sign-up or the set-up link, which set a password', () => {
    const expectedLogin = sessionLogin(SESSION, { method: 'password', ...AUTHENTICATION_TIMES });
    for (const method of ['sign-up', 'set-up-link'] as const)
      expect(sessionLogin(SESSION, { method, ...AUTHENTICATION_TIMES })).to.deep.equal(expectedLogin);
  });

  it('has a stronger class after a second factor, and a phishing-resistant one after a passkey', () => {
    const loginAfter = (secondFactor: SecondFactor) =>
      sessionLogin(SESSION, { method: 'password', ...AUTHENTICATION_TIMES, secondFactor });
    const codeLogin = { amr: ['pwd', 'otp', 'mfa'], acr: 'mfa' };
    expect(loginAfter({ method: 'totp', totpId: totpId('t'), step: 1 })).to.deep.include(codeLogin);
    expect(loginAfter({ method: 'recovery-code', codesId: recoveryCodesId('c'), number: 1 })).to.deep.include(
      codeLogin,
    );
    expect(loginAfter({ method: 'passkey', passkeyId: passkeyId('p') })).to.deep.include({
      amr: ['pwd', 'pop', 'user', 'mfa'],
      acr: 'phr',
    });
  });

  it('satisfies its class and every weaker one, and no class that this server does not define', () => {
    const satisfiedClasses = LOGIN_CLASSES.map((acr) =>
      LOGIN_CLASSES.filter((requiredClass) => isAtLeast(acr, requiredClass)),
    );
    expect(satisfiedClasses).to.deep.equal([['pwd'], ['pwd', 'mfa'], ['pwd', 'mfa', 'phr']]);
    expect([isAtLeast('phr', 'urn:gold'), isAtLeast('urn:gold', 'pwd')]).to.deep.equal([false, false]);
  });

  it('is unknown if an earlier release started the session', () => {
    expect(sessionLogin(SESSION, undefined)).to.equal(undefined);
  });

  it('has no session if a client sent the password', () => {
    expect(passwordLogin(seconds(7))).to.deep.equal({ sessionHash: null, authTime: 7, amr: ['pwd'], acr: 'pwd' });
  });

  it('through a provider is as strong as the second factor there or here', () => {
    const loginAfter = (authentication: Authentication) => {
      const login = sessionLogin(SESSION, authentication);
      return [login?.acr, login?.amr];
    };
    expect(outcomesOf(loginAfter)).to.deep.include({
      provider: ['pwd', ['fed']],
      'provider with second factor': ['mfa', ['fed', 'mfa']],
      'provider and code': ['mfa', ['fed', 'otp', 'mfa']],
      'provider and passkey': ['phr', ['fed', 'pop', 'user', 'mfa']],
    });
  });

  it('is of one kind: password, second factor, passkey or provider', () => {
    expect(
      outcomesOf((authentication) => loginMethod(sessionLogin(SESSION, authentication) ?? loginOf('other'))),
    ).to.deep.equal({
      password: 'password',
      passkey: 'passkey',
      'password and code': 'second-factor',
      'password and passkey': 'second-factor',
      provider: 'provider',
      'provider with second factor': 'provider',
      'provider and code': 'provider',
      'provider and passkey': 'provider',
    });
  });

  it('has a second step after a second factor, here or at the provider, and after any passkey', () => {
    expect(outcomesOf((authentication) => usedSecondFactor(sessionLogin(SESSION, authentication)))).to.deep.equal({
      password: false,
      passkey: true,
      'password and code': true,
      'password and passkey': true,
      provider: false,
      'provider with second factor': true,
      'provider and code': true,
      'provider and passkey': true,
    });
    expect(usedSecondFactor(undefined), 'the login is not recorded').to.equal(false);
  });

  it('uses a passkey, alone or as the second factor, or none', () => {
    expect(outcomesOf(authenticationPasskey)).to.deep.equal({
      password: null,
      passkey: passkeyId('p'),
      'password and code': null,
      'password and passkey': passkeyId('p'),
      provider: null,
      'provider with second factor': null,
      'provider and code': null,
      'provider and passkey': passkeyId('p'),
    });
  });

  it('continues from its first factor, without anything else that was presented', () => {
    expect(firstFactorOf(AUTHENTICATIONS['password and code'])).to.deep.equal({ method: 'password' });
    expect(firstFactorOf(AUTHENTICATIONS['provider and code'])).to.deep.equal(UPSTREAM);
    expect(firstFactorOf(AUTHENTICATIONS['provider with second factor'])).to.deep.equal({
      ...UPSTREAM,
      hasSecondFactor: true,
    });
  });

  it('has a known method', () => {
    expect(() => sessionLogin(SESSION, unchecked({ method: 'other' }))).to.throw('unhandled case');
  });
});

describe('a grant', () => {
  it('ends with the session of its login if it is for OpenID Connect, unless it is for offline access', () => {
    const login = loginOf('session');
    expect(endsWithSession({ scope: ['openid', 'read'], login })).to.equal(true);
    for (const scope of [['read'], ['openid', 'offline_access'], ['offline_access'], []])
      expect(endsWithSession({ scope, login }), scope.join(' ')).to.equal(false);
  });

  it('does not end with a session if the user gave it without one, or if its login is not recorded', () => {
    for (const login of [undefined, passwordLogin(seconds(0))])
      expect(endsWithSession({ scope: ['openid'], login })).to.equal(false);
  });
});
