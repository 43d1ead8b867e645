import type { GrantOperation, TokenPair } from '../linearizability/grant-history.ts';
import { tokenState, parseTokens, type DrillClient } from './client.ts';
import type { TimedResponse, Target } from './requests.ts';

/** The contents of the responses that clients got in a round. */
export interface Ledger {
  /** Sets, because several responses can contain the same token. */
  readonly accessTokens: Set<string>;
  readonly refreshTokens: Set<string>;
  /** Access tokens of the client credentials grant that the load generator did not try to revoke. */
  readonly live: Set<string>;
  /** Access tokens of the client credentials grant whose revocation was confirmed. */
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
  /** The bodies of the refusals. */
  readonly refusals: ReadonlySet<string>;
  /** Returns the newest tokens that the client received, or undefined if it received none. */
  newest(): TokenPair | undefined;
  /** Returns the tokens that the client received before the newest ones. */
  previous(): TokenPair | undefined;
  redeem(node: Target): Promise<void>;
  refresh(node: Target, pair: TokenPair): Promise<void>;
  revoke(node: Target, pair: TokenPair): Promise<void>;
  introspect(node: Target, pair: TokenPair): Promise<void>;
  /** Requests a resource with the access token. */
  requestResource(node: Target, pair: TokenPair): Promise<void>;
}

export function recordGrant(code: string, client: DrillClient, ledger: Ledger): RecordedGrant {
  const history: GrantOperation[] = [];
  const pairs: TokenPair[] = [];
  const refusals = new Set<string>();

  /**
   * Records the tokens of a response. A response with neither tokens nor a refusal does not show whether the request
   * took effect.
   */
  function recordTokens(response: TimedResponse): TokenPair | 'refused' | 'unknown' {
    const tokens = parseTokens(response);
    if (response.status === 400) refusals.add(response.text);
    if (tokens === undefined) return response.status === 400 ? 'refused' : 'unknown';
    const pair = { access: tokens.access_token, refresh: tokens.refresh_token };
    if (!ledger.refreshTokens.has(pair.refresh)) pairs.push(pair);
    ledger.accessTokens.add(pair.access);
    ledger.refreshTokens.add(pair.refresh);
    return pair;
  }

  async function recordTokenState(
    responsePromise: Promise<TimedResponse>,
    { access: token }: TokenPair,
  ): Promise<void> {
    const response = await responsePromise;
    history.push({ kind: 'introspect', token, outcome: tokenState(response), ...timesOf(response) });
  }

  return {
    code,
    history,
    refusals,
    newest: () => pairs.at(-1),
    previous: () => pairs.at(-2),
    async redeem(node) {
      const response = await client.redeem(node, code);
      history.push({ kind: 'redeem', outcome: recordTokens(response), ...timesOf(response) });
    },
    async refresh(node, { refresh: token }) {
      const response = await client.refresh(node, token);
      history.push({ kind: 'refresh', token, outcome: recordTokens(response), ...timesOf(response) });
    },
    async revoke(node, { access }) {
      const response = await client.revoke(node, access);
      history.push({ kind: 'revoke', outcome: response.status === 200 ? 'done' : 'unknown', ...timesOf(response) });
    },
    introspect: (node, pair) => recordTokenState(client.introspect(node, pair.access), pair),
    requestResource: (node, pair) => recordTokenState(client.requestResource(node, pair.access), pair),
  };
}

const timesOf = ({ start, end }: TimedResponse) => ({ start, end });
