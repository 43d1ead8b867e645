import type { Answer } from '../../test/support/running-service.ts';

/** The members of a successful token response. */
export async function answered(answer: Promise<Answer>): Promise<Readonly<Record<string, string>>> {
  const { status, text, json } = await answer;
  if (status !== 200) throw new Error(`the server answered ${status}: ${text}`);
  return json as Readonly<Record<string, string>>;
}
