import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { hashCredential } from '../../../src/oauth/credentials/credentials.ts';
import type { Ledger, RecordedGrant } from './ledger.ts';

/** The log in the database, read without the code under test. */
export interface StoredLog {
  /**
   * Reads the events that have been stored since the last call.
   * @returns findings
   */
  readOn(url: string): Promise<readonly string[]>;
  /**
   * Checks that each token that a client received was recorded once, and that a code that was refused had been redeemed
   * once.
   * @returns findings
   */
  findMissing(ledger: Ledger): readonly string[];
  events(): number;
}

interface Row {
  readonly position: string;
  readonly stream: string;
  readonly revision: string;
  readonly record: string;
}

interface StoredEvent {
  readonly type: string;
  readonly data: { readonly tokenHash?: string; readonly codeHash?: string; readonly spentHash?: string };
}

export function createStoredLog(): StoredLog {
  let lastPosition = 0;
  const revisions = new Map<string, number>();
  const accessTokens = new Map<string, number>();
  const refreshTokens = new Map<string, number>();
  /** How often each code and refresh token was used, by hash. */
  const useCounts = new Map<string, number>();

  function* readRow({ position, stream, revision, record }: Row): Generator<string> {
    if (Number(position) !== lastPosition + 1) yield `position ${position} follows ${lastPosition}`;
    lastPosition = Number(position);
    const previousRevision = revisions.get(stream) ?? 0;
    if (Number(revision) !== previousRevision + 1)
      yield `revision ${revision} of ${stream} follows ${previousRevision}`;
    revisions.set(stream, Number(revision));
    const { type, data } = JSON.parse(record) as StoredEvent;
    if (type === 'AccessTokenIssued') count(accessTokens, data.tokenHash);
    if (type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated') count(refreshTokens, data.tokenHash);
    const spentHash = type === 'AuthorizationCodeRedeemed' ? data.codeHash : data.spentHash;
    if (spentHash !== undefined && count(useCounts, spentHash) > 1)
      yield `position ${position} uses a credential again`;
  }

  return {
    events: () => lastPosition,
    async readOn(url) {
      const rows = await queryOnce<Row>(
        url,
        'SELECT position, stream, revision, record FROM grantlog.events ' +
          `WHERE position > ${lastPosition} ORDER BY position`,
      );
      const findings = rows.flatMap((row) => [...readRow(row)]);
      const [head] = await queryOnce<{ position: string }>(url, 'SELECT position FROM grantlog.head');
      if (Number(head?.position) !== lastPosition)
        findings.push(`the head is ${head?.position}, but the log ends at ${lastPosition}`);
      return findings;
    },
    findMissing: (ledger) => [
      ...findMiscounted('an access token', ledger.accessTokens, accessTokens),
      ...findMiscounted('a refresh token', ledger.refreshTokens, refreshTokens),
      ...findMiscounted('a redemption of a code', refusedCodes(ledger), useCounts),
    ],
  };
}

function count(counts: Map<string, number>, hash = ''): number {
  const newCount = (counts.get(hash) ?? 0) + 1;
  counts.set(hash, newCount);
  return newCount;
}

function refusedCodes({ grants }: Ledger): readonly string[] {
  const isRefused = ({ history }: RecordedGrant): boolean =>
    history.some(({ kind, outcome }) => kind === 'redeem' && outcome === 'refused');
  return grants.filter(isRefused).map(({ code }) => code);
}

function* findMiscounted(
  name: string,
  credentials: Iterable<string>,
  recordedCounts: Map<string, number>,
): Generator<string> {
  for (const credential of credentials) {
    const times = recordedCounts.get(hashCredential(credential)) ?? 0;
    if (times !== 1) yield `${name} that must be recorded once was recorded ${times} times`;
  }
}
