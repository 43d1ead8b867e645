import { expect } from 'chai';
import type { RecordedDetail } from '../../src/domain/authorization-details.ts';
import {
  authorizationGrant,
  REFRESHES_PER_SUMMARY,
  type GrantCommand,
  type GrantEvent,
  type RedeemAssertion,
} from '../../src/domain/authorization-grant.ts';
import { clientId, hashOf, keyId, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import {
  eventsOf,
  GRANT,
  grantAfter,
  grantByPassword,
  grantToClient,
  issueCode,
  redeemCode,
  refresh,
} from '../support/grant-commands.ts';

const PAYMENT = { type: 'payment', hash: hashOf('payment'), sealed: 'sealed' } as const;
const SMALL_PAYMENT: RecordedDetail = {
  type: 'payment',
  hash: hashOf('small'),
  sealed: 'sealed',
  narrows: PAYMENT.hash,
};
const OTHER_DETAIL: RecordedDetail = { type: 'payment', hash: hashOf('other'), sealed: 'sealed' };
const CLAIMS = { idToken: ['email'], userinfo: ['name'] } as const;
const idToken = (label: string) => ({
  tokenHash: hashOf(label),
  clientId: clientId('A'),
  userId: userId('ada'),
  kid: keyId('k'),
  algorithm: 'RS256' as const,
  issuedAt: seconds(10),
  expiresAt: seconds(610),
  claims: [],
});

function dataOf<Type extends GrantEvent['type']>(type: Type, events: readonly GrantEvent[]) {
  const data = events.findLast((event) => event.type === type)?.data;
  return data as Extract<GrantEvent, { readonly type: Type }>['data'] | undefined;
}
const refreshes = (count: number, changes: Parameters<typeof refresh>[1] = {}): readonly GrantCommand[] =>
  Array.from({ length: count }, (_, index) => refresh(index + 1, changes));

describe('the details of a grant', () => {
  const issueWithDetails = issueCode({ details: [PAYMENT] });
  const afterCode = given(authorizationGrant, issueWithDetails);
  const afterRedemption = given(authorizationGrant, issueWithDetails, redeemCode({ details: [PAYMENT] }));

  it('are recorded with the consent only if some were granted', () => {
    expect(dataOf('ConsentGiven', eventsOf([issueWithDetails]))?.details).to.deep.equal([PAYMENT]);
    expect(dataOf('ConsentGiven', eventsOf([issueCode()]))).not.to.have.property('details');
  });

  it('may be narrowed for an access token, at the redemption and at each refresh', () => {
    for (const details of [[PAYMENT], [SMALL_PAYMENT], undefined]) {
      const redemption = redeemCode({ details });
      expect(dataOf('AccessTokenIssued', eventsOf([issueWithDetails, redemption]))?.details).to.deep.equal(details);
      const tokens = eventsOf([issueWithDetails, redeemCode({ details: [PAYMENT] }), refresh(1, { details })]);
      expect(dataOf('AccessTokenIssued', tokens)?.details).to.deep.equal(details);
    }
  });

  it('are never exceeded by an access token', () => {
    afterCode.when(redeemCode({ details: [PAYMENT, OTHER_DETAIL] })).refused('details-exceed-grant');
    afterRedemption.when(refresh(1, { details: [OTHER_DETAIL] })).refused('details-exceed-grant');
    given(authorizationGrant, issueCode())
      .when(redeemCode({ details: [PAYMENT] }))
      .refused('details-exceed-grant');
  });

  it('must be the same in a retry of a refresh', () => {
    const issuingCommands = [issueWithDetails, redeemCode({ details: [PAYMENT] })] as const;
    const afterRefresh = given(authorizationGrant, ...issuingCommands, refresh(1, { details: [SMALL_PAYMENT] }));
    afterRefresh.when(refresh(1, { details: [SMALL_PAYMENT] })).changesNothing();
    for (const details of [[PAYMENT], undefined])
      afterRefresh.when(refresh(1, { details })).refused('retry-details-differ');
  });
});

describe('the summary of a grant', () => {
  it('contains its details, its individually granted claims and its latest ID token', () => {
    const commands = [
      issueCode({ details: [PAYMENT], claims: CLAIMS }),
      redeemCode({ details: [PAYMENT] }),
      ...refreshes(REFRESHES_PER_SUMMARY, {
        details: [SMALL_PAYMENT],
        idToken: idToken('latest'),
        accessKid: keyId('k'),
      }),
    ];
    const events = eventsOf(commands);
    const { evolve, initial } = authorizationGrant;
    const restoredGrant = events.slice(-1).reduce(evolve, initial);
    expect(events.at(-1)?.type).to.equal('GrantSummarized');
    expect(restoredGrant).to.deep.include({ details: [PAYMENT], claims: CLAIMS, idToken: idToken('latest') });
    expect(restoredGrant.access).to.deep.include({ details: [SMALL_PAYMENT], kid: keyId('k') });
  });

  it('has no members for what the grant does not have', () => {
    const summary = dataOf('GrantSummarized', eventsOf([grantByPassword(), ...refreshes(REFRESHES_PER_SUMMARY)]));
    for (const member of ['details', 'claims', 'idToken', 'device', 'resource'])
      expect(summary).not.to.have.property(member);
    for (const member of ['details', 'kid', 'confirmation', 'resource'])
      expect(summary?.accessToken).not.to.have.property(member);
  });
});

describe('the claims of a grant', () => {
  it('are recorded with the consent, and absent from it if none are granted individually', () => {
    expect(dataOf('ConsentGiven', eventsOf([issueCode({ claims: CLAIMS })]))?.claims).to.deep.equal(CLAIMS);
    expect(dataOf('ConsentGiven', eventsOf([issueCode()]))).not.to.have.property('claims');
    expect(grantAfter(issueCode({ claims: CLAIMS })).claims).to.deep.equal(CLAIMS);
  });
});

describe('an ID token', () => {
  it('is recorded with the access token with which it is issued, after the redemption and each refresh', () => {
    const redemption = redeemCode({ idToken: idToken('first') });
    expect(dataOf('IdTokenIssued', eventsOf([issueCode(), redemption]))).to.deep.equal(idToken('first'));
    const events = eventsOf([issueCode(), redemption, refresh(1, { idToken: idToken('second') })]);
    expect(dataOf('IdTokenIssued', events)).to.deep.equal(idToken('second'));
  });

  it('is the one that was issued with the latest access token, if there is one', () => {
    const redemption = redeemCode({ idToken: idToken('first') });
    expect(grantAfter(issueCode(), redemption).idToken).to.deep.equal(idToken('first'));
    expect(grantAfter(issueCode(), redemption, refresh(1)).idToken).to.equal(undefined);
  });
});

describe('a consent', () => {
  it('records what the user saw, and the document that described the client', () => {
    const shown = { textVersion: 'a'.repeat(64), application: 'App', scopes: [] };
    const events = eventsOf([issueCode({ shown, documentHash: hashOf('document') })]);
    expect(dataOf('ConsentGiven', events)).to.deep.include({ shown, documentHash: hashOf('document') });
    for (const member of ['shown', 'documentHash', 'management'])
      expect(dataOf('ConsentGiven', eventsOf([issueCode()]))).not.to.have.property(member);
  });

  it('records its basis', () => {
    for (const consent of ['asked', 'remembered', 'skipped'] as const)
      expect(dataOf('ConsentGiven', eventsOf([issueCode({ consent })]))?.basis).to.equal(consent);
    expect(dataOf('ConsentGiven', eventsOf([grantByPassword()]))?.basis).to.equal('password');
  });
});

describe('an authorization code', () => {
  it('records the nonce, the key and the pushed request, if there are any', () => {
    const members = { nonce: 'n', dpopJkt: hashOf('key') };
    const code = dataOf('AuthorizationCodeIssued', eventsOf([issueCode({ ...members, isPushed: true })]));
    expect(code).to.deep.include({ ...members, pushed: true });
    const plainCode = dataOf('AuthorizationCodeIssued', eventsOf([issueCode({ isPushed: false })]));
    for (const member of ['nonce', 'dpopJkt', 'pushed']) expect(plainCode).not.to.have.property(member);
  });
});

describe('an access token', () => {
  it('has only the scopes that its resource servers define', () => {
    const definedScopes = new Set(['read']);
    for (const commands of [
      [issueCode(), redeemCode({ definedScopes })],
      [grantByPassword({ definedScopes })],
      [grantByPassword(), refresh(1, { definedScopes })],
    ])
      expect(dataOf('AccessTokenIssued', eventsOf(commands))?.scope).to.deep.equal(['read']);
    const everyScope = redeemCode({ definedScopes: null });
    expect(dataOf('AccessTokenIssued', eventsOf([issueCode(), everyScope]))?.scope).to.deep.equal(['read', 'write']);
  });

  it('has the same scopes in a retry, with the resource servers of the first request', () => {
    const definedScopes = new Set(['read']);
    const afterRefresh = given(authorizationGrant, grantByPassword(), refresh(1, { definedScopes }));
    afterRefresh.when(refresh(1, { definedScopes })).changesNothing();
    afterRefresh.when(refresh(1)).refused('retry-scope-differs');
  });

  it('records the keys that signed it and that authenticated the client, if there are any', () => {
    const keys = { accessKid: keyId('signing'), clientKeyId: keyId('client') };
    const token = dataOf('AccessTokenIssued', eventsOf([{ ...grantToClient, ...keys }]));
    expect(token).to.include({ kid: keyId('signing'), clientKeyId: keyId('client') });
    for (const member of ['kid', 'clientKeyId', 'details', 'exchanged', 'asserted', 'confirmation'])
      expect(dataOf('AccessTokenIssued', eventsOf([grantToClient]))).not.to.have.property(member);
  });
});

describe('a refresh token that only its client can use', () => {
  const keep = { keepRefreshToken: true };

  it('is kept at a refresh instead of being rotated, and can be used again', () => {
    given(authorizationGrant, grantByPassword(), refresh(1, keep)).when(refresh(1, keep)).accepted('AccessTokenIssued');
  });

  it('is summarized as often as one that is rotated', () => {
    const presentFirst = Array.from({ length: REFRESHES_PER_SUMMARY }, () => refresh(1, keep));
    const types = eventsOf([grantByPassword(), ...presentFirst]).map(({ type }) => type);
    expect(types.indexOf('GrantSummarized')).to.equal(types.length - 1);
    const summary = dataOf('GrantSummarized', eventsOf([grantByPassword(), ...presentFirst]));
    const restoredGrant = eventsOf([grantByPassword(), ...presentFirst])
      .slice(-1)
      .reduce(authorizationGrant.evolve, authorizationGrant.initial);
    expect(restoredGrant.refresh?.rotation, 'it was never rotated').to.equal(null);
    expect(summary?.refreshToken.tokenHash).to.equal(hashOf('refresh 1'));
  });
});

describe('a grant from an assertion', () => {
  const redeemAssertion: RedeemAssertion = {
    type: 'RedeemAssertion',
    grantId: GRANT,
    redeemedAssertion: {
      grantId: GRANT,
      clientId: clientId('A'),
      userId: userId('ada'),
      use: 'assertion',
      issuer: 'https://issuer.example',
      assertionHash: hashOf('assertion'),
      subjectHash: hashOf('subject'),
      mapping: 'table',
      keyId: keyId('k'),
      algorithm: 'ES256',
      scope: ['read'],
      requested: { scope: [] },
      assertionExpiresAt: seconds(60),
      expiresAt: seconds(3_600),
    },
    now: seconds(0),
    accessHash: hashOf('access 1'),
    accessExpiresAt: seconds(3_600),
    previousSecretUsed: false,
  };

  it('records the assertion once, with an access token for its user, scope and resource servers', () => {
    const resource = ['https://api.example'];
    const command = { ...redeemAssertion, redeemedAssertion: { ...redeemAssertion.redeemedAssertion, resource } };
    given(authorizationGrant).when(command).accepted('AssertionRedeemed', 'AccessTokenIssued');
    given(authorizationGrant, command).when(command).refused('grant-exists');
    const events = eventsOf([command]);
    expect(dataOf('AssertionRedeemed', events)).to.equal(command.redeemedAssertion);
    expect(dataOf('AccessTokenIssued', events)).to.deep.include({
      clientId: clientId('A'),
      userId: userId('ada'),
      scope: ['read'],
      resource,
      asserted: true,
    });
    expect(dataOf('AccessTokenIssued', eventsOf([redeemAssertion]))).not.to.have.property('resource');
  });

  it('begins a stream that may exist, because its name is derived from the assertion', () => {
    expect(authorizationGrant.initialRevision?.(redeemAssertion)).to.equal('no-stream');
  });

  it('belongs to its client, and is open until it is revoked', () => {
    const { evolve, initial } = authorizationGrant;
    const grant = eventsOf([redeemAssertion]).slice(0, 1).reduce(evolve, initial);
    expect(grant).to.include({ status: 'open', clientId: clientId('A'), access: null });
    given(authorizationGrant, redeemAssertion)
      .when({ type: 'RevokeGrant', reason: 'revoked-by-client' })
      .accepted('GrantRevoked');
  });
});
