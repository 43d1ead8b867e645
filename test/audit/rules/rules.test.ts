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
import { BEGINNING, toRecordedEvents, hash, id, write, type TestEvent } from './hand-written-log.ts';
import { PROVIDER_SETTINGS } from '../../support/provider-settings.ts';

const ANNA = id('anna');
const BERT = id('bert');
const ANNA_STREAM = 'user-anna';
const APP = 'app';
const GRANT = `grant-${id('g')}`;
const HOUR = 3_600;

const settings = {
  ...CLIENT_SETTINGS,
  grantTypes: ['authorization-code', 'client-credentials', 'password', 'device-code', 'token-exchange', 'jwt-bearer'],
} as const;
const userRegistered = (userId: string, stream: string): TestEvent =>
  write(stream, 'UserRegistered', { userId, sealed: 's', roles: [] });
const clientRegistered = (clientId: string, ownerId: string | null = null): TestEvent =>
  write(`client-${clientId}`, 'ClientRegistered', { clientId, ownerId, secret: null, ...settings });
const clientSelfRegistered = (changes: {
  readonly ownerId?: string;
  readonly grantTypes: readonly ('authorization-code' | 'client-credentials')[];
}): TestEvent => ({
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
const DOCUMENT_URL = 'https://app.example/c.json';
const DOCUMENT_SETTINGS = {
  ...settings,
  grantTypes: ['authorization-code'],
  redirectUris: ['https://app.example/cb'],
} as const;
const documentAccepted = (
  changes: Readonly<Record<string, unknown>> = {},
  document = JSON.stringify({ client_id: DOCUMENT_URL, redirect_uris: ['https://app.example/cb'] }),
): TestEvent => {
  const documentHash = createHash('sha256').update(document).digest('base64url');
  return write(`client-${DOCUMENT_URL}`, 'ClientDocumentAccepted', {
    clientId: DOCUMENT_URL,
    hash: documentHash,
    document,
    ...DOCUMENT_SETTINGS,
    ...changes,
  });
};
const documentAcceptedAt = (clientId: string): TestEvent => {
  const event = documentAccepted(
    { clientId },
    JSON.stringify({ client_id: clientId, redirect_uris: DOCUMENT_SETTINGS.redirectUris }),
  );
  return { ...event, stream: `client-${clientId}` };
};
const documentClientUpdated = (changes: Readonly<Record<string, unknown>>): TestEvent =>
  write(`client-${DOCUMENT_URL}`, 'ClientUpdated', { ...DOCUMENT_SETTINGS, ...changes });
const domainListed = (domain: string, rule: 'allowed' | 'blocked'): TestEvent =>
  write('domains', 'ClientDomainListed', { domain, rule });
const domainUnlisted = (domain: string): TestEvent => write('domains', 'ClientDomainUnlisted', { domain });
const consentGiven = (
  basis: 'asked' | 'password' | 'device' = 'asked',
  { grant = 'g', scope = ['read', 'write'] } = {},
): TestEvent =>
  write(`grant-${id(grant)}`, 'ConsentGiven', { grantId: id(grant), clientId: APP, userId: ANNA, scope, basis });
const consentShowing = (basis: string, ...names: readonly string[]): TestEvent =>
  write(GRANT, 'ConsentGiven', {
    grantId: id('g'),
    clientId: APP,
    userId: ANNA,
    scope: ['read', 'write'],
    basis,
    shown: { textVersion: '0'.repeat(64), application: 'App', scopes: names.map((name) => ({ name, text: [] })) },
  });
const tokenIssued = (
  name: string,
  changes: Partial<{
    clientId: string;
    userId: string | null;
    scope: string[];
    grant: string;
    expires: number;
    resource: string[];
  }> = {},
): TestEvent => {
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
const codeIssued = (name = 'code', scope = ['read', 'write']): TestEvent =>
  write(GRANT, 'AuthorizationCodeIssued', {
    codeHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    redirectUri: '',
    redirectUriRequired: true,
    codeChallenge: null,
    expiresAt: BEGINNING + 60,
  });
const codeRedeemed = (name = 'code', at?: number): TestEvent =>
  write(GRANT, 'AuthorizationCodeRedeemed', { codeHash: hash(name) }, at);
const deviceAuthorized = (name = 'code', scope = ['read', 'write']): TestEvent =>
  write(GRANT, 'DeviceAuthorized', {
    codeHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    expiresAt: BEGINNING + 600,
  });
const deviceDenied = write(GRANT, 'DeviceDenied', { grantId: id('g'), clientId: APP, userId: ANNA });
const deviceCodeRedeemed = (name = 'code', at?: number): TestEvent =>
  write(GRANT, 'DeviceCodeRedeemed', { codeHash: hash(name) }, at);
const refreshTokenIssued = (name: string, expires: number | null = null, scope = ['read', 'write']): TestEvent =>
  write(GRANT, 'RefreshTokenIssued', {
    tokenHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    expiresAt: expires === null ? null : BEGINNING + expires,
  });
const tokenRotated = (
  spent: string,
  next: string,
  { scope = ['read', 'write'], at = 0, aheadOfTime = 0 } = {},
): TestEvent =>
  write(
    GRANT,
    'RefreshTokenRotated',
    { spentHash: hash(spent), tokenHash: hash(next), scope, rotatedAt: BEGINNING + at + aheadOfTime, expiresAt: null },
    at,
  );
/** A rotation that retires an access token. */
const rotationRetiring = (spent: string, next: string, access: string, endsAt: number): TestEvent => {
  const rotation = tokenRotated(spent, next);
  const retired = { tokenHash: hash(access), endsAt: BEGINNING + endsAt };
  return { ...rotation, event: unchecked({ ...rotation.event, data: { ...rotation.event.data, retired } }) };
};
/** The summary of an authorization-code grant after a rotation from r1 to r2, with its token a2. */
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
const grantSummarized = (changes: Partial<typeof SUMMARY> & { readonly resource?: string[] } = {}): TestEvent =>
  write(GRANT, 'GrantSummarized', { ...SUMMARY, ...changes });
const keyIntroduced = (name = 'key', changes: object = {}): TestEvent =>
  write('signing-keys', 'SigningKeyIntroduced', {
    kid: hash(name),
    algorithm: 'RS256',
    publicKey: { kty: 'RSA', n: 'n', e: 'AQAB' },
    from: BEGINNING,
    until: BEGINNING + 24 * HOUR,
    reason: 'first',
    ...changes,
  });
const keyRetired = (reason: 'expired' | 'requested', at?: number): TestEvent =>
  write('signing-keys', 'SigningKeyRetired', { kid: hash('key'), reason }, at);
/** Adds the id of the client's key to the event. */
const withClientKeyId = ({ event, ...rest }: TestEvent, label: string): TestEvent => ({
  ...rest,
  event: unchecked({ ...event, data: { ...event.data, clientKeyId: hash(label) } }),
});
/** Adds the id of the signing key to the token. */
const withSigningKey = ({ event, ...rest }: TestEvent, name = 'key'): TestEvent => ({
  ...rest,
  event: unchecked({ ...event, data: { ...event.data, kid: hash(name) } }),
});
/** Binds the token to a key. */
const bindToKey = ({ event, ...rest }: TestEvent, key = 'key'): TestEvent => ({
  ...rest,
  event: unchecked({ ...event, data: { ...event.data, confirmation: { method: 'jkt', thumbprint: hash(key) } } }),
});
/** A code that only one key can redeem. */
const codeForKey = (key = 'key'): TestEvent => {
  const { event, ...rest } = codeIssued();
  return { ...rest, event: unchecked({ ...event, data: { ...event.data, dpopJkt: hash(key) } }) };
};
const WITH_OPENID_SCOPE = { scope: ['openid'] };
const idToken = (changes: object = {}): TestEvent =>
  write(GRANT, 'IdTokenIssued', {
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
const idTokenAlgorithmChanged = (idTokenAlgorithm: string): TestEvent =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, openid: { ...DEFAULT_OPENID, idTokenAlgorithm } });
const login = (session: string | null, authTime = BEGINNING, acr = 'pwd', amr = ['pwd']): Login =>
  unchecked({ sessionHash: session === null ? null : hash(session), authTime, amr, acr });
/** Adds a login to the event. */
const withLogin = ({ event, ...rest }: TestEvent, added: Login): TestEvent => ({
  ...rest,
  event: unchecked({ ...event, data: { ...event.data, login: added } }),
});
const grantRevoked = write(GRANT, 'GrantRevoked', { reason: 'revoked-by-client' });
const userDisabled = (at?: number): TestEvent => write(ANNA_STREAM, 'UserDisabled', { userId: ANNA }, at);
const userEnabled = write(ANNA_STREAM, 'UserEnabled', { userId: ANNA });
const userErased = write(ANNA_STREAM, 'UserErased', { userId: ANNA });
const passkeyAdded = (name = 'p', userId = ANNA, stream = ANNA_STREAM): TestEvent =>
  write(stream, 'PasskeyAdded', { userId, passkeyId: id(name), sealed: 's' });
const passkeyRemoved = (userId = ANNA, stream = ANNA_STREAM): TestEvent =>
  write(stream, 'PasskeyRemoved', { userId, passkeyId: id('p') });
const clientDisabled = (at?: number): TestEvent => write(`client-${APP}`, 'ClientDisabled', {}, at);
const clientEnabled = (): TestEvent => write(`client-${APP}`, 'ClientEnabled', {});
const clientRemoved = (at?: number): TestEvent => write(`client-${APP}`, 'ClientRemoved', {}, at);
const clientUpdated = (grantTypes: readonly 'password'[]): TestEvent =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, grantTypes });
/** Registers keys with these thumbprints for the client. */
const keysRegistered = (...labels: readonly string[]): TestEvent =>
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
/** Lets the client publish its keys at a URI. */
const keysUriRegistered = (): TestEvent =>
  write(`client-${APP}`, 'ClientUpdated', {
    ...settings,
    authentication: { methods: ['private_key_jwt'], keys: [], keysUri: 'https://app.example/jwks.json', tls: null },
  });
const clientAssertionAccepted = (label: string, { at = 0 } = {}): TestEvent =>
  write(
    'assertion-jti',
    'ClientAssertionAccepted',
    { clientId: APP, keyId: hash(label), algorithm: 'EdDSA', expiresAt: BEGINNING + at + 60 },
    at,
  );
const restrictedScopesAllowed = (...restrictedScopes: readonly ('audit' | 'introspection')[]): TestEvent =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, restrictedScopes });
const secretRotated = (previousUntil: number | null, at?: number): TestEvent =>
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
const passwordChanged = (type: 'PasswordChanged' | 'PasswordRehashed' = 'PasswordChanged'): TestEvent =>
  write(ANNA_STREAM, type, { userId: ANNA, sealed: 's' });
const tokenByPreviousSecret = (at?: number): TestEvent =>
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
/** Restricts the event to these resource servers. */
const restrictTo = (testEvent: TestEvent, ...resource: string[]): TestEvent => ({
  ...testEvent,
  event: unchecked({ type: testEvent.event.type, data: { ...testEvent.event.data, resource } }),
});
const sessionStarted = (at?: number): TestEvent =>
  write('session-1', 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR }, at);
/** A session started with the password or a passkey, as of this position. */
function sessionAsOf(checkedAsOf: number, passkey?: string): TestEvent {
  const credential = passkey === undefined ? { method: 'password' } : { method: 'passkey', passkeyId: id(passkey) };
  const authentication = unchecked({ ...credential, authenticatedAt: BEGINNING, checkedAsOf });
  return write('session-1', 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR, authentication });
}
const totpAdded = (name = 't', userId = ANNA, stream = ANNA_STREAM): TestEvent =>
  write(stream, 'TotpAdded', { userId, totpId: id(name), sealed: 's' });
const totpRemoved = (userId = ANNA, stream = ANNA_STREAM): TestEvent =>
  write(stream, 'TotpRemoved', { userId, totpId: id('t') });
const codesGenerated = (name = 'c', userId = ANNA, stream = ANNA_STREAM): TestEvent =>
  write(stream, 'RecoveryCodesGenerated', { userId, codesId: id(name), sealed: 's' });
const codeUsed = (number = 1, userId = ANNA, stream = ANNA_STREAM): TestEvent =>
  write(stream, 'RecoveryCodeUsed', { userId, codesId: id('c'), number });
const factorsRemoved = write(ANNA_STREAM, 'SecondFactorsRemoved', { userId: ANNA, reason: 'lost' });
/** A session started with the password and a second factor, as of this position. */
function twoStepSessionAsOf(checkedAsOf: number, secondFactor: object, session = 'session-1'): TestEvent {
  const authentication = unchecked({ method: 'password', authenticatedAt: BEGINNING, checkedAsOf, secondFactor });
  return write(session, 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR, authentication });
}
const totpFactor = (step = 1): object => ({ method: 'totp', totpId: id('t'), step });
const recoveryCodeFactor = (number = 1): object => ({ method: 'recovery-code', codesId: id('c'), number });
const streamOf = (session: string): string => `session-${hash(session)}`;
const sessionStart = (session: string, { user = ANNA, passkey = undefined as string | undefined } = {}): TestEvent => {
  const { event } = sessionAsOf(passkey === undefined ? 0 : 3, passkey);
  return { stream: streamOf(session), event: unchecked({ ...event, data: { ...event.data, userId: user } }) };
};
const sessionEnd = (session: string, continuedBy?: string): TestEvent =>
  write(streamOf(session), 'SessionEnded', {
    userId: ANNA,
    reason: continuedBy === undefined ? 'logged-out' : 'logged-in-again',
    ...(continuedBy !== undefined && { continuedBy: hash(continuedBy) }),
  });
const DAY = 24 * HOUR;
const sessionUsed = (at: number, session = 's', userId = ANNA): TestEvent =>
  write(streamOf(session), 'SessionUsed', { userId, usedAt: BEGINNING + at }, at);
/** A session that lasts for days. */
const longSession = (): TestEvent => {
  const { event } = sessionStart('s');
  return {
    stream: streamOf('s'),
    event: unchecked({ ...event, data: { ...event.data, expiresAt: BEGINNING + 9 * DAY } }),
  };
};
const allSessionsEnded = write(ANNA_STREAM, 'AllSessionsEnded', { userId: ANNA });
const sessionEnded = (userId = ANNA): TestEvent => write('session-1', 'SessionEnded', { userId });
const emailVerified = (userId = ANNA): TestEvent => write(ANNA_STREAM, 'EmailVerified', { userId, sealed: 's' });
const rolesChanged = (roles: readonly ('administrator' | 'auditor')[] = ['administrator']): TestEvent =>
  write(ANNA_STREAM, 'UserRolesChanged', { userId: ANNA, roles });
const groupCreated = (stream: string, groupId: string, name: string): TestEvent =>
  write(`group-${stream}`, 'GroupCreated', { groupId: id(groupId), name });
const groupTitled = (stream: string, groupId: string): TestEvent =>
  write(`group-${stream}`, 'GroupTitleChanged', { groupId: id(groupId), title: 'Our staff' });
const groupRemoved = (stream: string, groupId: string): TestEvent =>
  write(`group-${stream}`, 'GroupRemoved', { groupId: id(groupId) });
const joinedGroup = (groupId: string, userId = ANNA): TestEvent =>
  write(ANNA_STREAM, 'GroupMemberAdded', { userId, groupId: id(groupId) });
const leftGroup = (groupId: string): TestEvent =>
  write(ANNA_STREAM, 'GroupMemberRemoved', { userId: ANNA, groupId: id(groupId) });
const resourceSettings = (scopes: readonly string[]) => ({
  name: 'API',
  ownerId: null,
  scopes: scopes.map((name) => ({ name, description: name })),
  accessTokenFormat: null,
  accessTokenAlgorithm: null,
  accessTokenLifetimeSeconds: null,
  publishesMetadata: false,
});
const resourceRegistered = (uri: string, scopes: readonly string[] = [], stream = 'a'): TestEvent =>
  write(`resource-${stream}`, 'ResourceRegistered', { uri, settings: resourceSettings(scopes) });
const resourceUpdated = (uri: string, scopes: readonly string[] = []): TestEvent =>
  write('resource-a', 'ResourceUpdated', { uri, settings: resourceSettings(scopes) });
const resourceRemoved = (uri: string): TestEvent => write('resource-a', 'ResourceRemoved', { uri });
const withDetailTypes = (testEvent: TestEvent, ...types: string[]): TestEvent => {
  const { type, data } = testEvent.event as unknown as { type: string; data: { settings: object } };
  const detailTypes = types.map((detailType) => ({ type: detailType, schema: '{}', sentence: detailType }));
  const newSettings = { ...data.settings, ...(types.length > 0 && { detailTypes }) };
  return { ...testEvent, event: unchecked({ type, data: { ...data, settings: newSettings } }) };
};
const BANK = withDetailTypes(resourceRegistered('b:', [], 'b'), 'pay');
const payment = (name = 'd', changes: object = {}) => ({ type: 'pay', hash: hash(name), sealed: 's', ...changes });
const reference = (name = 'd', changes: object = {}) => ({ type: 'pay', hash: hash(name), ...changes });
/** Adds details to a token, or to a consent, as both requested and granted. */
const withDetails = (testEvent: TestEvent, ...details: object[]): TestEvent => {
  const { type, data } = testEvent.event as unknown as { type: string; data: { scope: readonly string[] } };
  const requestedDetails = details.map((detail) => ({ type: 'pay', hash: 'hash' in detail ? detail.hash : '' }));
  const requested = type === 'ConsentGiven' ? { requested: { scope: data.scope, details: requestedDetails } } : {};
  return { ...testEvent, event: unchecked({ type, data: { ...data, details, ...requested } }) };
};
const exchangeStream = (client: string, subject: string): string =>
  `exchange-${createHash('sha256')
    .update(JSON.stringify([client, subject]))
    .digest('base64url')}`;
const exchangePolicySet = (client = APP, subject = APP, stream = exchangeStream(client, subject)): TestEvent =>
  write(stream, 'ExchangePolicySet', {
    clientId: client,
    subjectClientId: subject,
    settings: { modes: ['delegation'], scope: null, resources: null },
  });
const providerSet = write('provider-corp', 'UpstreamProviderSet', { providerId: 'corp', settings: PROVIDER_SETTINGS });
const providerDisabled = write('provider-corp', 'UpstreamProviderSet', {
  providerId: 'corp',
  settings: { ...PROVIDER_SETTINGS, disabled: true },
});
const providerRemoved = write('provider-corp', 'UpstreamProviderRemoved', { providerId: 'corp' });
const settingChanged = (value: number): TestEvent =>
  write('settings', 'SettingChanged', { name: 'accessTokenLifetimeSeconds', value });
const settingReset = write('settings', 'SettingReset', { name: 'accessTokenLifetimeSeconds' });
const ACCOUNT = { providerId: 'corp', subjectHash: createHash('sha256').update('subject').digest('base64url') };
const accountLinked = (userId = ANNA): TestEvent =>
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
const throughProvider = (): TestEvent =>
  write('session-1', 'SessionStarted', {
    userId: ANNA,
    expiresAt: BEGINNING + 9 * HOUR,
    authentication: unchecked({ method: 'upstream', ...ACCOUNT, authenticatedAt: BEGINNING, checkedAsOf: 0 }),
  });
const endedByUnlinking = write('session-1', 'SessionEnded', { userId: ANNA, reason: 'account-unlinked' });
const LINKED_ACCOUNT = [userRegistered(ANNA, ANNA_STREAM), providerSet, accountLinked()];
const exchangePolicyRemoved = write(exchangeStream(APP, APP), 'ExchangePolicyRemoved', {
  clientId: APP,
  subjectClientId: APP,
});
const issuerStream = (issuer: string): string => `issuer-${createHash('sha256').update(issuer).digest('base64url')}`;
const trustedIssuerSet = (client = APP, issuer = 'https://issuer.example', stream = issuerStream(issuer)): TestEvent =>
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
const redeemedAssertion = (changes: Readonly<Record<string, unknown>> = {}, name = 'r'): TestEvent =>
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
const assertedToken = (changes: Readonly<Record<string, unknown>> = {}, name = 'r'): TestEvent =>
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
const atTime = (testEvent: TestEvent, at: number): TestEvent => ({ ...testEvent, at });
const withEnvelope = (testEvent: TestEvent, envelope: Partial<RecordedEvent>): TestEvent => ({
  ...testEvent,
  envelope,
});
/** The server is the actor, because the invited user has no account yet. */
const invitationAccepted = (invitedBy: string | null = ANNA, actor: RecordedEvent['actor'] = { kind: 'server' }) =>
  withEnvelope(write(`invitation-${hash('i')}`, 'InvitationAccepted', { invitedBy }), { actor });
const INVITATION = `invitation-${hash('i')}`;
const invitationSent = (invitedBy: string | null = ANNA, expiresAt = BEGINNING + 604_800): TestEvent =>
  withEnvelope(write(INVITATION, 'InvitationSent', { invitedBy, sealed: 'sealed', roles: [], expiresAt }), {
    actor: invitedBy === null ? { kind: 'operator' } : { kind: 'user', id: invitedBy },
  });
const invitationWithdrawn = write(INVITATION, 'InvitationWithdrawn', {});

type Role = 'owner' | 'test-user';
const memberAdded = (userId: string, role: Role = 'owner'): TestEvent =>
  write(`client-${APP}`, 'ClientMemberAdded', { userId, role, invitation: null });
/** Bert accepts an invitation from Anna. */
const invitedMemberAdded = (invitation: string, { by = ANNA, actor = BERT } = {}): TestEvent => ({
  ...write(`client-${APP}`, 'ClientMemberAdded', {
    userId: BERT,
    role: 'owner',
    invitation: { hash: hash(invitation), by },
  }),
  envelope: { actor: { kind: 'user', id: actor } },
});
const memberRemoved = (userId: string, role: Role = 'owner'): TestEvent =>
  write(`client-${APP}`, 'ClientMemberRemoved', { userId, role });
const clientModeChanged = (mode: 'live' | 'test'): TestEvent =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, mode });
/** Bert has an account, and Anna owns the application. */
const OWNED_CLIENT = [
  userRegistered(ANNA, ANNA_STREAM),
  userRegistered(BERT, 'user-bert'),
  clientRegistered(APP, ANNA),
];

const BASE = [userRegistered(ANNA, ANNA_STREAM), clientRegistered(APP)];
const DETAILS_GRANT = [...BASE, BANK, withDetails(consentGiven('asked'), payment()), codeIssued(), codeRedeemed()];
/** An authorization-code grant. Ends at position 7. */
const CODE_GRANT = [...BASE, consentGiven(), codeIssued(), codeRedeemed(), tokenIssued('a1'), refreshTokenIssued('r1')];
const BOUND_GRANT = [
  ...BASE,
  consentGiven(),
  codeForKey(),
  codeRedeemed(),
  bindToKey(tokenIssued('a1')),
  bindToKey(refreshTokenIssued('r1')),
];
/** Anna logs in with a passkey and authorizes OpenID Connect. */
const passkeyLogin = login('s', BEGINNING, 'phr', ['pop', 'user']);
const OPENID_LOGIN = [...BASE, passkeyAdded(), sessionStart('s', { passkey: 'p' })];
const openIdConsent = (): TestEvent => consentGiven('asked', { scope: ['openid'] });
const OPENID_GRANT = [
  ...OPENID_LOGIN,
  ...[openIdConsent(), codeIssued('code', ['openid'])].map((event) => withLogin(event, passkeyLogin)),
];
const OFFLINE_SCOPE = ['openid', 'offline_access'];
const DEVICE_GRANT = [
  ...BASE,
  consentGiven('device'),
  deviceAuthorized(),
  deviceCodeRedeemed(),
  tokenIssued('a1'),
  refreshTokenIssued('r1'),
];
const inGrant = (testEvent: TestEvent, grant: string): TestEvent => ({ ...testEvent, stream: `grant-${id(grant)}` });
const withManagement = (testEvent: TestEvent, management: Readonly<Record<string, unknown>>): TestEvent => ({
  ...testEvent,
  event: unchecked({ type: testEvent.event.type, data: { ...testEvent.event.data, management } }),
});
/** A grant that its client manages as `g`. */
const MANAGED_GRANT = [
  ...BASE,
  withManagement(consentGiven(), { action: 'create', grantId: id('g') }),
  codeIssued(),
  codeRedeemed(),
  tokenIssued('a1'),
  refreshTokenIssued('r1'),
];
const withUserBert = (testEvent: TestEvent): TestEvent => ({
  ...testEvent,
  event: unchecked({ type: testEvent.event.type, data: { ...testEvent.event.data, userId: BERT } }),
});
const updateConsent = (changes: Readonly<Record<string, unknown>> = {}): TestEvent =>
  withManagement(consentGiven('asked', { grant: 'h' }), {
    action: 'replace',
    grantId: id('g'),
    updates: id('g'),
    ...changes,
  });
/** An update of that grant, without the revocation that must follow. */
const MANAGED_GRANT_UPDATE = [
  ...MANAGED_GRANT,
  updateConsent(),
  inGrant(codeIssued('code2'), 'h'),
  inGrant(codeRedeemed('code2'), 'h'),
  tokenIssued('a2', { grant: 'h' }),
  inGrant(refreshTokenIssued('r2'), 'h'),
];
/** A managed grant with a detail, for an update that merges it without a request for details. */
const MERGEABLE_GRANT = [
  BANK,
  ...MANAGED_GRANT.map((testEvent) => {
    if (testEvent.event.type === 'AccessTokenIssued') return withDetails(testEvent, reference());
    return testEvent.event.type === 'ConsentGiven'
      ? withManagement(withDetails(consentGiven('asked'), payment()), { action: 'create', grantId: id('g') })
      : testEvent;
  }),
];
const mergeConsent = (name = 'd'): TestEvent => {
  const update = updateConsent({ action: 'merge' });
  const data = { ...update.event.data, details: [payment(name)], requested: { scope: ['read'] } };
  return { ...update, event: unchecked({ type: update.event.type, data }) };
};
const grantReplaced = (by = 'h'): TestEvent =>
  write(GRANT, 'GrantRevoked', { reason: 'updated', replacedBy: unchecked(id(by)) });
const PASSWORD_GRANT = [...BASE, consentGiven('password'), tokenIssued('a1'), refreshTokenIssued('r1')];
const OPENID_PASSWORD_GRANT = [
  ...BASE,
  keyIntroduced(),
  consentGiven('password', WITH_OPENID_SCOPE),
  tokenIssued('a1', WITH_OPENID_SCOPE),
  refreshTokenIssued('r1', null, WITH_OPENID_SCOPE.scope),
];
/** A resource server that defines the scope of the access token. */
const MUSIC = 'https://music.example';
const OPENID_AND_READ = ['openid', 'read'];
const RESTRICTED_GRANT = [
  ...BASE,
  keyIntroduced(),
  resourceRegistered(MUSIC, ['read']),
  consentGiven('asked', { scope: OPENID_AND_READ }),
  restrictTo(codeIssued('code', OPENID_AND_READ), MUSIC),
  codeRedeemed(),
  tokenIssued('a1', { scope: ['read'], resource: [MUSIC] }),
  restrictTo(refreshTokenIssued('r1', null, OPENID_AND_READ), MUSIC),
];
const LATER = 30;
const MUCH_LATER = 600;

/** The header that a request with a trace carries (W3C Trace Context). */
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const logoutDelivered = (session: string, client = APP, userId = ANNA): TestEvent =>
  write(streamOf(session), 'LogoutDelivered', { clientId: client, userId, attempts: 1 });

type Exchange = Extract<TestEvent['event'], { type: 'TokenExchanged' }>['data'];
/** The client `api` exchanges Anna's first token. Returns both events, for a token that is valid for an hour. */
function exchange(
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
  tokenChanges: Readonly<Record<string, unknown>> = {},
): readonly TestEvent[] {
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
    write(`grant-${id(name)}`, 'AccessTokenIssued', { ...token, ...tokenChanges }),
  ];
}
const exchangeEvent = (changes: Readonly<Record<string, unknown>>, name = 'x'): TestEvent =>
  exchange(name, changes)[0]!;
const policySet = (client: string, subject: string, limits: object = {}): TestEvent =>
  write(exchangeStream(client, subject), 'ExchangePolicySet', {
    clientId: client,
    subjectClientId: subject,
    settings: { modes: ['impersonation', 'delegation'], scope: null, resources: null, ...limits },
  });
/** The client `api` may exchange Anna's token, and `mid` those of `api`. Both have client credentials tokens. */
const EXCHANGEABLE = [
  ...BASE,
  clientRegistered('api'),
  clientRegistered('mid'),
  policySet('api', APP),
  policySet('mid', 'api'),
  policySet('api', 'mid'),
  consentGiven(),
  codeIssued(),
  codeRedeemed(),
  tokenIssued('a1'),
  refreshTokenIssued('r1'),
  tokenIssued('api', { grant: 'api', clientId: 'api', userId: null }),
  tokenIssued('mid', { grant: 'mid', clientId: 'mid', userId: null }),
];
const A1 = { grantId: id('g'), clientId: APP, tokenHash: hash('a1'), tokenType: 'access_token' };
/** A token with less scope than its grant, and the data of its exchange. */
const NARROW_TOKEN = { scope: ['read'], resource: ['https://one.example'], expires: 1_800 };
const NARROW_EXCHANGE = {
  parent: { ...A1, tokenHash: hash('a2') },
  scope: NARROW_TOKEN.scope,
  resource: NARROW_TOKEN.resource,
  expiresAt: BEGINNING + NARROW_TOKEN.expires,
};
const actingAs = (client: string, changes: object = {}) => ({
  actor: { grantId: id(client), clientId: client, userId: null, tokenHash: hash(client), ...changes },
  mode: 'delegation',
});
const party = (clientId: string) => ({ clientId, userId: null });
/** An exchange where `api` acts for Anna. */
const DELEGATION = [...EXCHANGEABLE, ...exchange('x', { ...actingAs('api'), chain: [party('api')] })];
/** The data of a second exchange, where `mid` acts as well. */
const SECOND_EXCHANGE = {
  clientId: 'mid',
  parent: { grantId: id('x'), clientId: 'api', tokenHash: hash('x'), tokenType: 'access_token' },
  depth: 2,
  ...actingAs('mid'),
  chain: [party('mid'), party('api')],
};

/** EXCHANGEABLE, with a detail in Anna's token. */
const WITH_DETAIL = [
  BANK,
  ...EXCHANGEABLE.map((testEvent) => {
    if (testEvent.event.type === 'ConsentGiven') return withDetails(consentGiven('asked'), payment());
    const isFirst = testEvent.event.type === 'AccessTokenIssued' && testEvent.event.data.userId !== null;
    return isFirst ? withDetails(testEvent, reference()) : testEvent;
  }),
];
/** An exchange of Anna's token with a detail. */
const exchangeWithDetail = (
  detail: ReturnType<typeof reference>,
  name = 'x',
  changes: object = {},
): readonly [TestEvent, TestEvent] => {
  const namedDetails = [{ type: detail.type, hash: detail.hash }];
  const [first, second] = exchange(name, { ...changes, details: namedDetails }, { details: [detail] });
  return [first ?? expect.fail(), second ?? expect.fail()];
};

const ID_PARENT = { grantId: id('g'), clientId: APP, tokenHash: hash('a1'), tokenType: 'id_token' };

/** A JWT from another issuer, which is mapped to the client. */
const EXTERNAL_JWT = {
  issuer: 'https://issuer.example',
  tokenHash: hash('jwt'),
  tokenType: 'jwt',
  subjectHash: hash('subject'),
  mapping: 'client',
  keyId: hash('key'),
  algorithm: 'ES256',
  expiresAt: BEGINNING + HOUR,
};
/** The data of an exchange of that JWT by `api`, which the trusted issuer's settings allow without a policy. */
const JWT_EXCHANGE = {
  userId: null,
  parent: EXTERNAL_JWT,
  root: { grantId: id('x'), clientId: 'api' },
  scope: ['read'],
  expiresAt: BEGINNING + 3_000,
};
/** The data of an exchange of the resulting token by `mid`. */
const SECOND_JWT_EXCHANGE = {
  ...SECOND_EXCHANGE,
  ...JWT_EXCHANGE,
  parent: SECOND_EXCHANGE.parent,
  chain: [party('mid')],
};
/** The data of an exchange where `api` presents the JWT as the actor token. */
const ACTING_BY_JWT = {
  mode: 'delegation',
  actor: { ...party('api'), ...EXTERNAL_JWT },
  chain: [party('api')],
  scope: ['read'],
  expiresAt: BEGINNING + 3_000,
};
const WITH_TRUSTED_ISSUER = [...EXCHANGEABLE, trustedIssuerSet('api')];

/** The login of a grant that ends with its session; the grant; and the data of an exchange of its token. */
const SESSION_LOGIN = login('s');
const SESSION_GRANT = [
  sessionStart('s'),
  ...[
    consentGiven('asked', { grant: 'h', scope: ['openid', 'read'] }),
    inGrant(codeIssued('code2', ['openid', 'read']), 'h'),
    inGrant(codeRedeemed('code2'), 'h'),
    tokenIssued('a2', { grant: 'h', scope: ['openid', 'read'] }),
    inGrant(refreshTokenIssued('r2', null, ['openid', 'read']), 'h'),
  ].map((testEvent) =>
    testEvent.event.type === 'AuthorizationCodeRedeemed' ? testEvent : withLogin(testEvent, SESSION_LOGIN),
  ),
];
const SESSION_GRANT_EXCHANGE = {
  scope: ['read'],
  parent: { ...A1, grantId: id('h'), tokenHash: hash('a2') },
  root: { grantId: id('h'), clientId: APP },
  login: SESSION_LOGIN,
};

type Case = readonly [rule: string, violation: string, log: readonly TestEvent[], severity?: 'notice'];

const YEAR_AHEAD = 31_536_000;
/**
 * A refresh while the clock is a year ahead. Later events have the same time, because the audit reports a notice when
 * the clock is set back.
 */
const refreshedAhead: readonly TestEvent[] = [
  tokenRotated('r1', 'r2', { at: YEAR_AHEAD }),
  tokenIssued('a2', { expires: YEAR_AHEAD + HOUR }),
];
const clockSetBack = (at: number): TestEvent =>
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

/** In each log, only the last event breaks the rule. */
const VIOLATIONS: readonly Case[] = [
  [
    'exchanges-only-narrow',
    'a scope that the subject token lacks',
    [...EXCHANGEABLE, exchangeEvent({ scope: ['read', 'admin'] })],
  ],
  [
    'exchanges-only-narrow',
    'a longer lifetime than the subject token',
    [...EXCHANGEABLE, exchangeEvent({ expiresAt: BEGINNING + HOUR + 1 })],
  ],
  [
    'exchanges-only-narrow',
    'more scope than the actor token',
    [
      ...EXCHANGEABLE,
      tokenIssued('small', { grant: 'small', clientId: 'api', userId: null, scope: ['read'] }),
      exchangeEvent({ ...actingAs('api', { grantId: id('small'), tokenHash: hash('small') }), chain: [party('api')] }),
    ],
  ],
  [
    'exchanges-only-narrow',
    'a longer lifetime than the actor token',
    [
      ...EXCHANGEABLE,
      tokenIssued('short', { grant: 'short', clientId: 'api', userId: null, expires: 60 }),
      exchangeEvent({ ...actingAs('api', { grantId: id('short'), tokenHash: hash('short') }), chain: [party('api')] }),
    ],
  ],
  [
    'exchanges-only-narrow',
    'a different resource server at depth two',
    [
      ...EXCHANGEABLE,
      ...exchange('x', { resource: ['https://one.example'] }),
      exchangeEvent({ ...SECOND_EXCHANGE, resource: ['https://two.example'], chain: [party('mid')] }, 'y'),
    ],
  ],
  [
    'exchanges-only-narrow',
    'no restriction to a resource server at depth two',
    [
      ...EXCHANGEABLE,
      ...exchange('x', { resource: ['https://one.example'] }),
      exchangeEvent({ ...SECOND_EXCHANGE, chain: [party('mid')] }, 'y'),
    ],
  ],
  ...(
    [
      ['scope', { scope: ['read', 'write'] }],
      ['resource servers', { resource: [MUSIC] }],
      ['lifetime', { expiresAt: BEGINNING + HOUR }],
    ] as const
  ).map(([what, changes]): Case => [
    'exchanges-only-narrow',
    `more ${what} than its subject token, which is not its grant's newest`,
    [
      ...EXCHANGEABLE,
      tokenRotated('r1', 'r2'),
      tokenIssued('a2', NARROW_TOKEN),
      tokenRotated('r2', 'r3'),
      tokenIssued('a3'),
      exchangeEvent({ ...NARROW_EXCHANGE, ...changes }),
    ],
  ]),
  [
    'exchanges-only-narrow',
    'a longer lifetime than its subject token, which a refresh has retired',
    [
      ...EXCHANGEABLE,
      rotationRetiring('r1', 'r2', 'a1', 30),
      tokenIssued('a2'),
      exchangeEvent({ expiresAt: BEGINNING + 31 }),
    ],
  ],
  [
    'exchanges-only-narrow',
    'more scope than the access token issued with an ID token',
    [
      ...EXCHANGEABLE,
      keyIntroduced(),
      consentGiven('asked', { grant: 'h', scope: ['openid', 'read', 'write'] }),
      inGrant(codeIssued('code2', ['openid', 'read', 'write']), 'h'),
      inGrant(codeRedeemed('code2'), 'h'),
      tokenIssued('a2', { grant: 'h', scope: ['openid', 'read'] }),
      inGrant(refreshTokenIssued('r2', null, ['openid', 'read', 'write']), 'h'),
      inGrant(idToken(), 'h'),
      exchangeEvent({
        parent: { grantId: id('h'), clientId: APP, tokenHash: hash('i1'), tokenType: 'id_token' },
        root: { grantId: id('h'), clientId: APP },
      }),
    ],
  ],
  [
    'exchanges-present-issued-tokens',
    'a subject token that was never issued',
    [...EXCHANGEABLE, exchangeEvent({ parent: { ...A1, tokenHash: hash('other') } })],
  ],
  [
    'exchanges-present-issued-tokens',
    'a token from another grant',
    [...EXCHANGEABLE, exchangeEvent({ parent: { ...A1, tokenHash: hash('api') } })],
  ],
  [
    'exchanges-present-issued-tokens',
    'an actor token that was never issued',
    [...EXCHANGEABLE, exchangeEvent({ ...actingAs('api', { tokenHash: hash('other') }), chain: [party('api')] })],
  ],
  [
    'exchanges-present-issued-tokens',
    'a subject token that expired long ago',
    [
      ...EXCHANGEABLE,
      tokenIssued('late', { grant: 'late', clientId: 'api', userId: null, expires: 3 * HOUR }),
      atTime(settingChanged(600), 2 * HOUR),
      exchangeEvent({ expiresAt: BEGINNING + 3 * HOUR }),
    ],
  ],
  [
    'details-narrow-along-chains',
    'a detail that the subject token lacks',
    [...WITH_DETAIL, ...exchangeWithDetail(payment('other'))],
  ],
  [
    'details-narrow-along-chains',
    'a detail of a different type',
    [...WITH_DETAIL, ...exchangeWithDetail(payment('d', { type: 'give' }))],
  ],
  [
    'details-narrow-along-chains',
    'a detail in the consent that its subject token lacks',
    [
      ...WITH_DETAIL,
      tokenRotated('r1', 'r2'),
      withDetails(tokenIssued('a2'), payment('n', { narrows: hash('d') })),
      ...exchangeWithDetail(payment(), 'x', {
        parent: { grantId: id('g'), clientId: APP, tokenHash: hash('a2'), tokenType: 'access_token' },
      }),
    ],
  ],
  [
    'details-narrow-along-chains',
    'a wider detail at depth two than at depth one',
    [
      ...WITH_DETAIL,
      ...exchangeWithDetail(payment('n', { narrows: hash('d') })),
      ...exchangeWithDetail(payment(), 'y', { ...SECOND_EXCHANGE, chain: [party('mid')] }),
    ],
  ],
  ['details-narrow-along-chains', 'no text for the detail', [...WITH_DETAIL, ...exchangeWithDetail(reference())]],
  [
    'details-narrow-along-chains',
    'a token with details that the exchange lacks',
    [...WITH_DETAIL, exchangeEvent({}), exchangeWithDetail(payment())[1]],
  ],
  [
    'exchanges-only-narrow',
    'a longer lifetime than a JWT from another issuer',
    [
      ...WITH_TRUSTED_ISSUER,
      exchangeEvent({ ...JWT_EXCHANGE, parent: { ...EXTERNAL_JWT, expiresAt: BEGINNING + 2_999 } }),
    ],
  ],
  [
    'exchanges-only-narrow',
    "a longer lifetime than its actor's JWT",
    [
      ...WITH_TRUSTED_ISSUER,
      exchangeEvent({ ...ACTING_BY_JWT, actor: { ...ACTING_BY_JWT.actor, expiresAt: BEGINNING + 2_999 } }),
    ],
  ],
  [
    'chains-are-whole',
    "a root other than the exchange of another issuer's JWT",
    [...WITH_TRUSTED_ISSUER, exchangeEvent({ ...JWT_EXCHANGE, root: { grantId: id('g'), clientId: APP } })],
  ],
  [
    'chains-are-whole',
    'an ID token that is not the newest',
    [...EXCHANGEABLE, exchangeEvent({ parent: { ...ID_PARENT, tokenHash: hash('earlier') } })],
  ],
  ...(
    [
      ['an unknown issuer', [...EXCHANGEABLE, exchangeEvent(JWT_EXCHANGE)]],
      ['a removed issuer', [...WITH_TRUSTED_ISSUER, trustedIssuerRemoved, exchangeEvent(JWT_EXCHANGE)]],
      [
        'a client that the issuer is not trusted for',
        [...EXCHANGEABLE, trustedIssuerSet('mid'), exchangeEvent(JWT_EXCHANGE)],
      ],
      [
        'a different mapping',
        [...WITH_TRUSTED_ISSUER, exchangeEvent({ ...JWT_EXCHANGE, parent: { ...EXTERNAL_JWT, mapping: 'user-name' } })],
      ],
      ['a user instead of the client', [...WITH_TRUSTED_ISSUER, exchangeEvent({ ...JWT_EXCHANGE, userId: ANNA })]],
      [
        'a scope that is not allowed',
        [...WITH_TRUSTED_ISSUER, exchangeEvent({ ...JWT_EXCHANGE, scope: ['read', 'write'] })],
      ],
      [
        'a longer lifetime than allowed',
        [
          ...WITH_TRUSTED_ISSUER,
          exchangeEvent({
            ...JWT_EXCHANGE,
            parent: { ...EXTERNAL_JWT, expiresAt: BEGINNING + 9_999 },
            expiresAt: BEGINNING + 9_000,
          }),
        ],
      ],
      ['an actor token from an unknown issuer', [...EXCHANGEABLE, exchangeEvent(ACTING_BY_JWT)]],
      [
        'more scope than its actor token',
        [...WITH_TRUSTED_ISSUER, exchangeEvent({ ...ACTING_BY_JWT, scope: ['read', 'write'] })],
      ],
    ] as const
  ).map(([what, log]): Case => ['exchanged-jwts-follow-a-trusted-issuer', what, log]),
  ...(
    [
      ['its session', [sessionEnd('s')]],
      [
        'the session that continues the session of the grant',
        [sessionStart('t'), sessionEnd('s', 't'), sessionEnd('t')],
      ],
      ['all sessions of its user', [allSessionsEnded]],
    ] as const
  ).map(([what, ends]): Case => [
    'nothing-is-exchanged-after-an-end',
    `an exchange after the root grant ended with ${what}`,
    [...EXCHANGEABLE, ...SESSION_GRANT, ...ends, exchangeEvent(SESSION_GRANT_EXCHANGE)],
  ]),
  [
    'nothing-is-exchanged-after-an-end',
    "an exchange after the root's issuer was removed and trusted again",
    [
      ...WITH_TRUSTED_ISSUER,
      ...exchange('x', JWT_EXCHANGE),
      trustedIssuerRemoved,
      trustedIssuerSet('api'),
      exchangeEvent(SECOND_JWT_EXCHANGE, 'y'),
    ],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange after the issuer of an actor above was removed',
    [
      ...WITH_TRUSTED_ISSUER,
      ...exchange('x', ACTING_BY_JWT),
      trustedIssuerRemoved,
      exchangeEvent({ ...SECOND_EXCHANGE, scope: ['read'], expiresAt: BEGINNING + 3_000 }, 'y'),
    ],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    "an exchange after the issuer of the root's assertion was removed",
    [
      ...EXCHANGEABLE,
      trustedIssuerSet(),
      redeemedAssertion(),
      assertedToken(),
      trustedIssuerRemoved,
      exchangeEvent({
        userId: null,
        parent: { grantId: id('r'), clientId: APP, tokenHash: hash('token-r'), tokenType: 'access_token' },
        root: { grantId: id('r'), clientId: APP },
        scope: ['read'],
        expiresAt: BEGINNING + 3_000,
      }),
    ],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange after its grant was revoked',
    [...EXCHANGEABLE, grantRevoked, exchangeEvent({})],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange after the root was revoked',
    [...DELEGATION, grantRevoked, exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange after the root client was removed',
    [...DELEGATION, clientRemoved(), exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange while the root client is disabled',
    [...DELEGATION, clientDisabled(), exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange after the user was disabled',
    [...DELEGATION, userDisabled(), exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an exchange after the grant of an actor above was revoked',
    [
      ...DELEGATION,
      write(`grant-${id('api')}`, 'GrantRevoked', { reason: 'revoked-by-client' }),
      exchangeEvent(SECOND_EXCHANGE, 'y'),
    ],
  ],
  [
    'chains-are-whole',
    'a subject token without a grant',
    [
      ...EXCHANGEABLE,
      exchangeEvent({
        parent: { ...SECOND_EXCHANGE.parent, clientId: APP },
        root: { grantId: id('x'), clientId: APP },
      }),
    ],
  ],
  ['chains-are-whole', 'a different user', [...EXCHANGEABLE, exchangeEvent({ userId: BERT })]],
  ['chains-are-whole', 'an incorrect depth', [...DELEGATION, exchangeEvent({ ...SECOND_EXCHANGE, depth: 3 }, 'y')]],
  [
    'chains-are-whole',
    'a different root',
    [...DELEGATION, exchangeEvent({ ...SECOND_EXCHANGE, root: { grantId: id('x'), clientId: 'api' } }, 'y')],
  ],
  [
    'chains-are-whole',
    'a missing actor',
    [...DELEGATION, exchangeEvent({ ...SECOND_EXCHANGE, chain: [party('mid')] }, 'y')],
  ],
  ['chains-are-whole', 'an incorrect mode', [...EXCHANGEABLE, exchangeEvent({ mode: 'delegation' })]],
  [
    'chains-have-no-circles',
    'a client that makes two exchanges in one chain',
    [
      ...DELEGATION,
      ...exchange('y', SECOND_EXCHANGE),
      exchangeEvent(
        {
          parent: { grantId: id('y'), clientId: 'mid', tokenHash: hash('y'), tokenType: 'access_token' },
          depth: 3,
          chain: SECOND_EXCHANGE.chain,
        },
        'z',
      ),
    ],
  ],
  [
    'chains-have-no-circles',
    "another client's actor token",
    [...EXCHANGEABLE, exchangeEvent({ ...actingAs('mid'), chain: [party('mid')] })],
  ],
  [
    'chains-have-no-circles',
    'an actor whose grant is for a different user',
    [
      ...EXCHANGEABLE,
      exchangeEvent({ ...actingAs('api', { userId: BERT }), chain: [{ clientId: 'api', userId: BERT }] }),
    ],
  ],
  [
    'chains-have-no-circles',
    'an actor token that was exchanged',
    [
      ...DELEGATION,
      exchangeEvent(
        { ...actingAs('api', { grantId: id('x'), userId: ANNA }), chain: [{ clientId: 'api', userId: ANNA }] },
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
      exchangeEvent({
        userId: null,
        parent: { grantId: id('api'), clientId: 'api', tokenHash: hash('api'), tokenType: 'access_token' },
        root: { grantId: id('api'), clientId: 'api' },
        ...actingAs('api'),
        chain: [party('api')],
      }),
    ],
  ],
  [
    'exchanges-follow-a-policy',
    'no policy',
    [...EXCHANGEABLE, clientRegistered('stranger'), exchangeEvent({ clientId: 'stranger' })],
  ],
  [
    'exchanges-follow-a-policy',
    'a mode that the policy does not allow',
    [...EXCHANGEABLE, policySet('api', APP, { modes: ['delegation'] }), exchangeEvent({})],
  ],
  [
    'exchanges-follow-a-policy',
    'more scope than the policy allows',
    [...EXCHANGEABLE, policySet('api', APP, { scope: ['read'] }), exchangeEvent({})],
  ],
  [
    'exchanges-follow-a-policy',
    "no restriction to the policy's resource server",
    [...EXCHANGEABLE, policySet('api', APP, { resources: ['https://one.example'] }), exchangeEvent({})],
  ],
  [
    'exchanged-tokens-are-as-recorded',
    'a token with a different lifetime',
    [...EXCHANGEABLE, ...exchange('x', {}, { expiresAt: BEGINNING + 5 })],
  ],
  [
    'exchanged-tokens-are-as-recorded',
    'a token with less scope',
    [...EXCHANGEABLE, ...exchange('x', {}, { scope: ['read'] })],
  ],
  [
    'exchanged-tokens-are-as-recorded',
    'a token that is not marked as exchanged',
    [...EXCHANGEABLE, ...exchange('x', {}, { exchanged: undefined })],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'an exchange without the grant type',
    [
      ...EXCHANGEABLE,
      write('client-api', 'ClientUpdated', { ...settings, grantTypes: ['password'] }),
      atTime(exchangeEvent({}), MUCH_LATER),
    ],
  ],
  ['positions-without-gap', 'an event is missing', [...BASE, withEnvelope(consentGiven(), { position: 4 as never })]],
  ['positions-without-gap', 'an event is repeated', [...BASE, withEnvelope(consentGiven(), { position: 2 as never })]],
  [
    'revisions-without-gap',
    'an event is missing in the stream',
    [...BASE, consentGiven(), withEnvelope(codeIssued(), { revision: 3 as never })],
  ],
  [
    'revisions-without-gap',
    'a stream does not begin with its first revision',
    [withEnvelope(userRegistered(ANNA, ANNA_STREAM), { revision: 2 as never })],
  ],
  [
    'records-follow-their-schema',
    'the type is unknown',
    [...BASE, withEnvelope(consentGiven(), { type: 'TokenUpdated' })],
  ],
  ['records-follow-their-schema', 'the version is unknown', [...BASE, withEnvelope(consentGiven(), { version: 99 })]],
  ['records-follow-their-schema', 'a member is missing', [...BASE, withEnvelope(consentGiven(), { data: {} })]],
  [
    'records-follow-their-schema',
    'the time is missing',
    [...BASE, withEnvelope(consentGiven(), { recordedAt: 'now' as never })],
  ],
  [
    'clock-goes-forward',
    'the clock was set back by an hour',
    [atTime(userRegistered(ANNA, ANNA_STREAM), HOUR), atTime(clientRegistered(APP), 0)],
    'notice',
  ],

  [
    'traces-are-of-a-request',
    'an invalid trace',
    [...BASE, withEnvelope(consentGiven(), { requestId: 'r', traceparent: '00-anna' })],
  ],
  [
    'traces-are-of-a-request',
    'a trace that is not a string',
    [...BASE, withEnvelope(consentGiven(), { requestId: 'r', traceparent: 7 as never })],
  ],
  [
    'traces-are-of-a-request',
    'a trace without a request',
    [...BASE, withEnvelope(consentGiven(), { traceparent: TRACEPARENT })],
  ],

  ['events-in-their-stream', 'a client event in a grant stream', [write('grant-x', 'ClientRemoved', {})]],
  [
    'events-in-their-stream',
    "a token in another grant's stream",
    [...CODE_GRANT, { ...tokenIssued('a2'), stream: `grant-${id('other')}` }],
  ],
  ['ids-never-repeat', 'a repeated client id', [...BASE, clientRegistered(APP)]],
  ['ids-never-repeat', 'a user id repeated under a different name', [...BASE, userRegistered(ANNA, 'user-bert')]],
  ['ids-never-repeat', 'a second consent in a grant', [...BASE, consentGiven(), consentGiven()]],
  ['ids-never-repeat', 'a repeated group id', [groupCreated('1', 'x', 'one'), groupCreated('2', 'x', 'two')]],
  ['credentials-never-repeat', 'a repeated access token', [...CODE_GRANT, tokenRotated('r1', 'r2'), tokenIssued('a1')]],
  ['credentials-never-repeat', 'a repeated refresh token', [...CODE_GRANT, tokenRotated('r1', 'r1')]],
  ['group-names-are-unique', 'a repeated name', [groupCreated('1', 'x', 'one'), groupCreated('2', 'y', 'one')]],
  [
    'a-group-is-removed-once',
    "a removal in another group's stream",
    [groupCreated('1', 'x', 'one'), groupRemoved('2', 'x')],
  ],
  [
    'a-group-is-removed-once',
    'a second removal',
    [groupCreated('1', 'x', 'one'), groupRemoved('1', 'x'), groupRemoved('1', 'x')],
  ],
  [
    'existing-groups-get-titles',
    "a title in another group's stream",
    [groupCreated('1', 'x', 'one'), groupTitled('2', 'x')],
  ],
  [
    'existing-groups-get-titles',
    'a title for a removed group',
    [groupCreated('1', 'x', 'one'), groupRemoved('1', 'x'), groupTitled('1', 'x')],
  ],
  ['group-members-change-once', 'a member of an unknown group', [...BASE, joinedGroup('x')]],
  [
    'group-members-change-once',
    'a member added twice',
    [...BASE, groupCreated('1', 'x', 'one'), joinedGroup('x'), joinedGroup('x')],
  ],
  [
    'group-members-change-once',
    'the removal of a user who is not a member',
    [...BASE, groupCreated('1', 'x', 'one'), leftGroup('x')],
  ],
  [
    'group-members-change-once',
    'a member of a removed group',
    [...BASE, groupCreated('1', 'x', 'one'), groupRemoved('1', 'x'), joinedGroup('x')],
  ],
  ['an-account-lives-once', 'a member without an account', [groupCreated('1', 'x', 'one'), joinedGroup('x')]],

  ['consent-comes-first', 'a code without consent', [...BASE, codeIssued()]],
  ['consent-comes-first', 'a device without consent', [...BASE, deviceAuthorized()]],
  ['consent-comes-first', 'a redemption after a denial', [...BASE, deviceDenied, deviceCodeRedeemed()]],
  [
    'answers-are-whole',
    'an authorization code after consent for a device',
    [...BASE, consentGiven('device'), codeIssued()],
  ],
  ['answers-are-whole', 'no access token after a device code', [...DEVICE_GRANT.slice(0, 5), refreshTokenIssued('r1')]],
  ['a-code-redeems-once', 'a device code redeemed twice', [...DEVICE_GRANT, deviceCodeRedeemed()]],
  [
    'a-code-redeems-once',
    'a device code redeemed as an authorization code',
    [...DEVICE_GRANT.slice(0, 4), codeRedeemed()],
  ],
  ['a-code-redeems-once', 'a different device code', [...DEVICE_GRANT.slice(0, 4), deviceCodeRedeemed('other')]],
  ['a-code-redeems-in-time', 'an expired device code', [...DEVICE_GRANT.slice(0, 4), deviceCodeRedeemed('code', 700)]],
  [
    'scope-never-widens',
    'a device authorized for more than the consent',
    [...BASE, consentGiven('device'), deviceAuthorized('code', ['read', 'groups'])],
  ],
  [
    'credentials-never-repeat',
    'a repeated device code',
    [
      ...CODE_GRANT,
      consentGiven('device', { grant: 'other' }),
      { ...deviceAuthorized(), stream: `grant-${id('other')}` },
    ],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a denied device without the grant type',
    [...BASE, atTime(clientUpdated(['password']), 0), atTime(deviceDenied, MUCH_LATER)],
  ],
  ['consent-comes-first', "a user's token without a consent", [...BASE, tokenIssued('a1')]],
  ['consent-comes-first', 'a revocation without consent', [...BASE, grantRevoked]],
  [
    'one-client-one-user',
    "another client's token",
    [...BASE, clientRegistered('other'), consentGiven('password'), tokenIssued('a1', { clientId: 'other' })],
  ],
  [
    'one-client-one-user',
    "another user's token",
    [...BASE, userRegistered(BERT, 'user-bert'), consentGiven('password'), tokenIssued('a1', { userId: BERT })],
  ],
  [
    'one-client-one-user',
    'a token without a user',
    [...BASE, consentGiven('password'), tokenIssued('a1', { userId: null })],
  ],
  ...(
    [
      ['of a different session', login('other')],
      ['in no session', login(null)],
      ['at a different time', login('s', BEGINNING - 1)],
      ['of a different class', login('s', BEGINNING, 'phr')],
      ['by a different method', login('s', BEGINNING, 'pwd', ['pop'])],
    ] as const
  ).map(([what, otherLogin]): Case => [
    'one-login-per-grant',
    `a code with a login ${what}`,
    [...BASE, sessionStart('s'), withLogin(consentGiven(), login('s')), withLogin(codeIssued(), otherLogin)],
  ]),
  [
    'one-login-per-grant',
    'a code without the login in its consent',
    [...BASE, sessionStart('s'), withLogin(consentGiven(), login('s')), codeIssued()],
  ],
  [
    'one-login-per-grant',
    'a refresh token with a login that its consent lacks',
    [...CODE_GRANT.slice(0, -1), withLogin(refreshTokenIssued('r1'), login('s'))],
  ],
  [
    'logout-tokens-follow-logouts',
    'a session that never started',
    [...OPENID_GRANT, sessionEnd('s'), logoutDelivered('t')],
  ],
  ['logout-tokens-follow-logouts', 'a session that has not ended', [...OPENID_GRANT, logoutDelivered('s')]],
  [
    'logout-tokens-follow-logouts',
    'a session that another one continues',
    [...OPENID_GRANT, sessionStart('t'), sessionEnd('s', 't'), logoutDelivered('s')],
  ],
  [
    'logout-tokens-follow-logouts',
    'a second logout token',
    [...OPENID_GRANT, sessionEnd('s'), logoutDelivered('s'), logoutDelivered('s')],
  ],
  [
    'logout-tokens-follow-logouts',
    'a client that was not authorized',
    [...OPENID_GRANT, sessionEnd('s'), logoutDelivered('s', 'other')],
  ],
  [
    'logout-tokens-follow-logouts',
    "another user's logout token",
    [...OPENID_GRANT, sessionEnd('s'), logoutDelivered('s', APP, BERT)],
  ],
  [
    'logout-tokens-follow-logouts',
    'a client that was not authorized for OpenID Connect',
    [
      ...OPENID_LOGIN,
      ...[consentGiven(), codeIssued()].map((event) => withLogin(event, passkeyLogin)),
      sessionEnd('s'),
      logoutDelivered('s'),
    ],
  ],
  ['logins-belong-to-sessions', 'a session that never started', [...BASE, withLogin(consentGiven(), login('s'))]],
  [
    'logins-belong-to-sessions',
    "another user's session",
    [
      ...BASE,
      userRegistered(BERT, 'user-bert'),
      sessionStart('s', { user: BERT }),
      withLogin(consentGiven(), login('s')),
    ],
  ],
  [
    'logins-belong-to-sessions',
    "a login time that differs from the session's",
    [...BASE, sessionStart('s'), withLogin(consentGiven(), login('s', BEGINNING - 1))],
  ],
  ['logins-belong-to-sessions', 'no session', [...BASE, withLogin(consentGiven(), login(null))]],
  [
    'logins-belong-to-sessions',
    'a session in addition to a password',
    [...BASE, sessionStart('s'), withLogin(consentGiven('password'), login('s'))],
  ],
  ...(
    [
      ['its user logged out', sessionEnd('s')],
      ['its user ended all sessions', allSessionsEnded],
      ['the password changed', passwordChanged()],
      ['its passkey was removed', passkeyRemoved()],
    ] as const
  ).flatMap(([what, end]): readonly Case[] => [
    [
      'grants-end-with-their-session',
      `a code redeemed long after ${what}`,
      [...OPENID_GRANT, end, atTime(codeRedeemed(), MUCH_LATER)],
    ],
    [
      'grants-end-with-their-session',
      `a code redeemed just after ${what}`,
      [...OPENID_GRANT, end, atTime(codeRedeemed(), LATER)],
      'notice',
    ],
  ]),
  [
    'grants-end-with-their-session',
    'a consent long after the session ended',
    [...OPENID_LOGIN, sessionEnd('s'), atTime(withLogin(openIdConsent(), passkeyLogin), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-session',
    'a code redeemed after the continuing session ended',
    [...OPENID_GRANT, sessionStart('t'), sessionEnd('s', 't'), sessionEnd('t'), atTime(codeRedeemed(), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-session',
    'a consent long after another session continued its session',
    [
      ...OPENID_LOGIN,
      sessionStart('t'),
      sessionEnd('s', 't'),
      atTime(withLogin(openIdConsent(), passkeyLogin), MUCH_LATER),
    ],
  ],
  [
    'updates-keep-the-id-client-and-user',
    "a new grant under another grant's id",
    [...BASE, withManagement(consentGiven(), { action: 'create', grantId: id('h') })],
  ],
  [
    'updates-keep-the-id-client-and-user',
    'an update that names no grant',
    [...BASE, withManagement(consentGiven(), { action: 'merge', grantId: id('g') })],
  ],
  ['updates-keep-the-id-client-and-user', 'an update of an unknown grant', [...BASE, updateConsent()]],
  [
    'updates-keep-the-id-client-and-user',
    'an update with a different id',
    [...MANAGED_GRANT, updateConsent({ grantId: id('other') })],
  ],
  ['updates-keep-the-id-client-and-user', 'an update of an unmanaged grant', [...CODE_GRANT, updateConsent()]],
  [
    'updates-keep-the-id-client-and-user',
    "an update of another user's grant",
    [...MANAGED_GRANT, userRegistered(BERT, 'user-bert'), withUserBert(updateConsent())],
  ],
  ['updates-replace-one-grant', 'an earlier grant that does not end', [...MANAGED_GRANT_UPDATE, userDisabled()]],
  ['updates-replace-one-grant', 'an earlier grant that its client revokes', [...MANAGED_GRANT_UPDATE, grantRevoked]],
  ['updates-replace-one-grant', 'a replaced grant without an update', [...MANAGED_GRANT, grantReplaced()]],
  [
    'updates-replace-one-grant',
    'a grant replaced by a different update',
    [...MANAGED_GRANT_UPDATE, grantReplaced('other')],
  ],
  [
    'updates-replace-one-grant',
    'a successor of a revoked grant',
    [...MANAGED_GRANT, write(GRANT, 'GrantRevoked', { reason: 'revoked-by-client', replacedBy: unchecked(id('h')) })],
  ],
  ['id-tokens-follow-the-consent', 'an ID token without the openid scope', [...CODE_GRANT, idToken()]],
  [
    'id-tokens-follow-the-consent',
    'an ID token after a refresh without the openid scope',
    [
      ...RESTRICTED_GRANT,
      idToken(),
      tokenRotated('r1', 'r2', { scope: ['read'] }),
      tokenIssued('a2', { scope: ['read'], resource: [MUSIC] }),
      idToken({ tokenHash: hash('i2') }),
    ],
  ],
  [
    'id-tokens-follow-the-consent',
    'an ID token after a refresh without rotation and the openid scope',
    [
      ...BOUND_GRANT.slice(0, 2),
      keyIntroduced(),
      consentGiven('asked', { scope: OPENID_AND_READ }),
      codeIssued('code', OPENID_AND_READ),
      codeRedeemed(),
      bindToKey(tokenIssued('a1', { scope: OPENID_AND_READ })),
      bindToKey(refreshTokenIssued('r1', null, OPENID_AND_READ)),
      bindToKey(tokenIssued('a2', { scope: ['read'] })),
      idToken(),
    ],
  ],
  [
    'id-tokens-follow-the-consent',
    'a second ID token for one access token',
    [...OPENID_PASSWORD_GRANT, idToken(), idToken({ tokenHash: hash('i2') })],
  ],
  [
    'id-tokens-follow-the-consent',
    'a claim that the consent does not cover',
    [...OPENID_PASSWORD_GRANT, idToken({ claims: ['email'] })],
  ],
  [
    'id-tokens-are-signed-as-registered',
    'an algorithm that the client never had',
    [...OPENID_PASSWORD_GRANT, idToken({ algorithm: 'ES256' })],
  ],
  [
    'id-tokens-are-signed-as-registered',
    'an algorithm that the client replaced long before',
    [...OPENID_PASSWORD_GRANT, idTokenAlgorithmChanged('EdDSA'), atTime(idToken(), MUCH_LATER)],
  ],
  [
    'id-tokens-are-signed-as-registered',
    'an algorithm that the client replaced just before',
    [...OPENID_PASSWORD_GRANT, idTokenAlgorithmChanged('EdDSA'), atTime(idToken(), LATER)],
    'notice',
  ],
  [
    'exchange-policies-are-in-the-stream-of-their-clients',
    'the stream of a different pair of clients',
    [...BASE, clientRegistered('other'), exchangePolicySet(APP, 'other', exchangeStream('other', APP))],
  ],
  [
    'exchange-policies-are-for-registered-clients',
    'an unknown subject client',
    [...BASE, exchangePolicySet(APP, 'other')],
  ],
  ['exchange-policies-are-for-registered-clients', 'a removed client', [...BASE, clientRemoved(), exchangePolicySet()]],
  [
    'exchange-policies-are-for-registered-clients',
    'a public client',
    [...BASE, write(`client-${APP}`, 'ClientUpdated', { ...settings, clientType: 'public' }), exchangePolicySet()],
  ],
  [
    'exchange-policies-are-set-before-they-are-removed',
    'the removal of a policy that was never set',
    [...BASE, exchangePolicyRemoved],
  ],
  [
    'exchange-policies-are-set-before-they-are-removed',
    'a second removal',
    [...BASE, exchangePolicySet(), exchangePolicyRemoved, exchangePolicyRemoved],
  ],
  [
    'providers-are-set-up-before-they-are-removed',
    'the removal of a provider that was never set up',
    [providerRemoved],
  ],
  ['settings-change-to-another-value', 'the same value', [settingChanged(600), settingChanged(600)]],
  ['settings-are-changed-before-they-are-reset', 'the reset of a setting that was never changed', [settingReset]],
  ['settings-are-changed-before-they-are-reset', 'a second reset', [settingChanged(600), settingReset, settingReset]],
  [
    'settings-are-changed-by-administrators',
    'a change by the server',
    [{ ...settingChanged(60), envelope: { actor: { kind: 'server' } } }],
  ],
  [
    'settings-are-changed-by-administrators',
    'a change by a user without the role',
    [...BASE, { ...settingChanged(60), envelope: { actor: { kind: 'user', id: ANNA } } }],
  ],
  ['accounts-at-providers-have-one-user', 'an unknown provider', [...BASE, accountLinked()]],
  ['accounts-at-providers-have-one-user', 'an unknown user', [providerSet, accountLinked()]],
  [
    'accounts-at-providers-have-one-user',
    'an account already linked to a different user',
    [...LINKED_ACCOUNT, userRegistered(BERT, 'user-bert'), accountLinked(BERT)],
  ],
  [
    'accounts-at-providers-are-linked-before-they-are-unlinked',
    'the unlinking of an account that was never linked',
    [...BASE, accountUnlinked],
  ],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'an unlinked account',
    [...BASE, providerSet, throughProvider()],
  ],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'a removed provider',
    [...LINKED_ACCOUNT, providerRemoved, throughProvider()],
  ],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'a disabled provider',
    [...LINKED_ACCOUNT, providerDisabled, throughProvider()],
  ],
  [
    'unlinking-ends-sessions-of-the-account',
    'a session ended while the account is still linked',
    [...LINKED_ACCOUNT, throughProvider(), endedByUnlinking],
  ],
  [
    'unlinking-ends-sessions-of-the-account',
    'the end of a session that was started with a password',
    [...LINKED_ACCOUNT, sessionStarted(), endedByUnlinking],
  ],
  [
    'trusted-issuers-are-in-their-stream',
    "another issuer's stream",
    [...BASE, trustedIssuerSet(APP, 'https://issuer.example', issuerStream('https://other.example'))],
  ],
  ['trusted-issuers-are-for-registered-clients', 'an unknown client', [...BASE, trustedIssuerSet('other')]],
  ['trusted-issuers-are-for-registered-clients', 'a removed client', [...BASE, clientRemoved(), trustedIssuerSet()]],
  [
    'trusted-issuers-are-for-registered-clients',
    'a public client',
    [...BASE, write(`client-${APP}`, 'ClientUpdated', { ...settings, clientType: 'public' }), trustedIssuerSet()],
  ],
  [
    'trusted-issuers-are-set-before-they-are-removed',
    'the removal of an issuer that was never trusted',
    [...BASE, trustedIssuerRemoved],
  ],
  [
    'trusted-issuers-are-set-before-they-are-removed',
    'a second removal',
    [...BASE, trustedIssuerSet(), trustedIssuerRemoved, trustedIssuerRemoved],
  ],
  ['assertions-follow-a-trusted-issuer', 'an unknown issuer', [...BASE, redeemedAssertion()]],
  [
    'assertions-follow-a-trusted-issuer',
    'a removed issuer',
    [...BASE, trustedIssuerSet(), trustedIssuerRemoved, redeemedAssertion()],
  ],
  ...(
    [
      ['a use that is not allowed', { use: 'identity-assertion' }],
      ['a client that the issuer is not trusted for', { clientId: 'other' }],
      ['a different mapping', { mapping: 'user-name' }],
      ['a user instead of the client', { userId: ANNA }],
      ['a scope that is not allowed', { scope: ['read', 'write'] }],
      ['a longer lifetime than allowed', { expiresAt: BEGINNING + 4_000 }],
    ] as const
  ).map(([what, changes]): Case => [
    'assertions-follow-a-trusted-issuer',
    what,
    [...BASE, clientRegistered('other'), trustedIssuerSet(), redeemedAssertion(changes)],
  ]),
  [
    'assertions-are-redeemed-once',
    'an assertion redeemed twice',
    [...BASE, trustedIssuerSet(), redeemedAssertion(), assertedToken(), redeemedAssertion({}, 's')],
  ],
  [
    'asserted-tokens-are-as-recorded',
    'a longer lifetime than recorded',
    [...BASE, trustedIssuerSet(), redeemedAssertion(), assertedToken({ expiresAt: BEGINNING + 3_001 })],
  ],
  ['asserted-tokens-are-as-recorded', 'an asserted token without an assertion', [...BASE, assertedToken()]],
  [
    'asserted-tokens-are-as-recorded',
    'a second token',
    [
      ...BASE,
      trustedIssuerSet(),
      redeemedAssertion(),
      assertedToken(),
      assertedToken({ tokenHash: hash('a-second-one') }),
    ],
  ],
  ['resources-are-registered-before-changes', 'a change before the registration', [resourceUpdated('a:')]],
  [
    'resources-are-registered-before-changes',
    'a second registration',
    [resourceRegistered('a:'), resourceRegistered('a:')],
  ],
  [
    'resources-are-registered-before-changes',
    'a change after the removal',
    [resourceRegistered('a:'), resourceRemoved('a:'), resourceUpdated('a:')],
  ],
  ['resources-keep-their-uris', 'a different URI', [resourceRegistered('a:'), resourceUpdated('b:')]],
  [
    'resources-keep-their-uris',
    'a second stream for the same URI',
    [resourceRegistered('a:'), resourceRegistered('a:', [], 'b')],
  ],
  [
    'tokens-have-scopes-of-their-resources',
    'a scope that the resource servers do not define',
    [
      ...BASE,
      resourceRegistered('a:', ['read']),
      atTime(consentGiven('password'), MUCH_LATER),
      atTime(restrictTo(tokenIssued('a1'), 'a:'), MUCH_LATER),
    ],
  ],
  [
    'tokens-have-scopes-of-their-resources',
    'a scope just after it was removed',
    [
      ...BASE,
      resourceRegistered('a:', ['read', 'write']),
      resourceUpdated('a:', ['read']),
      atTime(consentGiven('password'), LATER),
      atTime(restrictTo(tokenIssued('a1'), 'a:'), LATER),
    ],
    'notice',
  ],
  [
    'details-never-widen',
    'a detail that was not granted',
    [...DETAILS_GRANT, withDetails(tokenIssued('a1'), reference('other'))],
  ],
  [
    'details-never-widen',
    'a detail of a different type',
    [...DETAILS_GRANT, withDetails(tokenIssued('a1'), reference('d', { type: 'give' }))],
  ],
  [
    'details-never-widen',
    'a detail that narrows one that was not granted',
    [...DETAILS_GRANT, withDetails(tokenIssued('a1'), payment('n', { narrows: hash('other') }))],
  ],
  [
    'details-never-widen',
    'a narrowed detail without a text',
    [...DETAILS_GRANT, withDetails(tokenIssued('a1'), reference('n', { narrows: hash('d') }))],
  ],
  [
    'details-never-widen',
    'a second text in addition to the one in the consent',
    [...DETAILS_GRANT, withDetails(tokenIssued('a1'), payment())],
  ],
  [
    'details-are-consented',
    'a detail that was not requested',
    [
      ...BASE,
      BANK,
      {
        ...consentGiven('asked'),
        event: unchecked({
          ...withDetails(consentGiven('asked'), payment()).event,
          data: {
            ...withDetails(consentGiven('asked'), payment()).event.data,
            requested: { scope: ['read', 'write'] },
          },
        }),
      },
    ],
  ],
  [
    'details-are-consented',
    'a detail neither requested nor in the grant to merge with',
    [...MERGEABLE_GRANT, mergeConsent('other')],
  ],
  [
    'details-are-consented',
    'a detail with a password grant',
    [...BASE, BANK, withDetails(consentGiven('password'), payment())],
  ],
  [
    'details-are-consented',
    'a detail that the page did not show',
    [...BASE, BANK, withDetails(consentShowing('asked', 'read', 'write'), payment())],
  ],
  [
    'details-are-declared',
    'a type that no resource server declares',
    [
      ...BASE,
      withDetails(consentGiven('asked'), payment()),
      codeIssued(),
      codeRedeemed(),
      withDetails(tokenIssued('a1'), reference()),
    ],
  ],
  [
    'details-are-declared',
    'a token for a different resource server',
    [...DETAILS_GRANT, atTime(restrictTo(withDetails(tokenIssued('a1'), reference()), 'a:'), MUCH_LATER)],
  ],
  [
    'details-are-declared',
    'a type just after it was withdrawn',
    [
      ...DETAILS_GRANT,
      withDetails(tokenIssued('a1'), reference()),
      refreshTokenIssued('r1'),
      write('resource-b', 'ResourceRemoved', { uri: 'b:' }),
      tokenRotated('r1', 'r2'),
      withDetails(tokenIssued('a2'), reference()),
    ],
    'notice',
  ],
  ['signing-keys-have-ids-of-their-own', 'a key id that is used again', [keyIntroduced(), keyIntroduced()]],
  [
    'signing-keys-have-ids-of-their-own',
    'a key whose validity ends before it begins',
    [keyIntroduced('key', { until: BEGINNING - 1 })],
  ],
  ['signing-keys-are-retired-once', 'a key that was never introduced', [keyRetired('requested')]],
  [
    'signing-keys-are-retired-once',
    'a key that has already been retired',
    [keyIntroduced(), keyRetired('requested'), keyRetired('requested')],
  ],
  [
    'signing-keys-are-retired-once',
    'a key retired as expired while a token is valid',
    [
      keyIntroduced(),
      ...BASE,
      consentGiven('password'),
      withSigningKey(tokenIssued('a1')),
      keyRetired('expired', LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token signed by an unknown key',
    [...BASE, consentGiven('password'), withSigningKey(tokenIssued('a1'))],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token signed by a key retired long before',
    [
      keyIntroduced(),
      keyRetired('requested'),
      ...BASE,
      consentGiven('password'),
      atTime(withSigningKey(tokenIssued('a1', { expires: MUCH_LATER + HOUR })), MUCH_LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token signed by a key retired just before',
    [
      keyIntroduced(),
      keyRetired('requested'),
      ...BASE,
      consentGiven('password'),
      atTime(withSigningKey(tokenIssued('a1')), LATER),
    ],
    'notice',
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token signed by an expired key',
    [
      keyIntroduced('key', { until: BEGINNING + 1 }),
      ...BASE,
      consentGiven('password'),
      atTime(withSigningKey(tokenIssued('a1', { expires: MUCH_LATER + HOUR })), MUCH_LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an ID token signed by a key for a different algorithm',
    [...OPENID_PASSWORD_GRANT, keyIntroduced('other', { algorithm: 'ES256' }), idToken({ kid: hash('other') })],
  ],
  ['one-client-one-user', "another user's ID token", [...OPENID_PASSWORD_GRANT, idToken({ userId: BERT })]],
  ['text-fits-consent', 'a scope that is not described', [...BASE, consentShowing('asked', 'read')]],
  ['text-fits-consent', 'a scope that was not granted', [...BASE, consentShowing('device', 'read', 'admin')]],
  ['text-fits-consent', 'text although no page was shown', [...BASE, consentShowing('remembered', 'read', 'write')]],
  [
    'scope-never-widens',
    'a code with more scope than the consent',
    [...BASE, consentGiven(), codeIssued('code', ['read', 'admin'])],
  ],
  [
    'scope-never-widens',
    'a token with more scope than the consent',
    [...BASE, consentGiven('password'), tokenIssued('a1', { scope: ['admin'] })],
  ],
  [
    'scope-never-widens',
    'a token with more scope than its code',
    [...BASE, consentGiven(), codeIssued('code', ['read']), codeRedeemed(), tokenIssued('a1')],
  ],
  [
    'scope-never-widens',
    'a rotation with more scope than the consent',
    [...CODE_GRANT, tokenRotated('r1', 'r2', { scope: ['admin'] })],
  ],
  [
    'scope-never-widens',
    'a token with more scope than its rotation',
    [...CODE_GRANT, tokenRotated('r1', 'r2', { scope: ['read'] }), tokenIssued('a2')],
  ],
  [
    'a-bound-code-gives-bound-tokens',
    'a bearer token',
    [...BASE, consentGiven(), codeForKey(), codeRedeemed(), tokenIssued('a1')],
  ],
  [
    'a-bound-code-gives-bound-tokens',
    'a token bound to a different key',
    [...BASE, consentGiven(), codeForKey(), codeRedeemed(), bindToKey(tokenIssued('a1'), 'other')],
  ],
  [
    'a-refresh-keeps-the-binding',
    'a refresh token bound to a different key',
    [
      ...BASE,
      consentGiven(),
      codeIssued(),
      codeRedeemed(),
      bindToKey(tokenIssued('a1')),
      bindToKey(refreshTokenIssued('r1'), 'other'),
    ],
  ],
  ['a-refresh-keeps-the-binding', 'a bearer token', [...BOUND_GRANT, tokenRotated('r1', 'r2'), tokenIssued('a2')]],
  [
    'a-refresh-keeps-the-binding',
    'an access token bound to a different key',
    [...BOUND_GRANT, bindToKey(tokenIssued('a2'), 'other')],
  ],
  [
    'a-refresh-token-is-spent-in-time',
    'a refresh without rotation after the expiry',
    [
      ...BASE,
      consentGiven('password'),
      bindToKey(tokenIssued('a1')),
      refreshTokenIssued('r1', HOUR),
      atTime(bindToKey(tokenIssued('a2')), 2 * HOUR),
    ],
  ],
  ['tokens-have-a-cause', 'a second token for one code', [...CODE_GRANT, tokenIssued('a2')]],
  [
    'tokens-have-a-cause',
    'a token before the code was redeemed',
    [...BASE, consentGiven(), codeIssued(), tokenIssued('a1')],
  ],
  [
    'tokens-have-a-cause',
    'a refresh token before the code was redeemed',
    [...BASE, consentGiven(), codeIssued(), refreshTokenIssued('r1')],
  ],
  [
    'tokens-have-a-cause',
    'a second client credentials token',
    [...BASE, tokenIssued('a1', { userId: null }), tokenIssued('a2', { userId: null })],
  ],
  ['answers-are-whole', 'no code after consent', [...BASE, consentGiven(), userRegistered(BERT, 'user-bert')]],
  [
    'answers-are-whole',
    'no access token after a code',
    [...BASE, consentGiven(), codeIssued(), codeRedeemed(), refreshTokenIssued('r1')],
  ],
  ['answers-are-whole', 'no refresh token after a password', [...PASSWORD_GRANT.slice(0, -1), clientRemoved()]],
  [
    'answers-are-whole',
    'no access token after a refresh',
    [...CODE_GRANT, tokenRotated('r1', 'r2'), tokenRotated('r2', 'r3')],
  ],
  [
    'resources-never-widen',
    'a resource server that the code does not cover',
    [
      ...BASE,
      consentGiven(),
      restrictTo(codeIssued(), 'a:', 'b:'),
      codeRedeemed(),
      restrictTo(tokenIssued('a1'), 'a:', 'c:'),
    ],
  ],
  [
    'resources-never-widen',
    'an unrestricted token',
    [...BASE, consentGiven(), restrictTo(codeIssued(), 'a:'), codeRedeemed(), tokenIssued('a1')],
  ],
  [
    'resources-never-widen',
    'an unrestricted refresh token',
    [
      ...BASE,
      consentGiven(),
      restrictTo(codeIssued(), 'a:'),
      codeRedeemed(),
      restrictTo(tokenIssued('a1'), 'a:'),
      refreshTokenIssued('r1'),
    ],
  ],
  [
    'resources-never-widen',
    'a resource server that the password grant does not cover',
    [
      ...BASE,
      consentGiven('password'),
      restrictTo(tokenIssued('a1'), 'a:'),
      restrictTo(refreshTokenIssued('r1'), 'a:', 'b:'),
    ],
  ],
  [
    'resources-never-widen',
    'a resource server that the refresh token does not cover',
    [
      ...BASE,
      consentGiven('password'),
      restrictTo(tokenIssued('a1'), 'a:'),
      restrictTo(refreshTokenIssued('r1'), 'a:'),
      tokenRotated('r1', 'r2'),
      restrictTo(tokenIssued('a2'), 'b:'),
    ],
  ],
  ['revocation-is-the-end', 'a refresh after the revocation', [...CODE_GRANT, grantRevoked, tokenRotated('r1', 'r2')]],
  ['revocation-is-the-end', 'a second revocation', [...CODE_GRANT, grantRevoked, grantRevoked]],

  ['one-code-for-a-consent', 'two codes', [...BASE, consentGiven(), codeIssued('c1'), codeIssued('c2')]],
  ['one-code-for-a-consent', 'a code in addition to a password', [...BASE, consentGiven('password'), codeIssued()]],
  ['a-code-redeems-once', 'a second redemption', [...CODE_GRANT, codeRedeemed()]],
  ['a-code-redeems-once', 'a different code', [...BASE, consentGiven(), codeIssued(), codeRedeemed('other')]],
  ['a-code-redeems-once', 'a code that was never issued', [...BASE, consentGiven(), codeRedeemed()]],
  [
    'a-code-redeems-in-time',
    'a code redeemed long after its expiry',
    [...BASE, consentGiven(), codeIssued(), codeRedeemed('code', 60 + 61)],
  ],
  [
    'a-code-redeems-in-time',
    'a code redeemed just after its expiry',
    [...BASE, consentGiven(), codeIssued(), codeRedeemed('code', 60)],
    'notice',
  ],

  [
    'refresh-tokens-form-a-line',
    'a token rotated twice',
    [...CODE_GRANT, tokenRotated('r1', 'r2'), tokenIssued('a2'), tokenRotated('r1', 'r3')],
  ],
  [
    'refresh-tokens-form-a-line',
    'a rotation without a first token',
    [...BASE, consentGiven(), codeIssued(), codeRedeemed(), tokenIssued('a1'), tokenRotated('r0', 'r1')],
  ],
  ['refresh-tokens-form-a-line', 'two first tokens', [...CODE_GRANT, refreshTokenIssued('r2')]],
  [
    'a-refresh-ends-the-access-token-before-it',
    'a retired token that was never issued',
    [...CODE_GRANT, rotationRetiring('r1', 'r2', 'a0', 30)],
  ],
  [
    'a-refresh-ends-the-access-token-before-it',
    'a token that an earlier refresh retired',
    [...CODE_GRANT, rotationRetiring('r1', 'r2', 'a1', 30), tokenIssued('a2'), rotationRetiring('r2', 'r3', 'a1', 40)],
  ],
  [
    'a-refresh-ends-the-access-token-before-it',
    'an end before the time of the refresh',
    [...CODE_GRANT, rotationRetiring('r1', 'r2', 'a1', -1)],
  ],
  [
    'a-refresh-ends-the-access-token-before-it',
    "an end that is not before the token's expiry",
    [...CODE_GRANT, rotationRetiring('r1', 'r2', 'a1', HOUR)],
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
    `a difference in ${what}`,
    [...CODE_GRANT, tokenRotated('r1', 'r2'), tokenIssued('a2'), grantSummarized(unchecked(changes))],
  ]),
  [
    'summaries-add-nothing',
    'a different login',
    [...CODE_GRANT, tokenRotated('r1', 'r2'), tokenIssued('a2'), withLogin(grantSummarized(), login(null))],
  ],
  ['summaries-add-nothing', 'a summary of a grant that was never refreshed', [...CODE_GRANT, grantSummarized()]],
  [
    'a-refresh-token-is-spent-in-time',
    'a rotation at the expiry',
    [...CODE_GRANT.slice(0, -1), refreshTokenIssued('r1', 10), tokenRotated('r1', 'r2', { at: 10 })],
  ],
  [
    'expiry-follows-issue',
    'a token that expired before it was issued',
    [...BASE, consentGiven('password'), tokenIssued('a1', { expires: -61 })],
  ],
  [
    'expiry-follows-issue',
    'a token that had expired when it was recorded',
    [...BASE, consentGiven('password'), tokenIssued('a1', { expires: 0 })],
    'notice',
  ],
  [
    'refreshes-are-dated-right',
    'a refresh time that is wrong by an hour',
    [...CODE_GRANT, tokenRotated('r1', 'r2', { aheadOfTime: HOUR })],
    'notice',
  ],

  [
    'a-client-lives-once',
    'a change before the registration',
    [
      write(`client-${APP}`, 'ClientSecretRotated', {
        secret: { algorithm: 'sha256', hash: hash('s') },
        previousUntil: null,
      }),
    ],
  ],
  ['a-client-lives-once', 'a change after the removal', [...BASE, clientRemoved(), clientUpdated(['password'])]],
  [
    'documents-are-those-of-their-clients',
    'a document with a different hash',
    [documentAccepted({ document: '{"client_id":"https://app.example/c.json"} ' })],
  ],
  [
    'documents-are-those-of-their-clients',
    'a document about a different client',
    [documentAccepted({ redirectUris: [] }, '{"client_id":"https://app.example/d.json"}')],
  ],
  ...['http://app.example/c.json', 'http://localhost@evil.example/c.json', 'http://127.0.0.1.evil.example/'].map(
    (address): Case => [
      'documents-are-those-of-their-clients',
      `a document at ${address}`,
      [documentAcceptedAt(address)],
    ],
  ),
  ...(
    [
      ['an additional grant type', { grantTypes: ['authorization-code', 'device-code'] }],
      ['a redirect URI that is not in it', { redirectUris: ['https://app.example/cb', 'https://evil.example/'] }],
      ['the right to skip the consent page', { skipAuthorization: true }],
      ['a restricted scope', { restrictedScopes: ['audit'] }],
    ] as const
  ).map(([what, changes]): Case => ['documents-give-no-rights', what, [documentAccepted(changes)]]),
  [
    'documents-give-no-rights',
    'a restricted scope that the operator did not allow',
    [
      documentAccepted(),
      documentClientUpdated({ restrictedScopes: ['introspection'] }),
      documentAccepted({ restrictedScopes: ['introspection', 'audit'] }),
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
    [documentAccepted(), documentClientUpdated(changes), documentAccepted()],
    'notice',
  ]),
  [
    'domains-are-listed-once',
    'a domain listed twice',
    [domainListed('app.example', 'allowed'), domainListed('app.example', 'allowed')],
  ],
  ['domains-are-listed-once', 'the removal of a domain that was never listed', [domainUnlisted('app.example')]],
  [
    'domains-are-listed-once',
    'a second removal',
    [domainListed('a.example', 'blocked'), domainUnlisted('a.example'), domainUnlisted('a.example')],
  ],
  ...['App.example', 'app.example.', 'https://app.example'].map((domain): Case => [
    'domains-are-listed-once',
    domain,
    [domainListed(domain, 'blocked')],
  ]),
  [
    'blocked-domains-describe-no-clients',
    'a document accepted long after its domain was blocked',
    [domainListed('example', 'blocked'), atTime(documentAccepted(), MUCH_LATER)],
  ],
  [
    'blocked-domains-describe-no-clients',
    'a document accepted just after its domain was blocked',
    [domainListed('example', 'blocked'), atTime(documentAccepted(), LATER)],
    'notice',
  ],
  [
    'blocked-domains-describe-no-clients',
    'a blocked domain within an allowed one',
    [
      domainListed('example', 'allowed'),
      domainListed('app.example', 'blocked'),
      atTime(documentAccepted(), MUCH_LATER),
    ],
  ],
  [
    'consents-name-the-accepted-document',
    'a consent without the document',
    [
      ...BASE,
      documentAccepted(),
      write(GRANT, 'ConsentGiven', {
        grantId: id('g'),
        clientId: DOCUMENT_URL,
        userId: ANNA,
        scope: [],
        basis: 'asked',
      }),
    ],
  ],
  [
    'consents-name-the-accepted-document',
    'a document for a registered client',
    [
      ...BASE,
      write(GRANT, 'ConsentGiven', {
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
    [clientRegistered(DOCUMENT_URL), documentAccepted()],
  ],
  ['a-client-lives-once', 'a second removal', [...BASE, clientRemoved(), clientRemoved()]],
  ...(['image/png', 'image/jpeg', 'image/webp'] as const).map((mediaType): Case => [
    'logos-are-images',
    `a page called ${mediaType}`,
    [...BASE, write(`client-${APP}`, 'ClientLogoChanged', { image: { mediaType, base64: btoa('<html></html>') } })],
  ]),
  [
    'assertions-are-signed-by-registered-keys',
    'a key that was never registered',
    [...BASE, clientAssertionAccepted('k')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a certificate of a key that was never registered',
    [...BASE, keysRegistered('k'), consentGiven('password'), withClientKeyId(tokenIssued('a1'), 'l')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'an assertion accepted twice',
    [...BASE, keysRegistered('k'), clientAssertionAccepted('k'), clientAssertionAccepted('k')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a key long after its removal',
    [...BASE, keysRegistered('k'), keysRegistered(), clientAssertionAccepted('k', { at: MUCH_LATER })],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a key just after its removal',
    [...BASE, keysRegistered('k'), keysRegistered(), clientAssertionAccepted('k', { at: LATER })],
    'notice',
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a published key long after the client registered its keys',
    [...BASE, keysUriRegistered(), keysRegistered('k'), clientAssertionAccepted('l', { at: MUCH_LATER })],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a published key just after the client registered its keys',
    [...BASE, keysUriRegistered(), keysRegistered('k'), clientAssertionAccepted('l', { at: LATER })],
    'notice',
  ],
  ['a-client-is-disabled-once', 'a client disabled twice', [...BASE, clientDisabled(), clientDisabled()]],
  ['a-client-is-disabled-once', 'a client enabled without being disabled', [...BASE, clientEnabled()]],
  [
    'disabled-clients-get-nothing',
    'a refresh while it is disabled',
    [...CODE_GRANT, clientDisabled(), tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'disabled-clients-get-nothing',
    'an assertion while it is disabled',
    [...BASE, keysRegistered('k'), clientDisabled(), clientAssertionAccepted('k', { at: MUCH_LATER })],
  ],
  [
    'disabled-clients-get-nothing',
    'a refresh just after it was disabled',
    [...CODE_GRANT, clientDisabled(), tokenRotated('r1', 'r2', { at: LATER })],
    'notice',
  ],
  ['only-registered-clients-are-served', 'an unknown client', [BASE[0] as TestEvent, consentGiven()]],
  [
    'only-registered-clients-are-served',
    'a refresh long after the removal',
    [...CODE_GRANT, clientRemoved(), tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'only-registered-clients-are-served',
    'a refresh just after the removal',
    [...CODE_GRANT, clientRemoved(), tokenRotated('r1', 'r2', { at: LATER })],
    'notice',
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a grant type that it never had',
    [
      ...BASE.slice(0, 1),
      withEnvelope(clientRegistered(APP), {
        data: { clientId: APP, ownerId: null, secret: null, ...settings, grantTypes: ['password'] },
      }),
      consentGiven(),
    ],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a code redeemed long after its grant type was removed',
    [...BASE, consentGiven(), atTime(codeIssued(), 0), clientUpdated(['password']), codeRedeemed('code', MUCH_LATER)],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a code redeemed just after its grant type was removed',
    [...BASE, consentGiven(), codeIssued(), clientUpdated(['password']), codeRedeemed('code', LATER)],
    'notice',
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a client credentials token without the grant type',
    [...BASE, clientUpdated(['password']), atTime(tokenIssued('a1', { userId: null }), MUCH_LATER)],
  ],
  [
    'restricted-scopes-are-allowed',
    'a consent to a scope that was never allowed',
    [...BASE, consentGiven('asked', { scope: ['read', 'audit'] })],
  ],
  [
    'restricted-scopes-are-allowed',
    'a client credentials token with a scope that was never allowed',
    [...BASE, restrictedScopesAllowed('audit'), tokenIssued('a1', { userId: null, scope: ['introspection'] })],
  ],
  [
    'restricted-scopes-are-allowed',
    'a scope long after its removal',
    [
      ...BASE,
      restrictedScopesAllowed('audit'),
      restrictedScopesAllowed(),
      atTime(consentGiven('password', { scope: ['audit'] }), MUCH_LATER),
    ],
  ],
  [
    'restricted-scopes-are-allowed',
    'a scope just after its removal',
    [
      ...BASE,
      restrictedScopesAllowed('audit'),
      restrictedScopesAllowed(),
      atTime(consentGiven('password', { scope: ['audit'] }), LATER),
    ],
    'notice',
  ],
  [
    'restricted-scopes-are-allowed',
    'one scope just after its removal, and one that was never allowed',
    [
      ...BASE,
      restrictedScopesAllowed('audit'),
      restrictedScopesAllowed(),
      consentGiven('asked', { scope: ['audit', 'introspection'] }),
    ],
  ],
  ['a-previous-secret-is-used-in-time', 'a secret that was never rotated', [...BASE, tokenByPreviousSecret()]],
  [
    'a-previous-secret-is-used-in-time',
    'a rotation without an overlap',
    [...BASE, secretRotated(null), tokenByPreviousSecret()],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'a secret long after its expiry',
    [...BASE, secretRotated(MUCH_LATER), tokenByPreviousSecret(MUCH_LATER + 61)],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'a secret just after its expiry',
    [...BASE, secretRotated(MUCH_LATER), tokenByPreviousSecret(MUCH_LATER)],
    'notice',
  ],
  [
    'a-previous-secret-is-used-in-time',
    'a secret long after the next rotation',
    [...BASE, secretRotated(HOUR), secretRotated(null, LATER), tokenByPreviousSecret(LATER + 61)],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'a secret just after the next rotation',
    [...BASE, secretRotated(HOUR), secretRotated(null, LATER), tokenByPreviousSecret(LATER)],
    'notice',
  ],
  [
    'a-previous-secret-is-used-in-time',
    'a rotation while the clock was ahead, and a use after it was set back',
    [...BASE, secretRotated(YEAR_AHEAD + HOUR, YEAR_AHEAD), clockSetBack(LATER), tokenByPreviousSecret(YEAR_AHEAD)],
  ],
  ['a-client-secret-is-rehashed-once', 'a second rehash', [...BASE, secretRehashed, secretRehashed]],
  ['a-client-secret-is-rehashed-once', 'a rehash after a rotation', [...BASE, secretRotated(null), secretRehashed]],
  [
    'a-password-is-rehashed-once',
    'a second rehash',
    [...BASE, passwordChanged('PasswordRehashed'), passwordChanged('PasswordRehashed')],
  ],
  [
    'a-password-is-rehashed-once',
    'a rehash after a change',
    [...BASE, passwordChanged(), passwordChanged('PasswordRehashed')],
  ],
  ['owners-exist', 'an unknown owner', [clientRegistered(APP, BERT)]],
  [
    'self-registered-clients-are-bounded',
    'a client with an owner',
    [userRegistered(ANNA, ANNA_STREAM), clientSelfRegistered({ ownerId: ANNA, grantTypes: ['authorization-code'] })],
  ],
  [
    'self-registered-clients-are-bounded',
    'client credentials for a client that a user registered',
    [...BASE, clientSelfRegistered({ grantTypes: ['client-credentials'] })],
  ],
  ['members-exist', 'an unknown member', [...BASE, memberAdded(BERT)]],
  ['members-exist', 'an erased member', [...BASE, userErased, memberAdded(ANNA)]],
  ['members-have-one-role', 'a member added twice', [...OWNED_CLIENT, memberAdded(BERT), memberAdded(BERT)]],
  ['members-have-one-role', 'an owner added as a test user', [...OWNED_CLIENT, memberAdded(ANNA, 'test-user')]],
  ['members-have-one-role', 'a member removed without a role', [...OWNED_CLIENT, memberRemoved(BERT, 'test-user')]],
  [
    'members-have-one-role',
    'a member removed from a different role',
    [...OWNED_CLIENT, memberAdded(BERT), memberRemoved(BERT, 'test-user')],
  ],
  ['a-client-keeps-an-owner', 'the removal of the only owner', [...OWNED_CLIENT, memberRemoved(ANNA)]],
  [
    'a-client-keeps-an-owner',
    'the removal of the only owner while a test user remains',
    [...OWNED_CLIENT, memberAdded(BERT, 'test-user'), memberRemoved(ANNA)],
  ],
  [
    'a-client-keeps-an-owner',
    'the removal of the only owner other than an erased one',
    [...OWNED_CLIENT, memberAdded(BERT), userErased, memberRemoved(BERT)],
  ],
  [
    'invitations-work-once',
    'an invitation accepted twice',
    [...OWNED_CLIENT, invitedMemberAdded('i'), memberRemoved(BERT), invitedMemberAdded('i')],
  ],
  [
    'invitations-work-once',
    'an invitation accepted by one user for another',
    [...OWNED_CLIENT, invitedMemberAdded('i', { actor: ANNA })],
  ],
  [
    'test-mode-is-for-members',
    'a consent by a user who is not a member',
    [...BASE, clientModeChanged('test'), atTime(consentGiven(), 61)],
  ],
  [
    'test-mode-is-for-members',
    'a code that is redeemed just after the switch',
    [...BASE, consentGiven(), codeIssued(), clientModeChanged('test'), codeRedeemed()],
    'notice',
  ],
  [
    'test-mode-is-for-members',
    'a refresh long after the test user was removed',
    [
      ...OWNED_CLIENT,
      memberAdded(BERT),
      clientModeChanged('test'),
      ...CODE_GRANT.slice(BASE.length),
      memberRemoved(ANNA),
      tokenRotated('r1', 'r2', { at: 61 }),
    ],
  ],
  [
    'invitations-work-once',
    'an invitation by a user who is not an owner',
    [...OWNED_CLIENT, invitedMemberAdded('i', { by: BERT })],
  ],

  ['an-account-lives-once', 'a user name that is already taken', [...BASE, userRegistered(BERT, ANNA_STREAM)]],
  ['an-account-lives-once', 'a change after the erasure', [...BASE, userErased, userDisabled()]],
  ['an-account-lives-once', 'a second erasure', [...BASE, userErased, userErased]],
  ['an-account-lives-once', 'a change to an account that was never registered', [userEnabled]],
  ['an-account-lives-once', 'an account disabled twice', [...BASE, userDisabled(), userDisabled()]],
  [
    'an-account-lives-once',
    "another user's event",
    [...BASE, userRegistered(BERT, 'user-bert'), write(ANNA_STREAM, 'AllSessionsEnded', { userId: BERT })],
  ],
  ['an-account-lives-once', 'a verified address without an account', [emailVerified()]],
  ['an-account-lives-once', 'an address verified after the erasure', [...BASE, userErased, emailVerified()]],
  ['an-account-lives-once', "another user's verified address", [...BASE, emailVerified(BERT)]],
  [
    'an-invitation-creates-one-account',
    'an invitation accepted twice',
    [...BASE, rolesChanged(), invitationAccepted(), invitationAccepted()],
  ],
  [
    'an-invitation-creates-one-account',
    'an invitation accepted by the operator',
    [...BASE, invitationAccepted(null, { kind: 'operator' })],
  ],
  [
    'an-invitation-creates-one-account',
    'an invitation accepted after it was withdrawn',
    [...BASE, rolesChanged(), invitationSent(), invitationWithdrawn, invitationAccepted()],
  ],
  [
    'an-invitation-creates-one-account',
    'an invitation accepted long after it expired',
    [...BASE, rolesChanged(), invitationSent(ANNA, BEGINNING + 1), atTime(invitationAccepted(), MUCH_LATER)],
  ],
  ['an-invitation-ends-once', 'the withdrawal of an invitation that was never sent', [...BASE, invitationWithdrawn]],
  [
    'an-invitation-ends-once',
    'a second withdrawal',
    [...BASE, invitationSent(null), invitationWithdrawn, invitationWithdrawn],
  ],
  [
    'an-invitation-ends-once',
    'an invitation sent again after it was withdrawn',
    [...BASE, invitationSent(null), invitationWithdrawn, invitationSent(null)],
  ],
  [
    'administrators-invite',
    'an invitation sent by the operator for an administrator',
    [...BASE, rolesChanged(), withEnvelope(invitationSent(), { actor: { kind: 'operator' } })],
  ],
  ['administrators-invite', 'an invitation sent by a user without the role', [...BASE, invitationSent()]],
  ['administrators-invite', 'an invitation by an unknown user', [...BASE, invitationAccepted(BERT)]],
  [
    'administrators-invite',
    'an invitation by a user without the role',
    [...BASE, rolesChanged(['auditor']), invitationAccepted()],
  ],
  [
    'administrators-invite',
    'an invitation accepted long after the role was lost',
    [...BASE, rolesChanged(), rolesChanged([]), atTime(invitationAccepted(), MUCH_LATER)],
  ],
  [
    'administrators-invite',
    'an invitation accepted just after the role was lost',
    [...BASE, rolesChanged(), rolesChanged([]), atTime(invitationAccepted(), LATER)],
    'notice',
  ],
  [
    'administrators-invite',
    'an invitation accepted long after the inviter was disabled',
    [...BASE, rolesChanged(), userDisabled(), atTime(invitationAccepted(), MUCH_LATER)],
  ],
  [
    'administrators-invite',
    'an invitation accepted just after the role was lost and long after the inviter was disabled',
    [...BASE, rolesChanged(), userDisabled(), atTime(rolesChanged([]), MUCH_LATER), invitationAccepted()],
  ],
  [
    'administrators-invite',
    'an invitation accepted just after the inviter was erased',
    [...BASE, rolesChanged(), userErased, atTime(invitationAccepted(), LATER)],
    'notice',
  ],
  ['a-passkey-lives-once', 'a passkey added twice', [...BASE, passkeyAdded(), passkeyAdded()]],
  [
    'a-passkey-lives-once',
    'a passkey added again after its removal',
    [...BASE, passkeyAdded(), passkeyRemoved(), passkeyAdded()],
  ],
  [
    'a-passkey-lives-once',
    'a passkey added to two accounts',
    [...BASE, userRegistered(BERT, 'user-bert'), passkeyAdded(), passkeyAdded('p', BERT, 'user-bert')],
  ],
  ['a-passkey-lives-once', 'the removal of a passkey that was never added', [...BASE, passkeyRemoved()]],
  ['a-passkey-lives-once', 'a second removal', [...BASE, passkeyAdded(), passkeyRemoved(), passkeyRemoved()]],
  [
    'a-passkey-lives-once',
    "the removal of another account's passkey",
    [...BASE, userRegistered(BERT, 'user-bert'), passkeyAdded(), passkeyRemoved(BERT, 'user-bert')],
  ],
  [
    'a-passkey-lives-once',
    'the removal of a passkey from a later account with the same name',
    [...BASE, passkeyAdded(), userErased, userRegistered(BERT, ANNA_STREAM), passkeyRemoved(BERT)],
  ],
  ['an-account-lives-once', 'a passkey added after the erasure', [...BASE, userErased, passkeyAdded()]],
  ['grants-end-with-their-user', 'an unknown user', [BASE[1] as TestEvent, consentGiven()]],
  [
    'grants-end-with-their-user',
    'a consent long after the user was disabled',
    [...BASE, userDisabled(), atTime(consentGiven(), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-user',
    'a consent just after the user was disabled',
    [...BASE, userDisabled(), atTime(consentGiven(), LATER)],
    'notice',
  ],
  [
    'grants-end-with-their-user',
    'a refresh after the user was erased',
    [...PASSWORD_GRANT, userErased, tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'grants-end-with-their-user',
    'a refresh of an ended grant after the user was enabled again',
    [...CODE_GRANT, userDisabled(), userEnabled, tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],

  ['a-session-lives-once', 'a session started twice', [...BASE, sessionStarted(), sessionStarted()]],
  ['a-session-lives-once', 'a session that ended before it started', [...BASE, sessionEnded()]],
  ['a-session-lives-once', 'a session ended twice', [...BASE, sessionStarted(), sessionEnded(), sessionEnded()]],
  ['a-session-lives-once', 'a session ended for a different user', [...BASE, sessionStarted(), sessionEnded(BERT)]],
  ['sessions-are-used-while-open', 'an unknown session', [...BASE, sessionUsed(DAY)]],
  ['sessions-are-used-while-open', 'a use by a different user', [...BASE, longSession(), sessionUsed(DAY, 's', BERT)]],
  [
    'sessions-are-used-while-open',
    'a use after the session ended',
    [...BASE, longSession(), sessionEnd('s'), sessionUsed(DAY)],
  ],
  [
    'sessions-are-used-while-open',
    'a use after all sessions ended',
    [...BASE, longSession(), allSessionsEnded, sessionUsed(DAY)],
  ],
  ['sessions-are-used-while-open', 'a use after the session expired', [...BASE, longSession(), sessionUsed(9 * DAY)]],
  ['sessions-are-used-while-open', 'a use on the day the session started', [...BASE, longSession(), sessionUsed(1)]],
  [
    'sessions-are-used-while-open',
    'two uses on one day',
    [...BASE, longSession(), sessionUsed(DAY), sessionUsed(DAY + 1)],
  ],
  [
    'sessions-are-used-while-open',
    'a use dated after its recording',
    [...BASE, longSession(), atTime(sessionUsed(2 * DAY), DAY)],
    'notice',
  ],
  [
    'sessions-continue-with-their-user',
    'a session continued by an unknown one',
    [...BASE, sessionStart('s'), sessionEnd('s', 't')],
  ],
  [
    'sessions-continue-with-their-user',
    'a new login that names no session',
    [...BASE, sessionStart('s'), write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'logged-in-again' })],
  ],
  [
    'sessions-continue-with-their-user',
    'a session continued by another one after a logout',
    [
      ...BASE,
      sessionStart('s'),
      sessionStart('t'),
      write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'logged-out', continuedBy: hash('t') }),
    ],
  ],
  [
    'sessions-continue-with-their-user',
    "a session continued by another user's",
    [
      ...BASE,
      userRegistered(BERT, 'user-bert'),
      sessionStart('s'),
      sessionStart('t', { user: BERT }),
      sessionEnd('s', 't'),
    ],
  ],
  [
    'two-step-login-ends-sessions-without-it',
    'an ended session although two-step login was never turned on',
    [...BASE, sessionStart('s'), write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'two-step-turned-on' })],
  ],
  [
    'two-step-login-ends-sessions-without-it',
    'an ended session that was started with a passkey',
    [
      ...BASE,
      passkeyAdded(),
      sessionStart('s', { passkey: 'p' }),
      codesGenerated(),
      write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'two-step-turned-on' }),
    ],
  ],
  ['a-second-factor-lives-once', 'a second app', [...BASE, totpAdded(), totpAdded('u')]],
  ['a-second-factor-lives-once', 'an app added again', [...BASE, totpAdded(), totpRemoved(), totpAdded()]],
  ['a-second-factor-lives-once', 'the removal of an app that was never added', [...BASE, totpRemoved()]],
  ['a-second-factor-lives-once', 'a second removal', [...BASE, totpAdded(), totpRemoved(), totpRemoved()]],
  [
    'a-second-factor-lives-once',
    "the removal of another account's app",
    [...BASE, userRegistered(BERT, 'user-bert'), totpAdded(), totpRemoved(BERT, 'user-bert')],
  ],
  ['a-second-factor-lives-once', 'recovery codes generated twice', [...BASE, codesGenerated(), codesGenerated()]],
  ['a-second-factor-lives-once', 'a recovery code used twice', [...BASE, codesGenerated(), codeUsed(), codeUsed()]],
  ['a-second-factor-lives-once', 'a recovery code without an account', [...BASE, codeUsed()]],
  [
    'a-second-factor-lives-once',
    'a replaced recovery code',
    [...BASE, codesGenerated(), codesGenerated('d'), codeUsed()],
  ],
  ['a-second-factor-lives-once', 'a removed recovery code', [...BASE, codesGenerated(), factorsRemoved, codeUsed()]],
  [
    'a-second-factor-lives-once',
    "another account's recovery code",
    [...BASE, userRegistered(BERT, 'user-bert'), codesGenerated(), codeUsed(1, BERT, 'user-bert')],
  ],
  [
    'a-code-starts-one-session',
    'a time step used twice',
    [...BASE, totpAdded(), twoStepSessionAsOf(3, totpFactor()), twoStepSessionAsOf(4, totpFactor(), 'session-2')],
  ],
  [
    'a-code-starts-one-session',
    'a recovery code used twice',
    [
      ...BASE,
      codesGenerated(),
      codeUsed(),
      twoStepSessionAsOf(4, recoveryCodeFactor()),
      twoStepSessionAsOf(5, recoveryCodeFactor(), 'session-2'),
    ],
  ],
  [
    'a-code-starts-one-session',
    'a recovery code whose use is not recorded',
    [...BASE, codesGenerated(), codeUsed(2), twoStepSessionAsOf(4, recoveryCodeFactor())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that does not exist',
    [...BASE, twoStepSessionAsOf(2, totpFactor())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app before it was added',
    [...BASE, totpAdded(), twoStepSessionAsOf(2, totpFactor())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    "another account's app",
    [
      ...BASE,
      userRegistered(BERT, 'user-bert'),
      totpAdded('t', BERT, 'user-bert'),
      twoStepSessionAsOf(4, totpFactor()),
    ],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that was removed',
    [...BASE, totpAdded(), totpRemoved(), twoStepSessionAsOf(4, totpFactor())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that was removed during the login',
    [...BASE, totpAdded(), totpRemoved(), twoStepSessionAsOf(3, totpFactor())],
    'notice',
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a removed passkey as the second factor',
    [...BASE, passkeyAdded(), passkeyRemoved(), twoStepSessionAsOf(4, { method: 'passkey', passkeyId: id('p') })],
  ],
  ['only-active-users-log-in', 'an unknown user', [sessionStarted()]],
  [
    'only-active-users-log-in',
    'a session started long after the user was disabled',
    [...BASE, userDisabled(), sessionStarted(MUCH_LATER)],
  ],
  [
    'only-active-users-log-in',
    'a session started just after the user was disabled',
    [...BASE, userDisabled(), sessionStarted(LATER)],
    'notice',
  ],
  [
    'only-active-users-log-in',
    'a session whose credentials were checked after the user was disabled',
    [...BASE, userDisabled(), sessionAsOf(3)],
  ],
  [
    'only-active-users-log-in',
    'a session whose credentials were checked before the user was disabled',
    [...BASE, userDisabled(), atTime(sessionAsOf(2), MUCH_LATER)],
    'notice',
  ],
  [
    'sessions-have-credentials-of-their-account',
    'credentials read after the session started',
    [...BASE, sessionAsOf(3)],
  ],
  ['sessions-have-credentials-of-their-account', 'a passkey that no account has', [...BASE, sessionAsOf(2, 'p')]],
  [
    'sessions-have-credentials-of-their-account',
    "another account's passkey",
    [...BASE, userRegistered(BERT, 'user-bert'), passkeyAdded('p', BERT, 'user-bert'), sessionAsOf(4, 'p')],
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey before it was added',
    [...BASE, passkeyAdded(), sessionAsOf(2, 'p')],
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey that was removed',
    [...BASE, passkeyAdded(), passkeyRemoved(), sessionAsOf(4, 'p')],
  ],
  [
    'sessions-end-with-their-credentials',
    'a session with the previous password',
    [...BASE, passwordChanged(), sessionAsOf(2)],
    'notice',
  ],
  [
    'sessions-end-with-their-credentials',
    'a session whose credentials were checked before all sessions ended',
    [...BASE, allSessionsEnded, atTime(sessionAsOf(2), MUCH_LATER)],
    'notice',
  ],
  [
    'sessions-end-with-their-credentials',
    'a session whose credentials were checked before the user was disabled',
    [...BASE, userDisabled(), userEnabled, sessionAsOf(2)],
    'notice',
  ],
  [
    'sessions-end-with-their-credentials',
    'a session whose passkey was removed during the login',
    [...BASE, passkeyAdded(), passkeyRemoved(), sessionAsOf(3, 'p')],
    'notice',
  ],
  [
    'a-clock-set-back-ends-what-was-ahead',
    'a refresh while the clock was ahead, and another one afterward',
    [...PASSWORD_GRANT, ...refreshedAhead, clockSetBack(LATER), tokenRotated('r2', 'r3', { at: YEAR_AHEAD })],
  ],
];

const SOUND_LOGS: Readonly<Record<string, readonly TestEvent[]>> = {
  'a chain from a JWT from another issuer': [
    ...WITH_TRUSTED_ISSUER,
    ...exchange('x', JWT_EXCHANGE),
    ...exchange('y', SECOND_JWT_EXCHANGE),
  ],
  'an actor from another issuer': [...WITH_TRUSTED_ISSUER, ...exchange('x', ACTING_BY_JWT)],
  'an update of a managed grant': [...MANAGED_GRANT_UPDATE, grantReplaced(), userDisabled()],
  'a bound grant, with and without rotation': [
    ...BOUND_GRANT,
    tokenRotated('r1', 'r2'),
    bindToKey(tokenIssued('a2')),
    bindToKey(tokenIssued('a3')),
  ],
  'a bound access token with an unbound refresh token for a confidential client': [
    ...BASE,
    consentGiven('password'),
    bindToKey(tokenIssued('a1')),
    refreshTokenIssued('r1'),
    bindToKey(tokenIssued('a2'), 'other'),
  ],
  'a device grant': DEVICE_GRANT,
  'a grant with details, whose token narrows a detail': [
    ...DETAILS_GRANT,
    withDetails(tokenIssued('a1'), reference()),
    refreshTokenIssued('r1'),
    tokenRotated('r1', 'r2'),
    withDetails(tokenIssued('a2'), payment('n', { narrows: hash('d') })),
  ],
  'a summary of a device grant': [
    ...DEVICE_GRANT,
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
    grantSummarized(unchecked({ device: true })),
  ],
  'ID tokens with tokens for a resource server that does not define openid, after a code and refreshes': [
    ...RESTRICTED_GRANT,
    idToken(),
    tokenRotated('r1', 'r2', { scope: OPENID_AND_READ }),
    tokenIssued('a2', { scope: ['read'], resource: [MUSIC] }),
    idToken({ tokenHash: hash('i2') }),
    bindToKey(tokenIssued('a3', { scope: ['read'], resource: [MUSIC] })),
    idToken({ tokenHash: hash('i3') }),
  ],
  'exchanges of the newest token, an older token, and a token that was just retired': [
    ...EXCHANGEABLE,
    tokenRotated('r1', 'r2'),
    tokenIssued('a2', NARROW_TOKEN),
    rotationRetiring('r2', 'r3', 'a2', 30),
    tokenIssued('a3'),
    ...exchange('x', { ...NARROW_EXCHANGE, expiresAt: BEGINNING + 30 }),
    ...exchange('y', { parent: { ...A1, tokenHash: hash('a3') } }),
    ...exchange('z'),
  ],
  'an exchange in an open session': [
    ...EXCHANGEABLE,
    ...SESSION_GRANT,
    ...exchange('x', SESSION_GRANT_EXCHANGE, { login: SESSION_LOGIN }),
  ],
  'a denied device': [...BASE, deviceDenied],
  'a client that authenticates with a key': [...BASE, keysRegistered('k', 'l'), clientAssertionAccepted('k')],
  'a client that authenticates with a certificate': [
    ...BASE,
    keysRegistered('k', 'l'),
    consentGiven('password'),
    withClientKeyId(tokenIssued('a1'), 'l'),
    refreshTokenIssued('r1'),
  ],
  'a client that publishes its keys': [...BASE, keysUriRegistered(), clientAssertionAccepted('k')],
  'an empty log': [],
  'a key that is retired after its last token, and a key that the operator retires early': [
    keyIntroduced(),
    keyIntroduced('other', { algorithm: 'ES256' }),
    ...BASE,
    consentGiven('password'),
    withSigningKey(tokenIssued('a1')),
    refreshTokenIssued('r1'),
    withSigningKey(tokenIssued('a2', { userId: null, grant: 'h' }), 'other'),
    write('signing-keys', 'SigningKeyRetired', { kid: hash('other'), reason: 'requested' }),
    keyRetired('expired', HOUR),
  ],
  'a refresh that retires the previous access token, and a summary': [
    ...CODE_GRANT,
    rotationRetiring('r1', 'r2', 'a1', 30),
    tokenIssued('a2'),
    grantSummarized(),
    rotationRetiring('r2', 'r3', 'a2', 40),
    tokenIssued('a3'),
  ],
  'second factors that are added, used, replaced and removed': [
    ...BASE,
    totpAdded(),
    codesGenerated(),
    twoStepSessionAsOf(4, totpFactor()),
    twoStepSessionAsOf(5, totpFactor(2), 'session-2'),
    codeUsed(),
    twoStepSessionAsOf(7, recoveryCodeFactor(), 'session-3'),
    totpRemoved(),
    totpAdded('u'),
    codesGenerated('d'),
    factorsRemoved,
    totpAdded('v'),
  ],
  'sessions whose credentials were read after every change': [
    ...BASE,
    passwordChanged(),
    passkeyAdded(),
    sessionAsOf(4, 'p'),
    allSessionsEnded,
    { ...sessionAsOf(6), stream: 'session-2' },
    userDisabled(),
    userEnabled,
    passkeyAdded('q'),
    passkeyRemoved(),
    { ...sessionAsOf(11, 'q'), stream: 'session-3' },
  ],
  'logout tokens for a session and for the one that continues it': [
    ...OPENID_GRANT,
    sessionStart('t'),
    sessionEnd('s', 't'),
    allSessionsEnded,
    logoutDelivered('s'),
  ],
  'a grant for OpenID Connect that is used after its session continued in another session': [
    ...OPENID_GRANT,
    sessionStart('t'),
    sessionEnd('s', 't'),
    atTime(codeRedeemed(), LATER),
    ...[tokenIssued('a1', { scope: ['openid'] }), refreshTokenIssued('r1', null, ['openid'])].map((event) =>
      withLogin(event, passkeyLogin),
    ),
  ],
  'a grant with offline_access that is used after its session has ended': [
    ...OPENID_LOGIN,
    ...[consentGiven('asked', { scope: OFFLINE_SCOPE }), codeIssued('code', OFFLINE_SCOPE)].map((event) =>
      withLogin(event, passkeyLogin),
    ),
    sessionEnd('s'),
    atTime(codeRedeemed(), LATER),
    ...[tokenIssued('a1', { scope: OFFLINE_SCOPE }), refreshTokenIssued('r1', null, OFFLINE_SCOPE)].map((event) =>
      withLogin(event, passkeyLogin),
    ),
  ],
  'a grant with its login in every event, and a summary with the login': [
    ...BASE,
    sessionStart('s'),
    ...[consentGiven(), codeIssued()].map((event) => withLogin(event, login('s'))),
    codeRedeemed(),
    ...[tokenIssued('a1'), refreshTokenIssued('r1')].map((event) => withLogin(event, login('s'))),
    tokenRotated('r1', 'r2'),
    ...[tokenIssued('a2'), grantSummarized()].map((event) => withLogin(event, login('s'))),
  ],
  'a code with two refreshes, the second with a narrower scope': [
    ...CODE_GRANT,
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
    tokenRotated('r2', 'r3', { scope: ['read'] }),
    tokenIssued('a3', { scope: ['read'] }),
    grantRevoked,
  ],
  'a password grant': PASSWORD_GRANT,
  'a previous secret used until its expiry': [
    ...BASE,
    secretRotated(null),
    secretRotated(LATER),
    tokenByPreviousSecret(LATER - 1),
  ],
  'a code for two resource servers, with one token for each': [
    ...BASE,
    consentGiven(),
    restrictTo(codeIssued(), 'a:', 'b:'),
    codeRedeemed(),
    restrictTo(tokenIssued('a1'), 'a:'),
    restrictTo(refreshTokenIssued('r1'), 'a:', 'b:'),
    tokenRotated('r1', 'r2'),
    restrictTo(tokenIssued('a2'), 'b:'),
  ],
  'an unrestricted code with a token for one resource server': [
    ...BASE,
    consentGiven(),
    codeIssued(),
    codeRedeemed(),
    restrictTo(tokenIssued('a1'), 'a:'),
    refreshTokenIssued('r1'),
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
  ],
  'a login through a provider, until the account is unlinked': [
    ...LINKED_ACCOUNT,
    throughProvider(),
    accountUnlinked,
    endedByUnlinking,
    providerRemoved,
  ],
  'a login through a provider that was disabled and enabled again': [
    ...LINKED_ACCOUNT,
    providerDisabled,
    providerSet,
    throughProvider(),
  ],
  "an erased user's account at a provider that is then linked to another user": [
    ...LINKED_ACCOUNT,
    userErased,
    userRegistered(BERT, 'user-bert'),
    accountLinked(BERT),
  ],
  'a client credentials token that is revoked': [...BASE, tokenIssued('a1', { userId: null }), grantRevoked],
  'a restricted scope in a client credentials token': [
    ...BASE,
    restrictedScopesAllowed('introspection'),
    tokenIssued('a1', { userId: null, scope: ['introspection'] }),
  ],
  'a refresh that still names a withdrawn restricted scope': [
    ...BASE,
    restrictedScopesAllowed('audit'),
    consentGiven('password', { scope: ['read', 'audit'] }),
    tokenIssued('a1', { scope: ['read', 'audit'] }),
    refreshTokenIssued('r1', null, ['read', 'audit']),
    restrictedScopesAllowed(),
    tokenRotated('r1', 'r2', { scope: ['read', 'audit'], at: MUCH_LATER }),
    tokenIssued('a2', { scope: ['read', 'audit'] }),
  ],
  'a grant by a user who was enabled again': [...BASE, userDisabled(), userEnabled, atTime(consentGiven(), MUCH_LATER)],
  'passkeys that are added and removed': [
    ...BASE,
    passkeyAdded(),
    passkeyAdded('q'),
    passkeyRemoved(),
    userDisabled(),
    passkeyAdded('r'),
    userErased,
  ],
  'invitations from an administrator and from the operator, and a verified address': [
    ...BASE,
    rolesChanged(),
    invitationSent(),
    invitationSent(),
    invitationAccepted(),
    withEnvelope(write(`invitation-${hash('j')}`, 'InvitationAccepted', { invitedBy: null }), {
      actor: { kind: 'server' },
    }),
    emailVerified(),
    emailVerified(),
  ],
  'an invitation that is accepted with its first link, which expires after the second one': [
    ...BASE,
    rolesChanged(),
    invitationSent(),
    invitationSent(ANNA, BEGINNING + 1),
    atTime(invitationAccepted(), MUCH_LATER),
  ],
  'a name that is used again after an erasure': [...BASE, userErased, userRegistered(BERT, ANNA_STREAM)],
  'a revocation after the client was removed and the user was erased': [
    ...CODE_GRANT,
    clientRemoved(),
    userErased,
    atTime(grantRevoked, MUCH_LATER),
  ],
  'a chain of exchanges that ends at its root, without further events': [
    ...DELEGATION,
    ...exchange('y', SECOND_EXCHANGE),
    ...exchange('own', {
      userId: null,
      parent: { grantId: id('mid'), clientId: 'mid', tokenHash: hash('mid'), tokenType: 'access_token' },
      root: { grantId: id('mid'), clientId: 'mid' },
    }),
    grantRevoked,
  ],
  'a merge that keeps a detail of the earlier grant': [
    ...MERGEABLE_GRANT,
    mergeConsent(),
    inGrant(codeIssued('code2'), 'h'),
    inGrant(codeRedeemed('code2'), 'h'),
    withDetails(tokenIssued('a2', { grant: 'h' }), reference()),
    inGrant(refreshTokenIssued('r2'), 'h'),
    grantReplaced(),
  ],
  'details that narrow along a chain from an earlier token': [
    ...WITH_DETAIL,
    ...exchangeWithDetail(payment('n', { narrows: hash('d') })),
    ...exchangeWithDetail(payment('n'), 'y', { ...SECOND_EXCHANGE, chain: [party('mid')] }),
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
    ...exchangeWithDetail(payment(), 'z'),
  ],
  'exchange policies that are set, changed, removed and set again': [
    ...BASE,
    clientRegistered('other'),
    exchangePolicySet(),
    exchangePolicySet(),
    exchangePolicySet(APP, 'other'),
    exchangePolicyRemoved,
    exchangePolicySet(),
    clientRemoved(),
  ],
  "documents that keep the operator's decisions": [
    documentAcceptedAt('http://[::1]:8000/c.json'),
    documentAccepted(),
    documentClientUpdated({ skipAuthorization: true, restrictedScopes: ['audit'], mode: 'test' }),
    documentAccepted({ skipAuthorization: true, restrictedScopes: ['audit'], mode: 'test' }),
    documentAccepted({ mode: 'test' }),
  ],
  'domains that are allowed and blocked again': [
    domainListed('example', 'blocked'),
    domainListed('app.example', 'allowed'),
    atTime(documentAccepted(), MUCH_LATER),
    atTime(domainListed('app.example', 'blocked'), MUCH_LATER),
    atTime(domainUnlisted('app.example'), MUCH_LATER),
    atTime(domainListed('app.example', 'allowed'), MUCH_LATER),
  ],
  'trusted issuers that are set, changed, removed and set again': [
    ...BASE,
    clientRegistered('other'),
    trustedIssuerSet(),
    trustedIssuerSet('other'),
    trustedIssuerRemoved,
    trustedIssuerSet(),
    clientRemoved(),
  ],
  'assertions from a trusted issuer': [
    ...BASE,
    trustedIssuerSet(),
    redeemedAssertion(),
    assertedToken(),
    redeemedAssertion({ assertionHash: hash('another-assertion') }, 's'),
    assertedToken({}, 's'),
    trustedIssuerRemoved,
  ],
  'a logout after the account was disabled': [...BASE, sessionStarted(), userDisabled(), sessionEnded()],
};

async function runAudit(
  log: readonly TestEvent[],
): Promise<{ findings: readonly AuditFinding[]; summary: AuditSummary }> {
  const findings: AuditFinding[] = [];
  let summary: AuditSummary | undefined;
  const events = toRecordedEvents(log);
  async function* batches() {
    for (let from = 0; from < events.length; from += 3) yield events.slice(from, from + 3);
  }
  for await (const item of audit(batches())) {
    if ('rule' in item) findings.push(item);
    else summary = item;
  }
  if (summary === undefined) throw new Error('the audit returned no summary');
  return { findings, summary };
}

async function* endlessBatches() {
  for (;;) yield toRecordedEvents(BASE);
}

describe('the audit rules', () => {
  for (const [rule, violation, log, severity = 'finding'] of VIOLATIONS) {
    it(`report a ${severity} at the event that breaks ${rule}: ${violation}`, async () => {
      const { findings } = await runAudit(log);
      const last = toRecordedEvents(log).at(-1);
      const otherFindings = findings.filter(({ position }) => position !== last?.position);
      expect(otherFindings, 'findings at other events').to.deep.equal([]);
      expect(findings.filter((breach) => breach.rule === rule)).to.have.lengthOf(1);
      expect(findings.find((breach) => breach.rule === rule)).to.include({ severity, stream: last?.stream });
    });
  }

  it('are each broken by a log in this file', () => {
    expect([...new Set(VIOLATIONS.map(([rule]) => rule))].toSorted()).to.deep.equal(
      rules.map(({ name }) => name).toSorted(),
    );
  });

  it('have unique names and one-sentence descriptions', () => {
    expect(new Set(rules.map(({ name }) => name)).size).to.equal(rules.length);
    for (const { description } of rules) expect(description).to.match(/^[A-Z][^.]*\.$/);
  });

  for (const [title, log] of Object.entries(SOUND_LOGS)) {
    it(`hold for ${title}`, async () => {
      expect((await runAudit(log)).findings).to.deep.equal([]);
    });
  }
});

describe('the audit', () => {
  it('ends with a summary of events by type, the last position, findings and notices', async () => {
    const { summary } = await runAudit([
      ...CODE_GRANT,
      clientRemoved(),
      tokenRotated('r1', 'r2', { at: LATER }),
      codeRedeemed(),
    ]);
    expect(summary).to.include({ events: 10, position: 10, rules: rules.length, notices: 2 });
    expect(summary.findings).to.be.greaterThan(0);
    expect(summary.eventsByType).to.include({ ConsentGiven: 1, AuthorizationCodeRedeemed: 2, ClientRemoved: 1 });
  });

  it('accepts any events in any order', async () => {
    const events = [
      ...CODE_GRANT,
      tokenRotated('r1', 'r2'),
      tokenIssued('a2'),
      grantRevoked,
      userDisabled(),
      userErased,
      clientUpdated(['password']),
      clientRemoved(),
      sessionStarted(),
      sessionEnded(),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(events), async (log) => {
        expect((await runAudit(log)).summary.events).to.equal(log.length);
      }),
    );
  });

  it('continues after an unreadable record', async () => {
    const { findings } = await runAudit([
      ...BASE,
      withEnvelope(consentGiven(), { type: 'Mystery' }),
      consentGiven(),
      codeIssued(),
      codeRedeemed('other'),
    ]);
    expect(findings.map(({ rule, position }) => [rule, position])).to.deep.equal([
      ['records-follow-their-schema', 3],
      ['a-code-redeems-once', 6],
    ]);
  });

  it("throws its signal's abort reason when it is aborted", async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    const outcome = await audit(endlessBatches(), { signal: stop.signal })
      .next()
      .catch((error: unknown) => error);
    expect(outcome).to.equal(stop.signal.reason);
  });
});
