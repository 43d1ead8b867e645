import {
  newFamily,
  expectStatus,
  passwordOf,
  redemptionParameters,
  refreshParameters,
  UnacceptableResponseError,
  type Caller,
  type Family,
  type Ledger,
  type Tokens,
} from './kill-load.ts';
import type { Choice } from './seeded-choice.ts';

/** How many redeemed codes are presented again in a round. Each one ends its grant. */
const MAX_REPLAYS = 3;
/** How many access tokens of each family are introspected in a round. */
const CHECKED_TOKENS_PER_FAMILY = 4;

/**
 * Compares a server that was started after a kill with the responses of its predecessor. Afterwards, `families`
 * contains only families whose grants are live.
 */
export async function checkAfterKill(caller: Caller, ledger: Ledger, choice: Choice): Promise<void> {
  await forEachConcurrently(
    [
      ...ledger.accessTokens,
      ...ledger.families.flatMap(({ accessTokens }) => accessTokens.slice(-CHECKED_TOKENS_PER_FAMILY)),
    ],
    (token) => expectActive(true, token),
  );
  await forEachConcurrently(ledger.users, async (username) => {
    expectStatus(
      await caller.token({ grant_type: 'password', username, password: passwordOf(username) }),
      200,
      `an acknowledged user, ${username}`,
    );
  });
  await forEachConcurrently(ledger.unusedCodes, async (code) => {
    const family = newFamily(expectStatus(await caller.token(redemptionParameters(code)), 200, 'an acknowledged code'));
    await expectReplayRefused(code, family.accessTokens);
  });
  await forEachConcurrently(ledger.unansweredCodes, async (code) => {
    const response = await caller.token(redemptionParameters(code));
    if (response.status !== 200) expectStatus(response, 400, 'a code whose redemption got no response');
    await expectReplayRefused(code, response.status === 200 ? [response.tokens.access_token] : []);
  });
  await forEachConcurrently(ledger.updates, async ({ oldToken, newToken }) => {
    if (await caller.isActive(oldToken))
      throw new UnacceptableResponseError('a token outlived the update of its grant');
    await expectActive(true, newToken);
  });
  await forEachConcurrently(ledger.unansweredUpdates, async ({ oldToken, code }) => {
    const isUpdated = !(await caller.isActive(oldToken));
    const { status } = await caller.token(redemptionParameters(code));
    if (isUpdated === (status === 200))
      throw new UnacceptableResponseError(
        isUpdated ? 'a grant ended without its update' : 'an update was redeemed, and the earlier grant is active',
      );
    if (await caller.isActive(oldToken))
      throw new UnacceptableResponseError('a token outlived the update of its grant');
  });
  await forEachConcurrently(
    ledger.families.filter(({ rotation }) => rotation !== null),
    expectSameRetry,
  );
  await forEachConcurrently(ledger.unanswered, retryUnanswered);
  for (let replayCount = 0; replayCount < MAX_REPLAYS; replayCount += 1) {
    const redemption = choice.of(ledger.redeemed);
    if (redemption === undefined) break;
    await expectReplayRefused(redemption.code, redemption.family.accessTokens);
    ledger.families.splice(0, Infinity, ...ledger.families.filter((family) => family !== redemption.family));
    ledger.redeemed.splice(ledger.redeemed.indexOf(redemption), 1);
  }

  async function expectActive(shouldBeActive: boolean, token: string): Promise<void> {
    if ((await caller.isActive(token)) === shouldBeActive) return;
    throw new UnacceptableResponseError(
      shouldBeActive ? 'an acknowledged token is not active' : 'a token outlived the replay of its code',
    );
  }

  /** Checks that a second redemption is refused, and that it revokes the tokens of the first. */
  async function expectReplayRefused(code: string, accessTokens: readonly string[]): Promise<void> {
    expectStatus(await caller.token(redemptionParameters(code)), 400, 'a code that was redeemed');
    await forEachConcurrently(accessTokens, (token) => expectActive(false, token));
  }

  async function expectSameRetry({ rotation }: Family): Promise<void> {
    if (rotation === null) return;
    const retryResponse = expectStatus(
      await caller.token(refreshParameters(rotation.presented)),
      200,
      'the retry of a rotation',
    );
    expectSameTokens(retryResponse, rotation.response);
  }

  async function retryUnanswered(family: Family): Promise<void> {
    const response = expectStatus(
      await caller.token(refreshParameters(family.refreshToken)),
      200,
      'a refresh that got no response',
    );
    expectSameTokens(
      expectStatus(await caller.token(refreshParameters(family.refreshToken)), 200, 'its retry'),
      response,
    );
    family.rotation = { presented: family.refreshToken, response };
    family.refreshToken = response.refresh_token;
    family.accessTokens.push(response.access_token);
    await forEachConcurrently(family.accessTokens, (token) => expectActive(true, token));
    ledger.families.push(family);
  }
}

function expectSameTokens(actual: Tokens, expected: Tokens): void {
  if (actual.access_token === expected.access_token && actual.refresh_token === expected.refresh_token) return;
  throw new UnacceptableResponseError('a retried refresh got different tokens');
}

const CONCURRENCY = 16;

async function forEachConcurrently<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const remaining = [...items];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let item = remaining.pop(); item !== undefined; item = remaining.pop()) await action(item);
    }),
  );
}
