import { expect } from 'chai';
import fc from 'fast-check';
import { CLIENT_AUTHENTICATION_METHODS, type ClientKey } from '../../../src/domain/client-authentication.ts';
import { CLIENT_TYPES } from '../../../src/domain/values.ts';
import { checkAuthentication } from '../../../src/oauth/clients/authentication-rules.ts';
import { clientKeys, keyPairFor } from '../../support/assertions.ts';
import { englishProblem } from '../../support/english-problems.ts';

const METHODS_WITH_KEYS: readonly string[] = ['private_key_jwt', 'self_signed_tls_client_auth'];
const methods = fc.subarray([...CLIENT_AUTHENTICATION_METHODS]);

describe('the authentication method of a client', () => {
  let keys: readonly ClientKey[];
  before(async () => {
    keys = await clientKeys(keyPairFor('ES256'));
  });

  it('is a secret by default, or none for a public client', () => {
    expect(checkAuthentication(undefined, 'confidential')).to.deep.equal({
      settings: { methods: ['client_secret_basic', 'client_secret_post'], keys: [], keysUri: null, tls: null },
    });
    expect(checkAuthentication(undefined, 'public')).to.deep.equal({
      settings: { methods: ['none'], keys: [], keysUri: null, tls: null },
    });
  });

  it('is accepted if it fits the client type and the client has the keys and subject that it requires', () => {
    fc.assert(
      fc.property(methods, fc.constantFrom(...CLIENT_TYPES), fc.boolean(), fc.boolean(), (...values) => {
        const [selection, clientType, hasKeys, hasSubject] = values;
        const tls = hasSubject ? ({ kind: 'san_dns', value: 'client.example' } as const) : null;
        const result = checkAuthentication({ methods: selection, keys: hasKeys ? keys : [], tls }, clientType);
        const isValid =
          selection.length > 0 &&
          (clientType === 'public' ? selection.join() === 'none' : !selection.includes('none')) &&
          (hasKeys || !selection.some((method) => METHODS_WITH_KEYS.includes(method))) &&
          hasSubject === selection.includes('tls_client_auth');
        expect('settings' in result, JSON.stringify(result)).to.equal(isValid);
      }),
    );
  });

  it('is refused with unknown methods, two keys with the same id, or too many keys', () => {
    const problemOf = (fields: Parameters<typeof checkAuthentication>[0]) => {
      const result = checkAuthentication(fields, 'confidential');
      return 'problem' in result ? englishProblem(result.problem) : undefined;
    };
    expect(problemOf({ methods: ['client_secret_basic', 'client_secret_jwt'], keys: [] })).to.match(
      /Choose one or more/,
    );
    const [key] = keys;
    if (key === undefined) throw new Error('there is no key');
    const problemWithKeys = (...list: readonly ClientKey[]) => problemOf({ methods: ['private_key_jwt'], keys: list });
    expect(problemWithKeys(key, key)).to.match(/Two keys have the same kid/);
    expect(problemWithKeys(...Array.from({ length: 11 }, () => ({ ...key, kid: null })))).to.match(/at most 10 keys/);
  });
});
