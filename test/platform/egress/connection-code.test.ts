import { expect } from 'chai';
import { connectionCode } from '../../../src/platform/egress/connection-code.ts';

const failed = (code: string): Error => Object.assign(new Error(code), { code });
const failedAll = (...codes: readonly string[]): Error =>
  Object.assign(new AggregateError(codes.map(failed)), { code: codes[0] });

describe('The code of a failed connection', () => {
  it('is that of the error, or of the first address', () => {
    expect(connectionCode(failed('CERT_HAS_EXPIRED'))).to.equal('CERT_HAS_EXPIRED');
    expect(connectionCode(failedAll('ECONNREFUSED', 'ENETUNREACH'))).to.equal('ECONNREFUSED');
    expect(connectionCode(new Error('without a code'))).to.equal('unknown error');
  });

  it('is ETIMEDOUT if the connection to any address timed out', () => {
    for (const codes of [
      ['ETIMEDOUT', 'ENETUNREACH'],
      ['ENETUNREACH', 'ETIMEDOUT', 'ENETUNREACH'],
    ])
      expect(connectionCode(failedAll(...codes)), codes.join()).to.equal('ETIMEDOUT');
  });
});
