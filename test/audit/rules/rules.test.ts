import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { audit, type AuditFinding, type AuditSummary } from '../../../src/audit/rules/auditor.ts';
import type { Login } from '../../../src/domain/events.ts';
import { DEFAULT_OPENID } from '../../../src/domain/openid-settings.ts';
import { rules } from '../../../src/audit/rules/rules.ts';
import type { RecordedEvent } from '../../../src/event-store/event-log.ts';
import { CLIENT_SETTINGS } from '../../support/client-settings.ts';
import { unchecked } from '../../support/unchecked.ts';
import { BEGINNING, handWritten, hash, id, write, type Written } from './hand-written-log.ts';

const ANNA = id('anna');
const BERT = id('bert');
const ANNAS_NAME = 'user-anna';
const APP = 'app';
const G = `grant-${id('g')}`;
const HOUR = 3_600;

const settings = {
  ...CLIENT_SETTINGS,
  grantTypes: ['authorization-code', 'client-credentials', 'password', 'device-code', 'token-exchange', 'jwt-bearer'],
} as const;
const userRegistered = (userId: string, stream: string): Written =>
  write(stream, 'UserRegistered', { userId, sealed: 's', roles: [] });
const clientRegistered = (clientId: string, ownerId: string | null = null): Written =>
  write(`client-${clientId}`, 'ClientRegistered', { clientId, ownerId, secret: null, ...settings });
const registeredItself = (changes: {
  readonly ownerId?: string;
  readonly grantTypes: readonly ('authorization-code' | 'client-credentials')[];
}): Written => ({
  ...write('client-self', 'ClientRegistered', {
    clientId: 'self',
    ownerId: null,
    secret: null,
    ...settings,
    selfRegistered: { registeredAt: BEGINNING },
    ...changes,
  }),
  envelope: { actor: { kind: 'user', id: ANNA } },
});
const DESCRIBED = 'https://app.example/c.json';
const describedAs = {
  ...settings,
  grantTypes: ['authorization-code'],
  redirectUris: ['https://app.example/cb'],
} as const;
const described = (
  changes: Readonly<Record<string, unknown>> = {},
  document = JSON.stringify({ client_id: DESCRIBED, redirect_uris: ['https://app.example/cb'] }),
): Written => {
  const documentHash = createHash('sha256').update(document).digest('base64url');
  return write(`client-${DESCRIBED}`, 'ClientDocumentAccepted', {
    clientId: DESCRIBED,
    hash: documentHash,
    document,
    ...describedAs,
    ...changes,
  });
};
const describedAt = (clientId: string): Written => {
  const accepted = described(
    { clientId },
    JSON.stringify({ client_id: clientId, redirect_uris: describedAs.redirectUris }),
  );
  return { ...accepted, stream: `client-${clientId}` };
};
const decided = (changes: Readonly<Record<string, unknown>>): Written =>
  write(`client-${DESCRIBED}`, 'ClientUpdated', { ...describedAs, ...changes });
const listed = (domain: string, rule: 'allowed' | 'blocked'): Written =>
  write('domains', 'ClientDomainListed', { domain, rule });
const unlisted = (domain: string): Written => write('domains', 'ClientDomainUnlisted', { domain });
const consent = (
  basis: 'asked' | 'password' | 'device' = 'asked',
  { grant = 'g', scope = ['read', 'write'] } = {},
): Written =>
  write(`grant-${id(grant)}`, 'ConsentGiven', { grantId: id(grant), clientId: APP, userId: ANNA, scope, basis });
const showing = (basis: string, ...names: readonly string[]): Written =>
  write(G, 'ConsentGiven', {
    grantId: id('g'),
    clientId: APP,
    userId: ANNA,
    scope: ['read', 'write'],
    basis,
    shown: { textVersion: '0'.repeat(64), application: 'App', scopes: names.map((name) => ({ name, text: [] })) },
  });
const issued = (
  name: string,
  changes: Partial<{
    clientId: string;
    userId: string | null;
    scope: string[];
    grant: string;
    expires: number;
    resource: string[];
  }> = {},
): Written => {
  const { clientId = APP, userId = ANNA, scope = ['read', 'write'], grant = 'g', expires = HOUR, resource } = changes;
  return write(`grant-${id(grant)}`, 'AccessTokenIssued', {
    tokenHash: hash(name),
    grantId: id(grant),
    clientId,
    userId,
    scope,
    resource,
    expiresAt: BEGINNING + expires,
  });
};
const code = (name = 'code', scope = ['read', 'write']): Written =>
  write(G, 'AuthorizationCodeIssued', {
    codeHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    redirectUri: '',
    redirectUriRequired: true,
    codeChallenge: null,
    expiresAt: BEGINNING + 60,
  });
const redeemed = (name = 'code', at?: number): Written =>
  write(G, 'AuthorizationCodeRedeemed', { codeHash: hash(name) }, at);
const device = (name = 'code', scope = ['read', 'write']): Written =>
  write(G, 'DeviceAuthorized', {
    codeHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    expiresAt: BEGINNING + 600,
  });
const denied = write(G, 'DeviceDenied', { grantId: id('g'), clientId: APP, userId: ANNA });
const deviceRedeemed = (name = 'code', at?: number): Written =>
  write(G, 'DeviceCodeRedeemed', { codeHash: hash(name) }, at);
const refresh = (name: string, expires: number | null = null, scope = ['read', 'write']): Written =>
  write(G, 'RefreshTokenIssued', {
    tokenHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    expiresAt: expires === null ? null : BEGINNING + expires,
  });
const rotated = (spent: string, next: string, { scope = ['read', 'write'], at = 0, aheadOfTime = 0 } = {}): Written =>
  write(
    G,
    'RefreshTokenRotated',
    { spentHash: hash(spent), tokenHash: hash(next), scope, rotatedAt: BEGINNING + at + aheadOfTime, expiresAt: null },
    at,
  );
/** A rotation that retires an access token. */
const retiring = (spent: string, next: string, access: string, endsAt: number): Written => {
  const rotation = rotated(spent, next);
  const retired = { tokenHash: hash(access), endsAt: BEGINNING + endsAt };
  return { ...rotation, event: unchecked({ ...rotation.event, data: { ...rotation.event.data, retired } }) };
};
/** The summary of a grant by code after a rotation from r1 to r2, with its token a2. */
const SUMMARY = {
  clientId: APP,
  userId: ANNA,
  redeemedCodeHash: hash('code') as string | null,
  scope: ['read', 'write'],
  refreshToken: {
    tokenHash: hash('r2'),
    expiresAt: null as number | null,
    spentHash: hash('r1'),
    rotatedAt: BEGINNING,
    hasUntagged: true,
  },
  accessToken: { tokenHash: hash('a2'), scope: ['read', 'write'], expiresAt: BEGINNING + HOUR },
};
const summarized = (changes: Partial<typeof SUMMARY> & { readonly resource?: string[] } = {}): Written =>
  write(G, 'GrantSummarized', { ...SUMMARY, ...changes });
const keyIntroduced = (name = 'key', changes: object = {}): Written =>
  write('signing-keys', 'SigningKeyIntroduced', {
    kid: hash(name),
    algorithm: 'RS256',
    publicKey: { kty: 'RSA', n: 'n', e: 'AQAB' },
    from: BEGINNING,
    until: BEGINNING + 24 * HOUR,
    reason: 'first',
    ...changes,
  });
const keyRetired = (reason: 'expired' | 'requested', at?: number): Written =>
  write('signing-keys', 'SigningKeyRetired', { kid: hash('key'), reason }, at);
/** The token, signed by a key. */
const certifiedBy = ({ event, ...written }: Written, label: string): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, clientKeyId: hash(label) } }),
});
const signedBy = ({ event, ...written }: Written, name = 'key'): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, kid: hash(name) } }),
});
/** The token, bound to a key. */
const bound = ({ event, ...written }: Written, key = 'key'): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, confirmation: { method: 'jkt', thumbprint: hash(key) } } }),
});
/** A code that only one key can redeem. */
const codeForKey = (key = 'key'): Written => {
  const { event, ...written } = code();
  return { ...written, event: unchecked({ ...event, data: { ...event.data, dpopJkt: hash(key) } }) };
};
const OF_OPENID = { scope: ['openid'] };
const idToken = (changes: object = {}): Written =>
  write(G, 'IdTokenIssued', {
    tokenHash: hash('i1'),
    clientId: APP,
    userId: ANNA,
    kid: hash('key'),
    algorithm: 'RS256',
    issuedAt: BEGINNING,
    expiresAt: BEGINNING + HOUR,
    claims: [],
    ...changes,
  });
const withAlgorithm = (idTokenAlgorithm: string): Written =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, openid: { ...DEFAULT_OPENID, idTokenAlgorithm } });
const login = (session: string | null, authTime = BEGINNING, acr = 'pwd', amr = ['pwd']): Login =>
  unchecked({ sessionHash: session === null ? null : hash(session), authTime, amr, acr });
/** The event with this login. */
const withLogin = ({ event, ...written }: Written, of: Login): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, login: of } }),
});
const revoked = write(G, 'GrantRevoked', { reason: 'revoked-by-client' });
const disabled = (at?: number): Written => write(ANNAS_NAME, 'UserDisabled', { userId: ANNA }, at);
const enabled = write(ANNAS_NAME, 'UserEnabled', { userId: ANNA });
const erased = write(ANNAS_NAME, 'UserErased', { userId: ANNA });
const passkeyAdded = (name = 'p', userId = ANNA, stream = ANNAS_NAME): Written =>
  write(stream, 'PasskeyAdded', { userId, passkeyId: id(name), sealed: 's' });
const passkeyRemoved = (userId = ANNA, stream = ANNAS_NAME): Written =>
  write(stream, 'PasskeyRemoved', { userId, passkeyId: id('p') });
const disabledClient = (at?: number): Written => write(`client-${APP}`, 'ClientDisabled', {}, at);
const enabledClient = (): Written => write(`client-${APP}`, 'ClientEnabled', {});
const removed = (at?: number): Written => write(`client-${APP}`, 'ClientRemoved', {}, at);
const updated = (grantTypes: readonly 'password'[]): Written =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, grantTypes });
/** The client gets keys with these thumbprints. */
const withKeys = (...labels: readonly string[]): Written =>
  write(`client-${APP}`, 'ClientUpdated', {
    ...settings,
    authentication: {
      methods: ['private_key_jwt'],
      keys: labels.map((label) => ({
        keyId: hash(label),
        kid: null,
        algorithm: null,
        publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'x' },
      })),
      keysUri: null,
      tls: null,
    },
  });
/** The client publishes its keys. */
const withKeysUri = (): Written =>
  write(`client-${APP}`, 'ClientUpdated', {
    ...settings,
    authentication: { methods: ['private_key_jwt'], keys: [], keysUri: 'https://app.example/jwks.json', tls: null },
  });
const assertionBy = (label: string, { at = 0 } = {}): Written =>
  write(
    'assertion-jti',
    'ClientAssertionAccepted',
    { clientId: APP, keyId: hash(label), algorithm: 'EdDSA', expiresAt: BEGINNING + at + 60 },
    at,
  );
const allowed = (...restrictedScopes: readonly ('audit' | 'introspection')[]): Written =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, restrictedScopes });
const secretRotated = (previousUntil: number | null, at?: number): Written =>
  write(
    `client-${APP}`,
    'ClientSecretRotated',
    {
      secret: { algorithm: 'sha256', hash: hash('s') },
      previousUntil: previousUntil === null ? null : BEGINNING + previousUntil,
    },
    at,
  );
const secretRehashed = write(`client-${APP}`, 'ClientSecretRehashed', {
  secret: { algorithm: 'argon2id', phc: '$argon2id$' },
});
const passwordChanged = (type: 'PasswordChanged' | 'PasswordRehashed' = 'PasswordChanged'): Written =>
  write(ANNAS_NAME, type, { userId: ANNA, sealed: 's' });
const byPreviousSecret = (at?: number): Written =>
  write(
    `grant-${id('self')}`,
    'AccessTokenIssued',
    {
      tokenHash: hash('a1'),
      grantId: id('self'),
      clientId: APP,
      userId: null,
      scope: ['read'],
      previousSecretUsed: true,
      expiresAt: BEGINNING + HOUR,
    },
    at,
  );
/** For these resource servers only. */
const onlyAt = (written: Written, ...resource: string[]): Written => ({
  ...written,
  event: unchecked({ type: written.event.type, data: { ...written.event.data, resource } }),
});
const sessionStarted = (at?: number): Written =>
  write('session-1', 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR }, at);
/** Authentication with credentials read at a position: the password or a passkey. */
function checked(checkedAsOf: number, passkey?: string): Written {
  const by = passkey === undefined ? { method: 'password' } : { method: 'passkey', passkeyId: id(passkey) };
  const authentication = unchecked({ ...by, authenticatedAt: BEGINNING, checkedAsOf });
  return write('session-1', 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR, authentication });
}
const totpAdded = (name = 't', userId = ANNA, stream = ANNAS_NAME): Written =>
  write(stream, 'TotpAdded', { userId, totpId: id(name), sealed: 's' });
const totpRemoved = (userId = ANNA, stream = ANNAS_NAME): Written =>
  write(stream, 'TotpRemoved', { userId, totpId: id('t') });
const codesGenerated = (name = 'c', userId = ANNA, stream = ANNAS_NAME): Written =>
  write(stream, 'RecoveryCodesGenerated', { userId, codesId: id(name), sealed: 's' });
const codeUsed = (number = 1, userId = ANNA, stream = ANNAS_NAME): Written =>
  write(stream, 'RecoveryCodeUsed', { userId, codesId: id('c'), number });
const factorsRemoved = write(ANNAS_NAME, 'SecondFactorsRemoved', { userId: ANNA, reason: 'lost' });
/** Authentication with the password and a second factor, as known at a position. */
function checkedTwice(checkedAsOf: number, secondFactor: object, session = 'session-1'): Written {
  const authentication = unchecked({ method: 'password', authenticatedAt: BEGINNING, checkedAsOf, secondFactor });
  return write(session, 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR, authentication });
}
const oneTime = (step = 1): object => ({ method: 'totp', totpId: id('t'), step });
const recovery = (number = 1): object => ({ method: 'recovery-code', codesId: id('c'), number });
const streamOf = (session: string): string => `session-${hash(session)}`;
const started = (session: string, { user = ANNA, passkey = undefined as string | undefined } = {}): Written => {
  const { event } = checked(passkey === undefined ? 0 : 3, passkey);
  return { stream: streamOf(session), event: unchecked({ ...event, data: { ...event.data, userId: user } }) };
};
const ended = (session: string, continuedBy?: string): Written =>
  write(streamOf(session), 'SessionEnded', {
    userId: ANNA,
    reason: continuedBy === undefined ? 'logged-out' : 'logged-in-again',
    ...(continuedBy !== undefined && { continuedBy: hash(continuedBy) }),
  });
const DAY = 24 * HOUR;
const used = (at: number, session = 's', userId = ANNA): Written =>
  write(streamOf(session), 'SessionUsed', { userId, usedAt: BEGINNING + at }, at);
/** A session that lasts for days. */
const lasting = (): Written => {
  const { event } = started('s');
  return {
    stream: streamOf('s'),
    event: unchecked({ ...event, data: { ...event.data, expiresAt: BEGINNING + 9 * DAY } }),
  };
};
const signedOut = write(ANNAS_NAME, 'AllSessionsEnded', { userId: ANNA });
const sessionEnded = (userId = ANNA): Written => write('session-1', 'SessionEnded', { userId });
const emailVerified = (userId = ANNA): Written => write(ANNAS_NAME, 'EmailVerified', { userId, sealed: 's' });
const administrator = (roles: readonly ('administrator' | 'auditor')[] = ['administrator']): Written =>
  write(ANNAS_NAME, 'UserRolesChanged', { userId: ANNA, roles });
const group = (stream: string, groupId: string, name: string): Written =>
  write(`group-${stream}`, 'GroupCreated', { groupId: id(groupId), name });
const groupRemoved = (stream: string, groupId: string): Written =>
  write(`group-${stream}`, 'GroupRemoved', { groupId: id(groupId) });
const joinedGroup = (groupId: string, userId = ANNA): Written =>
  write(ANNAS_NAME, 'GroupMemberAdded', { userId, groupId: id(groupId) });
const leftGroup = (groupId: string): Written =>
  write(ANNAS_NAME, 'GroupMemberRemoved', { userId: ANNA, groupId: id(groupId) });
const resourceSettings = (scopes: readonly string[]) => ({
  name: 'API',
  ownerId: null,
  scopes: scopes.map((name) => ({ name, description: name })),
  accessTokenFormat: null,
  accessTokenAlgorithm: null,
  accessTokenLifetimeSeconds: null,
  publishesMetadata: false,
});
const resourceRegistered = (uri: string, scopes: readonly string[] = [], stream = 'a'): Written =>
  write(`resource-${stream}`, 'ResourceRegistered', { uri, settings: resourceSettings(scopes) });
const resourceUpdated = (uri: string, scopes: readonly string[] = []): Written =>
  write('resource-a', 'ResourceUpdated', { uri, settings: resourceSettings(scopes) });
const resourceRemoved = (uri: string): Written => write('resource-a', 'ResourceRemoved', { uri });
const declaring = (written: Written, ...types: string[]): Written => {
  const { type, data } = written.event as unknown as { type: string; data: { settings: object } };
  const detailTypes = types.map((each) => ({ type: each, schema: '{}', sentence: each }));
  const declared = { ...data.settings, ...(types.length > 0 && { detailTypes }) };
  return { ...written, event: unchecked({ type, data: { ...data, settings: declared } }) };
};
const BANK = declaring(resourceRegistered('b:', [], 'b'), 'pay');
const payment = (name = 'd', changes: object = {}) => ({ type: 'pay', hash: hash(name), sealed: 's', ...changes });
const reference = (name = 'd', changes: object = {}) => ({ type: 'pay', hash: hash(name), ...changes });
/** Adds details to a consent, which requested them, or to a token. */
const detailed = (written: Written, ...details: object[]): Written => {
  const { type, data } = written.event as unknown as { type: string; data: { scope: readonly string[] } };
  const asked = details.map((each) => ({ type: 'pay', hash: 'hash' in each ? each.hash : '' }));
  const requested = type === 'ConsentGiven' ? { requested: { scope: data.scope, details: asked } } : {};
  return { ...written, event: unchecked({ type, data: { ...data, details, ...requested } }) };
};
const exchangeStream = (client: string, subject: string): string =>
  `exchange-${createHash('sha256')
    .update(JSON.stringify([client, subject]))
    .digest('base64url')}`;
const exchangePolicySet = (client = APP, subject = APP, stream = exchangeStream(client, subject)): Written =>
  write(stream, 'ExchangePolicySet', {
    clientId: client,
    subjectClientId: subject,
    settings: { modes: ['delegation'], scope: null, resources: null },
  });
const providerSet = write('provider-corp', 'UpstreamProviderSet', {
  providerId: 'corp',
  settings: {
    preset: 'custom',
    name: 'Corp',
    issuer: 'https://login.example',
    tenants: [],
    clientId: 'grantlog',
    authentication: 'none',
    sealedSecret: null,
    scopes: ['openid'],
    linking: 'explicit',
    createsUsers: false,
    domains: [],
    groupsClaim: null,
    roles: [],
    groups: [],
    secondFactorValues: [],
    required: false,
  },
});
const providerRemoved = write('provider-corp', 'UpstreamProviderRemoved', { providerId: 'corp' });
const settingChanged = (value: number): Written =>
  write('settings', 'SettingChanged', { name: 'accessTokenLifetimeSeconds', value });
const settingReset = write('settings', 'SettingReset', { name: 'accessTokenLifetimeSeconds' });
const ACCOUNT = { providerId: 'corp', subjectHash: createHash('sha256').update('subject').digest('base64url') };
const accountLinked = (userId = ANNA): Written =>
  write(`upstream-${ACCOUNT.subjectHash}`, 'UpstreamAccountLinked', {
    ...ACCOUNT,
    userId,
    sealed: 's',
    basis: 'asked',
  });
const accountUnlinked = write(`upstream-${ACCOUNT.subjectHash}`, 'UpstreamAccountUnlinked', {
  ...ACCOUNT,
  userId: ANNA,
});
const throughProvider = (): Written =>
  write('session-1', 'SessionStarted', {
    userId: ANNA,
    expiresAt: BEGINNING + 9 * HOUR,
    authentication: unchecked({ method: 'upstream', ...ACCOUNT, authenticatedAt: BEGINNING, checkedAsOf: 0 }),
  });
const endedByUnlinking = write('session-1', 'SessionEnded', { userId: ANNA, reason: 'account-unlinked' });
const LINKED = [userRegistered(ANNA, ANNAS_NAME), providerSet, accountLinked()];
const exchangePolicyRemoved = write(exchangeStream(APP, APP), 'ExchangePolicyRemoved', {
  clientId: APP,
  subjectClientId: APP,
});
const issuerStream = (issuer: string): string => `issuer-${createHash('sha256').update(issuer).digest('base64url')}`;
const trustedIssuerSet = (client = APP, issuer = 'https://issuer.example', stream = issuerStream(issuer)): Written =>
  write(stream, 'TrustedIssuerSet', {
    issuer,
    settings: {
      keys: [],
      keysUri: 'https://issuer.example/keys',
      audience: null,
      uses: ['assertion', 'subject-token', 'actor-token'],
      requiredClaims: [],
      subject: { by: 'client' },
      clients: [{ clientId: client, requiredClaims: [] }],
      scope: ['read'],
      resources: null,
      maxTokenLifetimeSeconds: 3_600,
      maxAssertionAgeSeconds: 600,
    },
  });
const redeemedAssertion = (changes: Readonly<Record<string, unknown>> = {}, name = 'r'): Written =>
  write(`grant-${id(name)}`, 'AssertionRedeemed', {
    grantId: id(name),
    clientId: APP,
    userId: null,
    use: 'assertion',
    issuer: 'https://issuer.example',
    assertionHash: hash('assertion'),
    subjectHash: hash('subject'),
    mapping: 'client',
    keyId: hash('key'),
    algorithm: 'ES256',
    scope: ['read'],
    requested: { scope: [] },
    assertionExpiresAt: BEGINNING + 60,
    expiresAt: BEGINNING + 3_000,
    ...changes,
  });
const assertedToken = (changes: Readonly<Record<string, unknown>> = {}, name = 'r'): Written =>
  write(`grant-${id(name)}`, 'AccessTokenIssued', {
    tokenHash: hash(`token-${name}`),
    grantId: id(name),
    clientId: APP,
    userId: null,
    scope: ['read'],
    asserted: true,
    expiresAt: BEGINNING + 3_000,
    ...changes,
  });
const trustedIssuerRemoved = write(issuerStream('https://issuer.example'), 'TrustedIssuerRemoved', {
  issuer: 'https://issuer.example',
});
const later = (written: Written, at: number): Written => ({ ...written, at });
const lying = (written: Written, envelope: Partial<RecordedEvent>): Written => ({ ...written, envelope });
/** A user without an account accepts an invitation, so the server is the actor. */
const invitationAccepted = (invitedBy: string | null = ANNA, actor: RecordedEvent['actor'] = { kind: 'server' }) =>
  lying(write(`invitation-${hash('i')}`, 'InvitationAccepted', { invitedBy }), { actor });

type Role = 'owner' | 'test-user';
const joined = (userId: string, role: Role = 'owner'): Written =>
  write(`client-${APP}`, 'ClientMemberAdded', { userId, role, invitation: null });
/** Bert accepts an invitation by Anna. */
const accepted = (invitation: string, { by = ANNA, actor = BERT } = {}): Written => ({
  ...write(`client-${APP}`, 'ClientMemberAdded', {
    userId: BERT,
    role: 'owner',
    invitation: { hash: hash(invitation), by },
  }),
  envelope: { actor: { kind: 'user', id: actor } },
});
const left = (userId: string, role: Role = 'owner'): Written =>
  write(`client-${APP}`, 'ClientMemberRemoved', { userId, role });
const inMode = (mode: 'live' | 'test'): Written => write(`client-${APP}`, 'ClientUpdated', { ...settings, mode });
/** Bert has an account, and Anna owns the application. */
const OWNED = [userRegistered(ANNA, ANNAS_NAME), userRegistered(BERT, 'user-bert'), clientRegistered(APP, ANNA)];

const SETTING = [userRegistered(ANNA, ANNAS_NAME), clientRegistered(APP)];
const BY_DETAILS = [...SETTING, BANK, detailed(consent('asked'), payment()), code(), redeemed()];
/** Up to position 7. */
const BY_CODE = [...SETTING, consent(), code(), redeemed(), issued('a1'), refresh('r1')];
const BOUND = [...SETTING, consent(), codeForKey(), redeemed(), bound(issued('a1')), bound(refresh('r1'))];
/** Anna has a passkey, with which she has logged in, and approves OpenID Connect. */
const passkeyLogin = login('s', BEGINNING, 'phr', ['pop', 'user']);
const OPENID_LOGIN = [...SETTING, passkeyAdded(), started('s', { passkey: 'p' })];
const openIdConsent = (): Written => consent('asked', { scope: ['openid'] });
const OPENID = [
  ...OPENID_LOGIN,
  ...[openIdConsent(), code('code', ['openid'])].map((each) => withLogin(each, passkeyLogin)),
];
const OFFLINE = ['openid', 'offline_access'];
const BY_DEVICE = [...SETTING, consent('device'), device(), deviceRedeemed(), issued('a1'), refresh('r1')];
const inGrant = (written: Written, grant: string): Written => ({ ...written, stream: `grant-${id(grant)}` });
const managed = (written: Written, management: Readonly<Record<string, unknown>>): Written => ({
  ...written,
  event: unchecked({ type: written.event.type, data: { ...written.event.data, management } }),
});
/** A grant that its client manages as `g`. */
const CREATED = [
  ...SETTING,
  managed(consent(), { action: 'create', grantId: id('g') }),
  code(),
  redeemed(),
  issued('a1'),
  refresh('r1'),
];
const byBert = (written: Written): Written => ({
  ...written,
  event: unchecked({ type: written.event.type, data: { ...written.event.data, userId: BERT } }),
});
const updating = (changes: Readonly<Record<string, unknown>> = {}): Written =>
  managed(consent('asked', { grant: 'h' }), { action: 'replace', grantId: id('g'), updates: id('g'), ...changes });
/** An update of that grant, without the end that must follow. */
const UPDATING = [
  ...CREATED,
  updating(),
  inGrant(code('code2'), 'h'),
  inGrant(redeemed('code2'), 'h'),
  issued('a2', { grant: 'h' }),
  inGrant(refresh('r2'), 'h'),
];
/** A managed grant with a detail, which an update that requests nothing merges. */
const MERGING = [
  BANK,
  ...CREATED.map((each) => {
    if (each.event.type === 'AccessTokenIssued') return detailed(each, reference());
    return each.event.type === 'ConsentGiven'
      ? managed(detailed(consent('asked'), payment()), { action: 'create', grantId: id('g') })
      : each;
  }),
];
const merging = (name = 'd'): Written => {
  const given = updating({ action: 'merge' });
  const data = { ...given.event.data, details: [payment(name)], requested: { scope: ['read'] } };
  return { ...given, event: unchecked({ type: given.event.type, data }) };
};
const replaced = (by = 'h'): Written => write(G, 'GrantRevoked', { reason: 'updated', replacedBy: unchecked(id(by)) });
const BY_PASSWORD = [...SETTING, consent('password'), issued('a1'), refresh('r1')];
const OPENID_BY_PASSWORD = [
  ...SETTING,
  keyIntroduced(),
  consent('password', OF_OPENID),
  issued('a1', OF_OPENID),
  refresh('r1', null, OF_OPENID.scope),
];
/** For a resource server with scopes of its own, which the access token has. */
const MUSIC = 'https://music.example';
const OPENID_AND_MORE = ['openid', 'read'];
const RESTRICTED = [
  ...SETTING,
  keyIntroduced(),
  resourceRegistered(MUSIC, ['read']),
  consent('asked', { scope: OPENID_AND_MORE }),
  onlyAt(code('code', OPENID_AND_MORE), MUSIC),
  redeemed(),
  issued('a1', { scope: ['read'], resource: [MUSIC] }),
  onlyAt(refresh('r1', null, OPENID_AND_MORE), MUSIC),
];
const LATER = 30;
const MUCH_LATER = 600;

/** From a request with a trace. */
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const logout = (session: string, client = APP, userId = ANNA): Written =>
  write(streamOf(session), 'LogoutDelivered', { clientId: client, userId, attempts: 1 });

type Exchange = Extract<Written['event'], { type: 'TokenExchanged' }>['data'];
/** An exchange by the client `api` of Anna's first token at the application, for an hour, and its token. */
function exchange(
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
  ofToken: Readonly<Record<string, unknown>> = {},
): readonly Written[] {
  const data: Exchange = unchecked({
    grantId: id(name),
    clientId: 'api',
    userId: ANNA,
    mode: 'impersonation',
    scope: ['read', 'write'],
    parent: A1,
    chain: [],
    depth: 1,
    root: { grantId: id('g'), clientId: APP },
    requested: { scope: [] },
    expiresAt: BEGINNING + HOUR,
    ...changes,
  });
  const { grantId, clientId, userId, scope, resource, expiresAt } = data;
  const token = {
    tokenHash: hash(name),
    grantId,
    clientId,
    userId,
    scope,
    resource,
    expiresAt,
    exchanged: true as const,
  };
  return [
    write(`grant-${id(name)}`, 'TokenExchanged', data),
    write(`grant-${id(name)}`, 'AccessTokenIssued', { ...token, ...ofToken }),
  ];
}
const exchangedOnly = (changes: Readonly<Record<string, unknown>>, name = 'x'): Written => exchange(name, changes)[0]!;
const policySet = (client: string, subject: string, limits: object = {}): Written =>
  write(exchangeStream(client, subject), 'ExchangePolicySet', {
    clientId: client,
    subjectClientId: subject,
    settings: { modes: ['impersonation', 'delegation'], scope: null, resources: null, ...limits },
  });
/** The client `api` may exchange Anna's token, and `mid` that of `api`. Each of them has a token for itself. */
const EXCHANGEABLE = [
  ...SETTING,
  clientRegistered('api'),
  clientRegistered('mid'),
  policySet('api', APP),
  policySet('mid', 'api'),
  policySet('api', 'mid'),
  consent(),
  code(),
  redeemed(),
  issued('a1'),
  refresh('r1'),
  issued('api', { grant: 'api', clientId: 'api', userId: null }),
  issued('mid', { grant: 'mid', clientId: 'mid', userId: null }),
];
const A1 = { grantId: id('g'), clientId: APP, tokenHash: hash('a1'), tokenType: 'access_token' };
/** A token with less than its grant, and an exchange of it. */
const NARROW = { scope: ['read'], resource: ['https://one.example'], expires: 1_800 };
const OF_NARROW = {
  parent: { ...A1, tokenHash: hash('a2') },
  scope: NARROW.scope,
  resource: NARROW.resource,
  expiresAt: BEGINNING + NARROW.expires,
};
const acting = (client: string, changes: object = {}) => ({
  actor: { grantId: id(client), clientId: client, userId: null, tokenHash: hash(client), ...changes },
  mode: 'delegation',
});
const party = (clientId: string) => ({ clientId, userId: null });
/** `api` acts for Anna. */
const DELEGATED = [...EXCHANGEABLE, ...exchange('x', { ...acting('api'), chain: [party('api')] })];
/** The exchange of that token by `mid`, which acts, too. */
const CONTINUED = {
  clientId: 'mid',
  parent: { grantId: id('x'), clientId: 'api', tokenHash: hash('x'), tokenType: 'access_token' },
  depth: 2,
  ...acting('mid'),
  chain: [party('mid'), party('api')],
};

/** Anna's token has a detail. */
const DETAILED = [
  BANK,
  ...EXCHANGEABLE.map((each) => {
    if (each.event.type === 'ConsentGiven') return detailed(consent('asked'), payment());
    const isFirst = each.event.type === 'AccessTokenIssued' && each.event.data.userId !== null;
    return isFirst ? detailed(each, reference()) : each;
  }),
];
/** An exchange of it, with a detail. */
const detailedExchange = (
  detail: ReturnType<typeof reference>,
  name = 'x',
  changes: object = {},
): readonly [Written, Written] => {
  const named = [{ type: detail.type, hash: detail.hash }];
  const [first, second] = exchange(name, { ...changes, details: named }, { details: [detail] });
  return [first ?? expect.fail(), second ?? expect.fail()];
};

const ID_PARENT = { grantId: id('g'), clientId: APP, tokenHash: hash('a1'), tokenType: 'id_token' };

/** A JWT of another issuer that acts as the client. */
const FOREIGN = {
  issuer: 'https://issuer.example',
  tokenHash: hash('jwt'),
  tokenType: 'jwt',
  subjectHash: hash('subject'),
  mapping: 'client',
  keyId: hash('key'),
  algorithm: 'ES256',
  expiresAt: BEGINNING + HOUR,
};
/** The exchange of that JWT by `api`: no policy allows it, but the record of the issuer. */
const OF_JWT = {
  userId: null,
  parent: FOREIGN,
  root: { grantId: id('x'), clientId: 'api' },
  scope: ['read'],
  expiresAt: BEGINNING + 3_000,
};
/** The exchange of that token by `mid`. */
const BELOW_JWT = { ...CONTINUED, ...OF_JWT, parent: CONTINUED.parent, chain: [party('mid')] };
/** `api` acts by the JWT, for Anna. */
const ACTING_BY_JWT = {
  mode: 'delegation',
  actor: { ...party('api'), ...FOREIGN },
  chain: [party('api')],
  scope: ['read'],
  expiresAt: BEGINNING + 3_000,
};
const TRUSTING = [...EXCHANGEABLE, trustedIssuerSet('api')];

/** A grant that ends with its session, and an exchange of its token. */
const SESSION_LOGIN = login('s');
const OF_SESSION = [
  started('s'),
  ...[
    consent('asked', { grant: 'h', scope: ['openid', 'read'] }),
    inGrant(code('code2', ['openid', 'read']), 'h'),
    inGrant(redeemed('code2'), 'h'),
    issued('a2', { grant: 'h', scope: ['openid', 'read'] }),
    inGrant(refresh('r2', null, ['openid', 'read']), 'h'),
  ].map((each) => (each.event.type === 'AuthorizationCodeRedeemed' ? each : withLogin(each, SESSION_LOGIN))),
];
const OF_LOGIN = {
  scope: ['read'],
  parent: { ...A1, grantId: id('h'), tokenHash: hash('a2') },
  root: { grantId: id('h'), clientId: APP },
  login: SESSION_LOGIN,
};

type Case = readonly [rule: string, what: string, log: readonly Written[], severity?: 'notice'];

const YEAR_AHEAD = 31_536_000;
/**
 * A refresh while the clock is a year ahead. A clock that goes back is a notice, so later events have the same time.
 */
const refreshedAhead: readonly Written[] = [
  rotated('r1', 'r2', { at: YEAR_AHEAD }),
  issued('a2', { expires: YEAR_AHEAD + HOUR }),
];
const setBack = (at: number): Written =>
  write(
    'clock',
    'ClockSetBack',
    {
      setBackTo: BEGINNING + at,
      newestAt: BEGINNING + YEAR_AHEAD,
      issuedAfter: BEGINNING + at + 300,
    },
    YEAR_AHEAD,
  );

/** The last event of each log breaks the rule, and nothing before it does. */
const BROKEN: readonly Case[] = [
  ['exchanges-only-narrow', 'another scope', [...EXCHANGEABLE, exchangedOnly({ scope: ['read', 'admin'] })]],
  ['exchanges-only-narrow', 'a longer life', [...EXCHANGEABLE, exchangedOnly({ expiresAt: BEGINNING + HOUR + 1 })]],
  [
    'exchanges-only-narrow',
    'more than the actor has',
    [
      ...EXCHANGEABLE,
      issued('small', { grant: 'small', clientId: 'api', userId: null, scope: ['read'] }),
      exchangedOnly({ ...acting('api', { grantId: id('small'), tokenHash: hash('small') }), chain: [party('api')] }),
    ],
  ],
  [
    'exchanges-only-narrow',
    'a longer life than the actor token',
    [
      ...EXCHANGEABLE,
      issued('short', { grant: 'short', clientId: 'api', userId: null, expires: 60 }),
      exchangedOnly({ ...acting('api', { grantId: id('short'), tokenHash: hash('short') }), chain: [party('api')] }),
    ],
  ],
  [
    'exchanges-only-narrow',
    'another resource server, further down',
    [
      ...EXCHANGEABLE,
      ...exchange('x', { resource: ['https://one.example'] }),
      exchangedOnly({ ...CONTINUED, resource: ['https://two.example'], chain: [party('mid')] }, 'y'),
    ],
  ],
  [
    'exchanges-only-narrow',
    'every resource server, further down',
    [
      ...EXCHANGEABLE,
      ...exchange('x', { resource: ['https://one.example'] }),
      exchangedOnly({ ...CONTINUED, chain: [party('mid')] }, 'y'),
    ],
  ],
  ...(
    [
      ['scope', { scope: ['read', 'write'] }],
      ['resource servers', { resource: [MUSIC] }],
      ['life', { expiresAt: BEGINNING + HOUR }],
    ] as const
  ).map(([what, more]): Case => [
    'exchanges-only-narrow',
    `more ${what} than its subject token, which is not the newest of its grant`,
    [
      ...EXCHANGEABLE,
      rotated('r1', 'r2'),
      issued('a2', NARROW),
      rotated('r2', 'r3'),
      issued('a3'),
      exchangedOnly({ ...OF_NARROW, ...more }),
    ],
  ]),
  [
    'exchanges-only-narrow',
    'a longer life than its subject token, which a refresh had retired',
    [...EXCHANGEABLE, retiring('r1', 'r2', 'a1', 30), issued('a2'), exchangedOnly({ expiresAt: BEGINNING + 31 })],
  ],
  [
    'exchanges-only-narrow',
    'more scope than the access token beside an ID token',
    [
      ...EXCHANGEABLE,
      keyIntroduced(),
      consent('asked', { grant: 'h', scope: ['openid', 'read', 'write'] }),
      inGrant(code('code2', ['openid', 'read', 'write']), 'h'),
      inGrant(redeemed('code2'), 'h'),
      issued('a2', { grant: 'h', scope: ['openid', 'read'] }),
      inGrant(refresh('r2', null, ['openid', 'read', 'write']), 'h'),
      inGrant(idToken(), 'h'),
      exchangedOnly({
        parent: { grantId: id('h'), clientId: APP, tokenHash: hash('i1'), tokenType: 'id_token' },
        root: { grantId: id('h'), clientId: APP },
      }),
    ],
  ],
  [
    'exchanges-present-issued-tokens',
    'a subject token that was never issued',
    [...EXCHANGEABLE, exchangedOnly({ parent: { ...A1, tokenHash: hash('other') } })],
  ],
  [
    'exchanges-present-issued-tokens',
    'the token of another grant',
    [...EXCHANGEABLE, exchangedOnly({ parent: { ...A1, tokenHash: hash('api') } })],
  ],
  [
    'exchanges-present-issued-tokens',
    'an actor token that was never issued',
    [...EXCHANGEABLE, exchangedOnly({ ...acting('api', { tokenHash: hash('other') }), chain: [party('api')] })],
  ],
  [
    'exchanges-present-issued-tokens',
    'a subject token that had expired long before',
    [
      ...EXCHANGEABLE,
      issued('late', { grant: 'late', clientId: 'api', userId: null, expires: 3 * HOUR }),
      later(settingChanged(600), 2 * HOUR),
      exchangedOnly({ expiresAt: BEGINNING + 3 * HOUR }),
    ],
  ],
  ['details-narrow-along-chains', 'more than the subject token', [...DETAILED, ...detailedExchange(payment('other'))]],
  [
    'details-narrow-along-chains',
    'one of another type',
    [...DETAILED, ...detailedExchange(payment('d', { type: 'give' }))],
  ],
  [
    'details-narrow-along-chains',
    'a detail of the consent that its subject token lacks',
    [
      ...DETAILED,
      rotated('r1', 'r2'),
      detailed(issued('a2'), payment('n', { narrows: hash('d') })),
      ...detailedExchange(payment(), 'x', {
        parent: { grantId: id('g'), clientId: APP, tokenHash: hash('a2'), tokenType: 'access_token' },
      }),
    ],
  ],
  [
    'details-narrow-along-chains',
    'wider again, further down',
    [
      ...DETAILED,
      ...detailedExchange(payment('n', { narrows: hash('d') })),
      ...detailedExchange(payment(), 'y', { ...CONTINUED, chain: [party('mid')] }),
    ],
  ],
  ['details-narrow-along-chains', 'without its text', [...DETAILED, ...detailedExchange(reference())]],
  [
    'details-narrow-along-chains',
    'other ones than the exchange names',
    [...DETAILED, exchangedOnly({}), detailedExchange(payment())[1]],
  ],
  [
    'exchanges-only-narrow',
    'a longer life than the JWT of another issuer',
    [...TRUSTING, exchangedOnly({ ...OF_JWT, parent: { ...FOREIGN, expiresAt: BEGINNING + 2_999 } })],
  ],
  [
    'exchanges-only-narrow',
    'a longer life than the JWT of its actor',
    [...TRUSTING, exchangedOnly({ ...ACTING_BY_JWT, actor: { ...ACTING_BY_JWT.actor, expiresAt: BEGINNING + 2_999 } })],
  ],
  [
    'chains-are-whole',
    'another root than an exchange of a JWT of another issuer',
    [...TRUSTING, exchangedOnly({ ...OF_JWT, root: { grantId: id('g'), clientId: APP } })],
  ],
  [
    'chains-are-whole',
    'an ID token that is not the newest',
    [...EXCHANGEABLE, exchangedOnly({ parent: { ...ID_PARENT, tokenHash: hash('earlier') } })],
  ],
  ...(
    [
      ['an unknown issuer', [...EXCHANGEABLE, exchangedOnly(OF_JWT)]],
      ['a removed issuer', [...TRUSTING, trustedIssuerRemoved, exchangedOnly(OF_JWT)]],
      ['another client', [...EXCHANGEABLE, trustedIssuerSet('mid'), exchangedOnly(OF_JWT)]],
      ['another mapping', [...TRUSTING, exchangedOnly({ ...OF_JWT, parent: { ...FOREIGN, mapping: 'user-name' } })]],
      ['a user in place of the client', [...TRUSTING, exchangedOnly({ ...OF_JWT, userId: ANNA })]],
      ['more scope', [...TRUSTING, exchangedOnly({ ...OF_JWT, scope: ['read', 'write'] })]],
      [
        'a longer life than the record allows',
        [
          ...TRUSTING,
          exchangedOnly({
            ...OF_JWT,
            parent: { ...FOREIGN, expiresAt: BEGINNING + 9_999 },
            expiresAt: BEGINNING + 9_000,
          }),
        ],
      ],
      ['an unknown issuer of its actor', [...EXCHANGEABLE, exchangedOnly(ACTING_BY_JWT)]],
      ['more scope than its actor', [...TRUSTING, exchangedOnly({ ...ACTING_BY_JWT, scope: ['read', 'write'] })]],
    ] as const
  ).map(([what, log]): Case => ['exchanged-jwts-follow-a-trusted-issuer', what, log]),
  ...(
    [
      ['its session', [ended('s')]],
      ['the session that continues its own', [started('t'), ended('s', 't'), ended('t')]],
      ['all sessions of its user', [signedOut]],
    ] as const
  ).map(([what, ends]): Case => [
    'nothing-is-exchanged-after-an-end',
    `the grant at the root ended with ${what}`,
    [...EXCHANGEABLE, ...OF_SESSION, ...ends, exchangedOnly(OF_LOGIN)],
  ]),
  [
    'nothing-is-exchanged-after-an-end',
    'the trust in the issuer at the root was removed, and set again',
    [
      ...TRUSTING,
      ...exchange('x', OF_JWT),
      trustedIssuerRemoved,
      trustedIssuerSet('api'),
      exchangedOnly(BELOW_JWT, 'y'),
    ],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the trust in the issuer of an actor above was removed',
    [
      ...TRUSTING,
      ...exchange('x', ACTING_BY_JWT),
      trustedIssuerRemoved,
      exchangedOnly({ ...CONTINUED, scope: ['read'], expiresAt: BEGINNING + 3_000 }, 'y'),
    ],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the trust in the issuer of the assertion at the root was removed',
    [
      ...EXCHANGEABLE,
      trustedIssuerSet(),
      redeemedAssertion(),
      assertedToken(),
      trustedIssuerRemoved,
      exchangedOnly({
        userId: null,
        parent: { grantId: id('r'), clientId: APP, tokenHash: hash('token-r'), tokenType: 'access_token' },
        root: { grantId: id('r'), clientId: APP },
        scope: ['read'],
        expiresAt: BEGINNING + 3_000,
      }),
    ],
  ],
  ['nothing-is-exchanged-after-an-end', 'its grant was revoked', [...EXCHANGEABLE, revoked, exchangedOnly({})]],
  ['nothing-is-exchanged-after-an-end', 'the root was revoked', [...DELEGATED, revoked, exchangedOnly(CONTINUED, 'y')]],
  [
    'nothing-is-exchanged-after-an-end',
    'the root client is gone',
    [...DELEGATED, removed(), exchangedOnly(CONTINUED, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the root client is disabled',
    [...DELEGATED, disabledClient(), exchangedOnly(CONTINUED, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the user was disabled',
    [...DELEGATED, disabled(), exchangedOnly(CONTINUED, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an actor above was revoked',
    [
      ...DELEGATED,
      write(`grant-${id('api')}`, 'GrantRevoked', { reason: 'revoked-by-client' }),
      exchangedOnly(CONTINUED, 'y'),
    ],
  ],
  [
    'chains-are-whole',
    'its subject token is of no grant',
    [
      ...EXCHANGEABLE,
      exchangedOnly({ parent: { ...CONTINUED.parent, clientId: APP }, root: { grantId: id('x'), clientId: APP } }),
    ],
  ],
  ['chains-are-whole', 'another user', [...EXCHANGEABLE, exchangedOnly({ userId: BERT })]],
  ['chains-are-whole', 'a wrong depth', [...DELEGATED, exchangedOnly({ ...CONTINUED, depth: 3 }, 'y')]],
  [
    'chains-are-whole',
    'another root',
    [...DELEGATED, exchangedOnly({ ...CONTINUED, root: { grantId: id('x'), clientId: 'api' } }, 'y')],
  ],
  [
    'chains-are-whole',
    'an actor left out',
    [...DELEGATED, exchangedOnly({ ...CONTINUED, chain: [party('mid')] }, 'y')],
  ],
  ['chains-are-whole', 'the wrong mode', [...EXCHANGEABLE, exchangedOnly({ mode: 'delegation' })]],
  [
    'chains-have-no-circles',
    'a client exchanges twice',
    [
      ...DELEGATED,
      ...exchange('y', CONTINUED),
      exchangedOnly(
        {
          parent: { grantId: id('y'), clientId: 'mid', tokenHash: hash('y'), tokenType: 'access_token' },
          depth: 3,
          chain: CONTINUED.chain,
        },
        'z',
      ),
    ],
  ],
  [
    'chains-have-no-circles',
    'the actor token of another client',
    [...EXCHANGEABLE, exchangedOnly({ ...acting('mid'), chain: [party('mid')] })],
  ],
  [
    'chains-have-no-circles',
    'an actor whose grant is for another user',
    [
      ...EXCHANGEABLE,
      exchangedOnly({ ...acting('api', { userId: BERT }), chain: [{ clientId: 'api', userId: BERT }] }),
    ],
  ],
  [
    'chains-have-no-circles',
    'an actor token that was exchanged',
    [
      ...DELEGATED,
      exchangedOnly(
        { ...acting('api', { grantId: id('x'), userId: ANNA }), chain: [{ clientId: 'api', userId: ANNA }] },
        'y',
      ),
    ],
  ],
  [
    'chains-have-no-circles',
    'the subject as the actor',
    [
      ...EXCHANGEABLE,
      policySet('api', 'api'),
      exchangedOnly({
        userId: null,
        parent: { grantId: id('api'), clientId: 'api', tokenHash: hash('api'), tokenType: 'access_token' },
        root: { grantId: id('api'), clientId: 'api' },
        ...acting('api'),
        chain: [party('api')],
      }),
    ],
  ],
  [
    'exchanges-follow-a-policy',
    'no policy',
    [...EXCHANGEABLE, clientRegistered('stranger'), exchangedOnly({ clientId: 'stranger' })],
  ],
  [
    'exchanges-follow-a-policy',
    'another mode',
    [...EXCHANGEABLE, policySet('api', APP, { modes: ['delegation'] }), exchangedOnly({})],
  ],
  [
    'exchanges-follow-a-policy',
    'more scope',
    [...EXCHANGEABLE, policySet('api', APP, { scope: ['read'] }), exchangedOnly({})],
  ],
  [
    'exchanges-follow-a-policy',
    'every resource server',
    [...EXCHANGEABLE, policySet('api', APP, { resources: ['https://one.example'] }), exchangedOnly({})],
  ],
  [
    'exchanged-tokens-are-as-recorded',
    'another lifetime',
    [...EXCHANGEABLE, ...exchange('x', {}, { expiresAt: BEGINNING + 5 })],
  ],
  ['exchanged-tokens-are-as-recorded', 'less scope', [...EXCHANGEABLE, ...exchange('x', {}, { scope: ['read'] })]],
  ['exchanged-tokens-are-as-recorded', 'no mark', [...EXCHANGEABLE, ...exchange('x', {}, { exchanged: undefined })]],
  [
    'clients-use-what-they-are-registered-for',
    'an exchange',
    [
      ...EXCHANGEABLE,
      write('client-api', 'ClientUpdated', { ...settings, grantTypes: ['password'] }),
      later(exchangedOnly({}), MUCH_LATER),
    ],
  ],
  ['positions-without-gap', 'an event is missing', [...SETTING, lying(consent(), { position: 4 as never })]],
  ['positions-without-gap', 'an event is repeated', [...SETTING, lying(consent(), { position: 2 as never })]],
  [
    'revisions-without-gap',
    'an event of the stream is missing',
    [...SETTING, consent(), lying(code(), { revision: 3 as never })],
  ],
  [
    'revisions-without-gap',
    'a stream begins in its middle',
    [lying(userRegistered(ANNA, ANNAS_NAME), { revision: 2 as never })],
  ],
  ['records-follow-their-schema', 'the type is unknown', [...SETTING, lying(consent(), { type: 'TokenUpdated' })]],
  ['records-follow-their-schema', 'the version is unknown', [...SETTING, lying(consent(), { version: 99 })]],
  ['records-follow-their-schema', 'a member is missing', [...SETTING, lying(consent(), { data: {} })]],
  [
    'records-follow-their-schema',
    'it does not say when it was made',
    [...SETTING, lying(consent(), { recordedAt: 'now' as never })],
  ],
  [
    'clock-goes-forward',
    'an hour is lived again',
    [later(userRegistered(ANNA, ANNAS_NAME), HOUR), later(clientRegistered(APP), 0)],
    'notice',
  ],

  [
    'traces-are-of-a-request',
    'something else',
    [...SETTING, lying(consent(), { requestId: 'r', traceparent: '00-anna' })],
  ],
  [
    'traces-are-of-a-request',
    'it is no text',
    [...SETTING, lying(consent(), { requestId: 'r', traceparent: 7 as never })],
  ],
  ['traces-are-of-a-request', 'it has no request', [...SETTING, lying(consent(), { traceparent: TRACEPARENT })]],

  ['events-in-their-stream', 'a client in a grant', [write('grant-x', 'ClientRemoved', {})]],
  [
    'events-in-their-stream',
    'a token in another grant',
    [...BY_CODE, { ...issued('a2'), stream: `grant-${id('other')}` }],
  ],
  ['ids-never-repeat', 'a client id', [...SETTING, clientRegistered(APP)]],
  ['ids-never-repeat', 'a user id under another name', [...SETTING, userRegistered(ANNA, 'user-bert')]],
  ['ids-never-repeat', 'a second consent in a grant', [...SETTING, consent(), consent()]],
  ['ids-never-repeat', 'a group id', [group('1', 'x', 'one'), group('2', 'x', 'two')]],
  ['credentials-never-repeat', 'an access token', [...BY_CODE, rotated('r1', 'r2'), issued('a1')]],
  ['credentials-never-repeat', 'a refresh token', [...BY_CODE, rotated('r1', 'r1')]],
  ['group-names-are-unique', 'a repeated name', [group('1', 'x', 'one'), group('2', 'y', 'one')]],
  ['a-group-is-removed-once', 'another stream', [group('1', 'x', 'one'), groupRemoved('2', 'x')]],
  ['a-group-is-removed-once', 'twice', [group('1', 'x', 'one'), groupRemoved('1', 'x'), groupRemoved('1', 'x')]],
  ['group-members-change-once', 'no group', [...SETTING, joinedGroup('x')]],
  ['group-members-change-once', 'twice', [...SETTING, group('1', 'x', 'one'), joinedGroup('x'), joinedGroup('x')]],
  ['group-members-change-once', 'not a member', [...SETTING, group('1', 'x', 'one'), leftGroup('x')]],
  [
    'group-members-change-once',
    'a removed group',
    [...SETTING, group('1', 'x', 'one'), groupRemoved('1', 'x'), joinedGroup('x')],
  ],
  ['an-account-lives-once', 'a member without an account', [group('1', 'x', 'one'), joinedGroup('x')]],

  ['consent-comes-first', 'a code without consent', [...SETTING, code()]],
  ['consent-comes-first', 'a device without consent', [...SETTING, device()]],
  ['consent-comes-first', 'a redemption of what was denied', [...SETTING, denied, deviceRedeemed()]],
  ['answers-are-whole', 'a code after the consent on a device', [...SETTING, consent('device'), code()]],
  ['answers-are-whole', 'no token after the code of a device', [...BY_DEVICE.slice(0, 5), refresh('r1')]],
  ['a-code-redeems-once', 'a device code again', [...BY_DEVICE, deviceRedeemed()]],
  ['a-code-redeems-once', 'a device code as a code', [...BY_DEVICE.slice(0, 4), redeemed()]],
  ['a-code-redeems-once', 'another device code', [...BY_DEVICE.slice(0, 4), deviceRedeemed('other')]],
  ['a-code-redeems-in-time', 'a device code', [...BY_DEVICE.slice(0, 4), deviceRedeemed('code', 700)]],
  ['scope-never-widens', 'a device', [...SETTING, consent('device'), device('code', ['read', 'groups'])]],
  [
    'credentials-never-repeat',
    'a device code',
    [...BY_CODE, consent('device', { grant: 'other' }), { ...device(), stream: `grant-${id('other')}` }],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a denied device',
    [...SETTING, later(updated(['password']), 0), later(denied, MUCH_LATER)],
  ],
  ['consent-comes-first', "a user's token from nowhere", [...SETTING, issued('a1')]],
  ['consent-comes-first', 'an end without consent', [...SETTING, revoked]],
  [
    'one-client-one-user',
    "another client's token",
    [...SETTING, clientRegistered('other'), consent('password'), issued('a1', { clientId: 'other' })],
  ],
  [
    'one-client-one-user',
    "another user's token",
    [...SETTING, userRegistered(BERT, 'user-bert'), consent('password'), issued('a1', { userId: BERT })],
  ],
  ['one-client-one-user', "nobody's token", [...SETTING, consent('password'), issued('a1', { userId: null })]],
  ...(
    [
      ['of another session', login('other')],
      ['in no session', login(null)],
      ['at another time', login('s', BEGINNING - 1)],
      ['of another class', login('s', BEGINNING, 'phr')],
      ['by another method', login('s', BEGINNING, 'pwd', ['pop'])],
    ] as const
  ).map(([what, other]): Case => [
    'one-login-per-grant',
    `a code with a login ${what}`,
    [...SETTING, started('s'), withLogin(consent(), login('s')), withLogin(code(), other)],
  ]),
  [
    'one-login-per-grant',
    'a code without the login',
    [...SETTING, started('s'), withLogin(consent(), login('s')), code()],
  ],
  [
    'one-login-per-grant',
    'a refresh token with a login that its consent lacks',
    [...BY_CODE.slice(0, -1), withLogin(refresh('r1'), login('s'))],
  ],
  ['logout-tokens-follow-logouts', 'the session never started', [...OPENID, ended('s'), logout('t')]],
  ['logout-tokens-follow-logouts', 'the session has not ended', [...OPENID, logout('s')]],
  ['logout-tokens-follow-logouts', 'the session continues', [...OPENID, started('t'), ended('s', 't'), logout('s')]],
  ['logout-tokens-follow-logouts', 'it is repeated', [...OPENID, ended('s'), logout('s'), logout('s')]],
  ['logout-tokens-follow-logouts', 'another client is told', [...OPENID, ended('s'), logout('s', 'other')]],
  ['logout-tokens-follow-logouts', 'of another user', [...OPENID, ended('s'), logout('s', APP, BERT)]],
  [
    'logout-tokens-follow-logouts',
    'the client was not authorized for OpenID Connect',
    [...OPENID_LOGIN, ...[consent(), code()].map((each) => withLogin(each, passkeyLogin)), ended('s'), logout('s')],
  ],
  ['logins-belong-to-sessions', 'a session that never started', [...SETTING, withLogin(consent(), login('s'))]],
  [
    'logins-belong-to-sessions',
    'the session of another user',
    [...SETTING, userRegistered(BERT, 'user-bert'), started('s', { user: BERT }), withLogin(consent(), login('s'))],
  ],
  [
    'logins-belong-to-sessions',
    'another time than that of the session',
    [...SETTING, started('s'), withLogin(consent(), login('s', BEGINNING - 1))],
  ],
  ['logins-belong-to-sessions', 'no session', [...SETTING, withLogin(consent(), login(null))]],
  [
    'logins-belong-to-sessions',
    'a session beside a password',
    [...SETTING, started('s'), withLogin(consent('password'), login('s'))],
  ],
  ...(
    [
      ['its user logged out', ended('s')],
      ['its user ended all sessions', signedOut],
      ['the password changed', passwordChanged()],
      ['its passkey was removed', passkeyRemoved()],
    ] as const
  ).flatMap(([what, end]): readonly Case[] => [
    ['grants-end-with-their-session', `long after ${what}`, [...OPENID, end, later(redeemed(), MUCH_LATER)]],
    ['grants-end-with-their-session', `just after ${what}`, [...OPENID, end, later(redeemed(), LATER)], 'notice'],
  ]),
  [
    'grants-end-with-their-session',
    'a consent long after',
    [...OPENID_LOGIN, ended('s'), later(withLogin(openIdConsent(), passkeyLogin), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-session',
    'after the session that continues its own',
    [...OPENID, started('t'), ended('s', 't'), ended('t'), later(redeemed(), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-session',
    'a consent after its session continued in another one',
    [...OPENID_LOGIN, started('t'), ended('s', 't'), later(withLogin(openIdConsent(), passkeyLogin), MUCH_LATER)],
  ],
  [
    'updates-keep-the-id-client-and-user',
    'a new grant under the id of another one',
    [...SETTING, managed(consent(), { action: 'create', grantId: id('h') })],
  ],
  [
    'updates-keep-the-id-client-and-user',
    'an update of nothing',
    [...SETTING, managed(consent(), { action: 'merge', grantId: id('g') })],
  ],
  ['updates-keep-the-id-client-and-user', 'an update of an unknown grant', [...SETTING, updating()]],
  ['updates-keep-the-id-client-and-user', 'another id', [...CREATED, updating({ grantId: id('other') })]],
  ['updates-keep-the-id-client-and-user', 'an unmanaged grant', [...BY_CODE, updating()]],
  [
    'updates-keep-the-id-client-and-user',
    'the grant of another user',
    [...CREATED, userRegistered(BERT, 'user-bert'), byBert(updating())],
  ],
  ['updates-replace-one-grant', 'no end of the earlier grant', [...UPDATING, disabled()]],
  ['updates-replace-one-grant', 'the end of the earlier grant by its user', [...UPDATING, revoked]],
  ['updates-replace-one-grant', 'the end of a grant without an update', [...CREATED, replaced()]],
  ['updates-replace-one-grant', 'the end of a grant by another update', [...UPDATING, replaced('other')]],
  [
    'updates-replace-one-grant',
    'a successor of a revoked grant',
    [...CREATED, write(G, 'GrantRevoked', { reason: 'revoked-by-client', replacedBy: unchecked(id('h')) })],
  ],
  ['id-tokens-follow-the-consent', 'without the scope openid', [...BY_CODE, idToken()]],
  [
    'id-tokens-follow-the-consent',
    'after a refresh without the scope openid',
    [
      ...RESTRICTED,
      idToken(),
      rotated('r1', 'r2', { scope: ['read'] }),
      issued('a2', { scope: ['read'], resource: [MUSIC] }),
      idToken({ tokenHash: hash('i2') }),
    ],
  ],
  [
    'id-tokens-follow-the-consent',
    'after a refresh without rotation and without the scope openid',
    [
      ...BOUND.slice(0, 2),
      keyIntroduced(),
      consent('asked', { scope: OPENID_AND_MORE }),
      code('code', OPENID_AND_MORE),
      redeemed(),
      bound(issued('a1', { scope: OPENID_AND_MORE })),
      bound(refresh('r1', null, OPENID_AND_MORE)),
      bound(issued('a2', { scope: ['read'] })),
      idToken(),
    ],
  ],
  [
    'id-tokens-follow-the-consent',
    'a second one beside an access token',
    [...OPENID_BY_PASSWORD, idToken(), idToken({ tokenHash: hash('i2') })],
  ],
  [
    'id-tokens-follow-the-consent',
    'a claim beyond the consent',
    [...OPENID_BY_PASSWORD, idToken({ claims: ['email'] })],
  ],
  [
    'id-tokens-are-signed-as-registered',
    'an algorithm that the client never had',
    [...OPENID_BY_PASSWORD, idToken({ algorithm: 'ES256' })],
  ],
  [
    'id-tokens-are-signed-as-registered',
    'long after the client got another algorithm',
    [...OPENID_BY_PASSWORD, withAlgorithm('EdDSA'), later(idToken(), MUCH_LATER)],
  ],
  [
    'id-tokens-are-signed-as-registered',
    'just after the client got another algorithm',
    [...OPENID_BY_PASSWORD, withAlgorithm('EdDSA'), later(idToken(), LATER)],
    'notice',
  ],
  [
    'exchange-policies-are-in-the-stream-of-their-clients',
    'the stream of another pair',
    [...SETTING, clientRegistered('other'), exchangePolicySet(APP, 'other', exchangeStream('other', APP))],
  ],
  ['exchange-policies-are-for-registered-clients', 'an unknown subject', [...SETTING, exchangePolicySet(APP, 'other')]],
  ['exchange-policies-are-for-registered-clients', 'a removed client', [...SETTING, removed(), exchangePolicySet()]],
  [
    'exchange-policies-are-for-registered-clients',
    'a public client',
    [...SETTING, write(`client-${APP}`, 'ClientUpdated', { ...settings, clientType: 'public' }), exchangePolicySet()],
  ],
  ['exchange-policies-are-set-before-they-are-removed', 'never set', [...SETTING, exchangePolicyRemoved]],
  [
    'exchange-policies-are-set-before-they-are-removed',
    'twice',
    [...SETTING, exchangePolicySet(), exchangePolicyRemoved, exchangePolicyRemoved],
  ],
  ['providers-are-set-up-before-they-are-removed', 'never set up', [providerRemoved]],
  ['settings-change-to-another-value', 'the same value', [settingChanged(600), settingChanged(600)]],
  ['settings-are-changed-before-they-are-reset', 'never changed', [settingReset]],
  ['settings-are-changed-before-they-are-reset', 'twice', [settingChanged(600), settingReset, settingReset]],
  [
    'settings-are-changed-by-administrators',
    'the server',
    [{ ...settingChanged(60), envelope: { actor: { kind: 'server' } } }],
  ],
  [
    'settings-are-changed-by-administrators',
    'a user without the role',
    [...SETTING, { ...settingChanged(60), envelope: { actor: { kind: 'user', id: ANNA } } }],
  ],
  ['accounts-at-providers-have-one-user', 'an unknown provider', [...SETTING, accountLinked()]],
  ['accounts-at-providers-have-one-user', 'an unknown user', [providerSet, accountLinked()]],
  [
    'accounts-at-providers-have-one-user',
    'another user',
    [...LINKED, userRegistered(BERT, 'user-bert'), accountLinked(BERT)],
  ],
  ['accounts-at-providers-are-linked-before-they-are-unlinked', 'never linked', [...SETTING, accountUnlinked]],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'an unlinked account',
    [...SETTING, providerSet, throughProvider()],
  ],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'a removed provider',
    [...LINKED, providerRemoved, throughProvider()],
  ],
  ['unlinking-ends-sessions-of-the-account', 'a linked account', [...LINKED, throughProvider(), endedByUnlinking]],
  ['unlinking-ends-sessions-of-the-account', 'a password', [...LINKED, sessionStarted(), endedByUnlinking]],
  [
    'trusted-issuers-are-in-their-stream',
    'the stream of another issuer',
    [...SETTING, trustedIssuerSet(APP, 'https://issuer.example', issuerStream('https://other.example'))],
  ],
  ['trusted-issuers-are-for-registered-clients', 'an unknown client', [...SETTING, trustedIssuerSet('other')]],
  ['trusted-issuers-are-for-registered-clients', 'a removed client', [...SETTING, removed(), trustedIssuerSet()]],
  [
    'trusted-issuers-are-for-registered-clients',
    'a public client',
    [...SETTING, write(`client-${APP}`, 'ClientUpdated', { ...settings, clientType: 'public' }), trustedIssuerSet()],
  ],
  ['trusted-issuers-are-set-before-they-are-removed', 'never set', [...SETTING, trustedIssuerRemoved]],
  [
    'trusted-issuers-are-set-before-they-are-removed',
    'twice',
    [...SETTING, trustedIssuerSet(), trustedIssuerRemoved, trustedIssuerRemoved],
  ],
  ['assertions-follow-a-trusted-issuer', 'an unknown issuer', [...SETTING, redeemedAssertion()]],
  [
    'assertions-follow-a-trusted-issuer',
    'a removed issuer',
    [...SETTING, trustedIssuerSet(), trustedIssuerRemoved, redeemedAssertion()],
  ],
  ...(
    [
      ['another use', { use: 'identity-assertion' }],
      ['another client', { clientId: 'other' }],
      ['another mapping', { mapping: 'user-name' }],
      ['a user in place of the client', { userId: ANNA }],
      ['more scope', { scope: ['read', 'write'] }],
      ['a longer life', { expiresAt: BEGINNING + 4_000 }],
    ] as const
  ).map(([what, changes]): Case => [
    'assertions-follow-a-trusted-issuer',
    what,
    [...SETTING, clientRegistered('other'), trustedIssuerSet(), redeemedAssertion(changes)],
  ]),
  [
    'assertions-are-redeemed-once',
    'twice',
    [...SETTING, trustedIssuerSet(), redeemedAssertion(), assertedToken(), redeemedAssertion({}, 's')],
  ],
  [
    'asserted-tokens-are-as-recorded',
    'a longer life than the event says',
    [...SETTING, trustedIssuerSet(), redeemedAssertion(), assertedToken({ expiresAt: BEGINNING + 3_001 })],
  ],
  ['asserted-tokens-are-as-recorded', 'a mark without an assertion', [...SETTING, assertedToken()]],
  [
    'asserted-tokens-are-as-recorded',
    'a second token',
    [
      ...SETTING,
      trustedIssuerSet(),
      redeemedAssertion(),
      assertedToken(),
      assertedToken({ tokenHash: hash('a-second-one') }),
    ],
  ],
  ['resources-are-registered-before-changes', 'a change before it', [resourceUpdated('a:')]],
  ['resources-are-registered-before-changes', 'twice', [resourceRegistered('a:'), resourceRegistered('a:')]],
  [
    'resources-are-registered-before-changes',
    'a change after the removal',
    [resourceRegistered('a:'), resourceRemoved('a:'), resourceUpdated('a:')],
  ],
  ['resources-keep-their-uris', 'another URI', [resourceRegistered('a:'), resourceUpdated('b:')]],
  ['resources-keep-their-uris', 'another stream', [resourceRegistered('a:'), resourceRegistered('a:', [], 'b')]],
  [
    'tokens-have-scopes-of-their-resources',
    'more than they define',
    [
      ...SETTING,
      resourceRegistered('a:', ['read']),
      later(consent('password'), MUCH_LATER),
      later(onlyAt(issued('a1'), 'a:'), MUCH_LATER),
    ],
  ],
  [
    'tokens-have-scopes-of-their-resources',
    'just after a change',
    [
      ...SETTING,
      resourceRegistered('a:', ['read', 'write']),
      resourceUpdated('a:', ['read']),
      later(consent('password'), LATER),
      later(onlyAt(issued('a1'), 'a:'), LATER),
    ],
    'notice',
  ],
  ['details-never-widen', 'not granted', [...BY_DETAILS, detailed(issued('a1'), reference('other'))]],
  ['details-never-widen', 'of another type', [...BY_DETAILS, detailed(issued('a1'), reference('d', { type: 'give' }))]],
  [
    'details-never-widen',
    'narrows one that was not granted',
    [...BY_DETAILS, detailed(issued('a1'), payment('n', { narrows: hash('other') }))],
  ],
  [
    'details-never-widen',
    'narrowed without a text',
    [...BY_DETAILS, detailed(issued('a1'), reference('n', { narrows: hash('d') }))],
  ],
  ['details-never-widen', 'a text beside that of the consent', [...BY_DETAILS, detailed(issued('a1'), payment())]],
  [
    'details-are-consented',
    'not requested',
    [
      ...SETTING,
      BANK,
      {
        ...consent('asked'),
        event: unchecked({
          ...detailed(consent('asked'), payment()).event,
          data: {
            ...detailed(consent('asked'), payment()).event.data,
            requested: { scope: ['read', 'write'] },
          },
        }),
      },
    ],
  ],
  [
    'details-are-consented',
    'neither requested nor of the grant that it is merged with',
    [...MERGING, merging('other')],
  ],
  ['details-are-consented', 'with a password', [...SETTING, BANK, detailed(consent('password'), payment())]],
  [
    'details-are-consented',
    'not on the page',
    [...SETTING, BANK, detailed(showing('asked', 'read', 'write'), payment())],
  ],
  [
    'details-are-declared',
    'by nobody',
    [...SETTING, detailed(consent('asked'), payment()), code(), redeemed(), detailed(issued('a1'), reference())],
  ],
  [
    'details-are-declared',
    'for another resource server',
    [...BY_DETAILS, later(onlyAt(detailed(issued('a1'), reference()), 'a:'), MUCH_LATER)],
  ],
  [
    'details-are-declared',
    'just after the type was withdrawn',
    [
      ...BY_DETAILS,
      detailed(issued('a1'), reference()),
      refresh('r1'),
      write('resource-b', 'ResourceRemoved', { uri: 'b:' }),
      rotated('r1', 'r2'),
      detailed(issued('a2'), reference()),
    ],
    'notice',
  ],
  ['signing-keys-have-ids-of-their-own', 'the id is used again', [keyIntroduced(), keyIntroduced()]],
  [
    'signing-keys-have-ids-of-their-own',
    'the key ends before it begins',
    [keyIntroduced('key', { until: BEGINNING - 1 })],
  ],
  ['signing-keys-are-retired-once', 'the key was never introduced', [keyRetired('requested')]],
  [
    'signing-keys-are-retired-once',
    'the key was retired before',
    [keyIntroduced(), keyRetired('requested'), keyRetired('requested')],
  ],
  [
    'signing-keys-are-retired-once',
    'as expired, while a token is valid',
    [keyIntroduced(), ...SETTING, consent('password'), signedBy(issued('a1')), keyRetired('expired', LATER)],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by an unknown key',
    [...SETTING, consent('password'), signedBy(issued('a1'))],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by a key retired long before',
    [
      keyIntroduced(),
      keyRetired('requested'),
      ...SETTING,
      consent('password'),
      later(signedBy(issued('a1', { expires: MUCH_LATER + HOUR })), MUCH_LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by a key retired just before',
    [keyIntroduced(), keyRetired('requested'), ...SETTING, consent('password'), later(signedBy(issued('a1')), LATER)],
    'notice',
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by a key that has ended',
    [
      keyIntroduced('key', { until: BEGINNING + 1 }),
      ...SETTING,
      consent('password'),
      later(signedBy(issued('a1', { expires: MUCH_LATER + HOUR })), MUCH_LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an ID token, by a key for another algorithm',
    [...OPENID_BY_PASSWORD, keyIntroduced('other', { algorithm: 'ES256' }), idToken({ kid: hash('other') })],
  ],
  ['one-client-one-user', 'an ID token', [...OPENID_BY_PASSWORD, idToken({ userId: BERT })]],
  ['text-fits-consent', 'a scope that is not described', [...SETTING, showing('asked', 'read')]],
  ['text-fits-consent', 'a scope that was not given', [...SETTING, showing('device', 'read', 'admin')]],
  ['text-fits-consent', 'text without a page', [...SETTING, showing('remembered', 'read', 'write')]],
  ['scope-never-widens', 'a code beyond the consent', [...SETTING, consent(), code('code', ['read', 'admin'])]],
  [
    'scope-never-widens',
    'a token beyond the consent',
    [...SETTING, consent('password'), issued('a1', { scope: ['admin'] })],
  ],
  [
    'scope-never-widens',
    'a token beyond its code',
    [...SETTING, consent(), code('code', ['read']), redeemed(), issued('a1')],
  ],
  ['scope-never-widens', 'a rotation beyond the consent', [...BY_CODE, rotated('r1', 'r2', { scope: ['admin'] })]],
  [
    'scope-never-widens',
    'a token beyond its rotation',
    [...BY_CODE, rotated('r1', 'r2', { scope: ['read'] }), issued('a2')],
  ],
  [
    'a-bound-code-gives-bound-tokens',
    'a bearer token',
    [...SETTING, consent(), codeForKey(), redeemed(), issued('a1')],
  ],
  [
    'a-bound-code-gives-bound-tokens',
    'another key',
    [...SETTING, consent(), codeForKey(), redeemed(), bound(issued('a1'), 'other')],
  ],
  [
    'a-refresh-keeps-the-binding',
    'a refresh token for another key',
    [...SETTING, consent(), code(), redeemed(), bound(issued('a1')), bound(refresh('r1'), 'other')],
  ],
  ['a-refresh-keeps-the-binding', 'a bearer token', [...BOUND, rotated('r1', 'r2'), issued('a2')]],
  ['a-refresh-keeps-the-binding', 'another key', [...BOUND, bound(issued('a2'), 'other')]],
  [
    'a-refresh-token-is-spent-in-time',
    'a refresh without rotation',
    [...SETTING, consent('password'), bound(issued('a1')), refresh('r1', HOUR), later(bound(issued('a2')), 2 * HOUR)],
  ],
  ['tokens-have-a-cause', 'a second token for one code', [...BY_CODE, issued('a2')]],
  ['tokens-have-a-cause', 'a token before the code was redeemed', [...SETTING, consent(), code(), issued('a1')]],
  [
    'tokens-have-a-cause',
    'a refresh token before the code was redeemed',
    [...SETTING, consent(), code(), refresh('r1')],
  ],
  [
    'tokens-have-a-cause',
    'a second token of a client for itself',
    [...SETTING, issued('a1', { userId: null }), issued('a2', { userId: null })],
  ],
  ['answers-are-whole', 'a code is missing', [...SETTING, consent(), userRegistered(BERT, 'user-bert')]],
  ['answers-are-whole', 'an access token is missing', [...SETTING, consent(), code(), redeemed(), refresh('r1')]],
  ['answers-are-whole', 'a refresh token is missing', [...BY_PASSWORD.slice(0, -1), removed()]],
  [
    'answers-are-whole',
    'the access token of a refresh is missing',
    [...BY_CODE, rotated('r1', 'r2'), rotated('r2', 'r3')],
  ],
  [
    'resources-never-widen',
    'beyond the code',
    [...SETTING, consent(), onlyAt(code(), 'a:', 'b:'), redeemed(), onlyAt(issued('a1'), 'a:', 'c:')],
  ],
  [
    'resources-never-widen',
    'an unrestricted token',
    [...SETTING, consent(), onlyAt(code(), 'a:'), redeemed(), issued('a1')],
  ],
  [
    'resources-never-widen',
    'a refresh token for everywhere',
    [...SETTING, consent(), onlyAt(code(), 'a:'), redeemed(), onlyAt(issued('a1'), 'a:'), refresh('r1')],
  ],
  [
    'resources-never-widen',
    'a refresh token beyond the password',
    [...SETTING, consent('password'), onlyAt(issued('a1'), 'a:'), onlyAt(refresh('r1'), 'a:', 'b:')],
  ],
  [
    'resources-never-widen',
    'a refresh',
    [
      ...SETTING,
      consent('password'),
      onlyAt(issued('a1'), 'a:'),
      onlyAt(refresh('r1'), 'a:'),
      rotated('r1', 'r2'),
      onlyAt(issued('a2'), 'b:'),
    ],
  ],
  ['revocation-is-the-end', 'a refresh', [...BY_CODE, revoked, rotated('r1', 'r2')]],
  ['revocation-is-the-end', 'another revocation', [...BY_CODE, revoked, revoked]],

  ['one-code-for-a-consent', 'two codes', [...SETTING, consent(), code('c1'), code('c2')]],
  ['one-code-for-a-consent', 'a code beside a password', [...SETTING, consent('password'), code()]],
  ['a-code-redeems-once', 'a second redemption', [...BY_CODE, redeemed()]],
  ['a-code-redeems-once', 'another code', [...SETTING, consent(), code(), redeemed('other')]],
  ['a-code-redeems-once', 'no code', [...SETTING, consent(), redeemed()]],
  ['a-code-redeems-in-time', 'long after', [...SETTING, consent(), code(), redeemed('code', 60 + 61)]],
  ['a-code-redeems-in-time', 'just after', [...SETTING, consent(), code(), redeemed('code', 60)], 'notice'],

  [
    'refresh-tokens-form-a-line',
    'one spent twice',
    [...BY_CODE, rotated('r1', 'r2'), issued('a2'), rotated('r1', 'r3')],
  ],
  [
    'refresh-tokens-form-a-line',
    'a rotation without a beginning',
    [...SETTING, consent(), code(), redeemed(), issued('a1'), rotated('r0', 'r1')],
  ],
  ['refresh-tokens-form-a-line', 'two beginnings', [...BY_CODE, refresh('r2')]],
  ['a-refresh-ends-the-access-token-before-it', 'another token', [...BY_CODE, retiring('r1', 'r2', 'a0', 30)]],
  [
    'a-refresh-ends-the-access-token-before-it',
    'one that an earlier refresh ended',
    [...BY_CODE, retiring('r1', 'r2', 'a1', 30), issued('a2'), retiring('r2', 'r3', 'a1', 40)],
  ],
  ['a-refresh-ends-the-access-token-before-it', 'before the refresh', [...BY_CODE, retiring('r1', 'r2', 'a1', -1)]],
  [
    'a-refresh-ends-the-access-token-before-it',
    'no sooner than it said',
    [...BY_CODE, retiring('r1', 'r2', 'a1', HOUR)],
  ],
  ...(
    [
      ['its client', { clientId: 'other' }],
      ['its user', { userId: BERT }],
      ['its code', { redeemedCodeHash: null }],
      ['its device', { device: true }],
      ['its scope', { scope: ['read'] }],
      ['its resource servers', { resource: ['a:'] }],
      ['its refresh token', { refreshToken: { ...SUMMARY.refreshToken, tokenHash: hash('r1') } }],
      ['the refresh token before', { refreshToken: { ...SUMMARY.refreshToken, spentHash: hash('r0') } }],
      ['when it was refreshed', { refreshToken: { ...SUMMARY.refreshToken, rotatedAt: BEGINNING + 1 } }],
      ['the end of its refresh token', { refreshToken: { ...SUMMARY.refreshToken, expiresAt: BEGINNING + 9 * HOUR } }],
      ['whether its tokens are tagged', { refreshToken: { ...SUMMARY.refreshToken, hasUntagged: false } }],
      ['its access token', { accessToken: { ...SUMMARY.accessToken, tokenHash: hash('a1') } }],
      ['the scope of its access token', { accessToken: { ...SUMMARY.accessToken, scope: ['read'] } }],
      ['the end of its access token', { accessToken: { ...SUMMARY.accessToken, expiresAt: BEGINNING + 2 * HOUR } }],
    ] as const
  ).map(([what, changes]): Case => [
    'summaries-add-nothing',
    `another about ${what}`,
    [...BY_CODE, rotated('r1', 'r2'), issued('a2'), summarized(unchecked(changes))],
  ]),
  [
    'summaries-add-nothing',
    'another about its login',
    [...BY_CODE, rotated('r1', 'r2'), issued('a2'), withLogin(summarized(), login(null))],
  ],
  ['summaries-add-nothing', 'of a grant that was never refreshed', [...BY_CODE, summarized()]],
  [
    'a-refresh-token-is-spent-in-time',
    'after its end',
    [...BY_CODE.slice(0, -1), refresh('r1', 10), rotated('r1', 'r2', { at: 10 })],
  ],
  ['expiry-follows-issue', 'expired when issued', [...SETTING, consent('password'), issued('a1', { expires: -61 })]],
  [
    'expiry-follows-issue',
    'dead at its record',
    [...SETTING, consent('password'), issued('a1', { expires: 0 })],
    'notice',
  ],
  ['refreshes-are-dated-right', 'wrong by an hour', [...BY_CODE, rotated('r1', 'r2', { aheadOfTime: HOUR })], 'notice'],

  [
    'a-client-lives-once',
    'changed before it was registered',
    [
      write(`client-${APP}`, 'ClientSecretRotated', {
        secret: { algorithm: 'sha256', hash: hash('s') },
        previousUntil: null,
      }),
    ],
  ],
  ['a-client-lives-once', 'changed after its removal', [...SETTING, removed(), updated(['password'])]],
  [
    'documents-are-those-of-their-clients',
    'a document with another hash',
    [described({ document: '{"client_id":"https://app.example/c.json"} ' })],
  ],
  [
    'documents-are-those-of-their-clients',
    'a document about another client',
    [described({ redirectUris: [] }, '{"client_id":"https://app.example/d.json"}')],
  ],
  ...['http://app.example/c.json', 'http://localhost@evil.example/c.json', 'http://127.0.0.1.evil.example/'].map(
    (address): Case => ['documents-are-those-of-their-clients', `a document at ${address}`, [describedAt(address)]],
  ),
  ...(
    [
      ['another grant type', { grantTypes: ['authorization-code', 'device-code'] }],
      ['a redirect URI that is not in it', { redirectUris: ['https://app.example/cb', 'https://evil.example/'] }],
      ['the right to skip the consent page', { skipAuthorization: true }],
      ['a restricted scope', { restrictedScopes: ['audit'] }],
    ] as const
  ).map(([what, changes]): Case => ['documents-give-no-rights', what, [described(changes)]]),
  [
    'documents-give-no-rights',
    'a restricted scope besides the one of the operator',
    [
      described(),
      decided({ restrictedScopes: ['introspection'] }),
      described({ restrictedScopes: ['introspection', 'audit'] }),
    ],
  ],
  ...(
    [
      ['the end of test mode', { mode: 'test' }],
      ['the end of a required second factor', { secondFactorRequired: true }],
    ] as const
  ).map(([what, changes]): Case => [
    'documents-give-no-rights',
    what,
    [described(), decided(changes), described()],
    'notice',
  ]),
  ['domains-are-listed-once', 'listed twice', [listed('app.example', 'allowed'), listed('app.example', 'allowed')]],
  ['domains-are-listed-once', 'removed and never listed', [unlisted('app.example')]],
  [
    'domains-are-listed-once',
    'removed twice',
    [listed('a.example', 'blocked'), unlisted('a.example'), unlisted('a.example')],
  ],
  ...['App.example', 'app.example.', 'https://app.example'].map((domain): Case => [
    'domains-are-listed-once',
    domain,
    [listed(domain, 'blocked')],
  ]),
  ['blocked-domains-describe-no-clients', 'long after', [listed('example', 'blocked'), later(described(), MUCH_LATER)]],
  [
    'blocked-domains-describe-no-clients',
    'just after',
    [listed('example', 'blocked'), later(described(), LATER)],
    'notice',
  ],
  [
    'blocked-domains-describe-no-clients',
    'an allowed domain that contains it',
    [listed('example', 'allowed'), listed('app.example', 'blocked'), later(described(), MUCH_LATER)],
  ],
  [
    'consents-name-the-accepted-document',
    'a consent without the document',
    [
      ...SETTING,
      described(),
      write(G, 'ConsentGiven', { grantId: id('g'), clientId: DESCRIBED, userId: ANNA, scope: [], basis: 'asked' }),
    ],
  ],
  [
    'consents-name-the-accepted-document',
    'a document of a registered client',
    [
      ...SETTING,
      write(G, 'ConsentGiven', {
        grantId: id('g'),
        clientId: APP,
        userId: ANNA,
        scope: [],
        basis: 'asked',
        documentHash: hash('d'),
      }),
    ],
  ],
  [
    'ids-never-repeat',
    'a document for a client that was registered without one',
    [clientRegistered(DESCRIBED), described()],
  ],
  ['a-client-lives-once', 'removed twice', [...SETTING, removed(), removed()]],
  ...(['image/png', 'image/jpeg', 'image/webp'] as const).map((mediaType): Case => [
    'logos-are-images',
    `a page called ${mediaType}`,
    [...SETTING, write(`client-${APP}`, 'ClientLogoChanged', { image: { mediaType, base64: btoa('<html></html>') } })],
  ]),
  ['assertions-are-signed-by-registered-keys', 'a key that was never registered', [...SETTING, assertionBy('k')]],
  [
    'assertions-are-signed-by-registered-keys',
    'a certificate of a key that was never registered',
    [...SETTING, withKeys('k'), consent('password'), certifiedBy(issued('a1'), 'l')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'accepted twice',
    [...SETTING, withKeys('k'), assertionBy('k'), assertionBy('k')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a key long after its removal',
    [...SETTING, withKeys('k'), withKeys(), assertionBy('k', { at: MUCH_LATER })],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a key just after its removal',
    [...SETTING, withKeys('k'), withKeys(), assertionBy('k', { at: LATER })],
    'notice',
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a published key long after the client registered its keys',
    [...SETTING, withKeysUri(), withKeys('k'), assertionBy('l', { at: MUCH_LATER })],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a published key just after the client registered its keys',
    [...SETTING, withKeysUri(), withKeys('k'), assertionBy('l', { at: LATER })],
    'notice',
  ],
  ['a-client-is-disabled-once', 'disabled twice', [...SETTING, disabledClient(), disabledClient()]],
  ['a-client-is-disabled-once', 'enabled before', [...SETTING, enabledClient()]],
  [
    'disabled-clients-get-nothing',
    'a refresh while it is disabled',
    [...BY_CODE, disabledClient(), rotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'disabled-clients-get-nothing',
    'an assertion while it is disabled',
    [...SETTING, withKeys('k'), disabledClient(), assertionBy('k', { at: MUCH_LATER })],
  ],
  [
    'disabled-clients-get-nothing',
    'a refresh just after it was disabled',
    [...BY_CODE, disabledClient(), rotated('r1', 'r2', { at: LATER })],
    'notice',
  ],
  ['only-registered-clients-are-served', 'an unknown client', [SETTING[0] as Written, consent()]],
  [
    'only-registered-clients-are-served',
    'a refresh long after the removal',
    [...BY_CODE, removed(), rotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'only-registered-clients-are-served',
    'a refresh just after the removal',
    [...BY_CODE, removed(), rotated('r1', 'r2', { at: LATER })],
    'notice',
  ],
  [
    'clients-use-what-they-are-registered-for',
    'never was',
    [
      ...SETTING.slice(0, 1),
      lying(clientRegistered(APP), {
        data: { clientId: APP, ownerId: null, secret: null, ...settings, grantTypes: ['password'] },
      }),
      consent(),
    ],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'long after',
    [...SETTING, consent(), later(code(), 0), updated(['password']), redeemed('code', MUCH_LATER)],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'just after',
    [...SETTING, consent(), code(), updated(['password']), redeemed('code', LATER)],
    'notice',
  ],
  [
    'clients-use-what-they-are-registered-for',
    'for itself',
    [...SETTING, updated(['password']), later(issued('a1', { userId: null }), MUCH_LATER)],
  ],
  [
    'restricted-scopes-are-allowed',
    'consent, and never allowed',
    [...SETTING, consent('asked', { scope: ['read', 'audit'] })],
  ],
  [
    'restricted-scopes-are-allowed',
    'for itself, and allowed another',
    [...SETTING, allowed('audit'), issued('a1', { userId: null, scope: ['introspection'] })],
  ],
  [
    'restricted-scopes-are-allowed',
    'long after',
    [...SETTING, allowed('audit'), allowed(), later(consent('password', { scope: ['audit'] }), MUCH_LATER)],
  ],
  [
    'restricted-scopes-are-allowed',
    'just after',
    [...SETTING, allowed('audit'), allowed(), later(consent('password', { scope: ['audit'] }), LATER)],
    'notice',
  ],
  [
    'restricted-scopes-are-allowed',
    'one just after, one never',
    [...SETTING, allowed('audit'), allowed(), consent('asked', { scope: ['audit', 'introspection'] })],
  ],
  ['a-previous-secret-is-used-in-time', 'never rotated', [...SETTING, byPreviousSecret()]],
  [
    'a-previous-secret-is-used-in-time',
    'rotated without an overlap',
    [...SETTING, secretRotated(null), byPreviousSecret()],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'long after its end',
    [...SETTING, secretRotated(MUCH_LATER), byPreviousSecret(MUCH_LATER + 61)],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'just after its end',
    [...SETTING, secretRotated(MUCH_LATER), byPreviousSecret(MUCH_LATER)],
    'notice',
  ],
  [
    'a-previous-secret-is-used-in-time',
    'long after the next rotation',
    [...SETTING, secretRotated(HOUR), secretRotated(null, LATER), byPreviousSecret(LATER + 61)],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'just after the next rotation',
    [...SETTING, secretRotated(HOUR), secretRotated(null, LATER), byPreviousSecret(LATER)],
    'notice',
  ],
  [
    'a-previous-secret-is-used-in-time',
    'rotated ahead and used after the clock was set back',
    [...SETTING, secretRotated(YEAR_AHEAD + HOUR, YEAR_AHEAD), setBack(LATER), byPreviousSecret(YEAR_AHEAD)],
  ],
  ['a-client-secret-is-rehashed-once', 'a second rehash', [...SETTING, secretRehashed, secretRehashed]],
  ['a-client-secret-is-rehashed-once', 'after a rotation', [...SETTING, secretRotated(null), secretRehashed]],
  [
    'a-password-is-rehashed-once',
    'twice',
    [...SETTING, passwordChanged('PasswordRehashed'), passwordChanged('PasswordRehashed')],
  ],
  [
    'a-password-is-rehashed-once',
    'after a change',
    [...SETTING, passwordChanged(), passwordChanged('PasswordRehashed')],
  ],
  ['owners-exist', 'an unknown owner', [clientRegistered(APP, BERT)]],
  [
    'self-registered-clients-are-bounded',
    'with an owner',
    [userRegistered(ANNA, ANNAS_NAME), registeredItself({ ownerId: ANNA, grantTypes: ['authorization-code'] })],
  ],
  [
    'self-registered-clients-are-bounded',
    'more than codes, let in by a user',
    [...SETTING, registeredItself({ grantTypes: ['client-credentials'] })],
  ],
  ['members-exist', 'an unknown member', [...SETTING, joined(BERT)]],
  ['members-exist', 'an erased member', [...SETTING, erased, joined(ANNA)]],
  ['members-have-one-role', 'added twice', [...OWNED, joined(BERT), joined(BERT)]],
  ['members-have-one-role', 'an owner as test user', [...OWNED, joined(ANNA, 'test-user')]],
  ['members-have-one-role', 'removed without a role', [...OWNED, left(BERT, 'test-user')]],
  ['members-have-one-role', 'removed from another role', [...OWNED, joined(BERT), left(BERT, 'test-user')]],
  ['a-client-keeps-an-owner', 'the only owner', [...OWNED, left(ANNA)]],
  ['a-client-keeps-an-owner', 'beside a test user', [...OWNED, joined(BERT, 'test-user'), left(ANNA)]],
  ['a-client-keeps-an-owner', 'beside an erased owner', [...OWNED, joined(BERT), erased, left(BERT)]],
  ['invitations-work-once', 'accepted twice', [...OWNED, accepted('i'), left(BERT), accepted('i')]],
  ['invitations-work-once', 'accepted for another', [...OWNED, accepted('i', { actor: ANNA })]],
  ['test-mode-is-for-members', 'consent of another user', [...SETTING, inMode('test'), later(consent(), 61)]],
  [
    'test-mode-is-for-members',
    'a code that is redeemed just after the switch',
    [...SETTING, consent(), code(), inMode('test'), redeemed()],
    'notice',
  ],
  [
    'test-mode-is-for-members',
    'a refresh long after the test user was removed',
    [
      ...OWNED,
      joined(BERT),
      inMode('test'),
      ...BY_CODE.slice(SETTING.length),
      left(ANNA),
      rotated('r1', 'r2', { at: 61 }),
    ],
  ],
  ['invitations-work-once', 'made by no owner', [...OWNED, accepted('i', { by: BERT })]],

  ['an-account-lives-once', 'a name in use', [...SETTING, userRegistered(BERT, ANNAS_NAME)]],
  ['an-account-lives-once', 'changed after its erasure', [...SETTING, erased, disabled()]],
  ['an-account-lives-once', 'erased twice', [...SETTING, erased, erased]],
  ['an-account-lives-once', 'never registered', [enabled]],
  ['an-account-lives-once', 'disabled twice', [...SETTING, disabled(), disabled()]],
  [
    'an-account-lives-once',
    "another's name",
    [...SETTING, userRegistered(BERT, 'user-bert'), write(ANNAS_NAME, 'AllSessionsEnded', { userId: BERT })],
  ],
  ['an-account-lives-once', 'a verified address of nobody', [emailVerified()]],
  ['an-account-lives-once', 'a verified address after its erasure', [...SETTING, erased, emailVerified()]],
  ['an-account-lives-once', "another's verified address", [...SETTING, emailVerified(BERT)]],
  [
    'an-invitation-creates-one-account',
    'accepted twice',
    [...SETTING, administrator(), invitationAccepted(), invitationAccepted()],
  ],
  [
    'an-invitation-creates-one-account',
    'accepted by the operator',
    [...SETTING, invitationAccepted(null, { kind: 'operator' })],
  ],
  ['administrators-invite', 'an unknown user', [...SETTING, invitationAccepted(BERT)]],
  ['administrators-invite', 'a user without the role', [...SETTING, administrator(['auditor']), invitationAccepted()]],
  [
    'administrators-invite',
    'long after the role was lost',
    [...SETTING, administrator(), administrator([]), later(invitationAccepted(), MUCH_LATER)],
  ],
  [
    'administrators-invite',
    'just after the role was lost',
    [...SETTING, administrator(), administrator([]), later(invitationAccepted(), LATER)],
    'notice',
  ],
  [
    'administrators-invite',
    'long after the account was disabled',
    [...SETTING, administrator(), disabled(), later(invitationAccepted(), MUCH_LATER)],
  ],
  [
    'administrators-invite',
    'just after the role was lost, and long after the account was disabled',
    [...SETTING, administrator(), disabled(), later(administrator([]), MUCH_LATER), invitationAccepted()],
  ],
  [
    'administrators-invite',
    'just after the account was erased',
    [...SETTING, administrator(), erased, later(invitationAccepted(), LATER)],
    'notice',
  ],
  ['a-passkey-lives-once', 'added twice', [...SETTING, passkeyAdded(), passkeyAdded()]],
  [
    'a-passkey-lives-once',
    'added again after its removal',
    [...SETTING, passkeyAdded(), passkeyRemoved(), passkeyAdded()],
  ],
  [
    'a-passkey-lives-once',
    'added to two accounts',
    [...SETTING, userRegistered(BERT, 'user-bert'), passkeyAdded(), passkeyAdded('p', BERT, 'user-bert')],
  ],
  ['a-passkey-lives-once', 'removed and never added', [...SETTING, passkeyRemoved()]],
  ['a-passkey-lives-once', 'removed twice', [...SETTING, passkeyAdded(), passkeyRemoved(), passkeyRemoved()]],
  [
    'a-passkey-lives-once',
    'removed from another account',
    [...SETTING, userRegistered(BERT, 'user-bert'), passkeyAdded(), passkeyRemoved(BERT, 'user-bert')],
  ],
  [
    'a-passkey-lives-once',
    'removed from the next account of the name',
    [...SETTING, passkeyAdded(), erased, userRegistered(BERT, ANNAS_NAME), passkeyRemoved(BERT)],
  ],
  ['an-account-lives-once', 'a passkey after its erasure', [...SETTING, erased, passkeyAdded()]],
  ['grants-end-with-their-user', 'an unknown user', [SETTING[1] as Written, consent()]],
  ['grants-end-with-their-user', 'consent long after', [...SETTING, disabled(), later(consent(), MUCH_LATER)]],
  ['grants-end-with-their-user', 'consent just after', [...SETTING, disabled(), later(consent(), LATER)], 'notice'],
  [
    'grants-end-with-their-user',
    'a refresh after the erasure',
    [...BY_PASSWORD, erased, rotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'grants-end-with-their-user',
    'a refresh of an ended grant after enabling',
    [...BY_CODE, disabled(), enabled, rotated('r1', 'r2', { at: MUCH_LATER })],
  ],

  ['a-session-lives-once', 'started twice', [...SETTING, sessionStarted(), sessionStarted()]],
  ['a-session-lives-once', 'ended before it started', [...SETTING, sessionEnded()]],
  ['a-session-lives-once', 'ended twice', [...SETTING, sessionStarted(), sessionEnded(), sessionEnded()]],
  ['a-session-lives-once', 'ended for another user', [...SETTING, sessionStarted(), sessionEnded(BERT)]],
  ['sessions-are-used-while-open', 'an unknown session', [...SETTING, used(DAY)]],
  ['sessions-are-used-while-open', 'by another user', [...SETTING, lasting(), used(DAY, 's', BERT)]],
  ['sessions-are-used-while-open', 'after its end', [...SETTING, lasting(), ended('s'), used(DAY)]],
  ['sessions-are-used-while-open', 'after all sessions ended', [...SETTING, lasting(), signedOut, used(DAY)]],
  ['sessions-are-used-while-open', 'after its expiry', [...SETTING, lasting(), used(9 * DAY)]],
  ['sessions-are-used-while-open', 'on the day of its start', [...SETTING, lasting(), used(1)]],
  ['sessions-are-used-while-open', 'twice on a day', [...SETTING, lasting(), used(DAY), used(DAY + 1)]],
  [
    'sessions-are-used-while-open',
    'later than its record',
    [...SETTING, lasting(), later(used(2 * DAY), DAY)],
    'notice',
  ],
  ['sessions-continue-with-their-user', 'an unknown session', [...SETTING, started('s'), ended('s', 't')]],
  [
    'sessions-continue-with-their-user',
    'no session',
    [...SETTING, started('s'), write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'logged-in-again' })],
  ],
  [
    'sessions-continue-with-their-user',
    'a session after a logout',
    [
      ...SETTING,
      started('s'),
      started('t'),
      write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'logged-out', continuedBy: hash('t') }),
    ],
  ],
  [
    'sessions-continue-with-their-user',
    'the session of another user',
    [...SETTING, userRegistered(BERT, 'user-bert'), started('s'), started('t', { user: BERT }), ended('s', 't')],
  ],
  [
    'two-step-login-ends-sessions-without-it',
    'never turned on',
    [...SETTING, started('s'), write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'two-step-turned-on' })],
  ],
  [
    'two-step-login-ends-sessions-without-it',
    'a session by passkey',
    [
      ...SETTING,
      passkeyAdded(),
      started('s', { passkey: 'p' }),
      codesGenerated(),
      write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'two-step-turned-on' }),
    ],
  ],
  ['a-second-factor-lives-once', 'a second app', [...SETTING, totpAdded(), totpAdded('u')]],
  ['a-second-factor-lives-once', 'an app again', [...SETTING, totpAdded(), totpRemoved(), totpAdded()]],
  ['a-second-factor-lives-once', 'removed and never added', [...SETTING, totpRemoved()]],
  ['a-second-factor-lives-once', 'removed twice', [...SETTING, totpAdded(), totpRemoved(), totpRemoved()]],
  [
    'a-second-factor-lives-once',
    'removed from another account',
    [...SETTING, userRegistered(BERT, 'user-bert'), totpAdded(), totpRemoved(BERT, 'user-bert')],
  ],
  ['a-second-factor-lives-once', 'the same codes again', [...SETTING, codesGenerated(), codesGenerated()]],
  ['a-second-factor-lives-once', 'a code used twice', [...SETTING, codesGenerated(), codeUsed(), codeUsed()]],
  ['a-second-factor-lives-once', 'a code of nobody', [...SETTING, codeUsed()]],
  ['a-second-factor-lives-once', 'a replaced code', [...SETTING, codesGenerated(), codesGenerated('d'), codeUsed()]],
  ['a-second-factor-lives-once', 'a removed code', [...SETTING, codesGenerated(), factorsRemoved, codeUsed()]],
  [
    'a-second-factor-lives-once',
    'a code of another account',
    [...SETTING, userRegistered(BERT, 'user-bert'), codesGenerated(), codeUsed(1, BERT, 'user-bert')],
  ],
  [
    'a-code-starts-one-session',
    'a step used twice',
    [...SETTING, totpAdded(), checkedTwice(3, oneTime()), checkedTwice(4, oneTime(), 'session-2')],
  ],
  [
    'a-code-starts-one-session',
    'a recovery code used twice',
    [...SETTING, codesGenerated(), codeUsed(), checkedTwice(4, recovery()), checkedTwice(5, recovery(), 'session-2')],
  ],
  [
    'a-code-starts-one-session',
    'a recovery code whose use is not recorded',
    [...SETTING, codesGenerated(), codeUsed(2), checkedTwice(4, recovery())],
  ],
  ['second-steps-have-a-factor-of-their-account', 'no app', [...SETTING, checkedTwice(2, oneTime())]],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app before it was added',
    [...SETTING, totpAdded(), checkedTwice(2, oneTime())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'the app of another account',
    [...SETTING, userRegistered(BERT, 'user-bert'), totpAdded('t', BERT, 'user-bert'), checkedTwice(4, oneTime())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that was removed',
    [...SETTING, totpAdded(), totpRemoved(), checkedTwice(4, oneTime())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that was removed meanwhile',
    [...SETTING, totpAdded(), totpRemoved(), checkedTwice(3, oneTime())],
    'notice',
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey after the password that was removed',
    [...SETTING, passkeyAdded(), passkeyRemoved(), checkedTwice(4, { method: 'passkey', passkeyId: id('p') })],
  ],
  ['only-active-users-log-in', 'an unknown user', [sessionStarted()]],
  ['only-active-users-log-in', 'long after', [...SETTING, disabled(), sessionStarted(MUCH_LATER)]],
  ['only-active-users-log-in', 'just after', [...SETTING, disabled(), sessionStarted(LATER)], 'notice'],
  ['only-active-users-log-in', 'checked after', [...SETTING, disabled(), checked(3)]],
  ['only-active-users-log-in', 'checked before', [...SETTING, disabled(), later(checked(2), MUCH_LATER)], 'notice'],
  ['sessions-have-credentials-of-their-account', 'read when it had started', [...SETTING, checked(3)]],
  ['sessions-have-credentials-of-their-account', "a passkey that is nobody's", [...SETTING, checked(2, 'p')]],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey of another account',
    [...SETTING, userRegistered(BERT, 'user-bert'), passkeyAdded('p', BERT, 'user-bert'), checked(4, 'p')],
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey before it was added',
    [...SETTING, passkeyAdded(), checked(2, 'p')],
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey that was removed',
    [...SETTING, passkeyAdded(), passkeyRemoved(), checked(4, 'p')],
  ],
  ['sessions-end-with-their-credentials', 'a new password', [...SETTING, passwordChanged(), checked(2)], 'notice'],
  [
    'sessions-end-with-their-credentials',
    'all sessions ended',
    [...SETTING, signedOut, later(checked(2), MUCH_LATER)],
    'notice',
  ],
  ['sessions-end-with-their-credentials', 'disabled, enabled', [...SETTING, disabled(), enabled, checked(2)], 'notice'],
  [
    'sessions-end-with-their-credentials',
    'the passkey was removed',
    [...SETTING, passkeyAdded(), passkeyRemoved(), checked(3, 'p')],
    'notice',
  ],
  [
    'a-clock-set-back-ends-what-was-ahead',
    'refreshed ahead and afterwards',
    [...BY_PASSWORD, ...refreshedAhead, setBack(LATER), rotated('r2', 'r3', { at: YEAR_AHEAD })],
  ],
];

const SOUND: Readonly<Record<string, readonly Written[]>> = {
  'a chain from a JWT of another issuer': [...TRUSTING, ...exchange('x', OF_JWT), ...exchange('y', BELOW_JWT)],
  'an actor of another issuer': [...TRUSTING, ...exchange('x', ACTING_BY_JWT)],
  'an update of a managed grant': [...UPDATING, replaced(), disabled()],
  'a bound grant, with and without rotation': [...BOUND, rotated('r1', 'r2'), bound(issued('a2')), bound(issued('a3'))],
  'a bound access token beside the refresh token of a client that authenticates': [
    ...SETTING,
    consent('password'),
    bound(issued('a1')),
    refresh('r1'),
    bound(issued('a2'), 'other'),
  ],
  'a grant of a device': BY_DEVICE,
  'a grant with details, whose token narrows one': [
    ...BY_DETAILS,
    detailed(issued('a1'), reference()),
    refresh('r1'),
    rotated('r1', 'r2'),
    detailed(issued('a2'), payment('n', { narrows: hash('d') })),
  ],
  'a summary of a grant of a device': [
    ...BY_DEVICE,
    rotated('r1', 'r2'),
    issued('a2'),
    summarized(unchecked({ device: true })),
  ],
  'ID tokens beside tokens for a resource server that does not define openid, after a code and refreshes': [
    ...RESTRICTED,
    idToken(),
    rotated('r1', 'r2', { scope: OPENID_AND_MORE }),
    issued('a2', { scope: ['read'], resource: [MUSIC] }),
    idToken({ tokenHash: hash('i2') }),
    bound(issued('a3', { scope: ['read'], resource: [MUSIC] })),
    idToken({ tokenHash: hash('i3') }),
  ],
  'exchanges of the newest token, of an older one, and of one that was just retired': [
    ...EXCHANGEABLE,
    rotated('r1', 'r2'),
    issued('a2', NARROW),
    retiring('r2', 'r3', 'a2', 30),
    issued('a3'),
    ...exchange('x', { ...OF_NARROW, expiresAt: BEGINNING + 30 }),
    ...exchange('y', { parent: { ...A1, tokenHash: hash('a3') } }),
    ...exchange('z'),
  ],
  'an exchange in an open session': [
    ...EXCHANGEABLE,
    ...OF_SESSION,
    ...exchange('x', OF_LOGIN, { login: SESSION_LOGIN }),
  ],
  'a device that was denied': [...SETTING, denied],
  'a client that authenticates with a key': [...SETTING, withKeys('k', 'l'), assertionBy('k')],
  'a client that authenticates with a certificate': [
    ...SETTING,
    withKeys('k', 'l'),
    consent('password'),
    certifiedBy(issued('a1'), 'l'),
    refresh('r1'),
  ],
  'a client that publishes its keys': [...SETTING, withKeysUri(), assertionBy('k')],
  'an empty log': [],
  'a key that is retired after its last token, and one that the operator retires early': [
    keyIntroduced(),
    keyIntroduced('other', { algorithm: 'ES256' }),
    ...SETTING,
    consent('password'),
    signedBy(issued('a1')),
    refresh('r1'),
    signedBy(issued('a2', { userId: null, grant: 'h' }), 'other'),
    write('signing-keys', 'SigningKeyRetired', { kid: hash('other'), reason: 'requested' }),
    keyRetired('expired', HOUR),
  ],
  'a refresh that retires the previous access token, and a summary': [
    ...BY_CODE,
    retiring('r1', 'r2', 'a1', 30),
    issued('a2'),
    summarized(),
    retiring('r2', 'r3', 'a2', 40),
    issued('a3'),
  ],
  'second factors that are added, used, replaced and removed': [
    ...SETTING,
    totpAdded(),
    codesGenerated(),
    checkedTwice(4, oneTime()),
    checkedTwice(5, oneTime(2), 'session-2'),
    codeUsed(),
    checkedTwice(7, recovery(), 'session-3'),
    totpRemoved(),
    totpAdded('u'),
    codesGenerated('d'),
    factorsRemoved,
    totpAdded('v'),
  ],
  'sessions whose credentials were read after every change of them': [
    ...SETTING,
    passwordChanged(),
    passkeyAdded(),
    checked(4, 'p'),
    signedOut,
    { ...checked(6), stream: 'session-2' },
    disabled(),
    enabled,
    passkeyAdded('q'),
    passkeyRemoved(),
    { ...checked(11, 'q'), stream: 'session-3' },
  ],
  'a client that is told that its session and the one that continues it have ended': [
    ...OPENID,
    started('t'),
    ended('s', 't'),
    signedOut,
    logout('s'),
  ],
  'a grant for OpenID Connect that is used after its session continued in another one': [
    ...OPENID,
    started('t'),
    ended('s', 't'),
    later(redeemed(), LATER),
    ...[issued('a1', { scope: ['openid'] }), refresh('r1', null, ['openid'])].map((each) =>
      withLogin(each, passkeyLogin),
    ),
  ],
  'a grant with offline_access that is used after its session': [
    ...OPENID_LOGIN,
    ...[consent('asked', { scope: OFFLINE }), code('code', OFFLINE)].map((each) => withLogin(each, passkeyLogin)),
    ended('s'),
    later(redeemed(), LATER),
    ...[issued('a1', { scope: OFFLINE }), refresh('r1', null, OFFLINE)].map((each) => withLogin(each, passkeyLogin)),
  ],
  'a grant that records its login in every event, and a summary with it': [
    ...SETTING,
    started('s'),
    ...[consent(), code()].map((event) => withLogin(event, login('s'))),
    redeemed(),
    ...[issued('a1'), refresh('r1')].map((event) => withLogin(event, login('s'))),
    rotated('r1', 'r2'),
    ...[issued('a2'), summarized()].map((event) => withLogin(event, login('s'))),
  ],
  'a code with two refreshes, the second narrowed': [
    ...BY_CODE,
    rotated('r1', 'r2'),
    issued('a2'),
    rotated('r2', 'r3', { scope: ['read'] }),
    issued('a3', { scope: ['read'] }),
    revoked,
  ],
  'a password grant': BY_PASSWORD,
  'a previous secret used until its expiry': [
    ...SETTING,
    secretRotated(null),
    secretRotated(LATER),
    byPreviousSecret(LATER - 1),
  ],
  'a code for two resource servers, its tokens for one after the other': [
    ...SETTING,
    consent(),
    onlyAt(code(), 'a:', 'b:'),
    redeemed(),
    onlyAt(issued('a1'), 'a:'),
    onlyAt(refresh('r1'), 'a:', 'b:'),
    rotated('r1', 'r2'),
    onlyAt(issued('a2'), 'b:'),
  ],
  'an unrestricted code, its token for one resource server': [
    ...SETTING,
    consent(),
    code(),
    redeemed(),
    onlyAt(issued('a1'), 'a:'),
    refresh('r1'),
    rotated('r1', 'r2'),
    issued('a2'),
  ],
  'a login through a provider, until the account is unlinked': [
    ...LINKED,
    throughProvider(),
    accountUnlinked,
    endedByUnlinking,
    providerRemoved,
  ],
  'an account at a provider whose user was erased, linked to another one': [
    ...LINKED,
    erased,
    userRegistered(BERT, 'user-bert'),
    accountLinked(BERT),
  ],
  'a token of a client for itself, revoked': [...SETTING, issued('a1', { userId: null }), revoked],
  'a restricted scope that a client is allowed for itself': [
    ...SETTING,
    allowed('introspection'),
    issued('a1', { userId: null, scope: ['introspection'] }),
  ],
  'a refresh that still names a withdrawn restricted scope': [
    ...SETTING,
    allowed('audit'),
    consent('password', { scope: ['read', 'audit'] }),
    issued('a1', { scope: ['read', 'audit'] }),
    refresh('r1', null, ['read', 'audit']),
    allowed(),
    rotated('r1', 'r2', { scope: ['read', 'audit'], at: MUCH_LATER }),
    issued('a2', { scope: ['read', 'audit'] }),
  ],
  'a grant of a user who was enabled again': [...SETTING, disabled(), enabled, later(consent(), MUCH_LATER)],
  'passkeys that are added and removed': [
    ...SETTING,
    passkeyAdded(),
    passkeyAdded('q'),
    passkeyRemoved(),
    disabled(),
    passkeyAdded('r'),
    erased,
  ],
  'invitations of an administrator and of the operator, and a verified address': [
    ...SETTING,
    administrator(),
    invitationAccepted(),
    lying(write(`invitation-${hash('j')}`, 'InvitationAccepted', { invitedBy: null }), { actor: { kind: 'server' } }),
    emailVerified(),
    emailVerified(),
  ],
  'a name used again after an erasure': [...SETTING, erased, userRegistered(BERT, ANNAS_NAME)],
  'a revocation after the client was removed and the user erased': [
    ...BY_CODE,
    removed(),
    erased,
    later(revoked, MUCH_LATER),
  ],
  'a chain of exchanges that ends at its root, without further events': [
    ...DELEGATED,
    ...exchange('y', CONTINUED),
    ...exchange('own', {
      userId: null,
      parent: { grantId: id('mid'), clientId: 'mid', tokenHash: hash('mid'), tokenType: 'access_token' },
      root: { grantId: id('mid'), clientId: 'mid' },
    }),
    revoked,
  ],
  'a merge that keeps a detail of the earlier grant': [
    ...MERGING,
    merging(),
    inGrant(code('code2'), 'h'),
    inGrant(redeemed('code2'), 'h'),
    detailed(issued('a2', { grant: 'h' }), reference()),
    inGrant(refresh('r2'), 'h'),
    replaced(),
  ],
  'details that narrow along a chain, from a token that is not the newest': [
    ...DETAILED,
    ...detailedExchange(payment('n', { narrows: hash('d') })),
    ...detailedExchange(payment('n'), 'y', { ...CONTINUED, chain: [party('mid')] }),
    rotated('r1', 'r2'),
    issued('a2'),
    ...detailedExchange(payment(), 'z'),
  ],
  'exchange policies that are set, changed, removed and set again': [
    ...SETTING,
    clientRegistered('other'),
    exchangePolicySet(),
    exchangePolicySet(),
    exchangePolicySet(APP, 'other'),
    exchangePolicyRemoved,
    exchangePolicySet(),
    removed(),
  ],
  'documents that keep what the operator decided': [
    describedAt('http://[::1]:8000/c.json'),
    described(),
    decided({ skipAuthorization: true, restrictedScopes: ['audit'], mode: 'test' }),
    described({ skipAuthorization: true, restrictedScopes: ['audit'], mode: 'test' }),
    described({ mode: 'test' }),
  ],
  'domains that are allowed and blocked again': [
    listed('example', 'blocked'),
    listed('app.example', 'allowed'),
    later(described(), MUCH_LATER),
    later(listed('app.example', 'blocked'), MUCH_LATER),
    later(unlisted('app.example'), MUCH_LATER),
    later(listed('app.example', 'allowed'), MUCH_LATER),
  ],
  'trusted issuers that are set, changed, removed and set again': [
    ...SETTING,
    clientRegistered('other'),
    trustedIssuerSet(),
    trustedIssuerSet('other'),
    trustedIssuerRemoved,
    trustedIssuerSet(),
    removed(),
  ],
  'assertions of a trusted issuer': [
    ...SETTING,
    trustedIssuerSet(),
    redeemedAssertion(),
    assertedToken(),
    redeemedAssertion({ assertionHash: hash('another-assertion') }, 's'),
    assertedToken({}, 's'),
    trustedIssuerRemoved,
  ],
  'a logout after the account was disabled': [...SETTING, sessionStarted(), disabled(), sessionEnded()],
};

async function auditOf(log: readonly Written[]): Promise<{ found: readonly AuditFinding[]; summary: AuditSummary }> {
  const found: AuditFinding[] = [];
  let summary: AuditSummary | undefined;
  const events = handWritten(log);
  async function* batches() {
    for (let from = 0; from < events.length; from += 3) yield events.slice(from, from + 3);
  }
  for await (const item of audit(batches())) {
    if ('rule' in item) found.push(item);
    else summary = item;
  }
  if (summary === undefined) throw new Error('the audit ended without a summary');
  return { found, summary };
}

async function* endless() {
  for (;;) yield handWritten(SETTING);
}

describe('the rules of the audit', () => {
  for (const [rule, what, log, severity = 'finding'] of BROKEN) {
    it(`${rule}: report a ${severity} at the event that breaks it (${what})`, async () => {
      const { found } = await auditOf(log);
      const last = handWritten(log).at(-1);
      const others = found.filter(({ position }) => position !== last?.position);
      expect(others, 'nothing before it').to.deep.equal([]);
      expect(found.filter((breach) => breach.rule === rule)).to.have.lengthOf(1);
      expect(found.find((breach) => breach.rule === rule)).to.include({ severity, stream: last?.stream });
    });
  }

  it('are each broken by a log in this file', () => {
    expect([...new Set(BROKEN.map(([rule]) => rule))].toSorted()).to.deep.equal(
      rules.map(({ name }) => name).toSorted(),
    );
  });

  it('have unique names and one-sentence descriptions', () => {
    expect(new Set(rules.map(({ name }) => name)).size).to.equal(rules.length);
    for (const { description } of rules) expect(description).to.match(/^[A-Z][^.]*\.$/);
  });

  for (const [what, log] of Object.entries(SOUND)) {
    it(`hold for ${what}`, async () => {
      expect((await auditOf(log)).found).to.deep.equal([]);
    });
  }
});

describe('the audit', () => {
  it('ends with a summary: events by type, the last position, findings and notices', async () => {
    const { summary } = await auditOf([...BY_CODE, removed(), rotated('r1', 'r2', { at: LATER }), redeemed()]);
    expect(summary).to.include({ events: 10, position: 10, rules: rules.length, notices: 2 });
    expect(summary.findings).to.be.greaterThan(0);
    expect(summary.eventsByType).to.include({ ConsentGiven: 1, AuthorizationCodeRedeemed: 2, ClientRemoved: 1 });
  });

  it('accepts any events in any order', async () => {
    const everything = [
      ...BY_CODE,
      rotated('r1', 'r2'),
      issued('a2'),
      revoked,
      disabled(),
      erased,
      updated(['password']),
      removed(),
      sessionStarted(),
      sessionEnded(),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(everything), async (log) => {
        expect((await auditOf(log)).summary.events).to.equal(log.length);
      }),
    );
  });

  it('continues after an unreadable record', async () => {
    const { found } = await auditOf([
      ...SETTING,
      lying(consent(), { type: 'Mystery' }),
      consent(),
      code(),
      redeemed('other'),
    ]);
    expect(found.map(({ rule, position }) => [rule, position])).to.deep.equal([
      ['records-follow-their-schema', 3],
      ['a-code-redeems-once', 6],
    ]);
  });

  it('ends when its signal aborts', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    const outcome = await audit(endless(), { signal: stop.signal })
      .next()
      .catch((error: unknown) => error);
    expect(outcome).to.equal(stop.signal.reason);
  });
});
