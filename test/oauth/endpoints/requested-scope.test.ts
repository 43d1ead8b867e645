import { expect } from 'chai';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import { parseScopeParameter, requestedScope } from '../../../src/oauth/endpoints/requested-scope.ts';

const SETTINGS = {
  scopes: { read: 'Read', write: 'Write', groups: 'Groups' },
  defaultScopes: {
    'authorization-code': ['read', 'write'],
    'client-credentials': [],
    'device-code': [],
    password: ['read', 'write', 'groups'],
  },
};

const CLIENT = { restrictedScopes: [] };

describe('the scope of a request', () => {
  it('is the default of its grant type if none is requested', () => {
    for (const parameter of [undefined, '', ' ']) {
      expect(requestedScope(parameter, 'authorization-code', SETTINGS, CLIENT)).to.deep.equal(['read', 'write']);
      expect(requestedScope(parameter, 'password', SETTINGS, CLIENT)).to.deep.equal(['read', 'write', 'groups']);
    }
  });

  it('is what was requested, in the same order, each name once', () => {
    expect(requestedScope('groups read groups', 'authorization-code', SETTINGS, CLIENT)).to.deep.equal([
      'groups',
      'read',
    ]);
  });

  it('is invalid with a name that is unknown or malformed', () => {
    for (const parameter of [
      'admin',
      'read admin',
      'Read',
      '"read"',
      'read\nwrite',
      'constructor',
      '__proto__',
      'toString',
    ]) {
      expect(() => requestedScope(parameter, 'password', SETTINGS, CLIENT), parameter)
        .to.throw(OAuthError)
        .with.property('code', 'invalid_scope');
    }
    expect(() => parseScopeParameter('re"ad'))
      .to.throw(OAuthError)
      .with.property('code', 'invalid_scope');
  });

  it('is invalid if none is requested and the grant type has no default', () => {
    expect(() => requestedScope(undefined, 'client-credentials', SETTINGS, CLIENT))
      .to.throw(OAuthError)
      .with.property('code', 'invalid_scope');
  });
});
