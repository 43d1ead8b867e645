import type { TestResponse } from '../../test/support/running-service.ts';

/**
 * Returns the members of a successful token response.
 * @throws Error if the request failed, because its event would be missing from the log
 */
export async function expectTokens(response: Promise<TestResponse>): Promise<Readonly<Record<string, string>>> {
  const { status, text, json } = await response;
  if (status !== 200) throw new Error(`the server responded with ${status}: ${text}`);
  return json as Readonly<Record<string, string>>;
}
