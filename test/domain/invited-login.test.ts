import { expect } from 'chai';
import { invitationKeyId, isInvitationKeyId } from '../../src/domain/invitation-keys.ts';
import { invitedLogin } from '../../src/domain/invited-login.ts';
import { invitationStream } from '../../src/domain/streams.ts';
import { hashOf, userId } from '../support/domain-values.ts';

const REQUIRED = { required: true, linking: 'verified-email', domains: [] } as const;

describe('an invited user', () => {
  const loginWith = (...providers: Parameters<typeof invitedLogin>[1]) => invitedLogin('ada@example.org', providers);

  it('logs in with a password unless an enabled provider is required', () => {
    expect(loginWith()).to.equal('password');
    expect(loginWith({ ...REQUIRED, required: false })).to.equal('password');
    expect(loginWith({ ...REQUIRED, disabled: true })).to.equal('password');
  });

  it('logs in through a required provider that links verified addresses of the domain', () => {
    const forDomain = { ...REQUIRED, domains: ['example.org'] };
    expect(loginWith(REQUIRED)).to.equal(REQUIRED);
    expect(loginWith({ ...REQUIRED, domains: ['other.example'] }, forDomain)).to.equal(forDomain);
    expect(loginWith({ ...REQUIRED, required: false }, forDomain)).to.equal(forDomain);
  });

  it('cannot log in if no required provider would recognize the account', () => {
    expect(loginWith({ ...REQUIRED, linking: 'explicit' })).to.equal(undefined);
    expect(loginWith({ ...REQUIRED, domains: ['other.example'] })).to.equal(undefined);
    expect(loginWith({ ...REQUIRED, linking: 'explicit' }, { ...REQUIRED, required: false })).to.equal(undefined);
  });
});

describe('the key that encrypts the address of an invitation', () => {
  it('has the id of the invitation, which is never the id of a user', () => {
    const hash = hashOf('invitation');
    const keyId = invitationKeyId(invitationStream(hash));
    expect(keyId).to.equal(hash);
    expect(isInvitationKeyId(keyId)).to.equal(true);
    expect(isInvitationKeyId(userId('ada'))).to.equal(false);
    expect(invitationKeyId(invitationStream('invitation-')), 'a name without a hash').to.equal('invitation-');
  });
});
