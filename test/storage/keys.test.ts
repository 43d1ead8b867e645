import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { derivedSigningKey, ephemeralKeys, openKeys, type Keys } from '../../src/storage/keys.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const hex = (keys: Keys): readonly string[] => [keys.refresh, keys.names, keys.cookies].map((key) => key.export().toString('hex'));

describe('the server\'s keys', () => {
  let directory: string;
  let keysDirectory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    keysDirectory = join(directory, 'keys');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are made at the first start, each another, and found again at every later one', () => {
    const first = hex(openKeys(keysDirectory, seededEntropy('first')));
    expect(new Set(first).size).to.equal(3);
    for (const key of first) expect(key).to.match(/^[0-9a-f]{64}$/);
    expect(hex(openKeys(keysDirectory, seededEntropy('second')))).to.deep.equal(first);
  });

  it('are for the owner of the process alone', () => {
    openKeys(keysDirectory, seededEntropy('first'));
    expect(readdirSync(keysDirectory)).to.include.members(['cookies.key', 'names.key', 'refresh.key']);
    expect(statSync(keysDirectory).mode & 0o777).to.equal(0o700);
    for (const name of readdirSync(keysDirectory)) expect(statSync(join(keysDirectory, name)).mode & 0o777, name).to.equal(0o600);
  });

  it('are never replaced when damaged: a new one would end every session or refresh token', () => {
    openKeys(keysDirectory, seededEntropy('first'));
    const path = join(keysDirectory, 'refresh.key');
    const whole = readFileSync(path, 'utf8');
    for (const damaged of ['', whole.slice(0, -2), whole.slice(0, 30), `${whole}\n`, whole.toUpperCase().replace(/\d/, 'G'), 'x'.repeat(64)]) {
      writeFileSync(path, damaged);
      expect(() => openKeys(keysDirectory, seededEntropy('second')), JSON.stringify(damaged)).to.throw(/refresh\.key is not a key/);
      expect(readFileSync(path, 'utf8')).to.equal(damaged);
    }
  });

  it('are completed when one is missing, and the others stay', () => {
    const first = openKeys(keysDirectory, seededEntropy('first'));
    rmSync(join(keysDirectory, 'refresh.key'));
    const second = openKeys(keysDirectory, seededEntropy('second'));
    expect(second.refresh.equals(first.refresh)).to.equal(false);
    expect([second.names.equals(first.names), second.cookies.equals(first.cookies)]).to.deep.equal([true, true]);
  });

  it('are not taken from a draft that a crash left behind', () => {
    mkdirSync(keysDirectory, { mode: 0o700 });
    writeFileSync(join(keysDirectory, 'refresh.key.new'), 'half');
    const first = hex(openKeys(keysDirectory, seededEntropy('first')));
    expect(hex(openKeys(keysDirectory, seededEntropy('second')))).to.deep.equal(first);
  });

  it('have keys derived from them, one for each label, that are the same each time', () => {
    const { refresh } = openKeys(keysDirectory, seededEntropy('first'));
    const derived = (label: string): string => derivedSigningKey(refresh, label).export({ format: 'der', type: 'pkcs8' }).toString('hex');
    expect(derived('one')).to.equal(derived('one')).and.not.equal(derived('two'));
    expect(derived('one')).not.to.include(refresh.export().toString('hex'));
    expect(derivedSigningKey(refresh, 'one').asymmetricKeyType).to.equal('ed25519');
  });

  it('of a log in memory are as different from each other', () => {
    expect(new Set(hex(ephemeralKeys(seededEntropy('first')))).size).to.equal(3);
  });
});
