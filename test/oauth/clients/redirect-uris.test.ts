import { expect } from 'chai';
import fc from 'fast-check';
import type { RedirectClient } from '../../../src/oauth/clients/redirect-uris.ts';
import {
  isLoopback,
  redirectUriMatches as matches,
  redirectUriProblem as problemOfUri,
  withParameters,
} from '../../../src/oauth/clients/redirect-uris.ts';
import { englishProblem } from '../../support/english-problems.ts';

const redirectUriProblem = (...args: Parameters<typeof problemOfUri>) => englishProblem(problemOfUri(...args));

const NATIVE_CLIENT: RedirectClient = { clientType: 'public', applicationType: 'native' };
const OTHER_CLIENTS: readonly RedirectClient[] = [
  { clientType: 'public' },
  { clientType: 'public', applicationType: 'web' },
  { clientType: 'confidential' },
  { clientType: 'confidential', applicationType: 'native' },
];
const redirectUriMatches = (
  registeredUri: string,
  presentedUri: string,
  client: RedirectClient = NATIVE_CLIENT,
): boolean => matches(registeredUri, presentedUri, client);

const STRICT_SETTINGS = { plainHttpRedirectUris: false, redirectUriSchemes: [] };

describe('a redirect URI can be registered', () => {
  const validUris = [
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/callback?tenant=1',
    'https://app.example/a%20path',
    'https://[2001:db8::1]/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:8080/callback',
    'http://[::1]/callback',
    'http://[::1]:3000/',
    'http://localhost:3000/callback',
    'https://app.example/path@2',
  ];
  for (const uri of validUris) {
    it(`as ${uri}, by any client`, () => {
      expect(redirectUriProblem(uri, 'confidential', STRICT_SETTINGS)).to.equal(undefined);
      expect(redirectUriProblem(uri, 'public', STRICT_SETTINGS)).to.equal(undefined);
    });
  }

  it('with a private-use scheme by a public client, if it contains a dot or is listed in the settings', () => {
    for (const uri of ['com.example.app:/callback', 'com.example.app://callback/path']) {
      expect(redirectUriProblem(uri, 'public', STRICT_SETTINGS), uri).to.equal(undefined);
      expect(redirectUriProblem(uri, 'confidential', STRICT_SETTINGS), uri).to.match(/private-use scheme/);
    }
    expect(redirectUriProblem('myapp:/callback', 'public', STRICT_SETTINGS)).to.match(/with a dot/);
    expect(
      redirectUriProblem('myapp:/callback', 'public', { ...STRICT_SETTINGS, redirectUriSchemes: ['myapp'] }),
    ).to.equal(undefined);
  });

  it('with plain http beyond loopback only if the settings allow it', () => {
    expect(redirectUriProblem('http://app.example/callback', 'confidential', STRICT_SETTINGS)).to.match(
      /must use https/,
    );
    expect(
      redirectUriProblem('http://app.example/callback', 'confidential', {
        ...STRICT_SETTINGS,
        plainHttpRedirectUris: true,
      }),
    ).to.equal(undefined);
  });
});

describe('a malformed or unsafe redirect URI', () => {
  const invalidUris: readonly (readonly [uri: string, problem: RegExp])[] = [
    ['', /not a full URL/],
    ['/callback', /full URL/],
    ['app.example/callback', /full URL/],
    ['https://', /full URL/],
    ['https:app.example/callback', /a host/],
    ['https:/app.example/callback', /a host/],
    ['HTTPS:///app.example/callback', /a host/],
    ['http:localhost/callback', /a host/],
    ['https://app.example/#', /fragment/],
    ['https://app.example/callback#part', /fragment/],
    ['https://user@app.example/', /user name/],
    ['https://user:secret@app.example/', /user name/],
    ['https://:@app.example/', /user name/],
    ['https://@app.example/', /user name/],
    ['https://*.app.example/', /wildcard/],
    ['https://app.example/*', /wildcard/],
    ['https://app.example/a b', /percent-encoded/],
    ['https://app.example/\n', /percent-encoded/],
    ['https://app.example/é', /percent-encoded/],
    ['https://xn--app.exämple/', /percent-encoded/],
    ['https://app.example\\@evil.example/', /user name|percent-encoded/],
    ['https://app.example/"><script>', /percent-encoded/],
    ['https://app.example/{id}', /percent-encoded/],
    ['http://127.0.0.1.evil.example/', /must use https/],
    ['http://localhost.evil.example/', /must use https/],
    ['http://localhost.evil', /must use https/],
    ['http://127.0.0.1@evil', /user name/],
    ['http://localhost@evil/', /user name/],
    ['http://0.0.0.0/', /must use https/],
    [`https://app.example/${'a'.repeat(2_048)}`, /longer than/],
  ];
  for (const [uri, problem] of invalidUris) {
    it(`is refused: ${JSON.stringify(uri.slice(0, 60))}`, () => {
      expect(redirectUriProblem(uri, 'public', STRICT_SETTINGS)).to.match(problem);
      expect(redirectUriProblem(uri, 'confidential', STRICT_SETTINGS)).to.match(problem);
    });
  }

  it('is refused if a browser executes its scheme or opens it locally, in any spelling and with any settings', () => {
    for (const scheme of [
      'javascript',
      'JavaScript',
      'data',
      'vbscript',
      'file',
      'blob',
      'about',
      'view-source',
      'ws',
      'wss',
      'ftp',
    ]) {
      const settings = { plainHttpRedirectUris: true, redirectUriSchemes: [scheme.toLowerCase()] };
      expect(redirectUriProblem(`${scheme}://app.example/x`, 'public', settings), scheme).to.match(
        /must not use the [\w-]+: scheme|fragment|absolute/,
      );
      expect(redirectUriProblem(`${scheme}:alert(1)`, 'public', settings), scheme).to.be.a('string');
    }
  });

  it('never causes an exception, whatever the string', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        fc.constantFrom('public' as const, 'confidential' as const),
        (uri, type) => redirectUriProblem(uri, type, STRICT_SETTINGS) !== '',
      ),
    );
  });
});

describe('a presented redirect URI', () => {
  it('must match the registered URI exactly', () => {
    const registeredUri = 'https://app.example/callback';
    expect(redirectUriMatches(registeredUri, registeredUri)).to.equal(true);
    const otherUris = [
      'https://app.example/callback/',
      'https://APP.example/callback',
      'https://app.example/Callback',
      'https://app.example:443/callback',
      'https://app.example/callback?',
      'https://app.example/callback?a=b',
      'https://app.example/callback#',
      'https://app.example/./callback',
      'https://app.example/callbac%6B',
      '',
    ];
    for (const otherUri of otherUris) expect(redirectUriMatches(registeredUri, otherUri), otherUri).to.equal(false);
  });

  it('can have any port on a loopback address, but must otherwise match (RFC 8252 §7.3)', () => {
    for (const host of ['127.0.0.1', '[::1]']) {
      for (const registeredUri of [`http://${host}/callback`, `http://${host}:5000/callback`]) {
        for (const port of ['', ':1', ':5000', ':65535'])
          expect(redirectUriMatches(registeredUri, `http://${host}${port}/callback`)).to.equal(true);
        for (const otherUri of [
          `http://${host}:80/other`,
          `https://${host}/callback`,
          `http://${host}:80@evil.example/callback`,
          `http://${host}:80.evil.example/callback`,
          `http://${host}.evil.example/callback`,
          `http://${host}:99999/callback`,
          `http://${host}:8x/callback`,
          `http://localhost:80/callback`,
        ]) {
          expect(redirectUriMatches(registeredUri, otherUri), otherUri).to.equal(false);
        }
      }
    }
    expect(redirectUriMatches('http://127.0.0.1/callback', 'http://[::1]/callback')).to.equal(false);
  });

  it('can have any port of localhost only if the client is public and native (RFC 8252 §8.3)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom('', ':5000'), (port, registeredPort) => {
        const uris = [`http://localhost${registeredPort}/callback`, `http://localhost:${port}/callback`] as const;
        const isSamePort = uris[0] === uris[1];
        return (
          matches(...uris, NATIVE_CLIENT) && OTHER_CLIENTS.every((client) => matches(...uris, client) === isSamePort)
        );
      }),
    );
    for (const otherUri of [
      'http://localhost.evil/callback',
      'http://localhost:1.evil/callback',
      'http://localhost@evil/callback',
      'http://localhost:80@evil/callback',
      'http://user@localhost:80/callback',
      'http://LOCALHOST:80/callback',
      'http://127.0.0.1@evil/callback',
      'http://127.0.0.1/callback',
      'https://localhost:80/callback',
      'http://localhost:80/other',
      'http://localhost:99999/callback',
      'http://localhost:/callback',
    ])
      expect(redirectUriMatches('http://localhost/callback', otherUri), otherUri).to.equal(false);
  });

  it('must match the port if the host is not a loopback address', () => {
    expect(redirectUriMatches('https://app.example/callback', 'https://app.example:8443/callback')).to.equal(false);
  });

  it('can be a loopback URI without a path', () => {
    expect(redirectUriMatches('http://127.0.0.1', 'http://127.0.0.1:9')).to.equal(true);
    expect(redirectUriMatches('http://127.0.0.1?a=b', 'http://127.0.0.1:9?a=b')).to.equal(true);
  });
});

describe('a redirect response', () => {
  it('adds its parameters to the query without other changes', () => {
    expect(withParameters('https://app.example/cb', { code: 'a b&c', state: undefined })).to.equal(
      'https://app.example/cb?code=a+b%26c',
    );
    expect(withParameters('https://app.example/cb?tenant=1', { code: 'x' })).to.equal(
      'https://app.example/cb?tenant=1&code=x',
    );
    expect(withParameters('com.example.app:/cb', { error: 'access_denied', state: 's' })).to.equal(
      'com.example.app:/cb?error=access_denied&state=s',
    );
  });

  it('stays on the machine only for a loopback URI', () => {
    expect(['http://127.0.0.1:1/', 'http://[::1]/', 'http://localhost/'].map(isLoopback)).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect(['https://127.0.0.1/', 'http://127.0.0.2.example/', 'com.example.app:/'].map(isLoopback)).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
});
