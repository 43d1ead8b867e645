import { expect } from 'chai';
import { parseImportedHash, parsePbkdf2 } from '../../src/domain/password-hashes.ts';

const DIGEST = `${'b'.repeat(43)}=`;
const ARGON2 = '$argon2id$v=19$m=102400,t=2,p=8$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g';

describe('a hash from another server', () => {
  it('is accepted in the formats of Django and PHC, if this server can verify it', () => {
    expect(parsePbkdf2(`pbkdf2_sha256$600000$salt$${DIGEST}`)).to.deep.equal({
      iterations: 600_000,
      salt: 'salt',
      hash: DIGEST,
    });
    for (const text of [`pbkdf2_sha256$10000000$salt$${DIGEST}`, ARGON2])
      expect(parseImportedHash(text)).to.equal(text);
    expect(parseImportedHash(`argon2${ARGON2}`)).to.equal(ARGON2);
  });

  const REFUSED = {
    'too many iterations': `pbkdf2_sha256$10000001$salt$${DIGEST}`,
    'zero iterations': `pbkdf2_sha256$0$salt$${DIGEST}`,
    'a number of iterations in exponential notation': `pbkdf2_sha256$1e3$salt$${DIGEST}`,
    'no salt': `pbkdf2_sha256$1000$$${DIGEST}`,
    'a digest of another length': 'pbkdf2_sha256$1000$salt$AAAA',
    'text after the digest': `pbkdf2_sha256$1000$salt$${DIGEST}$`,
    'PBKDF2 with SHA-1': 'pbkdf2_sha1$1000$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    argon2i: ARGON2.replace('argon2id', 'argon2i'),
    'another version of argon2': ARGON2.replace('v=19', 'v=16'),
    'too much memory': ARGON2.replace('102400', '4194304'),
    'too many passes': ARGON2.replace('t=2', 't=11'),
    'a plaintext password': 'correct horse battery',
    'an account without a usable password': '!IyS3c34aj0ygfdbLBv5OiebOg1gbCpKlZoAPwhBu',
  };
  for (const [what, text] of Object.entries(REFUSED))
    it(`is refused: ${what}`, () => expect(parseImportedHash(text)).to.equal(undefined));
});
