import { expect } from 'chai';
import { encodeEvent, type DomainEvent } from '../../src/domain/events.ts';
import type { ProviderSettings } from '../../src/domain/provider-settings.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId, grantId, hashOf, providerId, seconds, userId } from '../support/domain-values.ts';
import { issuerSettings } from '../support/issuer-settings.ts';
import { PROVIDER_SETTINGS } from '../support/provider-settings.ts';
import { unchecked } from '../support/unchecked.ts';

const ISSUER_SETTINGS = issuerSettings('A');

interface RecordedValues {
  readonly type: DomainEvent['type'];
  readonly values: readonly string[];
  /** Returns the data of an event with the value. */
  readonly data: (value: string) => object;
}

const inClient = (data: (value: string) => object, ...values: readonly string[]): RecordedValues => ({
  type: 'ClientUpdated',
  values,
  data: (value) => ({ ...CLIENT_SETTINGS, ...data(value) }),
});
const inProvider = (name: keyof ProviderSettings, ...values: readonly string[]): RecordedValues => ({
  type: 'UpstreamProviderSet',
  values,
  data: (value) => ({ providerId: providerId('corp'), settings: { ...PROVIDER_SETTINGS, [name]: value } }),
});
const inConsent = (data: (value: string) => object, ...values: readonly string[]): RecordedValues => ({
  type: 'ConsentGiven',
  values,
  data: (value) => ({
    grantId: grantId('g'),
    clientId: clientId('A'),
    userId: userId('ada'),
    scope: [],
    basis: 'asked',
    ...data(value),
  }),
});

const RECORDED_VALUES: Readonly<Record<string, RecordedValues>> = {
  'the type of a client': inClient((clientType) => ({ clientType }), 'confidential', 'public'),
  'the type of an application': inClient((applicationType) => ({ applicationType }), 'web', 'native'),
  'a grant type': inClient(
    (grantType) => ({ grantTypes: [grantType] }),
    'authorization-code',
    'client-credentials',
    'password',
    'device-code',
    'token-exchange',
    'jwt-bearer',
  ),
  'a restricted scope': inClient(
    (scope) => ({ restrictedScopes: [scope] }),
    'admin',
    'audit',
    'introspection',
    'clients:register',
    'grant_management_query',
    'grant_management_revoke',
  ),
  'the format of access tokens': inClient((accessTokenFormat) => ({ accessTokenFormat }), 'opaque', 'jwt'),
  'a signing algorithm': inClient(
    (accessTokenAlgorithm) => ({ accessTokenAlgorithm }),
    'RS256',
    'ES256',
    'PS256',
    'EdDSA',
  ),
  'the type of subjects': inClient(
    (subjectType) => ({ openid: { ...CLIENT_SETTINGS.openid, subjectType } }),
    'public',
    'pairwise',
  ),
  'the mode of a client': inClient((mode) => ({ mode }), 'live', 'test'),
  'an authentication method': inClient(
    (method) => ({ authentication: { ...CLIENT_SETTINGS.authentication, methods: [method] } }),
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'tls_client_auth',
    'self_signed_tls_client_auth',
    'none',
  ),
  'the subject of a certificate': inClient(
    (kind) => ({ authentication: { ...CLIENT_SETTINGS.authentication, tls: { kind, value: 'x' } } }),
    'subject_dn',
    'san_dns',
    'san_uri',
    'san_ip',
    'san_email',
  ),
  'a security profile': inClient((profile) => ({ security: { ...CLIENT_SETTINGS.security, profile } }), 'fapi2'),
  'the format of a logo': {
    type: 'ClientLogoChanged',
    values: ['image/png', 'image/jpeg', 'image/webp'],
    data: (mediaType) => ({ image: { mediaType, base64: 'aGVsbG8=' } }),
  },
  'the role of a member': {
    type: 'ClientMemberRemoved',
    values: ['owner', 'test-user'],
    data: (role) => ({ userId: userId('ada'), role }),
  },
  'the rule of a domain': {
    type: 'ClientDomainListed',
    values: ['allowed', 'blocked'],
    data: (rule) => ({ domain: 'app.example', rule }),
  },
  'the mode of an exchange': {
    type: 'ExchangePolicySet',
    values: ['impersonation', 'delegation'],
    data: (mode) => ({
      clientId: clientId('A'),
      subjectClientId: clientId('B'),
      settings: { modes: [mode], scope: null, resources: null },
    }),
  },
  'the use of a JWT from another issuer': {
    type: 'TrustedIssuerSet',
    values: ['assertion', 'identity-assertion', 'subject-token', 'actor-token'],
    data: (use) => ({ issuer: 'https://issuer.example', settings: { ...ISSUER_SETTINGS, uses: [use] } }),
  },
  'the mapping of a subject': {
    type: 'AssertionRedeemed',
    values: ['user-name', 'verified-email', 'table', 'client'],
    data: (mapping) => ({
      grantId: grantId('g'),
      clientId: clientId('A'),
      userId: null,
      use: 'assertion',
      issuer: 'https://issuer.example',
      assertionHash: hashOf('a'),
      subjectHash: hashOf('s'),
      mapping,
      keyId: hashOf('k'),
      algorithm: 'ES256',
      scope: ['read'],
      requested: { scope: [] },
      assertionExpiresAt: seconds(60),
      expiresAt: seconds(3_600),
    }),
  },
  'the kind of a provider': inProvider('preset', 'google', 'entra', 'okta', 'auth0', 'gitlab', 'keycloak', 'custom'),
  'the authentication at a provider': inProvider(
    'authentication',
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
  ),
  'the linking of accounts at a provider': inProvider('linking', 'explicit', 'verified-email'),
  'the management of a grant': inConsent(
    (action) => ({ management: { action, grantId: grantId('g') } }),
    'create',
    'replace',
    'merge',
  ),
  'a claim about a user': inConsent(
    (claim) => ({ claims: { idToken: [claim], userinfo: [] } }),
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
    'email',
    'email_verified',
    'address',
    'phone_number',
    'phone_number_verified',
    'groups',
  ),
};

describe('the values in existing logs', () => {
  for (const [subject, { type, values, data }] of Object.entries(RECORDED_VALUES))
    it(`keep their names: ${subject}`, () => {
      const encode = (value: string) => encodeEvent(unchecked({ type, data: data(value) }));
      for (const value of values) expect(encode(value).data, value).to.deep.equal(data(value));
      expect(() => encode('other')).to.throw();
    });
});
