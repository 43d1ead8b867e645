import { expect } from 'chai';
import { migrate } from '../../../src/event-store/postgres/migrate.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { openTestLog, withConnection } from '../../support/postgres/open-log.ts';

const open = (url: string) => openTestLog(url, { isMigrated: true });

describe('the database schema', () => {
  let url: string;
  beforeEach(async () => {
    url = await createDatabase();
  });

  it('is created once, even if several processes migrate at the same time', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => withConnection(url, (connection) => migrate(connection, '1.0.0'))),
    );
    const [{ to } = { to: 0 }] = runs;
    expect(to).to.be.greaterThan(0);
    expect(runs.filter(({ from }) => from === 0)).to.have.length(1);
    expect(runs.filter(({ from }) => from === to)).to.have.length(7);
  });

  it('must exist before a node starts', async () => {
    const refusal = await open(url).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Error).with.property('message').that.contains('grantlog migrate');
  });

  it('must not be newer than the release; otherwise, the message names the required release', async () => {
    await withConnection(url, async (connection) => {
      await migrate(connection, '1.0.0');
      await connection.query({ text: `insert into grantlog.schema_version values (999, '9.8.7')` });
    });
    for (const attempt of [() => open(url), () => withConnection(url, (connection) => migrate(connection, '1.0.0'))]) {
      const refusal = await attempt().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal).to.be.instanceOf(Error).with.property('message').that.contains('9.8.7');
    }
  });

  it('must not be older than the release', async () => {
    await withConnection(url, async (connection) => {
      await migrate(connection, '1.0.0');
      await connection.query({ text: 'delete from grantlog.schema_version where version > 1' });
    });
    const refusal = await open(url).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Error).with.property('message').that.contains('grantlog migrate');
  });
});
