import { signAssertion, keyPairFor, registerKeysUri, withAssertion } from '../assertions.ts';
import {
  forgeRequestObject,
  push,
  pushForUri,
  pushedPath,
  requestClaims,
  signRequestObject,
  secureRequests,
} from '../signed-requests.ts';
import { requestAuthorization, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const KEY = keyPairFor('ES256');
const OTHER_KEY = keyPairFor('ES256', 'another key');

type Changes = Parameters<typeof signRequestObject>[3];

/** Sends a request object from a client that has registered a key. */
async function send(
  scenario: RefusalScenario,
  changes: Changes,
  key = KEY,
  otherParameters: Readonly<Record<string, string>> = {},
) {
  const { running, client } = scenario;
  await secureRequests(running, client, [KEY]);
  const request = await signRequestObject(running, client, key, changes);
  return requestAuthorization(scenario, { request, ...otherParameters });
}

/** Sends a request object that a JOSE library would refuse to create. */
async function sendForged(scenario: RefusalScenario, request: (scenario: RefusalScenario) => string) {
  await secureRequests(scenario.running, scenario.client, [KEY]);
  return requestAuthorization(scenario, { request: request(scenario) });
}

async function sendReference(scenario: RefusalScenario, registered: string, request_uri: string) {
  await secureRequests(scenario.running, scenario.client, [KEY], { requestUris: [registered] });
  return requestAuthorization(scenario, { request_uri });
}

const claimsOf = ({ running, client }: RefusalScenario, claims: object = {}) => ({
  ...requestClaims(running, client),
  ...claims,
});

const secondsFromNow = ({ running }: RefusalScenario, seconds: number): number =>
  Math.floor(running.clock.now() / 1000) + seconds;

const malformedRequest = (
  name: string,
  problem: string,
  request: (scenario: RefusalScenario) => string,
): RefusedRequest => ({
  rule: 'request-object-malformed',
  name,
  about: 'named',
  details: { problem },
  send: (scenario) => sendForged(scenario, request),
});

const badClaim = (name: string, claim: string, claims: object): RefusedRequest => ({
  rule: 'request-object-claim',
  name,
  about: 'named',
  details: { claim },
  send: (scenario) => send(scenario, { claims: { ...claims } }),
});

/** @param hasProfile whether the client has the profile, which limits the lifetime of request objects */
const badTime = (
  name: string,
  problem: string,
  claims: (scenario: RefusalScenario) => object,
  hasProfile = false,
): RefusedRequest => ({
  rule: 'request-object-time',
  name,
  about: hasProfile ? 'proven' : 'named',
  details: { problem },
  send: async (scenario) => {
    const { running, client } = scenario;
    if (!hasProfile) return send(scenario, { claims: { ...claims(scenario) } });
    await secureRequests(running, client, [KEY], { profile: 'fapi2' });
    const request = await signRequestObject(running, client, KEY, { claims: { ...claims(scenario) } });
    const assertion = withAssertion(await signAssertion(running, client, KEY));
    return push(running, { ...client, secret: '' }, { ...assertion, request });
  },
});

/** Refused signed and pushed authorization requests. */
export const REQUEST_OBJECT_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'request-objects-mixed',
    name: 'a request object by value and by reference',
    about: 'named',
    send: (scenario) => send(scenario, {}, KEY, { request_uri: 'https://app.example/request' }),
  },
  {
    rule: 'request-object-missing',
    name: 'unsigned parameters from a client that must sign',
    about: 'named',
    send: async (scenario) => {
      await secureRequests(scenario.running, scenario.client, [KEY], { requireSignedRequestObject: true });
      return requestAuthorization(scenario, {});
    },
  },
  malformedRequest('text that is not a JWT', 'not-a-jwt', () => 'a.b.c'),
  malformedRequest('a kid that is a number', 'not-a-jwt', (scenario) =>
    forgeRequestObject({ alg: 'ES256', kid: 1 }, claimsOf(scenario)),
  ),
  malformedRequest('an encrypted object', 'encrypted', () => 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d'),
  malformedRequest('an object in an object', 'nested', (scenario) =>
    forgeRequestObject({ alg: 'ES256' }, claimsOf(scenario, { request: 'eyJ' })),
  ),
  malformedRequest('a JWT in a JWT', 'nested', (scenario) =>
    forgeRequestObject({ alg: 'ES256', cty: 'JWT' }, claimsOf(scenario)),
  ),
  malformedRequest('a critical extension', 'critical', (scenario) =>
    forgeRequestObject({ alg: 'ES256', crit: ['exp'] }, claimsOf(scenario)),
  ),
  {
    rule: 'request-object-type',
    name: 'the type of an access token',
    about: 'named',
    details: { seen: 'at+jwt' },
    send: (scenario) => send(scenario, { header: { typ: 'at+jwt' } }),
  },
  {
    rule: 'request-object-algorithm',
    name: 'an object without a signature',
    about: 'named',
    details: { seen: 'none' },
    send: (scenario) =>
      sendForged(scenario, (currentScenario) => forgeRequestObject({ alg: 'none' }, claimsOf(currentScenario))),
  },
  {
    rule: 'request-object-algorithm',
    name: 'an algorithm other than the registered one',
    about: 'named',
    details: { seen: 'ES256', allowed: ['PS256'] },
    send: async (scenario) => {
      const { running, client } = scenario;
      await secureRequests(running, client, [KEY, keyPairFor('PS256')], { requestObjectAlgorithm: 'PS256' });
      return requestAuthorization(scenario, { request: await signRequestObject(running, client, KEY) });
    },
  },
  {
    rule: 'request-object-key-unknown',
    name: 'an unknown kid',
    about: 'named',
    details: { seen: 'another key' },
    send: (scenario) => send(scenario, {}, OTHER_KEY),
  },
  {
    rule: 'request-object-keys-unreadable',
    name: 'a jwks_uri that cannot be read',
    about: 'named',
    details: { problem: 'is at an address that this server does not contact (private)' },
    send: async (scenario) => {
      const { running, client } = scenario;
      await registerKeysUri(running, client, 'https://10.0.0.1/jwks.json');
      return requestAuthorization(scenario, { request: await signRequestObject(running, client, KEY) });
    },
  },
  {
    rule: 'request-object-signature-wrong',
    name: 'a signature by a different key',
    about: 'named',
    details: { tried: 1 },
    send: (scenario) => send(scenario, { header: { kid: 'ES256 key' } }, OTHER_KEY),
  },
  badClaim('a different issuer', 'iss', { iss: 'another' }),
  badClaim('no issuer', 'iss', { iss: undefined }),
  badClaim('a different client', 'client_id', { client_id: 'another' }),
  badClaim('the subject of a client assertion', 'iss', { iss: 'another', sub: 'another' }),
  badClaim('a different audience', 'aud', { aud: 'https://other.example' }),
  badClaim('no audience', 'aud', { aud: undefined }),
  badClaim('several audiences without this server', 'aud', { aud: ['https://a.example', 'https://b.example'] }),
  {
    rule: 'request-object-claim',
    name: 'the client as the subject',
    about: 'named',
    details: { claim: 'sub' },
    send: (scenario) => send(scenario, { claims: { sub: scenario.client.id } }),
  },
  badTime('an expired object', 'expired', (scenario) => ({ exp: secondsFromNow(scenario, -1) })),
  badTime('an object from the future', 'not-yet', (scenario) => ({ nbf: secondsFromNow(scenario, 60) })),
  badTime('an object without exp', 'no-expiry', () => ({ exp: undefined }), true),
  badTime('an object without nbf', 'no-start', () => ({ nbf: undefined }), true),
  badTime('an old object', 'too-old', (scenario) => ({ nbf: secondsFromNow(scenario, -3_601), iat: undefined }), true),
  badTime(
    'an object that is valid for too long',
    'too-long',
    (scenario) => ({ exp: secondsFromNow(scenario, 3_601) }),
    true,
  ),
  {
    rule: 'request-object-parameter',
    name: 'a state that is a number',
    about: 'named',
    details: { parameter: 'state' },
    send: (scenario) => send(scenario, { claims: { state: 1 } }),
  },
  {
    rule: 'request-object-parameter',
    name: 'a long state',
    about: 'named',
    details: { parameter: 'state' },
    send: (scenario) => send(scenario, { claims: { state: 'x'.repeat(4_097) } }),
  },
  {
    rule: 'request-object-contradicted',
    name: 'a different response_type in the query',
    about: 'named',
    details: { parameter: 'response_type' },
    send: (scenario) => send(scenario, {}, KEY, { response_type: 'token' }),
  },
  {
    rule: 'push-required',
    name: 'a request in the URL from a client that must push',
    about: 'named',
    details: { by: 'client' },
    send: async (scenario) => {
      const security = { requirePushedAuthorizationRequests: true };
      await secureRequests(scenario.running, scenario.client, [], security);
      return requestAuthorization(scenario, {});
    },
  },
  {
    rule: 'request-uri-pushed',
    name: 'a request_uri in a pushed request',
    about: 'proven',
    send: ({ running, client }) => push(running, client, { request_uri: 'https://app.example/request' }),
  },
  {
    rule: 'request-too-long',
    name: 'a long request',
    about: 'proven',
    send: ({ running, client }) =>
      push(running, client, { state: 'x'.repeat(4_000), id_token_hint: 'x'.repeat(4_000) }),
  },
  {
    rule: 'request-uri-unknown',
    name: 'a made-up request_uri',
    about: 'named',
    send: ({ browser, client }) => browser.get(pushedPath(client, 'urn:ietf:params:oauth:request_uri:made-up')),
  },
  {
    rule: 'request-uri-of-another-client',
    name: "another client's request_uri",
    about: 'named',
    send: async ({ running, browser, client, addOtherClient }) =>
      browser.get(pushedPath(client, await pushForUri(running, await addOtherClient()))),
  },
  {
    rule: 'request-uri-expired',
    name: 'a request_uri two minutes later',
    about: 'named',
    details: { secondsAgo: 60, lifetimeSeconds: 60 },
    send: async ({ running, browser, client }) => {
      const requestUri = await pushForUri(running, client);
      running.clock.advance(120);
      return browser.get(pushedPath(client, requestUri));
    },
  },
  {
    rule: 'request-uri-used',
    name: 'a request_uri after its authorization',
    about: 'named',
    send: async ({ running, browser, client }) => {
      const path = pushedPath(client, await pushForUri(running, client));
      await browser.submit(await browser.get(path), { allow: 'Authorize' });
      return browser.get(path);
    },
  },
  {
    rule: 'request-uri-not-registered',
    name: 'an unregistered URL of a request object',
    about: 'named',
    details: { registered: 1 },
    send: (scenario) => sendReference(scenario, 'https://app.example/request', 'https://app.example/other'),
  },
  {
    rule: 'request-uri-unreadable',
    name: 'a request object that cannot be fetched',
    about: 'named',
    details: { problem: 'is at an address that this server does not contact (private)' },
    send: (scenario) => sendReference(scenario, 'https://10.0.0.1/request', 'https://10.0.0.1/request'),
  },
];
