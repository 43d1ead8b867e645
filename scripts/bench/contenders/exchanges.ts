import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { REDIRECT_URI, type BenchData } from '../grantlog/bench-data.ts';
import type { IssueCodes } from '../grantlog/issue-codes.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { basicOf, postForm } from './http-text.ts';
import { bearerRequest, exchangeForm, exchangeRequest, introspectionRequest } from './requests.ts';

/** Fewer than the server allows from one grant. */
const EXCHANGES_PER_SUBJECT = 5_000;

/** The clients that exchange tokens of the user. */
export interface ExchangingClients {
  exchange(count: number): Promise<LoadRequest>;
  /** A bearer token at the end of the longest possible chain. */
  bearer(): Promise<LoadRequest>;
  introspection(): Promise<LoadRequest>;
}

/** @param receipts the file of the tokens that the server issued */
export function exchangingClients(
  origin: string,
  { clientId, clientSecret, exchangeClients, username }: BenchData,
  issueCodes: IssueCodes,
  receipts: string,
): ExchangingClients {
  const basic = basicOf(clientId, clientSecret);
  let actor: string | undefined;
  let deep: string | undefined;

  async function tokenOf(by: string, form: Readonly<Record<string, string>>): Promise<string> {
    const token = String((await postForm(origin, '/o/token/', by, form))['access_token']);
    appendFileSync(receipts, hash('sha256', token, 'buffer'));
    return token;
  }

  async function userTokens(count: number): Promise<readonly string[]> {
    const tokens: string[] = [];
    for (const code of await issueCodes(count))
      tokens.push(await tokenOf(basic, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }));
    return tokens;
  }

  async function chain(): Promise<string> {
    let [token = ''] = await userTokens(1);
    for (const each of exchangeClients) {
      const form = exchangeForm({ subject_token: token });
      token = await tokenOf(basicOf(each.clientId, each.clientSecret), Object.fromEntries(form));
    }
    return token;
  }

  const basicAt = (depth: number): string => {
    const client = exchangeClients.at(depth);
    if (client === undefined) throw new Error('the data is of an earlier release: delete bench-data/');
    return basicOf(client.clientId, client.clientSecret);
  };

  return {
    async exchange(count) {
      const by = basicAt(0);
      actor ??= await tokenOf(by, { grant_type: 'client_credentials' });
      const subjects = await userTokens(Math.ceil(count / EXCHANGES_PER_SUBJECT));
      const each = Array.from({ length: count }, (_, index) => subjects[index % subjects.length] ?? '');
      return exchangeRequest(by, actor, each);
    },
    bearer: async () => bearerRequest((deep ??= await chain()), username),
    introspection: async () => introspectionRequest(basicAt(-1), (deep ??= await chain())),
  };
}
