import { signAssertion, clientKeys, keyPairFor, withAssertion, type ClientKeyPair } from '../assertions.ts';
import { signProof, NONCE_PERIOD_SECONDS } from '../dpop.ts';
import { registerResource } from '../resource-servers.ts';
import type { TestClient } from '../running-service.ts';
import { OPERATOR, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const RSA_KEY = keyPairFor('RS256');
const KEY = keyPairFor('ES256');
const RS256_ONLY = 'https://rs256.example';

/** Registers a client with the profile and the client credentials grant. */
async function registerWithProfile(
  { running, addOtherClient }: RefusalScenario,
  key: ClientKeyPair,
): Promise<TestClient> {
  const client = await addOtherClient({ grantTypes: ['client-credentials'] });
  const { registration, projections } = running.service();
  const storedClient = projections.clients.find(client.id);
  if (storedClient === undefined) throw new Error('the client is gone');
  const authentication = { methods: ['private_key_jwt'], keys: await clientKeys(key) };
  const changedClient = { ...storedClient, authentication, redirectUris: [], security: { profile: 'fapi2' } };
  const refusal = await registration.update(storedClient.clientId, changedClient, OPERATOR);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
  return client;
}

/** Requests that are refused only because of the client's profile. */
export const PROFILE_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'profile-requires',
    name: 'an assertion signed with RS256',
    about: 'named',
    details: { what: 'signature', seen: 'RS256' },
    send: async (scenario) => {
      const { running } = scenario;
      const client = await registerWithProfile(scenario, RSA_KEY);
      const assertion = await signAssertion(running, client, RSA_KEY, { header: { alg: 'RS256' } });
      return running.post('/o/token/', { grant_type: 'client_credentials', ...withAssertion(assertion) });
    },
  },
  {
    rule: 'token-algorithm-forbidden',
    name: 'a token for a resource server that verifies only RS256',
    about: 'proven',
    details: { seen: 'RS256', allowed: ['PS256', 'ES256', 'EdDSA'], resources: [RS256_ONLY] },
    send: async (scenario) => {
      const { running } = scenario;
      await registerResource(running, {
        uri: RS256_ONLY,
        scopes: [],
        accessTokenFormat: 'jwt',
        accessTokenAlgorithm: 'RS256',
      });
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const assertion = withAssertion(await signAssertion(running, await registerWithProfile(scenario, KEY), KEY));
      const proof = await signProof(running, KEY);
      const parameters = { grant_type: 'client_credentials', scope: 'read', resource: RS256_ONLY, ...assertion };
      return running.post('/o/token/', parameters, { dpop: proof });
    },
  },
];
