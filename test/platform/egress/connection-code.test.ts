import { expect } from 'chai';
import { connectionCode } from '../../../src/platform/egress/connection-code.ts';

const createError = (code: string): Error => Object.assign(new Error(code), { code });
const createAggregateError = (...codes: readonly string[]): Error =>
  Object.assign(new AggregateError(codes.map(createError)), { code: codes[0] });

describe('The code of a failed connection', () => {
  it("is the error's own code, or the code for the first address", () => {
    expect(connectionCode(createError('CERT_HAS_EXPIRED'))).to.equal('CERT_HAS_EXPIRED');
    expect(connectionCode(createAggregateError('ECONNREFUSED', 'ENETUNREACH'))).to.equal('ECONNREFUSED');
    expect(connectionCode(new Error('without a code'))).to.equal('unknown error');
  });

  it('is ETIMEDOUT if the connection to any address timed out', () => {
    for (const codes of [
      ['ETIMEDOUT', 'ENETUNREACH'],
      ['ENETUNREACH', 'ETIMEDOUT', 'ENETUNREACH'],
    ])
      expect(connectionCode(createAggregateError(...codes)), codes.join()).to.equal('ETIMEDOUT');
  });
});
