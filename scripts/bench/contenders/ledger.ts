import type { LoadReport } from '../load/protocol.ts';
import type { RowName } from '../rows.ts';

/** Rows whose answers bring an access token. */
export const TOKEN_ROWS: readonly RowName[] = ['client_credentials', 'code', 'refresh'];

/** What another server has to be sent next, and what it has issued by now. */
export interface Ledger {
  /** At least so many that wait to be redeemed. */
  codes(count: number): Promise<readonly string[]>;
  /** The newest refresh token of each chain. */
  chains(): readonly string[];
  /** @throws Error there are not as many new tokens as answers that brought one */
  verify(row: RowName, report: LoadReport): Promise<void>;
}

export interface Issuer {
  readonly name: string;
  readonly chains: readonly string[];
  issueCodes(count: number): Promise<readonly string[]>;
  /** How many access tokens it has issued. */
  countTokens(): Promise<number>;
}

export async function openLedger({ name, chains: begun, issueCodes, countTokens }: Issuer): Promise<Ledger> {
  let chains = begun;
  let waiting: readonly string[] = [];
  let tokens = await countTokens();
  return {
    async codes(count) {
      if (waiting.length < count) waiting = [...waiting, ...(await issueCodes(count - waiting.length))];
      return waiting;
    },
    chains: () => chains,
    async verify(row, { answers, chains: grown }) {
      if (row === 'code') waiting = waiting.slice(answers);
      if (row === 'refresh') chains = grown;
      const before = tokens;
      tokens = await countTokens();
      const expected = TOKEN_ROWS.includes(row) ? answers : 0;
      if (tokens - before !== expected)
        throw new Error(`${name}, ${row}: ${answers} answers came with ${tokens - before} tokens`);
    },
  };
}
