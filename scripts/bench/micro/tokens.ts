import { randomBytes } from 'node:crypto';
import type { ClientId, CredentialHash } from '../../../src/domain/values.ts';
import { writeBase64url, writeBase64urlPair } from '../../../src/projections/token-table/base64url.ts';
import { createTermsRegister } from '../../../src/projections/token-table/terms.ts';
import type { Pair } from './pair.ts';

const ROW_BYTES = 67;

/** Returns the comparisons for the table of access tokens. */
export function tokenPairs(): readonly Pair[] {
  const row = Buffer.alloc(ROW_BYTES);
  const view = new DataView(row.buffer, row.byteOffset, row.length);
  const hash = randomBytes(32).toString('base64url') as CredentialHash;
  const grantId = randomBytes(16).toString('base64url');
  const terms = { clientId: 'a-client-of-some-length' as ClientId, scope: ['read', 'write'], resource: [] };
  const register = createTermsRegister();
  const numbers = new Map([[JSON.stringify(terms), 0]]);
  return [
    {
      name: 'base64url of a row: JavaScript vs. Buffer',
      file: 'projections/token-table/base64url.ts',
      optimized: () => {
        writeBase64urlPair(row, 0, hash, grantId);
        writeBase64url(row, 50, grantId);
      },
      baseline: () => {
        row.write(hash.slice(0, 22) + grantId, 0, 'base64url');
        row.write(grantId, 50, 'base64url');
      },
    },
    {
      name: 'numbers of a row: DataView vs. Buffer',
      file: 'projections/token-table/row.ts',
      optimized: () => {
        view.setUint32(33, 123_456, true);
        view.setUint16(37, 0, true);
        view.setUint32(39, 1_700_000_000, true);
        view.setUint8(43, 0);
        view.setUint16(44, 1_234, true);
        view.setUint32(46, 7, true);
      },
      baseline: () => {
        row.writeUIntLE(123_456, 33, 6);
        row.writeUIntLE(1_700_000_000, 39, 5);
        row.writeUInt16LE(1_234, 44);
        row.writeUInt32LE(7, 46);
      },
    },
    {
      name: 'terms of a token: compared with the newest vs. key',
      file: 'projections/token-table/terms.ts',
      optimized: () => register.intern(terms),
      baseline: () => numbers.get(JSON.stringify(terms)),
    },
  ];
}
