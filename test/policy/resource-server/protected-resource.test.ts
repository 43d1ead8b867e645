import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { protectedResource } from '../../../src/index.ts';
import { approve } from '../../support/authorize-requests.ts';
import { startMcpScene, NATIVE_REDIRECT_URI, type McpScene } from '../../support/mcp-server.ts';
import type { TestClient } from '../../support/running-service.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const OTHER_RESOURCE = 'https://other.example/';

describe('A protected resource', () => {
  let scene: McpScene;
  let client: TestClient;
  let metadataUrl: string;

  before(async () => {
    scene = await startMcpScene({ resources: [OTHER_RESOURCE] });
    client = await scene.running.addClient();
    const { origin } = new URL(scene.resource);
    metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  });
  after(() => scene.close());

  /** Sends a request with a token for the resource, or without a token if the scope is undefined. */
  async function call(scope?: string, resource?: string): Promise<Response> {
    const parameters = { grant_type: 'client_credentials', scope: scope ?? '', ...(resource && { resource }) };
    const { json } = await scene.running.token(client, parameters);
    const headers = scope === undefined ? {} : { authorization: `Bearer ${String(json?.['access_token'])}` };
    return fetch(scene.resource, { method: 'POST', headers });
  }

  it('publishes its metadata to scripts from every origin, with any headers', async () => {
    const response = await fetch(metadataUrl);
    expect(await response.json()).to.deep.include({
      resource: scene.resource,
      authorization_servers: [scene.running.origin()],
      scopes_supported: ['notes:read'],
    });
    const preflight = await fetch(metadataUrl, { method: 'OPTIONS' });
    expect(preflight.status).to.equal(204);
    for (const { headers } of [response, preflight]) {
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-allow-headers')).to.equal('*');
    }
  });

  it('directs a caller without a token to its metadata, and names the scopes', async () => {
    const response = await call();
    expect(response.status).to.equal(401);
    expect(response.headers.get('www-authenticate'))
      .to.include(`resource_metadata="${metadataUrl}"`)
      .and.include('scope="notes:read"');
  });

  it('accepts only tokens that were issued for it', async () => {
    expect((await call('notes:read', scene.resource)).status).not.to.be.oneOf([401, 403]);
    expect((await call('read', OTHER_RESOURCE)).status, 'for a different resource').to.equal(401);
    expect((await call('read')).status, 'for no resource').to.equal(401);
  });

  it('names the scopes that a token lacks', async () => {
    const response = await call('notes:write', scene.resource);
    expect(response.status).to.equal(403);
    expect(response.headers.get('www-authenticate'))
      .to.include('error="insufficient_scope"')
      .and.include('scope="notes:read"')
      .and.include(`resource_metadata="${metadataUrl}"`);
  });

  it('directs clients of MCP revision 2025-03-26 to the server, even though they send no resource', async () => {
    const serverMetadataUrl = `${new URL(scene.resource).origin}/.well-known/oauth-authorization-server`;
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const metadata = (await (await fetch(serverMetadataUrl, { headers })).json()) as Readonly<Record<string, string>>;
    expect(metadata).to.include({ issuer: scene.running.origin() }).and.include.keys('token_endpoint');
    const { id } = await scene.addNativeClient();
    const authorizationUrl = new URL(metadata['authorization_endpoint'] ?? '');
    const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
    for (const [name, value] of Object.entries({ response_type: 'code', client_id: id, ...challenge }))
      authorizationUrl.searchParams.set(name, value);
    authorizationUrl.searchParams.set('redirect_uri', NATIVE_REDIRECT_URI);
    const callback = await approve(scene.running, await scene.running.addUser(), authorizationUrl);
    const { json } = await scene.running.post(new URL(metadata['token_endpoint'] ?? '').pathname, {
      grant_type: 'authorization_code',
      client_id: id,
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: NATIVE_REDIRECT_URI,
      code_verifier: VERIFIER,
    });
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    const { status } = await fetch(scene.resource, { method: 'POST', headers: { authorization } });
    expect(status, JSON.stringify(json)).not.to.be.oneOf([401, 403]);
  });

  it('responds with 503 while the metadata of the server cannot be read', async () => {
    const guard = protectedResource({
      resource: 'http://127.0.0.1:9/',
      issuer: 'http://127.0.0.1:9',
      clientId: 'a',
      clientSecret: 'b',
      scopes: [],
    });
    const app = new Koa().use(guard);
    const server = app.listen(0);
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
      expect(response.status).to.equal(503);
      expect(await response.json()).to.include({ error: 'temporarily_unavailable' });
    } finally {
      server.close();
    }
  });

  it('is not created with an invalid option, or with an issuer that tokens would be sent to unencrypted', () => {
    const options = {
      resource: 'https://api.example/',
      issuer: 'https://as.example',
      clientId: 'a',
      clientSecret: 'b',
    };
    for (const invalidOptions of [{ resource: 'api' }, { issuer: 'http://as.example' }, { clientSecret: '' }])
      expect(
        () => protectedResource({ ...options, scopes: [], ...invalidOptions }),
        JSON.stringify(invalidOptions),
      ).to.throw(TypeError);
  });
});
