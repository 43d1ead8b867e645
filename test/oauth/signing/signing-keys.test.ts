import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify, UnsecuredJWT, type JSONWebKeySet } from 'jose';
import { SIGNING_KEYS_STREAM } from '../../../src/domain/streams.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds, type KeyId } from '../../../src/domain/values.ts';
import type { RecordedEvent } from '../../../src/event-store/event-log.ts';
import type { SignedToken } from '../../../src/oauth/signing/signing-keys.ts';
import { SIGNING_KEYS, type SigningKeyring } from '../../../src/platform/keys/signing-keyring.ts';
import { seconds } from '../../support/domain-values.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const PAYLOAD = { iss: 'http://localhost:8000', sub: 'ada' };
const DAY = 86_400;
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('signing keys', () => {
  let running: RunningService;
  let keyring: SigningKeyring;
  let notices: string[];

  beforeEach(async () => {
    keyring = SIGNING_KEYS.inMemory();
    notices = [];
    running = await runningService({ signingKeyring: keyring, notice: (line) => notices.push(line) });
  });
  afterEach(() => running.close());

  const now = (): EpochSeconds => seconds(Math.floor(running.clock.now() / 1000));
  const keys = () => running.service().signingKeys;
  const rotation = () => running.service().keyRotation;
  const recordedKeys = () => running.service().projections.signingKeys;
  const maintain = (): Promise<void> => rotation().maintain(now());
  const sign = (algorithm: (typeof SIGNING_ALGORITHMS)[number]): Promise<SignedToken> =>
    keys().sign(algorithm, 'JWT', PAYLOAD, now());
  const keySet = async (): Promise<JSONWebKeySet> =>
    (await running.get('/.well-known/jwks.json')).json as unknown as JSONWebKeySet;
  const isVerified = async ({ jws }: SignedToken, jwks?: JSONWebKeySet): Promise<boolean> =>
    jwtVerify(jws, createLocalJWKSet(jwks ?? (await keySet())), { typ: 'JWT' }).then(
      () => true,
      () => false,
    );
  const introductions = async (): Promise<readonly RecordedEvent[]> =>
    (await running.events()).filter(({ stream }) => stream === SIGNING_KEYS_STREAM);
  const reasons = async (): Promise<readonly unknown[]> =>
    (await introductions()).map(({ data }) => (data as { readonly reason: string }).reason);

  it('sign with every algorithm, and clients can verify the result with the key set', async () => {
    for (const algorithm of SIGNING_ALGORITHMS) {
      const token = await sign(algorithm);
      expect(await isVerified(token), algorithm).to.equal(true);
      const key = (await keySet()).keys.find(({ kid }) => kid === token.kid);
      expect(key).to.include({ alg: algorithm, use: 'sig' });
      expect(await keys().verify(token.jws, { types: ['JWT'], now: now() })).to.deep.equal(PAYLOAD);
    }
  });

  it('are introduced once if many concurrent requests need the first key', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => sign('ES256')));
    expect(new Set(tokens.map(({ kid }) => kid)).size).to.equal(1);
    expect(await reasons()).to.deep.equal(['first']);
  });

  it('reproduce a token byte for byte if and only if the algorithm is deterministic', async () => {
    for (const algorithm of SIGNING_ALGORITHMS) {
      const { jws, kid } = await sign(algorithm);
      const repeatedJws = (await keys().signAgain(kid, 'JWT', PAYLOAD)) ?? '';
      expect(repeatedJws === jws, algorithm).to.equal(algorithm === 'RS256' || algorithm === 'EdDSA');
      expect(repeatedJws.split('.').slice(0, 2)).to.deep.equal(jws.split('.').slice(0, 2));
      expect(await isVerified({ jws: repeatedJws, kid })).to.equal(true);
    }
    expect(await keys().signAgain('x'.repeat(43) as KeyId, 'JWT', PAYLOAD)).to.equal(undefined);
  });

  it('do not verify tokens that this server did not sign, or tokens of a different type', async () => {
    const { jws } = await sign('RS256');
    const [header = '', payload = '', signature = ''] = jws.split('.');
    const verify = (token: string, types = ['JWT']) => keys().verify(token, { types, now: now() });
    expect(await verify(jws, ['at+jwt'])).to.equal(undefined);
    const otherPayload = Buffer.from('{"sub":"eve"}').toString('base64url');
    const hmacHeader = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: 'x' })).toString('base64url');
    const forgedTokens = [
      '',
      'no token',
      `${header}.${otherPayload}.${signature}`,
      `${header}.${payload}.`,
      new UnsecuredJWT(PAYLOAD).encode(),
      `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.${signature}`,
      `${hmacHeader}.${payload}.${signature}`,
    ];
    for (const token of forgedTokens) expect(await verify(token), token).to.equal(undefined);
  });

  it('exist for every algorithm after startup, without duplicates', async () => {
    await maintain();
    expect(await reasons()).to.deep.equal(['first', 'first', 'first', 'first']);
    await Promise.all([maintain(), maintain()]);
    for (const algorithm of SIGNING_ALGORITHMS) await sign(algorithm);
    expect(await introductions()).to.have.lengthOf(4);
  });

  it('are in the key set for days before they sign', async () => {
    await maintain();
    running.clock.advance(84 * DAY);
    await maintain();
    const earlyKeySet = await keySet();
    const tokenBefore = await sign('EdDSA');
    running.clock.advance(6 * DAY - 1);
    expect((await sign('EdDSA')).kid).to.equal(tokenBefore.kid);
    running.clock.advance(1);
    const tokenAfter = await sign('EdDSA');
    expect(tokenAfter.kid).not.to.equal(tokenBefore.kid);
    expect(await isVerified(tokenAfter, earlyKeySet)).to.equal(true);
    expect(new Set(await reasons())).to.deep.equal(new Set(['first', 'scheduled']));
  });

  it('are introduced to sign now, even while the introduction of the next key is pending', async () => {
    const { kid: leaked } = await sign('ES256');
    running.clock.advance(30);
    const request = (start: 'now' | 'later') => rotation().rotate({ algorithms: ['ES256'], start }, now(), OPERATOR);
    await Promise.all([request('later'), request('now'), request('now')]);
    const { kid } = await sign('ES256');
    expect(kid).not.to.equal(leaked);
    expect(await reasons()).to.deep.equal(['first', 'requested', 'requested']);
  });

  it('are retired and lose their private keys after all tokens that they signed have expired', async () => {
    await maintain();
    const [firstKey] = recordedKeys().all();
    running.clock.advance(85 * DAY);
    await maintain();
    running.clock.advance(5 * DAY + DAY - 1);
    await maintain();
    expect(keyring.ids()).to.include(firstKey?.kid);
    running.clock.advance(1);
    await maintain();
    expect(recordedKeys().find(firstKey?.kid ?? '')?.retired).to.equal('expired');
    expect(keyring.ids()).not.to.include(firstKey?.kid);
    expect((await keySet()).keys.map(({ kid }) => kid)).not.to.include(firstKey?.kid);
  });

  it('still verify their tokens after they have expired, unless the operator retired them', async () => {
    await maintain();
    const oldToken = await sign('RS256');
    const verify = ({ jws }: SignedToken) => keys().verify(jws, { types: ['JWT'], now: now() });
    for (const days of [85, 6, 1]) {
      running.clock.advance(days * DAY);
      await maintain();
    }
    expect(recordedKeys().find(oldToken.kid)?.retired).to.equal('expired');
    expect(await verify(oldToken)).to.deep.equal(PAYLOAD);
    const currentToken = await sign('RS256');
    await rotation().introduce('RS256', now(), 'requested');
    expect(await rotation().retire(currentToken.kid, now(), OPERATOR)).to.equal(undefined);
    expect(await verify(currentToken)).to.equal(undefined);
    expect(await isVerified(currentToken)).to.equal(false);
    expect((await sign('RS256')).kid).not.to.equal(currentToken.kid);
  });

  it('sign again after the server has been stopped for longer than a period', async () => {
    await maintain();
    running.clock.advance(365 * DAY);
    await running.restart();
    const token = await sign('PS256');
    expect(await isVerified(token)).to.equal(true);
  });

  it('survive a restart', async () => {
    const token = await sign('ES256');
    await running.restart();
    expect((await sign('ES256')).kid).to.equal(token.kid);
    expect(await isVerified(token)).to.equal(true);
  });

  for (const [problem, damage] of [
    ['missing', (kid: KeyId) => keyring.destroy(kid)],
    [
      'damaged',
      async (kid: KeyId) => {
        await keyring.destroy(kid);
        await keyring.add(kid, Buffer.alloc(300, 1));
      },
    ],
  ] as const) {
    it(`with a ${problem} private key are reported and replaced, but still verify their tokens`, async () => {
      const tokenBefore = await sign('RS256');
      await damage(tokenBefore.kid);
      await running.restart();
      const tokenAfter = await sign('RS256');
      expect(tokenAfter.kid).not.to.equal(tokenBefore.kid);
      expect([await isVerified(tokenBefore), await isVerified(tokenAfter)]).to.deep.equal([true, true]);
      expect(await reasons()).to.deep.equal(['first', 'lost']);
      expect(notices.filter((line) => line.includes(tokenBefore.kid))).to.have.lengthOf(1);
      expect(notices.join('')).to.include(problem);
    });
  }

  it('sealed under a replaced server key are replaced, too', async () => {
    await sign('EdDSA');
    const [kid] = keyring.ids();
    const sealedKey = Buffer.from(keyring.find(kid as KeyId) ?? []);
    const otherServer = await runningService({ seed: 'other', log: running.log, signingKeyring: keyring });
    expect(sealedKey.length).to.be.greaterThan(43);
    const { signingKeys, projections } = otherServer.service();
    const token = await signingKeys.sign('EdDSA', 'JWT', PAYLOAD, now()).catch((error: unknown) => error);
    expect(projections.signingKeys.all().length).to.be.greaterThan(1);
    expect(token).to.have.property('kid').that.is.not.equal(kid);
    await otherServer.close();
  });

  it('have no private keys in the log', async () => {
    await maintain();
    const text = JSON.stringify(await running.events());
    for (const member of ['"d"', '"p"', '"q"', '"dp"', '"qi"']) expect(text).not.to.include(member);
  });

  it('are not introduced by requests without authentication', async () => {
    await running.get('/.well-known/jwks.json');
    await running.post('/o/token/', { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' });
    expect(await introductions()).to.deep.equal([]);
  });
});
