import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { REDIRECT_URI, type BenchData } from '../grantlog/bench-data.ts';
import type { IssueCodes } from '../grantlog/issue-codes.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { basicAuthHeader, postForm } from './http-text.ts';
import { bearerRequest, exchangeForm, exchangeRequest, introspectionRequest } from './requests.ts';

/** Below the server's limit for one grant. */
const EXCHANGES_PER_SUBJECT = 5_000;

/** Prepares requests from the clients that exchange the user's tokens. */
export interface ExchangingClients {
  exchange(count: number): Promise<LoadRequest>;
  /** Prepares a request with a bearer token at the end of the longest possible chain. */
  bearer(): Promise<LoadRequest>;
  introspection(): Promise<LoadRequest>;
}

/**
 * Returns functions that prepare requests with exchanged tokens.
 * @param receipts the file that records the hashes of issued tokens
 */
export function createExchangingClients(
  origin: string,
  { clientId, clientSecret, exchangeClients, username }: BenchData,
  issueCodes: IssueCodes,
  receipts: string,
): ExchangingClients {
  const authorization = basicAuthHeader(clientId, clientSecret);
  let actorToken: string | undefined;
  let chainedToken: string | undefined;

  async function requestToken(clientAuthorization: string, form: Readonly<Record<string, string>>): Promise<string> {
    const token = String((await postForm(origin, '/o/token/', clientAuthorization, form))['access_token']);
    appendFileSync(receipts, hash('sha256', token, 'buffer'));
    return token;
  }

  async function userTokens(count: number): Promise<readonly string[]> {
    const tokens: string[] = [];
    for (const code of await issueCodes(count))
      tokens.push(
        await requestToken(authorization, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
      );
    return tokens;
  }

  async function exchangeAlongChain(): Promise<string> {
    let [token = ''] = await userTokens(1);
    for (const client of exchangeClients) {
      const form = exchangeForm({ subject_token: token });
      token = await requestToken(basicAuthHeader(client.clientId, client.clientSecret), Object.fromEntries(form));
    }
    return token;
  }

  const authorizationAt = (depth: number): string => {
    const client = exchangeClients.at(depth);
    if (client === undefined) throw new Error('the data is from an earlier release: delete bench-data/');
    return basicAuthHeader(client.clientId, client.clientSecret);
  };

  return {
    async exchange(count) {
      const clientAuthorization = authorizationAt(0);
      actorToken ??= await requestToken(clientAuthorization, { grant_type: 'client_credentials' });
      const tokens = await userTokens(Math.ceil(count / EXCHANGES_PER_SUBJECT));
      const subjects = Array.from({ length: count }, (_, index) => tokens[index % tokens.length] ?? '');
      return exchangeRequest(clientAuthorization, actorToken, subjects);
    },
    bearer: async () => bearerRequest((chainedToken ??= await exchangeAlongChain()), username),
    introspection: async () => introspectionRequest(authorizationAt(-1), (chainedToken ??= await exchangeAlongChain())),
  };
}
