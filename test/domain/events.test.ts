import { expect } from 'chai';
import {
  decodeUntrustedEvent,
  decodeEvent,
  encodeEvent,
  InvalidEventError,
  type DomainEvent,
} from '../../src/domain/events.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import {
  clientId,
  grantId,
  groupId,
  hashOf,
  keyId,
  loginOf,
  passkeyId,
  providerId,
  recoveryCodesId,
  seconds,
  totpId,
  userId,
} from '../support/domain-values.ts';
import { unchecked } from '../support/unchecked.ts';

const SETTINGS = {
  ...CLIENT_SETTINGS,
  clientType: 'public',
  grantTypes: ['authorization-code'],
  redirectUris: ['https://app.example/'],
} as const;
const GRANT = { clientId: clientId('A'), userId: userId('ada'), scope: ['read'] } as const;

const RESOURCE = {
  name: 'Files',
  ownerId: userId('ada'),
  scopes: [{ name: 'files:read', description: 'Read your files' }],
  accessTokenFormat: 'jwt',
  accessTokenAlgorithm: 'ES256',
  accessTokenLifetimeSeconds: 300,
  publishesMetadata: true,
  detailTypes: [{ type: 'payment', schema: '{}', sentence: 'Pay {amount}' }],
} as const;

/** One event of each type. */
const EVENTS: { readonly [Type in DomainEvent['type']]: Extract<DomainEvent, { type: Type }>['data'] } = {
  ConsentGiven: {
    ...GRANT,
    grantId: grantId('g'),
    basis: 'asked',
  },
  AuthorizationCodeIssued: {
    ...GRANT,
    codeHash: hashOf('c'),
    redirectUri: 'https://app.example/',
    redirectUriRequired: true,
    codeChallenge: null,
    expiresAt: seconds(60),
  },
  AuthorizationCodeRedeemed: { codeHash: hashOf('c') },
  DeviceAuthorized: { ...GRANT, codeHash: hashOf('d'), expiresAt: seconds(60) },
  DeviceDenied: { grantId: grantId('g'), clientId: clientId('A'), userId: userId('ada') },
  DeviceCodeRedeemed: { codeHash: hashOf('d') },
  TokenExchanged: {
    ...GRANT,
    grantId: grantId('h'),
    mode: 'impersonation',
    parent: { grantId: grantId('g'), clientId: clientId('B'), tokenHash: hashOf('a'), tokenType: 'access_token' },
    chain: [{ clientId: clientId('B'), userId: null }],
    depth: 2,
    root: { grantId: grantId('f'), clientId: clientId('C') },
    requested: { scope: [] },
    expiresAt: seconds(60),
  },
  AccessTokenIssued: { ...GRANT, grantId: grantId('g'), tokenHash: hashOf('a'), expiresAt: seconds(60) },
  IdTokenIssued: {
    clientId: clientId('A'),
    userId: userId('ada'),
    tokenHash: hashOf('i'),
    kid: keyId('k'),
    algorithm: 'RS256',
    issuedAt: seconds(0),
    expiresAt: seconds(60),
    claims: ['email'],
  },
  RefreshTokenIssued: { ...GRANT, tokenHash: hashOf('r'), expiresAt: null },
  RefreshTokenRotated: {
    spentHash: hashOf('r'),
    tokenHash: hashOf('s'),
    scope: [],
    rotatedAt: seconds(1),
    expiresAt: seconds(2),
  },
  GrantSummarized: {
    ...GRANT,
    redeemedCodeHash: null,
    refreshToken: {
      tokenHash: hashOf('s'),
      expiresAt: null,
      spentHash: hashOf('r'),
      rotatedAt: seconds(1),
      hasUntagged: false,
    },
    accessToken: { tokenHash: hashOf('a'), scope: ['read'], expiresAt: seconds(60) },
  },
  GrantRevoked: { reason: 'code-replayed' },
  ClientRegistered: {
    ...SETTINGS,
    clientId: clientId('A'),
    ownerId: null,
    secret: { algorithm: 'sha256', hash: hashOf('s') },
  },
  ClientUpdated: SETTINGS,
  ClientLogoChanged: { image: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' } },
  ClientSecretRotated: { secret: { algorithm: 'argon2id', phc: '$argon2id$v=19$…' }, previousUntil: seconds(60) },
  ClientRemoved: {},
  ClientDocumentAccepted: {
    ...SETTINGS,
    clientId: clientId('https://app.example/client.json'),
    hash: hashOf('d'),
    document: '{"client_id":"https://app.example/client.json"}',
  },
  ClientDomainListed: { domain: 'app.example', rule: 'allowed' },
  ClientDomainUnlisted: { domain: 'app.example' },
  ClientAssertionAccepted: { clientId: clientId('A'), keyId: keyId('k'), algorithm: 'ES256', expiresAt: seconds(9) },
  ClientMemberAdded: {
    userId: userId('bob'),
    role: 'owner',
    invitation: { hash: hashOf('invitation'), by: userId('ada') },
  },
  ClientMemberRemoved: { userId: userId('bob'), role: 'test-user' },
  ClientDisabled: {},
  ClientEnabled: {},
  ClientInvitationsWithdrawn: { role: 'owner' },
  UserRegistered: { userId: userId('ada'), sealed: 'sealed', roles: ['administrator'] },
  UserProfileChanged: { userId: userId('ada'), sealed: 'sealed' },
  PasswordChanged: { userId: userId('ada'), sealed: 'sealed' },
  UserDisabled: { userId: userId('ada') },
  UserEnabled: { userId: userId('ada') },
  EmailVerified: { userId: userId('ada'), sealed: 'sealed' },
  UserErased: { userId: userId('ada') },
  AllSessionsEnded: { userId: userId('ada') },
  ClientSecretRehashed: { secret: { algorithm: 'argon2id', phc: '$argon2id$v=19$…' } },
  PasswordRehashed: { userId: userId('ada'), sealed: 'sealed' },
  UserRolesChanged: { userId: userId('ada'), roles: ['auditor'] },
  PasskeyAdded: { userId: userId('ada'), passkeyId: passkeyId('p'), sealed: 'sealed' },
  PasskeyRemoved: { userId: userId('ada'), passkeyId: passkeyId('p') },
  TotpAdded: { userId: userId('ada'), totpId: totpId('t'), sealed: 'sealed' },
  TotpRemoved: { userId: userId('ada'), totpId: totpId('t') },
  RecoveryCodesGenerated: { userId: userId('ada'), codesId: recoveryCodesId('c'), sealed: 'sealed' },
  RecoveryCodeUsed: { userId: userId('ada'), codesId: recoveryCodesId('c'), number: 10 },
  SecondFactorsRemoved: { userId: userId('ada'), reason: 'lost' },
  SessionStarted: { userId: userId('ada'), expiresAt: seconds(60) },
  SessionUsed: { userId: userId('ada'), usedAt: seconds(0) },
  SessionEnded: { userId: userId('ada') },
  LogoutDelivered: { clientId: clientId('app'), userId: userId('ada'), attempts: 1 },
  LogoutDeliveryFailed: {
    clientId: clientId('app'),
    userId: userId('ada'),
    attempts: 6,
    reason: 'error-status',
  },
  InvitationSent: { invitedBy: userId('root'), sealed: 'sealed', roles: ['auditor'], expiresAt: seconds(604_800) },
  InvitationWithdrawn: {},
  InvitationAccepted: { invitedBy: userId('root') },
  GroupMemberAdded: { userId: userId('ada'), groupId: groupId('g') },
  GroupMemberRemoved: { userId: userId('ada'), groupId: groupId('g') },
  GroupCreated: { groupId: groupId('g'), name: 'Staff' },
  GroupTitleChanged: { groupId: groupId('g'), title: 'Our staff' },
  GroupRemoved: { groupId: groupId('g') },
  ResourceRegistered: { uri: 'https://api.example/', settings: RESOURCE },
  ResourceUpdated: { uri: 'https://api.example/', settings: RESOURCE },
  ResourceRemoved: { uri: 'https://api.example/' },
  ExchangePolicySet: {
    clientId: clientId('A'),
    subjectClientId: clientId('B'),
    settings: { modes: ['delegation'], scope: ['read'], resources: null },
  },
  ExchangePolicyRemoved: { clientId: clientId('A'), subjectClientId: clientId('B') },
  AssertionRedeemed: {
    grantId: grantId('g'),
    clientId: clientId('A'),
    userId: null,
    use: 'assertion',
    issuer: 'https://issuer.example',
    assertionHash: hashOf('a'),
    subjectHash: 's'.repeat(43),
    mapping: 'client',
    keyId: keyId('k'),
    algorithm: 'ES256',
    scope: ['read'],
    requested: { scope: [] },
    assertionExpiresAt: seconds(60),
    expiresAt: seconds(3_600),
  },
  TrustedIssuerSet: {
    issuer: 'https://issuer.example',
    settings: {
      keys: [],
      keysUri: 'https://issuer.example/keys',
      audience: null,
      uses: ['assertion'],
      requiredClaims: [{ name: 'repository', value: 'acme/api' }],
      subject: { by: 'user-name', claim: 'sub' },
      clients: [{ clientId: clientId('A'), requiredClaims: [] }],
      scope: ['read'],
      resources: null,
      maxTokenLifetimeSeconds: 3_600,
      maxAssertionAgeSeconds: 600,
    },
  },
  TrustedIssuerRemoved: { issuer: 'https://issuer.example' },
  UpstreamProviderSet: {
    providerId: providerId('corp'),
    settings: {
      preset: 'custom',
      name: 'Corp',
      issuer: 'https://login.example',
      tenants: [],
      clientId: 'grantlog',
      authentication: 'client_secret_basic',
      sealedSecret: 'sealed',
      scopes: ['openid', 'email'],
      linking: 'verified-email',
      createsUsers: true,
      domains: ['example.org'],
      groupsClaim: 'groups',
      roles: [{ group: 'staff', role: 'auditor' }],
      groups: [{ group: 'staff', name: 'Staff' }],
      secondFactorValues: ['mfa'],
      required: false,
    },
  },
  SettingChanged: { name: 'pkceMethods', value: ['S256'] },
  SettingReset: { name: 'pkceMethods' },
  UpstreamProviderRemoved: { providerId: providerId('corp') },
  UpstreamAccountLinked: {
    userId: userId('ada'),
    providerId: providerId('corp'),
    subjectHash: hashOf('subject'),
    sealed: 'sealed',
    basis: 'asked',
  },
  UpstreamAccountUnlinked: {
    userId: userId('ada'),
    providerId: providerId('corp'),
    subjectHash: hashOf('subject'),
  },
  SigningKeyIntroduced: {
    kid: keyId('k'),
    algorithm: 'EdDSA',
    publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) },
    from: seconds(1),
    until: seconds(2),
    reason: 'first',
  },
  SigningKeyRetired: { kid: keyId('k'), reason: 'expired' },
  ClockSetBack: { setBackTo: seconds(1), newestAt: seconds(1_000), issuedAfter: seconds(301) },
};
const events = Object.entries(EVENTS).map(([type, data]) => ({ type, data }) as DomainEvent);

describe('every event', () => {
  it('decodes to the event that was encoded', () => {
    for (const event of events)
      expect(decodeUntrustedEvent(encodeEvent(event))).to.include({ type: event.type, data: event.data });
  });

  it('requires every mandatory member of its schema', () => {
    for (const { type, data } of events) {
      for (const field of Object.keys(data)) {
        const incomplete = Object.fromEntries(Object.entries(data).filter(([name]) => name !== field));
        expect(() => encodeEvent(unchecked({ type, data: incomplete })), `${type} without ${field}`).to.throw(
          InvalidEventError,
          field,
        );
      }
    }
  });

  it('accepts no member outside its schema', () => {
    for (const { type, data } of events) {
      expect(() => encodeEvent(unchecked({ type, data: { ...data, password: 'secret' } })), type).to.throw(
        InvalidEventError,
        type,
      );
    }
  });

  it('contains hashes of credentials: its schema refuses the credentials themselves', () => {
    const token = `gla_${'x'.repeat(49)}`;
    expect(() =>
      encodeEvent(unchecked({ type: 'AccessTokenIssued', data: { ...EVENTS.AccessTokenIssued, tokenHash: token } })),
    ).to.throw(InvalidEventError);
    expect(() =>
      encodeEvent(
        unchecked({
          type: 'ClientSecretRotated',
          data: { secret: { algorithm: 'argon2id', phc: 'secret' }, previousUntil: null },
        }),
      ),
    ).to.throw(InvalidEventError);
  });

  it('has times in whole seconds', () => {
    for (const expiresAt of [1.5, -1, Number.NaN, '60', null]) {
      expect(() =>
        encodeEvent(unchecked({ type: 'SessionStarted', data: { ...EVENTS.SessionStarted, expiresAt } })),
      ).to.throw(InvalidEventError);
    }
  });

  it('records the login behind an authorization, and the request', () => {
    const login = loginOf('session');
    const claims = { userinfo: [{ name: 'email' }], idToken: [{ name: 'acr', essential: true }] };
    const requested = { scope: ['write'], claims, acrValues: ['phr'], maxAgeSeconds: 60, prompt: ['consent'] };
    const encode = (data: object) => encodeEvent(unchecked({ type: 'ConsentGiven', data }));
    expect(encode({ ...EVENTS.ConsentGiven, login, requested }).data).to.include({ login, requested });
    expect(encode({ ...EVENTS.ConsentGiven, login: { ...login, sessionHash: null } }).data).to.have.property('login');
    for (const invalid of [{ sessionHash: 'x' }, { sessionHash: undefined }, { authTime: 1.5 }, { amr: 'pwd' }]) {
      expect(() => encode({ ...EVENTS.ConsentGiven, login: { ...login, ...invalid } })).to.throw(InvalidEventError);
    }
  });

  it('records the contents of the consent page, and the document that described the client', () => {
    const shown = {
      textVersion: 'a'.repeat(64),
      application: 'Engine',
      scopes: [{ name: 'read', text: ['Read your data'], claims: ['name'] }],
    };
    const documentHash = hashOf('document');
    const encode = (data: object) =>
      encodeEvent(unchecked({ type: 'ConsentGiven', data: { ...EVENTS.ConsentGiven, ...data } }));
    expect(encode({ shown, documentHash }).data).to.include({ shown, documentHash });
    for (const invalid of [
      { textVersion: 'x' },
      { application: '' },
      { scopes: ['read'] },
      { claims: [''] },
      { more: 1 },
    ])
      expect(() => encode({ shown: { ...shown, ...invalid } })).to.throw(InvalidEventError);
  });

  it('records how the user of a session was authenticated', () => {
    const authenticationTimes = { authenticatedAt: 5, checkedAsOf: 3 };
    const isAccepted = (authentication: object): boolean => {
      try {
        encodeEvent(unchecked({ type: 'SessionStarted', data: { ...EVENTS.SessionStarted, authentication } }));
        return true;
      } catch {
        return false;
      }
    };
    for (const method of ['password', 'sign-up', 'set-up-link']) {
      expect(isAccepted({ method, ...authenticationTimes }), method).to.equal(true);
    }
    expect(isAccepted({ method: 'passkey', passkeyId: passkeyId('p'), ...authenticationTimes })).to.equal(true);
    for (const secondFactor of [
      { method: 'totp', totpId: totpId('t'), step: 55_000_000 },
      { method: 'passkey', passkeyId: passkeyId('p') },
      { method: 'recovery-code', codesId: recoveryCodesId('c'), number: 1 },
    ])
      expect(isAccepted({ method: 'password', ...authenticationTimes, secondFactor }), secondFactor.method).to.equal(
        true,
      );
    const recoveryCode = { method: 'recovery-code', codesId: recoveryCodesId('c') };
    const invalidAuthentications: readonly object[] = [
      {
        method: 'passkey',
        passkeyId: passkeyId('p'),
        ...authenticationTimes,
        secondFactor: { ...recoveryCode, number: 1 },
      },
      { method: 'password', ...authenticationTimes, secondFactor: { ...recoveryCode, number: 0 } },
      { method: 'password', ...authenticationTimes, secondFactor: { ...recoveryCode, number: 11 } },
      { method: 'password', ...authenticationTimes, secondFactor: { method: 'totp', totpId: totpId('t') } },
      { method: 'password', ...authenticationTimes, secondFactor: { method: 'sms' } },
      { method: 'passkey', ...authenticationTimes },
      { method: 'password', passkeyId: passkeyId('p'), ...authenticationTimes },
      { method: 'fax', ...authenticationTimes },
      authenticationTimes,
      { method: 'password', authenticatedAt: 5, checkedAsOf: 0.5 },
      { method: 'password', authenticatedAt: 5 },
      { method: 'password', checkedAsOf: 3 },
    ];
    for (const authentication of invalidAuthentications)
      expect(isAccepted(authentication), JSON.stringify(authentication)).to.equal(false);
  });

  it('has a known type and version', () => {
    for (const type of ['TokenUpdated', 'constructor', '__proto__', '']) {
      expect(() => decodeEvent({ type, version: 1, data: {} }), type).to.throw(InvalidEventError);
      expect(() => encodeEvent(unchecked({ type, data: {} })), type).to.throw(InvalidEventError);
    }
    for (const version of [0, 2, 1.5])
      expect(() => decodeEvent({ type: 'ClientRemoved', version, data: {} })).to.throw(InvalidEventError);
  });
});
