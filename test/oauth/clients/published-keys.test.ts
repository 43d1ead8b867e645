import { expect } from 'chai';
import type { ClientKey } from '../../../src/domain/client-authentication.ts';
import { createPublishedKeys, type PublishedKeys } from '../../../src/oauth/clients/published-keys.ts';
import { EgressError } from '../../../src/platform/egress/egress-failed.ts';
import { keyPairFor, type ClientKeyPair } from '../../support/assertions.ts';
import { englishProblem } from '../../support/english-problems.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';

const URI = 'https://app.example/jwks.json';
const OLD_KEY = keyPairFor('ES256', 'old');
const NEW_KEY = keyPairFor('EdDSA', 'new');

const keySet = (...pairs: readonly ClientKeyPair[]) => ({ keys: pairs.map(({ jwk }) => jwk) });
const hasKid =
  (kid: string) =>
  (key: ClientKey): boolean =>
    key.kid === kid;

describe('the keys that a client publishes', () => {
  let clock: ManualClock;
  let requestedUris: string[];
  let readDocument: (uri: string) => Promise<unknown>;
  let lifetimeSeconds: number;
  let publishedKeys: PublishedKeys;

  beforeEach(() => {
    clock = manualClock();
    requestedUris = [];
    lifetimeSeconds = 600;
    readDocument = async () => keySet(OLD_KEY);
    publishedKeys = createPublishedKeys(
      {
        async readJson(_purpose, uri) {
          requestedUris.push(uri);
          return { document: await readDocument(uri), text: '', lifetimeSeconds };
        },
      },
      clock.ticks,
    );
  });

  const findKeys = async (kid: string, uri = URI) => {
    const { matchingKeys, problem } = await publishedKeys.find(uri, hasKid(kid));
    return englishProblem(problem ?? undefined) ?? matchingKeys.map((key) => key.kid).join();
  };
  const problemWithDocument = async (document: unknown) => {
    readDocument = async () => document;
    return findKeys('old');
  };

  it('are read again only after their lifetime ends', async () => {
    expect(await findKeys('old')).to.equal('old');
    clock.advance(599);
    expect(await findKeys('old')).to.equal('old');
    expect(requestedUris).to.have.length(1);
    clock.advance(1);
    readDocument = async () => keySet(NEW_KEY);
    expect(await findKeys('old')).to.equal('');
    expect(await findKeys('new')).to.equal('new');
    expect(requestedUris).to.have.length(2);
  });

  it('are cached for a minute to an hour, even if their server states a different lifetime', async () => {
    lifetimeSeconds = 15;
    await findKeys('old');
    clock.advance(59);
    await findKeys('old');
    expect(requestedUris).to.have.length(1);
    lifetimeSeconds = 100_000;
    clock.advance(1);
    await findKeys('old');
    clock.advance(3_600);
    await findKeys('old');
    expect(requestedUris).to.have.length(3);
  });

  it('are read again for an unknown key, but at most once a minute', async () => {
    await findKeys('old');
    clock.advance(59);
    readDocument = async () => keySet(OLD_KEY, NEW_KEY);
    for (let attempt = 0; attempt < 100; attempt += 1) expect(await findKeys('new')).to.equal('');
    expect(requestedUris).to.have.length(1);
    clock.advance(1);
    expect(await findKeys('new')).to.equal('new');
    for (let attempt = 0; attempt < 100; attempt += 1) await findKeys(`unknown ${attempt}`);
    expect(requestedUris).to.have.length(2);
  });

  it('are read once for all requests that arrive during the read', async () => {
    let respond: (document: unknown) => void = () => undefined;
    readDocument = () => new Promise((resolve) => (respond = resolve));
    const lookups = [findKeys('old'), findKeys('old'), findKeys('new')];
    respond(keySet(OLD_KEY));
    expect(await Promise.all(lookups)).to.deep.equal(['old', 'old', '']);
    expect(requestedUris).to.have.length(1);
  });

  it('of one client do not wait for the document of another', async () => {
    readDocument = (uri) => (uri === URI ? Promise.resolve(keySet(OLD_KEY)) : new Promise(() => undefined));
    void findKeys('old', 'https://slow.example/jwks.json');
    expect(await findKeys('old')).to.equal('old');
  });

  it('are used for another day while the document cannot be read, with an attempt every 15 seconds', async () => {
    const findOldKey = () => publishedKeys.find(URI, hasKid('old'));
    await findOldKey();
    readDocument = () => Promise.reject(new EgressError('timed-out', 'took longer than 5 seconds'));
    clock.advance(600);
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await findOldKey()).matchingKeys).to.have.length(1);
    expect(requestedUris).to.have.length(2);
    clock.advance(15);
    expect((await findOldKey()).matchingKeys).to.have.length(1);
    expect(requestedUris).to.have.length(3);
    clock.advance(86_400 - 616);
    expect((await findOldKey()).matchingKeys).to.have.length(1);
    clock.advance(1);
    expect(await findOldKey()).to.deep.include({
      matchingKeys: [],
      allKeys: [],
      problem: 'took longer than 5 seconds',
    });
  });

  it('are read again after a second if this server could not send the request', async () => {
    for (const outcome of ['overloaded', 'rate-limited'] as const) {
      readDocument = () => Promise.reject(new EgressError(outcome, 'cannot be requested now'));
      expect(await findKeys('old', `${URI}?${outcome}`)).to.equal('cannot be requested now');
      readDocument = async () => keySet(OLD_KEY);
      expect(await findKeys('old', `${URI}?${outcome}`)).to.equal('cannot be requested now');
      clock.advance(1);
      expect(await findKeys('old', `${URI}?${outcome}`)).to.equal('old');
    }
  });

  it('are refused with a reason if the document is not a set of a few public keys', async () => {
    const { privateKey } = OLD_KEY;
    for (const [document, problem] of [
      [[], 'is not a JWK set'],
      [{ keys: [] }, 'has no public key that this server can use'],
      [{ keys: [{ kty: 'oct', kid: 'old' }, 'text', null] }, 'has no public key that this server can use'],
      [{ keys: Array(10_000).fill(OLD_KEY.jwk) }, 'has 10000 keys; at most 20 are read'],
      [{ keys: [OLD_KEY.jwk, { ...privateKey.export({ format: 'jwk' }), kid: 'old' }] }, 'contains a private key'],
      [{ keys: [{ kty: 'oct', k: 'c2VjcmV0' }, OLD_KEY.jwk] }, 'contains a private key'],
    ] as const) {
      expect(await problemWithDocument(document)).to.contain(problem);
      clock.advance(15);
    }
  });

  it('include only the keys that this server can verify signatures with', async () => {
    const unusableKeys = [
      { ...NEW_KEY.jwk, use: 'enc' },
      { kty: 'EC', crv: 'P-384', x: 'x', y: 'y' },
      { kty: 'future' },
    ];
    readDocument = async () => ({ keys: [...unusableKeys, OLD_KEY.jwk] });
    expect((await publishedKeys.find(URI, () => true)).allKeys.map(({ kid }) => kid)).to.deep.equal(['old']);
  });
});
