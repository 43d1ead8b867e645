import { expect } from 'chai';
import * as fc from 'fast-check';
import { IMPORTABLE_HASHES, parseImportedHash, parsePbkdf2 } from '../../src/domain/password-hashes.ts';

const DIGEST = `${'b'.repeat(43)}=`;
const ARGON2 = '$argon2id$v=19$m=102400,t=2,p=8$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g';

const BASE64 = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
/** Base64 of `minLength` to `maxLength` bytes, without padding. */
const base64Of = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes) => Buffer.from(bytes).toString('base64').replaceAll('=', ''));

/** Any argon2id hash that this server can verify. Many salts end with Django's prefix. */
const anArgon2 = fc
  .record({
    memory: fc.oneof(fc.integer({ min: 128, max: 262_144 }), fc.constant(262_144)),
    passes: fc.integer({ min: 1, max: 10 }),
    lanes: fc.integer({ min: 1, max: 16 }),
    salt: fc.oneof(base64Of(8, 96), fc.constant('c2FsdHNhbHRzxxargon2')),
    digest: base64Of(16, 96),
  })
  .map(
    ({ memory, passes, lanes, salt, digest }) => `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${salt}$${digest}`,
  );

/** Any PBKDF2 hash that this server can verify. */
const aPbkdf2 = fc
  .record({
    iterations: fc.oneof(fc.integer({ min: 1, max: 10_000_000 }), fc.constant(10_000_000)),
    salt: fc.string({ unit: fc.constantFrom(...BASE64, 'é', '%'), minLength: 1, maxLength: 128 }),
    digest: base64Of(32, 32),
  })
  .chain(({ iterations, salt, digest }) => {
    const bytes = Buffer.from(salt).subarray(0, 96).toString('base64');
    return fc
      .constantFrom(salt, `base64$${bytes}`)
      .map((encodedSalt) => `pbkdf2_sha256$${iterations}$${encodedSalt}$${digest}=`);
  });

describe('a hash from another server', () => {
  it('is accepted in the formats of Django and PHC, if this server can verify it', () => {
    expect(parsePbkdf2(`pbkdf2_sha256$600000$salt$${DIGEST}`)).to.deep.equal({
      iterations: 600_000,
      salt: new Uint8Array([0x73, 0x61, 0x6c, 0x74]),
      hash: DIGEST,
    });
    expect(parsePbkdf2(`pbkdf2_sha256$27500$base64$/v8A$${DIGEST}`)).to.deep.equal({
      iterations: 27_500,
      salt: new Uint8Array([0xfe, 0xff, 0x00]),
      hash: DIGEST,
    });
    for (const text of [`pbkdf2_sha256$10000000$salt$${DIGEST}`, ARGON2])
      expect(parseImportedHash(text)).to.equal(text);
    expect(parseImportedHash(`argon2${ARGON2}`)).to.equal(ARGON2);
  });

  it('is stored unchanged, except for the prefix that Django adds to argon2', () => {
    fc.assert(
      fc.property(anArgon2, aPbkdf2, (argon2, pbkdf2) => {
        for (const text of [argon2, pbkdf2]) expect(parseImportedHash(text)).to.equal(text);
        expect(parseImportedHash(`argon2${argon2}`)).to.equal(argon2);
      }),
    );
  });

  it('is refused with any text before or after it', () => {
    const someNoise = fc.constantFrom(' ', '\n', '$', '*');
    fc.assert(
      fc.property(fc.oneof(anArgon2, aPbkdf2), someNoise, (text, noise) => {
        for (const extendedText of [noise + text, text + noise])
          expect(parseImportedHash(extendedText), JSON.stringify(extendedText)).to.equal(undefined);
      }),
    );
  });

  it('is refused beyond the limits that the message for users states', () => {
    const [, iterations, memory, passes, lanes, memoryPerLane] =
      /at most (\d+) iterations, .* (\d+) KiB, at most (\d+) passes, 1 to (\d+) lanes, and at least (\d+) KiB per lane/
        .exec(IMPORTABLE_HASHES)
        ?.map(Number) ?? [];
    for (const excess of [0, 1]) {
      for (const text of [
        ARGON2.replace('p=8', `p=${lanes! + excess}`),
        ARGON2.replace('m=102400', `m=${8 * memoryPerLane! - excess}`),
        `pbkdf2_sha256$${iterations! + excess}$salt$${DIGEST}`,
        ARGON2.replace('m=102400', `m=${memory! + excess}`),
        ARGON2.replace('t=2', `t=${passes! + excess}`),
      ])
        expect(parseImportedHash(text), text).to.equal(excess === 0 ? text : undefined);
    }
  });

  const INVALID_HASHES = {
    'too many iterations': `pbkdf2_sha256$10000001$salt$${DIGEST}`,
    'zero iterations': `pbkdf2_sha256$0$salt$${DIGEST}`,
    'a number of iterations in exponential notation': `pbkdf2_sha256$1e3$salt$${DIGEST}`,
    'no salt': `pbkdf2_sha256$1000$$${DIGEST}`,
    'a digest of the wrong length': 'pbkdf2_sha256$1000$salt$AAAA',
    'text after the digest': `pbkdf2_sha256$1000$salt$${DIGEST}$`,
    'PBKDF2 with SHA-1': 'pbkdf2_sha1$1000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    'a salt in base64 without padding': `pbkdf2_sha256$1000$base64$/v8$${DIGEST}`,
    'a salt in base64 with other text before it': `pbkdf2_sha256$1000$base64$säAAAA$${DIGEST}`,
    'a salt in base64 with other text after it': `pbkdf2_sha256$1000$base64$AAAAsä$${DIGEST}`,
    'a salt in base64 with a character too many': `pbkdf2_sha256$1000$base64$AAAAA$${DIGEST}`,
    'a salt in base64 with bits beyond its last byte': `pbkdf2_sha256$1000$base64$/v9=$${DIGEST}`,
    'a salt that is not base64': `pbkdf2_sha256$1000$base64$sält$${DIGEST}`,
    'an unknown encoding of the salt': `pbkdf2_sha256$1000$hex$00$${DIGEST}`,
    argon2i: ARGON2.replace('argon2id', 'argon2i'),
    'another version of argon2': ARGON2.replace('v=19', 'v=16'),
    'too much memory': ARGON2.replace('102400', '4194304'),
    'too many passes': ARGON2.replace('t=2', 't=11'),
    'too many lanes': ARGON2.replace('p=8', 'p=17'),
    'no lanes': ARGON2.replace('p=8', 'p=0'),
    'no passes': ARGON2.replace('t=2', 't=0'),
    'no memory': ARGON2.replace('m=102400', 'm=0'),
    'too little memory for its lanes': ARGON2.replace('m=102400', 'm=63'),
    'a number with a leading zero': ARGON2.replace('t=2', 't=02'),
    'a salt that is not base64 of whole bytes': ARGON2.replace('c2FsdHNhbHRzYWx0', 'c2FsdHNhbHRzY'),
    'a hash with bits beyond its last byte': ARGON2.replace(/g$/, 'h'),
    'no argon2 salt': ARGON2.replace('c2FsdHNhbHRzYWx0', ''),
    'a plaintext password': 'correct horse battery',
    'an account without a usable password': '!IyS3c34aj0ygfdbLBv5OiebOg1gbCpKlZoAPwhBu',
  };
  for (const [defect, text] of Object.entries(INVALID_HASHES))
    it(`is refused: ${defect}`, () => expect(parseImportedHash(text)).to.equal(undefined));
});
