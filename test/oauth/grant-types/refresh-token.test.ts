import { expect } from 'chai';
import type { IssueCode } from '../../../src/domain/authorization-grant.ts';
import { grantStream } from '../../../src/domain/streams.ts';
import { hashCredential, withChecksum, type MintedCredential } from '../../../src/oauth/credentials/credentials.ts';
import { clientId, grantId, loginOf, userId } from '../../support/domain-values.ts';
import {
  ADA,
  ADA_AS_TEST_USER,
  decodeAccessToken,
  CLIENT,
  extractGrantId,
  decodeIdToken,
  ISSUER,
  JWT_CLIENT,
  REFRESH_TOKENS,
  catchRefusal,
  createTokenGrants,
  type TokenGrants,
} from '../../support/token-grants.ts';

const [ONE, TWO] = ['https://one.example', 'https://two.example'] as const;
const ALL_SCOPES = ['read', 'write', 'audit'];
const CLIENTS = [CLIENT, JWT_CLIENT];
const WITH_OPENID = { openid: 'Log you in', read: 'Read' };
/** A request of a client whose access tokens must be bound, with the proof of its key. */
const BOUND = {
  client: { ...CLIENT, security: { ...CLIENT.security, dpopBoundAccessTokens: true } },
  confirmation: { method: 'jkt', thumbprint: hashCredential('key') },
} as const;
const WITHOUT_AUDIT = { ...CLIENT, restrictedScopes: [] };

/** Begins a grant. Resolves with its first refresh token and access token. */
async function beginGrant(grants: TokenGrants, details?: Partial<IssueCode>) {
  const { access_token: access, refresh_token: refresh = '' } = await grants.redeem(await grants.issueCode(details));
  return { access, refresh };
}

describe('a refresh', () => {
  it('records the tokens of its response, with their lifetimes, and retires the previous access token', async () => {
    for (const refreshTokenLifetimeSeconds of [86_400, null]) {
      const grants = createTokenGrants({ refreshTokenLifetimeSeconds });
      const firstTokens = await beginGrant(grants);
      grants.clock.advance(30);
      const now = grants.clock.now() / 1000;
      const tokens = await grants.refresh(firstTokens.refresh, { previousSecretUsed: true });
      expect(tokens.access_token).to.match(/^gla_/);
      expect(tokens).to.include({ expires_in: 3_600, token_type: 'Bearer', scope: 'read write audit' });
      expect((await grants.events(firstTokens.refresh)).slice(5)).to.deep.equal([
        {
          type: 'RefreshTokenRotated',
          data: {
            spentHash: hashCredential(firstTokens.refresh),
            tokenHash: hashCredential(tokens.refresh_token ?? ''),
            scope: ALL_SCOPES,
            rotatedAt: now,
            expiresAt: refreshTokenLifetimeSeconds === null ? null : now + refreshTokenLifetimeSeconds,
            retired: { tokenHash: hashCredential(firstTokens.access), endsAt: now + 60 },
          },
        },
        {
          type: 'AccessTokenIssued',
          data: {
            tokenHash: hashCredential(tokens.access_token),
            grantId: extractGrantId(firstTokens.refresh),
            clientId: CLIENT.clientId,
            userId: ADA,
            scope: ALL_SCOPES,
            expiresAt: now + 3_600,
            login: loginOf('session'),
            previousSecretUsed: true,
          },
        },
      ]);
    }
  });

  it('issues a JWT with the data of the grant, narrowed as requested', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants, { resource: [ONE, TWO] });
    grants.clock.advance(30);
    const iat = grants.clock.now() / 1000;
    const parameters = { scope: 'write read', resource: TWO };
    const narrowedTokens = await grants.refresh(refresh, { client: JWT_CLIENT, parameters });
    expect(narrowedTokens.scope).to.equal('write read');
    expect(decodeAccessToken(narrowedTokens)).to.deep.include({
      iss: ISSUER,
      aud: TWO,
      sub: ADA,
      client_id: CLIENT.clientId,
      iat,
      exp: iat + 3_600,
      scope: 'write read',
    });
    const fullTokens = await grants.refresh(narrowedTokens.refresh_token ?? '', { client: JWT_CLIENT });
    expect(decodeAccessToken(fullTokens)).to.deep.include({ aud: [ONE, TWO], scope: 'read write audit' });
  });

  it('omits restricted scopes that the client or the user has lost, and scopes that no longer exist', async () => {
    for (const [change, client, user, scope] of [
      [{}, { ...JWT_CLIENT, restrictedScopes: [] }, ADA, 'read write'],
      [{}, JWT_CLIENT, userId('not an auditor'), 'read write'],
      [{ scopes: { read: 'Read', audit: 'Audit' } }, JWT_CLIENT, ADA, 'read audit'],
    ] as const) {
      const earlierGrants = createTokenGrants();
      const { refresh } = await beginGrant(earlierGrants, { userId: user });
      const tokens = await createTokenGrants(change, earlierGrants).refresh(refresh, { client });
      expect([tokens.scope, decodeAccessToken(tokens)['scope']]).to.deep.equal([scope, scope]);
    }
  });

  it('narrows authorization details with the scope of the request or, without one, of the grant', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const countBefore = grants.narrowedScopes.length;
    const { refresh_token: next = '' } = await grants.refresh(refresh, { parameters: { scope: 'read' } });
    await grants.refresh(next);
    expect(grants.narrowedScopes.slice(countBefore)).to.deep.equal([['read'], ALL_SCOPES]);
  });

  it("does not read authorization details for another client's token, or for an old or forged one", async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const { refresh_token: next = '' } = await grants.refresh(refresh);
    await grants.refresh(next);
    const countBefore = grants.narrowedScopes.length;
    await catchRefusal(grants.refresh(next, { client: { ...CLIENT, clientId: clientId('B') } }));
    await catchRefusal(grants.refresh(withChecksum(`glr_${extractGrantId(refresh)}${'A'.repeat(43)}`).value));
    await catchRefusal(grants.refresh(refresh));
    expect(grants.narrowedScopes).to.have.length(countBefore);
  });

  it('issues an ID token about the login only if the scope of the request contains openid', async () => {
    const grants = createTokenGrants({ scopes: WITH_OPENID });
    const { refresh } = await beginGrant(grants, { scope: ['openid', 'read'] });
    grants.clock.advance(30);
    const iat = grants.clock.now() / 1000;
    const fullTokens = await grants.refresh(refresh);
    expect(decodeIdToken(fullTokens)).to.deep.include({
      iss: ISSUER,
      sub: ADA,
      aud: CLIENT.clientId,
      iat,
      exp: iat + 3_600,
    });
    const withoutIdToken = await grants.refresh(fullTokens.refresh_token ?? '', { parameters: { scope: 'read' } });
    expect(decodeIdToken(withoutIdToken)).to.equal(undefined);
    const thirdTokens = await grants.refresh(withoutIdToken.refresh_token ?? '', { parameters: { scope: 'openid' } });
    expect(decodeIdToken(thirdTokens)).to.include({ sub: ADA });
    const idTokenEvents = (await grants.events(refresh)).filter(({ type }) => type === 'IdTokenIssued');
    expect(idTokenEvents).to.have.lengthOf(3); // one for the code and two for refreshes
  });

  it("does not sign an ID token for a different client's token", async () => {
    const grants = createTokenGrants({ scopes: WITH_OPENID });
    const { refresh } = await beginGrant(grants, { scope: ['openid', 'read'] });
    await catchRefusal(grants.refresh(refresh, { client: { ...CLIENT, clientId: clientId('B') } }));
    expect(grants.signedIdTokenCount()).to.equal(1); // for the code
  });

  it('requires a client that is registered for a grant type with refresh tokens', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const passwordToken = await grants.grantByPassword();
    const registeredFor = (...grantTypes: typeof CLIENT.grantTypes) => ({ client: { ...CLIENT, grantTypes } });
    for (const token of [refresh, passwordToken])
      expect(await catchRefusal(grants.refresh(token, registeredFor('client-credentials')))).to.deep.equal({
        rule: 'client-not-registered-for',
        grantType: 'refresh_token',
        registered: ['client-credentials'],
      });
    expect(await catchRefusal(grants.refresh(passwordToken, registeredFor('device-code')))).to.deep.equal({
      rule: 'client-not-registered-for',
      grantType: 'password',
      registered: ['device-code'],
    });
    await grants.refresh(refresh, registeredFor('authorization-code'));
    await grants.refresh(passwordToken, registeredFor('password'));
  });

  it('is refused for users who are not members of a client in test mode, without using the token', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const client = { ...CLIENT, mode: 'test' } as const;
    expect(await catchRefusal(grants.refresh(refresh, { client }))).to.deep.equal({
      rule: 'client-in-test-mode',
      what: 'refresh_token',
    });
    await grants.refresh(refresh, { client: { ...client, members: [ADA_AS_TEST_USER] } });
  });

  it('of a managed grant returns its id, with or without a rotation', async () => {
    const grants = createTokenGrants();
    const management = { action: 'create', grantId: grantId('managed') } as const;
    for (const request of [{}, BOUND]) {
      const { refresh } = await beginGrant(grants, { management });
      expect(await grants.refresh(refresh, request)).to.include({ grant_id: grantId('managed') });
    }
  });

  it('keeps the refresh token of a confidential client whose access tokens are bound', async () => {
    const grants = createTokenGrants({ scopes: WITH_OPENID });
    const { refresh, access } = await beginGrant(grants, { scope: ['openid', 'read'] });
    const accessTokens = new Set([access]);
    for (const scope of ['read', 'openid read'])
      for (const client of [BOUND.client, { ...BOUND.client, accessTokenFormat: 'jwt' } as const]) {
        const tokens = await grants.refresh(refresh, { ...BOUND, client, parameters: { scope } });
        expect(tokens).to.include({ refresh_token: refresh, token_type: 'DPoP', scope, expires_in: 3_600 });
        expect(decodeIdToken(tokens) !== undefined).to.equal(scope === 'openid read');
        accessTokens.add(tokens.access_token);
      }
    expect(accessTokens.size, 'different access tokens').to.equal(5);
    const types = (await grants.events(refresh)).map(({ type }) => type);
    expect(types).not.to.include('RefreshTokenRotated');
  });

  it('rotates the refresh token of a public client until the token is bound as well', async () => {
    const grants = createTokenGrants();
    const client = { ...BOUND.client, clientType: 'public' } as const;
    const { refresh } = await beginGrant(grants);
    const { refresh_token: rotatedToken = '' } = await grants.refresh(refresh, { ...BOUND, client });
    expect(rotatedToken).not.to.equal(refresh);
    const code = await grants.issueCode();
    const { refresh_token: boundToken = '' } = await grants.redeem(code, { ...BOUND, client });
    expect(await grants.refresh(boundToken, { ...BOUND, client })).to.include({ refresh_token: boundToken });
  });

  it("is charged to the budget of the grant's user", async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    await grants.refresh(refresh);
    await catchRefusal(
      grants.refresh(withChecksum(`glr_${extractGrantId(await grants.issueCode())}${'A'.repeat(43)}`).value),
    );
    expect(grants.chargedUsers).to.deep.equal([ADA, ADA, null]);
  });

  it('is refused with a malformed scope or a scope that the client may not have', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const refusalWith = (scope: string, client = CLIENT) =>
      catchRefusal(grants.refresh(refresh, { client, parameters: { scope } }));
    expect(await refusalWith('"read"')).to.deep.equal({ rule: 'scope-malformed' });
    expect(await refusalWith('read audit', WITHOUT_AUDIT)).to.deep.equal({
      rule: 'scope-restricted',
      restricted: ['audit'],
    });
  });

  it('is refused for strings that are not refresh tokens of this server', async () => {
    const grants = createTokenGrants();
    const { refresh, access } = await beginGrant(grants);
    for (const [value, form] of [
      [refresh.slice(0, -1), 'incomplete'],
      [`${refresh.slice(0, -1)}${refresh.endsWith('A') ? 'B' : 'A'}`, 'refresh token'],
      [withChecksum(`${refresh.slice(0, 69)}${'A'.repeat(22)}`).value, 'refresh token'],
      [access, 'access token'],
      ['x', 'other'],
    ] as const)
      expect(await catchRefusal(grants.refresh(value))).to.deep.equal({
        rule: 'credential-unknown',
        parameter: 'refresh_token',
        form,
      });
  });

  it('is refused without effect for a token that was forged for a grant', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const code = await grants.issueCode();
    for (const client of CLIENTS) {
      for (const credential of [refresh, code]) {
        const forgedToken = withChecksum(`glr_${extractGrantId(credential)}${'A'.repeat(43)}`).value;
        expect(await catchRefusal(grants.refresh(forgedToken, { client }))).to.include({ rule: 'credential-unknown' });
      }
    }
    await grants.refresh(refresh);
    await grants.redeem(code);
  });

  it('is refused if the grant ends before or while the tokens are recorded', async () => {
    const grants = createTokenGrants();
    const [endedToken, endingToken] = [(await beginGrant(grants)).refresh, (await beginGrant(grants)).refresh];
    grants.endedGrants.add(extractGrantId(endedToken));
    const head = grants.log.head();
    const refusal = { rule: 'user-inactive', parameter: 'refresh_token' };
    expect(await catchRefusal(grants.refresh(endedToken))).to.deep.equal(refusal);
    expect(grants.log.head()).to.equal(head);
    expect(await catchRefusal(grants.refresh(endingToken, { endsMeanwhile: true }))).to.deep.equal(refusal);
  });

  it('is refused for the same reason for any token format', async () => {
    for (const client of CLIENTS) {
      const grants = createTokenGrants();
      const { refresh } = await beginGrant(grants, { scope: ['read'], resource: [ONE] });
      const refusalWith = (parameters: Readonly<Record<string, string>>) =>
        catchRefusal(grants.refresh(refresh, { client, parameters }));
      expect(await refusalWith({ scope: 'read write' })).to.deep.equal({
        rule: 'scope-not-granted',
        missing: ['write'],
        granted: ['read'],
      });
      expect(await refusalWith({ resource: `${ONE} ${TWO}` })).to.deep.equal({
        rule: 'resource-not-granted',
        missing: [TWO],
        granted: [ONE],
      });
      const otherClient = { ...client, clientId: clientId('B') };
      expect(await catchRefusal(grants.refresh(refresh, { client: otherClient }))).to.deep.equal({
        rule: 'credential-of-another-client',
        parameter: 'refresh_token',
      });
      grants.clock.advance(86_400);
      expect(await refusalWith({})).to.deep.equal({ rule: 'refresh-token-expired', secondsAgo: 0 });
    }
  });
});

describe('a used refresh token', () => {
  it('leads to the same response until the window ends, and then ends the grant', async () => {
    for (const client of CLIENTS) {
      const grants = createTokenGrants();
      const { refresh } = await beginGrant(grants, { resource: [ONE, TWO] });
      const parameters = { scope: 'read audit', resource: ONE };
      const tokens = await grants.refresh(refresh, { client, parameters });
      const head = grants.log.head();
      grants.clock.advance(59);
      expect(await grants.refresh(refresh, { client, parameters })).to.deep.equal(tokens);
      expect(grants.log.head()).to.equal(head);
      grants.clock.advance(1);
      expect(await catchRefusal(grants.refresh(refresh, { client }))).to.deep.include({
        rule: 'refresh-token-reused',
        windowSeconds: 60,
      });
      expect((await grants.events(refresh)).at(-1)).to.deep.equal({
        type: 'GrantRevoked',
        data: { reason: 'refresh-token-reused' },
      });
    }
  });

  it('is refused in the window if the request differs, without ending the grant', async () => {
    for (const client of CLIENTS) {
      const grants = createTokenGrants();
      const { refresh } = await beginGrant(grants, { resource: [ONE, TWO] });
      const parameters = { scope: 'read', resource: ONE };
      const tokens = await grants.refresh(refresh, { client, parameters });
      for (const [parameter, value, before] of [
        ['scope', 'read write', ['read']],
        ['resource', TWO, [ONE]],
      ] as const)
        expect(
          await catchRefusal(grants.refresh(refresh, { client, parameters: { ...parameters, [parameter]: value } })),
        ).to.deep.equal({ rule: 'retry-differs', parameter, before });
      await grants.refresh(tokens.refresh_token ?? '', { client });
    }
  });

  it('leads to the same response even after the format or the lifetime of tokens has changed', async () => {
    for (const [clientBefore, clientAfter, resource] of [
      [CLIENT, JWT_CLIENT, [ONE]],
      [JWT_CLIENT, CLIENT, [ONE]],
      [JWT_CLIENT, JWT_CLIENT, [ONE]],
      [JWT_CLIENT, JWT_CLIENT, []],
    ] as const) {
      const grants = createTokenGrants();
      const { refresh } = await beginGrant(grants, { resource });
      const { access_token, refresh_token } = await grants.refresh(refresh, { client: clientBefore });
      grants.clock.advance(30);
      const restartedGrants = createTokenGrants({ accessTokenLifetimeSeconds: 7_200 }, grants);
      expect(await restartedGrants.refresh(refresh, { client: clientAfter })).to.include({
        access_token,
        refresh_token,
      });
    }
  });

  it('leads to the same ID token with a new signature', async () => {
    const grants = createTokenGrants({ scopes: WITH_OPENID });
    const { refresh } = await beginGrant(grants, { scope: ['openid', 'read'] });
    const tokens = await grants.refresh(refresh);
    grants.clock.advance(30);
    const repeatedTokens = await grants.refresh(refresh);
    expect(decodeIdToken(repeatedTokens)).to.deep.equal(decodeIdToken(tokens)).and.include({ sub: ADA });
    expect(repeatedTokens.id_token).to.not.equal(tokens.id_token);
  });

  it('is refused without ending the grant if its ID token would now be different', async () => {
    const grants = createTokenGrants({ scopes: WITH_OPENID });
    const { refresh } = await beginGrant(grants, { scope: ['openid', 'read'] });
    const tokens = await grants.refresh(refresh);
    const renamedGrants = createTokenGrants({ scopes: WITH_OPENID, issuer: 'https://new.example' }, grants);
    expect(await catchRefusal(renamedGrants.refresh(refresh))).to.deep.equal({ rule: 'answer-not-repeatable' });
    await renamedGrants.refresh(tokens.refresh_token ?? '');
  });

  it('is refused without ending the grant if its JWT would now be different', async () => {
    const grants = createTokenGrants();
    const { refresh } = await beginGrant(grants);
    const tokens = await grants.refresh(refresh, { client: JWT_CLIENT });
    const client = { ...JWT_CLIENT, restrictedScopes: [] };
    expect(await catchRefusal(grants.refresh(refresh, { client }))).to.deep.equal({ rule: 'answer-not-repeatable' });
    await grants.refresh(tokens.refresh_token ?? '', { client });
  });

  it('repeats the response of an earlier release, whose tokens had no tag, and later ends the grant', async () => {
    for (const { accessTokenFormat } of CLIENTS) {
      const grants = createTokenGrants();
      const { spentToken, accessToken, currentToken } = await appendRotationOfEarlierRelease(grants, accessTokenFormat);
      const client = { ...CLIENT, accessTokenFormat, grantTypes: ['password'] as const };
      expect(await grants.refresh(spentToken.value, { client })).to.include({
        access_token: accessToken.value,
        refresh_token: currentToken.value,
      });
      const tokens = await grants.refresh(currentToken.value, { client });
      expect(tokens.refresh_token).to.match(/^glr_[\w-]{93}$/);
      expect(await catchRefusal(grants.refresh(spentToken.value, { client }))).to.include({
        rule: 'refresh-token-reused',
      });
    }
  });
});

/** Records a password grant with untagged refresh tokens, and the rotation of the first token. */
async function appendRotationOfEarlierRelease({ log, clock }: TokenGrants, format: 'jwt' | 'opaque') {
  const id = grantId('of an earlier release');
  const spentToken = withChecksum(`glr_${id}${'A'.repeat(43)}`);
  const { untaggedAccess, untaggedRefresh } = REFRESH_TOKENS.deriveSuccessors(spentToken.value, id);
  const currentToken = untaggedRefresh();
  const envelope = {
    recordedAt: clock.now(),
    actor: { kind: 'client', id: CLIENT.clientId },
    requestId: null,
  } as const;
  const rotatedAt = Math.floor(clock.now() / 1000);
  const accessToken = format === 'opaque' ? untaggedAccess() : createJwt(untaggedAccess(), rotatedAt);
  const holder = { clientId: CLIENT.clientId, userId: ADA, scope: ['read'] };
  const tokenData = { tokenHash: accessToken.hash, grantId: id, ...holder, expiresAt: rotatedAt + 3_600 };
  const rotation = {
    spentHash: spentToken.hash,
    tokenHash: currentToken.hash,
    scope: ['read'],
    rotatedAt,
    expiresAt: null,
  };
  await log.append(grantStream(id), 'no-stream', [
    { ...envelope, type: 'ConsentGiven', version: 1, data: { grantId: id, ...holder, basis: 'password' } },
    {
      ...envelope,
      type: 'RefreshTokenIssued',
      version: 2,
      data: { tokenHash: spentToken.hash, ...holder, expiresAt: null },
    },
    { ...envelope, type: 'RefreshTokenRotated', version: 1, data: rotation },
    { ...envelope, type: 'AccessTokenIssued', version: 2, data: tokenData },
  ]);
  return { spentToken, accessToken, currentToken };
}

/** Returns a JWT in the format of the signer in `createTokenGrants`. */
function createJwt({ hash: jti }: MintedCredential, iat: number): MintedCredential {
  const commonClaims = { iss: ISSUER, aud: ISSUER, sub: ADA, client_id: CLIENT.clientId };
  const value = `at+jwt ${JSON.stringify({ ...commonClaims, iat, exp: iat + 3_600, jti, scope: 'read' })}`;
  return { value, hash: hashCredential(value) };
}
