import { expect } from 'chai';
import { operate } from '../../../src/operations/operations.ts';
import { approve, authorizePath } from '../../support/authorize-requests.ts';
import { ACCOUNTS, PAYMENT } from '../../support/detail-types.ts';
import { expectRefusal } from '../../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../support/running-service.ts';

const FILES = 'https://files.example/mcp';
const MAIL = 'https://mail.example/';
const DEFAULT_SETTINGS = {
  owner: null,
  scopes: [],
  accessTokenFormat: null,
  accessTokenAlgorithm: null,
  accessTokenLifetimeSeconds: null,
  publishesMetadata: false,
  detailTypes: '',
};
const FILE_SCOPES = [
  { name: 'files:read', description: 'Read your files' },
  { name: 'files:write', description: 'Change your files' },
];

let running: RunningService;
let client: TestClient;
let owner: TestUser;

async function runOperation(name: string, input: object): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of operate(running.service())(name, input, new AbortController().signal)) items.push(item);
  return items;
}
const addResource = (uri: string, settings: object = {}) =>
  runOperation('resource add', { uri, name: `API at ${uri}`, ...DEFAULT_SETTINGS, ...settings });
const updateResource = (uri: string, changes: object) => runOperation('resource update', { uri, changes });

const requestTokens = (parameters: Readonly<Record<string, string>>): Promise<TestResponse> =>
  running.post('/o/token/', parameters, { authorization: client.basic });
const requestWithClientCredentials = (parameters: Readonly<Record<string, string>>): Promise<TestResponse> =>
  requestTokens({ grant_type: 'client_credentials', ...parameters });
const introspect = async (token: unknown) =>
  (await running.post('/o/introspect/', { token: String(token) }, { authorization: client.basic })).json ?? {};
const decodePayload = (jwt: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const decodeHeader = (jwt: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(jwt).split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>;

async function authorize(scope: string, resource: string): Promise<TestResponse> {
  const url = new URL(authorizePath(client, { scope, resource }), 'http://localhost:8000');
  const code = (await approve(running, owner, url)).searchParams.get('code') ?? '';
  return requestTokens({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
}

describe('resource servers in the log', () => {
  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    owner = await running.addUser();
  });
  afterEach(() => running.close());

  it('take effect immediately, and keep their tokens valid until they are removed', async () => {
    expectRefusal(await requestWithClientCredentials({ resource: MAIL }), 'invalid_target');
    await addResource(MAIL);
    const { json } = await requestWithClientCredentials({ resource: MAIL });
    expect(await introspect(json?.['access_token'])).to.include({ active: true, aud: MAIL });
    await runOperation('resource remove', { uri: MAIL });
    expect(await introspect(json?.['access_token'])).to.deep.equal({ active: false });
    expectRefusal(await requestWithClientCredentials({ resource: MAIL }), 'invalid_target');
    await addResource(MAIL);
    expect(await introspect(json?.['access_token'])).to.include({ active: true, aud: MAIL });
  });

  it('narrow their tokens to the scopes that they define, in the response, the token and the log', async () => {
    await addResource(FILES, { scopes: [...FILE_SCOPES, { name: 'read', description: '' }] });
    const { json } = await requestWithClientCredentials({ resource: FILES, scope: 'read write files:read' });
    expect(json?.['scope']).to.equal('read files:read');
    expect(await introspect(json?.['access_token'])).to.include({ aud: FILES, scope: 'read files:read' });
    const [issuance] = (await running.events()).filter(({ type }) => type === 'AccessTokenIssued');
    expect(issuance?.data).to.deep.include({ scope: ['read', 'files:read'], resource: [FILES] });
    expectRefusal(await requestWithClientCredentials({ resource: FILES, scope: 'write' }), 'invalid_scope');
  });

  it('narrow each token of a grant for several resource servers, while the grant keeps its scope', async () => {
    await addResource(FILES, { scopes: FILE_SCOPES });
    await addResource(MAIL, { scopes: [{ name: 'mail:read', description: 'Read your e-mails' }] });
    const scope = 'files:read mail:read';
    const { username, password } = owner;
    const response = await requestTokens({ grant_type: 'password', username, password, scope });
    expect(response.json?.['scope']).to.equal(scope);
    const filesResponse = await requestTokens({
      grant_type: 'refresh_token',
      refresh_token: String(response.json?.['refresh_token']),
      resource: FILES,
    });
    expect(filesResponse.json?.['scope']).to.equal('files:read');
    const mailResponse = await requestTokens({
      grant_type: 'refresh_token',
      refresh_token: String(filesResponse.json?.['refresh_token']),
      resource: MAIL,
    });
    expect(mailResponse.json?.['scope']).to.equal('mail:read');
    expect(await introspect(mailResponse.json?.['access_token'])).to.include({ aud: MAIL, scope: 'mail:read' });
  });

  it('do not change the response to a repeated refresh with an ID token', async () => {
    await addResource(FILES, { scopes: FILE_SCOPES, accessTokenFormat: 'jwt' });
    const { json } = await authorize('openid files:read', FILES);
    expect(json?.['id_token']).to.be.a('string');
    const refresh = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
    const firstResponse = await requestTokens(refresh);
    expect(firstResponse.json).to.include({ scope: 'files:read' }).and.have.property('id_token');
    expect((await requestTokens(refresh)).json).to.deep.equal(firstResponse.json);
  });

  it('leave openid granted, but omit it from the access token', async () => {
    await addResource(FILES, { scopes: FILE_SCOPES });
    const { json } = await authorize('openid email files:read', FILES);
    expect(json).to.include({ scope: 'files:read' }).and.have.property('id_token');
    expect(await introspect(json?.['access_token'])).to.include({ scope: 'files:read', aud: FILES });
  });

  it('set the format, signing algorithm and lifetime of their tokens, regardless of the client', async () => {
    await addResource(FILES, {
      accessTokenFormat: 'jwt',
      accessTokenAlgorithm: 'ES256',
      accessTokenLifetimeSeconds: 120,
    });
    for (const { json } of [await requestWithClientCredentials({ resource: FILES }), await authorize('read', FILES)]) {
      expect(json?.['expires_in']).to.equal(120);
      expect(decodeHeader(json?.['access_token'])).to.include({ alg: 'ES256', typ: 'at+jwt' });
      const { aud, exp, iat } = decodePayload(json?.['access_token']);
      expect(aud).to.equal(FILES);
      expect(Number(exp) - Number(iat)).to.equal(120);
      expect(await introspect(json?.['access_token'])).to.include({ active: true, exp });
    }
    const otherToken = await requestWithClientCredentials({});
    expect(otherToken.json?.['expires_in']).to.equal(36_000);
    expect(String(otherToken.json?.['access_token'])).not.to.include('.');
  });

  it('cannot lengthen the lifetime that the operator has set', async () => {
    await addResource(FILES, { accessTokenLifetimeSeconds: 100_000 });
    expect((await requestWithClientCredentials({ resource: FILES })).json?.['expires_in']).to.equal(36_000);
  });

  it('share a token only if they need the same format and algorithm', async () => {
    await addResource(FILES, { accessTokenFormat: 'jwt' });
    await addResource(MAIL, { accessTokenFormat: 'opaque' });
    const body = new URLSearchParams([
      ['grant_type', 'client_credentials'],
      ['resource', FILES],
      ['resource', MAIL],
    ]).toString();
    expectRefusal(await running.post('/o/token/', body, { authorization: client.basic }), 'invalid_target');
    await updateResource(MAIL, { accessTokenFormat: null });
    expect((await running.post('/o/token/', body, { authorization: client.basic })).status).to.equal(200);
  });

  it('remove scopes from existing tokens when they no longer define them', async () => {
    await addResource(FILES, { scopes: FILE_SCOPES });
    const { json } = await requestWithClientCredentials({ resource: FILES });
    expect(await introspect(json?.['access_token'])).to.include({ scope: 'files:read files:write' });
    await updateResource(FILES, { scopes: FILE_SCOPES.slice(0, 1) });
    expect(await introspect(json?.['access_token'])).to.include({ active: true, scope: 'files:read' });
  });

  it('replace configured resource servers with the same URI until they are removed', async () => {
    await running.restart({ resources: [FILES] });
    const earlierResponse = await requestWithClientCredentials({ resource: FILES });
    await addResource(FILES, { scopes: FILE_SCOPES });
    expect((await requestWithClientCredentials({ resource: FILES })).json?.['scope']).to.equal(
      'files:read files:write',
    );
    await runOperation('resource remove', { uri: FILES });
    expect(await introspect(earlierResponse.json?.['access_token'])).to.include({ active: true, aud: FILES });
    expect((await runOperation('resource list', {}))[0]).to.include({ uri: FILES, source: 'settings' });
  });

  it('in the settings take effect immediately, and only until they are removed', async () => {
    const setResources = (uris: readonly string[]) =>
      runOperation('setting set', { name: 'resources', value: JSON.stringify(uris) });
    await setResources([FILES, MAIL]);
    const { json } = await requestWithClientCredentials({ resource: MAIL });
    expect(await introspect(json?.['access_token'])).to.include({ active: true, aud: MAIL });
    await setResources([FILES]);
    expect(await introspect(json?.['access_token'])).to.deep.equal({ active: false });
    expectRefusal(await requestWithClientCredentials({ resource: MAIL }), 'invalid_target');
    expect((await requestWithClientCredentials({ resource: FILES })).status).to.equal(200);
  });

  it('describe their scopes on the consent page in their own words', async () => {
    await addResource(FILES, { scopes: [{ name: 'list', description: 'List your <files>' }] });
    await addResource(MAIL, { scopes: [{ name: 'list', description: 'List your e-mails' }] });
    const browser = running.browser();
    await browser.logIn(owner.username, owner.password);
    for (const [resource, expectedText, otherText] of [
      [FILES, 'List your &lt;files&gt;', 'List your e-mails'],
      [MAIL, 'List your e-mails', 'List your &lt;files&gt;'],
    ] as const) {
      const { html } = await browser.get(authorizePath(client, { scope: 'list', resource }));
      expect(html).to.include(expectedText).and.not.include(otherText);
      expect(html).to.include(resource);
    }
  });

  it('survive a restart', async () => {
    await addResource(FILES, { scopes: FILE_SCOPES, publishesMetadata: true });
    const itemsBefore = await runOperation('resource show', { uri: FILES });
    await running.restart();
    expect(await runOperation('resource show', { uri: FILES })).to.deep.equal(itemsBefore);
  });

  it('cannot have invalid members or a URI that is in use, and cannot describe the scopes of this server', async () => {
    await addResource(FILES);
    await addResource(MAIL, { scopes: [{ name: 'read', description: 'Harmless' }] });
    const [mail] = await runOperation('resource show', { uri: MAIL });
    expect(mail).to.deep.include({ scopes: [{ name: 'read', description: 'Read your data' }] });
    const withScope = (name: string, description = 'A') => ({ scopes: [{ name, description }] });
    const invalidResources: readonly (readonly [string, object])[] = [
      [FILES, { name: 'Another' }],
      ['https://mail.example', {}],
      ['http://localhost:8000', {}],
      ['http://localhost:8000/', {}],
      ['files.example', {}],
      ['https://u:p@new.example/', {}],
      ['https://new.example/#a', {}],
      [`https://new.example/${'a'.repeat(256)}`, {}],
      ['https://new.example/', { name: ' ' }],
      ['https://new.example/', { name: 'a\u202eb' }],
      ['https://new.example/', { accessTokenLifetimeSeconds: 0 }],
      ['urn:new', { publishesMetadata: true }],
      ...['audit', 'introspection', 'openid', 'offline_access', 'a b', 'a"b', ''].map(
        (name) => ['https://new.example/', withScope(name)] as const,
      ),
      ['https://new.example/', withScope('a', '')],
      ['https://new.example/', withScope('a', 'a'.repeat(201))],
      ['https://new.example/', { scopes: [...FILE_SCOPES, ...FILE_SCOPES] }],
    ];
    const eventCount = (await running.events()).length;
    for (const [uri, settings] of invalidResources) {
      const outcome = await addResource(uri, settings).then(
        () => 'accepted',
        (error: Error) => error.name,
      );
      expect(outcome, `${uri} ${JSON.stringify(settings)}`).to.equal('OperationRefused');
    }
    expect((await running.events()).length).to.equal(eventCount);
  });
});

describe('the metadata documents of resource servers in the log (RFC 9728)', () => {
  const findMetadataUrl = async (uri: string): Promise<string | null> =>
    ((await runOperation('resource show', { uri }))[0] as { metadata_url: string | null }).metadata_url;

  beforeEach(async () => {
    running = await runningService({ settings: { sampleApi: false } });
  });
  afterEach(() => running.close());

  it('are served by this server only if the resource server opts in', async () => {
    await addResource(FILES, { scopes: FILE_SCOPES, publishesMetadata: true });
    const metadataUrl = new URL((await findMetadataUrl(FILES)) ?? '');
    const { status, json, headers } = await running.get(metadataUrl.pathname, { origin: 'https://any.example' });
    expect(status).to.equal(200);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(json).to.deep.equal({
      resource: FILES,
      resource_name: `API at ${FILES}`,
      authorization_servers: ['http://localhost:8000'],
      scopes_supported: ['files:read', 'files:write'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'],
    });
    await updateResource(FILES, { publishesMetadata: false });
    expect((await running.get(metadataUrl.pathname)).status).to.equal(404);
    expect(await findMetadataUrl(FILES)).to.equal(null);
  });

  it('describe scopes that the metadata of this server also lists', async () => {
    const supportedScopes = async () =>
      (await running.get('/.well-known/oauth-authorization-server')).json?.['scopes_supported'] as readonly string[];
    const scopesBefore = await supportedScopes();
    await addResource(FILES, { scopes: FILE_SCOPES });
    expect(await supportedScopes()).to.have.members([...scopesBefore, 'files:read', 'files:write']);
  });

  it('list the types of authorization details, like the metadata of this server (RFC 9396 §10)', async () => {
    const supportedTypes = async (path: string) =>
      (await running.get(path)).json?.['authorization_details_types_supported'];
    const metadataPath = '/.well-known/oauth-authorization-server';
    expect(await supportedTypes(metadataPath)).to.equal(undefined);
    await addResource(FILES, { publishesMetadata: true, detailTypes: JSON.stringify([PAYMENT]) });
    await addResource(MAIL, { detailTypes: JSON.stringify([ACCOUNTS]) });
    expect(await supportedTypes(new URL((await findMetadataUrl(FILES)) ?? '').pathname)).to.deep.equal([PAYMENT.type]);
    expect(await supportedTypes(metadataPath)).to.deep.equal([PAYMENT.type, ACCOUNTS.type]);
    expect(await supportedTypes('/.well-known/openid-configuration')).to.deep.equal([PAYMENT.type, ACCOUNTS.type]);
    await runOperation('resource remove', { uri: FILES });
    expect(await supportedTypes(metadataPath)).to.deep.equal([ACCOUNTS.type]);
  });

  it('are at the path that clients derive from the URI if it has the host of this server (§3.1)', async () => {
    await addResource('http://localhost:8000/tools/mcp', { publishesMetadata: true });
    const path = '/.well-known/oauth-protected-resource/tools/mcp';
    expect(await findMetadataUrl('http://localhost:8000/tools/mcp')).to.equal(`http://localhost:8000${path}`);
    expect((await running.get(path)).json).to.include({ resource: 'http://localhost:8000/tools/mcp' });
    for (const suffix of ['', '/tools', '/tools/mcp/x'])
      expect((await running.get(`/.well-known/oauth-protected-resource${suffix}`)).status, suffix).to.equal(404);
  });
});
