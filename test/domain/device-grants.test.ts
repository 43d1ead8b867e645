import {
  authorizationGrant,
  REFRESHES_PER_SUMMARY,
  type AuthorizeDevice,
  type DenyDevice,
  type GrantCommand,
  type GrantEvent,
  type RedeemDeviceCode,
  type RefreshGrant,
} from '../../src/domain/authorization-grant.ts';
import { expect } from 'chai';
import { clientId, grantId, hashOf, loginOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

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
const refresh = (nth: number): RefreshGrant => ({
  type: 'RefreshGrant',
  grantId: COMMON_FIELDS.grantId,
  clientId: COMMON_FIELDS.clientId,
  presentedHash: hashOf(`refresh ${nth}`),
  isPresentedTokenGenuine: true,
  scope: null,
  resource: [],
  now: seconds(100),
  reuseWindowSeconds: 30,
  accessHash: hashOf(`access ${nth}`),
  accessExpiresAt: seconds(36_100),
  previousSecretUsed: false,
  refreshHash: hashOf(`refresh ${nth + 1}`),
  refreshExpiresAt: null,
});
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

  it('can be denied once, and then gets no tokens', () => {
    given(authorizationGrant).when(deny).accepted('DeviceDenied');
    afterDenial.when(deny).changesNothing();
    afterDenial.when(redeem()).refused('device-denied');
    afterDenial.when({ type: 'RevokeGrant', reason: 'revoked-by-client' }).changesNothing();
  });

  it('ends if the user denies it after approving it', () => {
    afterAuthorization.when(deny).accepted('GrantRevoked');
    given(authorizationGrant, authorize(), deny).when(redeem()).refused('grant-revoked');
    given(authorizationGrant, authorize(), redeem(), deny).when(refresh(1)).refused('grant-revoked');
  });

  it('is recognized as a device grant from its summary alone', () => {
    let state = authorizationGrant.initial;
    const events: GrantEvent[] = [];
    const commands = Array.from({ length: REFRESHES_PER_SUMMARY }, (_, index) => refresh(index + 1));
    for (const command of [authorize(), redeem(), ...commands]) {
      const newEvents = authorizationGrant.decide(command, state).events;
      events.push(...newEvents);
      state = newEvents.reduce(authorizationGrant.evolve, state);
    }
    const summary = events.at(-1);
    expect(summary?.type).to.equal('GrantSummarized');
    const restoredGrant = events.slice(-1).reduce(authorizationGrant.evolve, authorizationGrant.initial);
    expect(restoredGrant).to.include({ isDeviceGrant: true, redeemedCodeHash: hashOf('device'), status: 'redeemed' });
  });
});
