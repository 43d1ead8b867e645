import { expect } from 'chai';
import type { SecondFactor } from '../../src/domain/events.ts';
import { isAtLeast, LOGIN_CLASSES, passwordLogin, sessionLogin } from '../../src/domain/login.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { hashOf, passkeyId, recoveryCodesId, seconds, totpId } from '../support/domain-values.ts';

const AUTHENTICATION_TIMES = { authenticatedAt: seconds(5), checkedAsOf: 1 as Position };
const SESSION = hashOf('session');

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
});
