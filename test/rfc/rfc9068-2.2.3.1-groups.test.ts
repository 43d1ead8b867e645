import { expect } from 'chai';
import { decodeJwt } from 'jose';
import type { Group } from '../../src/projections/groups.ts';
import type { User } from '../../src/projections/users.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe("RFC 9068 §2.2.3.1: a user's groups", () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { scopes: { read: 'Read', write: 'Write' } } });
    client = await running.addClient({ accessTokenFormat: 'jwt' });
    user = await running.addUser();
    for (const name of ['staff', 'editors', 'readers']) await running.service().groupDirectory.create(name, OPERATOR);
  });
  afterEach(() => running.close());

  const account = (): User =>
    running.service().projections.users.findByName(user.username) ?? expect.fail('the user is missing');
  const group = (name: string): Group =>
    running.service().projections.groups.findByName(name) ?? expect.fail(`there is no group ${name}`);
  const join = (...names: readonly string[]) =>
    running.service().groupDirectory.changeGroups(account(), { add: names.map(group), remove: [] }, OPERATOR);
  const leave = (name: string) =>
    running.service().groupDirectory.changeGroups(account(), { add: [], remove: [group(name)] }, OPERATOR);

  async function requestTokens(scope: string): Promise<NonNullable<TestResponse['json']>> {
    const code = await running.authorize(client, user, { scope });
    const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    return (await running.token(client, parameters)).json ?? {};
  }
  const refresh = async (token: unknown): Promise<NonNullable<TestResponse['json']>> =>
    (await running.token(client, { grant_type: 'refresh_token', refresh_token: String(token) })).json ?? {};
  const readUserinfo = async ({ access_token: token }: NonNullable<TestResponse['json']>) =>
    (await running.get('/o/userinfo/', { authorization: `Bearer ${String(token)}` })).json;
  const introspect = async (token: unknown) =>
    (await running.post('/o/introspect/', { token: String(token) }, { authorization: client.basic })).json;
  const readClaims = (token: unknown): Readonly<Record<string, unknown>> => decodeJwt(String(token));

  it('are listed in access tokens, ID tokens, userinfo and introspection with the groups scope', async () => {
    await join('staff', 'editors');
    const response = await requestTokens('openid groups');
    const expectedGroups = ['editors', 'staff'];
    for (const token of [response['access_token'], response['id_token']])
      expect(readClaims(token)).to.deep.include({ groups: expectedGroups });
    expect(await readUserinfo(response)).to.deep.include({ groups: expectedGroups });
    for (const token of [response['access_token'], response['refresh_token']])
      expect(await introspect(token)).to.deep.include({ active: true, groups: expectedGroups });
  });

  it('are an empty list for a user who is not in any group', async () => {
    const response = await requestTokens('openid groups');
    expect([readClaims(response['access_token'])['groups'], readClaims(response['id_token'])['groups']]).to.deep.equal([
      [],
      [],
    ]);
    expect((await readUserinfo(response))?.['groups']).to.deep.equal([]);
  });

  it('are not shown without the groups scope, even if the client has all other scopes', async () => {
    await join('staff');
    const response = await requestTokens('openid profile email address phone read write');
    for (const token of [response['access_token'], response['id_token']])
      expect(readClaims(token)).not.to.have.property('groups');
    for (const document of [await readUserinfo(response), await introspect(response['access_token'])])
      expect(document).not.to.have.property('groups');
  });

  it('are not in the tokens of a client that acts on its own behalf', async () => {
    const { json } = await running.token(client, { grant_type: 'client_credentials', scope: 'groups' });
    expect(json).to.include({ scope: 'groups' });
    expect(readClaims(json?.['access_token'])).not.to.have.property('groups');
    expect(await introspect(json?.['access_token'])).not.to.have.property('groups');
  });

  it('are the current groups at userinfo, at introspection and in refreshed tokens', async () => {
    await join('staff', 'editors');
    const response = await requestTokens('openid groups offline_access');
    await leave('staff');
    await running.service().groupDirectory.remove(group('editors'), OPERATOR);
    await join('readers');
    expect((await readUserinfo(response))?.['groups']).to.deep.equal(['readers']);
    expect((await introspect(response['access_token']))?.['groups']).to.deep.equal(['readers']);
    const refreshedTokens = await refresh(response['refresh_token']);
    for (const token of [refreshedTokens['access_token'], refreshedTokens['id_token']])
      expect(readClaims(token)['groups']).to.deep.equal(['readers']);
  });

  it('are advertised in the metadata, and listed on the consent page', async () => {
    const { json } = await running.get('/.well-known/openid-configuration');
    expect(json?.['claims_supported']).to.include('groups');
    expect(json?.['scopes_supported']).to.include('groups');
    await join('staff');
    const browser = await openSession(running, user);
    const { html } = await browser.get(authorizePath(client, { scope: 'openid groups' }));
    expect(html)
      .to.include('See your groups')
      .and.to.match(/>staff</);
    expect(hiddenFields(html)).to.have.property('request');
    const page = await browser.get(authorizePath(client, { scope: 'groups' }));
    expect(page.html).to.include('See your groups');
  });

  it('are limited in number for each user, so that tokens do not become too large', async () => {
    const { groupDirectory } = running.service();
    const names = Array.from({ length: 30 }, (_, index) => `${'g'.repeat(140)} ${index}`);
    for (const name of names) await groupDirectory.create(name, OPERATOR);
    expect(await join(...names.slice(0, 25))).to.equal(undefined);
    expect(await join(...names.slice(25))).to.equal('too-many-groups');
    expect(String((await requestTokens('openid groups'))['access_token']).length).to.be.below(8_192);
  });
});
