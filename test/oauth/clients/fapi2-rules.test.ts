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
  let sound: RegistrationFields;
  before(async () => {
    sound = {
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
  const check = (changes: Partial<RegistrationFields>) => validateRegistration({ ...sound, ...changes }, SETTINGS);
  const errorsOf = (changes: Partial<RegistrationFields>): Partial<Record<keyof RegistrationErrors, string>> => {
    const checked = check(changes);
    return 'errors' in checked ? englishProblems(checked.errors) : {};
  };

  it('turns on all that the profile requires', () => {
    const checked = check({});
    if ('errors' in checked) expect.fail(JSON.stringify(checked.errors));
    expect(checked.security).to.deep.include({
      profile: 'fapi2',
      dpopBoundAccessTokens: true,
      tlsBoundAccessTokens: false,
      requirePushedAuthorizationRequests: true,
      authorizationResponseAlgorithm: 'PS256',
      introspectionAlgorithm: 'PS256',
    });
    expect(checked.openid.idTokenAlgorithm).to.equal('PS256');
    expect(checked.accessTokenAlgorithm).to.equal('PS256');
  });

  it('keeps the choices that the profile leaves', () => {
    const security = { profile: 'fapi2', tlsBoundAccessTokens: true, introspectionAlgorithm: 'ES256' } as const;
    const checked = check({ security, openid: { idTokenAlgorithm: 'EdDSA' } });
    if ('errors' in checked) expect.fail(JSON.stringify(checked.errors));
    expect(checked.security).to.include({ ...security, dpopBoundAccessTokens: false });
    expect(checked.openid.idTokenAlgorithm).to.equal('EdDSA');
  });

  it('is refused with every reason at once, each with its clause', () => {
    const everything = errorsOf({
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
    expect(everything).to.have.all.keys(
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
    for (const [field, problem] of Object.entries(everything))
      expect(problem, field).to.match(/FAPI 2\.0 \(§5\.[34]\./);
    expect(everything.redirectUris).to.include('http://127.0.0.1/callback, com.example.app:/callback');
    expect(everything.redirectUris).to.not.include('https://app.example/callback');
  });

  it('is refused with a secret, also beside a key, and with a key for RS256 alone', async () => {
    const keys = sound.authentication?.keys ?? [];
    expect(errorsOf({ authentication: undefined }).authentication).to.match(/not client_secret_basic/);
    const both = { methods: ['private_key_jwt', 'client_secret_post'], keys };
    expect(errorsOf({ authentication: both }).authentication).to.match(/not client_secret_post/);
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

  it('checks URIs again that were registered before', () => {
    const redirectUris = ['http://localhost/callback'];
    const existing = { redirectUris, openid: { postLogoutRedirectUris: [], backchannelLogoutUri: null } };
    const checked = validateRegistration({ ...sound, redirectUris }, SETTINGS, existing);
    expect('errors' in checked && checked.errors).to.have.all.keys('redirectUris');
  });
});
