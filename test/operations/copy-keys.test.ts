import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyLogKeys } from '../../src/composition/copy-locations.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { openSharedKeys } from '../../src/composition/shared-keys.ts';
import { configFromSettings, type Config } from '../../src/config/config.ts';
import { migrate } from '../../src/event-store/postgres/migrate.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { parsePostgresUrl } from '../../src/platform/postgres/connection-url.ts';
import { importClient } from '../support/chosen-secrets.ts';
import { seconds } from '../support/domain-values.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { withConnection } from '../support/postgres/open-log.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('the keys of a copied log', () => {
  let directory: string;
  let url: string;
  let settings: Config;
  const start = (dataDir: string): Promise<Service> =>
    openService(configFromSettings({ dataDir }), {
      clock: systemClock,
      entropy: systemEntropy(),
      hasher: quickHasher,
      issuer: () => 'http://localhost',
    });

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-copy-'));
    url = await createDatabase();
    await withConnection(url, (connection) => migrate(connection, '0.1.0'));
    settings = configFromSettings({ dataDir: directory, log: url, keys: 'database', keysSecret: '0f'.repeat(32) });
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are unchanged after being copied to a database and back', async () => {
    const [from, to] = [join(directory, 'one'), join(directory, 'two')];
    const service = await start(from);
    await service.accounts.register({ username: 'ada', password: 'x' }, OPERATOR);
    await importClient(service, 'in plain text', 'ant');
    await service.signingKeys.sign('ES256', 'JWT', {}, seconds(1_800_000_000));
    await service.close();
    expect(await copyLogKeys({ from, to: url }, settings, systemEntropy())).to.equal(true);
    const sharedKeys = openSharedKeys(settings, parsePostgresUrl(url), systemEntropy());
    const serverKeys = await sharedKeys.store.open(systemEntropy(), { isNew: false, mayPredateLogKey: false });
    expect(serverKeys.log.equals(service.keys.log)).to.equal(true);
    sharedKeys.close();
    expect(await copyLogKeys({ from: url, to }, settings, systemEntropy())).to.equal(true);
    const names = readdirSync(join(from, 'keys'));
    expect(readdirSync(join(to, 'keys'))).to.deep.equal(names);
    for (const name of names) {
      const readKey = (dataDir: string): string => readFileSync(join(dataDir, 'keys', name), 'utf8');
      expect(readKey(to), name).to.equal(readKey(from));
    }
  });

  it('are not copied if one of the server keys is missing, and the target stays empty', async () => {
    const from = join(directory, 'one');
    await (await start(from)).close();
    rmSync(join(from, 'keys', 'names.key'));
    const failure = await copyLogKeys({ from, to: url }, settings, systemEntropy()).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.match(/^the names key in .* is missing or damaged; no key was copied$/);
    const rows = await withConnection(url, (connection) => connection.query({ text: 'select 1 from grantlog.keys' }));
    expect(rows).to.deep.equal([]);
  });

  it('are not copied if the settings specify a directory for them', async () => {
    const locations = { from: join(directory, 'one'), to: url };
    const directorySettings = configFromSettings({ dataDir: directory, log: url, keys: join(directory, 'keys') });
    expect(await copyLogKeys(locations, directorySettings, systemEntropy())).to.equal(false);
    expect(readdirSync(directory)).to.deep.equal([]);
  });
});
