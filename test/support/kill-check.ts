import {
  begun,
  must,
  passwordOf,
  redemption,
  refreshing,
  Unacceptable,
  type Caller,
  type Family,
  type Ledger,
  type Tokens,
} from './kill-load.ts';
import type { Choice } from './seeded-choice.ts';

/** Redeemed codes that are presented again in a round, each of which ends its grant. */
const REPLAYS = 3;
/** Access tokens of a family that are introspected in a round. */
const NEWEST = 4;

/**
 * Compares a server that was started after a kill with the responses of its predecessor, and leaves the
 * ledger with the families whose grants are live.
 */
export async function checkAfterKill(caller: Caller, ledger: Ledger, choice: Choice): Promise<void> {
  await each(
    [...ledger.accessTokens, ...ledger.idle.flatMap(({ accessTokens }) => accessTokens.slice(-NEWEST))],
    (token) => mustBe(true, token),
  );
  await each(ledger.users, async (username) => {
    must(
      await caller.token({ grant_type: 'password', username, password: passwordOf(username) }),
      200,
      `a user that was answered, ${username}`,
    );
  });
  await each(ledger.freshCodes, async (code) => {
    const family = begun(must(await caller.token(redemption(code)), 200, 'a code that was answered'));
    await redeemsNoMore(code, family.accessTokens);
  });
  await each(ledger.doubtfulCodes, async (code) => {
    const answer = await caller.token(redemption(code));
    if (answer.status !== 200) must(answer, 400, 'a code whose redemption was not answered');
    await redeemsNoMore(code, answer.status === 200 ? [answer.tokens.access_token] : []);
  });
  await each(
    ledger.idle.filter(({ rotation }) => rotation !== null),
    retriesIdentically,
  );
  await each(ledger.doubtful, rotatesAfterAll);
  for (let replays = 0; replays < REPLAYS; replays += 1) {
    const spent = choice.of(ledger.redeemed);
    if (spent === undefined) break;
    await redeemsNoMore(spent.code, spent.family.accessTokens);
    ledger.idle.splice(0, Infinity, ...ledger.idle.filter((family) => family !== spent.family));
    ledger.redeemed.splice(ledger.redeemed.indexOf(spent), 1);
  }

  async function mustBe(active: boolean, token: string): Promise<void> {
    if ((await caller.isActive(token)) === active) return;
    throw new Unacceptable(active ? 'a token that was answered is dead' : 'a token outlived the replay of its code');
  }

  /** A second redemption is refused, and revokes the tokens of the first. */
  async function redeemsNoMore(code: string, accessTokens: readonly string[]): Promise<void> {
    must(await caller.token(redemption(code)), 400, 'a code that was redeemed');
    await each(accessTokens, (token) => mustBe(false, token));
  }

  async function retriesIdentically({ rotation }: Family): Promise<void> {
    if (rotation === null) return;
    const again = must(await caller.token(refreshing(rotation.presented)), 200, 'the retry of a rotation');
    mustEqual(again, rotation.answer);
  }

  async function rotatesAfterAll(family: Family): Promise<void> {
    const answer = must(await caller.token(refreshing(family.refreshToken)), 200, 'a refresh that was not answered');
    mustEqual(must(await caller.token(refreshing(family.refreshToken)), 200, 'its retry'), answer);
    family.rotation = { presented: family.refreshToken, answer };
    family.refreshToken = answer.refresh_token;
    family.accessTokens.push(answer.access_token);
    await each(family.accessTokens, (token) => mustBe(true, token));
    ledger.idle.push(family);
  }
}

function mustEqual(again: Tokens, before: Tokens): void {
  if (again.access_token === before.access_token && again.refresh_token === before.refresh_token) return;
  throw new Unacceptable('a retried refresh was answered with other tokens than before');
}

const AT_ONCE = 16;

async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
    }),
  );
}
