import { expect } from 'chai';
import { MESSAGE_KEYS } from '../../../src/language/catalog.ts';
import { message, type Text } from '../../../src/language/message.ts';
import { isOutage } from '../../../src/oauth/upstream/outages.ts';

const isFailureOutage = (what: 'metadata' | 'keys' | 'tokens' | 'userinfo', problem: Text): boolean =>
  isOutage({ rule: 'upstream-unavailable', provider: 'corp', what, problem });
const connection = (code: string): Text => message('egress.connection', { code });

/** Failures that callers can cause: delays, and the limits, open files and ports of this server. */
const FAILURES_CAUSED_BY_CALLERS = [
  ...(['rate-limited', 'busy', 'resolving', 'stopping', 'late'] as const).map((name) => message(`egress.${name}`)),
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL', 'ECONNRESET', 'ETIMEDOUT', 'unknown error'].map(connection),
  message('egress.status', { status: 429 }),
];
/** Failures that occur before a request is sent. */
const FAILURES_BEFORE_SENDING = [
  message('egress.unresolved', { host: 'idp.example' }),
  message('egress.address', { kind: 'private' }),
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(connection),
];

describe('A failed request during a login', () => {
  it('is no outage if callers can cause it', () => {
    for (const what of ['metadata', 'keys', 'tokens'] as const)
      for (const problem of FAILURES_CAUSED_BY_CALLERS)
        expect(isFailureOutage(what, problem), JSON.stringify(problem)).to.equal(false);
  });

  it('is an outage if the provider cannot be reached, or the client secret cannot be read', () => {
    for (const what of ['metadata', 'keys', 'tokens'] as const)
      for (const problem of FAILURES_BEFORE_SENDING)
        expect(isFailureOutage(what, problem), JSON.stringify(problem)).to.equal(true);
    expect(isFailureOutage('tokens', message('provider-tokens.secret'))).to.equal(true);
  });

  it('is an outage if the metadata or the keys, which callers cannot influence, are unavailable or wrong', () => {
    for (const what of ['metadata', 'keys'] as const)
      for (const problem of [message('egress.status', { status: 503 }), message('egress.not-json')])
        expect(isFailureOutage(what, problem)).to.equal(true);
    expect(isFailureOutage('metadata', message('provider-metadata.other-issuer'))).to.equal(true);
  });

  it('is no outage if it may have sent a code, or is about the user', () => {
    const keys = MESSAGE_KEYS.filter(
      (key) => key.startsWith('egress.') && !['egress.unresolved', 'egress.address'].includes(key),
    );
    for (const key of keys) {
      expect(isFailureOutage('tokens', message(key, { status: 500 })), key).to.equal(false);
      expect(isFailureOutage('userinfo', message(key, { status: 500 })), key).to.equal(false);
    }
    expect(isOutage({ rule: 'upstream-denied', provider: 'corp', error: 'access_denied' })).to.equal(false);
    expect(isOutage({ rule: 'upstream-login-unknown', why: 'other-state' })).to.equal(false);
  });
});
