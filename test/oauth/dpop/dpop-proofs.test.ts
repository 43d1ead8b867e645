import { expect } from 'chai';
import fc from 'fast-check';
import { createDpopProofs, type DpopProofs, type ProofRequest } from '../../../src/oauth/dpop/dpop-proofs.ts';
import { createUsedProofs } from '../../../src/oauth/dpop/used-proofs.ts';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { forgedProof, signProof, thumbprintOf, TOKEN_URL, type ProofChanges } from '../../support/dpop.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { aKeyPair } from '../../support/random-keys.ts';
import { computeSmallOrderPoints } from '../../support/small-order.ts';

const KEYS = [keyPairFor('ES256', 'first'), keyPairFor('ES256', 'second'), keyPairFor('EdDSA', 'third')] as const;
const [KEY] = KEYS;
const SENDER = { client: 'client', caller: undefined };
const ENTROPY = seededEntropy('proofs');

describe('a DPoP proof (RFC 9449 §4.3)', () => {
  let clock: ManualClock;
  let proofs: DpopProofs;
  const now = (): number => Math.floor(clock.now() / 1000);
  const createProofs = (startedAt: number, requiresNonces = false): DpopProofs =>
    createDpopProofs({ entropy: ENTROPY, startedAt, requiresNonces });

  beforeEach(() => {
    clock = manualClock();
    proofs = createProofs(now());
    clock.advance(61);
  });

  /** Resolves with `accepted` or the rule that refused the proof. */
  async function acceptProof(proof: string, request: Partial<ProofRequest> = {}, checker = proofs): Promise<string> {
    try {
      await checker.accept({ proof, method: 'POST', urls: [TOKEN_URL], sender: SENDER, now: now(), ...request });
      return 'accepted';
    } catch (error) {
      if (error instanceof OAuthError) return error.refusal.rule;
      throw error;
    }
  }
  const acceptProofWith = async (changes: ProofChanges, request: Partial<ProofRequest> = {}) =>
    acceptProof(await signProof({ clock }, KEY, changes), request);

  it('yields the thumbprint of its key (RFC 7638)', async () => {
    for (const key of [...KEYS, keyPairFor('PS256')]) {
      const proof = await signProof({ clock }, key);
      const result = await proofs.accept({
        proof,
        method: 'POST',
        urls: [TOKEN_URL],
        sender: SENDER,
        now: now(),
      });
      expect(result.confirmation).to.deep.equal({ method: 'jkt', thumbprint: await thumbprintOf(key) });
    }
  });

  it('is valid only for the URLs of the endpoint, in any spelling and with any query and fragment', async () => {
    const tokenUrl = 'https://id.example/o/token/';
    const urls = [tokenUrl, 'https://mtls.id.example/o/token/'] as const;
    for (const htu of [
      tokenUrl,
      'HTTPS://ID.EXAMPLE/o/token/',
      'https://id.example:443/o/token/',
      'https://id.example/o/./x/../token/',
      'https://id.example/o/%74oken/',
      `${tokenUrl}?query=1`,
      `${tokenUrl}#fragment`,
      'https://mtls.id.example/o/token/',
    ])
      expect(await acceptProofWith({ claims: { htu } }, { urls }), htu).to.equal('accepted');
    for (const htu of [
      'http://id.example/o/token/',
      'https://id.example:8443/o/token/',
      'https://other.example/o/token/',
      'https://id.example/O/token/',
      'https://id.example/o/token',
      'https://user@id.example/o/token/',
      '/o/token/',
      '',
      7,
      undefined,
    ])
      expect(await acceptProofWith({ claims: { htu } }, { urls }), String(htu)).to.equal('dpop-proof-address');
  });

  it('is valid for a URL with an encoded slash, which differs from a plain slash', async () => {
    const urls = ['https://id.example/a%2fb'] as const;
    expect(await acceptProofWith({ claims: { htu: 'https://id.example/a%2Fb' } }, { urls })).to.equal('accepted');
    expect(await acceptProofWith({ claims: { htu: 'https://id.example/a/b' } }, { urls })).to.equal(
      'dpop-proof-address',
    );
  });

  it('is accepted from 60 seconds before the request to 30 seconds after it', async () => {
    for (const [seconds, expected] of [
      [-61, 'dpop-proof-time'],
      [-60, 'accepted'],
      [0, 'accepted'],
      [30, 'accepted'],
      [31, 'dpop-proof-time'],
    ] as const) {
      clock.advance(100);
      expect(await acceptProofWith({ claims: { iat: now() + seconds } }), String(seconds)).to.equal(expected);
    }
    expect(await acceptProofWith({ claims: { exp: now() } })).to.equal('dpop-proof-time');
    expect(await acceptProofWith({ claims: { nbf: now() + 31 } })).to.equal('dpop-proof-time');
  });

  it('must contain the hash of the access token in the request', async () => {
    const accessToken = 'the token';
    expect(await acceptProofWith({ accessToken }, { accessToken })).to.equal('accepted');
    expect(await acceptProofWith({ accessToken: 'another' }, { accessToken })).to.equal('dpop-proof-token');
    expect(await acceptProofWith({}, { accessToken })).to.equal('dpop-proof-token');
  });

  it('must be signed with an algorithm that the client may use', async () => {
    expect(await acceptProofWith({}, { algorithms: ['PS256'] })).to.equal('dpop-proof-algorithm');
  });

  it('is refused if its algorithm is not a string', async () => {
    for (const alg of [{ toString: 1 }, { toString: null }, [], 7, null, undefined])
      expect(await acceptProof(forgedProof({ typ: 'dpop+jwt', alg }, {}))).to.equal('dpop-proof-algorithm');
  });

  it('is refused with a key of small order, because signatures by such a key can be forged', async () => {
    const claims = { jti: 'x', htm: 'POST', htu: TOKEN_URL, iat: now() };
    for (const point of computeSmallOrderPoints()) {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
      // For the neutral element, this signature is valid for every message.
      const signature = Buffer.concat([point, Buffer.alloc(32)]).toString('base64url');
      const proof = forgedProof({ typ: 'dpop+jwt', alg: 'EdDSA', jwk }, claims, () => signature);
      expect(await acceptProof(proof), jwk.x).to.equal('dpop-proof-key');
    }
  });

  it('is refused without an unexpected error if its header and claims are arbitrary', async () => {
    const anyPart = fc.oneof(
      fc.string(),
      fc.json(),
      fc.dictionary(fc.string(), fc.jsonValue()).map((part) => part),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.tuple(anyPart, anyPart).map(([header, claims]) => forgedProof(Object(header), Object(claims))),
        ),
        async (proof) => {
          expect(await acceptProof(proof)).to.match(/^dpop-proof-/);
        },
      ),
    );
    const { kid: _, ...jwk } = KEY.jwk;
    const claims = { jti: 'x', htm: 'POST', htu: TOKEN_URL, iat: now() };
    for (const signature of ['', 'AA', 'A'.repeat(86), 'A'.repeat(87), 'A'.repeat(2_000)])
      expect(await acceptProof(forgedProof({ typ: 'dpop+jwt', alg: 'ES256', jwk }, claims, () => signature))).to.equal(
        'dpop-proof-signature',
      );
  });

  it('is accepted only with the right key, method, URL and time', async () => {
    const anyMethod = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE');
    const mostlyEqualPair = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly [T, T]> =>
      fc
        .tuple(arbitrary, arbitrary, fc.constantFrom(true, true, true, false))
        .map(([value, otherValue, isSame]) => [value, isSame ? value : otherValue]);
    const withoutQuery = (url: string): string => `${new URL(url).origin}${new URL(url).pathname}`;
    let acceptedCount = 0;
    await fc.assert(
      fc.asyncProperty(
        mostlyEqualPair(aKeyPair),
        mostlyEqualPair(anyMethod),
        mostlyEqualPair(fc.webUrl()),
        fc.oneof(fc.integer({ min: -60, max: 30 }), fc.integer({ min: -100_000, max: 100_000 })),
        async ([signingKey, namedKey], [htm, method], [htu, url], seconds) => {
          if (signingKey.alg !== namedKey.alg) return; // libraries refuse to sign like this
          clock.advance(300);
          const proof = await signProof({ clock }, signingKey, {
            header: { jwk: namedKey.jwk, alg: namedKey.alg },
            claims: { htm, htu, iat: now() + seconds },
          });
          const isSameKey = signingKey.privateKey.equals(namedKey.privateKey);
          const isSameUrl = withoutQuery(htu) === withoutQuery(url);
          const isValid = isSameKey && htm === method && isSameUrl && seconds >= -60 && seconds <= 30;
          expect((await acceptProof(proof, { method, urls: [url] })) === 'accepted').to.equal(isValid);
          if (isValid) acceptedCount += 1;
        },
      ),
      { numRuns: 300 },
    );
    expect(acceptedCount).to.be.above(10);
  });

  it('is accepted once, even in many concurrent requests', async () => {
    const proof = await signProof({ clock }, KEY);
    const outcomes = await Promise.all(Array.from({ length: 10_000 }, () => acceptProof(proof)));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).to.have.length(1);
    expect(new Set(outcomes)).to.deep.equal(new Set(['accepted', 'dpop-proof-replayed']));
  }).timeout(180_000);

  it('is accepted once until it has expired, even if the clock is set back', async () => {
    const proof = await signProof({ clock }, KEY);
    expect(await acceptProof(proof)).to.equal('accepted');
    for (const seconds of [1, 29, 30]) {
      clock.advance(seconds);
      expect(await acceptProof(proof)).to.equal('dpop-proof-replayed');
    }
    clock.advance(100);
    expect(await acceptProof(proof)).to.equal('dpop-proof-time');
    await acceptProofWith({});
    clock.advance(-150);
    expect(await acceptProof(proof)).to.be.oneOf(['dpop-proof-time', 'dpop-proof-replayed']);
  });

  it('can have the same id as a proof with a different key', async () => {
    for (const key of KEYS) {
      const proof = await signProof({ clock }, key, { claims: { jti: 'the same' } });
      expect(await acceptProof(proof)).to.equal('accepted');
    }
  });

  it('needs a nonce from this run if it may have been used in an earlier run', async () => {
    const proof = await signProof({ clock }, KEY);
    expect(await acceptProof(proof)).to.equal('accepted');
    const earlierNonce = proofs.nonce(now());
    const laterProofs = createProofs(now());
    expect(await acceptProof(proof, {}, laterProofs)).to.equal('dpop-nonce-needed');
    const proofWithNonce = async (nonce: string) => signProof({ clock }, KEY, { claims: { nonce } });
    expect(await acceptProof(await proofWithNonce(earlierNonce), {}, laterProofs)).to.equal('dpop-nonce-needed');
    const validProof = await proofWithNonce(laterProofs.nonce(now()));
    expect(await acceptProof(validProof, {}, laterProofs)).to.equal('accepted');
    expect(await acceptProof(validProof, {}, laterProofs)).to.equal('dpop-proof-replayed');
    clock.advance(31);
    expect(await acceptProof(await signProof({ clock }, KEY), {}, laterProofs)).to.equal('accepted');
  });

  it('always needs a nonce from this node if the cluster has several nodes', async () => {
    const [node, otherNode] = [createProofs(0, true), createProofs(0, true)];
    expect(await acceptProof(await signProof({ clock }, KEY), {}, node)).to.equal('dpop-nonce-needed');
    const proof = await signProof({ clock }, KEY, { claims: { nonce: node.nonce(now()) } });
    expect(await acceptProof(proof, {}, otherNode)).to.equal('dpop-nonce-needed');
    expect(await acceptProof(proof, {}, node)).to.equal('accepted');
  });

  it('can repeat a nonce for one to two minutes, and the response contains the next nonce', async () => {
    const nonce = proofs.nonce(now());
    const proofWithNonce = async () => signProof({ clock }, KEY, { claims: { nonce } });
    const result = await proofs.accept({
      proof: await proofWithNonce(),
      method: 'POST',
      urls: [TOKEN_URL],
      sender: SENDER,
      now: now(),
    });
    expect(result.nextNonce).to.equal(nonce);
    clock.advance(60);
    expect(await acceptProof(await proofWithNonce())).to.equal('accepted');
    clock.advance(60);
    expect(await acceptProof(await proofWithNonce())).to.equal('dpop-nonce-needed');
  });
});

describe('the used proofs', () => {
  it('are limited in number, and further proofs are refused until some have expired', () => {
    const usedProofs = createUsedProofs(60, 'salt', 3);
    const useProof = (jti: string, issuedAt: number, now: number, client = jti) =>
      usedProofs.use({ thumbprint: 't', jti, issuedAt }, { client, caller: undefined }, now);
    expect([useProof('a', 100, 100), useProof('b', 100, 100), useProof('c', 110, 110)]).to.deep.equal([
      'first',
      'first',
      'first',
    ]);
    expect([useProof('d', 110, 110), useProof('a', 100, 110)]).to.deep.equal([{ full: 'server' }, 'used-before']);
    expect([useProof('d', 180, 180), usedProofs.size()]).to.deep.equal(['first', 1]);
  });
});
