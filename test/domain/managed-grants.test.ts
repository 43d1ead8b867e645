import { expect } from 'chai';
import { authorizationGrant, isActiveGrant, type ReplaceGrant } from '../../src/domain/authorization-grant.ts';
import { clientId, grantId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import {
  eventsOf,
  GRANT,
  grantAfter,
  grantByPassword,
  issueCode,
  redeemCode,
  refresh,
  revoke,
} from '../support/grant-commands.ts';

const REPLACEMENT = grantId('replacement');
const replace = (changes: Partial<ReplaceGrant> = {}): ReplaceGrant => ({
  type: 'ReplaceGrant',
  clientId: clientId('A'),
  replacementId: REPLACEMENT,
  ...changes,
});
const creation = { action: 'create', grantId: GRANT } as const;
const update = { action: 'merge', grantId: GRANT, updates: grantId('earlier') } as const;
const REDEMPTION_EVENTS = ['AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued'] as const;

describe('the management of a grant', () => {
  it('is recorded with the consent', () => {
    for (const management of [creation, update]) {
      expect(eventsOf([issueCode({ management })])[0]?.data).to.deep.include({ management });
      expect(grantAfter(issueCode({ management })).management).to.equal(management);
    }
  });

  it('redeems the code of an update only together with the end of the grant that it updates', () => {
    const afterUpdate = given(authorizationGrant, issueCode({ management: update }));
    afterUpdate.when(redeemCode({ replaces: update.updates })).accepted(...REDEMPTION_EVENTS);
    for (const replaces of [undefined, grantId('other')])
      afterUpdate.when(redeemCode({ replaces })).refused('updated-grant-ended');
  });

  it('redeems any other code only if no grant ends with it', () => {
    for (const management of [undefined, creation]) {
      const afterCode = given(authorizationGrant, issueCode({ management }));
      afterCode.when(redeemCode()).accepted(...REDEMPTION_EVENTS);
      afterCode.when(redeemCode({ replaces: grantId('earlier') })).refused('updated-grant-ended');
    }
  });
});

describe('a grant that an update replaces', () => {
  it('ends, and records its replacement', () => {
    const { decision } = given(authorizationGrant, issueCode(), redeemCode()).when(replace()).accepted('GrantRevoked');
    expect(decision.events[0]?.data).to.deep.equal({ reason: 'updated', replacedBy: REPLACEMENT });
    expect(grantAfter(issueCode(), redeemCode(), replace())).to.include({ status: 'revoked', replacedBy: REPLACEMENT });
    given(authorizationGrant, issueCode(), redeemCode(), replace()).when(refresh(1)).refused('grant-revoked');
  });

  it('is replaced once, by its client, after its tokens have been issued', () => {
    const afterRedemption = given(authorizationGrant, issueCode(), redeemCode());
    afterRedemption.when(replace({ clientId: clientId('B') })).refused('updated-grant-ended');
    given(authorizationGrant).when(replace()).refused('updated-grant-ended');
    given(authorizationGrant, issueCode()).when(replace()).refused('updated-grant-ended');
    for (const end of [replace(), revoke()])
      given(authorizationGrant, issueCode(), redeemCode(), end).when(replace()).refused('updated-grant-ended');
  });
});

describe('a grant', () => {
  it('is active from its start to its end', () => {
    expect(isActiveGrant(grantAfter())).to.equal(false);
    for (const commands of [[issueCode()], [issueCode(), redeemCode()], [grantByPassword()]]) {
      expect(isActiveGrant(grantAfter(...commands))).to.equal(true);
      expect(isActiveGrant(grantAfter(...commands, revoke()))).to.equal(false);
    }
  });
});
