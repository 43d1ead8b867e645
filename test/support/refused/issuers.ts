import { JWT_BEARER_GRANT_TYPE } from '../../../src/oauth/grant-types/jwt-bearer.ts';
import type { TrustedIssuerFields } from '../../../src/oauth/issuers/issuer-rules.ts';
import { keyPairFor } from '../assertions.ts';
import { startHostileServer } from '../hostile-server.ts';
import type { TestResponse, ClientOptions } from '../running-service.ts';
import { signForeignToken, trustIssuer } from '../trusted-issuers.ts';
import { OPERATOR, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const CLIENT_OPTIONS = { grantTypes: ['jwt-bearer'], redirectUris: [] } as const;
const HERE = 'http://localhost:8000';
const API = 'https://api.example';

interface Presentation {
  readonly fields?: Partial<TrustedIssuerFields>;
  readonly token?: Parameters<typeof signForeignToken>[1];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly client?: Partial<ClientOptions>;
}

/** Returns a function that sends the same assertion `times` times and returns the last response. */
const presentAssertion =
  ({ fields = {}, token = {}, parameters = {}, client: options = {} }: Presentation, times = 1) =>
  async ({ running, addOtherClient }: RefusalScenario): Promise<TestResponse> => {
    const client = await addOtherClient({ ...CLIENT_OPTIONS, ...options });
    await trustIssuer(running, client, fields);
    const assertion = await signForeignToken(running, token);
    const redeem = () => running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion, ...parameters });
    for (let time = 1; time < times; time += 1) await redeem();
    return redeem();
  };

/** Refused JWTs from other issuers (RFC 7523 §2.1). */
export const ISSUER_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'issuer-token-malformed',
    name: 'text that is not a JWT',
    about: 'proven',
    send: async ({ running, addOtherClient }) =>
      running.token(await addOtherClient(CLIENT_OPTIONS), { grant_type: JWT_BEARER_GRANT_TYPE, assertion: 'no JWT' }),
  },
  {
    rule: 'issuer-token-type',
    name: 'a logout token',
    about: 'proven',
    details: { parameter: 'assertion', seen: 'logout+jwt' },
    send: presentAssertion({ token: { header: { typ: 'logout+jwt' } } }),
  },
  {
    rule: 'issuer-untrusted',
    name: 'an issuer without a record',
    about: 'proven',
    details: { seen: 'https://nobody.example' },
    send: presentAssertion({ token: { claims: { iss: 'https://nobody.example' } } }),
  },
  {
    rule: 'issuer-use',
    name: 'an issuer of subject tokens',
    about: 'proven',
    details: { use: 'assertion', allowed: ['subject-token'] },
    send: presentAssertion({ fields: { uses: ['subject-token'] } }),
  },
  {
    rule: 'issuer-client',
    name: 'a client that the record does not list',
    about: 'proven',
    send: async ({ running, client, addOtherClient }) => {
      await trustIssuer(running, client);
      const assertion = await signForeignToken(running);
      return running.token(await addOtherClient(CLIENT_OPTIONS), { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
    },
  },
  {
    rule: 'issuer-algorithm',
    name: 'no signature',
    about: 'proven',
    details: { seen: 'none' },
    send: async ({ running, addOtherClient }) => {
      const client = await addOtherClient(CLIENT_OPTIONS);
      await trustIssuer(running, client);
      const [, payload] = (await signForeignToken(running)).split('.');
      const assertion = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      return running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
    },
  },
  {
    rule: 'issuer-key-unknown',
    name: 'an unknown kid',
    about: 'proven',
    send: presentAssertion({ token: { header: { kid: 'other' } } }),
  },
  {
    rule: 'issuer-keys-unreadable',
    name: 'a key set that cannot be fetched',
    about: 'proven',
    send: async (scenario) => {
      const server = await startHostileServer(
        (socket) => void socket.end('HTTP/1.1 500 No\r\nconnection: close\r\n\r\n'),
      );
      const fields = { keysUri: `http://127.0.0.1:${server.port}/${scenario.client.id}` };
      const response = await presentAssertion({ fields })(scenario);
      await server.close();
      return response;
    },
  },
  {
    rule: 'issuer-signature-wrong',
    name: "the issuer's kid with a different key",
    about: 'proven',
    details: { tried: 1 },
    send: presentAssertion({
      token: { keys: keyPairFor('ES256', 'forger'), header: { kid: 'key of another issuer' } },
    }),
  },
  {
    rule: 'issuer-audience',
    name: 'a different audience',
    about: 'proven',
    details: { expected: [HERE, `${HERE}/o/token/`], seen: 'https://other.example' },
    send: presentAssertion({ token: { claims: { aud: 'https://other.example' } } }),
  },
  {
    rule: 'issuer-time',
    name: 'no exp',
    about: 'proven',
    details: { problem: 'no-expiry', mostSeconds: 600 },
    send: presentAssertion({ token: { claims: { exp: undefined } } }),
  },
  {
    rule: 'issuer-claim',
    name: 'a different repository',
    about: 'proven',
    details: { name: 'repository', expected: 'acme/api', seen: 'acme/other' },
    send: presentAssertion({
      fields: { claims: ['repository=acme/api'] },
      token: { claims: { repository: 'acme/other' } },
    }),
  },
  {
    rule: 'issuer-subject',
    name: 'a subject that matches no user',
    about: 'proven',
    details: { mapping: 'user-name' },
    send: presentAssertion({ fields: { mapping: 'user-name' } }),
  },
  {
    rule: 'issuer-act',
    name: 'an actor',
    about: 'proven',
    details: { isSelf: true },
    send: presentAssertion({ token: { claims: { act: { sub: 'job 7' } } } }),
  },
  {
    rule: 'issuer-scope-beyond',
    name: 'a scope that the record does not list',
    about: 'proven',
    details: { limit: 'issuer', missing: ['write'], allowed: ['read'] },
    send: presentAssertion({ parameters: { scope: 'write' } }),
  },
  {
    rule: 'issuer-resource-beyond',
    name: 'a resource server that the assertion does not name',
    about: 'proven',
    details: { limit: 'assertion', missing: [HERE], allowed: [API] },
    send: presentAssertion({ token: { claims: { resource: API } }, parameters: { resource: HERE } }),
  },
  {
    rule: 'issuer-no-scope-left',
    name: 'an assertion for a different scope',
    about: 'proven',
    send: presentAssertion({ token: { claims: { scope: 'groups' } } }),
  },
  {
    rule: 'issuer-no-resource-left',
    name: 'an assertion for an unknown resource server',
    about: 'proven',
    send: presentAssertion({ token: { claims: { resource: 'https://elsewhere.example/' } } }),
  },
  {
    rule: 'issuer-token-replayed',
    name: 'an assertion that was redeemed before',
    about: 'proven',
    send: presentAssertion({}, 2),
  },
  {
    rule: 'issuer-second-factor',
    name: 'a client that requires a second factor',
    about: 'proven',
    send: async ({ running, user, addOtherClient }) => {
      const client = await addOtherClient(CLIENT_OPTIONS);
      const { registration, projections } = running.service();
      const storedClient = projections.clients.find(client.id);
      if (storedClient === undefined) throw new Error('the client is not registered');
      await registration.update(storedClient.clientId, { ...storedClient, secondFactorRequired: true }, OPERATOR);
      await trustIssuer(running, client, { mapping: 'user-name' });
      const assertion = await signForeignToken(running, { claims: { sub: user.username } });
      return running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
    },
  },
];
