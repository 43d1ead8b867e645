import { expect } from 'chai';
import fc from 'fast-check';
import { importedCredentialsProblem } from '../../../src/oauth/clients/new-credentials.ts';
import {
  validateRegistration,
  type RegistrationErrors,
  type RegistrationFields,
} from '../../../src/oauth/clients/registration-rules.ts';
import { englishProblems } from '../../support/english-problems.ts';

const SETTINGS = { plainHttpRedirectUris: false, redirectUriSchemes: [] };
const FIELDS: RegistrationFields = {
  name: 'My app',
  clientType: 'confidential',
  grantTypes: ['authorization-code'],
  redirectUris: ['https://app.example/callback'],
  allowedOrigins: [],
  skipAuthorization: false,
};
const errorsOf = (changes: Partial<RegistrationFields>) => {
  const result = validateRegistration({ ...FIELDS, ...changes }, SETTINGS);
  return 'errors' in result ? englishProblems(result.errors) : {};
};

describe('a registration', () => {
  it('is accepted as entered, except for duplicates and whitespace around the name', () => {
    const uri = 'https://app.example/callback';
    expect(
      validateRegistration(
        {
          ...FIELDS,
          name: '  My app ',
          grantTypes: ['password', 'authorization-code', 'password'],
          redirectUris: [uri, uri],
        },
        SETTINGS,
      ),
    ).to.deep.include({ ...FIELDS, grantTypes: ['authorization-code', 'password'], redirectUris: [uri] });
  });

  it('can have several grant types and a name in any script', () => {
    expect(
      errorsOf({ grantTypes: ['authorization-code', 'client-credentials', 'password'], name: 'Büro 🗂 事務所' }),
    ).to.deep.equal({});
  });

  it('must have a name of visible characters, so that no name imitates another', () => {
    const invisibleCharacters = [
      ...Array.from(
        '\u0000\u001F\u007F\u0085\u00AD\u034F\u061C\u115F\u180E\u200B\u200C\u200D\u200E\u200F\u2028\u2029' +
          '\u202A\u202E\u2060\u2064\u2066\u2069\u2800\u3164\uFE0E\uFFA0\uFFF9\u{E0001}\u{E0100}',
      ),
      '\uD800',
      '\uDC00',
      '\uE000',
    ];
    for (const character of invisibleCharacters)
      expect(errorsOf({ name: `Ba${character}nk` }), character.codePointAt(0)?.toString(16)).to.have.all.keys('name');
    for (const name of ['I ❤️ maps', 'مصرف', 'בנק', 'नमस्ते', '日本語', 'Zoë’s', 'Ångström', '🗂️ Files'])
      expect(errorsOf({ name }), name).to.deep.equal({});
  });

  it('is refused with a problem for every invalid field', () => {
    const errors = errorsOf({
      name: ' ',
      clientType: 'secret',
      grantTypes: ['implicit'],
      redirectUris: ['ftp://x.example'],
      allowedOrigins: ['nowhere'],
    });
    expect(errors).to.have.all.keys('name', 'clientType', 'grantTypes', 'redirectUris', 'allowedOrigins');
    expect(errors.redirectUris).to.match(/^"ftp:\/\/x\.example" must not use the ftp: scheme/);
  });

  const invalidRegistrations: readonly (readonly [
    problem: string,
    changes: Partial<RegistrationFields>,
    field: keyof RegistrationErrors,
    message: RegExp,
  ])[] = [
    ['no name', { name: '' }, 'name', /Enter a name/],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name', /at most 255/],
    ['control characters in its name', { name: 'My\u0007app' }, 'name', /U\+0007: it is invisible/],
    ['a direction mark in its name', { name: 'Bank \u202Egro.live' }, 'name', /U\+202E/],
    ['a zero-width space in its name', { name: 'Ba\u200Bnk' }, 'name', /U\+200B/],
    ['a variation of a letter in its name', { name: 'Bank\uFE0F' }, 'name', /U\+FE0F/],
    ['no grant type', { grantTypes: [] }, 'grantTypes', /Choose one or more/],
    [
      'an unknown and a known grant type',
      { grantTypes: ['authorization-code', 'implicit'] },
      'grantTypes',
      /Choose one or more/,
    ],
    [
      'client credentials for a public client',
      { clientType: 'public', grantTypes: ['client-credentials'] },
      'grantTypes',
      /confidential/,
    ],
    ['no redirect URI for the code grant', { redirectUris: [] }, 'redirectUris', /at least one/],
    [
      '51 redirect URIs',
      { redirectUris: Array.from({ length: 51 }, (_, index) => `https://app.example/${index}`) },
      'redirectUris',
      /at most 50/,
    ],
    ['an origin with a path', { allowedOrigins: ['https://app.example/'] }, 'allowedOrigins', /is not an origin/],
    ['any origin', { allowedOrigins: ['*'] }, 'allowedOrigins', /is not an origin/],
    ['the origin null', { allowedOrigins: ['null'] }, 'allowedOrigins', /is not an origin/],
    [
      'an origin with the default port of its scheme',
      { allowedOrigins: ['https://app.example:443'] },
      'allowedOrigins',
      /is not an origin/,
    ],
  ];
  for (const [problem, changes, field, message] of invalidRegistrations) {
    it(`with ${problem} is refused, with a message for the field`, () => {
      const errors = errorsOf(changes);
      expect(Object.keys(errors)).to.deep.equal([field]);
      expect(errors[field]).to.match(message);
    });
  }

  it('needs no redirect URI without the code grant, but its redirect URIs are checked', () => {
    expect(errorsOf({ grantTypes: ['password'], redirectUris: [] })).to.deep.equal({});
    expect(errorsOf({ grantTypes: ['password'], redirectUris: ['nowhere'] })).to.have.all.keys('redirectUris');
  });

  it('is either refused or accepted, for any input, and its stored form is accepted again', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.constantFrom('public', 'confidential', 'password', 'authorization-code', 'client-credentials'),
    );
    fc.assert(
      fc.property(
        fc.record({
          name: text,
          clientType: text,
          grantTypes: fc.array(text),
          redirectUris: fc.array(text),
          allowedOrigins: fc.array(text),
          skipAuthorization: fc.boolean(),
        }),
        (fields) => {
          const result = validateRegistration(fields, SETTINGS);
          if ('errors' in result) expect(Object.keys(result.errors)).to.not.deep.equal([]);
          else expect(validateRegistration(result, SETTINGS)).to.deep.equal(result);
        },
      ),
    );
  });
});

describe('imported credentials', () => {
  it('are accepted if they fit into a Basic header', () => {
    expect(importedCredentialsProblem({ clientId: 'a-Client.id~1', clientSecret: 'any: printable & secret' })).to.equal(
      undefined,
    );
    expect(importedCredentialsProblem({ clientId: 'x', clientSecret: null })).to.equal(undefined);
  });

  it('are refused otherwise', () => {
    for (const clientId of ['', 'a:b', 'a b', 'é', 'x'.repeat(256), 'a\nb'])
      expect(importedCredentialsProblem({ clientId, clientSecret: null }), clientId).to.match(/client id/);
    for (const clientSecret of ['', 'é', 'x'.repeat(513), 'a\nb'])
      expect(importedCredentialsProblem({ clientId: 'x', clientSecret }), clientSecret).to.match(/client secret/);
  });
});
