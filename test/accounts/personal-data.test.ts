import { expect } from 'chai';
import fc from 'fast-check';
import { createVault } from '../../src/accounts/personal-data.ts';
import { PERSONAL_KEYS } from '../../src/platform/keys/personal-keys.ts';
import { userId } from '../support/domain-values.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const DATA = { username: 'ada', email: 'ada@example.org' };
const [ADA, BOB] = [userId('ada'), userId('bob')];

async function createVaultForTwo() {
  const vault = createVault(PERSONAL_KEYS.inMemory(), seededEntropy('vault'));
  await vault.createKey(ADA);
  await vault.createKey(BOB);
  return vault;
}

describe('encrypted personal data', () => {
  it('is unchanged after encryption and decryption, in any script', async () => {
    const vault = await createVaultForTwo();
    fc.assert(
      fc.property(fc.record({ username: fc.string({ unit: 'grapheme' }), email: fc.string() }), (data) => {
        expect(vault.unseal(ADA, vault.seal(ADA, data))).to.deep.equal(data);
      }),
    );
  });

  it('cannot be read without its key, and is encrypted differently each time', async () => {
    const vault = await createVaultForTwo();
    const ciphertexts = Array.from({ length: 20 }, () => vault.seal(ADA, DATA));
    expect(new Set(ciphertexts).size).to.equal(20);
    for (const ciphertext of ciphertexts)
      expect(Buffer.from(ciphertext, 'base64url').toString('latin1')).to.not.contain('ada');
  });

  it('can be decrypted only for its own user', async () => {
    const vault = await createVaultForTwo();
    expect(() => vault.unseal(BOB, vault.seal(ADA, DATA))).to.throw();
  });

  it('can be decrypted only for its own user, even if two users have the same key', async () => {
    const keys = PERSONAL_KEYS.inMemory();
    for (const id of [ADA, BOB]) await keys.add(id, Buffer.alloc(32, 7));
    const vault = createVault(keys, seededEntropy('vault'));
    expect(() => vault.unseal(BOB, vault.seal(ADA, DATA))).to.throw();
  });

  it('cannot be decrypted if any byte was changed or cut off', async () => {
    const vault = await createVaultForTwo();
    const bytes = Buffer.from(vault.seal(ADA, DATA), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const tampered = Buffer.from(bytes);
      tampered.writeUInt8(tampered.readUInt8(index) ^ 1, index);
      expect(() => vault.unseal(ADA, tampered.toString('base64url')), `byte ${index}`).to.throw();
      expect(() => vault.unseal(ADA, bytes.subarray(0, index).toString('base64url')), `cut at ${index}`).to.throw();
    }
  });

  it('cannot be decrypted once its key is erased', async () => {
    const vault = await createVaultForTwo();
    const [sealedForAda, sealedForBob] = [vault.seal(ADA, DATA), vault.seal(BOB, DATA)];
    await vault.erase(ADA);
    expect(vault.unseal(ADA, sealedForAda)).to.equal(undefined);
    expect(vault.unseal(BOB, sealedForBob)).to.deep.equal(DATA);
    expect(() => vault.seal(ADA, DATA)).to.throw(/no key/);
  });
});
