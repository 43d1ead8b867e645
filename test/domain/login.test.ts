import { expect } from 'chai';
import { passwordLogin, sessionLogin } from '../../src/domain/login.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { hashOf, passkeyId, seconds } from '../support/domain-values.ts';

const CHECKED = { authenticatedAt: seconds(5), checkedAsOf: 1 as Position };
const SESSION = hashOf('session');

describe('a login', () => {
  it('names the session, when and how the user authenticated (RFC 8176), and the class', () => {
    expect(sessionLogin(SESSION, { method: 'password', ...CHECKED })).to.deep.equal({
      sessionHash: SESSION,
      authTime: 5,
      amr: ['pwd'],
      acr: 'pwd',
    });
    expect(sessionLogin(SESSION, { method: 'passkey', passkeyId: passkeyId('p'), ...CHECKED })).to.deep.equal({
      sessionHash: SESSION,
      authTime: 5,
      amr: ['pop', 'user'],
      acr: 'phr',
    });
  });

  it('is one by password after signing up or using the set-up link, which set one', () => {
    const byPassword = sessionLogin(SESSION, { method: 'password', ...CHECKED });
    for (const method of ['sign-up', 'set-up-link'] as const)
      expect(sessionLogin(SESSION, { method, ...CHECKED })).to.deep.equal(byPassword);
  });

  it('is not known if an earlier release started the session', () => {
    expect(sessionLogin(SESSION, undefined)).to.equal(undefined);
  });

  it('has no session if a client sent the password', () => {
    expect(passwordLogin(seconds(7))).to.deep.equal({ sessionHash: null, authTime: 7, amr: ['pwd'], acr: 'pwd' });
  });
});
