import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { deriveSigningKey, ephemeralKeys, KEY_NAMES, keyTexts, type Keys } from '../../../src/platform/keys/keys.ts';
import { findUnusableKeys, keyDirectory } from '../../../src/platform/keys/key-directory.ts';
import type { KeyHistory, StoredKeys } from '../../../src/platform/keys/key-store.ts';
import type { Entropy } from '../../../src/platform/ports.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { RUN_TYPESCRIPT } from '../../support/typescript.ts';

const hex = (keys: Keys): readonly string[] =>
  [keys.refresh, keys.names, keys.cookies].map((key) => key.export().toString('hex'));

const openKeys = (directory: string, entropy: Entropy, history: KeyHistory): Promise<StoredKeys> =>
  keyDirectory(directory).open(entropy, history);
const failureMessage = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    ({ message }: Error) => message,
  );

const run = promisify(execFile);

const NEW_KEYS = { isNew: true, mayPredateLogKey: true };
const USED_KEYS = { isNew: false, mayPredateLogKey: false };

describe("the server's keys", () => {
  let directory: string;
  let keysDirectory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    keysDirectory = join(directory, 'keys');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are created, all different, at the first startup, and found at every later startup', async () => {
    const first = hex(await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS));
    expect(new Set(first).size).to.equal(3);
    for (const key of first) expect(key).to.match(/^[0-9a-f]{64}$/);
    expect(hex(await openKeys(keysDirectory, seededEntropy('second'), USED_KEYS))).to.deep.equal(first);
  });

  it('cannot be in a file, and the message says what to set', () => {
    writeFileSync(keysDirectory, '');
    expect(() => keyDirectory(keysDirectory)).to.throw(
      `the key directory ${keysDirectory} cannot be used: it is not a directory; ` +
        'set GRANTLOG_KEYS to the key directory',
    );
  });

  it('are the same for nodes that start at the same moment in an empty directory', async function () {
    this.timeout(300_000);
    for (const name of ['in one process', 'in several']) {
      const sharedDirectory = join(directory, name);
      const program = join(import.meta.dirname, '../../support/keys-process.ts');
      const startups = ['one', 'two', 'three', 'four'].map(async (seed) =>
        name === 'in several'
          ? (await run(process.execPath, [RUN_TYPESCRIPT, program, sharedDirectory])).stdout.trim()
          : JSON.stringify(keyTexts(await openKeys(sharedDirectory, seededEntropy(seed), NEW_KEYS))),
      );
      expect(new Set(await Promise.all(startups)).size, name).to.equal(1);
      expect(readdirSync(sharedDirectory).toSorted()).to.deep.equal([
        'cookies.key',
        'log.key',
        'names.key',
        'refresh.key',
      ]);
    }
  });

  it('are readable only by the owner of the process', async () => {
    await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    expect(readdirSync(keysDirectory)).to.include.members(['cookies.key', 'names.key', 'refresh.key']);
    expect(statSync(keysDirectory).mode & 0o777).to.equal(0o700);
    for (const name of readdirSync(keysDirectory))
      expect(statSync(join(keysDirectory, name)).mode & 0o777, name).to.equal(0o600);
  });

  it('are never replaced if damaged, because a new key would end every session or refresh token', async () => {
    await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    const path = join(keysDirectory, 'refresh.key');
    const intactText = readFileSync(path, 'utf8');
    for (const damagedText of [
      '',
      intactText.slice(0, -2),
      intactText.slice(0, 30),
      `${intactText}\n`,
      intactText.toUpperCase().replace(/\d/, 'G'),
      'x'.repeat(64),
    ]) {
      writeFileSync(path, damagedText);
      const startup = openKeys(keysDirectory, seededEntropy('second'), NEW_KEYS);
      expect(await failureMessage(startup), JSON.stringify(damagedText)).to.match(/refresh\.key is damaged/);
      expect(readFileSync(path, 'utf8')).to.equal(damagedText);
    }
  });

  it('are refused if any bit is flipped, and the error contains the file and the remedy', async () => {
    await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    const path = join(keysDirectory, 'cookies.key');
    const intactBytes = readFileSync(path);
    for (let offset = 0; offset < intactBytes.length; offset += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damagedBytes = Buffer.from(intactBytes);
        damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << bit);
        writeFileSync(path, damagedBytes);
        const startup = openKeys(keysDirectory, seededEntropy('second'), USED_KEYS);
        expect(await failureMessage(startup), `byte ${offset} bit ${bit}`).to.match(
          /cookies\.key is damaged.*grantlog restore FILE DIR/,
        );
        expect(findUnusableKeys(keysDirectory, USED_KEYS)).to.deep.equal([{ name: 'cookies', problem: 'damaged' }]);
      }
    }
  });

  it("are refused in another key's file", async () => {
    await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    writeFileSync(join(keysDirectory, 'names.key'), readFileSync(join(keysDirectory, 'refresh.key')));
    expect(await failureMessage(openKeys(keysDirectory, seededEntropy('second'), USED_KEYS))).to.match(
      /names\.key is damaged/,
    );
  });

  it('are read from files of earlier releases, which lack a checksum, and get one on upgrade', async () => {
    const first = hex(await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS));
    const paths = readdirSync(keysDirectory).map((name) => join(keysDirectory, name));
    for (const path of paths) writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, 64)}\n`);
    const oldKeys = await openKeys(keysDirectory, seededEntropy('second'), USED_KEYS);
    expect(hex(oldKeys)).to.deep.equal(first);
    expect(oldKeys.needsUpgrade).to.equal(true);
    await oldKeys.upgrade();
    for (const path of paths) expect(readFileSync(path, 'utf8'), path).to.match(/^[0-9a-f]{64} [0-9a-f]{8}\n$/);
    const upgradedKeys = await openKeys(keysDirectory, seededEntropy('third'), USED_KEYS);
    expect(hex(upgradedKeys)).to.deep.equal(first);
    expect(upgradedKeys.needsUpgrade).to.equal(false);
  });

  it('are completed after a crash during the first startup, without a change to existing keys', async () => {
    const first = await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    rmSync(join(keysDirectory, 'refresh.key'));
    const second = await openKeys(keysDirectory, seededEntropy('second'), NEW_KEYS);
    expect(second.refresh.equals(first.refresh)).to.equal(false);
    expect([second.names.equals(first.names), second.cookies.equals(first.cookies)]).to.deep.equal([true, true]);
  });

  it('are never re-created once they have been used, and the error contains the file and the remedy', async () => {
    for (const name of KEY_NAMES) {
      rmSync(keysDirectory, { recursive: true, force: true });
      await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
      rmSync(join(keysDirectory, `${name}.key`));
      const existingFiles = readdirSync(keysDirectory);
      for (const history of [USED_KEYS, { isNew: false, mayPredateLogKey: true }]) {
        expect(await failureMessage(openKeys(keysDirectory, seededEntropy('second'), history))).to.match(
          new RegExp(
            `${name}\\.key is missing.*grantlog restore FILE DIR.*${name}\\.key to this path.*--replace-key ${name}`,
          ),
        );
        expect(findUnusableKeys(keysDirectory, history)).to.deep.equal([{ name, problem: 'missing' }]);
      }
      expect(readdirSync(keysDirectory)).to.deep.equal(existingFiles);
    }
    rmSync(keysDirectory, { recursive: true });
    expect(await failureMessage(openKeys(keysDirectory, seededEntropy('second'), USED_KEYS))).to.match(/is missing/);
    expect(readdirSync(directory), 'the directory is not created either').to.deep.equal([]);
  });

  it('from a release without a log key are accepted, and that key is created', async () => {
    const first = await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    rmSync(join(keysDirectory, 'log.key'));
    const paths = readdirSync(keysDirectory).map((name) => join(keysDirectory, name));
    for (const path of paths) writeFileSync(path, `${readFileSync(path, 'utf8').slice(0, 64)}\n`);
    const history = { isNew: false, mayPredateLogKey: true };
    expect(await failureMessage(openKeys(keysDirectory, seededEntropy('second'), USED_KEYS))).to.match(
      /log\.key is missing/,
    );
    expect(findUnusableKeys(keysDirectory, history)).to.deep.equal([]);
    const second = await openKeys(keysDirectory, seededEntropy('second'), history);
    expect(hex(second)).to.deep.equal(hex(first));
    expect(second.needsUpgrade).to.equal(true);
    expect(readdirSync(keysDirectory)).to.include('log.key');
  });

  it('are never read from the draft that an interrupted write left behind', async () => {
    mkdirSync(keysDirectory, { mode: 0o700 });
    writeFileSync(join(keysDirectory, 'refresh.key.new'), 'half');
    const first = hex(await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS));
    expect(hex(await openKeys(keysDirectory, seededEntropy('second'), USED_KEYS))).to.deep.equal(first);
  });

  it('derive one constant key for each label', async () => {
    const { refresh } = await openKeys(keysDirectory, seededEntropy('first'), NEW_KEYS);
    const deriveHex = (label: string): string =>
      deriveSigningKey(refresh, label).export({ format: 'der', type: 'pkcs8' }).toString('hex');
    expect(deriveHex('one')).to.equal(deriveHex('one')).and.not.equal(deriveHex('two'));
    expect(deriveHex('one')).not.to.include(refresh.export().toString('hex'));
    expect(deriveSigningKey(refresh, 'one').asymmetricKeyType).to.equal('ed25519');
  });

  it('differ from each other for a log in memory, too', async () => {
    expect(new Set(hex(ephemeralKeys(seededEntropy('first')))).size).to.equal(3);
  });
});
