import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_OPENID, type OpenIdSettings } from '../../../src/domain/openid-settings.ts';
import { SIGNING_ALGORITHMS } from '../../../src/domain/values.ts';
import { checkOpenId, type OpenIdContext, type OpenIdFields } from '../../../src/oauth/clients/openid-rules.ts';
import { englishProblems } from '../../support/english-problems.ts';

const LOGOUT_URI = 'https://app.example/logged-out';
const CONTEXT: OpenIdContext = {
  clientType: 'confidential',
  redirectUris: ['https://app.example/callback'],
  settings: { plainHttpRedirectUris: false, redirectUriSchemes: [] },
  existing: DEFAULT_OPENID,
};
const ALL_FIELDS: OpenIdFields = {
  idTokenAlgorithm: 'ES256',
  userinfoAlgorithm: 'EdDSA',
  subjectType: 'pairwise',
  sectorIdentifierUri: 'https://app.example/sector.json',
  postLogoutRedirectUris: [LOGOUT_URI, 'http://localhost:8080/logged-out?from=here'],
  backchannelLogoutUri: 'https://app.example/logout?tenant=1',
  backchannelLogoutSessionRequired: true,
  initiateLoginUri: 'https://app.example/login',
  defaultMaxAgeSeconds: 0,
  requireAuthTime: true,
};

function problemsOf(fields: OpenIdFields, context: Partial<OpenIdContext> = {}): object {
  const { settings, problems } = checkOpenId(fields, { ...CONTEXT, ...context });
  const messages = englishProblems(problems);
  expect(settings === undefined).to.equal(Object.keys(messages).length > 0);
  return messages;
}

describe('the OpenID Connect settings of a client', () => {
  it('have defaults, and are stored as entered, without duplicates', () => {
    expect(checkOpenId({}, CONTEXT).settings).to.deep.equal(DEFAULT_OPENID);
    expect(checkOpenId(ALL_FIELDS, CONTEXT).settings).to.deep.equal(ALL_FIELDS);
    const duplicates = { postLogoutRedirectUris: [LOGOUT_URI, LOGOUT_URI] };
    expect(checkOpenId(duplicates, CONTEXT).settings?.postLogoutRedirectUris).to.deep.equal([LOGOUT_URI]);
  });

  it('accept only algorithms that this server supports, and userinfo without a signature', () => {
    for (const algorithm of SIGNING_ALGORITHMS) {
      expect(problemsOf({ idTokenAlgorithm: algorithm, userinfoAlgorithm: algorithm })).to.deep.equal({});
    }
    expect(problemsOf({ userinfoAlgorithm: null })).to.deep.equal({});
    for (const name of ['none', 'HS256', 'rs256', 'RS256 ', '']) {
      expect(problemsOf({ idTokenAlgorithm: name, userinfoAlgorithm: name }), name).to.deep.equal({
        idTokenAlgorithm: 'Sign ID tokens with one of: RS256, ES256, PS256, EdDSA.',
        userinfoAlgorithm: 'Do not sign userinfo responses, or sign them with one of: RS256, ES256, PS256, EdDSA.',
      });
    }
  });

  it('can have a default maximum age from 0 to ten years, as a number or a string', () => {
    for (const [input, storedSeconds] of [
      [0, 0],
      ['0', 0],
      ['86400', 86_400],
      [315_360_000, 315_360_000],
      [null, null],
    ] as const) {
      expect(checkOpenId({ defaultMaxAgeSeconds: input }, CONTEXT).settings?.defaultMaxAgeSeconds).to.equal(
        storedSeconds,
      );
    }
    for (const input of [
      -1,
      0.5,
      Number.NaN,
      Infinity,
      315_360_001,
      '-1',
      '1e3',
      '1 hour',
      '0x10',
      ' ',
      '9'.repeat(40),
    ])
      expect(problemsOf({ defaultMaxAgeSeconds: input }), String(input)).to.have.all.keys('defaultMaxAgeSeconds');
  });

  const invalidSettings: readonly (readonly [problem: string, fields: OpenIdFields, message: RegExp])[] = [
    ['an unknown subject type', { subjectType: 'private' }, /^Choose a subject type: public or pairwise\.$/],
    [
      'a post-logout URI with a fragment',
      { postLogoutRedirectUris: [LOGOUT_URI, `${LOGOUT_URI}#top`] },
      /^The post-logout redirect URI "https:\/\/app\.example\/logged-out#top" must not have a fragment\.$/,
    ],
    ['a post-logout URI on plain http', { postLogoutRedirectUris: ['http://app.example/'] }, /must use https; http is/],
    ['a wildcard', { postLogoutRedirectUris: ['https://*.app.example/'] }, /must not contain a wildcard/],
    ['a relative post-logout URI', { postLogoutRedirectUris: ['/logged-out'] }, /is not a full URL/],
    [
      '51 post-logout URIs',
      { postLogoutRedirectUris: Array.from({ length: 51 }, (_, index) => `${LOGOUT_URI}/${index}`) },
      /^Register at most 50 post-logout redirect URIs\.$/,
    ],
    [
      'post-logout URIs of more than 10,000 characters',
      { postLogoutRedirectUris: Array.from({ length: 6 }, (_, index) => `${LOGOUT_URI}/${index}${'x'.repeat(1_900)}`) },
      /^Use at most 10000 characters for all post-logout redirect URIs together\.$/,
    ],
    [
      'a back-channel logout URI on plain http',
      { backchannelLogoutUri: 'http://app.example/logout' },
      /must use https; http is allowed only for 127\.0\.0\.1/,
    ],
    [
      'a fragment in the back-channel logout URI',
      { backchannelLogoutUri: 'https://app.example/logout#now' },
      /must not have a fragment/,
    ],
    [
      'a private-use scheme in the back-channel logout URI',
      { backchannelLogoutUri: 'com.example.app:/out' },
      /out" must use https\.$/,
    ],
    [
      'an initiate-login URI on plain http',
      { initiateLoginUri: 'http://localhost/login' },
      /^The initiate-login URI "http:.*login" must use https\.$/,
    ],
    [
      'a password in the initiate-login URI',
      { initiateLoginUri: 'https://me:secret@app.example/' },
      /must not have a user name or password/,
    ],
    [
      'a sector identifier URI on plain http',
      { sectorIdentifierUri: 'http://localhost/sector.json' },
      /^The sector identifier URI "http:.*json" must use https\.$/,
    ],
    ['a relative sector identifier URI', { sectorIdentifierUri: 'sector.json' }, /is not a full URL/],
    [
      'a sector identifier URI of 2,049 characters',
      { sectorIdentifierUri: `https://app.example/${'x'.repeat(2_029)}` },
      /^The sector identifier URI is longer than 2048 characters\.$/,
    ],
  ];
  for (const [problem, fields, message] of invalidSettings) {
    it(`with ${problem} are refused, with a message for the field`, () => {
      const problems = Object.entries(problemsOf(fields));
      expect(problems.map(([member]) => member)).to.deep.equal(Object.keys(fields));
      expect(problems[0]?.[1]).to.match(message);
    });
  }

  it('follow the rules of the client type: public clients can use private-use schemes, but no http for logout', () => {
    const fields = {
      postLogoutRedirectUris: ['com.example.app:/out'],
      backchannelLogoutUri: 'http://localhost/logout',
    };
    expect(problemsOf(fields)).to.have.all.keys('postLogoutRedirectUris');
    expect(problemsOf(fields, { clientType: 'public' })).to.deep.equal({
      backchannelLogoutUri:
        'The back-channel logout URI "http://localhost/logout" must use https; ' +
        'only confidential applications may use http.',
    });
  });

  it('follow the settings for redirect URIs', () => {
    const fields = { postLogoutRedirectUris: ['http://app.example/'], backchannelLogoutUri: 'http://app.example/out' };
    const settings = { plainHttpRedirectUris: true, redirectUriSchemes: [] };
    expect(problemsOf(fields, { settings })).to.deep.equal({});
  });

  it('keep URIs that the settings no longer allow, but only in the same field', () => {
    const uri = 'http://app.example/';
    const fields = { postLogoutRedirectUris: [uri], backchannelLogoutUri: uri };
    expect(problemsOf(fields, { existing: { ...DEFAULT_OPENID, ...fields } })).to.deep.equal({});
    for (const existing of [
      { postLogoutRedirectUris: [uri], backchannelLogoutUri: null },
      { postLogoutRedirectUris: [], backchannelLogoutUri: uri },
    ]) {
      expect(Object.keys(problemsOf(fields, { existing }))).to.have.length(1);
    }
  });

  describe('with pairwise subjects', () => {
    const severalHosts = { redirectUris: ['https://app.example/callback', 'https://app.example.net/callback'] };

    it('need a sector identifier URI for redirect URIs on several hosts (Core §8.1)', () => {
      expect(problemsOf({ subjectType: 'pairwise' }, severalHosts)).to.deep.equal({
        sectorIdentifierUri:
          'Pairwise subjects need a sector identifier URI if the redirect URIs have several hosts: ' +
          'app.example, app.example.net.',
      });
      const sectorIdentifierUri = 'https://app.example/sector.json';
      expect(problemsOf({ subjectType: 'pairwise', sectorIdentifierUri }, severalHosts)).to.deep.equal({});
      expect(problemsOf({ subjectType: 'public' }, severalHosts)).to.deep.equal({});
    });

    it('need no sector identifier URI for one host, loopback addresses and private-use schemes', () => {
      const redirectUris = [
        'https://app.example/a',
        'https://app.example:8443/b',
        'http://127.0.0.1/',
        'com.example:/',
      ];
      expect(problemsOf({ subjectType: 'pairwise' }, { redirectUris })).to.deep.equal({});
      expect(problemsOf({ subjectType: 'pairwise' }, { redirectUris: [] })).to.deep.equal({});
    });
  });

  it('are either refused or accepted, for any input, and their stored form is accepted again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.constantFrom(...SIGNING_ALGORITHMS, 'public', 'pairwise', '0', '3600'),
    );
    const uri = fc.option(text);
    const fields: fc.Arbitrary<OpenIdFields> = fc.record(
      {
        idTokenAlgorithm: text,
        userinfoAlgorithm: uri,
        subjectType: text,
        sectorIdentifierUri: uri,
        postLogoutRedirectUris: fc.array(text),
        backchannelLogoutUri: uri,
        backchannelLogoutSessionRequired: fc.boolean(),
        initiateLoginUri: uri,
        defaultMaxAgeSeconds: fc.oneof(fc.double(), uri),
        requireAuthTime: fc.boolean(),
      } satisfies { [Member in keyof OpenIdSettings]: fc.Arbitrary<unknown> },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, fc.array(text), (input, redirectUris) => {
        const { settings } = checkOpenId(input, { ...CONTEXT, redirectUris });
        problemsOf(input, { redirectUris });
        if (settings !== undefined)
          expect(checkOpenId(settings, { ...CONTEXT, redirectUris }).settings).to.deep.equal(settings);
      }),
    );
  });
});
