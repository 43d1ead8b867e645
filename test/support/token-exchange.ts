import { expect } from 'chai';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import type { ExchangePolicyFields } from '../../src/oauth/exchange/policy-rules.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../src/oauth/grant-types/token-exchange.ts';
import { setExchangePolicy } from './exchange-policies.ts';
import type { TestResponse, Requests, RunningService, TestClient, TestUser } from './running-service.ts';

/** Lets `client` exchange tokens issued to `subject`, by default in both modes and without further limits. */
export async function allowExchange(
  running: Pick<RunningService, 'service'>,
  client: Pick<TestClient, 'id'>,
  subject: Pick<TestClient, 'id'>,
  limits: Partial<ExchangePolicyFields> = {},
): Promise<void> {
  await setExchangePolicy(running, client, subject, { modes: ['impersonation', 'delegation'], ...limits });
}

/** Exchanges the access token `subject`, with the access token `actor` as the actor token, if any. */
export const exchange = (
  running: Requests,
  client: TestClient,
  subject: string,
  { actor, ...parameters }: Readonly<Record<string, string>> & { readonly actor?: string } = {},
): Promise<TestResponse> =>
  running.token(client, {
    grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
    subject_token: subject,
    subject_token_type: TOKEN_TYPES.accessToken,
    ...(actor === undefined ? {} : { actor_token: actor, actor_token_type: TOKEN_TYPES.accessToken }),
    ...parameters,
  });

/** Exchanges a token, expects success, and returns the new access token. */
export async function exchangeForToken(...request: Parameters<typeof exchange>): Promise<string> {
  return expectAccessToken(await exchange(...request));
}

export function expectAccessToken({ status, json, text }: TestResponse): string {
  expect(status, text).to.equal(200);
  return String(json?.['access_token']);
}

/** Gets a user's tokens with the password grant. */
export async function userTokens(
  running: Requests,
  client: TestClient,
  { username, password }: TestUser,
  parameters: Readonly<Record<string, string>> = {},
): Promise<{ readonly access: string; readonly refresh: string }> {
  const response = await running.token(client, { grant_type: 'password', username, password, ...parameters });
  return { access: expectAccessToken(response), refresh: String(response.json?.['refresh_token']) };
}

/** Gets an access token for the client itself. */
export const ownToken = async (
  running: Requests,
  client: TestClient,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> =>
  expectAccessToken(await running.token(client, { grant_type: 'client_credentials', ...parameters }));

/** Introspects a token as `client`, and returns the response. */
export async function introspect(
  running: Requests,
  client: TestClient,
  token: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await running.post('/o/introspect/', { token }, { authorization: client.basic });
  return json ?? expect.fail();
}
