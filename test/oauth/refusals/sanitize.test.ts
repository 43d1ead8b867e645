import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { mintClientSecret, type MintedCredential } from '../../../src/oauth/credentials/credentials.ts';
import { createRefreshTokens } from '../../../src/oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../../../src/oauth/credentials/tagged-credentials.ts';
import { credentialForm } from '../../../src/oauth/refusals/credential-form.ts';
import { knownParameterName, sanitize, sanitizePath, knownKeywords } from '../../../src/oauth/refusals/sanitize.ts';
import { closestUri, uriDifferences } from '../../../src/oauth/refusals/uri-difference.ts';
import type { GrantId } from '../../../src/domain/values.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const GRANT = 'abcdefghijklmnopqrstuv' as GrantId;
const entropy = seededEntropy('sanitize');
const key = createSecretKey(entropy.bytes(32));
const refreshTokens = createRefreshTokens(key);
const credentials = createTaggedCredentials(key);
const mintOneOfEach = (): readonly MintedCredential[] => [
  credentials.mintAccessToken(entropy),
  refreshTokens.mint(GRANT, entropy),
  mintClientSecret(entropy),
];
/** A refresh token in the format of earlier releases. */
const UNTAGGED_TOKEN = 'glr_AAAAAAAAAAAAAAAAAAAAAAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIQIH1wQ';

describe('sanitized parts of a request', () => {
  it('never contain a whole or truncated credential of this server', () => {
    for (let round = 0; round < 200; round += 1) {
      for (const { value } of mintOneOfEach()) {
        for (const text of [value, `https://app.example/${value}/x`, `a ${value.slice(0, 24)} b`, `x${value}`]) {
          expect(sanitize(text), text).not.to.include(value.slice(4, 16));
        }
      }
    }
  });

  it('are printable and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(sanitize(text)).to.match(/^[\x20-\x7e]{0,160}…?$/);
      }),
    );
  });

  it('include only the public segments of a path', () => {
    const id = '1ZQxv0rTqO3mE9aLbC7d2w';
    const path = (isPublic: boolean): string =>
      sanitizePath(`/o/applications/${id}/update/`, (segment) => isPublic && segment === id);
    expect(path(true)).to.equal(`/o/applications/${id}/update/`);
    expect(path(false)).to.equal('/o/applications/[redacted]/update/');
    expect(sanitizePath(`/${id}/`.repeat(50), () => true)).to.have.length(161);
  });

  it('include names and URIs that developers need', () => {
    for (const text of [
      'profile',
      'openid',
      'https://app.example/oauth/callback',
      'com.example.app:/redirect',
      'my-application.staging.example.com',
      'contacts:read',
    ]) {
      expect(sanitize(text)).to.equal(text);
    }
  });

  it('include keywords and parameter names only if the protocol defines them', () => {
    expect([
      knownKeywords('Authorization_Code'),
      knownKeywords('none login'),
      knownKeywords('hunter2'),
      knownKeywords('code hunter2'),
      knownKeywords(''),
    ]).to.deep.equal(['Authorization_Code', 'none login', null, null, null]);
    expect([knownParameterName('scope'), knownParameterName('hunter2')]).to.deep.equal(['scope', null]);
  });
});

describe('the form of a credential', () => {
  it('is determined by its format', () => {
    const [access = '', refresh = '', secret = ''] = mintOneOfEach().map(({ value }) => value);
    const forms = [access, refresh, UNTAGGED_TOKEN.replace('glr_', 'glc_'), secret].map(credentialForm);
    expect(forms).to.deep.equal(['access token', 'refresh token', 'authorization code', 'client secret']);
    expect(credentialForm(UNTAGGED_TOKEN)).to.equal('refresh token');
    for (const token of [access, refresh, UNTAGGED_TOKEN])
      expect(credentialForm(token.slice(0, -1))).to.equal('incomplete');
    expect(credentialForm('eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln')).to.equal('JWT');
    expect(credentialForm('hunter2')).to.equal('other');
  });
});

describe('the difference between two URIs', () => {
  const components = (expected: string, presentedUri: string): readonly string[] =>
    uriDifferences(expected, presentedUri).map(({ component }) => component);

  it('is reported by component', () => {
    const registeredUri = 'https://app.example/callback';
    expect(components(registeredUri, 'http://app.example/callback')).to.deep.equal(['scheme']);
    expect(components(registeredUri, 'https://www.app.example/callback')).to.deep.equal(['host']);
    expect(components(registeredUri, 'https://app.example:8443/callback')).to.deep.equal(['port']);
    expect(components(registeredUri, 'https://app.example/callback/')).to.deep.equal(['path']);
    expect(components(registeredUri, 'https://app.example/Callback')).to.deep.equal(['path']);
    expect(components(registeredUri, 'https://app.example/callback?a=b')).to.deep.equal(['query']);
    expect(components(registeredUri, 'https://app.example/callback#a')).to.deep.equal(['fragment']);
    expect(components(registeredUri, 'https://me@app.example/callback')).to.deep.equal(['user information']);
    expect(components('http://[::1]/a', 'http://[::1]:8080/b')).to.deep.equal(['port', 'path']);
  });

  it('is reported if and only if they differ', () => {
    const uri = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string({ maxLength: 30 }));
    fc.assert(
      fc.property(uri, uri, (first, second) => {
        expect(uriDifferences(first, first)).to.deep.equal([]);
        if (first !== second && /^https?:/.test(first) && /^https?:/.test(second))
          expect(uriDifferences(first, second)).not.to.deep.equal([]);
      }),
    );
  });

  it('reveals no query, fragment or user information, because these may contain secrets', () => {
    const output = JSON.stringify(
      uriDifferences('https://app.example/', 'https://hunter1:hunter2@app.example/?token=hunter3#hunter4'),
    );
    expect(output).not.to.match(/hunter/);
  });

  it('is computed against the closest registered URI', () => {
    const registeredUris = ['https://other.example/callback', 'https://app.example/callback', 'https://app.example/x'];
    expect(closestUri(registeredUris, 'https://app.example/callback/').closest).to.equal(
      'https://app.example/callback',
    );
    expect(closestUri([], 'https://app.example/')).to.deep.equal({ closest: null, differences: [] });
  });
});
