import { oneTimePassword } from '../one-time-passwords.ts';
import { decodeProtectedHeader } from 'jose';
import type { KeyId } from '../../../src/domain/values.ts';
import { seconds } from '../domain-values.ts';
import { REDIRECT_URI } from '../running-service.ts';
import {
  requestAsClient,
  requestAuthorization,
  callApi,
  CHALLENGE,
  findStoredClient,
  disableUser,
  endSessions,
  OPERATOR,
  redeem,
  refresh,
  requestToken,
  VERIFIER,
  type RefusedRequest,
  type RefusalScenario,
} from './scenario.ts';

const revoke = ({ running, client: { basic } }: RefusalScenario, value: string) =>
  running.post('/o/revoke_token/', { token: value }, { authorization: basic });

/** Gets the tokens of a grant that ends with its session. */
async function requestSessionTokens(scenario: RefusalScenario): Promise<{ access: string; refresh: string }> {
  const { json } = await redeem(scenario, await scenario.code({ scope: 'openid read' }));
  return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
}

/** Refused scopes and resource servers. */
const SCOPE_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'scope-missing',
    name: 'no default scope',
    about: 'proven',
    details: { grant: 'client-credentials' },
    send: (scenario) => requestAsClient(scenario, scenario.client.id, scenario.client.secret),
  },
  {
    rule: 'scope-malformed',
    name: 'a scope with quotes',
    about: 'proven',
    send: (scenario) => requestToken(scenario, { grant_type: 'client_credentials', scope: '"read"' }),
  },
  {
    rule: 'scope-unknown',
    name: 'an unknown scope',
    about: 'proven',
    details: { unknown: ['profiles'] },
    send: (scenario) => requestToken(scenario, { grant_type: 'client_credentials', scope: 'read profiles' }),
  },
  {
    rule: 'scope-unknown',
    name: 'secrets instead of scopes',
    about: 'proven',
    details: { unknown: ['[redacted]', '[redacted]'] },
    send: (scenario) =>
      requestToken(scenario, { grant_type: 'client_credentials', scope: `${scenario.client.secret} ${VERIFIER}` }),
  },
  {
    rule: 'scope-restricted',
    name: 'a restricted scope without permission',
    about: 'proven',
    details: { restricted: ['audit'] },
    send: (scenario) => requestToken(scenario, { grant_type: 'client_credentials', scope: 'read audit' }),
  },
  {
    rule: 'scope-restricted',
    name: 'a restricted scope in a refresh request',
    about: 'proven',
    details: { restricted: ['audit'] },
    send: async (scenario) => refresh(scenario, (await scenario.tokens()).refresh, { scope: 'audit' }),
  },
  {
    rule: 'scope-needs-role',
    name: 'the audit scope for a user without the role',
    about: 'proven',
    details: { scope: 'audit' },
    send: async (scenario) =>
      scenario.running.token(await scenario.addOtherClient({ restrictedScopes: ['audit'] }), {
        grant_type: 'password',
        ...scenario.user,
        scope: 'audit',
      }),
  },
  {
    rule: 'scope-needs-client',
    name: 'the admin scope for a user',
    about: 'proven',
    details: { scope: 'admin' },
    send: async (scenario) =>
      scenario.running.token(await scenario.addOtherClient({ restrictedScopes: ['admin'] }), {
        grant_type: 'password',
        ...scenario.user,
        scope: 'admin',
      }),
  },
  {
    rule: 'scope-needs-login',
    name: 'the openid scope for a client without a user',
    about: 'proven',
    details: { scope: 'openid', grant: 'client-credentials' },
    send: (scenario) => requestToken(scenario, { grant_type: 'client_credentials', scope: 'read openid' }),
  },
  {
    rule: 'scope-needs-login',
    name: 'the offline_access scope with a password',
    about: 'proven',
    details: { scope: 'offline_access', grant: 'password' },
    send: async (scenario) =>
      scenario.running.token(await scenario.addOtherClient(), {
        grant_type: 'password',
        ...scenario.user,
        scope: 'read offline_access',
      }),
  },
  {
    rule: 'scope-not-granted',
    name: 'a wider scope than granted',
    about: 'proven',
    details: { missing: ['write'], granted: ['read'] },
    send: async (scenario) => refresh(scenario, (await scenario.tokens('read')).refresh, { scope: 'read write' }),
  },
  {
    rule: 'too-many-resources',
    name: 'eleven resource servers',
    about: 'proven',
    details: { most: 10, seen: 11 },
    send: (scenario) =>
      scenario.running.post(
        '/o/token/',
        `grant_type=client_credentials&scope=read${'&resource=https://api.example'.repeat(11)}`,
        { authorization: scenario.client.basic },
      ),
  },
  {
    rule: 'resource-malformed',
    name: 'a resource that is not a URI',
    about: 'proven',
    details: { seen: 'api' },
    send: (scenario) => requestToken(scenario, { grant_type: 'client_credentials', scope: 'read', resource: 'api' }),
  },
  {
    rule: 'resource-unknown',
    name: 'an unknown resource server',
    about: 'named',
    details: { seen: 'https://other.example' },
    send: (scenario) => requestAuthorization(scenario, { resource: 'https://other.example' }),
  },
  {
    rule: 'resource-not-granted',
    name: 'a resource beyond those of the code',
    about: 'proven',
    details: { missing: ['http://localhost:8000'], granted: ['https://api.example'] },
    send: async (scenario) =>
      redeem(scenario, await scenario.code({ resource: 'https://api.example' }), { resource: 'http://localhost:8000' }),
  },
  {
    rule: 'resource-not-granted',
    name: 'a resource beyond those of the refresh token',
    about: 'proven',
    send: async (scenario) =>
      refresh(scenario, (await scenario.tokens('read', { resource: 'https://api.example' })).refresh, {
        resource: 'http://localhost:8000',
      }),
  },
];

/** Refused codes, refresh tokens and passwords. */
const GRANT_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'credential-unknown',
    name: 'a malformed code',
    about: 'proven',
    details: { form: 'other' },
    send: (scenario) => redeem(scenario, 'abc'),
  },
  {
    rule: 'credential-unknown',
    name: 'an access token instead of a code',
    about: 'proven',
    details: { form: 'access token' },
    send: async (scenario) => redeem(scenario, (await scenario.tokens()).access),
  },
  {
    rule: 'credential-unknown',
    name: 'a truncated code',
    about: 'proven',
    details: { form: 'incomplete' },
    send: async (scenario) => redeem(scenario, (await scenario.code()).slice(0, -1)),
  },
  {
    rule: 'credential-unknown',
    name: 'a code instead of a refresh token',
    about: 'proven',
    details: { parameter: 'refresh_token', form: 'authorization code' },
    send: async (scenario) => refresh(scenario, await scenario.code()),
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's code",
    about: 'proven',
    send: async (scenario) =>
      scenario.running.token(await scenario.addOtherClient(), {
        grant_type: 'authorization_code',
        code: await scenario.code(),
        redirect_uri: REDIRECT_URI,
      }),
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's expired code",
    about: 'proven',
    send: async (scenario) => {
      const code = await scenario.code();
      scenario.running.clock.advance(8_000);
      await scenario.tokens();
      return scenario.running.token(await scenario.addOtherClient(), {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
      });
    },
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's refresh token",
    about: 'proven',
    details: { parameter: 'refresh_token' },
    send: async (scenario) =>
      scenario.running.token(await scenario.addOtherClient(), {
        grant_type: 'refresh_token',
        refresh_token: (await scenario.tokens()).refresh,
      }),
  },
  {
    rule: 'code-expired',
    name: 'a code that is ten seconds too old',
    about: 'proven',
    details: { secondsAgo: 10, lifetimeSeconds: 60 },
    send: async (scenario) => {
      const code = await scenario.code();
      scenario.running.clock.advance(70);
      return redeem(scenario, code);
    },
  },
  {
    rule: 'code-expired',
    name: 'a code that is hours too old',
    about: 'proven',
    details: { secondsAgo: 7_940 },
    send: async (scenario) => {
      const code = await scenario.code();
      scenario.running.clock.advance(8_000);
      await scenario.tokens(); // makes the projection forget the code
      return redeem(scenario, code);
    },
  },
  {
    rule: 'code-redeemed',
    name: 'a code redeemed twice',
    about: 'proven',
    details: { endsGrant: true },
    send: async (scenario) => {
      const code = await scenario.code();
      await redeem(scenario, code);
      return redeem(scenario, code);
    },
  },
  {
    rule: 'code-redeemed',
    name: 'a code redeemed three times',
    about: 'proven',
    details: { endsGrant: false },
    send: async (scenario) => {
      const code = await scenario.code();
      for (let times = 0; times < 2; times += 1) await redeem(scenario, code);
      return redeem(scenario, code);
    },
  },
  {
    rule: 'grant-revoked',
    name: 'a refresh token that the client revoked',
    about: 'proven',
    details: { parameter: 'refresh_token', reason: 'revoked-by-client' },
    send: async (scenario) => {
      const { refresh: value } = await scenario.tokens();
      await revoke(scenario, value);
      return refresh(scenario, value);
    },
  },
  {
    rule: 'user-inactive',
    name: 'a refresh token of a disabled user',
    about: 'proven',
    details: { parameter: 'refresh_token' },
    send: async (scenario) => {
      const { refresh: value } = await scenario.tokens();
      await disableUser(scenario);
      return refresh(scenario, value);
    },
  },
  {
    rule: 'user-inactive',
    name: 'a code of a disabled user',
    about: 'proven',
    details: { parameter: 'code' },
    send: async (scenario) => {
      const code = await scenario.code();
      await disableUser(scenario);
      return redeem(scenario, code);
    },
  },
  {
    rule: 'session-ended',
    name: 'a refresh token whose session was ended',
    about: 'proven',
    details: { parameter: 'refresh_token' },
    send: async (scenario) => {
      const { refresh: value } = await requestSessionTokens(scenario);
      await endSessions(scenario);
      return refresh(scenario, value);
    },
  },
  {
    rule: 'session-ended',
    name: 'a code whose session was ended',
    about: 'proven',
    details: { parameter: 'code' },
    send: async (scenario) => {
      const code = await scenario.code({ scope: 'openid read' });
      await endSessions(scenario);
      return redeem(scenario, code);
    },
  },
  {
    rule: 'redirect-uri-left-out',
    name: 'no redirect_uri',
    about: 'proven',
    send: async (scenario) => requestToken(scenario, { grant_type: 'authorization_code', code: await scenario.code() }),
  },
  {
    rule: 'redirect-uri-differs',
    name: 'a different port',
    about: 'proven',
    details: { expected: REDIRECT_URI, differences: [{ component: 'port', expected: '', seen: '8443' }] },
    send: async (scenario) =>
      redeem(scenario, await scenario.code(), {
        redirect_uri: REDIRECT_URI.replace('app.example', 'app.example:8443'),
      }),
  },
  {
    rule: 'code-verifier-missing',
    name: 'no code_verifier',
    about: 'proven',
    send: async (scenario) => redeem(scenario, await scenario.code(CHALLENGE)),
  },
  {
    rule: 'code-verifier-unexpected',
    name: 'a verifier without a challenge',
    about: 'proven',
    send: async (scenario) => redeem(scenario, await scenario.code(), { code_verifier: VERIFIER }),
  },
  {
    rule: 'code-verifier-mismatch',
    name: 'a different verifier',
    about: 'proven',
    details: { isChallenge: false, method: 'S256' },
    send: async (scenario) => redeem(scenario, await scenario.code(CHALLENGE), { code_verifier: 'v'.repeat(43) }),
  },
  {
    rule: 'code-verifier-mismatch',
    name: 'the challenge as the verifier',
    about: 'proven',
    details: { isChallenge: true },
    send: async (scenario) =>
      redeem(scenario, await scenario.code(CHALLENGE), { code_verifier: CHALLENGE.code_challenge }),
  },
  {
    rule: 'client-in-test-mode',
    name: 'the password of a user who is not a test user',
    about: 'proven',
    details: { what: 'password' },
    send: async (scenario) => {
      const storedClient = findStoredClient(scenario);
      const { registration } = scenario.running.service();
      await registration.update(storedClient.clientId, { ...storedClient, mode: 'test' }, OPERATOR);
      return requestToken(scenario, { grant_type: 'password', ...scenario.user });
    },
  },
  {
    rule: 'password-wrong',
    name: 'a wrong password',
    about: 'proven',
    send: (scenario) =>
      requestToken(scenario, {
        grant_type: 'password',
        username: scenario.user.username,
        password: 'a wrong password',
      }),
  },
  {
    rule: 'second-factor-needed',
    name: 'the password of a user with two-step login',
    about: 'proven',
    details: { by: 'user' },
    send: async (scenario) => {
      const { secondFactorChanges, projections, clock } = scenario.running.service();
      const user = projections.users.findByName(scenario.user.username);
      if (user === undefined) throw new Error('the user of the scenario is gone');
      const { secret } = secondFactorChanges.offerApp(user, 'session');
      const code = oneTimePassword(secret, clock.now() / 1000);
      const redemption = { code, session: 'session', first: { method: 'password' } } as const;
      await secondFactorChanges.addApp(user, redemption, { actor: { kind: 'operator' }, requestId: null });
      return requestToken(scenario, { grant_type: 'password', ...scenario.user });
    },
  },
  {
    rule: 'password-wrong',
    name: 'an unknown user name',
    about: 'proven',
    send: (scenario) =>
      requestToken(scenario, { grant_type: 'password', username: 'nobody', password: scenario.user.password }),
  },
  {
    rule: 'refresh-token-expired',
    name: 'a refresh token that is a minute too old',
    about: 'proven',
    details: { secondsAgo: 60 },
    send: async (scenario) => {
      const { refresh: value } = await scenario.tokens();
      scenario.running.clock.advance(86_460);
      return refresh(scenario, value);
    },
  },
  {
    rule: 'refresh-token-reused',
    name: 'a used refresh token after the retry window',
    about: 'proven',
    details: { windowSeconds: 30 },
    send: async (scenario) => {
      const { refresh: value } = await scenario.tokens();
      await refresh(scenario, value);
      scenario.running.clock.advance(60);
      return refresh(scenario, value);
    },
  },
  {
    rule: 'retry-differs',
    name: 'a different scope',
    about: 'proven',
    details: { parameter: 'scope', before: ['read', 'write'] },
    send: async (scenario) => {
      const { refresh: value } = await scenario.tokens('read write');
      await refresh(scenario, value);
      return refresh(scenario, value, { scope: 'read' });
    },
  },
  {
    rule: 'retry-differs',
    name: 'a different resource server',
    about: 'proven',
    details: { parameter: 'resource' },
    send: async (scenario) => {
      const { refresh: value } = await scenario.tokens();
      await refresh(scenario, value);
      return refresh(scenario, value, { resource: 'https://api.example' });
    },
  },
  {
    rule: 'answer-not-repeatable',
    name: 'a JWT whose scope was withdrawn',
    about: 'proven',
    send: async (scenario) => {
      const allowed = await scenario.addOtherClient({ accessTokenFormat: 'jwt', restrictedScopes: ['introspection'] });
      const jwtScenario = { ...scenario, client: allowed };
      const { json } = await requestToken(jwtScenario, {
        grant_type: 'password',
        ...scenario.user,
        scope: 'read introspection',
      });
      const value = String(json?.['refresh_token']);
      await refresh(jwtScenario, value);
      const { registration } = scenario.running.service();
      const storedClient = findStoredClient(jwtScenario);
      await registration.update(storedClient.clientId, { ...storedClient, restrictedScopes: [] }, OPERATOR);
      return refresh(jwtScenario, value);
    },
  },
];

/** Refusals by policies, and of bearer tokens for introspection. */
const POLICY_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'credentials-missing',
    name: 'no credentials',
    about: 'nobody',
    details: { accepts: ['token'], seen: 'nothing' },
    send: ({ running }) => running.get('/users/'),
  },
  {
    rule: 'credentials-missing',
    name: 'Basic',
    about: 'nobody',
    details: { seen: 'another scheme' },
    send: ({ running, client: { basic } }) => running.get('/users/', { authorization: basic }),
  },
  {
    rule: 'credentials-missing',
    name: 'a session, which this API does not accept',
    about: 'nobody',
    details: { seen: 'nothing' },
    send: ({ browser }) => browser.get('/users/'),
  },
  {
    rule: 'token-unknown',
    name: 'a token from another server',
    about: 'nobody',
    details: { form: 'other' },
    send: (scenario) => callApi(scenario, 'abc'),
  },
  {
    rule: 'token-unknown',
    name: 'a refresh token',
    about: 'nobody',
    details: { form: 'refresh token' },
    send: async (scenario) => callApi(scenario, (await scenario.tokens()).refresh),
  },
  {
    rule: 'token-unknown',
    name: 'a client secret at introspection',
    about: 'nobody',
    details: { form: 'client secret' },
    send: ({ running, client: { secret } }) =>
      running.post('/o/introspect/', { token: 'x' }, { authorization: `Bearer ${secret}` }),
  },
  {
    rule: 'token-expired',
    name: 'an expired token at introspection',
    about: 'named',
    details: { secondsAgo: 60 },
    send: async (scenario) => {
      const { access } = await scenario.tokens();
      scenario.running.clock.advance(36_060);
      return scenario.running.post('/o/introspect/', { token: 'x' }, { authorization: `Bearer ${access}` });
    },
  },
  {
    rule: 'token-expired',
    name: 'an access token that is a minute too old',
    about: 'named',
    details: { secondsAgo: 60 },
    send: async (scenario) => {
      const { access } = await scenario.tokens();
      scenario.running.clock.advance(36_060);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'token-superseded',
    name: 'an access token a minute after the retry window',
    about: 'named',
    details: { secondsAgo: 60 },
    send: async (scenario) => {
      const { access, refresh: value } = await scenario.tokens();
      await refresh(scenario, value);
      scenario.running.clock.advance(90);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'grant-revoked',
    name: 'a revoked access token',
    about: 'named',
    details: { parameter: 'access token', reason: 'revoked-by-client' },
    send: async (scenario) => {
      const { access } = await scenario.tokens();
      await revoke(scenario, access);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'grant-revoked',
    name: 'a revoked access token of a client',
    about: 'named',
    details: { parameter: 'access token', reason: 'revoked-by-client' },
    send: async (scenario) => {
      const { json } = await requestToken(scenario, { grant_type: 'client_credentials', scope: 'read' });
      await revoke(scenario, String(json?.['access_token']));
      return callApi(scenario, String(json?.['access_token']));
    },
  },
  {
    rule: 'token-key-retired',
    name: 'a JWT whose key was retired',
    about: 'named',
    async send(scenario) {
      const { running } = scenario;
      const client = await scenario.addOtherClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm: 'EdDSA' });
      const { json } = await running.token(client, { grant_type: 'client_credentials', scope: 'read' });
      const jwt = String(json?.['access_token']);
      const [{ keyRotation }, now] = [running.service(), seconds(Math.floor(running.clock.now() / 1000))];
      await keyRotation.introduce('EdDSA', now, 'requested');
      await keyRotation.retire(decodeProtectedHeader(jwt).kid as KeyId, now, OPERATOR);
      return callApi(scenario, jwt);
    },
  },
  {
    rule: 'session-ended',
    name: 'an access token whose session was ended',
    about: 'named',
    details: { parameter: 'access token' },
    send: async (scenario) => {
      const { access } = await requestSessionTokens(scenario);
      await endSessions(scenario);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'user-inactive',
    name: 'an access token of a disabled user',
    about: 'named',
    details: { parameter: 'access token' },
    send: async (scenario) => {
      const { access } = await scenario.tokens();
      await disableUser(scenario);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'token-client-disabled',
    name: 'an access token of a disabled client',
    about: 'named',
    send: async (scenario) => {
      const { access } = await scenario.tokens();
      await scenario.running.service().registration.setDisabled(findStoredClient(scenario).clientId, true, OPERATOR);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'token-client-removed',
    name: 'an access token of a removed client',
    about: 'nobody',
    send: async (scenario) => {
      const { access } = await scenario.tokens();
      await scenario.running.service().registration.remove(findStoredClient(scenario).clientId, OPERATOR);
      return callApi(scenario, access);
    },
  },
  {
    rule: 'token-for-other-resource',
    name: 'a token for another resource server',
    about: 'named',
    details: { resource: ['https://api.example'] },
    send: async (scenario) =>
      callApi(scenario, (await scenario.tokens('read', { resource: 'https://api.example' })).access),
  },
  {
    rule: 'token-sent-twice',
    name: 'a token in the header and in the body',
    about: 'nobody',
    send: async ({ running, tokens }) => {
      const { access } = await tokens('read');
      return running.post('/o/userinfo/', { access_token: access }, { authorization: `Bearer ${access}` });
    },
  },
  {
    rule: 'token-lacks-scope',
    name: 'a write with the read scope',
    about: 'proven',
    details: { alternatives: [['write']], held: ['read'] },
    send: async (scenario) => callApi(scenario, (await scenario.tokens('read')).access, 'POST'),
  },
  {
    rule: 'token-lacks-scope',
    name: 'a token without the introspection scope',
    about: 'proven',
    details: { alternatives: [['introspection']] },
    send: async (scenario) =>
      scenario.running.post(
        '/o/introspect/',
        { token: 'x' },
        { authorization: `Bearer ${(await scenario.tokens()).access}` },
      ),
  },
];

export const CREDENTIAL_REFUSALS: readonly RefusedRequest[] = [
  ...SCOPE_REFUSALS,
  ...GRANT_REFUSALS,
  ...POLICY_REFUSALS,
];
