import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { operate } from '../../src/operations/operations.ts';
import type { KeyRow } from '../../src/operations/signing-keys.ts';
import { seconds } from '../support/domain-values.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

describe('the commands for signing keys', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
    await running.service().keyRotation.maintain(seconds(Math.floor(running.clock.now() / 1000)));
  });
  afterEach(() => running.close());

  async function call(name: string, input: object = {}): Promise<readonly unknown[]> {
    const results: unknown[] = [];
    const never = new AbortController().signal;
    for await (const result of operate(running.service())(name, input, never)) results.push(result);
    return results;
  }
  const listKeys = async (input: object = {}): Promise<readonly KeyRow[]> =>
    (await call('key list', input)) as readonly KeyRow[];
  const expectRefusal = async (name: string, input: object): Promise<string> =>
    call(name, input).then(
      () => expect.fail('not refused'),
      (error: Error) => error.message,
    );
  const findSigningKey = async (algorithm: string): Promise<KeyRow | undefined> =>
    (await listKeys()).find((row) => row.algorithm === algorithm && row.status === 'signs');

  async function issueAndGetKeyId(client: TestClient): Promise<string> {
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    return decodeProtectedHeader(String(json?.['access_token'])).kid ?? '';
  }

  it('list the signing key for each algorithm, and the applications with valid tokens signed with it', async () => {
    const client = await running.addClient({
      name: 'Calendar',
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
    });
    const kid = await issueAndGetKeyId(client);
    const rows = await listKeys();
    expect(rows.map(({ algorithm, status }) => `${algorithm} ${status}`)).to.deep.equal([
      'RS256 signs',
      'ES256 signs',
      'PS256 signs',
      'EdDSA signs',
    ]);
    const until = new Date(running.clock.now() + 36_000_000).toISOString();
    for (const row of rows)
      expect(row.valid_tokens).to.deep.equal(
        row.kid === kid ? [{ client_id: client.id, name: 'Calendar', until }] : [],
      );
  });

  it('rotate the keys for one algorithm or for all, so that a new key signs after a day or immediately', async () => {
    const keyBefore = await findSigningKey('RS256');
    const [rotation] = (await call('key rotate', { algorithms: ['RS256'] })) as [{ keys: readonly KeyRow[] }];
    expect(rotation.keys.map(({ algorithm, status }) => `${algorithm} ${status}`)).to.deep.equal(['RS256 next']);
    expect((await findSigningKey('RS256'))?.kid).to.equal(keyBefore?.kid);
    running.clock.advance(86_400);
    expect((await findSigningKey('RS256'))?.kid).to.equal(rotation.keys[0]?.kid);
    const [rotationOfAll] = (await call('key rotate', { now: true })) as [{ keys: readonly KeyRow[] }];
    expect(rotationOfAll.keys.map(({ algorithm, status }) => `${algorithm} ${status}`)).to.deep.equal([
      'RS256 signs',
      'ES256 signs',
      'PS256 signs',
      'EdDSA signs',
    ]);
  });

  it('do not rotate again before the next key signs, unless a new key should sign immediately', async () => {
    await call('key rotate', { algorithms: ['RS256'] });
    const keysBefore = await listKeys();
    for (const algorithms of [['RS256'], []]) {
      const message = await expectRefusal('key rotate', { algorithms });
      expect(message).to.match(
        /^these algorithms already have a next key: RS256\. Each next key starts signing at \d{4}-.*grantlog key list/,
      );
    }
    expect(await listKeys()).to.deep.equal(keysBefore);
    await call('key rotate', { algorithms: ['ES256'] });
    await call('key rotate', { algorithms: ['RS256'], now: true });
  });

  it('do not retire an active key without a successor, an unknown key or a retired key', async () => {
    const { kid = '' } = (await findSigningKey('PS256')) ?? {};
    const message = await expectRefusal('key retire', { kid, acceptLoss: true });
    expect(message).to.include(kid).and.include('grantlog key rotate --algorithm PS256 --now');
    expect(await expectRefusal('key retire', { kid: 'x', acceptLoss: true })).to.include('"x"');
    await call('key rotate', { algorithms: ['PS256'] });
    const nextKid = (await listKeys()).find((row) => row.algorithm === 'PS256' && row.kid !== kid)?.kid;
    expect(await call('key retire', { kid, acceptLoss: false })).to.deep.equal([
      { kid, algorithm: 'PS256', signs: nextKid, invalid_tokens: [] },
    ]);
    const now = `${new Date(running.clock.now()).toISOString().slice(0, 19)}.000Z`;
    expect(await findSigningKey('PS256')).to.include({ kid: nextKid, status: 'signs', from: now });
    expect(await expectRefusal('key retire', { kid, acceptLoss: true })).to.include('has already been retired');
    expect((await listKeys({ retired: true })).find((row) => row.kid === kid)).to.include({
      status: 'retired',
      retired: 'requested',
      private_half: null,
    });
  });

  it('list the applications whose tokens would become invalid, and retire a key early only if confirmed', async () => {
    const client = await running.addClient({
      name: 'Calendar',
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'EdDSA',
    });
    const kid = await issueAndGetKeyId(client);
    await call('key rotate', { algorithms: ['EdDSA'], now: true });
    const message = await expectRefusal('key retire', { kid, acceptLoss: false });
    expect(message).to.include('Calendar until').and.include('--accept-loss');
    expect((await listKeys()).map((row) => row.kid)).to.include(kid);
    const [retirement] = await call('key retire', { kid, acceptLoss: true });
    expect(retirement).to.deep.include({ kid }).and.to.have.property('invalid_tokens').that.has.lengthOf(1);
    expect((await listKeys()).map((row) => row.kid)).not.to.include(kid);
  });

  it('are complemented by `log prove`, which shows the key that signed a token', async () => {
    for (const accessTokenAlgorithm of SIGNING_ALGORITHMS) {
      const client = await running.addClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm });
      const { json } = await running.token(client, { grant_type: 'client_credentials' });
      const subject = String(json?.['access_token']);
      const { kid } = decodeProtectedHeader(subject);
      const key = running.service().projections.signingKeys.find(kid ?? '');
      const [proof] = await call('log prove', { subject });
      expect(proof).to.deep.include({
        signing_key: kid,
        algorithm: accessTokenAlgorithm,
        public_key: key?.publicKey,
        key_introduced_at_position: key?.introducedPosition,
        key_retired_at_position: null,
      });
    }
    const opaqueTokenResponse = await running.token(await running.addClient(), { grant_type: 'client_credentials' });
    const [proof] = await call('log prove', { subject: String(opaqueTokenResponse.json?.['access_token']) });
    expect(proof).not.to.have.property('signing_key');
  });

  it('are complemented by a metric for the time until the last key for each algorithm expires', async () => {
    const { text } = await running.get('/metrics');
    for (const algorithm of SIGNING_ALGORITHMS)
      expect(text).to.include(`grantlog_signing_key_seconds_left{algorithm="${algorithm}"} 7776000`);
  });

  it('record the operator as the actor', async () => {
    await call('key rotate', { algorithms: ['ES256'] });
    expect((await running.events()).at(-1)).to.deep.include({
      type: 'SigningKeyIntroduced',
      actor: { kind: 'operator' },
    });
  });
});
