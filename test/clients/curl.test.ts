import { expect } from 'chai';
import { curl, isCurlInstalled, type CurlResult } from '../support/curl.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

function expectTokens(
  { status, json, text }: CurlResult,
  scope: string,
  expectsRefreshToken = true,
): Record<'access' | 'refresh', string> {
  expect(status, text).to.equal(200);
  const { access_token: access, refresh_token: refreshToken, ...otherMembers } = json;
  expect(otherMembers).to.deep.equal({ expires_in: 36000, token_type: 'Bearer', scope });
  expect(typeof refreshToken).to.equal(expectsRefreshToken ? 'string' : 'undefined');
  return { access: String(access), refresh: String(refreshToken) };
}

describe('A client that uses curl', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: TestUser;

  before(async function () {
    if (!isCurlInstalled()) this.skip();
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  after(() => (running as RunningService | undefined)?.close());

  const urlFor = (path: string): string => `${running.origin()}${path}`;

  const getTokensByPassword = async (scope = 'read write groups'): Promise<Record<'access' | 'refresh', string>> =>
    expectTokens(
      await curl(
        '-X',
        'POST',
        '-d',
        `grant_type=password&username=${owner.username}&password=${encodeURIComponent(owner.password)}&scope=${scope}`,
        '-u',
        `${client.id}:${client.secret}`,
        urlFor('/o/token/'),
      ),
      scope,
    );

  it('redeems a code with several -d options and its credentials in the body', async () => {
    const code = await running.authorize(client, owner);
    expectTokens(
      await curl(
        '-X',
        'POST',
        '-H',
        'Cache-Control: no-cache',
        '-H',
        'Content-Type: application/x-www-form-urlencoded',
        urlFor('/o/token/'),
        '-d',
        `client_id=${client.id}`,
        '-d',
        `client_secret=${client.secret}`,
        '-d',
        `code=${code}`,
        '-d',
        `redirect_uri=${REDIRECT_URI}`,
        '-d',
        'grant_type=authorization_code',
      ),
      'read write',
    );
  });

  it('uses client credentials with a hand-built Basic header', async () => {
    expectTokens(
      await curl(
        '-X',
        'POST',
        '-H',
        `Authorization: ${client.basic}`,
        '-H',
        'Cache-Control: no-cache',
        '-H',
        'Content-Type: application/x-www-form-urlencoded',
        urlFor('/o/token/'),
        '-d',
        'grant_type=client_credentials',
      ),
      'read write',
      false,
    );
  });

  it('uses the password grant with -u', async () => {
    await getTokensByPassword();
    await getTokensByPassword('read');
  });

  it('uses the password grant with its credentials in the URL', async () => {
    const url = urlFor('/o/token/').replace('://', `://${client.id}:${client.secret}@`);
    expectTokens(
      await curl(
        '-X',
        'POST',
        '-d',
        'grant_type=password',
        '-d',
        `username=${owner.username}`,
        '--data-urlencode',
        `password=${owner.password}`,
        url,
      ),
      'read write groups',
    );
  });

  it('refreshes and revokes with credentials in the body', async () => {
    const { refresh } = await getTokensByPassword();
    const bodyCredentials = ['-d', `client_id=${client.id}`, '-d', `client_secret=${client.secret}`];
    const nextTokens = expectTokens(
      await curl(
        '-X',
        'POST',
        '-d',
        'grant_type=refresh_token',
        '-d',
        `refresh_token=${refresh}`,
        ...bodyCredentials,
        urlFor('/o/token/'),
      ),
      'read write groups',
    );
    const { status, text } = await curl(
      '-X',
      'POST',
      '-d',
      `token=${nextTokens.access}`,
      ...bodyCredentials,
      urlFor('/o/revoke_token/'),
    );
    expect({ status, text }).to.deep.equal({ status: 200, text: '' });
    expect((await curl('-H', `Authorization: Bearer ${nextTokens.access}`, urlFor('/users/'))).status).to.equal(401);
  });

  it('reads the sample API with a bearer token', async () => {
    const { access } = await getTokensByPassword();
    const authorization = ['-H', `Authorization: Bearer ${access}`];
    const users = await curl(...authorization, urlFor('/users/'));
    expect(users.status).to.equal(200);
    expect(JSON.parse(users.text)).to.deep.equal([
      { username: owner.username, email: '', first_name: '', last_name: '' },
    ]);
    const user = await curl(...authorization, urlFor('/users/1/'));
    expect(user.json).to.deep.equal({ username: owner.username, email: '', first_name: '', last_name: '' });
    const groups = await curl(...authorization, urlFor('/groups/'));
    expect({ status: groups.status, text: groups.text }).to.deep.equal({ status: 200, text: '[]' });
  });

  const createUser = (access: string): Promise<CurlResult> =>
    curl('-H', `Authorization: Bearer ${access}`, '-X', 'POST', '-d', 'username=foo&password=bar', urlFor('/users/'));

  it('creates a user with a bearer token, but not with one that has only the read scope', async () => {
    const [fullAccess, readOnly] = [await getTokensByPassword(), await getTokensByPassword('read')];
    const denial = await createUser(readOnly.access);
    expect(denial.status).to.equal(403);
    expect(denial.json).to.include({ detail: 'You do not have permission to perform this action.' });
    const creationResponse = await createUser(fullAccess.access);
    expect({ status: creationResponse.status, json: creationResponse.json }).to.deep.equal({
      status: 201,
      json: { username: 'foo', email: '', first_name: '', last_name: '' },
    });
  });

  it('uses the metadata, PKCE and the API as a public client', async () => {
    const app = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const { json: metadata } = await curl(urlFor('/.well-known/oauth-authorization-server'));
    const tokenPath = new URL(String(metadata['token_endpoint'])).pathname;
    const code = await running.authorize(app, owner, {
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const bodyCredentials = ['-d', `client_id=${app.id}`];
    const { access, refresh } = expectTokens(
      await curl(
        '-d',
        'grant_type=authorization_code',
        '-d',
        `code=${code}`,
        '--data-urlencode',
        `redirect_uri=${REDIRECT_URI}`,
        '-d',
        'code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        ...bodyCredentials,
        urlFor(tokenPath),
      ),
      'read write',
    );
    expect((await curl('-H', `Authorization: Bearer ${access}`, urlFor('/users/'))).status).to.equal(200);
    expectTokens(
      await curl(
        '-d',
        'grant_type=refresh_token',
        '-d',
        `refresh_token=${refresh}`,
        ...bodyCredentials,
        urlFor(tokenPath),
      ),
      'read write',
    );
  });

  it('introspects with -u, and with a bearer token that has the introspection scope', async () => {
    const { access } = await getTokensByPassword('read');
    const basicResponse = await curl(
      '-u',
      `${client.id}:${client.secret}`,
      '-d',
      `token=${access}`,
      urlFor('/o/introspect/'),
    );
    expect(basicResponse.json).to.include({ active: true, scope: 'read', username: owner.username });
    const gateway = await running.addClient({
      grantTypes: ['client-credentials'],
      restrictedScopes: ['introspection'],
    });
    const { json } = await curl(
      '-u',
      `${gateway.id}:${gateway.secret}`,
      '-d',
      'grant_type=client_credentials&scope=introspection',
      urlFor('/o/token/'),
    );
    const bearerResponse = await curl(
      '-H',
      `Authorization: Bearer ${String(json['access_token'])}`,
      '-d',
      `token=${access}`,
      urlFor('/o/introspect/'),
    );
    expect(bearerResponse.json).to.deep.equal(basicResponse.json);
  });

  it('gets invalid_client for a wrong secret, and invalid_request for an empty body', async () => {
    const wrongSecret = await curl(
      '-u',
      `${client.id}:wrong`,
      '-d',
      'grant_type=client_credentials',
      urlFor('/o/token/'),
    );
    expect({ status: wrongSecret.status, error: wrongSecret.json['error'] }).to.deep.equal({
      status: 401,
      error: 'invalid_client',
    });
    const emptyBody = await curl('-u', `${client.id}:${client.secret}`, '-d', '', urlFor('/o/token/'));
    expect({ status: emptyBody.status, error: emptyBody.json['error'] }).to.deep.equal({
      status: 400,
      error: 'invalid_request',
    });
  });

  it('gets a 413 for an oversized body sent with Expect: 100-continue', async () => {
    const { status, json } = await curl(
      '-H',
      'Expect: 100-continue',
      '-d',
      `grant_type=client_credentials&x=${'x'.repeat(70_000)}`,
      '-u',
      `${client.id}:${client.secret}`,
      urlFor('/o/token/'),
    );
    expect(status).to.equal(413);
    expect(json).to.include({ error: 'invalid_request' });
  });
});
