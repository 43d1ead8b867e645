import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { ruleForHost } from '../../../src/domain/client-domains.ts';
import type { DomainRule } from '../../../src/domain/values.ts';
import { documentUrlProblem, readClientDocument } from '../../../src/oauth/clients/client-document.ts';
import { englishProblem } from '../../support/english-problems.ts';
import { normalizeDomain } from '../../../src/oauth/clients/domain-list.ts';
import { redirectUriMatches } from '../../../src/oauth/clients/redirect-uris.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/client-documents');
const SETTINGS = { plainHttpRedirectUris: false, redirectUriSchemes: [], outgoingHttp: false };

const readFixture = (name: string) =>
  JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as { client_id: string; redirect_uris: string[] };

async function readSettings(document: { readonly client_id: string }) {
  const result = await readClientDocument(document, document.client_id, SETTINGS);
  if ('problem' in result) throw new Error(englishProblem(result.problem));
  return result.settings;
}

describe('The document of a widely used client', () => {
  for (const name of readdirSync(FIXTURES).filter((fileName) => fileName.endsWith('.json'))) {
    it(`is read with all its redirect URIs: ${name}`, async () => {
      const document = readFixture(name);
      expect(documentUrlProblem(document.client_id, SETTINGS)).to.equal(undefined);
      const { redirectUris, name: displayName } = await readSettings(document);
      expect(redirectUris).to.deep.equal(document.redirect_uris);
      expect(displayName).to.match(new RegExp(` \\(${new URL(document.client_id).hostname}\\)$`));
    });
  }

  it('lets command-line programs choose their port, even on localhost', async () => {
    const client = await readSettings(readFixture('claude-code.json'));
    for (const uri of ['http://localhost:53123/callback', 'http://127.0.0.1:1/callback'])
      expect(client.redirectUris.some((registeredUri) => redirectUriMatches(registeredUri, uri, client))).to.equal(
        true,
      );
    expect(
      client.redirectUris.some((registeredUri) => redirectUriMatches(registeredUri, 'http://localhost:1/', client)),
    ).to.equal(false);
  });

  it('describes a confidential client if the client signs assertions', async () => {
    const { clientType, authentication } = await readSettings(readFixture('chatgpt.json'));
    expect(clientType).to.equal('confidential');
    expect(authentication).to.deep.include({
      methods: ['private_key_jwt'],
      keysUri: 'https://chatgpt.com/oauth/jwks.json',
    });
  });

  it('cannot grant permissions that only the operator can grant', async () => {
    const document = {
      ...readFixture('claude.json'),
      scope: 'audit',
      skip_authorization: true,
      grant_types: undefined,
    };
    const { skipAuthorization, restrictedScopes, grantTypes } = await readSettings(document);
    expect({ skipAuthorization, restrictedScopes, grantTypes }).to.deep.equal({
      skipAuthorization: false,
      restrictedScopes: [],
      grantTypes: ['authorization-code'],
    });
  });
});

describe('The domain rule for a host', () => {
  const label = fc.stringMatching(/^[a-z]{1,3}$/);
  const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  const rule = fc.constantFrom<DomainRule>('allowed', 'blocked');

  it('is the rule of the longest listed domain that equals the host or contains it', () => {
    fc.assert(
      fc.property(domain, fc.array(fc.tuple(domain, rule)), (host, entries) => {
        const rules = new Map(entries);
        const [longestMatch] = [...rules]
          .filter(([listedDomain]) => host === listedDomain || host.endsWith(`.${listedDomain}`))
          .toSorted(([left], [right]) => right.length - left.length);
        expect(ruleForHost(host, (listedDomain) => rules.get(listedDomain))).to.equal(longestMatch?.[1]);
      }),
    );
  });

  it('can be entered for a domain in uppercase or lowercase, but only for a domain', () => {
    expect(normalizeDomain(' App.Example. ', 'allowed')).to.equal('app.example');
    expect(normalizeDomain('bücher.example', 'allowed')).to.equal('xn--bcher-kva.example');
    expect(normalizeDomain('app.example。', 'allowed'), 'a full stop from another script').to.equal('app.example');
    expect(normalizeDomain('[2001:DB8:0::1]', 'allowed')).to.equal('[2001:db8::1]');
    for (const text of [
      '',
      'https://app.example',
      'app.example/x',
      'app.example:443',
      '*.example',
      '.example',
      'app..example',
      'app.example..',
      '2001:db8::1',
      'a b',
      'nope!',
      'a_b.example',
      '-a.example',
      'a-.example',
      `${'x'.repeat(64)}.example`,
      'x'.repeat(300),
    ])
      expect(normalizeDomain(text, 'allowed'), text).to.equal(undefined);
  });

  it('can be removed if an earlier release accepted it', () => {
    for (const text of ['nope!', 'a_b.example']) {
      expect(normalizeDomain(text, 'blocked'), text).to.equal(undefined);
      expect(normalizeDomain(text, null), text).to.equal(text);
    }
  });
});
