import { expect } from 'chai';
import fc from 'fast-check';
import { migrate } from '../../../src/event-store/postgres/migrate.ts';
import { CLIENT_KEYS } from '../../../src/platform/keys/client-keys.ts';
import { keyDatabase, type KeyDatabase } from '../../../src/platform/keys/key-database.ts';
import type { KeyQuery } from '../../../src/platform/keys/key-table.ts';
import { KEY_NAMES, keyTexts } from '../../../src/platform/keys/keys.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../../../src/platform/keys/personal-keys.ts';
import { systemEntropy } from '../../../src/platform/ports.ts';
import { connectPrimary, type Connection, type Statement } from '../../../src/platform/postgres/connect.ts';
import { parsePostgresUrl } from '../../../src/platform/postgres/connection-url.ts';
import { clientId, userId } from '../../support/domain-values.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';

const NEW_KEYS = { isNew: true, mayPredateLogKey: true };
const USED_KEYS = { isNew: false, mayPredateLogKey: false };
const [FIRST_SECRET, SECOND_SECRET, THIRD_SECRET] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
  Buffer,
  Buffer,
  Buffer,
];
const IDS = ['ada', 'bob', 'cleo'].map(userId);
const NODES = 3;

describe('keys in the database', () => {
  let url: string;
  const connections: Connection[] = [];

  beforeEach(async () => {
    url = await createDatabase();
    await migrate(await connect(), '0.1.0');
  });
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.destroy();
  });

  async function connect(): Promise<Connection> {
    const connection = await connectPrimary(parsePostgresUrl(url), { purpose: 'test', timeoutMilliseconds: 30_000 });
    connections.push(connection);
    return connection;
  }

  async function openNode(secrets: readonly Buffer[] = [FIRST_SECRET]): Promise<KeyDatabase> {
    const connection = await connect();
    return keyDatabase({ query: connection.query, secrets, entropy: systemEntropy() });
  }

  async function readRows(): Promise<readonly { kind: string; name: string; value: Buffer | null }[]> {
    const connection = await connect();
    return connection.query({ text: 'select kind, name, value from grantlog.keys order by kind, name' });
  }

  const failureMessage = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'no failure',
      ({ message }: Error) => message,
    );

  it('are created once by nodes that start at the same moment, and found by later nodes', async () => {
    const nodes = await Promise.all(Array.from({ length: 5 }, () => openNode()));
    const keySets = await Promise.all(nodes.map((keys) => keys.open(systemEntropy(), NEW_KEYS)));
    const texts = keySets.map((keys) => JSON.stringify(keyTexts(keys)));
    expect(new Set(texts).size).to.equal(1);
    const laterKeys = await (await openNode()).open(systemEntropy(), USED_KEYS);
    expect(JSON.stringify(keyTexts(laterKeys))).to.equal(texts[0]);
    expect((await (await openNode()).logKeys())?.log.equals(laterKeys.log)).to.equal(true);
  });

  it('behave on every node like one map, after any sequence of changes and a refresh', async () => {
    const nodes = await Promise.all(Array.from({ length: NODES }, () => openNode()));
    const step = fc.record({
      nodeIndex: fc.nat(NODES - 1),
      id: fc.constantFrom(...IDS),
      change: fc.constantFrom('add' as const, 'add' as const, 'destroy' as const, 'restart' as const),
    });
    let bytes = 0;
    const model = new Map<string, Buffer>();
    const rings = await Promise.all(nodes.map((keys) => keys.keyring(PERSONAL_KEYS)));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        for (const { nodeIndex, id, change } of steps) {
          const ring = rings[nodeIndex] ?? expect.fail('no such node');
          if (change === 'restart') rings[nodeIndex] = await (await openNode()).keyring(PERSONAL_KEYS);
          else if (change === 'destroy') {
            await ring.destroy(id);
            model.delete(id);
          } else {
            const key = Buffer.alloc(32, (bytes += 1));
            const storedKey = await ring.add(id, key);
            expect(storedKey, 'the first key stays').to.deep.equal(model.get(id) ?? key);
            model.set(id, Buffer.from(storedKey));
          }
          expect(ring.find(id), 'on the node that made the change').to.deep.equal(
            change === 'restart' ? ring.find(id) : model.get(id),
          );
          for (const keyring of rings) {
            await keyring.refresh();
            for (const name of IDS) expect(keyring.find(name), name).to.deep.equal(model.get(name));
            expect([...keyring.ids()].toSorted()).to.deep.equal([...model.keys()].toSorted());
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are never lost when all nodes change them at the same time', async () => {
    const rings = await Promise.all(
      Array.from({ length: NODES }, async () => (await openNode()).keyring(PERSONAL_KEYS)),
    );
    const isDestroyed = (index: number): boolean => index % 4 === 0;
    const ids = rings.flatMap((_, nodeIndex) =>
      Array.from({ length: 30 }, (__, index) => ({ id: userId(`${nodeIndex}-${index}`), nodeIndex, index })),
    );
    const stop = new AbortController();
    const refreshes = Promise.all(
      rings.map(async (ring) => {
        while (!stop.signal.aborted) await ring.refresh();
      }),
    );
    await Promise.all(
      ids.map(async ({ id, nodeIndex, index }) => {
        await rings[nodeIndex]?.add(id, Buffer.alloc(32, index));
        if (isDestroyed(index)) await rings[(nodeIndex + 1) % NODES]?.destroy(id);
      }),
    );
    stop.abort();
    await refreshes;
    for (const ring of [...rings, await (await openNode()).keyring(PERSONAL_KEYS)]) {
      await ring.refresh();
      for (const { id, index } of ids) {
        expect(ring.find(id), id).to.deep.equal(isDestroyed(index) ? undefined : Buffer.alloc(32, index));
      }
    }
  });

  it('are the same on all nodes that add a key for the same id at the same time', async () => {
    const rings = await Promise.all(Array.from({ length: NODES }, async () => (await openNode()).keyring(CLIENT_KEYS)));
    const keys = await Promise.all(rings.map((ring, index) => ring.add(clientId('ant'), Buffer.alloc(32, index + 1))));
    for (const key of keys) expect(key).to.deep.equal(keys[0]);
  });

  it('are wiped from memory when they are destroyed, on each node that refreshes', async () => {
    const [firstRing, secondRing] = [
      await (await openNode()).keyring(PERSONAL_KEYS),
      await (await openNode()).keyring(PERSONAL_KEYS),
    ];
    await firstRing.add(userId('ada'), Buffer.alloc(32, 7));
    await secondRing.refresh();
    const keysInMemory = [firstRing, secondRing].map((ring) => ring.find(userId('ada')) ?? expect.fail('not kept'));
    await firstRing.destroy(userId('ada'));
    await secondRing.refresh();
    expect([firstRing, secondRing].map((ring) => ring.find(userId('ada')))).to.deep.equal([undefined, undefined]);
    for (const key of keysInMemory) expect(key).to.deep.equal(Buffer.alloc(32, 0));
    expect((await readRows()).map(({ value }) => value)).to.deep.equal([null]);
  });

  it('stay destroyed even if a query result from before the destruction arrives after it', async () => {
    const writer = await (await openNode()).keyring(PERSONAL_KEYS);
    await writer.add(userId('ada'), Buffer.alloc(32, 7));
    const connection = await connect();
    let release = (): void => {};
    const untilReleased = new Promise<void>((resolve) => (release = resolve));
    let isSlow = false;
    const query: KeyQuery = async <Row extends object>(statement: Statement) => {
      const rows = await connection.query<Row>(statement);
      if (isSlow && statement.name === 'key changes') await untilReleased;
      return rows;
    };
    const slowRing: PersonalKeys = await keyDatabase({
      query,
      secrets: [FIRST_SECRET],
      entropy: systemEntropy(),
    }).keyring(PERSONAL_KEYS);
    await writer.add(userId('bob'), Buffer.alloc(32, 8));
    isSlow = true;
    const refresh = slowRing.refresh();
    await slowRing.destroy(userId('bob'));
    await slowRing.destroy(userId('ada'));
    release();
    await refresh;
    expect([slowRing.find(userId('ada')), slowRing.find(userId('bob'))]).to.deep.equal([undefined, undefined]);
  });

  it('that cannot be destroyed are no longer found, and a retry destroys them', async () => {
    const connection = await connect();
    let isDown = false;
    const query: KeyQuery = (statement) =>
      isDown ? Promise.reject(new Error('the database is down')) : connection.query<never>(statement);
    const ring = await keyDatabase({ query, secrets: [FIRST_SECRET], entropy: systemEntropy() }).keyring(PERSONAL_KEYS);
    await ring.add(userId('ada'), Buffer.alloc(32, 7));
    isDown = true;
    expect(await failureMessage(ring.destroy(userId('ada')))).to.equal('the database is down');
    expect([ring.find(userId('ada')), ring.ids()]).to.deep.equal([undefined, []]);
    isDown = false;
    await ring.refresh();
    expect(ring.find(userId('ada'))).to.equal(undefined);
    await ring.destroy(userId('ada'));
    expect((await readRows())[0]?.value).to.equal(null);
  });

  describe('are encrypted', () => {
    const texts = (): Promise<string> =>
      openNode()
        .then((database) => database.open(systemEntropy(), NEW_KEYS))
        .then((keys) => JSON.stringify(keyTexts(keys)));

    it('so that no row contains a key, and equal keys differ', async () => {
      const database = await openNode();
      const serverKeys = Object.values(keyTexts(await database.open(systemEntropy(), NEW_KEYS)));
      const ring = await database.keyring(PERSONAL_KEYS);
      for (const id of IDS) await ring.add(id, Buffer.alloc(32, 7));
      const values = (await readRows()).map(({ value }) => value?.toString('hex') ?? '');
      expect(values).to.have.length(KEY_NAMES.length + IDS.length);
      expect(new Set(values).size).to.equal(values.length);
      for (const text of [...serverKeys, '07'.repeat(32), '01'.repeat(32)]) {
        for (const value of values) expect(value).to.not.include(text);
      }
    });

    it('and a node without the secret does not start, and gives the reason', async () => {
      await texts();
      const failure = await failureMessage((await openNode([SECOND_SECRET])).open(systemEntropy(), USED_KEYS));
      expect(failure).to.match(/^the refresh key in the database cannot be decrypted: .*GRANTLOG_KEYS_SECRET/);
      expect(
        await failureMessage((await openNode([SECOND_SECRET])).open(systemEntropy(), NEW_KEYS)),
        'it does not create keys either',
      ).to.equal(failure);
    });

    it('each under its name, so that swapped rows and changed bytes are detected', async () => {
      const database = await openNode();
      await database.open(systemEntropy(), NEW_KEYS);
      const ring = await database.keyring(PERSONAL_KEYS);
      await ring.add(userId('ada'), Buffer.alloc(32, 1));
      await ring.add(userId('bob'), Buffer.alloc(32, 2));
      const connection = await connect();
      await connection.query({
        text: `update grantlog.keys k set value = o.value from grantlog.keys o
          where k.kind = 'users' and o.kind = 'users' and k.name <> o.name`,
      });
      expect((await (await openNode()).keyring(PERSONAL_KEYS)).ids()).to.deep.equal([]);
      const text = `update grantlog.keys set value = set_byte(value, $1, get_byte(value, $1) # 1) where name = 'log'`;
      for (const index of [0, 11, 12, 30, 44, 59]) {
        await connection.query({ text, values: [index] });
        expect(await (await openNode()).findUnusable(USED_KEYS), `byte ${index}`).to.deep.equal([
          { name: 'log', problem: 'damaged' },
        ]);
        await connection.query({ text, values: [index] });
      }
      expect(await (await openNode()).findUnusable(USED_KEYS)).to.deep.equal([]);
    });

    it('with the first secret, and decrypted with any, so that a secret can be replaced while nodes run', async () => {
      const originalTexts = await texts();
      const oldRing = await (await openNode([FIRST_SECRET])).keyring(PERSONAL_KEYS);
      for (const id of IDS) await oldRing.add(id, Buffer.alloc(32, 7));
      await oldRing.destroy(IDS[0] ?? userId(''));
      const secondNode = await openNode([SECOND_SECRET, FIRST_SECRET]);
      expect(JSON.stringify(keyTexts(await secondNode.open(systemEntropy(), USED_KEYS)))).to.equal(originalTexts);
      const thirdNode = await openNode([THIRD_SECRET, SECOND_SECRET]);
      expect(
        JSON.stringify(keyTexts(await thirdNode.open(systemEntropy(), USED_KEYS))),
        'all have been encrypted again',
      ).to.equal(originalTexts);
      expect((await thirdNode.keyring(PERSONAL_KEYS)).ids()).to.deep.equal(IDS.slice(1));
      const lastNode = await openNode([THIRD_SECRET]);
      expect(JSON.stringify(keyTexts(await lastNode.open(systemEntropy(), USED_KEYS)))).to.equal(originalTexts);
      const unusableKeys = await (await openNode([FIRST_SECRET])).findUnusable(USED_KEYS);
      expect(unusableKeys, 'no key is encrypted with the old secret').to.have.length(KEY_NAMES.length);
    });
  });

  it('are not re-created if they have been used and are missing, and the error names the key', async () => {
    await (await openNode()).open(systemEntropy(), NEW_KEYS);
    const connection = await connect();
    for (const name of KEY_NAMES) {
      await connection.query({ text: `update grantlog.keys set kind = 'gone' where name = $1`, values: [name] });
      const failure = await failureMessage((await openNode()).open(systemEntropy(), USED_KEYS));
      expect(failure).to.include(`the ${name} key is missing from the database`);
      await connection.query({ text: `update grantlog.keys set kind = 'server' where name = $1`, values: [name] });
    }
  });

  it('can be rotated and restored from a backup; previous cookie keys stay until they are dropped', async () => {
    const database = await openNode();
    const originalTexts = keyTexts(await database.open(systemEntropy(), NEW_KEYS));
    await database.rotate('cookies', systemEntropy(), { keepPrevious: true, now: 100 });
    const rotatedTexts = keyTexts(await (await openNode()).open(systemEntropy(), USED_KEYS));
    expect({ ...rotatedTexts, cookies: '' }).to.deep.equal({ ...originalTexts, cookies: '' });
    expect(rotatedTexts.cookies).to.not.equal(originalTexts.cookies);
    const watcher = await openNode();
    expect(await watcher.texts()).to.deep.equal(rotatedTexts);
    const replacedKey = { text: originalTexts.cookies, replacedAt: 100 };
    expect(await watcher.previousCookieKeys(), 'still accepted').to.deep.equal([replacedKey]);
    await database.rotate('cookies', systemEntropy(), { keepPrevious: true, now: 200 });
    await watcher.texts();
    const expected = [{ text: rotatedTexts.cookies, replacedAt: 200 }, replacedKey];
    expect(await watcher.previousCookieKeys(), 'still accepted after another rotation').to.deep.equal(expected);
    await database.dropPreviousCookieKeys();
    await watcher.texts();
    expect(await watcher.previousCookieKeys(), 'no longer accepted').to.deep.equal([]);
    await database.rotate('cookies', systemEntropy(), { keepPrevious: true, now: 300 });
    expect(await database.previousCookieKeys(), 'dropped keys do not return').to.have.length(1);
    const users = IDS.map((id, index) => [id, Buffer.alloc(32, index)] as const);
    await (await openNode()).restore({ server: originalTexts, keyrings: [[PERSONAL_KEYS, users]] });
    const restoredDatabase = await openNode();
    expect(keyTexts(await restoredDatabase.open(systemEntropy(), USED_KEYS))).to.deep.equal(originalTexts);
    const ring = await restoredDatabase.keyring(PERSONAL_KEYS);
    for (const [id, key] of users) expect(ring.find(id)).to.deep.equal(key);
  });

  it('of thousands of users are all loaded', async () => {
    const users = Array.from(
      { length: 12_345 },
      (_, index) => [userId(`user ${index}`), Buffer.alloc(32, index)] as const,
    );
    const server = keyTexts(await (await openNode()).open(systemEntropy(), NEW_KEYS));
    await (await openNode()).restore({ server, keyrings: [[PERSONAL_KEYS, users]] });
    const ring = await (await openNode()).keyring(PERSONAL_KEYS);
    expect(ring.ids()).to.have.length(users.length);
    for (const [id, key] of users) expect(ring.find(id)).to.deep.equal(key);
  });
});
