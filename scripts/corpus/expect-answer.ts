import type { Answer } from '../../test/support/running-service.ts';

/**
 * The members of a successful token response.
 * @throws Error the request failed, so its event would not be in the log
 */
export async function expectTokens(response: Promise<Answer>): Promise<Readonly<Record<string, string>>> {
  const { status, text, json } = await response;
  if (status !== 200) throw new Error(`the server responded with ${status}: ${text}`);
  return json as Readonly<Record<string, string>>;
}
