import { expect } from 'chai';
import fc from 'fast-check';
import type { SecretHash } from '../../../src/domain/events.ts';
import { createSecretVault } from '../../../src/oauth/clients/secret-vault.ts';
import { CLIENT_KEYS } from '../../../src/platform/keys/client-keys.ts';
import { clientId } from '../../support/domain-values.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const [SHOP, MAIL] = [clientId('shop'), clientId('mail')];
const HASH: SecretHash = { algorithm: 'argon2id', phc: '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2g' };
const createVault = (keys = CLIENT_KEYS.inMemory(), seed = 'vault') => createSecretVault(keys, seededEntropy(seed));

describe('the encrypted hash of a client secret', () => {
  const anyHash = fc.oneof(
    fc.base64String().map((text): SecretHash => ({ algorithm: 'argon2id', phc: `$argon2id$${text}` })),
    fc
      .base64String()
      .map((text): SecretHash => ({ algorithm: 'pbkdf2-sha256', verifier: `pbkdf2_sha256$1$s$${text}` })),
  );

  it('decrypts to the hash that was encrypted', async () => {
    const vault = createVault();
    await fc.assert(
      fc.asyncProperty(anyHash, fc.constantFrom(SHOP, MAIL), async (hash, client) => {
        const { sealed } = await vault.seal(client, 'ClientRegistered', hash);
        expect(vault.open(client, 'ClientRegistered', sealed)).to.deep.equal(hash);
      }),
    );
  });

  it('is different each time, so that equal secrets cannot be recognized', async () => {
    const vault = createVault();
    const sealedHashes = await Promise.all(
      Array.from({ length: 20 }, () => vault.seal(SHOP, 'ClientRegistered', HASH)),
    );
    expect(new Set(sealedHashes.map(({ sealed }) => sealed)).size).to.equal(20);
  });

  it('is bound to one client and one event type', async () => {
    const keys = CLIENT_KEYS.inMemory();
    const sameKey = Buffer.alloc(32, 7);
    for (const client of [SHOP, MAIL]) await keys.add(client, sameKey);
    const vault = createVault(keys);
    const { sealed } = await vault.seal(SHOP, 'ClientRegistered', HASH);
    expect(vault.open(SHOP, 'ClientRegistered', sealed)).to.deep.equal(HASH);
    expect(vault.open(MAIL, 'ClientRegistered', sealed)).to.equal(undefined);
    expect(vault.open(SHOP, 'ClientSecretRehashed', sealed)).to.equal(undefined);
  });

  it('does not decrypt if any of its bytes is changed or missing', async () => {
    const vault = createVault();
    const bytes = Buffer.from((await vault.seal(SHOP, 'ClientRegistered', HASH)).sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changedBytes = Buffer.from(bytes);
      changedBytes[index] = (changedBytes[index] ?? 0) ^ 1;
      expect(vault.open(SHOP, 'ClientRegistered', changedBytes.toString('base64url')), `byte ${index}`).to.equal(
        undefined,
      );
      const truncated = bytes.subarray(0, index).toString('base64url');
      expect(vault.open(SHOP, 'ClientRegistered', truncated), `truncated at ${index}`).to.equal(undefined);
    }
  });

  it('is permanently unreadable after its key is destroyed, unlike the hashes of other clients', async () => {
    const vault = createVault();
    const { sealed: shopHash } = await vault.seal(SHOP, 'ClientRegistered', HASH);
    const { sealed: mailHash } = await vault.seal(MAIL, 'ClientRegistered', HASH);
    await vault.destroy(SHOP);
    expect(vault.open(SHOP, 'ClientRegistered', shopHash)).to.equal(undefined);
    await vault.seal(SHOP, 'ClientRegistered', HASH); // creates a new key
    expect(vault.open(SHOP, 'ClientRegistered', shopHash)).to.equal(undefined);
    expect(vault.open(MAIL, 'ClientRegistered', mailHash)).to.deep.equal(HASH);
  });

  it('is not created if its key cannot be stored, unless the client already has a key', async () => {
    const keys = CLIENT_KEYS.inMemory();
    await createVault(keys).seal(SHOP, 'ClientRegistered', HASH);
    const fullVault = createSecretVault(keys, seededEntropy('full'), () => {
      throw new Error('the disk is full');
    });
    const failure = await fullVault.seal(MAIL, 'ClientRegistered', HASH).catch((error: Error) => error.message);
    expect(failure).to.equal('the disk is full');
    expect(keys.ids()).to.deep.equal([SHOP]);
    expect(await fullVault.seal(SHOP, 'ClientSecretRehashed', HASH)).to.have.property('algorithm', 'sealed');
  });

  it('can be decrypted after a second hash was encrypted for the client, by this or another process', async () => {
    const keys = CLIENT_KEYS.inMemory();
    const { sealed } = await createVault(keys).seal(SHOP, 'ClientRegistered', HASH);
    const laterVault = createVault(keys, 'later');
    await laterVault.seal(SHOP, 'ClientSecretRehashed', HASH);
    expect(laterVault.open(SHOP, 'ClientRegistered', sealed)).to.deep.equal(HASH);
    expect(keys.ids()).to.deep.equal([SHOP]);
  });
});
