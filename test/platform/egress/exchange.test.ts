import { expect } from 'chai';
import { connectionErrorCode } from '../../../src/platform/egress/exchange.ts';

const createError = (code: string): Error => Object.assign(new Error(code), { code });
const createAggregateError = (...codes: readonly string[]): Error =>
  Object.assign(new AggregateError(codes.map(createError)), { code: codes[0] });

describe('The code of a failed connection', () => {
  it("is the error's own code, or the code for the first address", () => {
    expect(connectionErrorCode(createError('CERT_HAS_EXPIRED'))).to.equal('CERT_HAS_EXPIRED');
    expect(connectionErrorCode(createAggregateError('ECONNREFUSED', 'ENETUNREACH'))).to.equal('ECONNREFUSED');
    expect(connectionErrorCode(new Error('without a code'))).to.equal('unknown error');
  });

  it('is ETIMEDOUT if the connection to any address timed out', () => {
    for (const codes of [
      ['ETIMEDOUT', 'ENETUNREACH'],
      ['ENETUNREACH', 'ETIMEDOUT', 'ENETUNREACH'],
    ])
      expect(connectionErrorCode(createAggregateError(...codes)), codes.join()).to.equal('ETIMEDOUT');
  });
});
