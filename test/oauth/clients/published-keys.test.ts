import { expect } from 'chai';
import type { ClientKey } from '../../../src/domain/client-authentication.ts';
import { createPublishedKeys, type PublishedKeys } from '../../../src/oauth/clients/published-keys.ts';
import { EgressFailed } from '../../../src/platform/egress/egress-failed.ts';
import { keyPairFor, type ClientKeyPair } from '../../support/assertions.ts';
import { englishProblem } from '../../support/english-problems.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';

const URI = 'https://app.example/jwks.json';
const OLD = keyPairFor('ES256', 'old');
const NEW = keyPairFor('EdDSA', 'new');

const setOf = (...pairs: readonly ClientKeyPair[]) => ({ keys: pairs.map(({ jwk }) => jwk) });
const hasKid =
  (kid: string) =>
  (key: ClientKey): boolean =>
    key.kid === kid;

describe('the keys that a client publishes', () => {
  let clock: ManualClock;
  let reads: string[];
  let read: (uri: string) => Promise<unknown>;
  let lifetimeSeconds: number;
  let publishedKeys: PublishedKeys;

  beforeEach(() => {
    clock = manualClock();
    reads = [];
    lifetimeSeconds = 600;
    read = async () => setOf(OLD);
    publishedKeys = createPublishedKeys(
      {
        async readJson(_purpose, uri) {
          reads.push(uri);
          return { document: await read(uri), text: '', lifetimeSeconds };
        },
      },
      clock.ticks,
    );
  });

  const find = async (kid: string, uri = URI) => {
    const { matchingKeys: matching, problem } = await publishedKeys.find(uri, hasKid(kid));
    return englishProblem(problem ?? undefined) ?? matching.map((key) => key.kid).join();
  };
  const problemWith = async (document: unknown) => {
    read = async () => document;
    return find('old');
  };

  it('are read again only after their lifetime ends', async () => {
    expect(await find('old')).to.equal('old');
    clock.advance(599);
    expect(await find('old')).to.equal('old');
    expect(reads).to.have.length(1);
    clock.advance(1);
    read = async () => setOf(NEW);
    expect(await find('old')).to.equal('');
    expect(await find('new')).to.equal('new');
    expect(reads).to.have.length(2);
  });

  it('are cached for a minute to an hour, even if their server states a different lifetime', async () => {
    lifetimeSeconds = 15;
    await find('old');
    clock.advance(59);
    await find('old');
    expect(reads).to.have.length(1);
    lifetimeSeconds = 100_000;
    clock.advance(1);
    await find('old');
    clock.advance(3_600);
    await find('old');
    expect(reads).to.have.length(3);
  });

  it('are read again for an unknown key, but at most once a minute', async () => {
    await find('old');
    clock.advance(59);
    read = async () => setOf(OLD, NEW);
    for (let times = 0; times < 100; times += 1) expect(await find('new')).to.equal('');
    expect(reads).to.have.length(1);
    clock.advance(1);
    expect(await find('new')).to.equal('new');
    for (let times = 0; times < 100; times += 1) await find(`unknown ${times}`);
    expect(reads).to.have.length(2);
  });

  it('are read once for all requests that arrive during the read', async () => {
    let respond: (document: unknown) => void = () => undefined;
    read = () => new Promise((resolve) => (respond = resolve));
    const waiting = [find('old'), find('old'), find('new')];
    respond(setOf(OLD));
    expect(await Promise.all(waiting)).to.deep.equal(['old', 'old', '']);
    expect(reads).to.have.length(1);
  });

  it('of one client do not wait for the document of another', async () => {
    read = (uri) => (uri === URI ? Promise.resolve(setOf(OLD)) : new Promise(() => undefined));
    void find('old', 'https://slow.example/jwks.json');
    expect(await find('old')).to.equal('old');
  });

  it('are used for another day while the document cannot be read, with an attempt every 15 seconds', async () => {
    const findOld = () => publishedKeys.find(URI, hasKid('old'));
    await findOld();
    read = () => Promise.reject(new EgressFailed('timed-out', 'took longer than 5 seconds'));
    clock.advance(600);
    for (let times = 0; times < 10; times += 1) expect((await findOld()).matchingKeys).to.have.length(1);
    expect(reads).to.have.length(2);
    clock.advance(15);
    expect((await findOld()).matchingKeys).to.have.length(1);
    expect(reads).to.have.length(3);
    clock.advance(86_400 - 616);
    expect((await findOld()).matchingKeys).to.have.length(1);
    clock.advance(1);
    expect(await findOld()).to.deep.include({ matchingKeys: [], allKeys: [], problem: 'took longer than 5 seconds' });
  });

  it('are read again after a second if this server could not send the request', async () => {
    for (const outcome of ['overloaded', 'rate-limited'] as const) {
      read = () => Promise.reject(new EgressFailed(outcome, 'cannot be requested now'));
      expect(await find('old', `${URI}?${outcome}`)).to.equal('cannot be requested now');
      read = async () => setOf(OLD);
      expect(await find('old', `${URI}?${outcome}`)).to.equal('cannot be requested now');
      clock.advance(1);
      expect(await find('old', `${URI}?${outcome}`)).to.equal('old');
    }
  });

  it('are refused with a reason if the document is not a set of a few public keys', async () => {
    const { privateKey } = OLD;
    for (const [document, problem] of [
      [[], 'is not a JWK set'],
      [{ keys: [] }, 'has no public key that this server can use'],
      [{ keys: [{ kty: 'oct', kid: 'old' }, 'text', null] }, 'has no public key that this server can use'],
      [{ keys: Array(10_000).fill(OLD.jwk) }, 'has 10000 keys; at most 20 are read'],
      [{ keys: [OLD.jwk, { ...privateKey.export({ format: 'jwk' }), kid: 'old' }] }, 'contains a private key'],
      [{ keys: [{ kty: 'oct', k: 'c2VjcmV0' }, OLD.jwk] }, 'contains a private key'],
    ] as const) {
      expect(await problemWith(document)).to.contain(problem);
      clock.advance(15);
    }
  });

  it('include only the keys that this server can verify signatures with', async () => {
    const others = [{ ...NEW.jwk, use: 'enc' }, { kty: 'EC', crv: 'P-384', x: 'x', y: 'y' }, { kty: 'future' }];
    read = async () => ({ keys: [...others, OLD.jwk] });
    expect((await publishedKeys.find(URI, () => true)).allKeys.map(({ kid }) => kid)).to.deep.equal(['old']);
  });
});
