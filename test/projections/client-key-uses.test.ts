import { expect } from 'chai';
import { withoutRemovedKeys, withKeyUse, type KeyUses } from '../../src/projections/client-key-uses.ts';
import { clientKeys, keyPairFor } from '../support/assertions.ts';

const use = (position: number) => ({ position, at: position }) as never;

describe('the recorded key uses', () => {
  it('are the newest uses of the twenty most recently used keys', () => {
    let uses: KeyUses = {};
    for (let position = 1; position <= 30; position += 1) {
      uses = withKeyUse(uses, 'first', use(position));
      uses = withKeyUse(uses, `key ${position}`, use(position));
    }
    const recentKeys = Array.from({ length: 19 }, (_, index) => `key ${12 + index}`);
    expect(Object.keys(uses)).to.have.members(['first', ...recentKeys]);
    expect(uses['first']).to.deep.equal(use(30));
  });

  it('include only the registered keys, unless the client publishes its keys', async () => {
    const keys = await clientKeys(keyPairFor('ES256'));
    const registeredUses = { [keys[0]?.keyId ?? '']: use(1) };
    const uses = { ...registeredUses, removed: use(2) };
    const methods = ['private_key_jwt'] as const;
    expect(withoutRemovedKeys(uses, { methods, keys, keysUri: null, tls: null })).to.deep.equal(registeredUses);
    expect(withoutRemovedKeys(uses, { methods, keys: [], keysUri: 'https://app.example/', tls: null })).to.deep.equal(
      uses,
    );
  });
});
