import { expect } from 'chai';
import { ISSUER_USES } from '../../../src/domain/values.ts';
import { PREFIX } from '../../../src/http/management/row.ts';
import { inviteEve } from '../../support/invite-eve.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { signProof, NONCE_PERIOD_SECONDS, updateSecuritySettings, tokenWithProof } from '../../support/dpop.ts';
import { pausableHasher, waitUntil } from '../../support/pausable-hasher.ts';
import { addManager, type Manager } from '../../support/management.ts';
import { SMALL_LIMITS } from '../../support/small-limits.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';
import { trustIssuer } from '../../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PASSWORD = 'a long and secret password';
const ISSUER = '/trusted-issuers/https%3A%2F%2Fevil.example/';

describe('a token for the management API', () => {
  let running: RunningService;
  let manager: Manager;

  beforeEach(async () => {
    running = await runningService();
    manager = await addManager(running);
  });
  afterEach(() => running.close());

  async function addAdministrator(name: string): Promise<void> {
    await running.addUser(name, ['administrator']);
  }
  /** Returns the status of the response, and expects that nothing was recorded. */
  async function statusOfRefusal(...parameters: Parameters<Manager['call']>): Promise<number> {
    const head = running.log.head();
    const { status, text } = await manager.call(...parameters);
    expect(running.log.head(), `${parameters[1]}: ${text}`).to.equal(head);
    return status;
  }
  const errorOf = async (path: string, authorization: string): Promise<readonly unknown[]> => {
    const { status, json } = await running.get(`${PREFIX}${path}`, { authorization });
    return [status, json?.['error']];
  };

  describe('is issued', () => {
    it('only to a client that the operator has given the admin scope', async () => {
      const otherClient = await running.addClient({ restrictedScopes: ['audit', 'introspection'] });
      const { status, json } = await running.token(otherClient, { grant_type: 'client_credentials', scope: 'admin' });
      expect([status, json?.['error']]).to.deep.equal([400, 'invalid_scope']);
    });

    it('only if the client requests the scope explicitly', async () => {
      const { json } = await running.token(manager.client, { grant_type: 'client_credentials' });
      expect(String(json?.['scope'])).not.to.include('admin');
    });

    it('never for a user, not even for an administrator', async () => {
      await addAdministrator('root');
      const parameters = { grant_type: 'password', username: 'root', password: "root's password", scope: 'admin' };
      const { status, json } = await running.token(manager.client, parameters);
      expect([status, json?.['error']]).to.deep.equal([400, 'invalid_scope']);
    });
  });

  describe('is required', () => {
    it('for users, applications, the log and the server: 401 without a token, 403 for other scopes', async () => {
      const { json } = await running.token(await running.addClient({ restrictedScopes: ['audit'] }), {
        grant_type: 'client_credentials',
        scope: 'audit read',
      });
      for (const path of ['/users/', '/clients/', '/log/as-of/', '/server/']) {
        expect(await errorOf(path, '')).to.deep.equal([401, 'invalid_token']);
        expect(await errorOf(path, `Bearer ${String(json?.['access_token'])}`)).to.deep.equal([
          403,
          'insufficient_scope',
        ]);
      }
    });

    it('together with a proof if it is bound to a key, so that a thief cannot use it', async () => {
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const pair = keyPairFor('ES256', 'key of a manager');
      const boundClient = await running.addClient({ restrictedScopes: ['admin'] });
      await updateSecuritySettings(running, boundClient, { dpopBoundAccessTokens: true });
      const parameters = { grant_type: 'client_credentials', scope: 'admin' };
      const { json } = await tokenWithProof(running, boundClient, parameters, await signProof(running, pair));
      const accessToken = String(json?.['access_token']);
      expect(await errorOf('/users/', `Bearer ${accessToken}`)).to.deep.equal([401, 'invalid_token']);
      const claims = { htm: 'GET', htu: `http://localhost:8000${PREFIX}/users/` };
      const dpop = await signProof(running, pair, { claims, accessToken });
      const authorization = `DPoP ${accessToken}`;
      expect((await running.get(`${PREFIX}/users/`, { authorization, dpop })).status).to.equal(200);
    });
  });

  it('is refused once the scope is withdrawn or the client is removed', async () => {
    const { clientId } = running.service().projections.clients.find(manager.client.id) ?? {};
    expect((await manager.call('GET', '/users/')).status).to.equal(200);
    const client = running.service().projections.clients.find(String(clientId));
    if (client === undefined) throw new Error('the client is missing');
    await running.service().registration.update(client.clientId, { ...client, restrictedScopes: [] }, OPERATOR);
    expect((await manager.call('GET', '/users/')).status).to.equal(403);
    await running.service().registration.remove(client.clientId, OPERATOR);
    expect((await manager.call('GET', '/users/')).status).to.equal(401);
  });

  describe('does not let its client', () => {
    it('give a role or a restricted scope to anybody', async () => {
      await running.addUser('ada');
      const client = { name: 'x', client_type: 'confidential', grant_types: ['client-credentials'] };
      const otherClient = await running.addClient();
      for (const role of ['administrator', 'auditor']) {
        const user = { username: 'eve', password: PASSWORD, roles: [role] };
        expect(await statusOfRefusal('POST', '/users/', user)).to.equal(403);
        expect(await statusOfRefusal('POST', '/invitations/', { address: 'eve@example.org', roles: [role] })).to.equal(
          403,
        );
        expect(await statusOfRefusal('PUT', '/users/ada/roles/', { roles: [role] })).to.equal(403);
      }
      for (const scope of ['admin', 'audit']) {
        expect(await statusOfRefusal('POST', '/clients/', { ...client, restricted_scopes: [scope] })).to.equal(403);
        expect(await statusOfRefusal('PATCH', `/clients/${otherClient.id}/`, { restricted_scopes: [scope] })).to.equal(
          403,
        );
        expect(
          await statusOfRefusal('PATCH', `/clients/${manager.client.id}/`, { restricted_scopes: [scope] }),
        ).to.equal(403);
      }
    });

    it('see the link of an invitation with a role, which a response contains if mail is off', async () => {
      await inviteEve(running, ['auditor']);
      expect(await statusOfRefusal('POST', '/invitations/1/send/')).to.equal(403);
    });

    it('control accounts that have a role or own a client with a restricted scope', async () => {
      await addAdministrator('root');
      await running.addUser('owner');
      await running.addClient({ owner: 'owner', restrictedScopes: ['audit'] });
      for (const name of ['root', 'owner']) {
        expect(await statusOfRefusal('PUT', `/users/${name}/password/`, { password: PASSWORD })).to.equal(403);
        expect(await statusOfRefusal('PATCH', `/users/${name}/`, { email: 'eve@example.org' })).to.equal(403);
        expect(await statusOfRefusal('POST', `/users/${name}/verify-email/`)).to.equal(403);
        expect(await statusOfRefusal('DELETE', `/users/${name}/second-factor/`)).to.equal(403);
        expect(await statusOfRefusal('POST', `/users/${name}/enable/`)).to.equal(403);
      }
    });

    it('control clients with a restricted scope', async () => {
      await running.addUser('eve');
      const { id } = await running.addClient({ restrictedScopes: ['audit'] });
      const changes: readonly (readonly [string, string, unknown])[] = [
        ['PATCH', '/', { redirect_uris: ['https://evil.example/'] }],
        ['POST', '/secret/', {}],
        ['POST', '/keys/', { jwks: { keys: [keyPairFor('ES256', 'evil').jwk] } }],
        ['DELETE', '/keys/x/', undefined],
        ['PATCH', '/owners/', { add: ['eve'] }],
        ['POST', '/transfer/', { to: 'eve' }],
        ['PUT', '/logo/', { image: null }],
      ];
      for (const [method, path, body] of changes)
        expect(await statusOfRefusal(method, `/clients/${id}${path}`, body), path).to.equal(403);
      expect(await statusOfRefusal('POST', '/log/blast-radius/end/', { client: id })).to.equal(403);
    });

    it('change itself, except to get a new secret', async () => {
      const { id } = manager.client;
      expect(await statusOfRefusal('PATCH', `/clients/${id}/`, { name: 'x' })).to.equal(403);
      expect(await statusOfRefusal('DELETE', `/clients/${id}/`)).to.equal(403);
      expect(await statusOfRefusal('PUT', `/exchange-policies/${id}/${id}/`, { modes: ['delegation'] })).to.equal(403);
      const { status, json } = await manager.call('POST', `/clients/${id}/secret/`, {});
      expect([status, typeof json?.['client_secret']]).to.deep.equal([200, 'string']);
    });

    it('add a provider that logs users in with a role, or as other users', async () => {
      const provider = { name: 'P', issuer: 'https://p.example', client_id: 'x', secret: 'a secret' };
      for (const field of [{ roles: ['admins administrator'] }, { linking: 'verified-email' }])
        expect(await statusOfRefusal('PATCH', '/providers/p/', { ...provider, ...field })).to.equal(403);
    });

    it('trust an issuer whose tokens stand for users, whatever their use', async () => {
      await addAdministrator('root');
      const { id } = await running.addClient();
      const trust = { clients: [id], scope: ['read'], keys_uri: 'https://evil.example/keys' };
      const mappings = [
        {},
        { mapping: 'table', users: ['x=root'] },
        { mapping: 'user-name' },
        { mapping: 'verified-email' },
      ];
      for (const use of ISSUER_USES)
        for (const mapping of mappings) {
          const record = { ...trust, ...mapping, uses: [use] };
          expect(await statusOfRefusal('PUT', ISSUER, record), JSON.stringify(record)).to.equal(403);
        }
    });

    it('trust an issuer whose tokens stand for a client with a restricted scope, such as itself', async () => {
      const { id } = await running.addClient({ restrictedScopes: ['audit'] });
      const trust = { uses: ['assertion'], mapping: 'client', scope: ['read'], keys_uri: 'https://evil.example/keys' };
      for (const line of [id, `${id} sub=x`, manager.client.id])
        expect(await statusOfRefusal('PUT', ISSUER, { ...trust, clients: [line] }), line).to.equal(403);
    });

    it('change the record of an issuer whose tokens stand for users, except to end that use or the trust', async () => {
      await addAdministrator('root');
      const { id } = await running.addClient();
      const trust = { uses: ['assertion'], clients: [id], scope: ['read'] };
      const keysUri = 'https://issuer.example/keys';
      await trustIssuer(running, { id }, { keysUri, mapping: 'table', users: ['x=root'] });
      const path = '/trusted-issuers/https%3A%2F%2Fissuer.example/';
      const { users } = (await manager.call('GET', path)).json ?? {};
      const movedRecord = { ...trust, mapping: 'table', users, keys_uri: 'https://evil.example/keys' };
      expect(await statusOfRefusal('PUT', path, movedRecord)).to.equal(403);
      expect((await manager.call('PUT', path, { ...trust, mapping: 'client', keys_uri: keysUri })).status).to.equal(
        200,
      );
      expect((await manager.call('DELETE', path)).status).to.equal(204);
    });
  });

  it('can be used to withdraw roles, but not from the last administrator who can log in', async () => {
    await addAdministrator('root');
    await addAdministrator('second');
    expect((await manager.call('PUT', '/users/second/roles/', { roles: [] })).status).to.equal(200);
    expect(await statusOfRefusal('PUT', '/users/root/roles/', { roles: [] })).to.equal(409);
    expect(await statusOfRefusal('POST', '/users/root/disable/')).to.equal(409);
    expect(await statusOfRefusal('DELETE', '/users/root/')).to.equal(409);
  });

  it('changes nothing if its client is removed while a password is being hashed', async () => {
    await running.close();
    const hashing = pausableHasher();
    running = await runningService({ hasher: hashing.hasher });
    manager = await addManager(running);
    hashing.hold();
    const answer = manager.call('POST', '/users/', { username: 'ada', password: PASSWORD });
    await waitUntil(() => hashing.pausedPasswords.length > 0);
    const { clientId } = running.service().projections.clients.find(manager.client.id) ?? {};
    if (clientId === undefined) throw new Error('the client is missing');
    await running.service().registration.remove(clientId, OPERATOR);
    hashing.releaseAll();
    expect((await answer).status).to.equal(401);
    expect(running.service().projections.users.findByName('ada')).to.equal(undefined);
  });

  it('allows a limited number of requests per client', async () => {
    await running.close();
    running = await runningService({ limits: SMALL_LIMITS });
    const [limitedManager, otherManager] = [await addManager(running), await addManager(running)];
    for (let times = 0; times < SMALL_LIMITS['management-by-client'].max; times += 1)
      expect((await limitedManager.call('GET', '/groups/')).status).to.equal(200);
    const { status, json, headers } = await limitedManager.call('GET', '/groups/');
    expect([status, json?.['error']]).to.deep.equal([429, 'temporarily_unavailable']);
    expect(Number(headers.get('retry-after'))).to.be.above(0);
    expect((await otherManager.call('GET', '/groups/')).status).to.equal(200);
  });

  it('cannot be used with a body that is too large, is not JSON, or has unknown members', async () => {
    const largeUser = { username: 'x'.repeat(70_000), password: PASSWORD };
    expect(await statusOfRefusal('POST', '/users/', largeUser)).to.equal(413);
    expect(await statusOfRefusal('POST', '/users/', '[')).to.equal(400);
    expect(await statusOfRefusal('POST', '/users/', 'username=x', { 'content-type': 'text/plain' })).to.equal(415);
    expect(await statusOfRefusal('POST', '/users/', { username: 'x', password: PASSWORD, admin: true })).to.equal(400);
  });

  it('lets a client overwrite a newer version only if it sends no If-Match', async () => {
    const { id } = await running.addClient();
    const etag = (await manager.call('GET', `/clients/${id}/`)).headers.get('etag') ?? '';
    const firstChange = await manager.call('PATCH', `/clients/${id}/`, { name: 'One' }, { 'if-match': etag });
    expect(firstChange.status).to.equal(200);
    expect(await statusOfRefusal('PATCH', `/clients/${id}/`, { name: 'Two' }, { 'if-match': etag })).to.equal(412);
    const currentVersion = { 'if-match': firstChange.headers.get('etag') ?? '' };
    expect((await manager.call('PATCH', `/clients/${id}/`, { name: 'Two' }, currentVersion)).status).to.equal(200);
    expect((await manager.call('PATCH', `/clients/${id}/`, { name: 'Three' })).status).to.equal(200);
  });

  const CONDITIONAL_CHANGES = {
    'a group': { path: '/groups/staff/', method: 'PATCH', bodies: [{ title: 'One' }, { title: 'Two' }] },
    'a domain': { path: '/domains/a.example/', method: 'PUT', bodies: [{ rule: 'allowed' }, { rule: 'blocked' }] },
    'a scope': { path: '/scopes/read/', method: 'PATCH', bodies: [{ description: 'One' }, { description: 'Two' }] },
    'a setting': {
      path: '/settings/accessTokenLifetimeSeconds/',
      method: 'PUT',
      bodies: [{ value: '60' }, { value: '70' }],
    },
  } as const;

  for (const [kind, { path, method, bodies }] of Object.entries(CONDITIONAL_CHANGES))
    it(`gets 412 for a change to ${kind} based on an old version, but not because something else changed`, async () => {
      await manager.call('POST', '/groups/', { name: 'staff' });
      await manager.call('PUT', '/domains/a.example/', { rule: 'blocked' });
      const firstResponse = await manager.call('GET', path);
      const oldVersion = { 'if-match': firstResponse.headers.get('etag') ?? '' };
      expect(oldVersion['if-match']).to.match(/^"[\w-]+"$/);
      await manager.call('PUT', '/domains/b.example/', { rule: 'blocked' });
      await manager.call('PUT', '/settings/refreshReuseWindowSeconds/', { value: '5' });
      const firstChange = await manager.call(method, path, bodies[0], oldVersion);
      expect(firstChange.status, firstChange.text).to.equal(200);
      expect(await statusOfRefusal(method, path, bodies[1], oldVersion)).to.equal(412);
      const newVersion = { 'if-match': firstChange.headers.get('etag') ?? '' };
      expect((await manager.call(method, path, bodies[1], newVersion)).status).to.equal(200);
    });

  it('gets 412 for one of two concurrent changes to the same version', async () => {
    const { headers } = await manager.call('GET', '/scopes/read/');
    const condition = { 'if-match': headers.get('etag') ?? '' };
    const change = (description: string) => manager.call('PATCH', '/scopes/read/', { description }, condition);
    const statuses = (await Promise.all([change('One'), change('Two')])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([200, 412]);
  });
});
