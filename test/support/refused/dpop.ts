import { generateKeyPairSync } from 'node:crypto';
import { keyPairFor } from '../assertions.ts';
import {
  forgedProof,
  signProof,
  updateSecuritySettings,
  thumbprintOf,
  tokenWithProof,
  type ProofChanges,
} from '../dpop.ts';
import { REDIRECT_URI } from '../running-service.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

const KEY = keyPairFor('ES256', 'DPoP key');
const OTHER_KEY = keyPairFor('ES256', 'another DPoP key');
const GRANT = { grant_type: 'client_credentials' };

/** Moves the clock past the first minute after startup, when every proof needs a nonce. */
function passFirstMinute({ running }: RefusalScenario): void {
  running.clock.advance(61);
}

async function send(scenario: RefusalScenario, changes: ProofChanges, times = 1) {
  passFirstMinute(scenario);
  const { running, client } = scenario;
  const proof = await signProof(running, KEY, changes);
  for (let count = 1; count < times; count += 1) await tokenWithProof(running, client, GRANT, proof);
  return tokenWithProof(running, client, GRANT, proof);
}

/** Sends `dpop` as the `DPoP` header, whatever it contains. */
function sendHeader({ running, client }: RefusalScenario, dpop: string) {
  return running.post('/o/token/', GRANT, { dpop, authorization: client.basic });
}

const secondsFromNow = ({ running }: RefusalScenario, seconds: number): number =>
  Math.floor(running.clock.now() / 1000) + seconds;

function refusedProof(
  rule: RefusedRequest['rule'],
  name: string,
  details: Readonly<Record<string, unknown>>,
  changes: (scenario: RefusalScenario) => ProofChanges,
): RefusedRequest {
  return {
    rule,
    name,
    about: 'proven',
    details,
    async send(scenario) {
      passFirstMinute(scenario);
      return tokenWithProof(
        scenario.running,
        scenario.client,
        GRANT,
        await signProof(scenario.running, KEY, changes(scenario)),
      );
    },
  };
}

const refusedForgery = (
  rule: RefusedRequest['rule'],
  name: string,
  details: Readonly<Record<string, unknown>>,
  header: object,
): RefusedRequest => ({
  rule,
  name,
  about: 'proven',
  details,
  send: (scenario) => sendHeader(scenario, forgedProof({ typ: 'dpop+jwt', ...header }, {})),
});

function generateRsaJwk(bits: number): object {
  return generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
}

/** Refused DPoP proofs. */
export const DPOP_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'dpop-proof-missing',
    name: 'a client that is registered for bound tokens',
    about: 'proven',
    details: { by: 'client' },
    async send({ running, client }) {
      await updateSecuritySettings(running, client, { dpopBoundAccessTokens: true });
      return running.token(client, GRANT);
    },
  },
  {
    rule: 'dpop-proof-form',
    name: 'two proofs',
    about: 'proven',
    details: { problem: 'repeated' },
    async send(scenario) {
      const [firstProof, secondProof] = [
        await signProof(scenario.running, KEY),
        await signProof(scenario.running, KEY),
      ];
      return sendHeader(scenario, `${firstProof}, ${secondProof}`);
    },
  },
  {
    rule: 'dpop-proof-form',
    name: 'text that is not a JWT',
    about: 'proven',
    details: { problem: 'malformed' },
    send: (scenario) => sendHeader(scenario, 'a.b.c'),
  },
  refusedProof('dpop-proof-form', 'a different typ', { problem: 'type' }, () => ({ header: { typ: 'JWT' } })),
  refusedForgery(
    'dpop-proof-form',
    'a critical extension',
    { problem: 'critical' },
    { alg: 'ES256', jwk: KEY.jwk, crit: [] },
  ),
  refusedForgery('dpop-proof-algorithm', 'alg none', { seen: 'none' }, { alg: 'none', jwk: KEY.jwk }),
  refusedForgery('dpop-proof-algorithm', 'a shared secret', { seen: 'HS256' }, { alg: 'HS256', jwk: KEY.jwk }),
  refusedForgery('dpop-proof-key', 'no key', { problem: 'missing' }, { alg: 'ES256' }),
  refusedForgery(
    'dpop-proof-key',
    'a private key',
    { problem: 'private' },
    { alg: 'ES256', jwk: { ...KEY.jwk, d: 'a'.repeat(43) } },
  ),
  refusedForgery(
    'dpop-proof-key',
    '512-bit RSA',
    { problem: 'unsupported' },
    { alg: 'PS256', jwk: generateRsaJwk(512) },
  ),
  refusedForgery(
    'dpop-proof-key',
    'a key for a different algorithm',
    { problem: 'other-kind' },
    { alg: 'PS256', jwk: KEY.jwk },
  ),
  {
    rule: 'dpop-proof-signature',
    name: 'a signature by a different key',
    about: 'proven',
    async send(scenario) {
      passFirstMinute(scenario);
      const { kid: _, ...jwk } = OTHER_KEY.jwk;
      return sendHeader(scenario, await signProof(scenario.running, KEY, { header: { jwk } }));
    },
  },
  refusedProof('dpop-proof-method', 'GET', { expected: 'POST', seen: 'GET' }, () => ({ claims: { htm: 'GET' } })),
  refusedProof(
    'dpop-proof-address',
    'a different host',
    { expected: 'http://localhost:8000/o/token/', seen: 'https://app.example/o/token/' },
    () => ({ claims: { htu: 'https://app.example/o/token/' } }),
  ),
  refusedProof('dpop-proof-time', 'an old proof', { problem: 'old', seconds: 61 }, (scenario) => ({
    claims: { iat: secondsFromNow(scenario, -61) },
  })),
  refusedProof('dpop-proof-time', 'a proof from the future', { problem: 'future', seconds: 31 }, (scenario) => ({
    claims: { iat: secondsFromNow(scenario, 31) },
  })),
  refusedProof('dpop-proof-time', 'no iat', { problem: 'missing' }, () => ({ claims: { iat: undefined } })),
  refusedProof('dpop-proof-id', 'no jti', {}, () => ({ claims: { jti: undefined } })),
  refusedProof('dpop-proof-id', 'a long jti', {}, () => ({ claims: { jti: 'x'.repeat(257) } })),
  refusedProof('dpop-nonce-needed', 'an invented nonce', { seen: 'another' }, () => ({
    claims: { nonce: 'invented' },
  })),
  {
    rule: 'dpop-proof-replayed',
    name: 'the same request twice',
    about: 'proven',
    send: (scenario) => send(scenario, {}, 2),
  },
  {
    rule: 'credential-bound-to-key',
    name: 'a code that is bound to a different key',
    about: 'proven',
    details: { parameter: 'code', seen: 'another key' },
    async send(scenario) {
      passFirstMinute(scenario);
      const { running, client } = scenario;
      const code = await scenario.code({ dpop_jkt: await thumbprintOf(KEY) });
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      return tokenWithProof(running, client, parameters, await signProof(running, OTHER_KEY));
    },
  },
  {
    rule: 'credential-bound-to-key',
    name: 'a code that is bound to a key, without a proof',
    about: 'proven',
    details: { parameter: 'code', seen: 'none' },
    async send(scenario) {
      const code = await scenario.code({ dpop_jkt: await thumbprintOf(KEY) });
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      return scenario.running.token(scenario.client, parameters);
    },
  },
  {
    rule: 'retry-key-differs',
    name: 'a retry without a proof',
    about: 'proven',
    details: { seen: 'none' },
    async send(scenario) {
      passFirstMinute(scenario);
      const { running, client } = scenario;
      const { refresh } = await scenario.tokens();
      const parameters = { grant_type: 'refresh_token', refresh_token: refresh };
      await tokenWithProof(running, client, parameters, await signProof(running, KEY));
      return running.token(client, parameters);
    },
  },
];
