import { authorizePath } from '../authorize-requests.ts';
import { REDIRECT_URI } from '../running-service.ts';
import { asClient, ask, clientRecord, OPERATOR, redeem, token, type RefusedRequest } from './workplace.ts';

/** The identity of the client, and its authorization requests. */
export const OF_CLIENTS: readonly RefusedRequest[] = [
  {
    rule: 'client-credentials-missing',
    name: 'no credentials',
    about: 'nobody',
    send: ({ running }) => running.post('/o/token/', { grant_type: 'password' }),
  },
  {
    rule: 'client-id-missing',
    name: 'a secret without an id',
    about: 'nobody',
    send: ({ running, client: { secret } }) =>
      running.post('/o/token/', { grant_type: 'password', client_secret: secret }),
  },
  {
    rule: 'authorization-header',
    name: 'Bearer',
    about: 'nobody',
    details: { scheme: 'Bearer' },
    send: async (at) =>
      at.running.post(
        '/o/token/',
        { grant_type: 'password' },
        { authorization: `Bearer ${(await at.tokens()).access}` },
      ),
  },
  {
    rule: 'authorization-header',
    name: 'Basic without base64',
    about: 'nobody',
    details: { scheme: 'Basic' },
    send: (at) =>
      at.running.post(
        '/o/token/',
        { grant_type: 'password' },
        { authorization: `Basic ${at.client.id}:${at.client.secret}` },
      ),
  },
  {
    rule: 'client-credentials-disagree',
    name: 'two secrets',
    about: 'named',
    details: { differs: 'client_secret' },
    send: (at) => token(at, { grant_type: 'password', client_id: at.client.id, client_secret: 'another' }),
  },
  {
    rule: 'client-credentials-disagree',
    name: 'two clients',
    about: 'named',
    details: { differs: 'client_id' },
    send: (at) => token(at, { grant_type: 'password', client_id: 'another' }),
  },
  {
    rule: 'client-unknown',
    name: 'an unknown client',
    about: 'nobody',
    details: { form: 'client id', isSwapped: false },
    send: (at) => asClient(at, 'a'.repeat(22), at.client.secret),
  },
  {
    rule: 'client-unknown',
    name: 'id and secret swapped',
    about: 'nobody',
    details: { form: 'client secret', isSwapped: true },
    send: (at) => asClient(at, at.client.secret, at.client.id),
  },
  {
    rule: 'client-unknown',
    name: 'an unknown client at the authorize endpoint',
    about: 'nobody',
    send: (at) => ask(at, { client_id: at.client.secret }),
  },
  {
    rule: 'client-secret-missing',
    name: 'the id alone',
    about: 'named',
    send: ({ running, client: { id } }) => running.post('/o/token/', { grant_type: 'password', client_id: id }),
  },
  {
    rule: 'client-secret-unexpected',
    name: "a public client's secret",
    about: 'named',
    send: async (at) =>
      asClient(at, (await at.other({ clientType: 'public', grantTypes: ['password'] })).id, at.client.secret),
  },
  {
    rule: 'client-secret-wrong',
    name: "another client's secret",
    about: 'named',
    details: { form: 'client secret', hasOuterSpace: false },
    send: async (at) => asClient(at, at.client.id, (await at.other()).secret),
  },
  {
    rule: 'client-secret-wrong',
    name: 'a secret with a line break',
    about: 'named',
    details: { hasOuterSpace: true },
    send: (at) => asClient(at, at.client.id, `${at.client.secret}\n`),
  },
  {
    rule: 'client-secret-wrong',
    name: 'a truncated secret',
    about: 'named',
    details: { form: 'incomplete' },
    send: (at) => asClient(at, at.client.id, at.client.secret.slice(0, 30)),
  },
  {
    rule: 'client-secret-ended',
    name: 'the previous secret',
    about: 'named',
    details: { secondsAgo: 40 },
    async send(at) {
      await at.running.service().registration.rotateSecret(clientRecord(at).clientId, OPERATOR, 60);
      at.running.clock.advance(100);
      return asClient(at, at.client.id, at.client.secret);
    },
  },
  {
    rule: 'client-public',
    name: 'introspection by a public client',
    about: 'named',
    details: { what: 'introspection' },
    send: async (at) => {
      const { id } = await at.other({ clientType: 'public', grantTypes: ['password'], redirectUris: [] });
      return at.running.post('/o/introspect/', { client_id: id, token: 'x' });
    },
  },
  {
    rule: 'client-not-registered-for',
    name: 'another grant type',
    about: 'proven',
    details: { grantType: 'password', registered: ['client-credentials'] },
    send: async (at) =>
      at.running.token(await at.other({ grantTypes: ['client-credentials'], redirectUris: [] }), {
        grant_type: 'password',
      }),
  },
  {
    rule: 'client-not-registered-for',
    name: 'no authorization code grant',
    about: 'named',
    details: { grantType: 'authorization_code' },
    send: async (at) => at.browser.get(authorizePath(await at.other({ grantTypes: ['password'] }))),
  },
  {
    rule: 'redirect-uri-missing',
    name: 'several registered redirect URIs',
    about: 'named',
    details: { registered: 2 },
    send: async (at) =>
      at.browser.get(
        authorizePath(await at.other({ redirectUris: [REDIRECT_URI, 'https://b.example/'] }), { redirect_uri: null }),
      ),
  },
  {
    rule: 'redirect-uri-not-registered',
    name: 'an additional trailing slash',
    about: 'named',
    details: { closest: REDIRECT_URI, differences: [{ component: 'path', expected: '/callback', seen: '/callback/' }] },
    send: (at) => ask(at, { redirect_uri: `${REDIRECT_URI}/` }),
  },
  {
    rule: 'redirect-uri-not-registered',
    name: 'a secret in the query and the path',
    about: 'named',
    send: (at) =>
      ask(at, { redirect_uri: `${REDIRECT_URI}/${at.client.secret}?x=${at.user.password}#${at.client.secret}` }),
  },
  {
    rule: 'code-challenge-missing',
    name: 'a public client without PKCE',
    about: 'named',
    details: { clientType: 'public', isMethodSent: false },
    send: async (at) =>
      at.browser.get(authorizePath(await at.other({ clientType: 'public', grantTypes: ['authorization-code'] }))),
  },
  {
    rule: 'code-challenge-missing',
    name: 'a method without a challenge',
    about: 'named',
    details: { isMethodSent: true },
    send: (at) => ask(at, { code_challenge_method: 'S256' }),
  },
  {
    rule: 'log-in-required',
    name: 'prompt=none for a visitor',
    about: 'named',
    send: (at) => at.running.get(authorizePath(at.client, { prompt: 'none' })),
  },
  {
    rule: 'consent-required',
    name: 'prompt=none without consent',
    about: 'named',
    send: (at) => ask(at, { prompt: 'none' }),
  },
  {
    rule: 'denied',
    name: 'the user denies',
    about: 'named',
    details: { how: 'refused' },
    send: async (at) => at.browser.submit(await ask(at, {}), {}),
  },
  {
    rule: 'denied',
    name: 'every scope left out',
    about: 'named',
    details: { how: 'every-scope-left-out' },
    send: async (at) => at.browser.submit(await ask(at, { scope: 'read' }), { allow: 'yes', leave_out: 'read' }),
  },
  {
    rule: 'request-aged',
    name: 'an expired form',
    about: 'nobody',
    send: async (at) => {
      const page = await ask(at, {});
      at.running.clock.advance(3_700);
      return at.browser.submit(page, { allow: 'yes' });
    },
  },
  {
    rule: 'request-answered',
    name: 'a form sent twice, after its code was redeemed',
    about: 'named',
    send: async (at) => {
      const page = await ask(at, {});
      const { location } = await at.browser.submit(page, { allow: 'yes' });
      await redeem(at, new URL(location ?? '').searchParams.get('code') ?? '');
      return at.browser.submit(page, { allow: 'yes' });
    },
  },
];
