import type { GrantOperation, TokenPair } from '../linearizability/grant-history.ts';
import { activityIn, tokensOf, type DrillClient } from './client.ts';
import type { Answer, Target } from './requests.ts';

/** The contents of the responses that clients got in a round. */
export interface Ledger {
  /** The tokens in responses. Several responses can contain the same token. */
  readonly accessTokens: Set<string>;
  readonly refreshTokens: Set<string>;
  /** Tokens for client credentials that nobody tried to revoke. */
  readonly live: Set<string>;
  /** Tokens whose revocation was confirmed. */
  readonly revoked: Set<string>;
  readonly grants: RecordedGrant[];
}

export const emptyLedger = (): Ledger => ({
  accessTokens: new Set(),
  refreshTokens: new Set(),
  live: new Set(),
  revoked: new Set(),
  grants: [],
});

/** A grant whose requests and responses are recorded. */
export interface RecordedGrant {
  readonly code: string;
  readonly history: readonly GrantOperation[];
  /** The texts of refusals. */
  readonly refusals: ReadonlySet<string>;
  /** Returns the newest tokens that a client received. */
  newest(): TokenPair | undefined;
  /** Returns the tokens before the newest ones. */
  previous(): TokenPair | undefined;
  redeem(node: Target): Promise<void>;
  refresh(node: Target, pair: TokenPair): Promise<void>;
  revoke(node: Target, pair: TokenPair): Promise<void>;
  introspect(node: Target, pair: TokenPair): Promise<void>;
  /** Requests a resource. */
  check(node: Target, pair: TokenPair): Promise<void>;
}

export function recordGrant(code: string, client: DrillClient, ledger: Ledger): RecordedGrant {
  const history: GrantOperation[] = [];
  const pairs: TokenPair[] = [];
  const refusals = new Set<string>();

  /**
   * Records the tokens of a response. A response that is neither tokens nor a refusal does not say whether the request
   * took effect.
   */
  function recordTokens(answer: Answer): TokenPair | 'refused' | 'unknown' {
    const tokens = tokensOf(answer);
    if (answer.status === 400) refusals.add(answer.text);
    if (tokens === undefined) return answer.status === 400 ? 'refused' : 'unknown';
    const pair = { access: tokens.access_token, refresh: tokens.refresh_token };
    if (!ledger.refreshTokens.has(pair.refresh)) pairs.push(pair);
    ledger.accessTokens.add(pair.access);
    ledger.refreshTokens.add(pair.refresh);
    return pair;
  }

  async function recordActivity(pending: Promise<Answer>, { access: token }: TokenPair): Promise<void> {
    const answer = await pending;
    history.push({ kind: 'introspect', token, outcome: activityIn(answer), ...timesOf(answer) });
  }

  return {
    code,
    history,
    refusals,
    newest: () => pairs.at(-1),
    previous: () => pairs.at(-2),
    async redeem(node) {
      const answer = await client.redeem(node, code);
      history.push({ kind: 'redeem', outcome: recordTokens(answer), ...timesOf(answer) });
    },
    async refresh(node, { refresh: token }) {
      const answer = await client.refresh(node, token);
      history.push({ kind: 'refresh', token, outcome: recordTokens(answer), ...timesOf(answer) });
    },
    async revoke(node, { access }) {
      const answer = await client.revoke(node, access);
      history.push({ kind: 'revoke', outcome: answer.status === 200 ? 'done' : 'unknown', ...timesOf(answer) });
    },
    introspect: (node, pair) => recordActivity(client.introspect(node, pair.access), pair),
    check: (node, pair) => recordActivity(client.check(node, pair.access), pair),
  };
}

const timesOf = ({ start, end }: Answer) => ({ start, end });
