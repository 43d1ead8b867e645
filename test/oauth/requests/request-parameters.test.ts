import { expect } from 'chai';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import { toParameters } from '../../../src/oauth/requests/request-parameters.ts';

describe('the parameters in a request object', () => {
  it('can contain claims as an object or as a string', () => {
    for (const claims of [{ userinfo: { name: null } }, '{"userinfo":{"name":null}}'])
      expect(toParameters({ claims }).get('claims')).to.equal('{"userinfo":{"name":null}}');
  });

  it('are refused if they are nested too deeply to be serialized', () => {
    const claims: unknown = JSON.parse(`{"userinfo":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(() => toParameters({ claims })).to.throw(OAuthError);
  });
});
