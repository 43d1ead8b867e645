import { expect } from 'chai';
import { upstreamAccount, type UpstreamAccountCommand } from '../../src/domain/upstream-account.ts';
import type { UserId } from '../../src/domain/values.ts';
import { hashOf, providerId, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const ACCOUNT = { providerId: providerId('corp'), subjectHash: hashOf('subject') };
const link = (label: string, replaces: UserId | null = null): UpstreamAccountCommand => ({
  type: 'LinkUpstreamAccount',
  userId: userId(label),
  ...ACCOUNT,
  sealed: 'sealed',
  basis: 'asked',
  replaces,
});
const unlink = (label: string): UpstreamAccountCommand => ({ type: 'UnlinkUpstreamAccount', userId: userId(label) });

describe('an account at a provider', () => {
  it('is linked to at most one user', () => {
    given(upstreamAccount).when(link('ada')).accepted('UpstreamAccountLinked');
    given(upstreamAccount, link('ada')).when(link('bob')).refused('linked-to-another-user');
    given(upstreamAccount, link('ada'), unlink('ada')).when(link('bob')).accepted('UpstreamAccountLinked');
  });

  it('can pass from an erased user to another one, but only from the user to whom it is linked', () => {
    given(upstreamAccount, link('ada'))
      .when(link('bob', userId('ada')))
      .accepted('UpstreamAccountLinked');
    given(upstreamAccount, link('ada'))
      .when(link('bob', userId('eve')))
      .refused('linked-to-another-user');
    given(upstreamAccount, link('ada'), link('bob', userId('ada')))
      .when(link('eve', userId('ada')))
      .refused('linked-to-another-user');
  });

  it('is linked and unlinked once', () => {
    given(upstreamAccount, link('ada')).when(link('ada')).changesNothing();
    given(upstreamAccount, link('ada')).when(unlink('ada')).accepted('UpstreamAccountUnlinked');
    given(upstreamAccount, link('ada'), unlink('ada')).when(unlink('ada')).changesNothing();
  });

  it('is unlinked only from its own user', () => {
    given(upstreamAccount).when(unlink('ada')).changesNothing();
    given(upstreamAccount, link('ada')).when(unlink('bob')).changesNothing();
  });

  it('is recorded with its user when it is linked, and again when it is unlinked', () => {
    const linked = given(upstreamAccount).when(link('ada')).decision.events[0];
    expect(linked?.data).to.deep.equal({ userId: userId('ada'), ...ACCOUNT, sealed: 'sealed', basis: 'asked' });
    const unlinked = given(upstreamAccount, link('ada')).when(unlink('ada')).decision.events[0];
    expect(unlinked?.data).to.deep.equal({ userId: userId('ada'), ...ACCOUNT });
  });

  it('accepts no unknown command', () => {
    expect(() => given(upstreamAccount).when(unchecked({ type: 'Other' }))).to.throw('unhandled case');
  });
});
