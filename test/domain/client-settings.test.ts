import { expect } from 'chai';
import fc from 'fast-check';
import {
  algorithmsOf,
  CLIENT_AUTHENTICATION_METHODS,
  defaultAuthentication,
  usesSecret,
} from '../../src/domain/client-authentication.ts';
import type { ClientSettings } from '../../src/domain/client.ts';
import { mergeDocumentSettings } from '../../src/domain/document-settings.ts';
import { LOGO_MEDIA_TYPES, MAX_LOGO_BASE64_LENGTH, MAX_LOGO_BYTES } from '../../src/domain/logo.ts';
import {
  DEFAULT_OPENID,
  openIdFromJson,
  openIdJson,
  SUBJECT_TYPES,
  type OpenIdSettings,
} from '../../src/domain/openid-settings.ts';
import { NO_PRESENTATION, presentationFromJson, presentationJson } from '../../src/domain/presentation.ts';
import { DEFAULT_SECURITY, securityJson } from '../../src/domain/security-settings.ts';
import { unusedClient } from '../../src/domain/unused-client.ts';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId } from '../support/domain-values.ts';

const anAlgorithm = fc.constantFrom(...SIGNING_ALGORITHMS);
const aText = fc.option(fc.string());

const someOpenIdSettings: fc.Arbitrary<OpenIdSettings> = fc.record({
  idTokenAlgorithm: anAlgorithm,
  userinfoAlgorithm: fc.option(anAlgorithm),
  subjectType: fc.constantFrom(...SUBJECT_TYPES),
  sectorIdentifierUri: aText,
  postLogoutRedirectUris: fc.array(fc.string()),
  backchannelLogoutUri: aText,
  backchannelLogoutSessionRequired: fc.boolean(),
  initiateLoginUri: aText,
  defaultMaxAgeSeconds: fc.option(fc.nat()),
  requireAuthTime: fc.boolean(),
});
const aPresentation = fc.record({ description: aText, homepageUri: aText, policyUri: aText, tosUri: aText });

describe('the JSON form of settings', () => {
  it('contains all settings for OpenID Connect, so that they can be exported and imported', () => {
    fc.assert(
      fc.property(someOpenIdSettings, (settings) => {
        expect(openIdFromJson(openIdJson(settings))).to.deep.equal(settings);
      }),
    );
  });

  it('contains the whole presentation, with the names of RFC 7591', () => {
    fc.assert(
      fc.property(aPresentation, (presentation) => {
        const json = presentationJson(presentation);
        expect(presentationFromJson(json)).to.deep.equal(presentation);
        expect(json).to.have.all.keys('description', 'client_uri', 'policy_uri', 'tos_uri');
      }),
    );
  });

  it('contains all security settings, with the names in the RFCs', () => {
    const security = {
      profile: 'fapi2',
      dpopBoundAccessTokens: true,
      tlsBoundAccessTokens: false,
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: false,
      requestObjectAlgorithm: 'ES256',
      requestUris: ['https://app.example/request'],
      authorizationResponseAlgorithm: 'PS256',
      introspectionAlgorithm: 'EdDSA',
    } as const;
    expect(securityJson(security)).to.deep.equal({
      profile: 'fapi2',
      dpop_bound_access_tokens: true,
      tls_client_certificate_bound_access_tokens: false,
      require_pushed_authorization_requests: true,
      require_signed_request_object: false,
      request_object_signing_alg: 'ES256',
      request_uris: ['https://app.example/request'],
      authorization_signed_response_alg: 'PS256',
      introspection_signed_response_alg: 'EdDSA',
    });
  });
});

describe('a new client', () => {
  it('has the defaults of OpenID Connect Registration §2, and no URI, limit or requirement', () => {
    expect(openIdJson(DEFAULT_OPENID)).to.deep.equal({
      id_token_algorithm: 'RS256',
      userinfo_algorithm: null,
      subject_type: 'public',
      sector_identifier_uri: null,
      post_logout_redirect_uris: [],
      backchannel_logout_uri: null,
      backchannel_logout_session_required: false,
      initiate_login_uri: null,
      default_max_age: null,
      require_auth_time: false,
    });
    expect(Object.values(NO_PRESENTATION)).to.deep.equal([null, null, null, null]);
  });

  it('has no security profile and no requirement beyond RFC 6749, and gets signatures with RS256', () => {
    const { authorizationResponseAlgorithm, introspectionAlgorithm, requestUris, ...others } = DEFAULT_SECURITY;
    expect([authorizationResponseAlgorithm, introspectionAlgorithm]).to.deep.equal(['RS256', 'RS256']);
    expect(requestUris).to.deep.equal([]);
    expect(others).to.deep.equal({
      profile: null,
      dpopBoundAccessTokens: false,
      tlsBoundAccessTokens: false,
      requirePushedAuthorizationRequests: false,
      requireSignedRequestObject: false,
      requestObjectAlgorithm: null,
    });
  });

  it('authenticates with a secret, or not at all if it is public', () => {
    const confidential = defaultAuthentication('confidential');
    expect(confidential.methods).to.have.members(['client_secret_basic', 'client_secret_post']);
    expect(defaultAuthentication('public')).to.deep.equal({ methods: ['none'], keys: [], keysUri: null, tls: null });
    expect([usesSecret(confidential), usesSecret(defaultAuthentication('public'))]).to.deep.equal([true, false]);
  });

  it('that is not in the log has no members, no secret and no uses', () => {
    const client = unusedClient(clientId('A'));
    expect(client).to.include({ clientId: clientId('A'), secret: null, previousSecret: null });
    expect(client.members).to.deep.equal([]);
    expect(client.lastUse).to.deep.equal({ anySecret: null, previousSecret: null, keys: {} });
  });
});

describe('a client', () => {
  it('uses a secret if one of its methods is a method with a secret', () => {
    fc.assert(
      fc.property(fc.subarray([...CLIENT_AUTHENTICATION_METHODS]), (methods) => {
        const isWithSecret = methods.some((method) => method.startsWith('client_secret_'));
        expect(usesSecret({ methods })).to.equal(isWithSecret);
      }),
    );
  });

  it('can sign with the algorithms that fit the kind of its key', () => {
    expect(algorithmsOf({ kty: 'RSA', n: 'n', e: 'e' })).to.have.members(['PS256', 'RS256']);
    expect(algorithmsOf({ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' })).to.deep.equal(['ES256']);
    expect(algorithmsOf({ kty: 'OKP', crv: 'Ed25519', x: 'x' })).to.deep.equal(['EdDSA']);
  });

  it('has a logo without scripts, whose longest base64 needs no padding', () => {
    expect(LOGO_MEDIA_TYPES).not.to.include('image/svg+xml');
    expect(Buffer.alloc(MAX_LOGO_BYTES).toString('base64')).to.have.length(MAX_LOGO_BASE64_LENGTH);
    expect(MAX_LOGO_BYTES % 3).to.equal(0);
  });
});

describe('a changed metadata document', () => {
  const withSecurity = (dpopBoundAccessTokens: boolean, tlsBoundAccessTokens: boolean): ClientSettings => ({
    ...CLIENT_SETTINGS,
    security: { ...DEFAULT_SECURITY, dpopBoundAccessTokens, tlsBoundAccessTokens },
  });

  it('can require DPoP unless tokens are bound to a certificate, and cannot remove a requirement', () => {
    const [flag, flags] = [fc.boolean(), fc.tuple(fc.boolean(), fc.boolean())];
    fc.assert(
      fc.property(flag, flags, (documentRequiresDpop, [requiresDpop, bindsToCertificate]) => {
        const { security } = mergeDocumentSettings(
          withSecurity(documentRequiresDpop, false),
          withSecurity(requiresDpop, bindsToCertificate),
        );
        const isNewlyRequired = documentRequiresDpop && !bindsToCertificate;
        expect(security.dpopBoundAccessTokens).to.equal(requiresDpop || isNewlyRequired);
        expect(security.tlsBoundAccessTokens).to.equal(bindsToCertificate);
      }),
    );
  });

  it('replaces the description of the client, and no setting that the operator controls', () => {
    const operatorSettings = {
      skipAuthorization: true,
      restrictedScopes: ['audit'],
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
      openid: { ...DEFAULT_OPENID, subjectType: 'pairwise' },
      mode: 'test',
      secondFactorRequired: true,
    } as const;
    const description = { name: 'New name', redirectUris: ['https://app.example/new'] };
    expect(
      mergeDocumentSettings({ ...CLIENT_SETTINGS, ...description }, { ...CLIENT_SETTINGS, ...operatorSettings }),
    ).to.deep.equal({ ...CLIENT_SETTINGS, ...description, ...operatorSettings });
  });
});
