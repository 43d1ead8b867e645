import { expect } from 'chai';
import * as fc from 'fast-check';
import { openCheckpoint, signCheckpoint } from '../../../src/audit/merkle/checkpoint.ts';
import { MalformedError } from '../../../src/audit/merkle/malformed.ts';
import { createNoteSigner, parseVerifierKey } from '../../../src/audit/merkle/note-key.ts';
import { signNote, UntrustedNote } from '../../../src/audit/merkle/signed-note.ts';
import { privateKeyFromSeed } from './note-fixtures.ts';

const signer = createNoteSigner('auth.example', privateKeyFromSeed(Buffer.alloc(32, 1)));
const verifier = parseVerifierKey(signer.verifierKey);
const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const HEAD = { size: 20_852_163, rootHash: Buffer.from(ROOT, 'base64') };

const aHead = fc.record({
  size: fc.maxSafeNat(),
  rootHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
});

describe('a checkpoint', () => {
  it('consists of three lines and a signature (C2SP tlog-checkpoint)', () => {
    const [text, signature] = signCheckpoint(HEAD, signer).split('\n\n');
    expect(text).to.equal(`auth.example\n20852163\n${ROOT}`);
    expect(signature).to.match(/^— auth\.example [\w+/]{90}[\w+/=]{2}\n$/);
  });

  it('opens to the signed head', () => {
    fc.assert(
      fc.property(aHead, (head) => {
        expect(openCheckpoint(signCheckpoint(head, signer), verifier)).to.deep.equal(head);
      }),
    );
  });

  it('does not open if any bit is flipped', () => {
    const bytes = Buffer.from(signCheckpoint(HEAD, signer));
    for (let offset = 0; offset < bytes.length; offset += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damagedBytes = Buffer.from(bytes);
        damagedBytes.writeUInt8(damagedBytes.readUInt8(offset) ^ (1 << bit), offset);
        expect(() => openCheckpoint(damagedBytes.toString(), verifier), `bit ${bit} of byte ${offset}`).to.throw();
      }
    }
  });

  it('of a different log is refused, even if it is signed with the same key', () => {
    const otherSigner = createNoteSigner('other.example', privateKeyFromSeed(Buffer.alloc(32, 1)));
    expect(() => openCheckpoint(signCheckpoint(HEAD, otherSigner), verifier)).to.throw(UntrustedNote);
    expect(() => signAndOpen(`other.example\n1\n${ROOT}\n`)).to.throw(
      MalformedError,
      "the checkpoint's origin is other.example, not auth.example",
    );
  });

  for (const [flaw, text, message] of [
    ['no origin', `\n1\n${ROOT}\n`, 'no origin'],
    ['no root', 'auth.example\n1\n', 'fewer than three lines'],
    ['an extension line', `auth.example\n1\n${ROOT}\nmore\n`, 'more than three lines'],
    ['a trailing empty line', `auth.example\n1\n${ROOT}\n\n`, 'more than three lines'],
    ['a size with a leading zero', `auth.example\n01\n${ROOT}\n`, 'tree size'],
    ['a size of two zeros', `auth.example\n00\n${ROOT}\n`, 'tree size'],
    ['a size with a sign', `auth.example\n+1\n${ROOT}\n`, 'tree size'],
    ['a negative size', `auth.example\n-1\n${ROOT}\n`, 'tree size'],
    ['a size with a space', `auth.example\n1 \n${ROOT}\n`, 'tree size'],
    ['a size in exponential notation', `auth.example\n1e3\n${ROOT}\n`, 'tree size'],
    ['no size', `auth.example\n\n${ROOT}\n`, 'tree size'],
    ['a size beyond 2^53', `auth.example\n9007199254740993\n${ROOT}\n`, 'is not less than 2^53'],
    ['a root without padding', `auth.example\n1\n${ROOT.slice(0, -1)}\n`, 'root hash'],
    ['a root with spare bits set', `auth.example\n1\n${ROOT.replace('2I=', '2J=')}\n`, 'root hash'],
    ['a root in base64url', `auth.example\n1\n${ROOT.replace('/', '_')}\n`, 'root hash'],
    ['a root that is too short', `auth.example\n1\n${ROOT.slice(4)}\n`, 'root hash'],
    ['a root that is too long', `auth.example\n1\nAAAA${ROOT}\n`, 'root hash'],
    ['a space after the root', `auth.example\n1\n${ROOT} \n`, 'root hash'],
  ] as const) {
    it(`is malformed if it has ${flaw}, even if its signature is valid`, () => {
      expect(() => signAndOpen(text)).to.throw(MalformedError, message);
    });
  }

  it('is not signed for an invalid head', () => {
    for (const size of [-1, 1.5, NaN, 2 ** 53])
      expect(() => signCheckpoint({ ...HEAD, size }, signer)).to.throw(RangeError);
    expect(() => signCheckpoint({ ...HEAD, rootHash: Buffer.alloc(31) }, signer)).to.throw(RangeError);
  });
});

function signAndOpen(text: string): unknown {
  return openCheckpoint(signNote(text, signer), verifier);
}
