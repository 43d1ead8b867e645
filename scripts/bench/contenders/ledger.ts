import type { LoadReport } from '../load/protocol.ts';
import type { RowName } from '../rows.ts';

/** Rows whose responses contain an access token. */
export const TOKEN_ROWS: readonly RowName[] = ['client_credentials', 'code', 'refresh'];

/** Further rows whose responses contain an access token. Only some peers support them. */
const OTHER_TOKEN_ROWS: readonly RowName[] = ['openid-rs256', 'openid-eddsa', 'private_key_jwt', 'dpop'];

/** Tracks the codes and refresh tokens to send to a peer, and the tokens that it has issued. */
export interface Ledger {
  /** Returns at least `count` unredeemed codes. */
  codes(count: number): Promise<readonly string[]>;
  /** Returns the latest refresh token of each chain. */
  chains(): readonly string[];
  /**
   * Checks the result of an interval.
   * @throws Error if the number of new tokens does not match the number of responses
   */
  verify(row: RowName, report: LoadReport): Promise<void>;
}

export interface Issuer {
  readonly name: string;
  readonly chains: readonly string[];
  issueCodes(count: number): Promise<readonly string[]>;
  /** Counts the access tokens issued so far. */
  countTokens(): Promise<number>;
}

export async function openLedger({ name, chains: initialChains, issueCodes, countTokens }: Issuer): Promise<Ledger> {
  let chains = initialChains;
  let unredeemedCodes: readonly string[] = [];
  let tokens = await countTokens();
  return {
    async codes(count) {
      if (unredeemedCodes.length < count)
        unredeemedCodes = [...unredeemedCodes, ...(await issueCodes(count - unredeemedCodes.length))];
      return unredeemedCodes;
    },
    chains: () => chains,
    async verify(row, { responses, chains: newChains }) {
      if (row === 'code') unredeemedCodes = unredeemedCodes.slice(responses);
      if (row === 'refresh') chains = newChains;
      const previousTokens = tokens;
      tokens = await countTokens();
      const expected = TOKEN_ROWS.includes(row) || OTHER_TOKEN_ROWS.includes(row) ? responses : 0;
      if (tokens - previousTokens !== expected)
        throw new Error(`${name}, ${row}: ${responses} responses, but ${tokens - previousTokens} new tokens`);
    },
  };
}
