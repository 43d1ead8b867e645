import {
  authorizationGrant,
  REFRESHES_PER_SUMMARY,
  type AuthorizeDevice,
  type DenyDevice,
  type GrantCommand,
  type RedeemDeviceCode,
} from '../../src/domain/authorization-grant.ts';
import { expect } from 'chai';
import { clientId, grantId, hashOf, loginOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { eventsOf, grantByPassword, grantToClient, refresh } from '../support/grant-commands.ts';

const COMMON_FIELDS = { grantId: grantId('grant'), clientId: clientId('A'), userId: userId('ada') } as const;

const authorize = (changes: Partial<AuthorizeDevice> = {}): AuthorizeDevice => ({
  type: 'AuthorizeDevice',
  ...COMMON_FIELDS,
  scope: ['read'],
  resource: [],
  codeHash: hashOf('device'),
  login: loginOf('session'),
  requested: { scope: ['read', 'write'] },
  now: seconds(0),
  expiresAt: seconds(600),
  ...changes,
});
const deny: DenyDevice = { type: 'DenyDevice', ...COMMON_FIELDS, now: seconds(1) };
const redeem = (changes: Partial<RedeemDeviceCode> = {}): RedeemDeviceCode => ({
  type: 'RedeemDeviceCode',
  grantId: COMMON_FIELDS.grantId,
  clientId: COMMON_FIELDS.clientId,
  codeHash: hashOf('device'),
  resource: [],
  now: seconds(10),
  accessHash: hashOf('access'),
  accessExpiresAt: seconds(36_000),
  previousSecretUsed: false,
  refreshHash: hashOf('refresh 1'),
  refreshExpiresAt: null,
  ...changes,
});
const DETAIL = { type: 'payment', hash: hashOf('payment'), sealed: 'sealed' };
const REDEMPTION_EVENTS = ['DeviceCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued'] as const;

describe('a device authorization grant', () => {
  const afterAuthorization = given(authorizationGrant, authorize());
  const afterDenial = given(authorizationGrant, deny);

  it('begins with a consent and the authorization of the device, once', () => {
    given(authorizationGrant).when(authorize()).accepted('ConsentGiven', 'DeviceAuthorized');
    afterAuthorization.when(authorize()).refused('grant-exists');
    afterDenial.when(authorize()).refused('grant-exists');
  });

  it('is redeemed once, and a second attempt revokes it', () => {
    afterAuthorization.when(redeem()).accepted(...REDEMPTION_EVENTS);
    given(authorizationGrant, authorize(), redeem()).when(redeem()).refused('code-replayed', 'GrantRevoked');
  });

  it('is redeemed only by its client, with its code, in time and for its resource servers', () => {
    afterAuthorization.when(redeem({ clientId: clientId('B') })).refused('client-mismatch');
    afterAuthorization.when(redeem({ codeHash: hashOf('other') })).refused('code-unknown');
    afterAuthorization.when(redeem({ now: seconds(599) })).accepted(...REDEMPTION_EVENTS);
    afterAuthorization.when(redeem({ now: seconds(600) })).refused('code-expired');
    const restrictedGrant = given(authorizationGrant, authorize({ resource: ['https://a.example'] }));
    restrictedGrant.when(redeem({ resource: ['https://b.example'] })).refused('resource-exceeds-grant');
  });

  it('cannot be redeemed by the command for authorization codes', () => {
    const code: GrantCommand = { ...redeem(), type: 'RedeemCode', redirectUri: null, verifier: null };
    afterAuthorization.when(code).refused('code-unknown');
  });

  it('begins a stream that may exist, because its name is derived from the request of the device', () => {
    expect(authorizationGrant.initialRevision?.(authorize())).to.equal('no-stream');
  });

  it('records what the user saw, and the granted details, with the consent', () => {
    const shown = { textVersion: 'a'.repeat(64), application: 'App', scopes: [] };
    const details = [DETAIL];
    const { events } = given(authorizationGrant).when(authorize({ shown, details })).decision;
    expect(events[0]?.data).to.deep.include({ basis: 'device', shown, details });
  });

  it('gives tokens only the granted details, and the resource servers of the grant', () => {
    const afterApproval = given(authorizationGrant, authorize({ details: [DETAIL] }));
    afterApproval.when(redeem({ details: [DETAIL] })).accepted(...REDEMPTION_EVENTS);
    afterApproval.when(redeem({ details: [{ ...DETAIL, hash: hashOf('other') }] })).refused('details-exceed-grant');
    const resource = ['https://a.example'];
    for (const [granted, expected] of [
      [resource, resource],
      [[], undefined],
    ] as const) {
      const { events } = given(authorizationGrant, authorize({ resource: granted })).when(redeem()).decision;
      const [, accessToken, refreshToken] = events.map(({ data }) => (data as { resource?: unknown }).resource);
      expect([accessToken, refreshToken]).to.deep.equal([expected, expected]);
    }
  });

  it('is a device grant from its first event, whether the user approves or denies it, unlike other grants', () => {
    const grantAfterEvent = (command: GrantCommand) =>
      authorizationGrant
        .decide(command, authorizationGrant.initial)
        .events.slice(0, 1)
        .reduce(authorizationGrant.evolve, authorizationGrant.initial);
    for (const command of [authorize(), deny]) expect(grantAfterEvent(command).isDeviceGrant).to.equal(true);
    expect(grantAfterEvent(grantToClient).isDeviceGrant).to.equal(false);
    const refreshes = Array.from({ length: REFRESHES_PER_SUMMARY }, (_, index) => refresh(index + 1));
    const summary = eventsOf([grantByPassword(), ...refreshes]).slice(-1);
    const restoredGrant = summary.reduce(authorizationGrant.evolve, authorizationGrant.initial);
    expect([restoredGrant.status, restoredGrant.isDeviceGrant], 'from a summary alone').to.deep.equal(['open', false]);
  });

  it('can be denied once, and then gets no tokens', () => {
    given(authorizationGrant).when(deny).accepted('DeviceDenied');
    afterDenial.when(deny).changesNothing();
    afterDenial.when(redeem()).refused('device-denied');
    afterDenial.when({ type: 'RevokeGrant', reason: 'revoked-by-client' }).changesNothing();
  });

  it('ends if the user denies it after approving it', () => {
    afterAuthorization.when(deny).accepted('GrantRevoked');
    given(authorizationGrant, authorize(), deny).when(redeem()).refused('grant-revoked');
    given(authorizationGrant, authorize(), deny).when(deny).changesNothing();
    given(authorizationGrant, authorize(), redeem(), deny).when(refresh(1)).refused('grant-revoked');
  });

  it('is recognized as a device grant from its summary alone', () => {
    const refreshes = Array.from({ length: REFRESHES_PER_SUMMARY }, (_, index) => refresh(index + 1));
    const events = eventsOf([authorize(), redeem(), ...refreshes]);
    const summary = events.at(-1);
    expect(summary?.type).to.equal('GrantSummarized');
    const restoredGrant = events.slice(-1).reduce(authorizationGrant.evolve, authorizationGrant.initial);
    expect(restoredGrant).to.include({ isDeviceGrant: true, redeemedCodeHash: hashOf('device'), status: 'redeemed' });
  });
});
