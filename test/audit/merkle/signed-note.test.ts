import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { MalformedError } from '../../../src/audit/merkle/malformed.ts';
import {
  createNoteSigner,
  isKeyName,
  parseVerifierKey,
  renameVerifierKey,
} from '../../../src/audit/merkle/note-key.ts';
import { openNote, signNote, UntrustedNote } from '../../../src/audit/merkle/signed-note.ts';
import { GO_NOTE, privateKeyFromSeed } from './note-fixtures.ts';

const signer = createNoteSigner(GO_NOTE.name, GO_NOTE.privateKey);
const verifier = parseVerifierKey(GO_NOTE.verifierKey);
const goNote = `${GO_NOTE.text}\n${GO_NOTE.signatureLine}`;

const aText = fc
  .array(
    fc.string({ unit: 'grapheme' }).filter((line) => !/\p{Cc}/u.test(line)),
    { minLength: 1 },
  )
  .map((lines) => `${lines.join('\n')}\n`);

describe('a signed note', () => {
  it("equals Go's output byte for byte", () => {
    expect(signer.verifierKey).to.equal(GO_NOTE.verifierKey);
    expect(signNote(GO_NOTE.text, signer)).to.equal(goNote);
    expect(openNote(goNote, verifier)).to.equal(GO_NOTE.text);
  });

  it('opens to the signed text, including empty lines', () => {
    fc.assert(
      fc.property(aText, (text) => {
        expect(openNote(signNote(text, signer), verifier)).to.equal(text);
      }),
    );
  });

  it('may have signatures by other keys before or after the verified one', () => {
    const line = unknownSignatureLine('witness.example');
    expect(openNote(`${goNote}${line}`, verifier)).to.equal(GO_NOTE.text);
    expect(openNote(`${GO_NOTE.text}\n${line}${GO_NOTE.signatureLine}`, verifier)).to.equal(GO_NOTE.text);
    expect(openNote(`${goNote}— ${GO_NOTE.name} ${Buffer.alloc(2500, 9).toString('base64')}\n`, verifier)).to.equal(
      GO_NOTE.text,
    );
  });

  it("is not trusted without a signature by the key under the key's name", () => {
    expect(() => openNote(`${GO_NOTE.text}\n${unknownSignatureLine('witness.example')}`, verifier)).to.throw(
      UntrustedNote,
      'not signed by PeterNeumann+c74f20a3',
    );
    expect(() => openNote(goNote.replace('— PeterNeumann', '— PeterPan'), verifier)).to.throw(
      UntrustedNote,
      'not signed by',
    );
    expect(() =>
      openNote(
        signNote(GO_NOTE.text, createNoteSigner(GO_NOTE.name, privateKeyFromSeed(Buffer.alloc(32, 7)))),
        verifier,
      ),
    ).to.throw(UntrustedNote);
  });

  it('is not trusted if one of two signatures by the key is invalid', () => {
    const invalidSignature = signNote('Another text.\n', signer).split('\n\n')[1];
    expect(() => openNote(`${goNote}${invalidSignature}`, verifier)).to.throw(UntrustedNote, 'not valid for this text');
  });

  it('does not open if any bit is flipped', () => {
    const bytes = Buffer.from(goNote);
    for (let offset = 0; offset < bytes.length; offset += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damagedBytes = Buffer.from(bytes);
        damagedBytes.writeUInt8(damagedBytes.readUInt8(offset) ^ (1 << bit), offset);
        expect(() => openNote(damagedBytes.toString(), verifier), `bit ${bit} of byte ${offset}`).to.throw();
      }
    }
  });

  const base64 = GO_NOTE.signatureLine.split(' ')[2]!.trim();
  for (const [flaw, note, message] of [
    ['is empty', '', 'no empty line'],
    ['has no signatures', GO_NOTE.text, 'no empty line'],
    ['has no signature after its empty line', `${GO_NOTE.text}\n`, 'line 1 of the signatures'],
    ['has no empty line', `${GO_NOTE.text}${GO_NOTE.signatureLine}`, 'no empty line'],
    ['ends without a newline', goNote.trimEnd(), 'the note does not end with a newline'],
    ['ends in an empty line', `${goNote}\n`, 'line 1 of the signatures'],
    ['has lines that end in CR LF', goNote.replaceAll('\n', '\r\n'), 'control character'],
    ['has a tab', goNote.replace('you think', 'you\tthink'), 'control character'],
    ['has a lone surrogate', goNote.replace('you think', '\ud800'), 'a lone surrogate'],
    ['has a hyphen before the signature', goNote.replace('—', '-'), 'line 1 of the signatures'],
    ['has text before the signature', goNote.replace('— ', 'x— '), 'line 1 of the signatures'],
    ['has two spaces in the signature line', goNote.replace('— ', '—  '), 'line 1 of the signatures'],
    ['has text after the signature', goNote.replace(base64, `${base64} more`), 'line 1 of the signatures'],
    [
      'has a key name with a plus sign',
      goNote.replace('— PeterNeumann', '— Peter+Neumann'),
      'line 1 of the signatures',
    ],
    [
      'has a key name with a no-break space',
      goNote.replace('— PeterNeumann', '— Peter\u00a0Neumann'),
      'line 1 of the signatures',
    ],
    ['has a signature without padding', goNote.replace(base64, base64.slice(0, -1)), 'signature 1 is not'],
    ['has a signature with spare bits set', goNote.replace('nAM=', 'nAN='), 'signature 1 is not'],
    ['has a signature in base64url', goNote.replace('go/Z', 'go_Z'), 'signature 1 is not'],
    [
      'has a signature that is only a key id',
      goNote.replace(base64, Buffer.from(base64, 'base64').subarray(0, 4).toString('base64')),
      'signature 1 is not',
    ],
    ['has a malformed line after valid lines', `${goNote}nonsense\n`, 'line 2 of the signatures'],
    [
      'has too many signatures',
      `${goNote}${unknownSignatureLine('witness.example').repeat(64)}`,
      'more than 64 signatures',
    ],
  ] as const) {
    it(`is malformed if it ${flaw}`, () => {
      expect(() => openNote(note, verifier)).to.throw(MalformedError, message);
    });
  }

  it('may have 16 signatures, which every verifier must accept', () => {
    expect(openNote(`${goNote}${unknownSignatureLine('witness.example').repeat(15)}`, verifier)).to.equal(GO_NOTE.text);
  });

  it('may have 64 signatures', () => {
    expect(openNote(`${goNote}${unknownSignatureLine('witness.example').repeat(63)}`, verifier)).to.equal(GO_NOTE.text);
  });

  it('is signed only if its text consists of whole lines', () => {
    for (const text of ['', 'no newline', 'a\tb\n', 'a\r\n', '\ud800\n'])
      expect(() => signNote(text, signer)).to.throw(RangeError, 'whole lines');
  });
});

describe('a signed-note key', () => {
  it('parses to the published key, for any name', () => {
    fc.assert(
      fc.property(fc.webAuthority(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (host, seed) => {
        fc.pre(!host.includes('+'));
        const noteSigner = createNoteSigner(host, privateKeyFromSeed(seed));
        const publishedKey = parseVerifierKey(noteSigner.verifierKey);
        expect([publishedKey.name, publishedKey.keyId]).to.deep.equal([host, noteSigner.keyId]);
        expect(publishedKey.verify('text', noteSigner.sign('text'))).to.equal(true);
        expect(publishedKey.verify('texts', noteSigner.sign('text'))).to.equal(false);
        expect(publishedKey.verify('text', noteSigner.sign('text').subarray(1))).to.equal(false);
      }),
      { numRuns: 30 },
    );
  });

  it('has a different id under a different name', () => {
    expect(createNoteSigner('a.example', GO_NOTE.privateKey).keyId).not.to.equal(
      createNoteSigner('b.example', GO_NOTE.privateKey).keyId,
    );
  });

  it('keeps its public key under a new name, but gets a new id', () => {
    const renamedKey = renameVerifierKey(GO_NOTE.verifierKey, 'b.example');
    expect(renamedKey).to.equal(createNoteSigner('b.example', GO_NOTE.privateKey).verifierKey);
    expect(renameVerifierKey(renamedKey, GO_NOTE.name)).to.equal(GO_NOTE.verifierKey);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const [signerA, signerB] = ['a.example', 'b.example'].map((name) =>
          createNoteSigner(name, privateKeyFromSeed(seed)),
        );
        expect(renameVerifierKey(signerA!.verifierKey, 'b.example')).to.equal(signerB!.verifierKey);
      }),
      { numRuns: 30 },
    );
    expect(() => renameVerifierKey('a.example+00000000+?', 'b.example')).to.throw(MalformedError, 'not base64');
  });

  it('has a name without whitespace, control characters, plus signs or lone surrogates', () => {
    for (const invalid of [' ', '\u00a0', '\n', '\u0000', '+', '\ud800'])
      for (const name of [invalid, `${invalid}a`, `a${invalid}`, `a${invalid}b`])
        expect(isKeyName(name)).to.equal(false);
    for (const name of ['a', 'auth.example', 'é', '😀/log']) expect(isKeyName(name), name).to.equal(true);
    expect(isKeyName('')).to.equal(false);
  });

  it('is refused if any character is changed', () => {
    fc.assert(
      fc.property(
        fc.nat(GO_NOTE.verifierKey.length - 1),
        fc.constantFrom('A', '0', 'f', '+', '/', '=', ' ', 'C'),
        (offset, character) => {
          fc.pre(GO_NOTE.verifierKey[offset] !== character);
          expect(() =>
            parseVerifierKey(GO_NOTE.verifierKey.slice(0, offset) + character + GO_NOTE.verifierKey.slice(offset + 1)),
          ).to.throw(MalformedError);
        },
      ),
    );
  });

  for (const [flaw, key, message] of [
    ['empty', '', 'the name in the verifier key is not valid'],
    ['without a name', GO_NOTE.verifierKey.slice(GO_NOTE.name.length), 'the name in the verifier key is not valid'],
    ['truncated', 'PeterNeumann+c74f20a3+ARpc2Q==', 'not an Ed25519 key'],
    ['for a different algorithm', GO_NOTE.verifierKey.replace('+AR', '+BB'), 'not an Ed25519 key'],
    ['in uppercase', GO_NOTE.verifierKey.replace('c74f20a3', 'C74F20A3'), 'does not match'],
    ['followed by a newline', `${GO_NOTE.verifierKey}\n`, 'not base64'],
  ] as const) {
    it(`is refused if it is ${flaw}`, () => {
      expect(() => parseVerifierKey(key)).to.throw(MalformedError, message);
    });
  }

  it('requires a valid name and an Ed25519 key', () => {
    for (const name of ['', 'a b', 'a+b', 'a\nb', 'a\u2003b', '\ud800'])
      expect(() => createNoteSigner(name, GO_NOTE.privateKey)).to.throw(RangeError);
    expect(() => createNoteSigner('a', generateKeyPairSync('x25519').privateKey)).to.throw(TypeError);
    expect(() => createNoteSigner('a', generateKeyPairSync('ed25519').publicKey)).to.throw(TypeError);
  });
});

/** Returns a signature line by an unknown key, such as that of a witness. */
function unknownSignatureLine(name: string): string {
  return `— ${name} ${Buffer.alloc(68, 7).toString('base64')}\n`;
}
