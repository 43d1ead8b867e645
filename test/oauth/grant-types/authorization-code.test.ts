import { hash } from 'node:crypto';
import { expect } from 'chai';
import { hashCredential } from '../../../src/oauth/credentials/credentials.ts';
import { clientId, grantId, loginOf, userId } from '../../support/domain-values.ts';
import {
  ADA,
  ADA_AS_TEST_USER,
  decodeAccessToken,
  CLIENT,
  extractGrantId,
  ISSUER,
  JWT_CLIENT,
  REDIRECT_URI,
  catchRefusal,
  createTokenGrants,
  type KnownClient,
  type TokenGrants,
} from '../../support/token-grants.ts';
import { withChecksum } from '../../support/earlier-release.ts';

const [ONE, TWO] = ['https://one.example', 'https://two.example'] as const;
const plainChallenge = (challenge: string) => ({ codeChallenge: { method: 'plain', challenge } }) as const;

describe('the redemption of a code', () => {
  it('records the tokens of its response with their lifetimes', async () => {
    const grants = createTokenGrants();
    const code = await grants.issueCode();
    grants.clock.advance(30);
    const now = grants.clock.now() / 1000;
    const tokens = await grants.redeem(code, { previousSecretUsed: true });
    expect(tokens.access_token).to.match(/^gla_/);
    expect(tokens).to.include({ expires_in: 3_600, token_type: 'Bearer', scope: 'read write audit' });
    expect((await grants.events(code)).slice(2)).to.deep.equal([
      { type: 'AuthorizationCodeRedeemed', data: { codeHash: hashCredential(code) } },
      {
        type: 'AccessTokenIssued',
        data: {
          tokenHash: hashCredential(tokens.access_token),
          grantId: extractGrantId(code),
          clientId: CLIENT.clientId,
          userId: ADA,
          scope: ['read', 'write', 'audit'],
          expiresAt: now + 3_600,
          login: loginOf('session'),
          previousSecretUsed: true,
        },
      },
      {
        type: 'RefreshTokenIssued',
        data: {
          tokenHash: hashCredential(tokens.refresh_token ?? ''),
          tagged: true,
          clientId: CLIENT.clientId,
          userId: ADA,
          scope: ['read', 'write', 'audit'],
          expiresAt: now + 86_400,
          login: loginOf('session'),
        },
      },
    ]);
  });

  it('issues a JWT with the data of the code and the effective scope', async () => {
    const grants = createTokenGrants({ scopes: { read: 'Read', audit: 'Audit' } });
    const code = await grants.issueCode({ resource: [ONE, TWO] });
    const iat = grants.clock.now() / 1000;
    const tokens = await grants.redeem(code, { client: JWT_CLIENT, parameters: { resource: ONE } });
    expect(tokens.scope).to.equal('read audit');
    expect(decodeAccessToken(tokens)).to.deep.include({
      iss: ISSUER,
      aud: ONE,
      sub: ADA,
      client_id: CLIENT.clientId,
      iat,
      exp: iat + 3_600,
      scope: 'read audit',
    });
    const unnarrowedTokens = await grants.redeem(await grants.issueCode({ resource: [ONE, TWO] }), {
      client: JWT_CLIENT,
    });
    expect(decodeAccessToken(unnarrowedTokens)['aud']).to.deep.equal([ONE, TWO]);
    const unrestrictedTokens = await grants.redeem(await grants.issueCode(), { client: JWT_CLIENT });
    expect(decodeAccessToken(unrestrictedTokens)['aud']).to.equal(ISSUER);
  });

  it('omits restricted scopes that the client or the user no longer has', async () => {
    const grants = createTokenGrants();
    for (const [client, user] of [
      [{ ...JWT_CLIENT, restrictedScopes: [] }, ADA],
      [JWT_CLIENT, userId('not an auditor')],
    ] as const) {
      const tokens = await grants.redeem(await grants.issueCode({ userId: user }), { client });
      expect([tokens.scope, decodeAccessToken(tokens)['scope']]).to.deep.equal(['read write', 'read write']);
    }
  });

  it('requires a client that is registered for the grant type', async () => {
    const grants = createTokenGrants();
    const client = { ...CLIENT, grantTypes: ['password'] as const };
    expect(await catchRefusal(grants.redeem(await grants.issueCode(), { client }))).to.deep.equal({
      rule: 'client-not-registered-for',
      grantType: 'authorization_code',
      registered: ['password'],
    });
  });

  it('is charged to the budget of the user who approved it, even if the code is presented again', async () => {
    const grants = createTokenGrants();
    const code = await grants.issueCode();
    await grants.redeem(code);
    await catchRefusal(grants.redeem(code));
    await catchRefusal(grants.redeem(withChecksum(`glc_${'A'.repeat(65)}`)));
    expect(grants.chargedUsers).to.deep.equal([ADA, ADA, null]);
  });

  it('requires the verifier that matches the challenge: 1 to 256 printable ASCII characters', async () => {
    const grants = createTokenGrants();
    const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
    for (const code_verifier of [' ', '~', printable, '='.repeat(256)]) {
      const challenge = hash('sha256', code_verifier, 'base64url');
      for (const method of ['plain', 'S256'] as const) {
        const codeChallenge = { method, challenge: method === 'plain' ? code_verifier : challenge };
        const code = await grants.issueCode({ codeChallenge });
        expect(await catchRefusal(grants.redeem(code, { parameters: { code_verifier: 'another' } }))).to.deep.equal({
          rule: 'code-verifier-mismatch',
          method,
          isChallenge: false,
        });
        await grants.redeem(code, { parameters: { code_verifier } });
      }
    }
    for (const verifier of ['', '\n', 'é', 'a\tb', 'x'.repeat(257), 'a\u007f']) {
      const code = await grants.issueCode(plainChallenge(verifier));
      expect(await catchRefusal(grants.redeem(code, { parameters: { code_verifier: verifier } })))
        .to.include({ rule: 'parameter-malformed', parameter: 'code_verifier', length: verifier.length })
        .and.to.have.property('form')
        .that.deep.equals({ key: 'refusal-form.verifier' });
    }
  });

  it('is refused for users who are not members of a client in test mode, without redeeming the code', async () => {
    const grants = createTokenGrants();
    const code = await grants.issueCode();
    const client = { ...CLIENT, mode: 'test' } as const;
    expect(await catchRefusal(grants.redeem(code, { client }))).to.deep.equal({
      rule: 'client-in-test-mode',
      what: 'code',
    });
    await grants.redeem(code, { client: { ...client, members: [ADA_AS_TEST_USER] } });
  });

  it('of a managed grant returns its id', async () => {
    const grants = createTokenGrants();
    const management = { action: 'create', grantId: grantId('managed') } as const;
    expect(await grants.redeem(await grants.issueCode({ management }))).to.include({ grant_id: grantId('managed') });
    expect((await grants.redeem(await grants.issueCode())).grant_id).to.equal(undefined);
  });

  it('of an update ends the grant that it replaces, and is refused if that grant has already ended', async () => {
    const grants = createTokenGrants();
    const earlierCode = await grants.issueCode();
    await grants.redeem(earlierCode);
    const updates = extractGrantId(earlierCode);
    const management = { action: 'merge', grantId: updates, updates } as const;
    const code = await grants.issueCode({ management });
    grants.endedGrants.add(updates);
    expect(await catchRefusal(grants.redeem(code))).to.deep.equal({ rule: 'updated-grant-ended' });
    grants.endedGrants.delete(updates);
    await grants.redeem(code);
    expect((await grants.events(earlierCode)).at(-1)).to.deep.equal({
      type: 'GrantRevoked',
      data: { reason: 'updated', replacedBy: extractGrantId(code) },
    });
  });

  it('is refused for strings that are not codes', async () => {
    const grants = createTokenGrants();
    const code = await grants.issueCode();
    const { refresh_token: token = '' } = await grants.redeem(code);
    for (const [value, form] of [
      [code.slice(0, -1), 'incomplete'],
      [`${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`, 'authorization code'],
      [token, 'refresh token'],
      ['x', 'other'],
    ] as const)
      expect(await catchRefusal(grants.redeem(value))).to.deep.equal({
        rule: 'credential-unknown',
        parameter: 'code',
        form,
      });
  });

  it('is refused if the grant ends before or while the tokens are recorded', async () => {
    const grants = createTokenGrants();
    const [endedCode, endingCode] = [await grants.issueCode(), await grants.issueCode()];
    grants.endedGrants.add(extractGrantId(endedCode));
    const refusal = { rule: 'user-inactive', parameter: 'code' };
    expect(await catchRefusal(grants.redeem(endedCode))).to.deep.equal(refusal);
    expect(grants.chargedUsers).to.deep.equal([]);
    expect(await catchRefusal(grants.redeem(endingCode, { endsMeanwhile: true }))).to.deep.equal(refusal);
    expect(await grants.events(endedCode)).to.have.length(2);
  });

  /** Requests that only the stream of the grant may refuse, under any rules. */
  const REFUSED_BY_GRANT: Readonly<Record<string, (grants: TokenGrants, client: KnownClient) => Promise<unknown>>> = {
    'credential-unknown': async (grants, client) =>
      grants.redeem(withChecksum(`glc_${extractGrantId(await grants.issueCode())}${'A'.repeat(43)}`), { client }),
    'credential-unknown, for a code with the id of a password grant': async (grants, client) =>
      grants.redeem(withChecksum(`glc_${extractGrantId(await grants.grantByPassword())}${'A'.repeat(43)}`), { client }),
    'credential-of-another-client': async (grants, client) =>
      grants.redeem(await grants.issueCode(), { client: { ...client, clientId: clientId('B') } }),
    'code-redeemed': async (grants, client) => {
      const code = await grants.issueCode(plainChallenge('verifier'));
      await grants.redeem(code, { client, parameters: { code_verifier: 'verifier' } });
      return grants.redeem(code, { client });
    },
    'grant-revoked': async (grants, client) => {
      const code = await grants.issueCode();
      await grants.revoke(code);
      return grants.redeem(code, { client });
    },
  };
  for (const [name, redeem] of Object.entries(REFUSED_BY_GRANT)) {
    it(`is refused for the same reason under any rules and for any token format: ${name}`, async () => {
      const [rule] = name.split(',');
      for (const client of [CLIENT, JWT_CLIENT]) {
        for (const requirePkce of ['none', 'all'] as const)
          expect(await catchRefusal(redeem(createTokenGrants({ requirePkce }), client))).to.include({ rule });
      }
    });
  }

  it('is refused for the same reason for any token format if the request does not match the code', async () => {
    const grants = createTokenGrants();
    for (const client of [CLIENT, JWT_CLIENT]) {
      const code = await grants.issueCode({ resource: [ONE] });
      const refusalWith = (parameters: Readonly<Record<string, string>>) =>
        catchRefusal(grants.redeem(code, { client, parameters }));
      expect(await refusalWith({ resource: `${ONE} ${TWO}` })).to.deep.equal({
        rule: 'resource-not-granted',
        missing: [TWO],
        granted: [ONE],
      });
      expect(await refusalWith({ redirect_uri: `${REDIRECT_URI}/` })).to.include({ rule: 'redirect-uri-differs' });
      grants.clock.advance(60);
      expect(await refusalWith({})).to.deep.equal({ rule: 'code-expired', secondsAgo: 0, lifetimeSeconds: 60 });
    }
  });

  it('is refused by the current rules without redeeming the code', async () => {
    const permissiveGrants = createTokenGrants();
    for (const [changes, rule] of [
      [{ requirePkce: 'all' }, 'code-challenge-missing'],
      [{ resources: [TWO] }, 'resource-unknown'],
    ] as const) {
      const code = await permissiveGrants.issueCode({ resource: [ONE] });
      const head = permissiveGrants.log.head();
      expect(await catchRefusal(createTokenGrants(changes, permissiveGrants).redeem(code))).to.include({ rule });
      expect(permissiveGrants.log.head()).to.equal(head);
      await permissiveGrants.redeem(code);
    }
  });

  it('is restricted to the resource servers of the code that still exist', async () => {
    const earlierGrants = createTokenGrants();
    const code = await earlierGrants.issueCode({ resource: [ONE, TWO] });
    const tokens = await createTokenGrants({ resources: [TWO] }, earlierGrants).redeem(code, { client: JWT_CLIENT });
    expect(decodeAccessToken(tokens)['aud']).to.equal(TWO);
  });
});
