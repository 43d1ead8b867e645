import { expect } from 'chai';
import * as fc from 'fast-check';
import { decodeEntryBundle, encodeEntryBundle, MAX_ENTRY_BYTES } from '../../../src/audit/merkle/entry-bundle.ts';
import { leafHash } from '../../../src/audit/merkle/hashing.ts';
import { MalformedError } from '../../../src/audit/merkle/malformed.ts';

const someEntries = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 });

describe('an entry bundle', () => {
  it('prefixes each entry with its length, as a big-endian uint16', () => {
    expect(encodeEntryBundle(['ab', '', 'é'])).to.deep.equal(Buffer.from('0002616200000002c3a9', 'hex'));
    expect(
      encodeEntryBundle(['x'.repeat(258)])
        .subarray(0, 3)
        .toString('hex'),
    ).to.equal('010278');
  });

  it('decodes to entries with the same leaf hashes', () => {
    fc.assert(
      fc.property(someEntries, (entries) => {
        const decodedEntries = decodeEntryBundle(encodeEntryBundle(entries), entries.length);
        expect(decodedEntries.map(String)).to.deep.equal(entries);
        expect(decodedEntries.map(leafHash)).to.deep.equal(entries.map(leafHash));
      }),
    );
  });

  it('accepts entries whose length fits in 16 bits, and refuses longer entries', () => {
    const longestEntry = 'é'.repeat(MAX_ENTRY_BYTES / 2) + 'e';
    expect(decodeEntryBundle(encodeEntryBundle([longestEntry]), 1).map(String)).to.deep.equal([longestEntry]);
    expect(() => encodeEntryBundle([`${longestEntry}e`])).to.throw(
      RangeError,
      'of 65536 bytes exceeds the limit of 65535',
    );
  });

  it('is refused if it is truncated or has extra bytes', () => {
    fc.assert(
      fc.property(
        someEntries,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 3 }),
        (entries, random, extraBytes) => {
          const bundle = encodeEntryBundle(entries);
          if (bundle.length > 0)
            expect(() => decodeEntryBundle(bundle.subarray(0, random % bundle.length), entries.length)).to.throw(
              MalformedError,
            );
          expect(() => decodeEntryBundle(Buffer.concat([bundle, extraBytes]), entries.length)).to.throw(MalformedError);
        },
      ),
    );
  });

  it('is refused if it has fewer or more entries than requested', () => {
    expect(() => decodeEntryBundle(encodeEntryBundle(['a', 'b']), 3)).to.throw(
      MalformedError,
      '2 entries instead of 3',
    );
    expect(() => decodeEntryBundle(encodeEntryBundle(['a', 'b']), 1)).to.throw(
      MalformedError,
      '2 entries instead of 1',
    );
  });
});
