import { expect } from 'chai';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { withConnection } from '../../support/postgres/open-log.ts';

describe('a connection to PostgreSQL', () => {
  it('runs statements one after the other, in order, and gives each its own result or error', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    await withConnection(await createDatabase(), async (connection) => {
      const results = await Promise.allSettled([
        connection.query<{ value: number }>({ text: 'select pg_sleep(0.02), 1 as value' }),
        connection.query({ text: 'select no_such_column' }),
        connection.query<{ value: number }>({ text: 'select $1::int as value', values: [3] }),
      ]);
      const values = results.map((result) =>
        result.status === 'fulfilled' ? (result.value[0] as { value: number }).value : 'refused',
      );
      expect(values).to.deep.equal([1, 'refused', 3]);
    });
    process.off('warning', onWarning);
    expect(warnings.map(({ message }) => message)).to.deep.equal([]);
  });
});
