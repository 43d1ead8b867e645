import { expect } from 'chai';
import fc from 'fast-check';
import type { AuthenticationSettings, ClientKey } from '../../../src/domain/client-authentication.ts';
import { DEFAULT_SECURITY } from '../../../src/domain/security-settings.ts';
import { SIGNING_ALGORITHMS } from '../../../src/domain/values.ts';
import { checkSecurity, type SecurityFields } from '../../../src/oauth/clients/security-rules.ts';
import { clientKeys, keyPairFor } from '../../support/assertions.ts';
import { englishProblems } from '../../support/english-problems.ts';

const WITHOUT_KEYS: AuthenticationSettings = { methods: ['client_secret_basic'], keys: [], keysUri: null, tls: null };

describe('the protection of a client', () => {
  let key: ClientKey;
  let withKey: AuthenticationSettings;
  before(async () => {
    [key] = (await clientKeys(keyPairFor('ES256'))) as [ClientKey];
    withKey = { methods: ['private_key_jwt'], keys: [key], keysUri: null, tls: null };
  });

  function problemsOf(fields: SecurityFields, authentication: AuthenticationSettings | undefined = withKey): object {
    const { settings, problems } = checkSecurity(fields, authentication);
    const messages = englishProblems(problems);
    expect(settings === undefined).to.equal(Object.keys(messages).length > 0);
    return messages;
  }

  it('is off by default, and stored as entered, without duplicates', () => {
    expect(checkSecurity({}, WITHOUT_KEYS).settings).to.deep.equal(DEFAULT_SECURITY);
    const allSettings = {
      profile: 'fapi2',
      dpopBoundAccessTokens: true,
      tlsBoundAccessTokens: false,
      requirePushedAuthorizationRequests: true,
      requireSignedRequestObject: true,
      requestObjectAlgorithm: 'ES256',
      requestUris: ['https://app.example/request.jwt?tenant=1'],
      authorizationResponseAlgorithm: 'PS256',
      introspectionAlgorithm: 'EdDSA',
    } as const;
    expect(checkSecurity(allSettings, withKey).settings).to.deep.equal(allSettings);
    const [uri] = allSettings.requestUris;
    expect(checkSecurity({ requestUris: [uri, uri] }, withKey).settings?.requestUris).to.deep.equal([uri]);
  });

  it('accepts only algorithms that this server supports', () => {
    for (const name of ['none', 'HS256', 'rs256', 'ES256 ', '']) {
      const fields = {
        requestObjectAlgorithm: name,
        authorizationResponseAlgorithm: name,
        introspectionAlgorithm: name,
      };
      expect(problemsOf(fields), name).to.have.all.keys(Object.keys(fields));
    }
    for (const name of SIGNING_ALGORITHMS)
      expect(problemsOf({ authorizationResponseAlgorithm: name, introspectionAlgorithm: name })).to.deep.equal({});
    expect(problemsOf({ profile: 'fapi1' })).to.have.all.keys('profile');
  });

  it('binds tokens in only one way', () => {
    expect(problemsOf({ dpopBoundAccessTokens: true, tlsBoundAccessTokens: true })).to.have.all.keys(
      'tlsBoundAccessTokens',
    );
  });

  it('requires signed requests only of a client with a suitable key', () => {
    const signedRequests = { requireSignedRequestObject: true, requestUris: ['https://app.example/r'] };
    expect(problemsOf(signedRequests, WITHOUT_KEYS)).to.have.all.keys('requireSignedRequestObject', 'requestUris');
    for (const requestObjectAlgorithm of SIGNING_ALGORITHMS) {
      const isSuitable = requestObjectAlgorithm === 'ES256';
      expect(Object.keys(problemsOf({ ...signedRequests, requestObjectAlgorithm }))).to.deep.equal(
        isSuitable ? [] : ['requestObjectAlgorithm'],
      );
      expect(problemsOf({ requestObjectAlgorithm }, WITHOUT_KEYS)).to.have.all.keys('requestObjectAlgorithm');
    }
  });

  it('allows only a limited number of https URLs for request objects', () => {
    for (const uri of ['http://app.example/r', 'http://localhost/r', 'app', 'https://u:p@app.example/', 'ftp://a.b/'])
      expect(problemsOf({ requestUris: [uri] }), uri).to.have.all.keys('requestUris');
    const tooManyUris = Array.from({ length: 51 }, (_, index) => `https://app.example/${index}`);
    expect(problemsOf({ requestUris: tooManyUris })).to.have.all.keys('requestUris');
    expect(problemsOf({ requestUris: [`https://app.example/${'x'.repeat(3_000)}`] })).to.have.all.keys('requestUris');
  });

  it('is either refused or accepted, for any input, and its stored form is accepted again', () => {
    const word = fc.constantFrom(...SIGNING_ALGORITHMS, 'none', '');
    const someFields = fc.record(
      {
        profile: fc.constantFrom(null, 'fapi2', 'other'),
        dpopBoundAccessTokens: fc.boolean(),
        tlsBoundAccessTokens: fc.boolean(),
        requireSignedRequestObject: fc.boolean(),
        requestObjectAlgorithm: fc.option(word),
        requestUris: fc.array(fc.webUrl({ validSchemes: ['https', 'http'] })),
        authorizationResponseAlgorithm: word,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(someFields, fc.boolean(), (fields, hasKey) => {
        const authentication = hasKey ? withKey : WITHOUT_KEYS;
        const { settings } = checkSecurity(fields, authentication);
        if (settings !== undefined) expect(checkSecurity(settings, authentication).settings).to.deep.equal(settings);
      }),
    );
  });
});
