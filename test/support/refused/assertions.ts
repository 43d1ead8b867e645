import { createHmac } from 'node:crypto';
import { signAssertion, keyPairFor, registerKeys, registerKeysUri, withAssertion } from '../assertions.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

const KEY = keyPairFor('ES256');
const OTHER_KEY = keyPairFor('ES256', 'another key');
const GRANT = { grant_type: 'client_credentials' };

/** Registers a key for the client, and sends an assertion signed with `key`. */
async function send(
  scenario: RefusalScenario,
  changes: Parameters<typeof signAssertion>[3],
  otherParameters: Readonly<Record<string, string>> = {},
  key = KEY,
) {
  const { running, client } = scenario;
  await registerKeys(running, client, KEY);
  const assertion = await signAssertion(running, client, key, changes);
  return running.post('/o/token/', { ...GRANT, ...withAssertion(assertion), ...otherParameters });
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Sends an assertion that a JOSE library would refuse to create. */
async function sendForged(
  scenario: RefusalScenario,
  header: object,
  sign: (input: string) => string = () => '',
): Promise<{ readonly headers: Headers }> {
  const { running, client } = scenario;
  await registerKeys(running, client, KEY);
  const claims = { iss: client.id, sub: client.id, aud: 'http://localhost:8000', jti: 'forged', exp: 9_999_999_999 };
  const input = `${encode(header)}.${encode(claims)}`;
  return running.post('/o/token/', { ...GRANT, ...withAssertion(`${input}.${sign(input)}`) });
}

const secondsFromNow = ({ running }: RefusalScenario, seconds: number): number =>
  Math.floor(running.clock.now() / 1000) + seconds;

const badAudience = (name: string, aud: unknown, seenAudience: string): RefusedRequest => ({
  rule: 'assertion-audience',
  name,
  about: 'named',
  details: { seen: seenAudience, expected: 'http://localhost:8000' },
  send: (scenario) => send(scenario, { claims: { aud } }),
});

const badTime = (name: string, problem: string, claims: (scenario: RefusalScenario) => object): RefusedRequest => ({
  rule: 'assertion-time',
  name,
  about: 'named',
  details: { problem },
  send: (scenario) => send(scenario, { claims: { ...claims(scenario) } }),
});

/** Refused client assertions. */
export const ASSERTION_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'assertion-type',
    name: 'a SAML assertion',
    about: 'named',
    details: { seen: 'another type' },
    send: (scenario) =>
      send(scenario, {}, { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }),
  },
  {
    rule: 'assertion-type',
    name: 'a type without an assertion',
    about: 'named',
    details: { seen: 'no assertion' },
    send: ({ running, client }) =>
      running.post('/o/token/', { ...GRANT, client_id: client.id, client_assertion_type: 'x' }),
  },
  {
    rule: 'assertion-malformed',
    name: 'text that is not a JWT',
    about: 'nobody',
    send: ({ running }) => running.post('/o/token/', { ...GRANT, ...withAssertion('a.b.c') }),
  },
  {
    rule: 'assertion-malformed',
    name: 'a critical extension',
    about: 'named',
    send: (scenario) => sendForged(scenario, { alg: 'ES256', crit: ['exp'] }),
  },
  {
    rule: 'assertion-malformed',
    name: 'an iat that is not a number',
    about: 'named',
    send: (scenario) => send(scenario, { claims: { iat: 'now' } }),
  },
  {
    rule: 'assertion-too-long',
    name: 'a kid of 10 KB, with a client_id',
    about: 'named',
    details: { most: 8_192 },
    send: (scenario) => send(scenario, { header: { kid: 'k'.repeat(10_240) } }, { client_id: scenario.client.id }),
  },
  {
    rule: 'assertion-too-long',
    name: 'a kid of 10 KB, without a client_id',
    about: 'nobody',
    details: { most: 8_192 },
    send: (scenario) => send(scenario, { header: { kid: 'k'.repeat(10_240) } }),
  },
  {
    rule: 'assertion-issuer',
    name: 'a different sub',
    about: 'named',
    details: { differs: 'sub' },
    send: (scenario) => send(scenario, { claims: { sub: 'somebody' } }),
  },
  {
    rule: 'assertion-issuer',
    name: 'neither iss nor sub',
    about: 'nobody',
    details: { differs: 'sub' },
    send: (scenario) => send(scenario, { claims: { iss: undefined, sub: undefined } }),
  },
  {
    rule: 'assertion-issuer',
    name: 'a different client_id',
    about: 'named',
    details: { differs: 'client_id' },
    send: async (scenario) => send(scenario, {}, { client_id: (await scenario.addOtherClient()).id }),
  },
  {
    rule: 'assertion-client-unknown',
    name: 'an unknown client',
    about: 'nobody',
    details: { isAddress: false },
    send: (scenario) => send(scenario, { claims: { iss: 'nobody', sub: 'nobody' } }),
  },
  {
    rule: 'assertion-client-unknown',
    name: 'an unknown client with a URL as its id',
    about: 'nobody',
    details: { isAddress: true },
    send: (scenario) => send(scenario, { claims: { iss: 'https://app.example/c', sub: 'https://app.example/c' } }),
  },
  {
    rule: 'client-method-not-allowed',
    name: 'an assertion of a client with a secret',
    about: 'named',
    details: { seen: 'private_key_jwt' },
    send: async ({ running, client }) =>
      running.post('/o/token/', { ...GRANT, ...withAssertion(await signAssertion(running, client, KEY)) }),
  },
  {
    rule: 'client-method-not-allowed',
    name: 'a secret of a client with keys',
    about: 'named',
    details: { allowed: ['private_key_jwt'], seen: 'client_secret_basic' },
    send: async ({ running, client }) => {
      await registerKeys(running, client, KEY);
      return running.token(client, GRANT);
    },
  },
  {
    rule: 'client-method-not-allowed',
    name: 'no credentials from a client with keys',
    about: 'named',
    details: { seen: 'only a client_id' },
    send: async ({ running, client }) => {
      await registerKeys(running, client, KEY);
      return running.post('/o/token/', { ...GRANT, client_id: client.id });
    },
  },
  {
    rule: 'client-methods-mixed',
    name: 'an assertion and a secret',
    about: 'named',
    send: (scenario) => send(scenario, {}, { client_secret: scenario.client.secret, client_id: scenario.client.id }),
  },
  {
    rule: 'assertion-algorithm',
    name: 'alg none',
    about: 'named',
    details: { seen: 'none' },
    send: (scenario) => sendForged(scenario, { alg: 'none' }),
  },
  {
    rule: 'assertion-algorithm',
    name: 'HS256 with the public key as the secret',
    about: 'named',
    details: { seen: 'HS256' },
    send: (scenario) =>
      sendForged(scenario, { alg: 'HS256' }, (input) =>
        createHmac('sha256', JSON.stringify(KEY.jwk)).update(input).digest('base64url'),
      ),
  },
  {
    rule: 'assertion-key-unknown',
    name: 'a kid that is a path',
    about: 'named',
    details: { seen: '../../etc/passwd', known: ['ES256 key'] },
    send: (scenario) => send(scenario, { header: { kid: '../../etc/passwd' } }),
  },
  {
    rule: 'assertion-key-unknown',
    name: 'a long kid',
    about: 'named',
    send: (scenario) => send(scenario, { header: { kid: 'k '.repeat(1_000) } }),
  },
  {
    rule: 'assertion-key-unknown',
    name: 'an algorithm that fits no key',
    about: 'named',
    details: { seen: null, algorithm: 'EdDSA' },
    send: (scenario) => send(scenario, { header: { kid: undefined } }, {}, keyPairFor('EdDSA')),
  },
  {
    rule: 'client-keys-unreadable',
    name: 'a jwks_uri at a private address',
    about: 'named',
    details: { problem: 'is at an address that this server does not contact (private)' },
    async send({ running, client }) {
      await registerKeysUri(running, client, 'https://10.0.0.1/jwks.json');
      return running.post('/o/token/', { ...GRANT, ...withAssertion(await signAssertion(running, client, KEY)) });
    },
  },
  {
    rule: 'assertion-signature-wrong',
    name: 'a signature by a different key',
    about: 'named',
    details: { tried: 1 },
    send: (scenario) => send(scenario, { header: { kid: 'ES256 key' } }, {}, OTHER_KEY),
  },
  badAudience('the token endpoint', 'http://localhost:8000/o/token/', 'http://localhost:8000/o/token/'),
  badAudience('a different server', 'https://other.example', 'https://other.example'),
  badAudience('a list with the issuer', ['http://localhost:8000'], 'a list'),
  badAudience('no audience', undefined, 'none'),
  badTime('no expiry', 'no-expiry', () => ({ exp: undefined })),
  badTime('an expired assertion', 'expired', (scenario) => ({ exp: secondsFromNow(scenario, 0) })),
  badTime('a lifetime of an hour', 'too-long', (scenario) => ({ exp: secondsFromNow(scenario, 3_600) })),
  badTime('an assertion from the future', 'not-yet', (scenario) => ({ iat: secondsFromNow(scenario, 31) })),
  badTime('an assertion that is not valid yet', 'not-yet', (scenario) => ({ nbf: secondsFromNow(scenario, 31) })),
  {
    rule: 'assertion-without-id',
    name: 'no jti',
    about: 'named',
    send: (scenario) => send(scenario, { claims: { jti: undefined } }),
  },
  {
    rule: 'assertion-without-id',
    name: 'a long jti',
    about: 'named',
    send: (scenario) => send(scenario, { claims: { jti: 'x'.repeat(257) } }),
  },
  {
    rule: 'assertion-replayed',
    name: 'an assertion that was used before',
    about: 'named',
    send: async (scenario) => {
      await send(scenario, { claims: { jti: 'once' } });
      return send(scenario, { claims: { jti: 'once' } });
    },
  },
];
