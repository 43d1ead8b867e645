import { MAX_SMALL_CHUNKS } from '../../../src/http/pipeline/read-body.ts';
import {
  requestAuthorization,
  OVERLOADING_PASSWORD,
  CHALLENGE,
  redeem,
  requestToken,
  type RefusedRequest,
} from './scenario.ts';

function oneByteChunks(text: string): RequestInit {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = ReadableStream.from(Array.from(text, (letter) => Buffer.from(letter)));
  return { method: 'POST', headers, body, duplex: 'half' };
}

/** Requests whose method, encoding or parameters are refused, and one that overloads the server. */
export const REQUEST_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'method-not-allowed',
    name: 'GET at the token endpoint',
    about: 'nobody',
    send: ({ running }) => running.get('/o/token/'),
  },
  {
    rule: 'method-not-allowed',
    name: 'DELETE at the authorize endpoint',
    about: 'nobody',
    send: ({ running }) => running.send('/o/authorize/', { method: 'DELETE' }),
  },
  {
    rule: 'parameters-in-address',
    name: 'a secret in the query',
    about: 'nobody',
    send: ({ running, client: { secret } }) => running.post(`/o/token/?client_secret=${secret}`, ''),
  },
  {
    rule: 'content-type',
    name: 'a text body',
    about: 'nobody',
    send: ({ running, client: { secret } }) =>
      running.post('/o/token/', 'x', { 'content-type': `text/plain; x=${secret}` }),
  },
  {
    rule: 'content-encoding',
    name: 'gzip',
    about: 'nobody',
    send: ({ running }) => running.post('/o/token/', 'x', { 'content-encoding': 'gzip' }),
  },
  {
    rule: 'charset',
    name: 'an unsupported charset',
    about: 'nobody',
    send: ({ running }) =>
      running.post('/o/token/', 'x', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' }),
  },
  {
    rule: 'body-too-large',
    name: 'a large body',
    about: 'nobody',
    details: { limitBytes: 65_536 },
    send: ({ running }) => running.post('/o/token/', 'x'.repeat(70_000)),
  },
  {
    rule: 'body-in-pieces',
    name: 'chunks of one byte',
    about: 'nobody',
    details: { most: MAX_SMALL_CHUNKS },
    send: ({ running }) => running.send('/o/token/', oneByteChunks('x'.repeat(MAX_SMALL_CHUNKS + 1))),
  },
  {
    rule: 'body-malformed',
    name: 'malformed percent-encoding',
    about: 'nobody',
    send: ({ running }) => running.post('/o/token/', 'a=%zz'),
  },
  {
    rule: 'body-malformed',
    name: 'a body that is not UTF-8',
    about: 'nobody',
    send: ({ running }) =>
      running.send('/o/token/', {
        method: 'POST',
        body: Buffer.from([0xff, 0xfe]),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  },
  {
    rule: 'body-malformed',
    name: 'JSON other than an object',
    about: 'nobody',
    send: ({ running }) => running.post('/o/token/', '[1]', { 'content-type': 'application/json' }),
  },
  {
    rule: 'too-many-parameters',
    name: 'many parameters',
    about: 'nobody',
    send: ({ running }) => running.post('/o/token/', 'a=1&'.repeat(200)),
  },
  {
    rule: 'parameter-repeated',
    name: 'a repeated parameter',
    about: 'nobody',
    details: { parameter: 'grant_type' },
    send: ({ running }) => running.post('/o/token/', 'grant_type=a&grant_type=b'),
  },
  {
    rule: 'parameter-repeated',
    name: 'a secret as a parameter name',
    about: 'nobody',
    details: { parameter: null },
    send: ({ running, client: { secret } }) => running.post('/o/token/', `${secret}&${secret}`),
  },
  {
    rule: 'parameter-repeated',
    name: 'a repeated member in JSON',
    about: 'nobody',
    details: { parameter: null },
    send: ({ running }) => running.post('/o/token/', '{"code":"a","code":"b"}', { 'content-type': 'application/json' }),
  },
  {
    rule: 'parameter-repeated',
    name: 'a repeated parameter of an authorization request',
    about: 'nobody',
    details: { parameter: 'state' },
    send: ({ browser }) => browser.get('/o/authorize/?state=a&state=b'),
  },
  {
    rule: 'parameter-not-a-string',
    name: 'a number in JSON',
    about: 'nobody',
    details: { parameter: 'scope' },
    send: ({ running }) => running.post('/o/token/', '{"scope":1}', { 'content-type': 'application/json' }),
  },
  {
    rule: 'parameter-missing',
    name: 'no grant_type',
    about: 'named',
    details: { parameter: 'grant_type' },
    send: (scenario) => requestToken(scenario, {}),
  },
  {
    rule: 'parameter-missing',
    name: 'no code',
    about: 'proven',
    details: { parameter: 'code' },
    send: (scenario) => requestToken(scenario, { grant_type: 'authorization_code' }),
  },
  {
    rule: 'parameter-missing',
    name: 'no refresh_token',
    about: 'proven',
    details: { parameter: 'refresh_token' },
    send: (scenario) => requestToken(scenario, { grant_type: 'refresh_token' }),
  },
  {
    rule: 'parameter-missing',
    name: 'no password',
    about: 'proven',
    details: { parameter: 'password' },
    send: (scenario) => requestToken(scenario, { grant_type: 'password', username: scenario.user.username }),
  },
  {
    rule: 'parameter-missing',
    name: 'no token to revoke',
    about: 'proven',
    details: { parameter: 'token' },
    send: ({ running, client: { basic } }) => running.post('/o/revoke_token/', '', { authorization: basic }),
  },
  {
    rule: 'parameter-missing',
    name: 'no token to introspect',
    about: 'proven',
    details: { parameter: 'token' },
    send: ({ running, client: { basic } }) => running.post('/o/introspect/', '', { authorization: basic }),
  },
  {
    rule: 'parameter-missing',
    name: 'no response_type',
    about: 'named',
    details: { parameter: 'response_type' },
    send: (scenario) => requestAuthorization(scenario, { response_type: null }),
  },
  {
    rule: 'parameter-missing',
    name: 'no client_id',
    about: 'nobody',
    details: { parameter: 'client_id' },
    send: ({ browser }) => browser.get('/o/authorize/'),
  },
  {
    rule: 'parameter-value',
    name: 'a grant type as spelled in the registration form',
    about: 'named',
    details: { parameter: 'grant_type', seen: 'authorization-code' },
    send: (scenario) => requestToken(scenario, { grant_type: 'authorization-code' }),
  },
  {
    rule: 'parameter-value',
    name: 'a secret instead of a grant type',
    about: 'named',
    details: { parameter: 'grant_type', seen: null },
    send: (scenario) => requestToken(scenario, { grant_type: scenario.user.password }),
  },
  {
    rule: 'parameter-value',
    name: 'the implicit grant',
    about: 'named',
    details: { parameter: 'response_type', seen: 'token' },
    send: (scenario) => requestAuthorization(scenario, { response_type: 'token' }),
  },
  {
    rule: 'parameter-value',
    name: 'an unsupported response_mode',
    about: 'named',
    details: { parameter: 'response_mode', seen: 'fragment' },
    send: (scenario) => requestAuthorization(scenario, { response_mode: 'fragment' }),
  },
  {
    rule: 'parameter-value',
    name: 'PKCE without a method',
    about: 'named',
    details: { parameter: 'code_challenge_method', seen: 'plain', allowed: ['S256'] },
    send: (scenario) => requestAuthorization(scenario, { code_challenge: CHALLENGE.code_challenge }),
  },
  {
    rule: 'parameter-value',
    name: 'an unknown prompt',
    about: 'named',
    details: { parameter: 'prompt' },
    send: (scenario) => requestAuthorization(scenario, { prompt: 'create' }),
  },
  {
    rule: 'parameter-value',
    name: 'prompt=none with another value',
    about: 'named',
    details: { parameter: 'prompt', seen: 'none login', allowed: ['none by itself'] },
    send: (scenario) => requestAuthorization(scenario, { prompt: 'none login' }),
  },
  {
    rule: 'parameter-malformed',
    name: 'a long state',
    about: 'named',
    details: { parameter: 'state', length: 5_000 },
    send: (scenario) => requestAuthorization(scenario, { state: 's'.repeat(5_000) }),
  },
  {
    rule: 'parameter-malformed',
    name: 'a short challenge',
    about: 'named',
    details: { parameter: 'code_challenge', length: 5 },
    send: (scenario) => requestAuthorization(scenario, { ...CHALLENGE, code_challenge: 'short' }),
  },
  {
    rule: 'parameter-malformed',
    name: 'a max_age that is not a number',
    about: 'named',
    details: { parameter: 'max_age' },
    send: (scenario) => requestAuthorization(scenario, { max_age: 'ten' }),
  },
  {
    rule: 'parameter-malformed',
    name: 'a verifier with invalid characters',
    about: 'proven',
    details: { parameter: 'code_verifier' },
    send: async (scenario) => redeem(scenario, await scenario.code(), { code_verifier: 'vérifier' }),
  },
  {
    rule: 'form-not-of-session',
    name: 'a consent form without its token',
    about: 'nobody',
    send: ({ browser }) => browser.post('/o/authorize/', { allow: 'yes' }),
  },
  {
    rule: 'overloaded',
    name: 'a password that cannot be hashed in time',
    about: 'proven',
    send: (scenario) =>
      requestToken(scenario, {
        grant_type: 'password',
        username: scenario.user.username,
        password: OVERLOADING_PASSWORD,
      }),
  },
];
