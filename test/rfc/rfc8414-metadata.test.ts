import { expect } from 'chai';
import { RESTRICTED_SCOPES } from '../../src/domain/values.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const PATH = '/.well-known/oauth-authorization-server';

describe('RFC 8414: the metadata', () => {
  let running: RunningService;

  afterEach(() => running.close());

  it('describes exactly the capabilities of this server', async () => {
    running = await runningService();
    const { status, json } = await running.get(PATH);
    expect(status).to.equal(200);
    expect(json).to.deep.include({
      issuer: 'http://localhost:8000',
      authorization_endpoint: 'http://localhost:8000/o/authorize/',
      token_endpoint: 'http://localhost:8000/o/token/',
      revocation_endpoint: 'http://localhost:8000/o/revoke_token/',
      introspection_endpoint: 'http://localhost:8000/o/introspect/',
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(json?.['scopes_supported']).to.include.members(['read', 'write', 'groups', 'openid', 'offline_access']);
    expect(json?.['grant_types_supported']).to.have.members([
      'authorization_code',
      'client_credentials',
      'password',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'refresh_token',
    ]);
    expect(json?.['token_endpoint_auth_methods_supported']).to.have.members([
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'none',
    ]);
    expect(json?.['introspection_endpoint_auth_methods_supported']).to.have.members([
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'Bearer',
    ]);
  });

  it('lists only scopes that every client can request', async () => {
    running = await runningService();
    const client = await running.addClient();
    const { json } = await running.get(PATH);
    const supportedScopes = json?.['scopes_supported'] as readonly string[];
    for (const name of RESTRICTED_SCOPES) expect(supportedScopes).to.not.include(name);
    const browser = await openSession(running, await running.addUser());
    const page = await browser.get(authorizePath(client, { scope: supportedScopes.join(' ') }));
    expect(page.status, page.location ?? '').to.equal(200);
    const { json: openidMetadata } = await running.get('/.well-known/openid-configuration');
    expect(openidMetadata?.['scopes_supported']).to.deep.equal(supportedScopes);
  });

  it('follows the configured issuer, scopes and methods, and ignores request headers', async () => {
    running = await runningService({
      settings: { issuer: 'https://id.example/base/', scopes: { a: 'A', 'b:c': 'B' }, pkceMethods: ['S256', 'plain'] },
    });
    const { json } = await running.get(PATH, {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    });
    expect(json).to.deep.include({
      issuer: 'https://id.example/base',
      token_endpoint: 'https://id.example/base/o/token/',
      code_challenge_methods_supported: ['S256', 'plain'],
    });
    expect(json?.['scopes_supported']).to.include.members(['a', 'b:c', 'openid']).and.not.include('read');
    expect(JSON.stringify(json)).not.to.include('evil');
  });

  it('is also served at the path derived from an issuer with a path (§3.1), but at no similar path', async () => {
    running = await runningService({ settings: { issuer: 'https://id.example/base/of/it' } });
    const { json } = await running.get(PATH);
    for (const path of [`${PATH}/base/of/it`, `${PATH}/base/of/it/`, `${PATH}/`])
      expect((await running.get(path)).json, path).to.deep.equal(json);
    for (const path of [`${PATH}/base`, `${PATH}/other`, `${PATH}/base/of/it/more`, `${PATH}-more`])
      expect((await running.get(path)).status, path).to.equal(404);
  });

  it('lists endpoints that respond', async () => {
    running = await runningService();
    const { json } = await running.get(PATH);
    for (const name of ['token_endpoint', 'revocation_endpoint', 'introspection_endpoint']) {
      const { status } = await running.post(new URL(String(json?.[name])).pathname, {});
      expect(status, name).to.be.within(400, 401);
    }
  });

  it('is read-only', async () => {
    running = await runningService();
    const { status, headers } = await running.post(PATH, {});
    expect(status).to.equal(405);
    expect(headers.get('allow')).to.include('GET');
  });
});
