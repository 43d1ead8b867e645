import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { calculateJwkThumbprint } from 'jose';
import { MAX_CLIENT_KEYS, readClientKeys } from '../../../src/oauth/clients/client-keys.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { issueCertificate } from '../../support/certificates.ts';
import { computeSmallOrderPoints } from '../../support/small-order.ts';
import { englishProblem } from '../../support/english-problems.ts';

const EC = keyPairFor('ES256').jwk;
const publicJwk = (pair: { readonly publicKey: { export(options: { format: 'jwk' }): object } }) =>
  pair.publicKey.export({ format: 'jwk' });
const rsa = (modulusLength: number): object => publicJwk(generateKeyPairSync('rsa', { modulusLength }));

async function problemOf(keySet: unknown): Promise<string | undefined> {
  const result = await readClientKeys(keySet);
  return 'problem' in result ? englishProblem(result.problem) : undefined;
}
const problemOfKey = (jwk: object): Promise<string | undefined> => problemOf({ keys: [jwk] });

describe('the keys of a client', () => {
  it('are RSA, P-256 and Ed25519 keys, with thumbprint, id and algorithm, and without other members', async () => {
    const result = await readClientKeys({
      keys: [
        { ...EC, use: 'sig', alg: 'ES256', x5u: 'ignored' },
        { ...keyPairFor('EdDSA').jwk, kid: undefined },
        keyPairFor('RS256').jwk,
      ],
    });
    const keys = 'keys' in result ? result.keys : [];
    expect(keys.map(({ kid, algorithm, publicKey }) => [kid, algorithm, publicKey.kty])).to.deep.equal([
      ['ES256 key', 'ES256', 'EC'],
      [null, null, 'OKP'],
      ['RS256 key', null, 'RSA'],
    ]);
    expect(keys[0]?.publicKey).to.have.all.keys('kty', 'crv', 'x', 'y');
    expect(keys[0]?.keyId).to.equal(await calculateJwkThumbprint(EC));
  });

  it('are refused if they are private, with advice to replace them', async () => {
    const { privateKey } = keyPairFor('ES256');
    expect(await problemOfKey(privateKey.export({ format: 'jwk' }))).to.match(/^Key 1 is private.*Replace the key/);
    expect(await problemOfKey({ kty: 'oct', k: 'c2VjcmV0' })).to.match(/is private: it has the k member/);
  });

  it('are refused if they are too short, too long, on a different curve, or malformed', async () => {
    const otherCurve = publicJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }));
    const slowKey = { ...rsa(2048), e: Buffer.alloc(255, 255).toString('base64url') };
    for (const jwk of [rsa(512), rsa(1024), slowKey, otherCurve, { kty: 'RSA', n: 'AQ' }, { ...EC, x: 'AAAA' }, {}])
      expect(await problemOfKey(jwk), JSON.stringify(jwk)).to.match(/is neither a valid RSA key of 2048 to 8192 bits/);
  });

  it('are refused if they are RSA keys with an insecure exponent', async () => {
    const key = rsa(2048);
    const withExponent = (value: number): object => ({ ...key, e: Buffer.from([value]).toString('base64url') });
    for (const value of [1, 2, 4, 254])
      expect(await problemOfKey(withExponent(value)), String(value)).to.match(/valid RSA key/);
    for (const value of [3, 17]) expect(await problemOfKey(withExponent(value)), String(value)).to.equal(undefined);
  });

  it('are refused if their point is not on the curve P-256', async () => {
    const y = Buffer.from(String(EC['y']), 'base64url');
    const wrongY = Buffer.from(y.map((byte, index) => (index === 31 ? byte ^ 1 : byte)));
    const zeroCoordinate = Buffer.alloc(32).toString('base64url');
    for (const jwk of [
      { ...EC, y: wrongY.toString('base64url') },
      { ...EC, x: zeroCoordinate, y: zeroCoordinate },
    ])
      expect(await problemOfKey(jwk)).to.match(/valid RSA key/);
  });

  it('are refused if their point has a small order on Ed25519, in any encoding', async () => {
    for (const point of computeSmallOrderPoints()) {
      const x = point.toString('base64url');
      expect(await problemOfKey({ kty: 'OKP', crv: 'Ed25519', x }), x).to.match(/valid RSA key/);
    }
  });

  it('are refused with a certificate for a different key, of any type', async () => {
    const keys = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
    const otherCertificate = issueCertificate({ keys });
    for (const der of [otherCertificate.der, issueCertificate().der, Buffer.from('no certificate')])
      expect(await problemOfKey({ ...EC, x5c: [der.toString('base64')] })).to.match(/x5c/);
  });

  it('are refused for a different use or algorithm, and with an empty or long id', async () => {
    expect(await problemOfKey({ ...EC, use: 'enc' })).to.match(/not for signatures/);
    for (const alg of ['RS256', 'HS256', 'none', 7])
      expect(await problemOfKey({ ...EC, alg })).to.match(/has an alg that is not ES256/);
    for (const kid of ['', 'x'.repeat(257), 7]) expect(await problemOfKey({ ...EC, kid })).to.match(/has a kid/);
  });

  it('are refused if the set is empty, too large, or has two equal keys', async () => {
    for (const keySet of [undefined, null, [], {}, { keys: 'x' }, 'text'])
      expect(await problemOf(keySet)).to.match(/not a JWK set/);
    expect(await problemOf({ keys: [] })).to.match(/must have 1 to 10 keys, not 0/);
    expect(await problemOf({ keys: Array.from({ length: 10_000 }, () => EC) })).to.match(/not 10000/);
    expect(await problemOf({ keys: [EC, { ...EC, kid: 'again' }] })).to.match(/Two keys are the same/);
    expect(MAX_CLIENT_KEYS).to.equal(10);
  });
});
