import { expect } from 'chai';
import { authorizationGrant, type Grant } from '../../../src/domain/authorization-grant.ts';
import { grantStream } from '../../../src/domain/streams.ts';
import type { CredentialHash } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import { createIssuedCheck, type WasIssued } from '../../../src/oauth/credentials/issued-refresh-tokens.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../../support/domain-values.ts';

const GRANT = grantId('grant');
const CLIENT = clientId('A');
/** A grant whose state contains the hashes of the newest two tokens. Older tokens are looked up in the log. */
const FAMILY: Grant = {
  ...authorizationGrant.initial,
  status: 'open',
  clientId: CLIENT,
  refresh: {
    currentHash: hashOf('refresh 3'),
    clientId: CLIENT,
    userId: userId('ada'),
    scope: ['read'],
    resource: [],
    expiresAt: null,
    hasUntagged: true,
    confirmation: undefined,
    rotation: { spentHash: hashOf('refresh 2'), at: seconds(0) },
    refreshesSinceSummary: 3,
  },
};

async function createCheck(grant: Grant): Promise<WasIssued> {
  const log = createMemoryLog();
  const envelope = { recordedAt: 0, actor: { kind: 'server' }, requestId: null } as const;
  const holder = { clientId: CLIENT, userId: userId('ada'), scope: ['read'], expiresAt: null };
  await log.append(grantStream(GRANT), 'no-stream', [
    { ...envelope, type: 'RefreshTokenIssued', version: 2, data: { tokenHash: hashOf('refresh 0'), ...holder } },
    ...[1, 2, 3].map((nth) => ({
      ...envelope,
      type: 'RefreshTokenRotated',
      version: 1,
      data: {
        spentHash: hashOf(`refresh ${nth - 1}`),
        tokenHash: hashOf(`refresh ${nth}`),
        scope: ['read'],
        rotatedAt: nth,
        expiresAt: null,
      },
    })),
  ]);
  return createIssuedCheck({ log, grants: { state: async () => grant } });
}

describe('the check whether a refresh token without a tag was issued', () => {
  const untaggedToken = (hash: CredentialHash) => ({ grantId: GRANT, hash, isTagged: false });

  it('succeeds for every token of the grant, and for no other', async () => {
    const wasIssued = await createCheck(FAMILY);
    for (const nth of [0, 1, 2, 3]) {
      expect(await wasIssued(untaggedToken(hashOf(`refresh ${nth}`)), CLIENT), String(nth)).to.equal(true);
    }
    expect(await wasIssued(untaggedToken(hashOf('refresh 4')), CLIENT)).to.equal(false);
  });

  it('compares the whole hash, not only its beginning', async () => {
    const wasIssued = await createCheck(FAMILY);
    const issuedHash = hashOf('refresh 1');
    const similarHash = `${issuedHash.slice(0, -1)}${issuedHash.endsWith('A') ? 'E' : 'A'}` as CredentialHash;
    expect(await wasIssued(untaggedToken(similarHash), CLIENT)).to.equal(false);
  });

  it('fails for other clients, even for tokens with a tag', async () => {
    const wasIssued = await createCheck(FAMILY);
    for (const isTagged of [true, false]) {
      const presentedToken = { grantId: GRANT, hash: hashOf('refresh 1'), isTagged };
      expect(await wasIssued(presentedToken, clientId('B'))).to.equal(false);
      expect(await wasIssued(presentedToken, CLIENT)).to.equal(true);
    }
  });

  it('fails without reading the log if all tokens of the grant have tags', async () => {
    const refresh = FAMILY.refresh && { ...FAMILY.refresh, hasUntagged: false };
    const wasIssued = await createCheck({ ...FAMILY, refresh });
    expect(await wasIssued(untaggedToken(hashOf('refresh 1')), CLIENT)).to.equal(false);
  });
});
