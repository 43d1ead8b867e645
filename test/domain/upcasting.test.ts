import { hash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeUntrustedEvent,
  decodeEvent,
  encodeEvent,
  InvalidEventError,
  type DomainEvent,
} from '../../src/domain/events.ts';
import { CONFIRMATION_METHODS } from '../../src/domain/confirmation.ts';
import {
  CLIENT_AUTHENTICATION_METHODS,
  TLS_SUBJECT_KINDS,
  defaultAuthentication,
} from '../../src/domain/client-authentication.ts';
import { UPCASTERS } from '../../src/domain/upcasters.ts';
import { DEFAULT_OPENID, SUBJECT_TYPES } from '../../src/domain/openid-settings.ts';
import { NO_PRESENTATION } from '../../src/domain/presentation.ts';
import { DEFAULT_SECURITY, SECURITY_PROFILES } from '../../src/domain/security-settings.ts';
import {
  ACCESS_TOKEN_FORMATS,
  CLIENT_MODES,
  CLIENT_TYPES,
  REGISTERED_GRANTS,
  RESTRICTED_SCOPES,
  SIGNING_ALGORITHMS,
  type ClientType,
} from '../../src/domain/values.ts';
import { clientId, grantId, hashOf, keyId, totpId, userId } from '../support/domain-values.ts';
import { unchecked } from '../support/unchecked.ts';

const aName = fc.string({ minLength: 1 });
const settings = {
  name: aName,
  clientType: fc.constantFrom(...CLIENT_TYPES),
  grantTypes: fc.subarray([...REGISTERED_GRANTS]),
  redirectUris: fc.array(fc.webUrl()),
  allowedOrigins: fc.array(fc.webUrl()),
  skipAuthorization: fc.boolean(),
};
const registration = {
  clientId: aName.map(clientId),
  ownerId: fc.option(aName.map(userId)),
  secret: fc.option(aName.map((label) => ({ algorithm: 'sha256', hash: hashOf(label) }))),
  ...settings,
};
const restrictedScopes = fc.subarray([...RESTRICTED_SCOPES]);
const accessTokenFormat = fc.constantFrom(...ACCESS_TOKEN_FORMATS);
const clientAuthentication = fc.record({
  methods: fc.subarray([...CLIENT_AUTHENTICATION_METHODS], { minLength: 1 }),
  keys: fc.constant([]),
});
const currentAuthentication = fc.record({
  methods: fc.subarray([...CLIENT_AUTHENTICATION_METHODS], { minLength: 1 }),
  keys: fc.constant([]),
  keysUri: fc.option(fc.webUrl()),
  tls: fc.option(fc.record({ kind: fc.constantFrom(...TLS_SUBJECT_KINDS), value: aName })),
});
const presentationSettings = {
  presentation: fc.record({
    description: fc.option(aName),
    homepageUri: fc.option(fc.webUrl()),
    policyUri: fc.option(fc.webUrl()),
    tosUri: fc.option(fc.webUrl()),
  }),
  mode: fc.constantFrom(...CLIENT_MODES),
  secondFactorRequired: fc.boolean(),
};
const accessTokenAlgorithm = fc.constantFrom(...SIGNING_ALGORITHMS);
const openid = fc.record({
  idTokenAlgorithm: fc.constantFrom(...SIGNING_ALGORITHMS),
  userinfoAlgorithm: fc.option(fc.constantFrom(...SIGNING_ALGORITHMS)),
  subjectType: fc.constantFrom(...SUBJECT_TYPES),
  sectorIdentifierUri: fc.option(fc.webUrl()),
  postLogoutRedirectUris: fc.array(fc.webUrl()),
  backchannelLogoutUri: fc.option(fc.webUrl()),
  backchannelLogoutSessionRequired: fc.boolean(),
  initiateLoginUri: fc.option(fc.webUrl()),
  defaultMaxAgeSeconds: fc.option(fc.nat()),
  requireAuthTime: fc.boolean(),
});
const security = fc.record({
  profile: fc.option(fc.constantFrom(...SECURITY_PROFILES)),
  dpopBoundAccessTokens: fc.boolean(),
  tlsBoundAccessTokens: fc.boolean(),
  requirePushedAuthorizationRequests: fc.boolean(),
  requireSignedRequestObject: fc.boolean(),
  requestObjectAlgorithm: fc.option(fc.constantFrom(...SIGNING_ALGORITHMS)),
  requestUris: fc.array(fc.webUrl()),
  authorizationResponseAlgorithm: fc.constantFrom(...SIGNING_ALGORITHMS),
  introspectionAlgorithm: fc.constantFrom(...SIGNING_ALGORITHMS),
});
const openIdSettings = { restrictedScopes, accessTokenFormat, accessTokenAlgorithm, openid };
const secret = aName.map((label) => ({ algorithm: 'sha256', hash: hashOf(label) }));
const sealedSecret = aName.map((label) => ({ algorithm: 'sealed', sealed: label }));
const importedSecret = aName.map((label) => ({ algorithm: 'pbkdf2-sha256', verifier: `pbkdf2_sha256$1$${label}$` }));
const holder = { clientId: aName.map(clientId), userId: aName.map(userId), scope: fc.array(aName) };
const expiresAt = fc.nat();
const code = {
  ...holder,
  codeHash: aName.map(hashOf),
  redirectUri: fc.webUrl(),
  redirectUriRequired: fc.boolean(),
  codeChallenge: fc.constant(null),
  expiresAt,
};
const accessToken = { ...holder, tokenHash: aName.map(hashOf), grantId: aName.map(grantId), expiresAt };
const refreshToken = { ...holder, tokenHash: aName.map(hashOf), expiresAt };
const session = { userId: aName.map(userId), expiresAt };
const sessionEnd = { userId: aName.map(userId) };
const authentication = fc.record({ method: fc.constant('password'), authenticatedAt: fc.nat(), checkedAsOf: fc.nat() });
const twoStepAuthentication = fc.record({
  method: fc.constant('password'),
  authenticatedAt: fc.nat(),
  checkedAsOf: fc.nat(),
  secondFactor: fc.record({ method: fc.constant('totp'), totpId: aName.map(totpId), step: fc.nat() }),
});
const upstreamAuthentication = fc.record({
  method: fc.constant('upstream'),
  authenticatedAt: fc.nat(),
  checkedAsOf: fc.nat(),
  providerId: fc.constant('corp'),
  subjectHash: aName.map(hashOf),
});
const resourceMember = { resource: fc.array(fc.webUrl()) };
const rotation = {
  spentHash: aName.map(hashOf),
  tokenHash: aName.map(hashOf),
  scope: fc.array(aName),
  rotatedAt: fc.nat(),
  expiresAt: fc.option(expiresAt),
};
const login = fc.record({
  sessionHash: fc.option(aName.map(hashOf)),
  authTime: fc.nat(),
  amr: fc.array(aName),
  acr: aName,
});
const confirmation = fc.record({ method: fc.constantFrom(...CONFIRMATION_METHODS), thumbprint: aName.map(hashOf) });
const claims = fc.array(fc.record({ name: aName, essential: fc.constant(true) }, { requiredKeys: ['name'] }));
const requested = {
  scope: fc.array(aName),
  claims: fc.record({ userinfo: claims, idToken: claims }, { requiredKeys: [] }),
  acrValues: fc.array(aName),
  maxAgeSeconds: fc.nat(),
  prompt: fc.array(aName),
};
const consent = {
  ...holder,
  grantId: aName.map(grantId),
  basis: fc.constantFrom('asked', 'remembered', 'skipped', 'password'),
};
const newestAccessToken = { tokenHash: aName.map(hashOf), scope: fc.array(aName), expiresAt };
const summary = {
  ...holder,
  redeemedCodeHash: fc.option(aName.map(hashOf)),
  refreshToken: fc.record({
    tokenHash: aName.map(hashOf),
    expiresAt: fc.option(expiresAt),
    spentHash: aName.map(hashOf),
    rotatedAt: fc.nat(),
    hasUntagged: fc.boolean(),
  }),
  accessToken: fc.record(newestAccessToken),
};
const anId = aName.map(grantId);
/** Data that may lack the members in `optionalMembers`. */
const withOptional = (
  data: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  optionalMembers: typeof data,
): fc.Arbitrary<object> => fc.record({ ...data, ...optionalMembers }, { requiredKeys: Object.keys(data) });
const shown = fc.record({
  textVersion: aName.map((text) => hash('sha256', text)),
  application: aName,
  scopes: fc.array(fc.record({ name: aName, text: fc.array(fc.string()) }), { maxLength: 2 }),
});
const retired = fc.record({ tokenHash: aName.map(hashOf), endsAt: fc.nat() });

/** For each event type with several versions: possible data of each version, oldest first. */
const VERSIONS: Readonly<Record<string, readonly fc.Arbitrary<object>[]>> = {
  ConsentGiven: [
    fc.record(consent),
    withOptional(consent, { login, requested: fc.record(requested, { requiredKeys: ['scope'] }) }),
    withOptional(
      { ...consent, basis: fc.constantFrom('asked', 'device') },
      {
        login,
        requested: fc.record({ ...requested, requestObjectHash: aName.map(hashOf) }, { requiredKeys: ['scope'] }),
      },
    ),
    withOptional(
      { ...consent, basis: fc.constantFrom('asked', 'device') },
      { login, shown, documentHash: aName.map(hashOf) },
    ),
    withOptional(consent, {
      shown,
      management: fc.record({ action: fc.constant('merge'), grantId: anId, updates: anId }),
    }),
  ],
  AuthorizationCodeIssued: [
    fc.record(code),
    withOptional(code, resourceMember),
    withOptional(code, { ...resourceMember, login }),
    withOptional(code, { ...resourceMember, login, dpopJkt: aName.map(hashOf) }),
  ],
  AccessTokenIssued: [
    fc.record(accessToken),
    withOptional(accessToken, resourceMember),
    withOptional(accessToken, { ...resourceMember, login }),
    withOptional(accessToken, { ...resourceMember, login, kid: aName.map(keyId) }),
    withOptional(accessToken, { ...resourceMember, login, confirmation }),
  ],
  RefreshTokenIssued: [
    fc.record(refreshToken),
    withOptional(refreshToken, resourceMember),
    withOptional(refreshToken, { ...resourceMember, tagged: fc.constant(true) }),
    withOptional(refreshToken, { ...resourceMember, tagged: fc.constant(true), login }),
    withOptional(refreshToken, { ...resourceMember, tagged: fc.constant(true), login, confirmation }),
  ],
  RefreshTokenRotated: [fc.record(rotation), withOptional(rotation, { retired })],
  GrantSummarized: [
    fc.record(summary),
    withOptional(summary, { login }),
    fc.record({ ...summary, accessToken: fc.record({ ...newestAccessToken, kid: aName.map(keyId) }) }),
    withOptional(
      { ...summary, accessToken: fc.record({ ...newestAccessToken, confirmation }) },
      { device: fc.constant(true) },
    ),
  ],
  GrantRevoked: [
    fc.record({ reason: fc.constantFrom('code-replayed', 'revoked-by-client') }),
    fc.record({ reason: fc.constant('device-code-replayed') }),
    withOptional({ reason: fc.constantFrom('updated') }, { replacedBy: aName.map(grantId) }),
  ],
  ClientRegistered: [
    fc.record(registration),
    fc.record({ ...registration, restrictedScopes }),
    fc.record({ ...registration, restrictedScopes, accessTokenFormat }),
    fc.record({ ...registration, restrictedScopes, accessTokenFormat, secret: importedSecret }),
    fc.record({ ...registration, restrictedScopes, accessTokenFormat, secret: sealedSecret }),
    fc.record({ ...registration, ...openIdSettings, secret: sealedSecret }),
    fc.record({ ...registration, ...openIdSettings, ...presentationSettings, secret: sealedSecret }),
    fc.record({
      ...registration,
      ...openIdSettings,
      ...presentationSettings,
      authentication: clientAuthentication,
      secret: sealedSecret,
    }),
    fc.record({
      ...registration,
      ...openIdSettings,
      ...presentationSettings,
      authentication: currentAuthentication,
      security,
      secret: sealedSecret,
    }),
  ],
  ClientUpdated: [
    fc.record(settings),
    fc.record({ ...settings, restrictedScopes }),
    fc.record({ ...settings, restrictedScopes, accessTokenFormat }),
    fc.record({ ...settings, ...openIdSettings }),
    fc.record({ ...settings, ...openIdSettings, ...presentationSettings }),
    fc.record({ ...settings, ...openIdSettings, ...presentationSettings, authentication: clientAuthentication }),
    fc.record({
      ...settings,
      ...openIdSettings,
      ...presentationSettings,
      authentication: currentAuthentication,
      security,
    }),
  ],
  ClientSecretRotated: [fc.record({ secret }), fc.record({ secret, previousUntil: fc.option(fc.nat()) })],
  ClientSecretRehashed: [fc.record({ secret }), fc.record({ secret: sealedSecret })],
  SessionStarted: [
    fc.record(session),
    withOptional(session, { authentication }),
    withOptional(session, { authentication, sealed: aName }),
    withOptional(session, { authentication: twoStepAuthentication, sealed: aName }),
    withOptional(session, { authentication: upstreamAuthentication, sealed: aName }),
  ],
  SessionEnded: [
    fc.record(sessionEnd),
    withOptional(sessionEnd, {
      reason: fc.constantFrom('logged-out', 'ended-by-user', 'logged-in-again', 'another-login'),
      continuedBy: aName.map(hashOf),
    }),
    withOptional(sessionEnd, { reason: fc.constant('ended-by-administrator') }),
    withOptional(sessionEnd, { reason: fc.constant('account-unlinked') }),
  ],
};
const recordOfVersions = (from: number, to?: number, types: readonly string[] = Object.keys(VERSIONS)) =>
  fc.oneof(
    ...Object.entries(VERSIONS)
      .filter(([type]) => types.includes(type))
      .flatMap(([type, versions]) =>
        versions
          .map((data, index) => fc.record({ type: fc.constant(type), version: fc.constant(index + 1), data }))
          .slice(from, to),
      ),
  );

/** The members of `data`, keyed by their paths. */
const membersUnder = (path: string, data: object = {}): object =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [`${path}.${name}`, value]));

const CLIENT_SETTINGS_EVENTS = ['ClientRegistered', 'ClientUpdated'];
const anOldRecord = recordOfVersions(0, -1);
const aCurrentRecord = recordOfVersions(-1);

describe('an event of an old version', () => {
  it('is upcast to a valid event of the current version, for any data', () => {
    fc.assert(
      fc.property(anOldRecord, (record) => {
        const event = decodeUntrustedEvent(record);
        expect(encodeEvent(event).version).to.be.greaterThan(record.version);
        const { authentication: clientMembers, ...otherMembers } = record.data as {
          readonly authentication?: object;
        };
        expect(event.data).to.deep.include(otherMembers);
        expect(event.data).to.deep.nested.include(membersUnder('authentication', clientMembers));
      }),
    );
  });

  it('is not modified, so its hash stays valid', () => {
    fc.assert(
      fc.property(anOldRecord, (record) => {
        const copy = structuredClone(record);
        decodeEvent(record);
        expect(record).to.deep.equal(copy);
      }),
    );
  });

  it('gets no restricted scopes for clients, if it is older than restricted scopes', () => {
    fc.assert(
      fc.property(recordOfVersions(0, 1, CLIENT_SETTINGS_EVENTS), (record) => {
        expect(decodeEvent(record).data).to.deep.include({ restrictedScopes: [] });
      }),
    );
  });

  it('gets opaque access tokens, if it is older than other formats', () => {
    fc.assert(
      fc.property(recordOfVersions(0, 2, CLIENT_SETTINGS_EVENTS), (record) => {
        expect(decodeEvent(record).data).to.deep.include({ accessTokenFormat: 'opaque' });
      }),
    );
  });

  it('gets EdDSA for JWT access tokens, and the defaults of OpenID Connect, if it is older than both', () => {
    fc.assert(
      fc.property(recordOfVersions(0, -4, CLIENT_SETTINGS_EVENTS), (record) => {
        expect(decodeEvent(record).data).to.deep.include({ accessTokenAlgorithm: 'EdDSA', openid: DEFAULT_OPENID });
      }),
    );
  });

  it('gets the live mode, and no presentation or second factor, if it is older than these settings', () => {
    fc.assert(
      fc.property(recordOfVersions(0, -3, CLIENT_SETTINGS_EVENTS), (record) => {
        const addedMembers = { presentation: NO_PRESENTATION, mode: 'live', secondFactorRequired: false };
        expect(decodeEvent(record).data).to.deep.include(addedMembers);
      }),
    );
  });

  it('gets authentication with a secret, or none for public clients, if it is older than keys', () => {
    fc.assert(
      fc.property(recordOfVersions(0, -2, CLIENT_SETTINGS_EVENTS), (record) => {
        const { clientType } = record.data as { readonly clientType: ClientType };
        const addedMembers = { authentication: defaultAuthentication(clientType) };
        expect(decodeEvent(record).data).to.deep.include(addedMembers);
      }),
    );
  });

  it('gets no requirement for proofs or signed messages, if it is older than these settings', () => {
    fc.assert(
      fc.property(recordOfVersions(0, -1, CLIENT_SETTINGS_EVENTS), (record) => {
        expect(decodeEvent(record).data).to.deep.include({ security: DEFAULT_SECURITY });
      }),
    );
  });

  it('gets no overlap for a rotated secret, if it is older than overlaps', () => {
    fc.assert(
      fc.property(recordOfVersions(0, 1, ['ClientSecretRotated']), (record) => {
        expect(decodeEvent(record).data).to.deep.include({ previousUntil: null });
      }),
    );
  });

  it('keeps members of later versions, which some records contain, such as restricted scopes in version 1', () => {
    fc.assert(
      fc.property(aCurrentRecord, (record) => {
        expect(decodeUntrustedEvent({ ...record, version: 1 }).data).to.deep.equal(record.data);
      }),
    );
  });

  it('is refused if it violates the schema of its version, but never makes upcasting throw', () => {
    for (const [type, steps] of Object.entries(UPCASTERS)) {
      fc.assert(
        fc.property(fc.anything(), fc.integer({ min: 1, max: steps.length }), (data, version) => {
          expect(() => decodeEvent({ type, version, data })).to.not.throw();
          expect(() => decodeUntrustedEvent({ type, version, data })).to.throw(InvalidEventError, type);
        }),
      );
    }
  });
});

describe('an event of its current version', () => {
  it('is returned as the same object, because the hot path copies nothing', () => {
    fc.assert(
      fc.property(aCurrentRecord, (record) => {
        expect(decodeEvent(record)).to.equal(record);
        expect(decodeUntrustedEvent(record)).to.equal(record);
      }),
    );
    const removal = encodeEvent({ type: 'ClientRemoved', data: {} });
    expect(removal.version).to.equal(1);
    expect(decodeEvent(removal)).to.equal(removal);
  });

  it('has a version one higher than the number of upcasting steps of its type', () => {
    fc.assert(
      fc.property(aCurrentRecord, ({ type, data }) => {
        const steps = UPCASTERS[type as DomainEvent['type']] ?? [];
        expect(encodeEvent(unchecked({ type, data })).version).to.equal(1 + steps.length);
      }),
    );
    for (const type of Object.keys(UPCASTERS))
      expect(VERSIONS, 'VERSIONS has each type with several versions').to.have.property(type);
  });

  it('is refused without a member that became mandatory', () => {
    fc.assert(
      fc.property(recordOfVersions(0, 1, CLIENT_SETTINGS_EVENTS), (record) => {
        expect(() => decodeUntrustedEvent({ ...record, version: 3 })).to.throw(InvalidEventError, 'restrictedScopes');
      }),
    );
    fc.assert(
      fc.property(recordOfVersions(0, 1, ['ClientSecretRotated']), (record) => {
        expect(() => decodeUntrustedEvent({ ...record, version: 2 })).to.throw(InvalidEventError, 'previousUntil');
      }),
    );
  });
});

describe('an event of a version that this release does not know', () => {
  for (const [type, currentVersion] of [
    ['ClientUpdated', 7],
    ['ClientRemoved', 1],
  ] as const) {
    it(`is refused with advice: ${type}`, () => {
      for (const version of [currentVersion + 1, 99, currentVersion + 0.5, Infinity]) {
        expect(() => decodeEvent({ type, version, data: {} }), `${version}`).to.throw(
          InvalidEventError,
          'run the later release',
        );
      }
      for (const version of [0, -1, 0.5, Number.NaN, unchecked(undefined), unchecked('1'), unchecked(null)]) {
        expect(() => decodeEvent({ type, version, data: {} }), `${version}`).to.throw(
          InvalidEventError,
          'restore the newest backup that verifies',
        );
      }
    });
  }

  it('is refused even if its type or version is malformed', () => {
    expect(() => decodeEvent(unchecked({ type: 'Mystery', data: {} }))).to.throw(InvalidEventError, 'Mystery');
    expect(() => decodeEvent(unchecked({ type: '__proto__', data: {} }))).to.throw(InvalidEventError);
  });
});
