import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { oneTimePassword } from '../support/one-time-passwords.ts';

/** The ASCII text 12345678901234567890 in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** RFC 6238 appendix B, the rows for SHA1: seconds since the epoch, and eight digits. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

describe('The one-time passwords in the tests', () => {
  for (const [seconds, expected] of VECTORS) {
    it(`match RFC 6238 appendix B at ${seconds} s`, () => {
      expect(oneTimePassword(SECRET, seconds, 8)).to.equal(expected);
      expect(oneTimePassword(SECRET, seconds)).to.equal(expected.slice(2));
    });
  }

  it('match the output of oathtool', function () {
    if (spawnSync('oathtool', ['--version']).error !== undefined) {
      console.warn('NOT RUN: the one-time passwords were not compared with oathtool, which is not installed');
      return this.skip();
    }
    for (const secret of [SECRET, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP']) {
      for (const seconds of [0, 29, 30, 1_767_225_600, 4_102_444_799]) {
        const { stdout } = spawnSync('oathtool', ['--totp', '--base32', `--now=@${seconds}`, secret], {
          encoding: 'utf8',
        });
        expect(oneTimePassword(secret, seconds), `${secret} at ${seconds} s`).to.equal(stdout.trim());
      }
    }
  });
});
