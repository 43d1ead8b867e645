import { expect } from 'chai';
import * as fc from 'fast-check';
import { emptyRoot, leafHash, nodeHash } from '../../../src/audit/merkle/hashing.ts';
import { sha256 } from './naive-tree.ts';

describe('Merkle tree hashing', () => {
  it('matches RFC 6962', () => {
    expect(emptyRoot().toString('hex')).to.equal('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(leafHash('').toString('hex')).to.equal('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(leafHash('L123456').toString('hex')).to.equal(
      '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
    );
  });

  it('distinguishes leaves from nodes by the first byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), someHash, someHash, (entry, left, right) => {
        expect(leafHash(entry)).to.deep.equal(sha256(Buffer.of(0), entry));
        expect(nodeHash(left, right)).to.deep.equal(sha256(Buffer.of(1), left, right));
      }),
    );
  });

  it('encodes text as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(leafHash(text)).to.deep.equal(leafHash(Buffer.from(text)));
      }),
    );
  });
});

const someHash = fc.uint8Array({ minLength: 32, maxLength: 32 });
