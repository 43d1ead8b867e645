import { REDIRECT_URI } from '../running-service.ts';
import {
  asClient,
  ask,
  call,
  CHALLENGE,
  clientRecord,
  disable,
  OPERATOR,
  redeem,
  refresh,
  token,
  VERIFIER,
  type RefusedRequest,
  type Workplace,
} from './workplace.ts';

const revoke = ({ running, client: { basic } }: Workplace, value: string) =>
  running.post('/o/revoke_token/', { token: value }, { authorization: basic });

/** Scopes and resource servers. */
const OF_SCOPES: readonly RefusedRequest[] = [
  {
    rule: 'scope-missing',
    name: 'no default scope',
    about: 'proven',
    details: { grant: 'client-credentials' },
    send: (at) => asClient(at, at.client.id, at.client.secret),
  },
  {
    rule: 'scope-malformed',
    name: 'a scope with quotes',
    about: 'proven',
    send: (at) => token(at, { grant_type: 'client_credentials', scope: '"read"' }),
  },
  {
    rule: 'scope-unknown',
    name: 'an unknown scope',
    about: 'proven',
    details: { unknown: ['profile'] },
    send: (at) => token(at, { grant_type: 'client_credentials', scope: 'read profile' }),
  },
  {
    rule: 'scope-unknown',
    name: 'secrets instead of scopes',
    about: 'proven',
    details: { unknown: ['[redacted]', '[redacted]'] },
    send: (at) => token(at, { grant_type: 'client_credentials', scope: `${at.client.secret} ${VERIFIER}` }),
  },
  {
    rule: 'scope-restricted',
    name: 'a restricted scope without permission',
    about: 'proven',
    details: { restricted: ['audit'] },
    send: (at) => token(at, { grant_type: 'client_credentials', scope: 'read audit' }),
  },
  {
    rule: 'scope-restricted',
    name: 'a restricted scope at a refresh',
    about: 'proven',
    details: { restricted: ['audit'] },
    send: async (at) => refresh(at, (await at.tokens()).refresh, { scope: 'audit' }),
  },
  {
    rule: 'scope-needs-role',
    name: 'the scope audit for a user without the role',
    about: 'proven',
    details: { scope: 'audit' },
    send: async (at) =>
      at.running.token(await at.other({ restrictedScopes: ['audit'] }), {
        grant_type: 'password',
        ...at.user,
        scope: 'audit',
      }),
  },
  {
    rule: 'scope-not-granted',
    name: 'a wider scope than granted',
    about: 'proven',
    details: { missing: ['write'], granted: ['read'] },
    send: async (at) => refresh(at, (await at.tokens('read')).refresh, { scope: 'read write' }),
  },
  {
    rule: 'too-many-resources',
    name: 'eleven resource servers',
    about: 'proven',
    details: { most: 10, seen: 11 },
    send: (at) =>
      at.running.post(
        '/o/token/',
        `grant_type=client_credentials&scope=read${'&resource=https://api.example'.repeat(11)}`,
        { authorization: at.client.basic },
      ),
  },
  {
    rule: 'resource-malformed',
    name: 'a resource that is no URI',
    about: 'proven',
    details: { seen: 'api' },
    send: (at) => token(at, { grant_type: 'client_credentials', scope: 'read', resource: 'api' }),
  },
  {
    rule: 'resource-unknown',
    name: 'an unknown resource server',
    about: 'named',
    details: { seen: 'https://other.example' },
    send: (at) => ask(at, { resource: 'https://other.example' }),
  },
  {
    rule: 'resource-not-granted',
    name: 'a resource beyond those of the code',
    about: 'proven',
    details: { missing: ['http://localhost:8000'], granted: ['https://api.example'] },
    send: async (at) =>
      redeem(at, await at.code({ resource: 'https://api.example' }), { resource: 'http://localhost:8000' }),
  },
  {
    rule: 'resource-not-granted',
    name: 'a resource beyond those of the refresh token',
    about: 'proven',
    send: async (at) =>
      refresh(at, (await at.tokens('read', { resource: 'https://api.example' })).refresh, {
        resource: 'http://localhost:8000',
      }),
  },
];

/** Codes, refresh tokens and passwords. */
const OF_GRANTS: readonly RefusedRequest[] = [
  {
    rule: 'credential-unknown',
    name: 'a malformed code',
    about: 'proven',
    details: { form: 'other' },
    send: (at) => redeem(at, 'abc'),
  },
  {
    rule: 'credential-unknown',
    name: 'an access token instead of a code',
    about: 'proven',
    details: { form: 'access token' },
    send: async (at) => redeem(at, (await at.tokens()).access),
  },
  {
    rule: 'credential-unknown',
    name: 'a truncated code',
    about: 'proven',
    details: { form: 'incomplete' },
    send: async (at) => redeem(at, (await at.code()).slice(0, -1)),
  },
  {
    rule: 'credential-unknown',
    name: 'a code instead of a refresh token',
    about: 'proven',
    details: { parameter: 'refresh_token', form: 'authorization code' },
    send: async (at) => refresh(at, await at.code()),
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's code",
    about: 'proven',
    send: async (at) =>
      at.running.token(await at.other(), {
        grant_type: 'authorization_code',
        code: await at.code(),
        redirect_uri: REDIRECT_URI,
      }),
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's dead code",
    about: 'proven',
    send: async (at) => {
      const code = await at.code();
      at.running.clock.advance(8_000);
      await at.tokens();
      return at.running.token(await at.other(), { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    },
  },
  {
    rule: 'credential-of-another-client',
    name: "another client's refresh token",
    about: 'proven',
    details: { parameter: 'refresh_token' },
    send: async (at) =>
      at.running.token(await at.other(), { grant_type: 'refresh_token', refresh_token: (await at.tokens()).refresh }),
  },
  {
    rule: 'code-expired',
    name: 'ten seconds late',
    about: 'proven',
    details: { secondsAgo: 10, lifetimeSeconds: 60 },
    send: async (at) => {
      const code = await at.code();
      at.running.clock.advance(70);
      return redeem(at, code);
    },
  },
  {
    rule: 'code-expired',
    name: 'hours late',
    about: 'proven',
    details: { secondsAgo: 7_940 },
    send: async (at) => {
      const code = await at.code();
      at.running.clock.advance(8_000);
      await at.tokens(); // the projection lets go of it
      return redeem(at, code);
    },
  },
  {
    rule: 'code-redeemed',
    name: 'a second time',
    about: 'proven',
    details: { endsGrant: true },
    send: async (at) => {
      const code = await at.code();
      await redeem(at, code);
      return redeem(at, code);
    },
  },
  {
    rule: 'code-redeemed',
    name: 'a third time',
    about: 'proven',
    details: { endsGrant: false },
    send: async (at) => {
      const code = await at.code();
      for (let times = 0; times < 2; times += 1) await redeem(at, code);
      return redeem(at, code);
    },
  },
  {
    rule: 'grant-revoked',
    name: 'a refresh token that the client revoked',
    about: 'proven',
    details: { parameter: 'refresh_token', reason: 'revoked-by-client' },
    send: async (at) => {
      const { refresh: value } = await at.tokens();
      await revoke(at, value);
      return refresh(at, value);
    },
  },
  {
    rule: 'user-inactive',
    name: 'a refresh token of a disabled user',
    about: 'proven',
    details: { parameter: 'refresh_token' },
    send: async (at) => {
      const { refresh: value } = await at.tokens();
      await disable(at);
      return refresh(at, value);
    },
  },
  {
    rule: 'user-inactive',
    name: 'a code of a disabled user',
    about: 'proven',
    details: { parameter: 'code' },
    send: async (at) => {
      const code = await at.code();
      await disable(at);
      return redeem(at, code);
    },
  },
  {
    rule: 'redirect-uri-left-out',
    name: 'none',
    about: 'proven',
    send: async (at) => token(at, { grant_type: 'authorization_code', code: await at.code() }),
  },
  {
    rule: 'redirect-uri-differs',
    name: 'another port',
    about: 'proven',
    details: { expected: REDIRECT_URI, differences: [{ component: 'port', expected: '', seen: '8443' }] },
    send: async (at) =>
      redeem(at, await at.code(), { redirect_uri: REDIRECT_URI.replace('app.example', 'app.example:8443') }),
  },
  {
    rule: 'code-verifier-missing',
    name: 'none',
    about: 'proven',
    send: async (at) => redeem(at, await at.code(CHALLENGE)),
  },
  {
    rule: 'code-verifier-unexpected',
    name: 'a verifier without a challenge',
    about: 'proven',
    send: async (at) => redeem(at, await at.code(), { code_verifier: VERIFIER }),
  },
  {
    rule: 'code-verifier-mismatch',
    name: 'another verifier',
    about: 'proven',
    details: { isChallenge: false, method: 'S256' },
    send: async (at) => redeem(at, await at.code(CHALLENGE), { code_verifier: 'v'.repeat(43) }),
  },
  {
    rule: 'code-verifier-mismatch',
    name: 'the challenge',
    about: 'proven',
    details: { isChallenge: true },
    send: async (at) => redeem(at, await at.code(CHALLENGE), { code_verifier: CHALLENGE.code_challenge }),
  },
  {
    rule: 'password-wrong',
    name: 'a wrong password',
    about: 'proven',
    send: (at) => token(at, { grant_type: 'password', username: at.user.username, password: 'a wrong password' }),
  },
  {
    rule: 'password-wrong',
    name: 'an unknown user name',
    about: 'proven',
    send: (at) => token(at, { grant_type: 'password', username: 'nobody', password: at.user.password }),
  },
  {
    rule: 'refresh-token-expired',
    name: 'a day and a minute later',
    about: 'proven',
    details: { secondsAgo: 60 },
    send: async (at) => {
      const { refresh: value } = await at.tokens();
      at.running.clock.advance(86_460);
      return refresh(at, value);
    },
  },
  {
    rule: 'refresh-token-reused',
    name: 'after the window',
    about: 'proven',
    details: { windowSeconds: 30 },
    send: async (at) => {
      const { refresh: value } = await at.tokens();
      await refresh(at, value);
      at.running.clock.advance(60);
      return refresh(at, value);
    },
  },
  {
    rule: 'retry-differs',
    name: 'another scope',
    about: 'proven',
    details: { parameter: 'scope', before: ['read', 'write'] },
    send: async (at) => {
      const { refresh: value } = await at.tokens('read write');
      await refresh(at, value);
      return refresh(at, value, { scope: 'read' });
    },
  },
  {
    rule: 'retry-differs',
    name: 'another resource server',
    about: 'proven',
    details: { parameter: 'resource' },
    send: async (at) => {
      const { refresh: value } = await at.tokens();
      await refresh(at, value);
      return refresh(at, value, { resource: 'https://api.example' });
    },
  },
  {
    rule: 'answer-not-repeatable',
    name: 'a JWT whose scope was withdrawn',
    about: 'proven',
    send: async (at) => {
      const allowed = await at.other({ accessTokenFormat: 'jwt', restrictedScopes: ['introspection'] });
      const own = { ...at, client: allowed };
      const { json } = await token(own, { grant_type: 'password', ...at.user, scope: 'read introspection' });
      const value = String(json?.['refresh_token']);
      await refresh(own, value);
      const { registration } = at.running.service();
      const known = clientRecord(own);
      await registration.update(known.clientId, { ...known, restrictedScopes: [] }, OPERATOR);
      return refresh(own, value);
    },
  },
];

/** Policies and the bearer tokens of introspection. */
const OF_POLICIES: readonly RefusedRequest[] = [
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
    name: 'a token of another server',
    about: 'nobody',
    details: { form: 'other' },
    send: (at) => call(at, 'abc'),
  },
  {
    rule: 'token-unknown',
    name: 'a refresh token',
    about: 'nobody',
    details: { form: 'refresh token' },
    send: async (at) => call(at, (await at.tokens()).refresh),
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
    name: 'at introspection',
    about: 'named',
    details: { secondsAgo: 60 },
    send: async (at) => {
      const { access } = await at.tokens();
      at.running.clock.advance(36_060);
      return at.running.post('/o/introspect/', { token: 'x' }, { authorization: `Bearer ${access}` });
    },
  },
  {
    rule: 'token-expired',
    name: 'a minute late',
    about: 'named',
    details: { secondsAgo: 60 },
    send: async (at) => {
      const { access } = await at.tokens();
      at.running.clock.advance(36_060);
      return call(at, access);
    },
  },
  {
    rule: 'token-superseded',
    name: 'a minute late',
    about: 'named',
    details: { secondsAgo: 60 },
    send: async (at) => {
      const { access, refresh: value } = await at.tokens();
      await refresh(at, value);
      at.running.clock.advance(90);
      return call(at, access);
    },
  },
  {
    rule: 'grant-revoked',
    name: 'a revoked access token',
    about: 'named',
    details: { parameter: 'access token', reason: 'revoked-by-client' },
    send: async (at) => {
      const { access } = await at.tokens();
      await revoke(at, access);
      return call(at, access);
    },
  },
  {
    rule: 'grant-revoked',
    name: 'a revoked access token of a client',
    about: 'named',
    details: { parameter: 'access token', reason: 'revoked-by-client' },
    send: async (at) => {
      const { json } = await token(at, { grant_type: 'client_credentials', scope: 'read' });
      await revoke(at, String(json?.['access_token']));
      return call(at, String(json?.['access_token']));
    },
  },
  {
    rule: 'user-inactive',
    name: 'an access token of a disabled user',
    about: 'named',
    details: { parameter: 'access token' },
    send: async (at) => {
      const { access } = await at.tokens();
      await disable(at);
      return call(at, access);
    },
  },
  {
    rule: 'token-client-removed',
    name: 'an access token of a removed client',
    about: 'nobody',
    send: async (at) => {
      const { access } = await at.tokens();
      await at.running.service().registration.remove(clientRecord(at).clientId, OPERATOR);
      return call(at, access);
    },
  },
  {
    rule: 'token-for-other-resource',
    name: 'a token for another resource server',
    about: 'named',
    details: { resource: ['https://api.example'] },
    send: async (at) => call(at, (await at.tokens('read', { resource: 'https://api.example' })).access),
  },
  {
    rule: 'token-lacks-scope',
    name: 'a write with the scope read',
    about: 'proven',
    details: { alternatives: [['write']], held: ['read'] },
    send: async (at) => call(at, (await at.tokens('read')).access, 'POST'),
  },
  {
    rule: 'token-lacks-scope',
    name: 'at introspection',
    about: 'proven',
    details: { alternatives: [['introspection']] },
    send: async (at) =>
      at.running.post('/o/introspect/', { token: 'x' }, { authorization: `Bearer ${(await at.tokens()).access}` }),
  },
];

export const OF_CREDENTIALS: readonly RefusedRequest[] = [...OF_SCOPES, ...OF_GRANTS, ...OF_POLICIES];
