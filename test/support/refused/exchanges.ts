import { formatDetailTypes } from '../../../src/oauth/details/entered-types.ts';
import { TOKEN_TYPES } from '../../../src/oauth/exchange/token-types.ts';
import { keyPairFor } from '../assertions.ts';
import { PAYMENT, RENT } from '../detail-types.ts';
import { detailsParameter, registerBank } from '../details.ts';
import { signProof, NONCE_PERIOD_SECONDS, tokenWithProof } from '../dpop.ts';
import { registerResource } from '../resource-servers.ts';
import { signForeignToken, trustIssuer } from '../trusted-issuers.ts';
import { allowExchange, exchange, exchangeForToken, ownToken, userTokens } from '../token-exchange.ts';
import type { TestResponse, TestClient } from '../running-service.ts';
import { callApi, OPERATOR, redeem, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const EXCHANGE_OPTIONS = { grantTypes: ['token-exchange', 'client-credentials', 'password'] } as const;
const API = 'https://api.example';
const HERE = 'http://localhost:8000';

/** Registers a client that may exchange the scenario client's tokens, and gets one of those tokens. */
async function prepareExchange(scenario: RefusalScenario, scope = 'read write') {
  const api = await scenario.addOtherClient(EXCHANGE_OPTIONS);
  await allowExchange(scenario.running, api, scenario.client);
  return { api, subject: (await scenario.tokens(scope)).access };
}

const clientToken = (scenario: RefusalScenario, client: TestClient, scope = 'read') =>
  ownToken(scenario.running, client, { scope });

/** Returns a function that requests an exchange with these parameters, under a policy with these limits. */
const attempt =
  (parameters: Readonly<Record<string, string>>, limits: Parameters<typeof allowExchange>[3] = {}) =>
  async (scenario: RefusalScenario): Promise<TestResponse> => {
    const { api, subject } = await prepareExchange(scenario);
    await allowExchange(scenario.running, api, scenario.client, limits);
    return exchange(scenario.running, api, subject, parameters);
  };

/** Exchanges a token `times` times, each time as a new client. */
async function exchangeRepeatedly(scenario: RefusalScenario, times: number) {
  const { running, client } = scenario;
  const clients: TestClient[] = [];
  let { access: token } = await scenario.tokens();
  for (let time = 0; time < times; time += 1) {
    const nextClient = await scenario.addOtherClient(EXCHANGE_OPTIONS);
    await allowExchange(running, nextClient, clients.at(-1) ?? client);
    token = await exchangeForToken(running, nextClient, token);
    clients.push(nextClient);
  }
  return { clients, token };
}

/** Refused token exchanges (RFC 8693). */
export const EXCHANGE_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'exchange-id-token',
    name: 'an ID token from another server',
    about: 'proven',
    details: { parameter: 'subject_token', problem: 'not-verified' },
    send: async (scenario) => {
      const { api } = await prepareExchange(scenario);
      const idToken = await signForeignToken(scenario.running, {
        claims: { iss: HERE },
        header: { typ: 'JWT' },
      });
      return exchange(scenario.running, api, idToken, { subject_token_type: TOKEN_TYPES.idToken });
    },
  },
  {
    rule: 'exchange-may-act',
    name: 'a token from another issuer that authorizes a different actor',
    about: 'proven',
    send: async (scenario) => {
      const api = await scenario.addOtherClient(EXCHANGE_OPTIONS);
      await trustIssuer(scenario.running, api, { uses: ['subject-token'], mapping: 'user-name' });
      const { username } = scenario.user;
      const claims = { sub: username, may_act: { client_id: 'another' } };
      const token = await signForeignToken(scenario.running, { claims });
      return exchange(scenario.running, api, token, { subject_token_type: TOKEN_TYPES.jwt });
    },
  },
  {
    rule: 'exchange-policy-missing',
    name: 'a client without a policy',
    about: 'proven',
    send: async (scenario) =>
      exchange(scenario.running, await scenario.addOtherClient(EXCHANGE_OPTIONS), (await scenario.tokens()).access),
  },
  {
    rule: 'exchange-mode-not-allowed',
    name: 'impersonation with a policy for delegation',
    about: 'proven',
    details: { mode: 'impersonation', allowed: ['delegation'] },
    send: attempt({}, { modes: ['delegation'] }),
  },
  {
    rule: 'exchange-token-type',
    name: 'a refresh token as an access token',
    about: 'proven',
    details: { parameter: 'subject_token', declared: 'access token', seen: 'refresh token' },
    send: async (scenario) => {
      const { api } = await prepareExchange(scenario);
      return exchange(scenario.running, api, (await scenario.tokens()).refresh);
    },
  },
  {
    rule: 'token-expired',
    name: 'an expired subject token',
    about: 'proven',
    details: { secondsAgo: 5 },
    send: async (scenario) => {
      const { api, subject } = await prepareExchange(scenario);
      scenario.running.clock.advance(36_005);
      return exchange(scenario.running, api, subject);
    },
  },
  {
    rule: 'exchange-type-alone',
    name: 'actor_token_type without actor_token',
    about: 'proven',
    send: attempt({ actor_token_type: TOKEN_TYPES.accessToken }),
  },
  {
    rule: 'exchange-format',
    name: 'a JWT from a client with opaque tokens',
    about: 'proven',
    details: { seen: 'opaque' },
    send: attempt({ requested_token_type: TOKEN_TYPES.jwt }),
  },
  {
    rule: 'exchange-actor-of-another-client',
    name: "another client's token as the actor",
    about: 'proven',
    send: async (scenario) => {
      const { api, subject } = await prepareExchange(scenario);
      return exchange(scenario.running, api, subject, { actor: await clientToken(scenario, scenario.client) });
    },
  },
  {
    rule: 'exchange-actor-exchanged',
    name: 'an exchanged token as the actor',
    about: 'proven',
    send: async (scenario) => {
      const { api, subject } = await prepareExchange(scenario);
      const actor = await exchangeForToken(scenario.running, api, await clientToken(scenario, scenario.client));
      return exchange(scenario.running, api, subject, { actor });
    },
  },
  {
    rule: 'exchange-actor-is-subject',
    name: 'the same user as the subject and the actor',
    about: 'proven',
    send: async (scenario) => {
      const { running, user } = scenario;
      const { api, subject } = await prepareExchange(scenario);
      const { access: actor } = await userTokens(running, api, user, { scope: 'read' });
      return exchange(running, api, subject, { actor });
    },
  },
  {
    rule: 'exchange-actor-repeated',
    name: 'a user who acts twice in a chain',
    about: 'proven',
    send: async (scenario) => {
      const { running } = scenario;
      const { api, subject } = await prepareExchange(scenario);
      const next = await scenario.addOtherClient(EXCHANGE_OPTIONS);
      await allowExchange(running, next, api);
      const bert = await running.addUser();
      const scope = { scope: 'read' };
      const exchangedToken = await exchangeForToken(running, api, subject, {
        actor: (await userTokens(running, api, bert, scope)).access,
      });
      return exchange(running, next, exchangedToken, { actor: (await userTokens(running, next, bert, scope)).access });
    },
  },
  {
    rule: 'exchange-client-repeated',
    name: 'a client that exchanges twice in a chain',
    about: 'proven',
    send: async (scenario) => {
      const { clients, token } = await exchangeRepeatedly(scenario, 2);
      const [firstClient, secondClient] = clients;
      if (firstClient === undefined || secondClient === undefined) throw new Error('the chain is too short');
      await allowExchange(scenario.running, firstClient, secondClient);
      return exchange(scenario.running, firstClient, token);
    },
  },
  {
    rule: 'exchange-chain-too-deep',
    name: 'a fifth exchange in a chain',
    about: 'proven',
    send: async (scenario) => {
      const { clients, token } = await exchangeRepeatedly(scenario, 4);
      const fifthClient = await scenario.addOtherClient(EXCHANGE_OPTIONS);
      await allowExchange(scenario.running, fifthClient, clients.at(-1) ?? fifthClient);
      return exchange(scenario.running, fifthClient, token);
    },
  },
  {
    rule: 'exchange-not-bound',
    name: 'a subject token that is bound to a key, without a proof',
    about: 'proven',
    send: async (scenario) => {
      const { running, client, user } = scenario;
      const { api } = await prepareExchange(scenario);
      const { username, password } = user;
      const parameters = { grant_type: 'password', username, password, scope: 'read' };
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const { json } = await tokenWithProof(running, client, parameters, await signProof(running, keyPairFor('ES256')));
      return exchange(running, api, String(json?.['access_token']));
    },
  },
  {
    rule: 'exchange-second-factor',
    name: 'the password alone, for an application that requires a second factor',
    about: 'proven',
    send: async (scenario) => {
      const strictClient = await scenario.addOtherClient({ ...EXCHANGE_OPTIONS, secondFactorRequired: true });
      await allowExchange(scenario.running, strictClient, scenario.client);
      return exchange(scenario.running, strictClient, (await scenario.tokens()).access);
    },
  },
  {
    rule: 'exchange-too-many',
    name: 'more exchanges of one authorization than the limit',
    about: 'proven',
    details: { limit: 10_000 },
    send: async (scenario) => {
      const { api, subject } = await prepareExchange(scenario);
      const { exchanges } = scenario.running.service().projections;
      const { countByRoot } = exchanges;
      Object.assign(exchanges, { countByRoot: () => 10_000 }); // as if there had been that many
      return exchange(scenario.running, api, subject).finally(() => Object.assign(exchanges, { countByRoot }));
    },
  },
  {
    rule: 'exchange-token-ended',
    name: 'a revoked token of a client without a policy',
    about: 'proven',
    details: { parameter: 'subject_token' },
    send: async (scenario) => {
      const { running, client } = scenario;
      const { access: subject } = await scenario.tokens();
      await running.post('/o/revoke_token/', { token: subject }, { authorization: client.basic });
      return exchange(running, await scenario.addOtherClient(EXCHANGE_OPTIONS), subject);
    },
  },
  {
    rule: 'exchange-resource-removed',
    name: 'a token whose resource server was removed',
    about: 'proven',
    details: { parameter: 'subject_token' },
    send: async (scenario) => {
      const { running } = scenario;
      const { api } = await prepareExchange(scenario);
      const { uri } = await registerResource(running, { scopes: [{ name: 'read', description: 'Read' }] });
      const { access: subject } = await scenario.tokens('read', { resource: uri });
      await running.service().resourceRegistry.remove(uri, OPERATOR);
      return exchange(running, api, subject);
    },
  },
  {
    rule: 'exchange-chain-ended',
    name: 'an exchanged token after its subject token was revoked',
    about: 'named',
    details: { reason: 'revoked-by-client' },
    send: async (scenario) => {
      const { running, client } = scenario;
      const { api, subject } = await prepareExchange(scenario);
      const token = await exchangeForToken(running, api, subject);
      await running.post('/o/revoke_token/', { token: subject }, { authorization: client.basic });
      return callApi(scenario, token);
    },
  },
  {
    rule: 'exchange-scope-beyond',
    name: 'a scope that the subject token lacks',
    about: 'proven',
    details: { limit: 'subject', missing: ['groups'], allowed: ['read', 'write'] },
    send: attempt({ scope: 'read groups' }),
  },
  {
    rule: 'exchange-resource-beyond',
    name: 'a resource server that the policy does not allow',
    about: 'proven',
    details: { limit: 'policy', missing: [HERE], allowed: [API] },
    send: attempt({ audience: HERE }, { resources: [API] }),
  },
  {
    rule: 'exchange-details-beyond',
    name: 'a detail that the subject token lacks',
    about: 'proven',
    details: { limit: 'subject', type: PAYMENT.type, allowed: [] },
    send: async (scenario) => {
      await registerBank(scenario.running);
      return attempt(detailsParameter(RENT))(scenario);
    },
  },
  {
    rule: 'exchange-no-details-left',
    name: 'a single detail of a type that is no longer declared',
    about: 'proven',
    send: async (scenario) => {
      const { running } = scenario;
      const bank = await registerBank(running);
      const { api } = await prepareExchange(scenario);
      const { json } = await redeem(scenario, await scenario.code({ ...detailsParameter(RENT), scope: '' }));
      const declare = (detailTypes: string) =>
        running.service().resourceRegistry.update(bank.uri, { ...bank, detailTypes }, OPERATOR);
      await declare('');
      const response = await exchange(running, api, String(json?.['access_token']));
      await declare(formatDetailTypes(bank.detailTypes)); // the scenarios share the server
      return response;
    },
  },
  {
    rule: 'exchange-no-scope-left',
    name: 'a policy for other scopes',
    about: 'proven',
    send: attempt({}, { scope: ['groups'] }),
  },
  {
    rule: 'exchange-no-resource-left',
    name: "a policy for a resource server other than the subject token's",
    about: 'proven',
    send: async (scenario) => {
      const { running, client } = scenario;
      const { api } = await prepareExchange(scenario);
      await allowExchange(running, api, client, { resources: [API] });
      return exchange(running, api, (await scenario.tokens('read', { resource: HERE })).access);
    },
  },
];
