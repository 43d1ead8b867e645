import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import type { ClientKey } from '../../src/domain/client-authentication.ts';
import { readClientKeys } from '../../src/oauth/clients/client-keys.ts';
import { withAssertion } from './assertions.ts';
import { httpRequest } from './http-request.ts';
import { UnacceptableResponseError } from './kill-load.ts';

/** The key that a drill's client uses to sign assertions and proofs. */
export interface DrillKey {
  readonly privateKey: KeyObject;
  readonly registeredKeys: readonly ClientKey[];
}

export async function createDrillKey(): Promise<DrillKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const result = await readClientKeys({ keys: [publicKey.export({ format: 'jwk' })] });
  if ('problem' in result) throw new Error(result.problem.key);
  return { privateKey, registeredKeys: result.keys };
}

/** A token request with single-use credentials. */
interface SingleUseRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
}

/** Uses proofs and assertions, and later checks that they do not work again. */
export interface SingleUseChecker {
  /** Requests a token with an assertion, and one with a proof. */
  use(): Promise<void>;
  /** Repeats the successful requests, expects each to be refused, and returns how many there were. */
  expectRefused(): Promise<number>;
}

const ISSUER = 'http://localhost';
const TOKEN_PATH = '/o/token/';
/** Longer than a round, so that no credential is refused as expired. */
const ASSERTION_SECONDS = 500;

export function createSingleUseChecker(
  clientId: string,
  basic: string,
  { privateKey, registeredKeys: [key] }: DrillKey,
  origin: () => string,
): SingleUseChecker {
  const usedRequests: SingleUseRequest[] = [];
  const now = (): number => Math.floor(Date.now() / 1000);

  function signToken(header: object, claims: object): string {
    const input = `${encode({ alg: 'ES256', ...header })}.${encode({ jti: randomUUID(), iat: now(), ...claims })}`;
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  }

  const send = ({ headers, body }: SingleUseRequest) =>
    httpRequest(new URL(TOKEN_PATH, origin()), {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...body }),
    });

  function requestWithProof(nonce?: string): SingleUseRequest {
    const claims = { htm: 'POST', htu: `${ISSUER}${TOKEN_PATH}`, ...(nonce !== undefined && { nonce }) };
    const dpop = signToken({ typ: 'dpop+jwt', jwk: key?.publicKey }, claims);
    return { headers: { authorization: basic, dpop }, body: {} };
  }

  async function expectSuccess(request: SingleUseRequest): Promise<void> {
    const { status, text } = await send(request);
    if (status !== 200)
      throw new UnacceptableResponseError(`a fresh proof or assertion was refused: ${status} ${text}`);
    usedRequests.push(request);
  }

  return {
    async use() {
      const baseClaims = { iss: clientId, sub: clientId, aud: ISSUER };
      const assertion = signToken({}, { ...baseClaims, exp: now() + ASSERTION_SECONDS });
      await expectSuccess({ headers: {}, body: withAssertion(assertion) });
      const { headers } = await send(requestWithProof()); // shortly after startup, proofs need a nonce
      await expectSuccess(requestWithProof(headers.get('dpop-nonce') ?? undefined));
    },

    async expectRefused() {
      const requests = usedRequests.splice(0);
      for (const request of requests) {
        const { status, text } = await send(request);
        if (status !== 400 && status !== 401)
          throw new UnacceptableResponseError(
            `a proof or assertion used before the kill was not refused: ${status} ${text}`,
          );
      }
      return requests.length;
    },
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
