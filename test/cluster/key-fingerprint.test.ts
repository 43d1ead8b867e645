import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { migrate } from '../../src/event-store/postgres/migrate.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { withConnection } from '../support/postgres/open-log.ts';
import { quickHasher } from '../support/quick-hasher.ts';

describe('a node on a log in PostgreSQL', () => {
  let scratch: string;
  let url: string;

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'grantlog-fingerprint-'));
    url = await createDatabase();
    await withConnection(url, (connection) => migrate(connection, '0.1.0'));
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  it("refuses to start with keys that differ from the log's keys, even if two nodes start together", async () => {
    const starts = await Promise.allSettled([start('one'), start('two')]);
    const [rejection] = starts.filter((result) => result.status === 'rejected');
    expect(String(rejection?.reason)).to.contain('GRANTLOG_KEYS').and.contain(scratch);
    for (const result of starts) if (result.status === 'fulfilled') await result.value.close();
    expect(starts.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
  });

  it('starts with a copy of the keys', async () => {
    await (await start('one')).close();
    cpSync(join(scratch, 'one', 'keys'), join(scratch, 'two', 'keys'), { recursive: true });
    await (await start('two')).close();
  });

  function start(name: string): Promise<Service> {
    return openService(configFromSettings({ dataDir: join(scratch, name), log: url, sampleApi: false }), {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });
  }
});
