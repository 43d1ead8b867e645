import { expect } from 'chai';
import type { PasskeyId } from '../../src/domain/values.ts';
import { createPasskeys } from '../../src/projections/passkeys.ts';
import type { SealedData } from '../../src/projections/sealed-data.ts';
import { userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const passkeyId = (name: string): PasskeyId => name.padEnd(22, '-') as PasskeyId;

/** In these tests, sealed data is plain JSON. The keys of the users in `erasedIds` are destroyed. */
function setUp(erasedIds: readonly string[] = []) {
  const create = () =>
    createPasskeys((id, sealed) => (erasedIds.includes(id) ? undefined : (JSON.parse(sealed) as SealedData)));
  const passkeys = create();
  const { record } = createRecording(passkeys);
  const add = (owner: string, name: string, credentialId = name, at = 0): void => {
    const sealed = JSON.stringify({
      passkey: { credentialId, publicKey: 'key', transports: [], name },
    } satisfies SealedData);
    record(
      `user-${owner}`,
      { type: 'PasskeyAdded', data: { userId: userId(owner), passkeyId: passkeyId(name), sealed } },
      at,
    );
  };
  const remove = (owner: string, name: string): void =>
    record(`user-${owner}`, { type: 'PasskeyRemoved', data: { userId: userId(owner), passkeyId: passkeyId(name) } });
  return { passkeys, create, record, add, remove };
}

describe('the passkeys', () => {
  it('are found by credential and by user, oldest first, until they are removed', () => {
    const { passkeys, add, remove } = setUp();
    add('ada', 'laptop', 'c1', 5);
    add('ada', 'phone', 'c2', 6);
    expect(passkeys.findByCredentialId('c1')).to.deep.equal({
      passkeyId: passkeyId('laptop'),
      userId: userId('ada'),
      addedAt: 5,
      credentialId: 'c1',
      publicKey: 'key',
      transports: [],
      name: 'laptop',
    });
    expect(passkeys.listByUser(userId('ada')).map(({ name }) => name)).to.deep.equal(['laptop', 'phone']);
    remove('ada', 'laptop');
    expect([passkeys.findByCredentialId('c1'), passkeys.listByUser(userId('ada')).length]).to.deep.equal([
      undefined,
      1,
    ]);
    expect(passkeys.listByUser(userId('bob'))).to.deep.equal([]);
  });

  it('with equal credential ids are looked up as the oldest one, even after the newer one is removed', () => {
    const { passkeys, add, remove } = setUp();
    add('ada', 'first', 'same');
    add('bob', 'second', 'same');
    expect(passkeys.findByCredentialId('same')?.userId).to.equal(userId('ada'));
    remove('bob', 'second');
    expect(passkeys.findByCredentialId('same')?.userId).to.equal(userId('ada'));
  });

  it("are removed when their account is erased, unlike other users' passkeys", () => {
    const { passkeys, add, record } = setUp();
    add('ada', 'laptop');
    add('bob', 'phone');
    record('user-ada', { type: 'UserErased', data: { userId: userId('ada') } });
    expect([passkeys.findByCredentialId('laptop'), passkeys.findByCredentialId('phone')?.name]).to.deep.equal([
      undefined,
      'phone',
    ]);
    expect([...passkeys.contents()]).to.have.length(1);
  });

  it('whose sealing key has been destroyed are not found', () => {
    const { passkeys, add } = setUp([userId('ada')]);
    add('ada', 'laptop');
    expect([passkeys.findByCredentialId('laptop'), passkeys.listByUser(userId('ada')).length]).to.deep.equal([
      undefined,
      0,
    ]);
  });

  it('are restored from a snapshot, which contains only their ids, users and times in plain text', () => {
    const { passkeys, create, add, remove } = setUp();
    for (const name of ['one', 'two', 'three']) add('ada', name);
    add('bob', 'four');
    remove('ada', 'two');
    const restoredPasskeys = create();
    const frozenPieces = [...passkeys.freeze()];
    for (const piece of frozenPieces) restoredPasskeys.restore(piece);
    expect([...restoredPasskeys.contents()]).to.deep.equal([...passkeys.contents()]);
    expect(restoredPasskeys.findByCredentialId('four')).to.deep.equal(passkeys.findByCredentialId('four'));
    const entries = JSON.parse(Buffer.concat(frozenPieces).toString()) as readonly object[];
    for (const entry of entries)
      expect(Object.keys(entry)).to.have.members(['passkeyId', 'userId', 'addedAt', 'sealed']);
  });
});
