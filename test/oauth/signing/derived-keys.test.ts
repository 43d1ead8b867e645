import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { grantStream } from '../../../src/domain/streams.ts';
import type { ClientId, EpochSeconds, GrantId } from '../../../src/domain/values.ts';
import { hashCredential, mintId } from '../../../src/oauth/credentials/credentials.ts';
import { createDerivedKeys, PERIOD_SECONDS, type DerivedKeys } from '../../../src/oauth/signing/derived-keys.ts';
import { deriveSigningKey } from '../../../src/platform/keys/keys.ts';
import { seconds } from '../../support/domain-values.ts';
import { isAccepted } from '../../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';

const LIFETIME = 36_000;
const DAY = 86_400;

describe('the keys of JWT access tokens from earlier releases', () => {
  let running: RunningService;
  let client: TestClient;
  let derivedKeys: DerivedKeys;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient({ accessTokenFormat: 'jwt', accessTokenAlgorithm: 'EdDSA' });
    const { refresh } = running.service().keys;
    derivedKeys = createDerivedKeys(
      (label) => deriveSigningKey(refresh, label),
      () => LIFETIME,
    );
  });
  afterEach(() => running.close());

  const now = (): EpochSeconds => seconds(Math.floor(running.clock.now() / 1000));
  const keySet = async (): Promise<JSONWebKeySet> =>
    (await running.get('/.well-known/jwks.json')).json as unknown as JSONWebKeySet;
  const isVerified = async (token: string): Promise<boolean> =>
    jwtVerify(token, createLocalJWKSet(await keySet()), { currentDate: new Date(running.clock.now()) }).then(
      () => true,
      () => false,
    );

  /** Issues a token as releases without signing keys did: its event contains no key id. */
  async function issueEarlierToken(): Promise<string> {
    const { entropy, grantCommands } = running.service();
    const [grantId, issuedAt] = [mintId<GrantId>(entropy), now()];
    const expiresAt = seconds(issuedAt + LIFETIME);
    const token = derivedKeys.sign('at+jwt', { iss: 'http://localhost:8000', exp: expiresAt, jti: grantId }, issuedAt);
    const clientId = client.id as ClientId;
    await grantCommands.execute(
      grantStream(grantId),
      {
        type: 'GrantToClient',
        grantId,
        clientId,
        scope: ['read'],
        resource: [],
        now: issuedAt,
        accessHash: hashCredential(token),
        accessExpiresAt: expiresAt,
        previousSecretUsed: false,
      },
      { actor: { kind: 'client', id: clientId }, requestId: null },
    );
    return token;
  }

  it('verify tokens until the last one has expired, even after the log has signing keys', async () => {
    const token = await issueEarlierToken();
    expect([await isVerified(token), await isAccepted(running, token)]).to.deep.equal([true, true]);
    await running.service().keyRotation.maintain(now());
    running.clock.advance(LIFETIME - 1);
    expect([await isVerified(token), await isAccepted(running, token)]).to.deep.equal([true, true]);
    running.clock.advance(DAY);
    const kids = new Set(derivedKeys.publishedKeys(now(), Infinity).map(({ kid }) => kid));
    expect((await keySet()).keys.filter(({ kid }) => kids.has(kid ?? ''))).to.deep.equal([]);
  });

  it('remain in the key set after a key change', async () => {
    running.clock.advance(PERIOD_SECONDS - (now() % PERIOD_SECONDS) - 1);
    const lastToken = await issueEarlierToken();
    await running.service().keyRotation.maintain(now());
    running.clock.advance(2);
    expect(await isVerified(lastToken)).to.equal(true);
  });

  it('sign no new tokens', async () => {
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    const [{ kid } = {}] = derivedKeys.publishedKeys(now(), Infinity);
    expect(String(json?.['access_token'])).not.to.include(kid);
    expect(running.service().projections.signingKeys.all()).to.have.lengthOf(1);
  });

  it('are not published if no client had JWT access tokens', async () => {
    const otherServer = await runningService();
    expect((await otherServer.get('/.well-known/jwks.json')).json).to.deep.equal({ keys: [] });
    await otherServer.service().keyRotation.maintain(now());
    await otherServer.addClient({ accessTokenFormat: 'jwt' });
    const { json } = await otherServer.get('/.well-known/jwks.json');
    expect((json as unknown as JSONWebKeySet).keys).to.have.lengthOf(4);
    await otherServer.close();
  });

  it('differ between two servers', () => {
    const otherKeys = createDerivedKeys(
      () => deriveSigningKey(running.service().keys.limits, 'x'),
      () => LIFETIME,
    );
    const kids = derivedKeys.publishedKeys(now(), Infinity).map(({ kid }) => kid);
    for (const { kid } of otherKeys.publishedKeys(now(), Infinity)) expect(kids).not.to.include(kid);
  });
});
