import { expect } from 'chai';
import { START, type Position } from '../../../src/event-store/event-log.ts';
import { NO_ARCHIVE } from '../../../src/event-store/archive/archive.ts';
import { createReadQueries } from '../../../src/event-store/postgres/read-queries.ts';
import { createReader } from '../../../src/event-store/postgres/reader.ts';
import type { Connection } from '../../../src/platform/postgres/connect.ts';
import { unchecked } from '../../support/unchecked.ts';

const RECORD = {
  stream: 's',
  revision: 1,
  type: 'T',
  version: 1,
  recordedAt: 0,
  actor: { kind: 'operator' },
  data: {},
};

describe('A reader of the log in PostgreSQL', () => {
  it('reports an unreadable page only to the consumer, even if the consumer requests it late', async () => {
    const unhandledErrors: unknown[] = [];
    const addUnhandled = (error: unknown): void => void unhandledErrors.push(error);
    const otherListeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', addUnhandled);
    let queries = 0;
    const connection: Connection = unchecked({
      ended: new Promise(() => {}),
      destroy() {},
      async query() {
        queries += 1;
        if (queries > 1) throw new Error('the connection is lost');
        return [{ position: 1, record: JSON.stringify(RECORD) }];
      },
    });
    const { query, close } = createReadQueries(async () => {
      if (queries > 1) throw new Error('no host is a primary');
      return connection;
    });
    const reader = createReader(query, { ...NO_ARCHIVE, refresh: async () => {} });
    try {
      const pages = reader.readBetween(START, 2 as Position, 1);
      expect((await pages.next()).value).to.have.length(1);
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      const error: unknown = await pages.next().catch((reason: unknown) => reason);
      expect(error).to.have.property('name', 'LogUnreachable');
      expect(unhandledErrors).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', addUnhandled);
      for (const listener of otherListeners) process.on('unhandledRejection', listener);
      close();
    }
  });
});
