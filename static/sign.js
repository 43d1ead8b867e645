// Signs the JWTs of an application in a terminal:
//   node sign.mjs KEY assertion CLIENT_ID ISSUER
//   node sign.mjs KEY request CLIENT_ID ISSUER QUERY
//   node sign.mjs KEY proof METHOD URL [ACCESS_TOKEN] [NONCE]
// KEY is a file with a private key in PEM format: P-256, Ed25519 or RSA. A JWT is valid for a minute. Assertions and
// proofs work once.
import { constants, createHash, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [keyFile, kind, ...values] = process.argv.slice(2);
const key = createPrivateKey(readFileSync(keyFile));
const jwk = createPublicKey(key).export({ format: 'jwk' });
const alg = { RSA: 'PS256', EC: 'ES256', OKP: 'EdDSA' }[jwk.kty];
const options = {
  RSA: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  EC: { key, dsaEncoding: 'ieee-p1363' },
  OKP: key,
}[jwk.kty];
const now = Math.floor(Date.now() / 1000);

const KINDS = {
  assertion: ([iss, aud]) => [{ alg }, { iss, sub: iss, aud, jti: randomUUID(), iat: now, exp: now + 60 }],
  request: ([iss, aud, query]) => [
    { alg, typ: 'oauth-authz-req+jwt' },
    { ...Object.fromEntries(new URLSearchParams(query)), client_id: iss, iss, aud, nbf: now, exp: now + 60 },
  ],
  proof: ([htm, url, accessToken, nonce]) => [
    { alg, typ: 'dpop+jwt', jwk },
    {
      jti: randomUUID(),
      htm,
      htu: url.replace(/[?#].*/, ''),
      iat: now,
      ...(accessToken ? { ath: createHash('sha256').update(accessToken).digest('base64url') } : {}),
      ...(nonce ? { nonce } : {}),
    },
  ],
};

const signed = KINDS[kind](values)
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');
const signature = sign(jwk.kty === 'OKP' ? null : 'sha256', Buffer.from(signed), options).toString('base64url');
console.log(`${signed}.${signature}`);
