import { createSecretKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createExplanations, STORED_REFUSALS, type RefusedRequest } from '../../../src/oauth/refusals/explanations.ts';
import {
  openRefusalStore,
  STORED_PER_CLIENT_PER_SECOND,
  type RefusalStore,
} from '../../../src/oauth/refusals/refusal-store.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));

describe('Stored refusals', () => {
  let directory: string;
  let milliseconds: number;
  let notices: string[];
  let store: RefusalStore;
  let addedCount: number;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-refusals-'));
    [milliseconds, notices, addedCount] = [0, [], 0];
    store = await openStore();
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  const path = (): string => join(directory, 'refusals');
  const openStore = (key = KEY): Promise<RefusalStore> =>
    openRefusalStore({
      path: path(),
      key,
      entropy: systemEntropy(),
      ticks: () => milliseconds,
      notice: (line) => notices.push(line),
    });
  async function restart(key = KEY): Promise<readonly RefusedRequest[]> {
    await store.close();
    store = await openStore(key);
    return store.earlierRequests;
  }
  function addRefusal(
    clientId: string | null,
    isProven: boolean,
    members: Partial<RefusedRequest> = {},
  ): RefusedRequest {
    addedCount += 1;
    const refusal: RefusedRequest = {
      id: `request-${addedCount}`,
      at: addedCount,
      method: 'POST',
      path: '/o/token/',
      error: 'invalid_client',
      clientId,
      isProven,
      refusal: { rule: 'client-secret-missing' },
      ...members,
    };
    store.add(refusal);
    return refusal;
  }
  const advanceOneSecond = (): void => void (milliseconds += 1_000);

  it('survive a restart, in order and complete', async () => {
    const refusals = [addRefusal('a', true), addRefusal(null, false), addRefusal('a', false), addRefusal('b', true)];
    expect(await restart()).to.deep.equal(refusals);
    const laterRefusal = addRefusal('a', true);
    expect(await restart()).to.deep.equal([...refusals, laterRefusal]);
  });

  it('are explained after a restart', async () => {
    const { id } = addRefusal('a', true);
    await restart();
    const explanations = createExplanations(store);
    expect(explanations.find(id)).to.include({ id, rule: 'client-secret-missing', clientId: 'a' });
    expect(explanations.listByClient('a')).to.have.length(1);
    expect(explanations.counts()['client-secret-missing'], 'counted since startup').to.equal(0);
  });

  it('take constant space on the disk, and are encrypted', async () => {
    const { size } = statSync(path());
    for (let index = 0; index < 500; index += 1) {
      addRefusal(`client-${index % 7}`, index % 2 === 0);
      if (index % 5 === 0) advanceOneSecond();
    }
    await store.settled();
    expect(statSync(path()).size).to.equal(size);
    expect(readFileSync(path()).includes('request-')).to.equal(false);
  });

  it('are bounded in number and in writes, and never displace refusals of an authenticated client', async () => {
    const kinds = fc.constantFrom<readonly [string | null, boolean]>(
      ['flooded', false],
      ['another', true],
      ['third', false],
      [null, false],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 50, maxLength: 300 }), async (flood) => {
        await store.close();
        rmSync(path());
        store = await openStore();
        const ownRefusal = addRefusal('flooded', true);
        for (const [index, [clientId, isProven]] of flood.entries()) {
          addRefusal(clientId, isProven);
          if (index % 40 === 39) advanceOneSecond();
        }
        advanceOneSecond();
        const seconds = Math.ceil(flood.length / 40) + 1;
        const earlierRefusals = await restart();
        expect(earlierRefusals.map(({ id }) => id)).to.include(ownRefusal.id);
        const count = (clientId: string | null, isProven: boolean): number =>
          earlierRefusals.filter((refusal) => refusal.clientId === clientId && refusal.isProven === isProven).length;
        expect(count('another', true)).to.be.at.most(seconds * STORED_PER_CLIENT_PER_SECOND);
        expect(count(null, false)).to.be.at.most(seconds * STORED_REFUSALS.rest.perSecond);
        expect(count('third', false)).to.be.at.most(STORED_REFUSALS.named.perClient);
      }),
      { numRuns: 15 },
    );
  });

  it('are counted together with refusals that are only in memory', () => {
    for (let index = 0; index < STORED_PER_CLIENT_PER_SECOND + 3; index += 1) addRefusal('a', true);
    expect(store.counts()).to.deep.equal({ stored: STORED_PER_CLIENT_PER_SECOND, skipped: 3, failures: 0 });
    advanceOneSecond();
    addRefusal('a', true, { refusal: { rule: 'scope-unknown', unknown: ['x'.repeat(3_000)] } as never });
    expect(store.counts().skipped, 'too large').to.equal(4);
  });

  it('are deleted if the file is damaged, with a notice and without preventing startup', async () => {
    const corruptions = [
      () => truncateSync(path(), 5_000),
      () => writeFileSync(path(), 'nonsense'),
      () => writeFileSync(path(), ''),
    ];
    for (const corrupt of corruptions) {
      addRefusal('a', true);
      await store.close();
      corrupt();
      notices = [];
      store = await openStore();
      expect(store.earlierRequests).to.deep.equal([]);
      expect(notices.join()).to.contain('explanations of earlier refusals are lost');
      const refusal = addRefusal('a', true);
      expect(await restart()).to.deep.equal([refusal]);
    }
  });

  it('encrypted under a different key are omitted and reported', async () => {
    addRefusal('a', true);
    expect(await restart(createSecretKey(Buffer.alloc(32, 2)))).to.deep.equal([]);
    expect(notices.join()).to.contain(
      '1 of 1 explanations of refusals are damaged, or encrypted under a different key',
    );
  });

  it('from a different release are omitted if their rules are unknown', async () => {
    addRefusal('a', true, { refusal: { rule: 'from-the-future' } as never });
    const knownRefusal = addRefusal('a', true);
    expect(await restart()).to.deep.equal([knownRefusal]);
  });

  it('are kept in memory, with a notice, if the file cannot be used', async () => {
    await store.close();
    rmSync(path());
    mkdirSync(path());
    mkdirSync(join(path(), 'occupied'));
    store = await openStore();
    expect(() => addRefusal('a', true)).not.to.throw();
    expect(notices.join()).to.contain('will not survive a restart');
  });
});
