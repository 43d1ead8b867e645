import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { watchKeys, type WatchedKeys } from '../../../src/platform/keys/cookie-keys.ts';
import { entriesToKeep } from '../../../src/platform/keys/previous-cookie-keys.ts';
import { keyDirectory } from '../../../src/platform/keys/key-directory.ts';
import type { StoredKeys } from '../../../src/platform/keys/key-store.ts';
import { COOKIE_KEYS, cookieKeysFromText, keyTexts } from '../../../src/platform/keys/keys.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const NEW_KEYS = { isNew: true, mayPredateLogKey: true };
const [SECOND_KEY, THIRD_KEY] = ['22'.repeat(32), '33'.repeat(32)];

describe('the cookie key', () => {
  let directory: string;
  let keys: StoredKeys;
  let first: string;
  let now: number;
  let notices: string[];
  const openWatchers: WatchedKeys[] = [];
  const keyPath = (name: string): string => join(directory, `${name}.key`);

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    keys = await keyDirectory(directory).open(seededEntropy('first'), NEW_KEYS);
    first = keyTexts(keys).cookies;
    now = 0;
    notices = [];
  });
  afterEach(() => {
    for (const watcher of openWatchers.splice(0)) watcher.close();
    rmSync(directory, { recursive: true });
  });

  async function start(storedKeys: StoredKeys = keys): Promise<WatchedKeys> {
    const store = keyDirectory(directory);
    const watcher = watchKeys(storedKeys, {
      store,
      clock: { now: () => now, ticks: () => now },
      notice: (line) => void notices.push(line),
    });
    openWatchers.push(watcher);
    await watcher.check();
    return watcher;
  }

  /** Replaces the key as the documentation describes. */
  function replaceKey(digits: string, { keepPrevious = true } = {}): void {
    if (keepPrevious) copyFileSync(keyPath('cookies'), keyPath('cookies.previous'));
    writeFileSync(join(directory, 'draft'), `${digits}\n`, { mode: 0o600 });
    renameSync(join(directory, 'draft'), keyPath('cookies'));
  }

  function expectKeys({ cookieKeys }: WatchedKeys, ...expected: readonly string[]): void {
    const keySets = expected.map(cookieKeysFromText);
    for (const name of COOKIE_KEYS) {
      expect(cookieKeys[name].current().equals(keySets[0]?.[name] ?? keys.log), name).to.equal(true);
      const acceptedKeys = cookieKeys[name].accepted().map((key) => key.export().toString('hex'));
      expect(acceptedKeys, name).to.deep.equal(keySets.map((set) => set[name].export().toString('hex')));
    }
  }

  it('is reloaded while the server runs: a new key verifies immediately, and signs after ten seconds', async () => {
    const watcher = await start();
    expectKeys(watcher, first);
    now = 1_000_000;
    replaceKey(SECOND_KEY);
    expectKeys(watcher, first);
    await watcher.check();
    expectKeys(watcher, first, SECOND_KEY);
    now += 9_999;
    await watcher.check();
    expectKeys(watcher, first, SECOND_KEY);
    now += 1;
    expectKeys(watcher, SECOND_KEY, first);
    expect(notices).to.deep.equal([]);
  });

  it('is rotated by the store, with or without the previous key, which can be dropped', async () => {
    const [watcher, store] = [await start(), keyDirectory(directory)];
    await store.rotate('cookies', seededEntropy('second'), { keepPrevious: true, now: 0 });
    await watcher.check();
    now += 10_000;
    const second = (await store.texts()).cookies ?? expect.fail('damaged');
    expect(second).to.not.equal(first);
    expectKeys(watcher, second, first);
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(new Set(modes)).to.deep.equal(new Set([0o600]));
    await store.dropPreviousCookieKeys();
    await store.dropPreviousCookieKeys();
    await watcher.check();
    expectKeys(watcher, second);
    await store.rotate('cookies', seededEntropy('third'), { keepPrevious: true, now: 0 });
    await store.rotate('cookies', seededEntropy('fourth'), { keepPrevious: false, now: 0 });
    await watcher.check();
    expectKeys(watcher, (await store.texts()).cookies ?? expect.fail('damaged'));
    expect(notices).to.deep.equal([]);
  });

  it('is accepted after its replacement only while the store contains it', async () => {
    const watcher = await start();
    replaceKey(SECOND_KEY);
    await watcher.check();
    now += 10_000;
    expectKeys(watcher, SECOND_KEY, first);
    rmSync(keyPath('cookies.previous'));
    await watcher.check();
    expectKeys(watcher, SECOND_KEY);
    replaceKey(THIRD_KEY);
    await watcher.check();
    expectKeys(watcher, SECOND_KEY, THIRD_KEY);
  });

  it('is replaced immediately if the previous key is not kept, because that key may have leaked', async () => {
    const watcher = await start();
    replaceKey(SECOND_KEY, { keepPrevious: false });
    await watcher.check();
    expectKeys(watcher, SECOND_KEY);
  });

  it('is accepted together with the previous key by a node that starts after the replacement', async () => {
    replaceKey(SECOND_KEY);
    const laterWatcher = await start(
      await keyDirectory(directory).open(seededEntropy('none'), { ...NEW_KEYS, isNew: false }),
    );
    expectKeys(laterWatcher, first, SECOND_KEY);
    now += 10_000;
    expectKeys(laterWatcher, SECOND_KEY, first);
  });

  it('is accepted after every further rotation, until all earlier keys are dropped', async () => {
    const [watcher, store] = [await start(), keyDirectory(directory)];
    const texts = [first];
    for (const seed of ['second', 'third', 'fourth']) {
      await store.rotate('cookies', seededEntropy(seed), { keepPrevious: true, now: now / 1_000 });
      texts.unshift((await store.texts()).cookies ?? expect.fail('damaged'));
      await watcher.check();
      now += 10_000;
    }
    expectKeys(watcher, ...texts);
    expect((await store.previousCookieKeys()).map(({ text }) => text)).to.deep.equal(texts.slice(1));
    await store.dropPreviousCookieKeys();
    await watcher.check();
    expectKeys(watcher, ...texts.slice(0, 1));
  });

  it('keeps signing while it is replaced twice within seconds, because other nodes may lack both keys', async () => {
    const [watcher, store] = [await start(), keyDirectory(directory)];
    for (const seed of ['second', 'third']) {
      await store.rotate('cookies', seededEntropy(seed), { keepPrevious: true, now: now / 1_000 });
      await watcher.check();
      now += 1_000;
    }
    const third = (await store.texts()).cookies ?? expect.fail('damaged');
    const [second] = (await store.previousCookieKeys()).map(({ text }) => text);
    expectKeys(watcher, first, third, second ?? expect.fail('not kept'));
    now += 10_000;
    expectKeys(watcher, third, second ?? expect.fail('not kept'), first);
  });

  it('is accepted if a rotation was interrupted after any of its writes', async () => {
    const store = keyDirectory(directory);
    await store.rotate('cookies', seededEntropy('second'), { keepPrevious: true, now: 100 });
    const second = (await store.texts()).cookies ?? expect.fail('damaged');
    const writes = entriesToKeep(
      [
        ['cookies.previous', first],
        ['cookies.previous.100', first],
      ],
      second,
      200,
    );
    for (const [name, text] of writes) {
      writeFileSync(keyPath(name), `${text}\n`);
      const previousTexts = (await store.previousCookieKeys()).map((key) => key.text);
      expect(new Set([...previousTexts, second]), name).to.deep.equal(new Set([first, second]));
    }
    await store.rotate('cookies', seededEntropy('third'), { keepPrevious: true, now: 300 });
    expect((await store.previousCookieKeys()).map((key) => key.text)).to.deep.equal([second, first]);
  });

  it('is kept by a rotation if an earlier release or an operator made the copy', async () => {
    replaceKey(SECOND_KEY);
    const store = keyDirectory(directory);
    await store.rotate('cookies', seededEntropy('third'), { keepPrevious: true, now: 100 });
    const expected = [
      { text: SECOND_KEY, replacedAt: 100 },
      { text: first, replacedAt: undefined },
    ];
    expect(await store.previousCookieKeys()).to.deep.equal(expected);
  });

  it('does not return with the next rotation if an earlier release dropped only the newest previous key', async () => {
    const store = keyDirectory(directory);
    await store.rotate('cookies', seededEntropy('second'), { keepPrevious: true, now: 100 });
    rmSync(keyPath('cookies.previous'));
    expect(await store.previousCookieKeys()).to.deep.equal([]);
    await store.rotate('cookies', seededEntropy('third'), { keepPrevious: true, now: 200 });
    expect((await store.previousCookieKeys()).map(({ text }) => text)).to.not.include(first);
  });

  it('is not replaced while 32 earlier keys are accepted, and the error says how to drop them', async () => {
    const store = keyDirectory(directory);
    const rotate = (count: number) =>
      store.rotate('cookies', seededEntropy(`${count}`), { keepPrevious: true, now: 100 * count });
    for (let count = 1; count <= 32; count += 1) await rotate(count);
    const originalTexts = await store.texts();
    const failure: unknown = await rotate(33).catch((error: unknown) => error);
    expect(failure).to.have.property('message').that.includes('grantlog keys drop-previous');
    expect(await store.texts()).to.deep.equal(originalTexts);
    expect(await store.previousCookieKeys()).to.have.length(32);
  });

  it('signs immediately on a node that starts at least ten seconds after the replacement', async () => {
    now = 1_000_000;
    const store = keyDirectory(directory);
    await store.rotate('cookies', seededEntropy('second'), { keepPrevious: true, now: now / 1_000 });
    const reopened = await store.open(seededEntropy('none'), { ...NEW_KEYS, isNew: false });
    const second = keyTexts(reopened).cookies;
    now += 9_999;
    expectKeys(await start(reopened), first, second);
    now += 1;
    expectKeys(await start(reopened), second, first);
  });

  it('stays the same while its file is missing or damaged, which is reported once', async () => {
    const watcher = await start();
    writeFileSync(keyPath('cookies'), 'half');
    await watcher.check();
    await watcher.check();
    rmSync(keyPath('cookies'));
    await watcher.check();
    expectKeys(watcher, first);
    expect(notices).to.deep.equal([
      `the cookies key in ${directory} is missing or damaged: this node still uses the key that it loaded, but no ` +
        'node can start until the key is restored',
    ]);
  });

  it('is the only key that is reloaded: a notice requests a restart if another key was replaced', async () => {
    const watcher = await start();
    for (const name of ['refresh', 'names', 'log']) writeFileSync(keyPath(name), `${SECOND_KEY}\n`);
    await watcher.check();
    await watcher.check();
    expect(notices).to.have.length(3);
    expect(notices[0]).to.equal(
      `the refresh key in ${directory} was replaced: restart this node, which still uses the old key`,
    );
  });
});
