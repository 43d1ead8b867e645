import { expect } from 'chai';
import type { ClientKey } from '../../../src/domain/client-authentication.ts';
import {
  validateRegistration,
  type RegistrationErrors,
  type RegistrationFields,
} from '../../../src/oauth/clients/registration-rules.ts';
import { clientKeys, keyPairFor } from '../../support/assertions.ts';
import { englishProblems } from '../../support/english-problems.ts';

const SETTINGS = { plainHttpRedirectUris: false, redirectUriSchemes: [] };

describe('a registration with the FAPI 2.0 Security Profile', () => {
  let validFields: RegistrationFields;
  before(async () => {
    validFields = {
      name: 'Bank',
      clientType: 'confidential',
      grantTypes: ['authorization-code'],
      redirectUris: ['https://app.example/callback'],
      allowedOrigins: [],
      skipAuthorization: false,
      authentication: { methods: ['private_key_jwt'], keys: await clientKeys(keyPairFor('ES256')) },
      security: { profile: 'fapi2' },
    };
  });
  const check = (changes: Partial<RegistrationFields>) =>
    validateRegistration({ ...validFields, ...changes }, SETTINGS);
  const errorsOf = (changes: Partial<RegistrationFields>): Partial<Record<keyof RegistrationErrors, string>> => {
    const result = check(changes);
    return 'errors' in result ? englishProblems(result.errors) : {};
  };

  it('turns on everything that the profile requires', () => {
    const result = check({});
    if ('errors' in result) expect.fail(JSON.stringify(result.errors));
    expect(result.security).to.deep.include({
      profile: 'fapi2',
      dpopBoundAccessTokens: true,
      tlsBoundAccessTokens: false,
      requirePushedAuthorizationRequests: true,
      authorizationResponseAlgorithm: 'PS256',
      introspectionAlgorithm: 'PS256',
    });
    expect(result.openid.idTokenAlgorithm).to.equal('PS256');
    expect(result.accessTokenAlgorithm).to.equal('PS256');
  });

  it('keeps choices that the profile allows', () => {
    const security = { profile: 'fapi2', tlsBoundAccessTokens: true, introspectionAlgorithm: 'ES256' } as const;
    const result = check({ security, openid: { idTokenAlgorithm: 'EdDSA' } });
    if ('errors' in result) expect.fail(JSON.stringify(result.errors));
    expect(result.security).to.include({ ...security, dpopBoundAccessTokens: false });
    expect(result.openid.idTokenAlgorithm).to.equal('EdDSA');
  });

  it('is refused with all the reasons together, each with its clause', () => {
    const errors = errorsOf({
      clientType: 'public',
      grantTypes: ['authorization-code', 'password'],
      redirectUris: ['http://127.0.0.1/callback', 'com.example.app:/callback', 'https://app.example/callback'],
      authentication: undefined,
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'RS256',
      openid: { idTokenAlgorithm: 'RS256', userinfoAlgorithm: 'RS256' },
      security: {
        profile: 'fapi2',
        dpopBoundAccessTokens: false,
        tlsBoundAccessTokens: false,
        requirePushedAuthorizationRequests: false,
        requestObjectAlgorithm: 'RS256',
        authorizationResponseAlgorithm: 'RS256',
        introspectionAlgorithm: 'RS256',
      },
    });
    expect(errors).to.have.all.keys(
      'clientType',
      'grantTypes',
      'redirectUris',
      'authentication',
      'accessTokenAlgorithm',
      'idTokenAlgorithm',
      'userinfoAlgorithm',
      'dpopBoundAccessTokens',
      'requirePushedAuthorizationRequests',
      'requestObjectAlgorithm',
      'authorizationResponseAlgorithm',
      'introspectionAlgorithm',
    );
    for (const [field, problem] of Object.entries(errors)) expect(problem, field).to.match(/FAPI 2\.0 \(§5\.[34]\./);
    expect(errors.redirectUris).to.include('http://127.0.0.1/callback, com.example.app:/callback');
    expect(errors.redirectUris).to.not.include('https://app.example/callback');
  });

  it('is refused with a secret, even with an additional key, and with a key only for RS256', async () => {
    const keys = validFields.authentication?.keys ?? [];
    expect(errorsOf({ authentication: undefined }).authentication).to.match(/not client_secret_basic/);
    const keyAndSecret = { methods: ['private_key_jwt', 'client_secret_post'], keys };
    expect(errorsOf({ authentication: keyAndSecret }).authentication).to.match(/not client_secret_post/);
    const [rsa] = (await clientKeys(keyPairFor('RS256'))) as [ClientKey];
    const withRsa = (algorithm: ClientKey['algorithm']) => ({
      authentication: { methods: ['private_key_jwt'], keys: [{ ...rsa, algorithm }] },
    });
    expect(errorsOf(withRsa('RS256')).authentication)
      .to.include('§5.4.1')
      .and.to.include(rsa.keyId);
    expect(errorsOf(withRsa('PS256'))).to.deep.equal({});
    expect(errorsOf(withRsa(null))).to.deep.equal({});
  });

  it('is refused even with URIs that are already registered', () => {
    const redirectUris = ['http://localhost/callback'];
    const existing = { redirectUris, openid: { postLogoutRedirectUris: [], backchannelLogoutUri: null } };
    const result = validateRegistration({ ...validFields, redirectUris }, SETTINGS, existing);
    expect('errors' in result && result.errors).to.have.all.keys('redirectUris');
  });
});
