import { expect } from 'chai';
import { sentence } from '../../../src/audit/queries/sentence.ts';
import type { EventOf } from '../../../src/domain/events.ts';
import { sessionLogin, passwordLogin } from '../../../src/domain/login.ts';
import type { Position } from '../../../src/event-store/event-log.ts';
import { clientId, grantId, hashOf, passkeyId, seconds, userId } from '../../support/domain-values.ts';
import { handWritten, write } from '../rules/hand-written-log.ts';

type Consent = EventOf<'ConsentGiven'>['data'];

const PARTIES = { userId: userId('ada'), clientId: clientId('A') };
const CHECKED = { authenticatedAt: seconds(5), checkedAsOf: 1 as Position };

/** The sentence about a consent of Ada to the application A for the scope read. */
function consentSentence(changes: Partial<Consent>): string {
  const data = { grantId: grantId('g'), ...PARTIES, scope: ['read'], basis: 'asked', ...changes } as const;
  const [recorded] = handWritten([write('grant-g', 'ConsentGiven', data)]);
  if (recorded === undefined) throw new Error('nothing was written');
  const parts = sentence(recorded, PARTIES, { user: () => 'Ada', application: () => 'App' });
  return parts.map(({ text }) => text).join('');
}

describe('the sentence about a consent', () => {
  it('states how the session began in which it was given', () => {
    const begun = (method: 'password' | 'sign-up' | 'set-up-link') =>
      consentSentence({ login: sessionLogin(hashOf('s'), { method, ...CHECKED }) });
    for (const method of ['password', 'sign-up', 'set-up-link'] as const)
      expect(begun(method)).to.equal('Ada authorized App for read, in a session started with the password');
    const withPasskey = sessionLogin(hashOf('s'), { method: 'passkey', passkeyId: passkeyId('p'), ...CHECKED });
    expect(consentSentence({ login: withPasskey, basis: 'skipped' })).to.equal(
      'App was granted read for Ada; this client needs no consent, in a session started with a passkey',
    );
  });

  it('states that the login is not recorded, if an earlier release wrote it', () => {
    expect(consentSentence({})).to.equal('Ada authorized App for read, in a session whose login is not recorded');
  });

  it('needs no session if the client sent the password', () => {
    const login = passwordLogin(seconds(5));
    expect(consentSentence({ basis: 'password', login })).to.equal('App was granted read with the password of Ada');
  });

  it('names what was requested but not granted', () => {
    const login = sessionLogin(hashOf('s'), { method: 'password', ...CHECKED });
    expect(consentSentence({ login, requested: { scope: ['read', 'write', 'groups'] } })).to.equal(
      'Ada authorized App for read, in a session started with the password; requested but not granted: write, groups',
    );
  });
});
