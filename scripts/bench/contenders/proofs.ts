import { generateKeyPairSync, hash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { LoadRequest } from '../load/protocol.ts';
import { signValues } from './signed-values.ts';

/** The path of the userinfo endpoint of every contender that accepts proofs. */
const USERINFO_PATH = '/o/userinfo/';
const TOKEN_PATH = '/o/token/';
/** A request that is refused after its proof has been checked, so no token is issued. */
const REFUSED_FORM = 'grant_type=client_credentials&scope=unheard-of';

const signInPool = promisify(sign);

/** A server that accepts DPoP proofs (RFC 9449). */
export interface DpopServer {
  /** The origin that it listens on. */
  readonly origin: string;
  /** The base of the `htu` in proofs. */
  readonly issuer: string;
  /** The base of the `htu` before the measurement, if the server derives it from the `Host` header. */
  readonly setupBase?: string;
}

/** A client that binds its tokens to a P-256 key. */
export interface DpopClient {
  /** Prepares token requests, each with a new proof. */
  tokenRequest(authorization: string, count: number): Promise<LoadRequest>;
  /** Prepares userinfo requests with the bound token, each with a new proof. */
  userinfoRequest(token: string, count: number): Promise<LoadRequest>;
  /** Redeems an authorization code for a bound access token. */
  redeem(authorization: string, code: string, redirectUri: string): Promise<string>;
}

export function createDpopClient({ origin, issuer, setupBase = issuer }: DpopServer): DpopClient {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) });

  async function createProof(claims: object): Promise<string> {
    const jti = randomBytes(16).toString('base64url');
    const input = `${header}.${encode({ ...claims, jti, iat: Math.floor(Date.now() / 1000) })}`;
    return `${input}.${await signInput(privateKey, input)}`;
  }

  const tokenClaims = { htm: 'POST', htu: `${issuer}${TOKEN_PATH}` };
  const setupClaims = { htm: 'POST', htu: `${setupBase}${TOKEN_PATH}` };

  async function post(authorization: string, body: string, claims: object): Promise<Response> {
    const headers = { authorization, dpop: await createProof(claims), 'content-type': FORM_TYPE };
    return fetch(`${origin}${TOKEN_PATH}`, { method: 'POST', headers, body });
  }

  /** Adds the nonce that the server demands, if any. */
  async function withNonce(authorization: string, claims: object): Promise<object> {
    const nonce = (await post(authorization, REFUSED_FORM, tokenClaims)).headers.get('dpop-nonce');
    return nonce === null ? claims : { ...claims, nonce };
  }

  let redemptionAuthorization = '';

  return {
    async tokenRequest(authorization, count) {
      const claims = await withNonce(authorization, tokenClaims);
      const form = 'grant_type=client_credentials';
      return {
        prefix: `POST ${TOKEN_PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nDPoP: `,
        suffix: `\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
        values: { use: 'each', list: await signValues(count, () => createProof(claims)) },
        expects: '"token_type":"DPoP"',
        returnsToken: true,
      };
    },

    async userinfoRequest(token, count) {
      const ath = hash('sha256', token, 'base64url');
      const claims = await withNonce(redemptionAuthorization, { htm: 'GET', htu: `${issuer}${USERINFO_PATH}`, ath });
      return {
        prefix: `GET ${USERINFO_PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: DPoP ${token}\r\nDPoP: `,
        suffix: '\r\n\r\n',
        values: { use: 'each', list: await signValues(count, () => createProof(claims)) },
        expects: '"sub":"',
        returnsToken: false,
      };
    },

    async redeem(authorization, code, redirectUri) {
      redemptionAuthorization = authorization;
      const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
      const response = await post(authorization, form.toString(), await withNonce(authorization, setupClaims));
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return ((await response.json()) as { readonly access_token: string }).access_token;
    },
  };
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

async function signInput(key: KeyObject, input: string): Promise<string> {
  return (await signInPool('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })).toString('base64url');
}
