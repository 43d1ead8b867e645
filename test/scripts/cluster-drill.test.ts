import { expect } from 'chai';
import { hashCredential } from '../../src/oauth/credentials/credentials.ts';
import { migrateDatabase } from '../../src/composition/postgres-directory.ts';
import { queryOnce } from '../../scripts/postgres/query-once.ts';
import { emptyLedger } from '../support/cluster-drill/ledger.ts';
import { createStoredLog } from '../support/cluster-drill/stored-log.ts';
import { createDatabase } from '../support/postgres/cluster.ts';

interface StoredEvent {
  readonly position: number;
  readonly revision: number;
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

async function checkLog(head: number, events: readonly StoredEvent[], receivedTokens: readonly string[] = []) {
  const url = await createDatabase();
  await migrateDatabase(url);
  const rows = events.map(
    ({ position, revision, type = 'UserDisabled', data = {} }) =>
      `(${position}, 's', ${revision}, '00000000-0000-4000-8000-000000000000', '${JSON.stringify({ type, data })}')`,
  );
  await queryOnce(url, `INSERT INTO grantlog.events VALUES ${rows.join()}`);
  await queryOnce(url, `UPDATE grantlog.head SET position = ${head}`);
  const log = createStoredLog();
  const findings = await log.readOn(url);
  return [...findings, ...log.findMissing({ ...emptyLedger(), accessTokens: new Set(receivedTokens) })];
}

describe("The cluster drill's check of the stored log", () => {
  const issuance = { type: 'AccessTokenIssued', data: { tokenHash: hashCredential('token') } };
  const redemption = { type: 'AuthorizationCodeRedeemed', data: { codeHash: hashCredential('code') } };

  it('has no findings if the log is sound', async () => {
    const events = [
      { position: 1, revision: 1, ...issuance },
      { position: 2, revision: 2, ...redemption },
    ];
    expect(await checkLog(2, events, ['token'])).to.deep.equal([]);
  });

  it('finds gaps in positions and revisions, and a wrong head', async () => {
    const findings = await checkLog(4, [
      { position: 1, revision: 1 },
      { position: 3, revision: 3 },
    ]);
    expect(findings).to.deep.equal([
      'position 3 follows 1',
      'revision 3 of s follows 1',
      'the head is 4, but the log ends at 3',
    ]);
  });

  it('finds a code that was redeemed twice', async () => {
    const events = [
      { position: 1, revision: 1, ...redemption },
      { position: 2, revision: 2, ...redemption },
    ];
    expect(await checkLog(2, events)).to.deep.equal(['position 2 uses a credential again']);
  });

  it('finds a received token that was recorded twice or never', async () => {
    const events = [
      { position: 1, revision: 1, ...issuance },
      { position: 2, revision: 2, ...issuance },
    ];
    expect(await checkLog(2, events, ['token', 'other'])).to.deep.equal([
      'an access token that must be recorded once was recorded 2 times',
      'an access token that must be recorded once was recorded 0 times',
    ]);
  });
});
