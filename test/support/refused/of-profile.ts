import { assertionOf, clientKeys, keyPairFor, withAssertion } from '../assertions.ts';
import { OPERATOR, type RefusedRequest } from './scenario.ts';

const RSA_KEY = keyPairFor('RS256');

/** Requests that only the profile of a client forbids. */
export const OF_PROFILE: readonly RefusedRequest[] = [
  {
    rule: 'profile-requires',
    name: 'an assertion signed with RS256',
    about: 'named',
    details: { what: 'signature', seen: 'RS256' },
    send: async ({ running, other }) => {
      const client = await other({ grantTypes: ['client-credentials'] });
      const { registration, projections } = running.service();
      const known = projections.clients.find(client.id);
      if (known === undefined) throw new Error('the client is gone');
      const authentication = { methods: ['private_key_jwt'], keys: await clientKeys(RSA_KEY) };
      const changed = { ...known, authentication, redirectUris: [], security: { profile: 'fapi2' } };
      const refused = await registration.update(known.clientId, changed, OPERATOR);
      if (refused !== undefined) throw new Error(JSON.stringify(refused));
      const assertion = await assertionOf(running, client, RSA_KEY, { header: { alg: 'RS256' } });
      return running.post('/o/token/', { grant_type: 'client_credentials', ...withAssertion(assertion) });
    },
  },
];
