import { expect } from 'chai';
import type { Login } from '../../../src/domain/events.ts';
import { hashCredential, type MintedCredential } from '../../../src/oauth/credentials/credentials.ts';
import { recordedTokens, type NewTokens, type RepeatTokens } from '../../../src/oauth/grant-types/recorded-tokens.ts';
import { clientId, keyId, loginOf, seconds, userId } from '../../support/domain-values.ts';
import { unchecked } from '../../support/unchecked.ts';

type State = Parameters<typeof recordedTokens>[0];

const credentialWith = (value: string): MintedCredential => ({ value, hash: hashCredential(value) });

const NEW_TOKENS: NewTokens = {
  access: credentialWith('new access'),
  successors: {
    access: credentialWith('secret'),
    refresh: credentialWith('new refresh'),
    untaggedRefresh: () => credentialWith('untagged refresh'),
    untaggedAccess: () => credentialWith('untagged access'),
  },
  idToken: undefined,
};

const ACCESS = { tokenHash: NEW_TOKENS.access.hash, scope: ['read'], expiresAt: seconds(90) };
const REFRESH = {
  currentHash: NEW_TOKENS.successors.refresh.hash,
  clientId: clientId('A'),
  userId: userId('ada'),
  scope: ['read', 'write'],
  resource: [],
  expiresAt: null,
  hasUntagged: false,
  rotation: { spentHash: hashCredential('spent'), at: seconds(30) },
  refreshesSinceSummary: 1,
};

const createState = (access: object, refresh: object = {}, idToken?: object): State =>
  unchecked({ access: { ...ACCESS, ...access }, refresh: { ...REFRESH, ...refresh }, idToken });

/** Returns a description of the call in place of an access token, and repeats no ID tokens. */
const REPEAT_TOKENS: RepeatTokens = {
  access: async (kid, { value }, content) => credentialWith(`${kid} ${value} ${JSON.stringify(content)}`),
  idToken: async () => undefined,
};

const repeatedToken = (
  kid: string | undefined,
  secret: string,
  resource: readonly string[] = [],
  login?: Login,
): MintedCredential => {
  const holder = { clientId: REFRESH.clientId, userId: REFRESH.userId, login, issuedAt: 30 };
  return credentialWith(`${kid} ${secret} ${JSON.stringify({ ...holder, scope: ['read'], resource, expiresAt: 90 })}`);
};

/** Returns the recorded access token if it has this hash. */
async function accessTokenWithHash(hash: string, kid?: string): Promise<string | undefined> {
  return (await recordedTokens(createState({ tokenHash: hash, kid }), NEW_TOKENS, REPEAT_TOKENS))?.access.value;
}

describe('the recorded tokens of a refresh', () => {
  it('are the new tokens, with their scope and user, if the new tokens were recorded', async () => {
    expect(await recordedTokens(createState({}), NEW_TOKENS, REPEAT_TOKENS)).to.deep.equal({
      access: NEW_TOKENS.access,
      refresh: NEW_TOKENS.successors.refresh,
      idToken: undefined,
      scope: ['read'],
      userId: REFRESH.userId,
    });
  });

  it('include the secret as the access token if the client had opaque tokens', async () => {
    expect(await accessTokenWithHash(hashCredential('secret'))).to.equal('secret');
    expect(await accessTokenWithHash(hashCredential('secret'), keyId('signing'))).to.equal('secret');
  });

  it('include the JWT that the recorded key signs again', async () => {
    const jwt = repeatedToken(keyId('signing'), 'secret');
    expect(await accessTokenWithHash(jwt.hash, keyId('signing'))).to.equal(jwt.value);
    const narrowedToken = repeatedToken(keyId('signing'), 'secret', ['https://one.example']);
    const state = createState({
      tokenHash: narrowedToken.hash,
      kid: keyId('signing'),
      resource: ['https://one.example'],
    });
    expect((await recordedTokens(state, NEW_TOKENS, REPEAT_TOKENS))?.access).to.deep.equal(narrowedToken);
  });

  it('include the JWT with the login of the grant, or without it, as earlier releases signed it', async () => {
    const login = loginOf('session');
    const state = createState({ kid: keyId('signing') });
    const withLogin = repeatedToken(keyId('signing'), 'secret', [], login);
    for (const jwt of [withLogin, repeatedToken(keyId('signing'), 'secret')]) {
      const access: State['access'] = unchecked({ ...state.access, tokenHash: jwt.hash });
      expect((await recordedTokens({ ...state, access, login }, NEW_TOKENS, REPEAT_TOKENS))?.access.value).to.equal(
        jwt.value,
      );
    }
    const access: State['access'] = unchecked({ ...state.access, tokenHash: withLogin.hash });
    expect(await recordedTokens({ ...state, access }, NEW_TOKENS, REPEAT_TOKENS)).to.equal(undefined);
  });

  it('include the access token from an earlier release, with or without a tag, opaque or a JWT', async () => {
    for (const token of [
      credentialWith('untagged access'),
      repeatedToken(undefined, 'secret'),
      repeatedToken(undefined, 'untagged access'),
    ])
      expect(await accessTokenWithHash(token.hash)).to.equal(token.value);
  });

  it('include no access token from an earlier release if a key is recorded: such releases recorded none', async () => {
    for (const { hash } of [credentialWith('untagged access'), repeatedToken(undefined, 'secret')])
      expect(await accessTokenWithHash(hash, keyId('signing'))).to.equal(undefined);
  });

  it('do not exist if no access token with the recorded hash can be generated', async () => {
    for (const kid of [undefined, keyId('signing')])
      for (const access of [REPEAT_TOKENS.access, async () => undefined]) {
        const state = createState({ tokenHash: hashCredential('another'), kid });
        expect(await recordedTokens(state, NEW_TOKENS, { ...REPEAT_TOKENS, access })).to.equal(undefined);
      }
  });

  it('include the refresh token without a tag if an earlier release derived it', async () => {
    const tokens = await recordedTokens(
      createState({}, { currentHash: hashCredential('untagged refresh') }),
      NEW_TOKENS,
      REPEAT_TOKENS,
    );
    expect(tokens?.refresh.value).to.equal('untagged refresh');
    expect(
      await recordedTokens(createState({}, { currentHash: hashCredential('x') }), NEW_TOKENS, REPEAT_TOKENS),
    ).to.equal(undefined);
  });

  it('include the new ID token if it was recorded, and a repetition of the recorded token otherwise', async () => {
    const idToken: NewTokens['idToken'] = unchecked({ jws: 'new', record: { tokenHash: hashCredential('new') } });
    const repeat: RepeatTokens = {
      ...REPEAT_TOKENS,
      idToken: async ({ tokenHash }, { value }) => `${tokenHash} ${value}`,
    };
    for (const [newToken, recordedToken, expected] of [
      [idToken, 'new', 'new'],
      [idToken, 'lost', `${hashCredential('lost')} new access`],
      [undefined, 'lost', `${hashCredential('lost')} new access`],
    ] as const) {
      const state = createState({}, {}, { tokenHash: hashCredential(recordedToken) });
      expect((await recordedTokens(state, { ...NEW_TOKENS, idToken: newToken }, repeat))?.idToken).to.equal(expected);
      if (newToken === undefined) expect(await recordedTokens(state, NEW_TOKENS, REPEAT_TOKENS)).to.equal(undefined);
    }
  });

  it('do not exist for a grant that was never refreshed', async () => {
    const { access, refresh } = createState({});
    for (const state of [
      { access: null, refresh },
      { access, refresh: null },
      { access, refresh: unchecked({ ...refresh, rotation: null }) },
    ])
      expect(
        await recordedTokens({ ...state, idToken: undefined, login: undefined }, NEW_TOKENS, REPEAT_TOKENS),
      ).to.equal(undefined);
  });
});
