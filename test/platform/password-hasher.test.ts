import { pbkdf2Sync } from 'node:crypto';
import { hash as argon2Hash } from '@node-rs/argon2';
import { expect } from 'chai';
import { parseImportedHash } from '../../src/domain/password-hashes.ts';
import { argon2idHasher } from '../../src/platform/ports.ts';
import { FIXTURE } from '../operations/import/import-file.ts';

const fixtureHash = (username: string): string => {
  const rows = JSON.parse(FIXTURE) as readonly {
    readonly fields: { readonly username?: string; readonly password?: string };
  }[];
  return parseImportedHash(rows.find(({ fields }) => fields.username === username)?.fields.password ?? '') ?? 'none';
};

describe('The password hasher', () => {
  const hasher = argon2idHasher();

  it('verifies PBKDF2 hashes from Django', async () => {
    expect(await hasher.verify(fixtureHash('early'), 'an early one')).to.equal(true);
    expect(await hasher.verify(fixtureHash('early'), 'an early One')).to.equal(false);
    expect(await hasher.verify(fixtureHash('alice'), 'correct horse battery')).to.equal(true);
  });

  it("verifies argon2id hashes with Django's prefix", async () => {
    const hash = parseImportedHash(`argon2${await hasher.hash('correct horse')}`) ?? '';
    expect([await hasher.verify(hash, 'correct horse'), await hasher.verify(hash, 'battery')]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('verifies argon2id hashes with minimal and with unusual parameters', async () => {
    const salts = ['c2FsdHNhbHQ', `${'A'.repeat(126)}AA`];
    for (const [memory, passes, lanes] of [
      [8, 1, 1],
      [16, 10, 2],
      [128, 1, 16],
    ] as const)
      for (const salt of salts) {
        const password = 'correct horse';
        const bytes = Buffer.from(salt, 'base64');
        const hash = await argon2Hash(password, {
          memoryCost: memory,
          timeCost: passes,
          parallelism: lanes,
          salt: bytes,
        });
        expect(parseImportedHash(hash), hash).to.equal(hash);
        expect(await hasher.verify(hash, password), hash).to.equal(true);
      }
  });

  it('verifies a PBKDF2 hash with a binary salt', async () => {
    const salt = Buffer.from([0xfe, 0xff, 0x00, 0x24]);
    const digest = pbkdf2Sync('a password', salt, 1_000, 32, 'sha256').toString('base64');
    const hash = `pbkdf2_sha256$1000$base64$${salt.toString('base64')}$${digest}`;
    expect(await hasher.verify(hash, 'a password')).to.equal(true);
    expect(await hasher.verify(hash, 'another one')).to.equal(false);
  });

  it('verifies no other hashes', async () => {
    for (const hash of ['', '!', 'none', 'pbkdf2_sha256$1$salt$AAAA', '$argon2id$'])
      expect(await hasher.verify(hash, ''), hash).to.equal(false);
  });
});
