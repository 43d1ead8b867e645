import { expect } from 'chai';
import { checkDatabase } from '../../src/cli/doctor-database.ts';
import type { SharedStorage } from '../../src/event-store/shared-storage.ts';

const SOUND_STORAGE: SharedStorage = {
  version: '15.4',
  hosts: 'db.example:5432',
  isLocal: false,
  tls: 'verify-full',
  durability: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' },
  synchronousStandbys: 'ANY 1 (a, b)',
  schemaProblem: undefined,
  log: { head: 9, newestCheckpoint: 9, newestSnapshot: 0, nodes: [] },
};

async function failedChecks(changes: Partial<SharedStorage>): Promise<readonly string[]> {
  const settings = { log: 'postgres://user@db.example/log', keys: 'database', dataDir: '/nowhere' };
  const results = await checkDatabase(settings, async () => ({ ...SOUND_STORAGE, ...changes }));
  return results.filter(({ ok }) => !ok).map(({ check }) => check);
}

describe('The database checks of grantlog doctor', () => {
  it('find nothing wrong with a replicated database behind TLS', async () => {
    expect(await failedChecks({})).to.deep.equal([]);
  });

  it('report unencrypted or unverified connections to another machine', async () => {
    for (const tls of ['disable', 'require'] as const) {
      expect(await failedChecks({ tls }), tls).to.deep.equal(['database-tls']);
      expect(await failedChecks({ tls, isLocal: true }), `${tls} on this machine`).to.deep.equal([]);
    }
  });

  it('report a database that can lose or corrupt committed data in a crash', async () => {
    for (const name of ['fsync', 'full_page_writes'] as const)
      expect(await failedChecks({ durability: { ...SOUND_STORAGE.durability, [name]: 'off' } })).to.deep.equal([
        'database-durability',
      ]);
  });

  it('accept a database that defaults to asynchronous commits, because Grantlog overrides that default', async () => {
    expect(
      await failedChecks({ durability: { ...SOUND_STORAGE.durability, synchronous_commit: 'off' } }),
    ).to.deep.equal([]);
  });

  it('do nothing if the log is in the data directory', async () => {
    expect(
      await checkDatabase({ log: null, keys: null, dataDir: '/nowhere' }, () => expect.fail('no database')),
    ).to.deep.equal([]);
  });
});
