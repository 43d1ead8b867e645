import { authorizePath } from '../authorize-requests.ts';
import type { Page } from '../browser-session.ts';
import { REDIRECT_URI } from '../running-service.ts';
import {
  requestAsClient,
  CHALLENGE,
  requestAuthorization,
  findStoredClient,
  OPERATOR,
  redeem,
  requestToken,
  VERIFIER,
  type RefusalScenario,
  type RefusedRequest,
} from './scenario.ts';

/** Refusals because of the client's identity or its authorization requests. */
export const CLIENT_REFUSALS: readonly RefusedRequest[] = [
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
    send: async (scenario) =>
      scenario.running.post(
        '/o/token/',
        { grant_type: 'password' },
        { authorization: `Bearer ${(await scenario.tokens()).access}` },
      ),
  },
  {
    rule: 'authorization-header',
    name: 'Basic without base64',
    about: 'nobody',
    details: { scheme: 'Basic' },
    send: (scenario) =>
      scenario.running.post(
        '/o/token/',
        { grant_type: 'password' },
        { authorization: `Basic ${scenario.client.id}:${scenario.client.secret}` },
      ),
  },
  {
    rule: 'client-credentials-disagree',
    name: 'two secrets',
    about: 'named',
    details: { differs: 'client_secret' },
    send: (scenario) =>
      requestToken(scenario, { grant_type: 'password', client_id: scenario.client.id, client_secret: 'another' }),
  },
  {
    rule: 'client-credentials-disagree',
    name: 'two clients',
    about: 'named',
    details: { differs: 'client_id' },
    send: (scenario) => requestToken(scenario, { grant_type: 'password', client_id: 'another' }),
  },
  {
    rule: 'client-unknown',
    name: 'an unknown client',
    about: 'nobody',
    details: { form: 'client id', isSwapped: false },
    send: (scenario) => requestAsClient(scenario, 'a'.repeat(22), scenario.client.secret),
  },
  {
    rule: 'client-unknown',
    name: 'id and secret swapped',
    about: 'nobody',
    details: { form: 'client secret', isSwapped: true },
    send: (scenario) => requestAsClient(scenario, scenario.client.secret, scenario.client.id),
  },
  {
    rule: 'client-unknown',
    name: 'an unknown client at the authorize endpoint',
    about: 'nobody',
    send: (scenario) => requestAuthorization(scenario, { client_id: scenario.client.secret }),
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
    send: async (scenario) =>
      requestAsClient(
        scenario,
        (await scenario.addOtherClient({ clientType: 'public', grantTypes: ['password'] })).id,
        scenario.client.secret,
      ),
  },
  {
    rule: 'client-secret-wrong',
    name: "another client's secret",
    about: 'named',
    details: { form: 'client secret', hasOuterSpace: false },
    send: async (scenario) => requestAsClient(scenario, scenario.client.id, (await scenario.addOtherClient()).secret),
  },
  {
    rule: 'client-secret-wrong',
    name: 'a secret with a line break',
    about: 'named',
    details: { hasOuterSpace: true },
    send: (scenario) => requestAsClient(scenario, scenario.client.id, `${scenario.client.secret}\n`),
  },
  {
    rule: 'client-secret-wrong',
    name: 'a truncated secret',
    about: 'named',
    details: { form: 'incomplete' },
    send: (scenario) => requestAsClient(scenario, scenario.client.id, scenario.client.secret.slice(0, 30)),
  },
  {
    rule: 'client-secret-ended',
    name: 'the previous secret',
    about: 'named',
    details: { secondsAgo: 40 },
    async send(scenario) {
      await scenario.running.service().registration.rotateSecret(findStoredClient(scenario).clientId, OPERATOR, 60);
      scenario.running.clock.advance(100);
      return requestAsClient(scenario, scenario.client.id, scenario.client.secret);
    },
  },
  {
    rule: 'client-disabled',
    name: 'a disabled client',
    about: 'named',
    async send(scenario) {
      await scenario.running.service().registration.setDisabled(findStoredClient(scenario).clientId, true, OPERATOR);
      return requestAsClient(scenario, scenario.client.id, scenario.client.secret);
    },
  },
  {
    rule: 'client-public',
    name: 'introspection by a public client',
    about: 'named',
    details: { what: 'introspection' },
    send: async (scenario) => {
      const { id } = await scenario.addOtherClient({
        clientType: 'public',
        grantTypes: ['password'],
        redirectUris: [],
      });
      return scenario.running.post('/o/introspect/', { client_id: id, token: 'x' });
    },
  },
  {
    rule: 'client-not-registered-for',
    name: 'a different grant type',
    about: 'proven',
    details: { grantType: 'password', registered: ['client-credentials'] },
    send: async (scenario) =>
      scenario.running.token(await scenario.addOtherClient({ grantTypes: ['client-credentials'], redirectUris: [] }), {
        grant_type: 'password',
      }),
  },
  {
    rule: 'client-not-registered-for',
    name: 'a client without the authorization code grant',
    about: 'named',
    details: { grantType: 'authorization_code' },
    send: async (scenario) =>
      scenario.browser.get(authorizePath(await scenario.addOtherClient({ grantTypes: ['password'] }))),
  },
  {
    rule: 'redirect-uri-missing',
    name: 'several registered redirect URIs',
    about: 'named',
    details: { registered: 2 },
    send: async (scenario) =>
      scenario.browser.get(
        authorizePath(await scenario.addOtherClient({ redirectUris: [REDIRECT_URI, 'https://b.example/'] }), {
          redirect_uri: null,
        }),
      ),
  },
  {
    rule: 'redirect-uri-not-registered',
    name: 'an additional trailing slash',
    about: 'named',
    details: { closest: REDIRECT_URI, differences: [{ component: 'path', expected: '/callback', seen: '/callback/' }] },
    send: (scenario) => requestAuthorization(scenario, { redirect_uri: `${REDIRECT_URI}/` }),
  },
  {
    rule: 'redirect-uri-not-registered',
    name: 'a secret in the query and the path',
    about: 'named',
    send: (scenario) =>
      requestAuthorization(scenario, {
        redirect_uri: `${REDIRECT_URI}/${scenario.client.secret}?x=${scenario.user.password}#${scenario.client.secret}`,
      }),
  },
  {
    rule: 'code-challenge-missing',
    name: 'a public client without PKCE',
    about: 'named',
    details: { clientType: 'public', isMethodSent: false },
    send: async (scenario) =>
      scenario.browser.get(
        authorizePath(await scenario.addOtherClient({ clientType: 'public', grantTypes: ['authorization-code'] })),
      ),
  },
  {
    rule: 'code-challenge-missing',
    name: 'a method without a challenge',
    about: 'named',
    details: { isMethodSent: true },
    send: (scenario) => requestAuthorization(scenario, { code_challenge_method: 'S256' }),
  },
  {
    rule: 'log-in-required',
    name: 'prompt=none without a login',
    about: 'named',
    details: { why: 'nobody', maxAgeSeconds: null },
    send: (scenario) => scenario.running.get(authorizePath(scenario.client, { prompt: 'none' })),
  },
  {
    rule: 'consent-required',
    name: 'prompt=none without consent',
    about: 'named',
    details: { missing: ['read'] },
    send: (scenario) => requestAuthorization(scenario, { prompt: 'none', scope: 'read' }),
  },
  {
    rule: 'interaction-required',
    name: 'prompt=none for a client that any program could impersonate',
    about: 'named',
    details: { clientType: 'public' },
    send: async (scenario) => {
      const { running, user, browser } = scenario;
      const redirect = { redirect_uri: 'http://127.0.0.1/callback' };
      const app = await scenario.addOtherClient({
        clientType: 'public',
        grantTypes: ['authorization-code'],
        redirectUris: [redirect.redirect_uri],
      });
      const code = await running.authorize(app, user, { ...redirect, ...CHALLENGE, scope: 'openid' });
      const body = { grant_type: 'authorization_code', client_id: app.id, code, code_verifier: VERIFIER };
      await running.post('/o/token/', { ...body, ...redirect });
      return browser.get(authorizePath(app, { ...redirect, ...CHALLENGE, scope: 'openid', prompt: 'none' }));
    },
  },
  {
    rule: 'login-class-unmet',
    name: 'a password where a passkey is essential',
    about: 'named',
    details: { expected: ['phr'], seen: 'pwd' },
    send: (scenario) =>
      logInForRequest(scenario, { claims: '{"id_token":{"acr":{"essential":true,"values":["phr"]}}}' }),
  },
  {
    rule: 'hinted-user-not-logged-in',
    name: 'a login by a user other than the one in the sub claim',
    about: 'named',
    send: (scenario) => logInForRequest(scenario, { claims: '{"id_token":{"sub":{"value":"somebody"}}}' }),
  },
  {
    rule: 'hint-refused',
    name: 'an unsigned id_token_hint',
    about: 'named',
    details: { problem: 'not-of-this-server' },
    send: (scenario) => requestAuthorization(scenario, { scope: 'openid', id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }),
  },
  {
    rule: 'parameter-not-supported',
    name: 'a request object',
    about: 'named',
    details: { parameter: 'request' },
    send: (scenario) => requestAuthorization(scenario, { request: 'eyJhbGciOiJub25lIn0.e30.' }),
  },
  {
    rule: 'post-logout-uri-without-client',
    name: 'a return URL without an application',
    about: 'nobody',
    send: ({ browser }) => browser.get('/o/logout/?post_logout_redirect_uri=https://app.example/'),
  },
  {
    rule: 'post-logout-uri-not-registered',
    name: 'a query added to the registered URL',
    about: 'named',
    details: { closest: 'https://app.example/out', registered: 1 },
    send: async (scenario) => {
      const { id } = await scenario.addOtherClient({ openid: { postLogoutRedirectUris: ['https://app.example/out'] } });
      return scenario.browser.get(`/o/logout/?client_id=${id}&post_logout_redirect_uri=https://app.example/out?x=1`);
    },
  },
  {
    rule: 'denied',
    name: 'a denial by the user',
    about: 'named',
    details: { how: 'refused' },
    send: async (scenario) => scenario.browser.submit(await requestAuthorization(scenario, {}), {}),
  },
  {
    rule: 'denied',
    name: 'every scope left out',
    about: 'named',
    details: { how: 'every-scope-left-out' },
    send: async (scenario) =>
      scenario.browser.submit(await requestAuthorization(scenario, { scope: 'read' }), {
        allow: 'yes',
        leave_out: 'read',
      }),
  },
  {
    rule: 'request-aged',
    name: 'an expired form',
    about: 'nobody',
    send: async (scenario) => {
      const page = await requestAuthorization(scenario, {});
      scenario.running.clock.advance(3_700);
      return scenario.browser.submit(page, { allow: 'yes' });
    },
  },
  {
    rule: 'request-answered',
    name: 'a form sent twice, after its code was redeemed',
    about: 'named',
    send: async (scenario) => {
      const page = await requestAuthorization(scenario, {});
      const { location } = await scenario.browser.submit(page, { allow: 'yes' });
      await redeem(scenario, new URL(location ?? '').searchParams.get('code') ?? '');
      return scenario.browser.submit(page, { allow: 'yes' });
    },
  },
];

/** Sends a request that requires a new login, and logs in with the password to continue it. */
async function logInForRequest(scenario: RefusalScenario, parameters: Readonly<Record<string, string>>): Promise<Page> {
  const { browser, user } = scenario;
  const { location } = await requestAuthorization(scenario, { scope: 'openid', ...parameters });
  const login = await browser.get(location ?? '');
  return browser.submitAndFollow(login, { username: user.username, password: user.password }, '/accounts/login/');
}
