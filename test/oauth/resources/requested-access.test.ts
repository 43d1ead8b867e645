import { expect } from 'chai';
import fc from 'fast-check';
import type { DefinedScope } from '../../../src/domain/resource-settings.ts';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import { joinRepeated } from '../../../src/oauth/endpoints/parameters.ts';
import { parseScopeParameter } from '../../../src/oauth/endpoints/requested-scope.ts';
import { createKnownResources } from '../../../src/oauth/resources/known-resources.ts';
import { requestedAccess } from '../../../src/oauth/resources/requested-access.ts';
import type { ScopedGrant } from '../../../src/domain/values.ts';
import { unchecked } from '../../support/unchecked.ts';

const SETTINGS = {
  scopes: { read: 'Read', write: 'Write', groups: 'Groups', openid: 'Log in', email: 'E-mail' },
  defaultScopes: {
    'authorization-code': ['read', 'write'],
    'client-credentials': [],
    'device-code': [],
    password: ['read', 'write', 'groups'],
  },
};
const ISSUER = 'https://as.example';
const FILES = 'https://files.example/';
const MAIL = 'https://mail.example/';
const CONFIGURED_URI = 'https://fixed.example/';

const defineScopes = (...names: readonly string[]): readonly DefinedScope[] =>
  names.map((name) => ({ name, description: `What ${name} means` }));
const RECORDS = [
  { uri: FILES, scopes: defineScopes('files:read', 'files:write', 'list', 'read') },
  { uri: MAIL, scopes: defineScopes('mail:read', 'list') },
];
const KNOWN_RESOURCES = createKnownResources(
  unchecked({ all: () => RECORDS }),
  () => [ISSUER, CONFIGURED_URI],
  SETTINGS,
);

function accessFor(scope: string | undefined, grant: ScopedGrant, ...uris: readonly string[]) {
  const resource = uris.reduce((joinedUris: string | undefined, uri) => joinRepeated(joinedUris, uri), undefined);
  const parameters = new Map([
    ...(scope === undefined ? [] : [['scope', scope] as const]),
    ...(resource === undefined ? [] : [['resource', resource] as const]),
  ]);
  return requestedAccess(parameters, grant, { restrictedScopes: [] }, SETTINGS, KNOWN_RESOURCES);
}

function refusalOf(scope: string | undefined, grant: ScopedGrant, ...uris: readonly string[]): unknown {
  try {
    accessFor(scope, grant, ...uris);
    return undefined;
  } catch (error) {
    return error instanceof OAuthError ? [error.code, error.refusal.rule] : error;
  }
}

describe('the scope of a request', () => {
  it('is the default of its grant type if none is requested', () => {
    for (const parameter of [undefined, '', ' ']) {
      expect(accessFor(parameter, 'authorization-code').scope).to.deep.equal(['read', 'write']);
      expect(accessFor(parameter, 'password').scope).to.deep.equal(['read', 'write', 'groups']);
    }
  });

  it('contains the requested names, in the same order and without duplicates', () => {
    expect(accessFor('groups read groups', 'authorization-code').scope).to.deep.equal(['groups', 'read']);
  });

  it('is invalid with a name that is unknown or malformed', () => {
    const names = ['admin', 'read admin', 'Read', '"read"', 'read\nwrite', 'constructor', '__proto__', 'toString'];
    for (const parameter of names)
      expect(refusalOf(parameter, 'password'), parameter).to.have.property('0', 'invalid_scope');
    expect(() => parseScopeParameter('re"ad'))
      .to.throw(OAuthError)
      .with.property('code', 'invalid_scope');
  });

  it('is invalid if none is requested and the grant type has no default', () => {
    expect(refusalOf(undefined, 'client-credentials')).to.deep.equal(['invalid_scope', 'scope-missing']);
  });
});

describe('the scope of a request for resource servers', () => {
  it('has only names that one of them defines, and OpenID Connect scopes', () => {
    const name = fc.constantFrom('read', 'write', 'groups', 'files:read', 'files:write', 'list', 'mail:read', 'openid');
    const someNames = fc.uniqueArray(name, { minLength: 1 });
    fc.assert(
      fc.property(someNames, fc.subarray([FILES, MAIL], { minLength: 1 }), (requestedNames, uris) => {
        const definedNames = RECORDS.filter(({ uri }) => uris.includes(uri)).flatMap((record) =>
          record.scopes.map((scope) => scope.name),
        );
        const isKnown = requestedNames.every(
          (scopeName) => definedNames.includes(scopeName) || scopeName in SETTINGS.scopes,
        );
        const effectiveScope = requestedNames.filter(
          (scopeName) => definedNames.includes(scopeName) || scopeName === 'openid',
        );
        const isGranted = isKnown && effectiveScope.some((scopeName) => definedNames.includes(scopeName));
        if (!isGranted)
          expect(refusalOf(requestedNames.join(' '), 'authorization-code', ...uris)).to.include('invalid_scope');
        else
          expect(accessFor(requestedNames.join(' '), 'authorization-code', ...uris)).to.deep.equal({
            scope: effectiveScope,
            resource: uris,
            details: [],
          });
      }),
    );
  });

  it('defaults to the part of the usual default that they define, or else to all scopes that they define', () => {
    expect(accessFor(undefined, 'authorization-code', FILES).scope).to.deep.equal(['read']);
    expect(accessFor(undefined, 'authorization-code', MAIL).scope).to.deep.equal(['mail:read', 'list']);
    expect(accessFor(undefined, 'client-credentials', MAIL).scope).to.deep.equal(['mail:read', 'list']);
  });

  it('is not narrowed if one of them defines no scopes', () => {
    for (const uri of [CONFIGURED_URI, ISSUER]) {
      expect(accessFor('read groups', 'password', uri).scope).to.deep.equal(['read', 'groups']);
      expect(accessFor('mail:read groups', 'password', uri, MAIL).scope).to.deep.equal(['mail:read', 'groups']);
    }
  });

  it('is refused if they define none of its names', () => {
    expect(refusalOf('write', 'password', FILES)).to.deep.equal(['invalid_scope', 'scope-not-of-resource']);
    expect(refusalOf('mail:read', 'password', FILES)).to.deep.equal(['invalid_scope', 'scope-unknown']);
  });
});

describe('a request without the resource parameter', () => {
  it('is restricted to the resource servers that define its scopes, if only one defines each', () => {
    expect(accessFor('files:read', 'authorization-code')).to.deep.equal({
      scope: ['files:read'],
      resource: [FILES],
      details: [],
    });
    expect(accessFor('files:read mail:read', 'authorization-code').resource).to.deep.equal([FILES, MAIL]);
    expect(accessFor('openid files:read', 'authorization-code').scope).to.deep.equal(['openid', 'files:read']);
  });

  it('is refused if several resource servers define its scope, because their descriptions may differ', () => {
    expect(refusalOf('list', 'authorization-code')).to.deep.equal(['invalid_target', 'scope-of-several-resources']);
  });

  it('is not restricted if its scope is in the settings, even if a resource server also defines it', () => {
    expect(accessFor('read', 'authorization-code')).to.deep.equal({ scope: ['read'], resource: [], details: [] });
  });
});
