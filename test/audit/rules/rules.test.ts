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
import { BEGINNING, handWritten, hash, id, PROVIDER_SETTINGS, write, type Written } from './hand-written-log.ts';

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
const DOCUMENT_URL = 'https://app.example/c.json';
const DOCUMENT_SETTINGS = {
  ...settings,
  grantTypes: ['authorization-code'],
  redirectUris: ['https://app.example/cb'],
} as const;
const documentAccepted = (
  changes: Readonly<Record<string, unknown>> = {},
  document = JSON.stringify({ client_id: DOCUMENT_URL, redirect_uris: ['https://app.example/cb'] }),
): Written => {
  const documentHash = createHash('sha256').update(document).digest('base64url');
  return write(`client-${DOCUMENT_URL}`, 'ClientDocumentAccepted', {
    clientId: DOCUMENT_URL,
    hash: documentHash,
    document,
    ...DOCUMENT_SETTINGS,
    ...changes,
  });
};
const documentAcceptedAt = (clientId: string): Written => {
  const event = documentAccepted(
    { clientId },
    JSON.stringify({ client_id: clientId, redirect_uris: DOCUMENT_SETTINGS.redirectUris }),
  );
  return { ...event, stream: `client-${clientId}` };
};
const documentClientUpdated = (changes: Readonly<Record<string, unknown>>): Written =>
  write(`client-${DOCUMENT_URL}`, 'ClientUpdated', { ...DOCUMENT_SETTINGS, ...changes });
const domainListed = (domain: string, rule: 'allowed' | 'blocked'): Written =>
  write('domains', 'ClientDomainListed', { domain, rule });
const domainUnlisted = (domain: string): Written => write('domains', 'ClientDomainUnlisted', { domain });
const consent = (
  basis: 'asked' | 'password' | 'device' = 'asked',
  { grant = 'g', scope = ['read', 'write'] } = {},
): Written =>
  write(`grant-${id(grant)}`, 'ConsentGiven', { grantId: id(grant), clientId: APP, userId: ANNA, scope, basis });
const consentShowing = (basis: string, ...names: readonly string[]): Written =>
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
const codeRedeemed = (name = 'code', at?: number): Written =>
  write(GRANT, 'AuthorizationCodeRedeemed', { codeHash: hash(name) }, at);
const deviceAuthorized = (name = 'code', scope = ['read', 'write']): Written =>
  write(GRANT, 'DeviceAuthorized', {
    codeHash: hash(name),
    clientId: APP,
    userId: ANNA,
    scope,
    expiresAt: BEGINNING + 600,
  });
const deviceDenied = write(GRANT, 'DeviceDenied', { grantId: id('g'), clientId: APP, userId: ANNA });
const deviceCodeRedeemed = (name = 'code', at?: number): Written =>
  write(GRANT, 'DeviceCodeRedeemed', { codeHash: hash(name) }, at);
const refreshToken = (name: string, expires: number | null = null, scope = ['read', 'write']): Written =>
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
): Written =>
  write(
    GRANT,
    'RefreshTokenRotated',
    { spentHash: hash(spent), tokenHash: hash(next), scope, rotatedAt: BEGINNING + at + aheadOfTime, expiresAt: null },
    at,
  );
/** A rotation that retires an access token. */
const rotationRetiring = (spent: string, next: string, access: string, endsAt: number): Written => {
  const rotation = tokenRotated(spent, next);
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
const grantSummarized = (changes: Partial<typeof SUMMARY> & { readonly resource?: string[] } = {}): Written =>
  write(GRANT, 'GrantSummarized', { ...SUMMARY, ...changes });
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
/** Adds the id of the client's key to the event. */
const certifiedBy = ({ event, ...written }: Written, label: string): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, clientKeyId: hash(label) } }),
});
/** Adds the id of the signing key to the token. */
const signedBy = ({ event, ...written }: Written, name = 'key'): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, kid: hash(name) } }),
});
/** Binds the token to a key. */
const boundToKey = ({ event, ...written }: Written, key = 'key'): Written => ({
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
const withAlgorithm = (idTokenAlgorithm: string): Written =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, openid: { ...DEFAULT_OPENID, idTokenAlgorithm } });
const login = (session: string | null, authTime = BEGINNING, acr = 'pwd', amr = ['pwd']): Login =>
  unchecked({ sessionHash: session === null ? null : hash(session), authTime, amr, acr });
/** Adds a login to the event. */
const withLogin = ({ event, ...written }: Written, added: Login): Written => ({
  ...written,
  event: unchecked({ ...event, data: { ...event.data, login: added } }),
});
const grantRevoked = write(GRANT, 'GrantRevoked', { reason: 'revoked-by-client' });
const userDisabled = (at?: number): Written => write(ANNA_STREAM, 'UserDisabled', { userId: ANNA }, at);
const userEnabled = write(ANNA_STREAM, 'UserEnabled', { userId: ANNA });
const userErased = write(ANNA_STREAM, 'UserErased', { userId: ANNA });
const passkeyAdded = (name = 'p', userId = ANNA, stream = ANNA_STREAM): Written =>
  write(stream, 'PasskeyAdded', { userId, passkeyId: id(name), sealed: 's' });
const passkeyRemoved = (userId = ANNA, stream = ANNA_STREAM): Written =>
  write(stream, 'PasskeyRemoved', { userId, passkeyId: id('p') });
const disabledClient = (at?: number): Written => write(`client-${APP}`, 'ClientDisabled', {}, at);
const enabledClient = (): Written => write(`client-${APP}`, 'ClientEnabled', {});
const clientRemoved = (at?: number): Written => write(`client-${APP}`, 'ClientRemoved', {}, at);
const clientUpdated = (grantTypes: readonly 'password'[]): Written =>
  write(`client-${APP}`, 'ClientUpdated', { ...settings, grantTypes });
/** Registers keys with these thumbprints for the client. */
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
/** Lets the client publish its keys at a URI. */
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
const scopesAllowed = (...restrictedScopes: readonly ('audit' | 'introspection')[]): Written =>
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
  write(ANNA_STREAM, type, { userId: ANNA, sealed: 's' });
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
/** Restricts the event to these resource servers. */
const restrictedTo = (written: Written, ...resource: string[]): Written => ({
  ...written,
  event: unchecked({ type: written.event.type, data: { ...written.event.data, resource } }),
});
const sessionStarted = (at?: number): Written =>
  write('session-1', 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR }, at);
/** A session started with the credentials at this position: the password or a passkey. */
function sessionAsOf(checkedAsOf: number, passkey?: string): Written {
  const credential = passkey === undefined ? { method: 'password' } : { method: 'passkey', passkeyId: id(passkey) };
  const authentication = unchecked({ ...credential, authenticatedAt: BEGINNING, checkedAsOf });
  return write('session-1', 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR, authentication });
}
const totpAdded = (name = 't', userId = ANNA, stream = ANNA_STREAM): Written =>
  write(stream, 'TotpAdded', { userId, totpId: id(name), sealed: 's' });
const totpRemoved = (userId = ANNA, stream = ANNA_STREAM): Written =>
  write(stream, 'TotpRemoved', { userId, totpId: id('t') });
const codesGenerated = (name = 'c', userId = ANNA, stream = ANNA_STREAM): Written =>
  write(stream, 'RecoveryCodesGenerated', { userId, codesId: id(name), sealed: 's' });
const codeUsed = (number = 1, userId = ANNA, stream = ANNA_STREAM): Written =>
  write(stream, 'RecoveryCodeUsed', { userId, codesId: id('c'), number });
const factorsRemoved = write(ANNA_STREAM, 'SecondFactorsRemoved', { userId: ANNA, reason: 'lost' });
/** A session started with the password and a second factor at this position. */
function twoStepSessionAsOf(checkedAsOf: number, secondFactor: object, session = 'session-1'): Written {
  const authentication = unchecked({ method: 'password', authenticatedAt: BEGINNING, checkedAsOf, secondFactor });
  return write(session, 'SessionStarted', { userId: ANNA, expiresAt: BEGINNING + 9 * HOUR, authentication });
}
const oneTime = (step = 1): object => ({ method: 'totp', totpId: id('t'), step });
const recovery = (number = 1): object => ({ method: 'recovery-code', codesId: id('c'), number });
const streamOf = (session: string): string => `session-${hash(session)}`;
const sessionStart = (session: string, { user = ANNA, passkey = undefined as string | undefined } = {}): Written => {
  const { event } = sessionAsOf(passkey === undefined ? 0 : 3, passkey);
  return { stream: streamOf(session), event: unchecked({ ...event, data: { ...event.data, userId: user } }) };
};
const sessionEnd = (session: string, continuedBy?: string): Written =>
  write(streamOf(session), 'SessionEnded', {
    userId: ANNA,
    reason: continuedBy === undefined ? 'logged-out' : 'logged-in-again',
    ...(continuedBy !== undefined && { continuedBy: hash(continuedBy) }),
  });
const DAY = 24 * HOUR;
const sessionUsed = (at: number, session = 's', userId = ANNA): Written =>
  write(streamOf(session), 'SessionUsed', { userId, usedAt: BEGINNING + at }, at);
/** A session that lasts for days. */
const longSession = (): Written => {
  const { event } = sessionStart('s');
  return {
    stream: streamOf('s'),
    event: unchecked({ ...event, data: { ...event.data, expiresAt: BEGINNING + 9 * DAY } }),
  };
};
const allSessionsEnded = write(ANNA_STREAM, 'AllSessionsEnded', { userId: ANNA });
const sessionEnded = (userId = ANNA): Written => write('session-1', 'SessionEnded', { userId });
const emailVerified = (userId = ANNA): Written => write(ANNA_STREAM, 'EmailVerified', { userId, sealed: 's' });
const rolesChanged = (roles: readonly ('administrator' | 'auditor')[] = ['administrator']): Written =>
  write(ANNA_STREAM, 'UserRolesChanged', { userId: ANNA, roles });
const group = (stream: string, groupId: string, name: string): Written =>
  write(`group-${stream}`, 'GroupCreated', { groupId: id(groupId), name });
const groupTitled = (stream: string, groupId: string): Written =>
  write(`group-${stream}`, 'GroupTitleChanged', { groupId: id(groupId), title: 'Our staff' });
const groupRemoved = (stream: string, groupId: string): Written =>
  write(`group-${stream}`, 'GroupRemoved', { groupId: id(groupId) });
const joinedGroup = (groupId: string, userId = ANNA): Written =>
  write(ANNA_STREAM, 'GroupMemberAdded', { userId, groupId: id(groupId) });
const leftGroup = (groupId: string): Written =>
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
const resourceRegistered = (uri: string, scopes: readonly string[] = [], stream = 'a'): Written =>
  write(`resource-${stream}`, 'ResourceRegistered', { uri, settings: resourceSettings(scopes) });
const resourceUpdated = (uri: string, scopes: readonly string[] = []): Written =>
  write('resource-a', 'ResourceUpdated', { uri, settings: resourceSettings(scopes) });
const resourceRemoved = (uri: string): Written => write('resource-a', 'ResourceRemoved', { uri });
const withDetailTypes = (written: Written, ...types: string[]): Written => {
  const { type, data } = written.event as unknown as { type: string; data: { settings: object } };
  const detailTypes = types.map((each) => ({ type: each, schema: '{}', sentence: each }));
  const declared = { ...data.settings, ...(types.length > 0 && { detailTypes }) };
  return { ...written, event: unchecked({ type, data: { ...data, settings: declared } }) };
};
const BANK = withDetailTypes(resourceRegistered('b:', [], 'b'), 'pay');
const payment = (name = 'd', changes: object = {}) => ({ type: 'pay', hash: hash(name), sealed: 's', ...changes });
const reference = (name = 'd', changes: object = {}) => ({ type: 'pay', hash: hash(name), ...changes });
/** Adds details to a token, or to a consent as requested and granted. */
const withDetails = (written: Written, ...details: object[]): Written => {
  const { type, data } = written.event as unknown as { type: string; data: { scope: readonly string[] } };
  const requestedDetails = details.map((each) => ({ type: 'pay', hash: 'hash' in each ? each.hash : '' }));
  const requested = type === 'ConsentGiven' ? { requested: { scope: data.scope, details: requestedDetails } } : {};
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
const providerSet = write('provider-corp', 'UpstreamProviderSet', { providerId: 'corp', settings: PROVIDER_SETTINGS });
const providerDisabled = write('provider-corp', 'UpstreamProviderSet', {
  providerId: 'corp',
  settings: { ...PROVIDER_SETTINGS, disabled: true },
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
const LINKED = [userRegistered(ANNA, ANNA_STREAM), providerSet, accountLinked()];
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
const withEnvelope = (written: Written, envelope: Partial<RecordedEvent>): Written => ({ ...written, envelope });
/** The server is the actor, because the invited user has no account yet. */
const invitationAccepted = (invitedBy: string | null = ANNA, actor: RecordedEvent['actor'] = { kind: 'server' }) =>
  withEnvelope(write(`invitation-${hash('i')}`, 'InvitationAccepted', { invitedBy }), { actor });
const INVITATION = `invitation-${hash('i')}`;
const invitationSent = (invitedBy: string | null = ANNA, expiresAt = BEGINNING + 604_800): Written =>
  withEnvelope(write(INVITATION, 'InvitationSent', { invitedBy, sealed: 'sealed', roles: [], expiresAt }), {
    actor: invitedBy === null ? { kind: 'operator' } : { kind: 'user', id: invitedBy },
  });
const invitationWithdrawn = write(INVITATION, 'InvitationWithdrawn', {});

type Role = 'owner' | 'test-user';
const memberAdded = (userId: string, role: Role = 'owner'): Written =>
  write(`client-${APP}`, 'ClientMemberAdded', { userId, role, invitation: null });
/** Bert accepts an invitation by Anna. */
const invitedMemberAdded = (invitation: string, { by = ANNA, actor = BERT } = {}): Written => ({
  ...write(`client-${APP}`, 'ClientMemberAdded', {
    userId: BERT,
    role: 'owner',
    invitation: { hash: hash(invitation), by },
  }),
  envelope: { actor: { kind: 'user', id: actor } },
});
const memberRemoved = (userId: string, role: Role = 'owner'): Written =>
  write(`client-${APP}`, 'ClientMemberRemoved', { userId, role });
const inMode = (mode: 'live' | 'test'): Written => write(`client-${APP}`, 'ClientUpdated', { ...settings, mode });
/** Bert has an account, and Anna owns the application. */
const OWNED = [userRegistered(ANNA, ANNA_STREAM), userRegistered(BERT, 'user-bert'), clientRegistered(APP, ANNA)];

const BASE = [userRegistered(ANNA, ANNA_STREAM), clientRegistered(APP)];
const BY_DETAILS = [...BASE, BANK, withDetails(consent('asked'), payment()), code(), codeRedeemed()];
/** A grant by authorization code. Ends at position 7. */
const BY_CODE = [...BASE, consent(), code(), codeRedeemed(), tokenIssued('a1'), refreshToken('r1')];
const BOUND = [
  ...BASE,
  consent(),
  codeForKey(),
  codeRedeemed(),
  boundToKey(tokenIssued('a1')),
  boundToKey(refreshToken('r1')),
];
/** Anna logs in with a passkey and authorizes OpenID Connect. */
const passkeyLogin = login('s', BEGINNING, 'phr', ['pop', 'user']);
const OPENID_LOGIN = [...BASE, passkeyAdded(), sessionStart('s', { passkey: 'p' })];
const openIdConsent = (): Written => consent('asked', { scope: ['openid'] });
const OPENID = [
  ...OPENID_LOGIN,
  ...[openIdConsent(), code('code', ['openid'])].map((each) => withLogin(each, passkeyLogin)),
];
const OFFLINE = ['openid', 'offline_access'];
const BY_DEVICE = [
  ...BASE,
  consent('device'),
  deviceAuthorized(),
  deviceCodeRedeemed(),
  tokenIssued('a1'),
  refreshToken('r1'),
];
const inGrant = (written: Written, grant: string): Written => ({ ...written, stream: `grant-${id(grant)}` });
const withManagement = (written: Written, management: Readonly<Record<string, unknown>>): Written => ({
  ...written,
  event: unchecked({ type: written.event.type, data: { ...written.event.data, management } }),
});
/** A grant that its client manages as `g`. */
const CREATED = [
  ...BASE,
  withManagement(consent(), { action: 'create', grantId: id('g') }),
  code(),
  codeRedeemed(),
  tokenIssued('a1'),
  refreshToken('r1'),
];
const byBert = (written: Written): Written => ({
  ...written,
  event: unchecked({ type: written.event.type, data: { ...written.event.data, userId: BERT } }),
});
const updateConsent = (changes: Readonly<Record<string, unknown>> = {}): Written =>
  withManagement(consent('asked', { grant: 'h' }), {
    action: 'replace',
    grantId: id('g'),
    updates: id('g'),
    ...changes,
  });
/** An update of that grant, without the end that must follow. */
const UPDATING = [
  ...CREATED,
  updateConsent(),
  inGrant(code('code2'), 'h'),
  inGrant(codeRedeemed('code2'), 'h'),
  tokenIssued('a2', { grant: 'h' }),
  inGrant(refreshToken('r2'), 'h'),
];
/** A managed grant with a detail, for an update that merges it without a request for details. */
const MERGING = [
  BANK,
  ...CREATED.map((each) => {
    if (each.event.type === 'AccessTokenIssued') return withDetails(each, reference());
    return each.event.type === 'ConsentGiven'
      ? withManagement(withDetails(consent('asked'), payment()), { action: 'create', grantId: id('g') })
      : each;
  }),
];
const mergeConsent = (name = 'd'): Written => {
  const update = updateConsent({ action: 'merge' });
  const data = { ...update.event.data, details: [payment(name)], requested: { scope: ['read'] } };
  return { ...update, event: unchecked({ type: update.event.type, data }) };
};
const grantReplaced = (by = 'h'): Written =>
  write(GRANT, 'GrantRevoked', { reason: 'updated', replacedBy: unchecked(id(by)) });
const BY_PASSWORD = [...BASE, consent('password'), tokenIssued('a1'), refreshToken('r1')];
const OPENID_BY_PASSWORD = [
  ...BASE,
  keyIntroduced(),
  consent('password', OF_OPENID),
  tokenIssued('a1', OF_OPENID),
  refreshToken('r1', null, OF_OPENID.scope),
];
/** A resource server that defines the scope of the access token. */
const MUSIC = 'https://music.example';
const OPENID_AND_MORE = ['openid', 'read'];
const RESTRICTED = [
  ...BASE,
  keyIntroduced(),
  resourceRegistered(MUSIC, ['read']),
  consent('asked', { scope: OPENID_AND_MORE }),
  restrictedTo(code('code', OPENID_AND_MORE), MUSIC),
  codeRedeemed(),
  tokenIssued('a1', { scope: ['read'], resource: [MUSIC] }),
  restrictedTo(refreshToken('r1', null, OPENID_AND_MORE), MUSIC),
];
const LATER = 30;
const MUCH_LATER = 600;

/** The header of a request with a trace (W3C Trace Context). */
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const logout = (session: string, client = APP, userId = ANNA): Written =>
  write(streamOf(session), 'LogoutDelivered', { clientId: client, userId, attempts: 1 });

type Exchange = Extract<Written['event'], { type: 'TokenExchanged' }>['data'];
/** The client `api` exchanges Anna's first token at the application. Returns both events, for a token of an hour. */
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
const exchangeEvent = (changes: Readonly<Record<string, unknown>>, name = 'x'): Written => exchange(name, changes)[0]!;
const policySet = (client: string, subject: string, limits: object = {}): Written =>
  write(exchangeStream(client, subject), 'ExchangePolicySet', {
    clientId: client,
    subjectClientId: subject,
    settings: { modes: ['impersonation', 'delegation'], scope: null, resources: null, ...limits },
  });
/** The client `api` may exchange Anna's token, and `mid` the tokens of `api`. Both have client credentials tokens. */
const EXCHANGEABLE = [
  ...BASE,
  clientRegistered('api'),
  clientRegistered('mid'),
  policySet('api', APP),
  policySet('mid', 'api'),
  policySet('api', 'mid'),
  consent(),
  code(),
  codeRedeemed(),
  tokenIssued('a1'),
  refreshToken('r1'),
  tokenIssued('api', { grant: 'api', clientId: 'api', userId: null }),
  tokenIssued('mid', { grant: 'mid', clientId: 'mid', userId: null }),
];
const A1 = { grantId: id('g'), clientId: APP, tokenHash: hash('a1'), tokenType: 'access_token' };
/** A token with less scope than its grant, and the data of its exchange. */
const NARROW = { scope: ['read'], resource: ['https://one.example'], expires: 1_800 };
const NARROW_EXCHANGE = {
  parent: { ...A1, tokenHash: hash('a2') },
  scope: NARROW.scope,
  resource: NARROW.resource,
  expiresAt: BEGINNING + NARROW.expires,
};
const actingAs = (client: string, changes: object = {}) => ({
  actor: { grantId: id(client), clientId: client, userId: null, tokenHash: hash(client), ...changes },
  mode: 'delegation',
});
const party = (clientId: string) => ({ clientId, userId: null });
/** An exchange in which `api` acts for Anna. */
const DELEGATED = [...EXCHANGEABLE, ...exchange('x', { ...actingAs('api'), chain: [party('api')] })];
/** The data of a second exchange, in which `mid` acts, too. */
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
  ...EXCHANGEABLE.map((each) => {
    if (each.event.type === 'ConsentGiven') return withDetails(consent('asked'), payment());
    const isFirst = each.event.type === 'AccessTokenIssued' && each.event.data.userId !== null;
    return isFirst ? withDetails(each, reference()) : each;
  }),
];
/** An exchange of Anna's token with a detail. */
const exchangeWithDetail = (
  detail: ReturnType<typeof reference>,
  name = 'x',
  changes: object = {},
): readonly [Written, Written] => {
  const named = [{ type: detail.type, hash: detail.hash }];
  const [first, second] = exchange(name, { ...changes, details: named }, { details: [detail] });
  return [first ?? expect.fail(), second ?? expect.fail()];
};

const ID_PARENT = { grantId: id('g'), clientId: APP, tokenHash: hash('a1'), tokenType: 'id_token' };

/** A JWT of another issuer that is mapped to the client. */
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
/** The data of an exchange of that JWT by `api`, which the record of the issuer allows without a policy. */
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
/** The data of an exchange in which `api` presents the JWT as the actor token. */
const ACTING_BY_JWT = {
  mode: 'delegation',
  actor: { ...party('api'), ...EXTERNAL_JWT },
  chain: [party('api')],
  scope: ['read'],
  expiresAt: BEGINNING + 3_000,
};
const TRUSTING = [...EXCHANGEABLE, trustedIssuerSet('api')];

/** The login of a grant that ends with its session, the grant, and the data of an exchange of its token. */
const SESSION_LOGIN = login('s');
const OF_SESSION = [
  sessionStart('s'),
  ...[
    consent('asked', { grant: 'h', scope: ['openid', 'read'] }),
    inGrant(code('code2', ['openid', 'read']), 'h'),
    inGrant(codeRedeemed('code2'), 'h'),
    tokenIssued('a2', { grant: 'h', scope: ['openid', 'read'] }),
    inGrant(refreshToken('r2', null, ['openid', 'read']), 'h'),
  ].map((each) => (each.event.type === 'AuthorizationCodeRedeemed' ? each : withLogin(each, SESSION_LOGIN))),
];
const OF_LOGIN = {
  scope: ['read'],
  parent: { ...A1, grantId: id('h'), tokenHash: hash('a2') },
  root: { grantId: id('h'), clientId: APP },
  login: SESSION_LOGIN,
};

type Case = readonly [rule: string, violation: string, log: readonly Written[], severity?: 'notice'];

const YEAR_AHEAD = 31_536_000;
/**
 * A refresh while the clock is a year ahead. Later events have the same time, because the audit reports a clock that is
 * set back as a notice.
 */
const refreshedAhead: readonly Written[] = [
  tokenRotated('r1', 'r2', { at: YEAR_AHEAD }),
  tokenIssued('a2', { expires: YEAR_AHEAD + HOUR }),
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

/** In each log, only the last event breaks the rule. */
const BROKEN: readonly Case[] = [
  ['exchanges-only-narrow', 'another scope', [...EXCHANGEABLE, exchangeEvent({ scope: ['read', 'admin'] })]],
  ['exchanges-only-narrow', 'a longer lifetime', [...EXCHANGEABLE, exchangeEvent({ expiresAt: BEGINNING + HOUR + 1 })]],
  [
    'exchanges-only-narrow',
    'more than the actor has',
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
    'another resource server at depth two',
    [
      ...EXCHANGEABLE,
      ...exchange('x', { resource: ['https://one.example'] }),
      exchangeEvent({ ...SECOND_EXCHANGE, resource: ['https://two.example'], chain: [party('mid')] }, 'y'),
    ],
  ],
  [
    'exchanges-only-narrow',
    'every resource server at depth two',
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
  ).map(([what, more]): Case => [
    'exchanges-only-narrow',
    `more ${what} than its subject token, which is not the newest of its grant`,
    [
      ...EXCHANGEABLE,
      tokenRotated('r1', 'r2'),
      tokenIssued('a2', NARROW),
      tokenRotated('r2', 'r3'),
      tokenIssued('a3'),
      exchangeEvent({ ...NARROW_EXCHANGE, ...more }),
    ],
  ]),
  [
    'exchanges-only-narrow',
    'a longer lifetime than its subject token, which a refresh had retired',
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
      consent('asked', { grant: 'h', scope: ['openid', 'read', 'write'] }),
      inGrant(code('code2', ['openid', 'read', 'write']), 'h'),
      inGrant(codeRedeemed('code2'), 'h'),
      tokenIssued('a2', { grant: 'h', scope: ['openid', 'read'] }),
      inGrant(refreshToken('r2', null, ['openid', 'read', 'write']), 'h'),
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
    'the token of another grant',
    [...EXCHANGEABLE, exchangeEvent({ parent: { ...A1, tokenHash: hash('api') } })],
  ],
  [
    'exchanges-present-issued-tokens',
    'an actor token that was never issued',
    [...EXCHANGEABLE, exchangeEvent({ ...actingAs('api', { tokenHash: hash('other') }), chain: [party('api')] })],
  ],
  [
    'exchanges-present-issued-tokens',
    'a subject token that had expired long before',
    [
      ...EXCHANGEABLE,
      tokenIssued('late', { grant: 'late', clientId: 'api', userId: null, expires: 3 * HOUR }),
      later(settingChanged(600), 2 * HOUR),
      exchangeEvent({ expiresAt: BEGINNING + 3 * HOUR }),
    ],
  ],
  [
    'details-narrow-along-chains',
    'more than the subject token',
    [...WITH_DETAIL, ...exchangeWithDetail(payment('other'))],
  ],
  [
    'details-narrow-along-chains',
    'one of another type',
    [...WITH_DETAIL, ...exchangeWithDetail(payment('d', { type: 'give' }))],
  ],
  [
    'details-narrow-along-chains',
    'a detail of the consent that its subject token lacks',
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
    'wider than above, at depth two',
    [
      ...WITH_DETAIL,
      ...exchangeWithDetail(payment('n', { narrows: hash('d') })),
      ...exchangeWithDetail(payment(), 'y', { ...SECOND_EXCHANGE, chain: [party('mid')] }),
    ],
  ],
  [
    'details-narrow-along-chains',
    'without the text of the detail',
    [...WITH_DETAIL, ...exchangeWithDetail(reference())],
  ],
  [
    'details-narrow-along-chains',
    'other details than in the exchange',
    [...WITH_DETAIL, exchangeEvent({}), exchangeWithDetail(payment())[1]],
  ],
  [
    'exchanges-only-narrow',
    'a longer lifetime than the JWT of another issuer',
    [...TRUSTING, exchangeEvent({ ...JWT_EXCHANGE, parent: { ...EXTERNAL_JWT, expiresAt: BEGINNING + 2_999 } })],
  ],
  [
    'exchanges-only-narrow',
    'a longer lifetime than the JWT of its actor',
    [...TRUSTING, exchangeEvent({ ...ACTING_BY_JWT, actor: { ...ACTING_BY_JWT.actor, expiresAt: BEGINNING + 2_999 } })],
  ],
  [
    'chains-are-whole',
    'another root than an exchange of a JWT of another issuer',
    [...TRUSTING, exchangeEvent({ ...JWT_EXCHANGE, root: { grantId: id('g'), clientId: APP } })],
  ],
  [
    'chains-are-whole',
    'an ID token that is not the newest',
    [...EXCHANGEABLE, exchangeEvent({ parent: { ...ID_PARENT, tokenHash: hash('earlier') } })],
  ],
  ...(
    [
      ['an unknown issuer', [...EXCHANGEABLE, exchangeEvent(JWT_EXCHANGE)]],
      ['a removed issuer', [...TRUSTING, trustedIssuerRemoved, exchangeEvent(JWT_EXCHANGE)]],
      ['another client', [...EXCHANGEABLE, trustedIssuerSet('mid'), exchangeEvent(JWT_EXCHANGE)]],
      [
        'another mapping',
        [...TRUSTING, exchangeEvent({ ...JWT_EXCHANGE, parent: { ...EXTERNAL_JWT, mapping: 'user-name' } })],
      ],
      ['a user in place of the client', [...TRUSTING, exchangeEvent({ ...JWT_EXCHANGE, userId: ANNA })]],
      ['more scope', [...TRUSTING, exchangeEvent({ ...JWT_EXCHANGE, scope: ['read', 'write'] })]],
      [
        'a longer lifetime than the record allows',
        [
          ...TRUSTING,
          exchangeEvent({
            ...JWT_EXCHANGE,
            parent: { ...EXTERNAL_JWT, expiresAt: BEGINNING + 9_999 },
            expiresAt: BEGINNING + 9_000,
          }),
        ],
      ],
      ['an unknown issuer of its actor', [...EXCHANGEABLE, exchangeEvent(ACTING_BY_JWT)]],
      ['more scope than its actor', [...TRUSTING, exchangeEvent({ ...ACTING_BY_JWT, scope: ['read', 'write'] })]],
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
    `the grant at the root ended with ${what}`,
    [...EXCHANGEABLE, ...OF_SESSION, ...ends, exchangeEvent(OF_LOGIN)],
  ]),
  [
    'nothing-is-exchanged-after-an-end',
    'the trust in the issuer at the root was removed, and set again',
    [
      ...TRUSTING,
      ...exchange('x', JWT_EXCHANGE),
      trustedIssuerRemoved,
      trustedIssuerSet('api'),
      exchangeEvent(SECOND_JWT_EXCHANGE, 'y'),
    ],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the trust in the issuer of an actor above was removed',
    [
      ...TRUSTING,
      ...exchange('x', ACTING_BY_JWT),
      trustedIssuerRemoved,
      exchangeEvent({ ...SECOND_EXCHANGE, scope: ['read'], expiresAt: BEGINNING + 3_000 }, 'y'),
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
      exchangeEvent({
        userId: null,
        parent: { grantId: id('r'), clientId: APP, tokenHash: hash('token-r'), tokenType: 'access_token' },
        root: { grantId: id('r'), clientId: APP },
        scope: ['read'],
        expiresAt: BEGINNING + 3_000,
      }),
    ],
  ],
  ['nothing-is-exchanged-after-an-end', 'its grant was revoked', [...EXCHANGEABLE, grantRevoked, exchangeEvent({})]],
  [
    'nothing-is-exchanged-after-an-end',
    'the root was revoked',
    [...DELEGATED, grantRevoked, exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the root client was removed',
    [...DELEGATED, clientRemoved(), exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the root client is disabled',
    [...DELEGATED, disabledClient(), exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'the user was disabled',
    [...DELEGATED, userDisabled(), exchangeEvent(SECOND_EXCHANGE, 'y')],
  ],
  [
    'nothing-is-exchanged-after-an-end',
    'an actor above was revoked',
    [
      ...DELEGATED,
      write(`grant-${id('api')}`, 'GrantRevoked', { reason: 'revoked-by-client' }),
      exchangeEvent(SECOND_EXCHANGE, 'y'),
    ],
  ],
  [
    'chains-are-whole',
    'its subject token has no grant',
    [
      ...EXCHANGEABLE,
      exchangeEvent({
        parent: { ...SECOND_EXCHANGE.parent, clientId: APP },
        root: { grantId: id('x'), clientId: APP },
      }),
    ],
  ],
  ['chains-are-whole', 'another user', [...EXCHANGEABLE, exchangeEvent({ userId: BERT })]],
  ['chains-are-whole', 'a wrong depth', [...DELEGATED, exchangeEvent({ ...SECOND_EXCHANGE, depth: 3 }, 'y')]],
  [
    'chains-are-whole',
    'another root',
    [...DELEGATED, exchangeEvent({ ...SECOND_EXCHANGE, root: { grantId: id('x'), clientId: 'api' } }, 'y')],
  ],
  [
    'chains-are-whole',
    'a missing actor',
    [...DELEGATED, exchangeEvent({ ...SECOND_EXCHANGE, chain: [party('mid')] }, 'y')],
  ],
  ['chains-are-whole', 'the wrong mode', [...EXCHANGEABLE, exchangeEvent({ mode: 'delegation' })]],
  [
    'chains-have-no-circles',
    'a client exchanges twice',
    [
      ...DELEGATED,
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
    'the actor token of another client',
    [...EXCHANGEABLE, exchangeEvent({ ...actingAs('mid'), chain: [party('mid')] })],
  ],
  [
    'chains-have-no-circles',
    'an actor whose grant is for another user',
    [
      ...EXCHANGEABLE,
      exchangeEvent({ ...actingAs('api', { userId: BERT }), chain: [{ clientId: 'api', userId: BERT }] }),
    ],
  ],
  [
    'chains-have-no-circles',
    'an actor token that was exchanged',
    [
      ...DELEGATED,
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
    'another mode',
    [...EXCHANGEABLE, policySet('api', APP, { modes: ['delegation'] }), exchangeEvent({})],
  ],
  [
    'exchanges-follow-a-policy',
    'more scope',
    [...EXCHANGEABLE, policySet('api', APP, { scope: ['read'] }), exchangeEvent({})],
  ],
  [
    'exchanges-follow-a-policy',
    'every resource server',
    [...EXCHANGEABLE, policySet('api', APP, { resources: ['https://one.example'] }), exchangeEvent({})],
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
      later(exchangeEvent({}), MUCH_LATER),
    ],
  ],
  ['positions-without-gap', 'an event is missing', [...BASE, withEnvelope(consent(), { position: 4 as never })]],
  ['positions-without-gap', 'an event is repeated', [...BASE, withEnvelope(consent(), { position: 2 as never })]],
  [
    'revisions-without-gap',
    'an event of the stream is missing',
    [...BASE, consent(), withEnvelope(code(), { revision: 3 as never })],
  ],
  [
    'revisions-without-gap',
    'a stream begins in its middle',
    [withEnvelope(userRegistered(ANNA, ANNA_STREAM), { revision: 2 as never })],
  ],
  ['records-follow-their-schema', 'the type is unknown', [...BASE, withEnvelope(consent(), { type: 'TokenUpdated' })]],
  ['records-follow-their-schema', 'the version is unknown', [...BASE, withEnvelope(consent(), { version: 99 })]],
  ['records-follow-their-schema', 'a member is missing', [...BASE, withEnvelope(consent(), { data: {} })]],
  [
    'records-follow-their-schema',
    'the time is missing',
    [...BASE, withEnvelope(consent(), { recordedAt: 'now' as never })],
  ],
  [
    'clock-goes-forward',
    'an hour repeats',
    [later(userRegistered(ANNA, ANNA_STREAM), HOUR), later(clientRegistered(APP), 0)],
    'notice',
  ],

  [
    'traces-are-of-a-request',
    'not a trace',
    [...BASE, withEnvelope(consent(), { requestId: 'r', traceparent: '00-anna' })],
  ],
  [
    'traces-are-of-a-request',
    'not text',
    [...BASE, withEnvelope(consent(), { requestId: 'r', traceparent: 7 as never })],
  ],
  ['traces-are-of-a-request', 'no request', [...BASE, withEnvelope(consent(), { traceparent: TRACEPARENT })]],

  ['events-in-their-stream', 'a client in a grant', [write('grant-x', 'ClientRemoved', {})]],
  [
    'events-in-their-stream',
    'a token in another grant',
    [...BY_CODE, { ...tokenIssued('a2'), stream: `grant-${id('other')}` }],
  ],
  ['ids-never-repeat', 'a client id', [...BASE, clientRegistered(APP)]],
  ['ids-never-repeat', 'a user id under another name', [...BASE, userRegistered(ANNA, 'user-bert')]],
  ['ids-never-repeat', 'a second consent in a grant', [...BASE, consent(), consent()]],
  ['ids-never-repeat', 'a group id', [group('1', 'x', 'one'), group('2', 'x', 'two')]],
  ['credentials-never-repeat', 'an access token', [...BY_CODE, tokenRotated('r1', 'r2'), tokenIssued('a1')]],
  ['credentials-never-repeat', 'a refresh token', [...BY_CODE, tokenRotated('r1', 'r1')]],
  ['group-names-are-unique', 'a repeated name', [group('1', 'x', 'one'), group('2', 'y', 'one')]],
  ['a-group-is-removed-once', 'another stream', [group('1', 'x', 'one'), groupRemoved('2', 'x')]],
  ['a-group-is-removed-once', 'twice', [group('1', 'x', 'one'), groupRemoved('1', 'x'), groupRemoved('1', 'x')]],
  ['existing-groups-get-titles', 'another stream', [group('1', 'x', 'one'), groupTitled('2', 'x')]],
  ['existing-groups-get-titles', 'removed', [group('1', 'x', 'one'), groupRemoved('1', 'x'), groupTitled('1', 'x')]],
  ['group-members-change-once', 'no group', [...BASE, joinedGroup('x')]],
  ['group-members-change-once', 'twice', [...BASE, group('1', 'x', 'one'), joinedGroup('x'), joinedGroup('x')]],
  ['group-members-change-once', 'not a member', [...BASE, group('1', 'x', 'one'), leftGroup('x')]],
  [
    'group-members-change-once',
    'a removed group',
    [...BASE, group('1', 'x', 'one'), groupRemoved('1', 'x'), joinedGroup('x')],
  ],
  ['an-account-lives-once', 'a member without an account', [group('1', 'x', 'one'), joinedGroup('x')]],

  ['consent-comes-first', 'a code without consent', [...BASE, code()]],
  ['consent-comes-first', 'a device without consent', [...BASE, deviceAuthorized()]],
  ['consent-comes-first', 'a redemption after a denial', [...BASE, deviceDenied, deviceCodeRedeemed()]],
  ['answers-are-whole', 'a code after the consent on a device', [...BASE, consent('device'), code()]],
  ['answers-are-whole', 'no token after the code of a device', [...BY_DEVICE.slice(0, 5), refreshToken('r1')]],
  ['a-code-redeems-once', 'a device code again', [...BY_DEVICE, deviceCodeRedeemed()]],
  ['a-code-redeems-once', 'a device code as a code', [...BY_DEVICE.slice(0, 4), codeRedeemed()]],
  ['a-code-redeems-once', 'another device code', [...BY_DEVICE.slice(0, 4), deviceCodeRedeemed('other')]],
  ['a-code-redeems-in-time', 'a device code', [...BY_DEVICE.slice(0, 4), deviceCodeRedeemed('code', 700)]],
  ['scope-never-widens', 'a device', [...BASE, consent('device'), deviceAuthorized('code', ['read', 'groups'])]],
  [
    'credentials-never-repeat',
    'a device code',
    [...BY_CODE, consent('device', { grant: 'other' }), { ...deviceAuthorized(), stream: `grant-${id('other')}` }],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a denied device',
    [...BASE, later(clientUpdated(['password']), 0), later(deviceDenied, MUCH_LATER)],
  ],
  ['consent-comes-first', "a user's token without a consent", [...BASE, tokenIssued('a1')]],
  ['consent-comes-first', 'an end without consent', [...BASE, grantRevoked]],
  [
    'one-client-one-user',
    "another client's token",
    [...BASE, clientRegistered('other'), consent('password'), tokenIssued('a1', { clientId: 'other' })],
  ],
  [
    'one-client-one-user',
    "another user's token",
    [...BASE, userRegistered(BERT, 'user-bert'), consent('password'), tokenIssued('a1', { userId: BERT })],
  ],
  [
    'one-client-one-user',
    'a token without a user',
    [...BASE, consent('password'), tokenIssued('a1', { userId: null })],
  ],
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
    [...BASE, sessionStart('s'), withLogin(consent(), login('s')), withLogin(code(), other)],
  ]),
  [
    'one-login-per-grant',
    'a code without the login',
    [...BASE, sessionStart('s'), withLogin(consent(), login('s')), code()],
  ],
  [
    'one-login-per-grant',
    'a refresh token with a login that its consent lacks',
    [...BY_CODE.slice(0, -1), withLogin(refreshToken('r1'), login('s'))],
  ],
  ['logout-tokens-follow-logouts', 'the session never started', [...OPENID, sessionEnd('s'), logout('t')]],
  ['logout-tokens-follow-logouts', 'the session has not ended', [...OPENID, logout('s')]],
  [
    'logout-tokens-follow-logouts',
    'the session continues',
    [...OPENID, sessionStart('t'), sessionEnd('s', 't'), logout('s')],
  ],
  ['logout-tokens-follow-logouts', 'it is repeated', [...OPENID, sessionEnd('s'), logout('s'), logout('s')]],
  ['logout-tokens-follow-logouts', 'another client is notified', [...OPENID, sessionEnd('s'), logout('s', 'other')]],
  ['logout-tokens-follow-logouts', 'of another user', [...OPENID, sessionEnd('s'), logout('s', APP, BERT)]],
  [
    'logout-tokens-follow-logouts',
    'the client was not authorized for OpenID Connect',
    [
      ...OPENID_LOGIN,
      ...[consent(), code()].map((each) => withLogin(each, passkeyLogin)),
      sessionEnd('s'),
      logout('s'),
    ],
  ],
  ['logins-belong-to-sessions', 'a session that never started', [...BASE, withLogin(consent(), login('s'))]],
  [
    'logins-belong-to-sessions',
    'the session of another user',
    [...BASE, userRegistered(BERT, 'user-bert'), sessionStart('s', { user: BERT }), withLogin(consent(), login('s'))],
  ],
  [
    'logins-belong-to-sessions',
    'another time than that of the session',
    [...BASE, sessionStart('s'), withLogin(consent(), login('s', BEGINNING - 1))],
  ],
  ['logins-belong-to-sessions', 'no session', [...BASE, withLogin(consent(), login(null))]],
  [
    'logins-belong-to-sessions',
    'a session in addition to a password',
    [...BASE, sessionStart('s'), withLogin(consent('password'), login('s'))],
  ],
  ...(
    [
      ['its user logged out', sessionEnd('s')],
      ['its user ended all sessions', allSessionsEnded],
      ['the password changed', passwordChanged()],
      ['its passkey was removed', passkeyRemoved()],
    ] as const
  ).flatMap(([what, end]): readonly Case[] => [
    ['grants-end-with-their-session', `long after ${what}`, [...OPENID, end, later(codeRedeemed(), MUCH_LATER)]],
    ['grants-end-with-their-session', `just after ${what}`, [...OPENID, end, later(codeRedeemed(), LATER)], 'notice'],
  ]),
  [
    'grants-end-with-their-session',
    'a consent long after',
    [...OPENID_LOGIN, sessionEnd('s'), later(withLogin(openIdConsent(), passkeyLogin), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-session',
    'after the session that continues the session of the grant',
    [...OPENID, sessionStart('t'), sessionEnd('s', 't'), sessionEnd('t'), later(codeRedeemed(), MUCH_LATER)],
  ],
  [
    'grants-end-with-their-session',
    'a consent after its session continued in another session',
    [
      ...OPENID_LOGIN,
      sessionStart('t'),
      sessionEnd('s', 't'),
      later(withLogin(openIdConsent(), passkeyLogin), MUCH_LATER),
    ],
  ],
  [
    'updates-keep-the-id-client-and-user',
    'a new grant under the id of another grant',
    [...BASE, withManagement(consent(), { action: 'create', grantId: id('h') })],
  ],
  [
    'updates-keep-the-id-client-and-user',
    'an update of nothing',
    [...BASE, withManagement(consent(), { action: 'merge', grantId: id('g') })],
  ],
  ['updates-keep-the-id-client-and-user', 'an update of an unknown grant', [...BASE, updateConsent()]],
  ['updates-keep-the-id-client-and-user', 'another id', [...CREATED, updateConsent({ grantId: id('other') })]],
  ['updates-keep-the-id-client-and-user', 'an unmanaged grant', [...BY_CODE, updateConsent()]],
  [
    'updates-keep-the-id-client-and-user',
    'the grant of another user',
    [...CREATED, userRegistered(BERT, 'user-bert'), byBert(updateConsent())],
  ],
  ['updates-replace-one-grant', 'no end of the earlier grant', [...UPDATING, userDisabled()]],
  ['updates-replace-one-grant', 'the end of the earlier grant by its user', [...UPDATING, grantRevoked]],
  ['updates-replace-one-grant', 'the end of a grant without an update', [...CREATED, grantReplaced()]],
  ['updates-replace-one-grant', 'the end of a grant by another update', [...UPDATING, grantReplaced('other')]],
  [
    'updates-replace-one-grant',
    'a successor of a revoked grant',
    [...CREATED, write(GRANT, 'GrantRevoked', { reason: 'revoked-by-client', replacedBy: unchecked(id('h')) })],
  ],
  ['id-tokens-follow-the-consent', 'without the scope openid', [...BY_CODE, idToken()]],
  [
    'id-tokens-follow-the-consent',
    'after a refresh without the scope openid',
    [
      ...RESTRICTED,
      idToken(),
      tokenRotated('r1', 'r2', { scope: ['read'] }),
      tokenIssued('a2', { scope: ['read'], resource: [MUSIC] }),
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
      codeRedeemed(),
      boundToKey(tokenIssued('a1', { scope: OPENID_AND_MORE })),
      boundToKey(refreshToken('r1', null, OPENID_AND_MORE)),
      boundToKey(tokenIssued('a2', { scope: ['read'] })),
      idToken(),
    ],
  ],
  [
    'id-tokens-follow-the-consent',
    'a second ID token for one access token',
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
    [...BASE, clientRegistered('other'), exchangePolicySet(APP, 'other', exchangeStream('other', APP))],
  ],
  ['exchange-policies-are-for-registered-clients', 'an unknown subject', [...BASE, exchangePolicySet(APP, 'other')]],
  ['exchange-policies-are-for-registered-clients', 'a removed client', [...BASE, clientRemoved(), exchangePolicySet()]],
  [
    'exchange-policies-are-for-registered-clients',
    'a public client',
    [...BASE, write(`client-${APP}`, 'ClientUpdated', { ...settings, clientType: 'public' }), exchangePolicySet()],
  ],
  ['exchange-policies-are-set-before-they-are-removed', 'never set', [...BASE, exchangePolicyRemoved]],
  [
    'exchange-policies-are-set-before-they-are-removed',
    'twice',
    [...BASE, exchangePolicySet(), exchangePolicyRemoved, exchangePolicyRemoved],
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
    [...BASE, { ...settingChanged(60), envelope: { actor: { kind: 'user', id: ANNA } } }],
  ],
  ['accounts-at-providers-have-one-user', 'an unknown provider', [...BASE, accountLinked()]],
  ['accounts-at-providers-have-one-user', 'an unknown user', [providerSet, accountLinked()]],
  [
    'accounts-at-providers-have-one-user',
    'another user',
    [...LINKED, userRegistered(BERT, 'user-bert'), accountLinked(BERT)],
  ],
  ['accounts-at-providers-are-linked-before-they-are-unlinked', 'never linked', [...BASE, accountUnlinked]],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'an unlinked account',
    [...BASE, providerSet, throughProvider()],
  ],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'a removed provider',
    [...LINKED, providerRemoved, throughProvider()],
  ],
  [
    'sessions-through-providers-are-of-linked-accounts',
    'a disabled provider',
    [...LINKED, providerDisabled, throughProvider()],
  ],
  ['unlinking-ends-sessions-of-the-account', 'a linked account', [...LINKED, throughProvider(), endedByUnlinking]],
  ['unlinking-ends-sessions-of-the-account', 'a password', [...LINKED, sessionStarted(), endedByUnlinking]],
  [
    'trusted-issuers-are-in-their-stream',
    'the stream of another issuer',
    [...BASE, trustedIssuerSet(APP, 'https://issuer.example', issuerStream('https://other.example'))],
  ],
  ['trusted-issuers-are-for-registered-clients', 'an unknown client', [...BASE, trustedIssuerSet('other')]],
  ['trusted-issuers-are-for-registered-clients', 'a removed client', [...BASE, clientRemoved(), trustedIssuerSet()]],
  [
    'trusted-issuers-are-for-registered-clients',
    'a public client',
    [...BASE, write(`client-${APP}`, 'ClientUpdated', { ...settings, clientType: 'public' }), trustedIssuerSet()],
  ],
  ['trusted-issuers-are-set-before-they-are-removed', 'never set', [...BASE, trustedIssuerRemoved]],
  [
    'trusted-issuers-are-set-before-they-are-removed',
    'twice',
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
      ['another use', { use: 'identity-assertion' }],
      ['another client', { clientId: 'other' }],
      ['another mapping', { mapping: 'user-name' }],
      ['a user in place of the client', { userId: ANNA }],
      ['more scope', { scope: ['read', 'write'] }],
      ['a longer lifetime', { expiresAt: BEGINNING + 4_000 }],
    ] as const
  ).map(([what, changes]): Case => [
    'assertions-follow-a-trusted-issuer',
    what,
    [...BASE, clientRegistered('other'), trustedIssuerSet(), redeemedAssertion(changes)],
  ]),
  [
    'assertions-are-redeemed-once',
    'twice',
    [...BASE, trustedIssuerSet(), redeemedAssertion(), assertedToken(), redeemedAssertion({}, 's')],
  ],
  [
    'asserted-tokens-are-as-recorded',
    'a longer lifetime than the event says',
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
      ...BASE,
      resourceRegistered('a:', ['read']),
      later(consent('password'), MUCH_LATER),
      later(restrictedTo(tokenIssued('a1'), 'a:'), MUCH_LATER),
    ],
  ],
  [
    'tokens-have-scopes-of-their-resources',
    'just after a change',
    [
      ...BASE,
      resourceRegistered('a:', ['read', 'write']),
      resourceUpdated('a:', ['read']),
      later(consent('password'), LATER),
      later(restrictedTo(tokenIssued('a1'), 'a:'), LATER),
    ],
    'notice',
  ],
  ['details-never-widen', 'not granted', [...BY_DETAILS, withDetails(tokenIssued('a1'), reference('other'))]],
  [
    'details-never-widen',
    'of another type',
    [...BY_DETAILS, withDetails(tokenIssued('a1'), reference('d', { type: 'give' }))],
  ],
  [
    'details-never-widen',
    'narrows one that was not granted',
    [...BY_DETAILS, withDetails(tokenIssued('a1'), payment('n', { narrows: hash('other') }))],
  ],
  [
    'details-never-widen',
    'narrowed without a text',
    [...BY_DETAILS, withDetails(tokenIssued('a1'), reference('n', { narrows: hash('d') }))],
  ],
  [
    'details-never-widen',
    'a second text in addition to the text of the consent',
    [...BY_DETAILS, withDetails(tokenIssued('a1'), payment())],
  ],
  [
    'details-are-consented',
    'not requested',
    [
      ...BASE,
      BANK,
      {
        ...consent('asked'),
        event: unchecked({
          ...withDetails(consent('asked'), payment()).event,
          data: {
            ...withDetails(consent('asked'), payment()).event.data,
            requested: { scope: ['read', 'write'] },
          },
        }),
      },
    ],
  ],
  [
    'details-are-consented',
    'neither requested nor of the grant that it is merged with',
    [...MERGING, mergeConsent('other')],
  ],
  ['details-are-consented', 'with a password', [...BASE, BANK, withDetails(consent('password'), payment())]],
  [
    'details-are-consented',
    'not on the page',
    [...BASE, BANK, withDetails(consentShowing('asked', 'read', 'write'), payment())],
  ],
  [
    'details-are-declared',
    'by no resource server',
    [
      ...BASE,
      withDetails(consent('asked'), payment()),
      code(),
      codeRedeemed(),
      withDetails(tokenIssued('a1'), reference()),
    ],
  ],
  [
    'details-are-declared',
    'for another resource server',
    [...BY_DETAILS, later(restrictedTo(withDetails(tokenIssued('a1'), reference()), 'a:'), MUCH_LATER)],
  ],
  [
    'details-are-declared',
    'just after the type was withdrawn',
    [
      ...BY_DETAILS,
      withDetails(tokenIssued('a1'), reference()),
      refreshToken('r1'),
      write('resource-b', 'ResourceRemoved', { uri: 'b:' }),
      tokenRotated('r1', 'r2'),
      withDetails(tokenIssued('a2'), reference()),
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
    [keyIntroduced(), ...BASE, consent('password'), signedBy(tokenIssued('a1')), keyRetired('expired', LATER)],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by an unknown key',
    [...BASE, consent('password'), signedBy(tokenIssued('a1'))],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by a key retired long before',
    [
      keyIntroduced(),
      keyRetired('requested'),
      ...BASE,
      consent('password'),
      later(signedBy(tokenIssued('a1', { expires: MUCH_LATER + HOUR })), MUCH_LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by a key retired just before',
    [keyIntroduced(), keyRetired('requested'), ...BASE, consent('password'), later(signedBy(tokenIssued('a1')), LATER)],
    'notice',
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an access token, by a key that has ended',
    [
      keyIntroduced('key', { until: BEGINNING + 1 }),
      ...BASE,
      consent('password'),
      later(signedBy(tokenIssued('a1', { expires: MUCH_LATER + HOUR })), MUCH_LATER),
    ],
  ],
  [
    'tokens-are-signed-by-current-keys',
    'an ID token, by a key for another algorithm',
    [...OPENID_BY_PASSWORD, keyIntroduced('other', { algorithm: 'ES256' }), idToken({ kid: hash('other') })],
  ],
  ['one-client-one-user', 'an ID token', [...OPENID_BY_PASSWORD, idToken({ userId: BERT })]],
  ['text-fits-consent', 'a scope that is not described', [...BASE, consentShowing('asked', 'read')]],
  ['text-fits-consent', 'a scope that was not granted', [...BASE, consentShowing('device', 'read', 'admin')]],
  ['text-fits-consent', 'text without a page', [...BASE, consentShowing('remembered', 'read', 'write')]],
  ['scope-never-widens', 'a code beyond the consent', [...BASE, consent(), code('code', ['read', 'admin'])]],
  [
    'scope-never-widens',
    'a token beyond the consent',
    [...BASE, consent('password'), tokenIssued('a1', { scope: ['admin'] })],
  ],
  [
    'scope-never-widens',
    'a token beyond its code',
    [...BASE, consent(), code('code', ['read']), codeRedeemed(), tokenIssued('a1')],
  ],
  ['scope-never-widens', 'a rotation beyond the consent', [...BY_CODE, tokenRotated('r1', 'r2', { scope: ['admin'] })]],
  [
    'scope-never-widens',
    'a token beyond its rotation',
    [...BY_CODE, tokenRotated('r1', 'r2', { scope: ['read'] }), tokenIssued('a2')],
  ],
  [
    'a-bound-code-gives-bound-tokens',
    'a bearer token',
    [...BASE, consent(), codeForKey(), codeRedeemed(), tokenIssued('a1')],
  ],
  [
    'a-bound-code-gives-bound-tokens',
    'another key',
    [...BASE, consent(), codeForKey(), codeRedeemed(), boundToKey(tokenIssued('a1'), 'other')],
  ],
  [
    'a-refresh-keeps-the-binding',
    'a refresh token for another key',
    [
      ...BASE,
      consent(),
      code(),
      codeRedeemed(),
      boundToKey(tokenIssued('a1')),
      boundToKey(refreshToken('r1'), 'other'),
    ],
  ],
  ['a-refresh-keeps-the-binding', 'a bearer token', [...BOUND, tokenRotated('r1', 'r2'), tokenIssued('a2')]],
  ['a-refresh-keeps-the-binding', 'another key', [...BOUND, boundToKey(tokenIssued('a2'), 'other')]],
  [
    'a-refresh-token-is-spent-in-time',
    'a refresh without rotation',
    [
      ...BASE,
      consent('password'),
      boundToKey(tokenIssued('a1')),
      refreshToken('r1', HOUR),
      later(boundToKey(tokenIssued('a2')), 2 * HOUR),
    ],
  ],
  ['tokens-have-a-cause', 'a second token for one code', [...BY_CODE, tokenIssued('a2')]],
  ['tokens-have-a-cause', 'a token before the code was redeemed', [...BASE, consent(), code(), tokenIssued('a1')]],
  [
    'tokens-have-a-cause',
    'a refresh token before the code was redeemed',
    [...BASE, consent(), code(), refreshToken('r1')],
  ],
  [
    'tokens-have-a-cause',
    'a second client credentials token',
    [...BASE, tokenIssued('a1', { userId: null }), tokenIssued('a2', { userId: null })],
  ],
  ['answers-are-whole', 'a code is missing', [...BASE, consent(), userRegistered(BERT, 'user-bert')]],
  ['answers-are-whole', 'an access token is missing', [...BASE, consent(), code(), codeRedeemed(), refreshToken('r1')]],
  ['answers-are-whole', 'a refresh token is missing', [...BY_PASSWORD.slice(0, -1), clientRemoved()]],
  [
    'answers-are-whole',
    'the access token of a refresh is missing',
    [...BY_CODE, tokenRotated('r1', 'r2'), tokenRotated('r2', 'r3')],
  ],
  [
    'resources-never-widen',
    'beyond the code',
    [...BASE, consent(), restrictedTo(code(), 'a:', 'b:'), codeRedeemed(), restrictedTo(tokenIssued('a1'), 'a:', 'c:')],
  ],
  [
    'resources-never-widen',
    'an unrestricted token',
    [...BASE, consent(), restrictedTo(code(), 'a:'), codeRedeemed(), tokenIssued('a1')],
  ],
  [
    'resources-never-widen',
    'an unrestricted refresh token',
    [
      ...BASE,
      consent(),
      restrictedTo(code(), 'a:'),
      codeRedeemed(),
      restrictedTo(tokenIssued('a1'), 'a:'),
      refreshToken('r1'),
    ],
  ],
  [
    'resources-never-widen',
    'a refresh token beyond the password',
    [...BASE, consent('password'), restrictedTo(tokenIssued('a1'), 'a:'), restrictedTo(refreshToken('r1'), 'a:', 'b:')],
  ],
  [
    'resources-never-widen',
    'a refresh',
    [
      ...BASE,
      consent('password'),
      restrictedTo(tokenIssued('a1'), 'a:'),
      restrictedTo(refreshToken('r1'), 'a:'),
      tokenRotated('r1', 'r2'),
      restrictedTo(tokenIssued('a2'), 'b:'),
    ],
  ],
  ['revocation-is-the-end', 'a refresh', [...BY_CODE, grantRevoked, tokenRotated('r1', 'r2')]],
  ['revocation-is-the-end', 'another revocation', [...BY_CODE, grantRevoked, grantRevoked]],

  ['one-code-for-a-consent', 'two codes', [...BASE, consent(), code('c1'), code('c2')]],
  ['one-code-for-a-consent', 'a code in addition to a password', [...BASE, consent('password'), code()]],
  ['a-code-redeems-once', 'a second redemption', [...BY_CODE, codeRedeemed()]],
  ['a-code-redeems-once', 'another code', [...BASE, consent(), code(), codeRedeemed('other')]],
  ['a-code-redeems-once', 'no code', [...BASE, consent(), codeRedeemed()]],
  ['a-code-redeems-in-time', 'long after', [...BASE, consent(), code(), codeRedeemed('code', 60 + 61)]],
  ['a-code-redeems-in-time', 'just after', [...BASE, consent(), code(), codeRedeemed('code', 60)], 'notice'],

  [
    'refresh-tokens-form-a-line',
    'a token rotated twice',
    [...BY_CODE, tokenRotated('r1', 'r2'), tokenIssued('a2'), tokenRotated('r1', 'r3')],
  ],
  [
    'refresh-tokens-form-a-line',
    'a rotation without a first token',
    [...BASE, consent(), code(), codeRedeemed(), tokenIssued('a1'), tokenRotated('r0', 'r1')],
  ],
  ['refresh-tokens-form-a-line', 'two first tokens', [...BY_CODE, refreshToken('r2')]],
  ['a-refresh-ends-the-access-token-before-it', 'another token', [...BY_CODE, rotationRetiring('r1', 'r2', 'a0', 30)]],
  [
    'a-refresh-ends-the-access-token-before-it',
    'a token that an earlier refresh ended',
    [...BY_CODE, rotationRetiring('r1', 'r2', 'a1', 30), tokenIssued('a2'), rotationRetiring('r2', 'r3', 'a1', 40)],
  ],
  [
    'a-refresh-ends-the-access-token-before-it',
    'an end before the refresh',
    [...BY_CODE, rotationRetiring('r1', 'r2', 'a1', -1)],
  ],
  [
    'a-refresh-ends-the-access-token-before-it',
    'no earlier than its expiry',
    [...BY_CODE, rotationRetiring('r1', 'r2', 'a1', HOUR)],
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
    [...BY_CODE, tokenRotated('r1', 'r2'), tokenIssued('a2'), grantSummarized(unchecked(changes))],
  ]),
  [
    'summaries-add-nothing',
    'another login',
    [...BY_CODE, tokenRotated('r1', 'r2'), tokenIssued('a2'), withLogin(grantSummarized(), login(null))],
  ],
  ['summaries-add-nothing', 'of a grant that was never refreshed', [...BY_CODE, grantSummarized()]],
  [
    'a-refresh-token-is-spent-in-time',
    'after its end',
    [...BY_CODE.slice(0, -1), refreshToken('r1', 10), tokenRotated('r1', 'r2', { at: 10 })],
  ],
  ['expiry-follows-issue', 'expired when issued', [...BASE, consent('password'), tokenIssued('a1', { expires: -61 })]],
  [
    'expiry-follows-issue',
    'expired when recorded',
    [...BASE, consent('password'), tokenIssued('a1', { expires: 0 })],
    'notice',
  ],
  [
    'refreshes-are-dated-right',
    'wrong by an hour',
    [...BY_CODE, tokenRotated('r1', 'r2', { aheadOfTime: HOUR })],
    'notice',
  ],

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
  ['a-client-lives-once', 'changed after its removal', [...BASE, clientRemoved(), clientUpdated(['password'])]],
  [
    'documents-are-those-of-their-clients',
    'a document with another hash',
    [documentAccepted({ document: '{"client_id":"https://app.example/c.json"} ' })],
  ],
  [
    'documents-are-those-of-their-clients',
    'a document about another client',
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
      ['another grant type', { grantTypes: ['authorization-code', 'device-code'] }],
      ['a redirect URI that is not in it', { redirectUris: ['https://app.example/cb', 'https://evil.example/'] }],
      ['the right to skip the consent page', { skipAuthorization: true }],
      ['a restricted scope', { restrictedScopes: ['audit'] }],
    ] as const
  ).map(([what, changes]): Case => ['documents-give-no-rights', what, [documentAccepted(changes)]]),
  [
    'documents-give-no-rights',
    'another restricted scope than the operator allowed',
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
    'listed twice',
    [domainListed('app.example', 'allowed'), domainListed('app.example', 'allowed')],
  ],
  ['domains-are-listed-once', 'removed and never listed', [domainUnlisted('app.example')]],
  [
    'domains-are-listed-once',
    'removed twice',
    [domainListed('a.example', 'blocked'), domainUnlisted('a.example'), domainUnlisted('a.example')],
  ],
  ...['App.example', 'app.example.', 'https://app.example'].map((domain): Case => [
    'domains-are-listed-once',
    domain,
    [domainListed(domain, 'blocked')],
  ]),
  [
    'blocked-domains-describe-no-clients',
    'long after',
    [domainListed('example', 'blocked'), later(documentAccepted(), MUCH_LATER)],
  ],
  [
    'blocked-domains-describe-no-clients',
    'just after',
    [domainListed('example', 'blocked'), later(documentAccepted(), LATER)],
    'notice',
  ],
  [
    'blocked-domains-describe-no-clients',
    'an allowed domain that contains it',
    [domainListed('example', 'allowed'), domainListed('app.example', 'blocked'), later(documentAccepted(), MUCH_LATER)],
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
    'a document of a registered client',
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
  ['a-client-lives-once', 'removed twice', [...BASE, clientRemoved(), clientRemoved()]],
  ...(['image/png', 'image/jpeg', 'image/webp'] as const).map((mediaType): Case => [
    'logos-are-images',
    `a page called ${mediaType}`,
    [...BASE, write(`client-${APP}`, 'ClientLogoChanged', { image: { mediaType, base64: btoa('<html></html>') } })],
  ]),
  ['assertions-are-signed-by-registered-keys', 'a key that was never registered', [...BASE, assertionBy('k')]],
  [
    'assertions-are-signed-by-registered-keys',
    'a certificate of a key that was never registered',
    [...BASE, withKeys('k'), consent('password'), certifiedBy(tokenIssued('a1'), 'l')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'accepted twice',
    [...BASE, withKeys('k'), assertionBy('k'), assertionBy('k')],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a key long after its removal',
    [...BASE, withKeys('k'), withKeys(), assertionBy('k', { at: MUCH_LATER })],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a key just after its removal',
    [...BASE, withKeys('k'), withKeys(), assertionBy('k', { at: LATER })],
    'notice',
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a published key long after the client registered its keys',
    [...BASE, withKeysUri(), withKeys('k'), assertionBy('l', { at: MUCH_LATER })],
  ],
  [
    'assertions-are-signed-by-registered-keys',
    'a published key just after the client registered its keys',
    [...BASE, withKeysUri(), withKeys('k'), assertionBy('l', { at: LATER })],
    'notice',
  ],
  ['a-client-is-disabled-once', 'disabled twice', [...BASE, disabledClient(), disabledClient()]],
  ['a-client-is-disabled-once', 'enabled before', [...BASE, enabledClient()]],
  [
    'disabled-clients-get-nothing',
    'a refresh while it is disabled',
    [...BY_CODE, disabledClient(), tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'disabled-clients-get-nothing',
    'an assertion while it is disabled',
    [...BASE, withKeys('k'), disabledClient(), assertionBy('k', { at: MUCH_LATER })],
  ],
  [
    'disabled-clients-get-nothing',
    'a refresh just after it was disabled',
    [...BY_CODE, disabledClient(), tokenRotated('r1', 'r2', { at: LATER })],
    'notice',
  ],
  ['only-registered-clients-are-served', 'an unknown client', [BASE[0] as Written, consent()]],
  [
    'only-registered-clients-are-served',
    'a refresh long after the removal',
    [...BY_CODE, clientRemoved(), tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'only-registered-clients-are-served',
    'a refresh just after the removal',
    [...BY_CODE, clientRemoved(), tokenRotated('r1', 'r2', { at: LATER })],
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
      consent(),
    ],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'long after',
    [...BASE, consent(), later(code(), 0), clientUpdated(['password']), codeRedeemed('code', MUCH_LATER)],
  ],
  [
    'clients-use-what-they-are-registered-for',
    'just after',
    [...BASE, consent(), code(), clientUpdated(['password']), codeRedeemed('code', LATER)],
    'notice',
  ],
  [
    'clients-use-what-they-are-registered-for',
    'a token for itself',
    [...BASE, clientUpdated(['password']), later(tokenIssued('a1', { userId: null }), MUCH_LATER)],
  ],
  [
    'restricted-scopes-are-allowed',
    'a consent to a scope that was never allowed',
    [...BASE, consent('asked', { scope: ['read', 'audit'] })],
  ],
  [
    'restricted-scopes-are-allowed',
    'a client credentials token with a scope that was never allowed',
    [...BASE, scopesAllowed('audit'), tokenIssued('a1', { userId: null, scope: ['introspection'] })],
  ],
  [
    'restricted-scopes-are-allowed',
    'long after',
    [...BASE, scopesAllowed('audit'), scopesAllowed(), later(consent('password', { scope: ['audit'] }), MUCH_LATER)],
  ],
  [
    'restricted-scopes-are-allowed',
    'just after',
    [...BASE, scopesAllowed('audit'), scopesAllowed(), later(consent('password', { scope: ['audit'] }), LATER)],
    'notice',
  ],
  [
    'restricted-scopes-are-allowed',
    'one scope just after its removal, one scope never allowed',
    [...BASE, scopesAllowed('audit'), scopesAllowed(), consent('asked', { scope: ['audit', 'introspection'] })],
  ],
  ['a-previous-secret-is-used-in-time', 'never rotated', [...BASE, byPreviousSecret()]],
  [
    'a-previous-secret-is-used-in-time',
    'rotated without an overlap',
    [...BASE, secretRotated(null), byPreviousSecret()],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'long after its end',
    [...BASE, secretRotated(MUCH_LATER), byPreviousSecret(MUCH_LATER + 61)],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'just after its end',
    [...BASE, secretRotated(MUCH_LATER), byPreviousSecret(MUCH_LATER)],
    'notice',
  ],
  [
    'a-previous-secret-is-used-in-time',
    'long after the next rotation',
    [...BASE, secretRotated(HOUR), secretRotated(null, LATER), byPreviousSecret(LATER + 61)],
  ],
  [
    'a-previous-secret-is-used-in-time',
    'just after the next rotation',
    [...BASE, secretRotated(HOUR), secretRotated(null, LATER), byPreviousSecret(LATER)],
    'notice',
  ],
  [
    'a-previous-secret-is-used-in-time',
    'rotated while the clock was ahead, and used after it was set back',
    [...BASE, secretRotated(YEAR_AHEAD + HOUR, YEAR_AHEAD), setBack(LATER), byPreviousSecret(YEAR_AHEAD)],
  ],
  ['a-client-secret-is-rehashed-once', 'a second rehash', [...BASE, secretRehashed, secretRehashed]],
  ['a-client-secret-is-rehashed-once', 'after a rotation', [...BASE, secretRotated(null), secretRehashed]],
  [
    'a-password-is-rehashed-once',
    'twice',
    [...BASE, passwordChanged('PasswordRehashed'), passwordChanged('PasswordRehashed')],
  ],
  ['a-password-is-rehashed-once', 'after a change', [...BASE, passwordChanged(), passwordChanged('PasswordRehashed')]],
  ['owners-exist', 'an unknown owner', [clientRegistered(APP, BERT)]],
  [
    'self-registered-clients-are-bounded',
    'with an owner',
    [userRegistered(ANNA, ANNA_STREAM), registeredItself({ ownerId: ANNA, grantTypes: ['authorization-code'] })],
  ],
  [
    'self-registered-clients-are-bounded',
    'client credentials, for a registration by a user',
    [...BASE, registeredItself({ grantTypes: ['client-credentials'] })],
  ],
  ['members-exist', 'an unknown member', [...BASE, memberAdded(BERT)]],
  ['members-exist', 'an erased member', [...BASE, userErased, memberAdded(ANNA)]],
  ['members-have-one-role', 'added twice', [...OWNED, memberAdded(BERT), memberAdded(BERT)]],
  ['members-have-one-role', 'an owner as test user', [...OWNED, memberAdded(ANNA, 'test-user')]],
  ['members-have-one-role', 'removed without a role', [...OWNED, memberRemoved(BERT, 'test-user')]],
  [
    'members-have-one-role',
    'removed from another role',
    [...OWNED, memberAdded(BERT), memberRemoved(BERT, 'test-user')],
  ],
  ['a-client-keeps-an-owner', 'the only owner', [...OWNED, memberRemoved(ANNA)]],
  ['a-client-keeps-an-owner', 'beside a test user', [...OWNED, memberAdded(BERT, 'test-user'), memberRemoved(ANNA)]],
  ['a-client-keeps-an-owner', 'beside an erased owner', [...OWNED, memberAdded(BERT), userErased, memberRemoved(BERT)]],
  [
    'invitations-work-once',
    'accepted twice',
    [...OWNED, invitedMemberAdded('i'), memberRemoved(BERT), invitedMemberAdded('i')],
  ],
  ['invitations-work-once', 'accepted for another', [...OWNED, invitedMemberAdded('i', { actor: ANNA })]],
  ['test-mode-is-for-members', 'consent of another user', [...BASE, inMode('test'), later(consent(), 61)]],
  [
    'test-mode-is-for-members',
    'a code that is redeemed just after the switch',
    [...BASE, consent(), code(), inMode('test'), codeRedeemed()],
    'notice',
  ],
  [
    'test-mode-is-for-members',
    'a refresh long after the test user was removed',
    [
      ...OWNED,
      memberAdded(BERT),
      inMode('test'),
      ...BY_CODE.slice(BASE.length),
      memberRemoved(ANNA),
      tokenRotated('r1', 'r2', { at: 61 }),
    ],
  ],
  ['invitations-work-once', 'by a user who is not an owner', [...OWNED, invitedMemberAdded('i', { by: BERT })]],

  ['an-account-lives-once', 'a user name in use', [...BASE, userRegistered(BERT, ANNA_STREAM)]],
  ['an-account-lives-once', 'changed after its erasure', [...BASE, userErased, userDisabled()]],
  ['an-account-lives-once', 'erased twice', [...BASE, userErased, userErased]],
  ['an-account-lives-once', 'never registered', [userEnabled]],
  ['an-account-lives-once', 'disabled twice', [...BASE, userDisabled(), userDisabled()]],
  [
    'an-account-lives-once',
    "another's name",
    [...BASE, userRegistered(BERT, 'user-bert'), write(ANNA_STREAM, 'AllSessionsEnded', { userId: BERT })],
  ],
  ['an-account-lives-once', 'a verified address without an account', [emailVerified()]],
  ['an-account-lives-once', 'a verified address after its erasure', [...BASE, userErased, emailVerified()]],
  ['an-account-lives-once', "another's verified address", [...BASE, emailVerified(BERT)]],
  [
    'an-invitation-creates-one-account',
    'accepted twice',
    [...BASE, rolesChanged(), invitationAccepted(), invitationAccepted()],
  ],
  [
    'an-invitation-creates-one-account',
    'accepted by the operator',
    [...BASE, invitationAccepted(null, { kind: 'operator' })],
  ],
  [
    'an-invitation-creates-one-account',
    'accepted after it was withdrawn',
    [...BASE, rolesChanged(), invitationSent(), invitationWithdrawn, invitationAccepted()],
  ],
  [
    'an-invitation-creates-one-account',
    'accepted long after it expired',
    [...BASE, rolesChanged(), invitationSent(ANNA, BEGINNING + 1), later(invitationAccepted(), MUCH_LATER)],
  ],
  ['an-invitation-ends-once', 'withdrawn, but never sent', [...BASE, invitationWithdrawn]],
  [
    'an-invitation-ends-once',
    'withdrawn twice',
    [...BASE, invitationSent(null), invitationWithdrawn, invitationWithdrawn],
  ],
  [
    'an-invitation-ends-once',
    'sent again after it was withdrawn',
    [...BASE, invitationSent(null), invitationWithdrawn, invitationSent(null)],
  ],
  [
    'administrators-invite',
    'sent for another administrator',
    [...BASE, rolesChanged(), withEnvelope(invitationSent(), { actor: { kind: 'operator' } })],
  ],
  ['administrators-invite', 'sent by a user without the role', [...BASE, invitationSent()]],
  ['administrators-invite', 'an unknown user', [...BASE, invitationAccepted(BERT)]],
  ['administrators-invite', 'a user without the role', [...BASE, rolesChanged(['auditor']), invitationAccepted()]],
  [
    'administrators-invite',
    'long after the role was lost',
    [...BASE, rolesChanged(), rolesChanged([]), later(invitationAccepted(), MUCH_LATER)],
  ],
  [
    'administrators-invite',
    'just after the role was lost',
    [...BASE, rolesChanged(), rolesChanged([]), later(invitationAccepted(), LATER)],
    'notice',
  ],
  [
    'administrators-invite',
    'long after the account was disabled',
    [...BASE, rolesChanged(), userDisabled(), later(invitationAccepted(), MUCH_LATER)],
  ],
  [
    'administrators-invite',
    'just after the role was lost, and long after the account was disabled',
    [...BASE, rolesChanged(), userDisabled(), later(rolesChanged([]), MUCH_LATER), invitationAccepted()],
  ],
  [
    'administrators-invite',
    'just after the account was erased',
    [...BASE, rolesChanged(), userErased, later(invitationAccepted(), LATER)],
    'notice',
  ],
  ['a-passkey-lives-once', 'added twice', [...BASE, passkeyAdded(), passkeyAdded()]],
  [
    'a-passkey-lives-once',
    'added again after its removal',
    [...BASE, passkeyAdded(), passkeyRemoved(), passkeyAdded()],
  ],
  [
    'a-passkey-lives-once',
    'added to two accounts',
    [...BASE, userRegistered(BERT, 'user-bert'), passkeyAdded(), passkeyAdded('p', BERT, 'user-bert')],
  ],
  ['a-passkey-lives-once', 'removed and never added', [...BASE, passkeyRemoved()]],
  ['a-passkey-lives-once', 'removed twice', [...BASE, passkeyAdded(), passkeyRemoved(), passkeyRemoved()]],
  [
    'a-passkey-lives-once',
    'removed from another account',
    [...BASE, userRegistered(BERT, 'user-bert'), passkeyAdded(), passkeyRemoved(BERT, 'user-bert')],
  ],
  [
    'a-passkey-lives-once',
    'removed from a later account with the same name',
    [...BASE, passkeyAdded(), userErased, userRegistered(BERT, ANNA_STREAM), passkeyRemoved(BERT)],
  ],
  ['an-account-lives-once', 'a passkey after its erasure', [...BASE, userErased, passkeyAdded()]],
  ['grants-end-with-their-user', 'an unknown user', [BASE[1] as Written, consent()]],
  ['grants-end-with-their-user', 'consent long after', [...BASE, userDisabled(), later(consent(), MUCH_LATER)]],
  ['grants-end-with-their-user', 'consent just after', [...BASE, userDisabled(), later(consent(), LATER)], 'notice'],
  [
    'grants-end-with-their-user',
    'a refresh after the erasure',
    [...BY_PASSWORD, userErased, tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],
  [
    'grants-end-with-their-user',
    'a refresh of an ended grant after enabling',
    [...BY_CODE, userDisabled(), userEnabled, tokenRotated('r1', 'r2', { at: MUCH_LATER })],
  ],

  ['a-session-lives-once', 'started twice', [...BASE, sessionStarted(), sessionStarted()]],
  ['a-session-lives-once', 'ended before it started', [...BASE, sessionEnded()]],
  ['a-session-lives-once', 'ended twice', [...BASE, sessionStarted(), sessionEnded(), sessionEnded()]],
  ['a-session-lives-once', 'ended for another user', [...BASE, sessionStarted(), sessionEnded(BERT)]],
  ['sessions-are-used-while-open', 'an unknown session', [...BASE, sessionUsed(DAY)]],
  ['sessions-are-used-while-open', 'by another user', [...BASE, longSession(), sessionUsed(DAY, 's', BERT)]],
  ['sessions-are-used-while-open', 'after its end', [...BASE, longSession(), sessionEnd('s'), sessionUsed(DAY)]],
  [
    'sessions-are-used-while-open',
    'after all sessions ended',
    [...BASE, longSession(), allSessionsEnded, sessionUsed(DAY)],
  ],
  ['sessions-are-used-while-open', 'after its expiry', [...BASE, longSession(), sessionUsed(9 * DAY)]],
  ['sessions-are-used-while-open', 'on the day of its start', [...BASE, longSession(), sessionUsed(1)]],
  ['sessions-are-used-while-open', 'twice on a day', [...BASE, longSession(), sessionUsed(DAY), sessionUsed(DAY + 1)]],
  [
    'sessions-are-used-while-open',
    'later than its record',
    [...BASE, longSession(), later(sessionUsed(2 * DAY), DAY)],
    'notice',
  ],
  ['sessions-continue-with-their-user', 'an unknown session', [...BASE, sessionStart('s'), sessionEnd('s', 't')]],
  [
    'sessions-continue-with-their-user',
    'no session',
    [...BASE, sessionStart('s'), write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'logged-in-again' })],
  ],
  [
    'sessions-continue-with-their-user',
    'a session after a logout',
    [
      ...BASE,
      sessionStart('s'),
      sessionStart('t'),
      write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'logged-out', continuedBy: hash('t') }),
    ],
  ],
  [
    'sessions-continue-with-their-user',
    'the session of another user',
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
    'never turned on',
    [...BASE, sessionStart('s'), write(streamOf('s'), 'SessionEnded', { userId: ANNA, reason: 'two-step-turned-on' })],
  ],
  [
    'two-step-login-ends-sessions-without-it',
    'a session by passkey',
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
  ['a-second-factor-lives-once', 'removed and never added', [...BASE, totpRemoved()]],
  ['a-second-factor-lives-once', 'removed twice', [...BASE, totpAdded(), totpRemoved(), totpRemoved()]],
  [
    'a-second-factor-lives-once',
    'removed from another account',
    [...BASE, userRegistered(BERT, 'user-bert'), totpAdded(), totpRemoved(BERT, 'user-bert')],
  ],
  ['a-second-factor-lives-once', 'the same codes generated again', [...BASE, codesGenerated(), codesGenerated()]],
  ['a-second-factor-lives-once', 'a code used twice', [...BASE, codesGenerated(), codeUsed(), codeUsed()]],
  ['a-second-factor-lives-once', 'a code without an account', [...BASE, codeUsed()]],
  ['a-second-factor-lives-once', 'a replaced code', [...BASE, codesGenerated(), codesGenerated('d'), codeUsed()]],
  ['a-second-factor-lives-once', 'a removed code', [...BASE, codesGenerated(), factorsRemoved, codeUsed()]],
  [
    'a-second-factor-lives-once',
    'a code of another account',
    [...BASE, userRegistered(BERT, 'user-bert'), codesGenerated(), codeUsed(1, BERT, 'user-bert')],
  ],
  [
    'a-code-starts-one-session',
    'a step used twice',
    [...BASE, totpAdded(), twoStepSessionAsOf(3, oneTime()), twoStepSessionAsOf(4, oneTime(), 'session-2')],
  ],
  [
    'a-code-starts-one-session',
    'a recovery code used twice',
    [
      ...BASE,
      codesGenerated(),
      codeUsed(),
      twoStepSessionAsOf(4, recovery()),
      twoStepSessionAsOf(5, recovery(), 'session-2'),
    ],
  ],
  [
    'a-code-starts-one-session',
    'a recovery code whose use is not recorded',
    [...BASE, codesGenerated(), codeUsed(2), twoStepSessionAsOf(4, recovery())],
  ],
  ['second-steps-have-a-factor-of-their-account', 'no app', [...BASE, twoStepSessionAsOf(2, oneTime())]],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app before it was added',
    [...BASE, totpAdded(), twoStepSessionAsOf(2, oneTime())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'the app of another account',
    [...BASE, userRegistered(BERT, 'user-bert'), totpAdded('t', BERT, 'user-bert'), twoStepSessionAsOf(4, oneTime())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that was removed',
    [...BASE, totpAdded(), totpRemoved(), twoStepSessionAsOf(4, oneTime())],
  ],
  [
    'second-steps-have-a-factor-of-their-account',
    'an app that was removed during the login',
    [...BASE, totpAdded(), totpRemoved(), twoStepSessionAsOf(3, oneTime())],
    'notice',
  ],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey after the password that was removed',
    [...BASE, passkeyAdded(), passkeyRemoved(), twoStepSessionAsOf(4, { method: 'passkey', passkeyId: id('p') })],
  ],
  ['only-active-users-log-in', 'an unknown user', [sessionStarted()]],
  ['only-active-users-log-in', 'long after', [...BASE, userDisabled(), sessionStarted(MUCH_LATER)]],
  ['only-active-users-log-in', 'just after', [...BASE, userDisabled(), sessionStarted(LATER)], 'notice'],
  ['only-active-users-log-in', 'checked after', [...BASE, userDisabled(), sessionAsOf(3)]],
  [
    'only-active-users-log-in',
    'checked before',
    [...BASE, userDisabled(), later(sessionAsOf(2), MUCH_LATER)],
    'notice',
  ],
  ['sessions-have-credentials-of-their-account', 'credentials read after its start', [...BASE, sessionAsOf(3)]],
  ['sessions-have-credentials-of-their-account', "a passkey that is nobody's", [...BASE, sessionAsOf(2, 'p')]],
  [
    'sessions-have-credentials-of-their-account',
    'a passkey of another account',
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
  ['sessions-end-with-their-credentials', 'a new password', [...BASE, passwordChanged(), sessionAsOf(2)], 'notice'],
  [
    'sessions-end-with-their-credentials',
    'all sessions ended',
    [...BASE, allSessionsEnded, later(sessionAsOf(2), MUCH_LATER)],
    'notice',
  ],
  [
    'sessions-end-with-their-credentials',
    'disabled, enabled',
    [...BASE, userDisabled(), userEnabled, sessionAsOf(2)],
    'notice',
  ],
  [
    'sessions-end-with-their-credentials',
    'the passkey was removed',
    [...BASE, passkeyAdded(), passkeyRemoved(), sessionAsOf(3, 'p')],
    'notice',
  ],
  [
    'a-clock-set-back-ends-what-was-ahead',
    'refreshed while the clock was ahead and again afterward',
    [...BY_PASSWORD, ...refreshedAhead, setBack(LATER), tokenRotated('r2', 'r3', { at: YEAR_AHEAD })],
  ],
];

const SOUND: Readonly<Record<string, readonly Written[]>> = {
  'a chain from a JWT of another issuer': [
    ...TRUSTING,
    ...exchange('x', JWT_EXCHANGE),
    ...exchange('y', SECOND_JWT_EXCHANGE),
  ],
  'an actor of another issuer': [...TRUSTING, ...exchange('x', ACTING_BY_JWT)],
  'an update of a managed grant': [...UPDATING, grantReplaced(), userDisabled()],
  'a bound grant, with and without rotation': [
    ...BOUND,
    tokenRotated('r1', 'r2'),
    boundToKey(tokenIssued('a2')),
    boundToKey(tokenIssued('a3')),
  ],
  'a bound access token with an unbound refresh token of a confidential client': [
    ...BASE,
    consent('password'),
    boundToKey(tokenIssued('a1')),
    refreshToken('r1'),
    boundToKey(tokenIssued('a2'), 'other'),
  ],
  'a grant of a device': BY_DEVICE,
  'a grant with details, whose token narrows a detail': [
    ...BY_DETAILS,
    withDetails(tokenIssued('a1'), reference()),
    refreshToken('r1'),
    tokenRotated('r1', 'r2'),
    withDetails(tokenIssued('a2'), payment('n', { narrows: hash('d') })),
  ],
  'a summary of a grant of a device': [
    ...BY_DEVICE,
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
    grantSummarized(unchecked({ device: true })),
  ],
  'ID tokens with tokens for a resource server that does not define openid, after a code and refreshes': [
    ...RESTRICTED,
    idToken(),
    tokenRotated('r1', 'r2', { scope: OPENID_AND_MORE }),
    tokenIssued('a2', { scope: ['read'], resource: [MUSIC] }),
    idToken({ tokenHash: hash('i2') }),
    boundToKey(tokenIssued('a3', { scope: ['read'], resource: [MUSIC] })),
    idToken({ tokenHash: hash('i3') }),
  ],
  'exchanges of the newest token, of an older token, and of a token that was just retired': [
    ...EXCHANGEABLE,
    tokenRotated('r1', 'r2'),
    tokenIssued('a2', NARROW),
    rotationRetiring('r2', 'r3', 'a2', 30),
    tokenIssued('a3'),
    ...exchange('x', { ...NARROW_EXCHANGE, expiresAt: BEGINNING + 30 }),
    ...exchange('y', { parent: { ...A1, tokenHash: hash('a3') } }),
    ...exchange('z'),
  ],
  'an exchange in an open session': [
    ...EXCHANGEABLE,
    ...OF_SESSION,
    ...exchange('x', OF_LOGIN, { login: SESSION_LOGIN }),
  ],
  'a device that was denied': [...BASE, deviceDenied],
  'a client that authenticates with a key': [...BASE, withKeys('k', 'l'), assertionBy('k')],
  'a client that authenticates with a certificate': [
    ...BASE,
    withKeys('k', 'l'),
    consent('password'),
    certifiedBy(tokenIssued('a1'), 'l'),
    refreshToken('r1'),
  ],
  'a client that publishes its keys': [...BASE, withKeysUri(), assertionBy('k')],
  'an empty log': [],
  'a key that is retired after its last token, and a key that the operator retires early': [
    keyIntroduced(),
    keyIntroduced('other', { algorithm: 'ES256' }),
    ...BASE,
    consent('password'),
    signedBy(tokenIssued('a1')),
    refreshToken('r1'),
    signedBy(tokenIssued('a2', { userId: null, grant: 'h' }), 'other'),
    write('signing-keys', 'SigningKeyRetired', { kid: hash('other'), reason: 'requested' }),
    keyRetired('expired', HOUR),
  ],
  'a refresh that retires the previous access token, and a summary': [
    ...BY_CODE,
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
    twoStepSessionAsOf(4, oneTime()),
    twoStepSessionAsOf(5, oneTime(2), 'session-2'),
    codeUsed(),
    twoStepSessionAsOf(7, recovery(), 'session-3'),
    totpRemoved(),
    totpAdded('u'),
    codesGenerated('d'),
    factorsRemoved,
    totpAdded('v'),
  ],
  'sessions whose credentials were read after every change of them': [
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
  'logout tokens for a session and for the session that continues it': [
    ...OPENID,
    sessionStart('t'),
    sessionEnd('s', 't'),
    allSessionsEnded,
    logout('s'),
  ],
  'a grant for OpenID Connect that is used after its session continued in another session': [
    ...OPENID,
    sessionStart('t'),
    sessionEnd('s', 't'),
    later(codeRedeemed(), LATER),
    ...[tokenIssued('a1', { scope: ['openid'] }), refreshToken('r1', null, ['openid'])].map((each) =>
      withLogin(each, passkeyLogin),
    ),
  ],
  'a grant with offline_access that is used after its session': [
    ...OPENID_LOGIN,
    ...[consent('asked', { scope: OFFLINE }), code('code', OFFLINE)].map((each) => withLogin(each, passkeyLogin)),
    sessionEnd('s'),
    later(codeRedeemed(), LATER),
    ...[tokenIssued('a1', { scope: OFFLINE }), refreshToken('r1', null, OFFLINE)].map((each) =>
      withLogin(each, passkeyLogin),
    ),
  ],
  'a grant with its login in every event, and a summary with the login': [
    ...BASE,
    sessionStart('s'),
    ...[consent(), code()].map((event) => withLogin(event, login('s'))),
    codeRedeemed(),
    ...[tokenIssued('a1'), refreshToken('r1')].map((event) => withLogin(event, login('s'))),
    tokenRotated('r1', 'r2'),
    ...[tokenIssued('a2'), grantSummarized()].map((event) => withLogin(event, login('s'))),
  ],
  'a code with two refreshes, the second narrowed': [
    ...BY_CODE,
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
    tokenRotated('r2', 'r3', { scope: ['read'] }),
    tokenIssued('a3', { scope: ['read'] }),
    grantRevoked,
  ],
  'a password grant': BY_PASSWORD,
  'a previous secret used until its expiry': [
    ...BASE,
    secretRotated(null),
    secretRotated(LATER),
    byPreviousSecret(LATER - 1),
  ],
  'a code for two resource servers, with one token for each': [
    ...BASE,
    consent(),
    restrictedTo(code(), 'a:', 'b:'),
    codeRedeemed(),
    restrictedTo(tokenIssued('a1'), 'a:'),
    restrictedTo(refreshToken('r1'), 'a:', 'b:'),
    tokenRotated('r1', 'r2'),
    restrictedTo(tokenIssued('a2'), 'b:'),
  ],
  'an unrestricted code with a token for one resource server': [
    ...BASE,
    consent(),
    code(),
    codeRedeemed(),
    restrictedTo(tokenIssued('a1'), 'a:'),
    refreshToken('r1'),
    tokenRotated('r1', 'r2'),
    tokenIssued('a2'),
  ],
  'a login through a provider, until the account is unlinked': [
    ...LINKED,
    throughProvider(),
    accountUnlinked,
    endedByUnlinking,
    providerRemoved,
  ],
  'a login through a provider that was disabled and enabled again': [
    ...LINKED,
    providerDisabled,
    providerSet,
    throughProvider(),
  ],
  'an account at a provider whose user was erased, linked to another user': [
    ...LINKED,
    userErased,
    userRegistered(BERT, 'user-bert'),
    accountLinked(BERT),
  ],
  'a client credentials token that is revoked': [...BASE, tokenIssued('a1', { userId: null }), grantRevoked],
  'a restricted scope in a client credentials token': [
    ...BASE,
    scopesAllowed('introspection'),
    tokenIssued('a1', { userId: null, scope: ['introspection'] }),
  ],
  'a refresh that still names a withdrawn restricted scope': [
    ...BASE,
    scopesAllowed('audit'),
    consent('password', { scope: ['read', 'audit'] }),
    tokenIssued('a1', { scope: ['read', 'audit'] }),
    refreshToken('r1', null, ['read', 'audit']),
    scopesAllowed(),
    tokenRotated('r1', 'r2', { scope: ['read', 'audit'], at: MUCH_LATER }),
    tokenIssued('a2', { scope: ['read', 'audit'] }),
  ],
  'a grant of a user who was enabled again': [...BASE, userDisabled(), userEnabled, later(consent(), MUCH_LATER)],
  'passkeys that are added and removed': [
    ...BASE,
    passkeyAdded(),
    passkeyAdded('q'),
    passkeyRemoved(),
    userDisabled(),
    passkeyAdded('r'),
    userErased,
  ],
  'invitations of an administrator and of the operator, and a verified address': [
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
  'an invitation that is accepted with its first link, which expires after its second one': [
    ...BASE,
    rolesChanged(),
    invitationSent(),
    invitationSent(ANNA, BEGINNING + 1),
    later(invitationAccepted(), MUCH_LATER),
  ],
  'a name used again after an erasure': [...BASE, userErased, userRegistered(BERT, ANNA_STREAM)],
  'a revocation after the client was removed and the user erased': [
    ...BY_CODE,
    clientRemoved(),
    userErased,
    later(grantRevoked, MUCH_LATER),
  ],
  'a chain of exchanges that ends at its root, without further events': [
    ...DELEGATED,
    ...exchange('y', SECOND_EXCHANGE),
    ...exchange('own', {
      userId: null,
      parent: { grantId: id('mid'), clientId: 'mid', tokenHash: hash('mid'), tokenType: 'access_token' },
      root: { grantId: id('mid'), clientId: 'mid' },
    }),
    grantRevoked,
  ],
  'a merge that keeps a detail of the earlier grant': [
    ...MERGING,
    mergeConsent(),
    inGrant(code('code2'), 'h'),
    inGrant(codeRedeemed('code2'), 'h'),
    withDetails(tokenIssued('a2', { grant: 'h' }), reference()),
    inGrant(refreshToken('r2'), 'h'),
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
  'documents that keep decisions of the operator': [
    documentAcceptedAt('http://[::1]:8000/c.json'),
    documentAccepted(),
    documentClientUpdated({ skipAuthorization: true, restrictedScopes: ['audit'], mode: 'test' }),
    documentAccepted({ skipAuthorization: true, restrictedScopes: ['audit'], mode: 'test' }),
    documentAccepted({ mode: 'test' }),
  ],
  'domains that are allowed and blocked again': [
    domainListed('example', 'blocked'),
    domainListed('app.example', 'allowed'),
    later(documentAccepted(), MUCH_LATER),
    later(domainListed('app.example', 'blocked'), MUCH_LATER),
    later(domainUnlisted('app.example'), MUCH_LATER),
    later(domainListed('app.example', 'allowed'), MUCH_LATER),
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
  'assertions of a trusted issuer': [
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

async function runAudit(log: readonly Written[]): Promise<{ found: readonly AuditFinding[]; summary: AuditSummary }> {
  const findings: AuditFinding[] = [];
  let summary: AuditSummary | undefined;
  const events = handWritten(log);
  async function* batches() {
    for (let from = 0; from < events.length; from += 3) yield events.slice(from, from + 3);
  }
  for await (const item of audit(batches())) {
    if ('rule' in item) findings.push(item);
    else summary = item;
  }
  if (summary === undefined) throw new Error('the audit ended without a summary');
  return { found: findings, summary };
}

async function* endless() {
  for (;;) yield handWritten(BASE);
}

describe('the audit rules', () => {
  for (const [rule, violation, log, severity = 'finding'] of BROKEN) {
    it(`${rule}: report a ${severity} at the event that breaks it (${violation})`, async () => {
      const { found } = await runAudit(log);
      const last = handWritten(log).at(-1);
      const others = found.filter(({ position }) => position !== last?.position);
      expect(others, 'findings at earlier events').to.deep.equal([]);
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

  for (const [title, log] of Object.entries(SOUND)) {
    it(`hold for ${title}`, async () => {
      expect((await runAudit(log)).found).to.deep.equal([]);
    });
  }
});

describe('the audit', () => {
  it('ends with a summary of events by type, the last position, findings and notices', async () => {
    const { summary } = await runAudit([
      ...BY_CODE,
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
      ...BY_CODE,
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
    const { found } = await runAudit([
      ...BASE,
      withEnvelope(consent(), { type: 'Mystery' }),
      consent(),
      code(),
      codeRedeemed('other'),
    ]);
    expect(found.map(({ rule, position }) => [rule, position])).to.deep.equal([
      ['records-follow-their-schema', 3],
      ['a-code-redeems-once', 6],
    ]);
  });

  it('throws the reason of its signal when that aborts', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    const outcome = await audit(endless(), { signal: stop.signal })
      .next()
      .catch((error: unknown) => error);
    expect(outcome).to.equal(stop.signal.reason);
  });
});
