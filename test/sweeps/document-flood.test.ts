import { expect } from 'chai';
import { createOnce } from '../../src/event-store/once.ts';
import { UnusableRequestError } from '../../src/oauth/endpoints/authorization-request.ts';
import { DOCUMENT_SETTINGS, clientDocument } from '../support/client-documents.ts';
import { memoryUsed } from '../support/heap-used.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

/** An allowance for uncollected garbage, far below what unbounded tables would take. */
const MEMORY_HEADROOM_BYTES = 4_194_304;

describe('A flood of unknown clients with metadata documents', () => {
  let running: RunningService;
  afterEach(() => running.close());

  it('on 100,000 hosts, each requested from a different address, is counted in fixed-size tables', async () => {
    let lookups = 0;
    running = await runningService({
      settings: DOCUMENT_SETTINGS,
      resolve: async () => {
        lookups += 1;
        throw new Error('no such host');
      },
    });
    const { directory, limits } = running.service();
    const headBefore = running.log.head();
    const visit = async (number: number): Promise<void> => {
      const spend = () => limits.spend('client-documents-by-address', `address ${number}`, createOnce());
      await directory.resolve(`https://${number}.example/client.json`, spend).catch((error: unknown) => {
        if (!(error instanceof UnusableRequestError)) throw error;
      });
      if (number % 10_000 === 0) running.clock.advance(60);
    };
    const memoryAfterVisits = async (from: number, to: number): Promise<number> => {
      for (let number = from; number < to; number += 1) await visit(number);
      return memoryUsed();
    };
    const memoryHalfway = await memoryAfterVisits(0, 50_000);
    expect((await memoryAfterVisits(50_000, 100_000)) - memoryHalfway).to.be.below(MEMORY_HEADROOM_BYTES);
    expect(running.log.head()).to.equal(headBefore);
    expect(lookups, 'at most 600 a minute').to.be.within(600, 600 * 11);
  }).timeout(300_000);

  it('leaves only a bounded number of documents in memory', async () => {
    running = await runningService({ settings: DOCUMENT_SETTINGS, startTimer: () => () => undefined });
    const { egress } = running.service();
    let fetches = 0;
    Object.assign(egress, {
      readJson: async (_purpose: string, client_id: string) => {
        fetches += 1;
        const document = clientDocument({ client_id });
        return { document, text: JSON.stringify(document), lifetimeSeconds: 3_600 };
      },
    });
    const { directory } = running.service();
    const headBefore = running.log.head();
    const documentUrl = (number: number): string => `https://app.example/${number}.json`;
    const visit = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number += 1) await directory.resolve(documentUrl(number), () => undefined);
    };
    await visit(0, 5_000);
    const memoryHalfway = memoryUsed();
    await visit(5_000, 10_000);
    expect(memoryUsed() - memoryHalfway, 'memory for the second half').to.be.below(MEMORY_HEADROOM_BYTES);
    expect(running.log.head()).to.equal(headBefore);
    expect(running.service().projections.clients.size()).to.equal(0);
    await visit(9_000, 10_000);
    expect(fetches, 'the newest thousand documents are cached').to.equal(10_000);
    await directory.resolve(documentUrl(8_999), () => undefined);
    expect(fetches, 'an older document is not cached').to.equal(10_001);
  });
});
