import { expect } from 'chai';
import { MANAGEMENT_TABLE } from '../../../src/http/management/table.ts';
import { schemaViolation, type DescribedOperation } from '../../support/described-api.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { addManager, describedCalls, managementOperations, type Manager } from '../../support/management.ts';
import { REDIRECT_URI, runningService, type TestResponse, type RunningService } from '../../support/running-service.ts';

const PASSWORD = 'a long and secret password';
const JSON_TYPE = 'application/json';

describe('the management API', () => {
  let running: RunningService;
  let manager: Manager;
  let operations: readonly DescribedOperation[];
  let calls: ReturnType<typeof describedCalls>;

  before(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    manager = await addManager(running);
    operations = await managementOperations(running);
    calls = describedCalls(manager, operations);
  });
  after(() => running.close());

  async function succeed(...parameters: Parameters<Manager['call']>): Promise<TestResponse> {
    const answer = await calls.call(...parameters);
    expect(answer.status, `${parameters[0]} ${parameters[1]}: ${answer.text}`).to.be.within(200, 299);
    return answer;
  }
  const items = ({ json }: TestResponse) => json?.['items'] as readonly Record<string, unknown>[];
  const keySet = (name: string) => ({ keys: [keyPairFor('ES256', name).jwk] });
  const path = (text: unknown): string => encodeURIComponent(String(text));

  it('administers accounts', async () => {
    await succeed('POST', '/users/', { username: 'ada', password: PASSWORD, email: 'ada@example.org' });
    await succeed('POST', '/invitations/', { address: 'eve@example.org' });
    const twin = { username: 'twin', password: PASSWORD, email: 'ADA@example.org' };
    expect((await succeed('POST', '/users/', twin)).json).to.have.property('warning');
    expect((await succeed('PATCH', '/users/twin/', { email: 'twin@example.org' })).json).not.to.have.property(
      'warning',
    );
    expect((await succeed('PATCH', '/users/twin/', { email: 'ada@example.org' })).json).to.have.property('warning');
    const [invitation] = items(await succeed('GET', '/invitations/?q=eve'));
    expect(invitation).to.include({ address: 'eve@example.org', invited_by: 'Manager' });
    await succeed('POST', `/invitations/${path(invitation?.['id'])}/send/`);
    await succeed('DELETE', `/invitations/${path(invitation?.['id'])}/`);
    expect(items(await succeed('GET', '/invitations/'))).to.deep.equal([]);
    await succeed('PATCH', '/users/ada/', { given_name: 'Ada', zoneinfo: 'Europe/Berlin' });
    await succeed('POST', '/users/ada/verify-email/');
    await succeed('PUT', '/users/ada/password/', { password: `${PASSWORD} 2` });
    await succeed('PUT', '/users/ada/roles/', { roles: [] });
    await succeed('POST', '/users/ada/disable/');
    expect((await succeed('GET', '/users/ada/')).json).to.include({ active: false, first_name: 'Ada' });
    await succeed('POST', '/users/ada/enable/');
    expect((await succeed('GET', '/users/ada/profile/')).json).to.include({ email_verified: true });
    await succeed('GET', '/users/ada/second-factor/');
    await succeed('DELETE', '/users/ada/second-factor/');
    expect(items(await succeed('GET', '/users/')).map(({ username }) => username)).to.include('ada');
    await succeed('POST', '/users/', { username: 'bob', password: PASSWORD });
    await succeed('DELETE', '/users/bob/');
  });

  it('administers groups', async () => {
    await succeed('POST', '/groups/', { name: 'staff' });
    await succeed('POST', '/groups/staff/members/', { username: 'ada' });
    expect(items(await succeed('GET', '/groups/staff/members/'))).to.have.length(1);
    expect(items(await succeed('GET', '/groups/'))).to.have.length(1);
    await succeed('PATCH', '/groups/staff/', { title: 'Our staff' });
    expect((await succeed('GET', '/groups/staff/')).json).to.include({ name: 'staff', title: 'Our staff', members: 1 });
    await succeed('DELETE', '/groups/staff/members/ada/');
    await succeed('DELETE', '/groups/staff/');
  });

  it('administers clients', async () => {
    const fields = { name: 'Reports', client_type: 'confidential', grant_types: ['client-credentials'] };
    const client = (await succeed('POST', '/clients/', fields)).json;
    const id = String(client?.['client_id']);
    expect(client?.['client_secret']).to.be.a('string');
    await succeed('PATCH', `/clients/${id}/`, { name: 'Annual reports' });
    expect((await succeed('GET', `/clients/${id}/`)).json).to.include({ name: 'Annual reports' });
    await succeed('PUT', `/clients/${id}/logo/`, { image: null });
    await succeed('POST', `/clients/${id}/secret/`, { overlap_seconds: 60 });
    const { username: tester } = await running.addUser();
    for (const [role, name] of [
      ['owners', 'ada'],
      ['test-users', tester],
    ]) {
      expect(items(await succeed('PATCH', `/clients/${id}/${role}/`, { add: [name] }))).to.have.length(1);
      expect(items(await succeed('GET', `/clients/${id}/${role}/`))).to.have.length(1);
    }
    await succeed('POST', `/clients/${id}/transfer/`, { to: 'ada' });
    expect((await succeed('POST', `/clients/${id}/disable/`)).json).to.include({ disabled: true });
    expect((await succeed('POST', `/clients/${id}/enable/`)).json).to.include({ disabled: false });
    await succeed('PATCH', `/clients/${id}/`, {
      methods: ['client_secret_basic', 'private_key_jwt'],
      jwks: keySet('one'),
    });
    await succeed('POST', `/clients/${id}/keys/`, { jwks: keySet('other') });
    const [key] = items(await succeed('GET', `/clients/${id}/keys/`));
    await succeed('PATCH', `/clients/${id}/`, { methods: ['client_secret_basic'] });
    await succeed('DELETE', `/clients/${id}/keys/${path(key?.['thumbprint'])}/`);
    expect(items(await succeed('GET', '/clients/'))).to.have.length.above(1);
    await succeed('GET', '/logouts/');
    expect((await succeed('GET', `/clients/${id}/forecast/`)).json).to.include({ users: 0, exact: true });
    await succeed('DELETE', `/clients/${id}/`);
  });

  it('administers resource servers, domains, exchange policies, issuers and providers', async () => {
    const uri = 'https://api.example.org/v1';
    await succeed('POST', '/resource-servers/', {
      uri,
      name: 'API',
      scopes: [{ name: 'read', description: 'Read reports' }],
    });
    await succeed('PATCH', `/resource-servers/${path(uri)}/`, { name: 'Reports' });
    expect((await succeed('GET', `/resource-servers/${path(uri)}/`)).json).to.include({ name: 'Reports' });
    expect(items(await succeed('GET', '/resource-servers/'))).to.have.length(1);
    expect((await succeed('GET', `/resource-servers/${path(uri)}/forecast/`)).json).to.include({ uri, tokens: 0 });
    await succeed('DELETE', `/resource-servers/${path(uri)}/`);

    await succeed('PUT', '/domains/app.example.org/', { rule: 'blocked' });
    expect((await succeed('GET', '/domains/app.example.org/')).json).to.include({ rule: 'blocked' });
    expect(items(await succeed('GET', '/domains/'))).to.have.length(1);

    const [firstClient, secondClient] = [await running.addClient(), await running.addClient()];
    const policyPath = `/exchange-policies/${firstClient.id}/${secondClient.id}/`;
    await succeed('PUT', policyPath, { modes: ['delegation'], scope: ['read'] });
    await succeed('GET', policyPath);
    expect(items(await succeed('GET', '/exchange-policies/'))).to.have.length(1);
    await succeed('DELETE', policyPath);

    const issuer = `/trusted-issuers/${path('https://issuer.example.org')}/`;
    const trust = { uses: ['assertion'], mapping: 'client', clients: [firstClient.id], scope: ['read'] };
    await succeed('PUT', issuer, { ...trust, jwks: keySet('issuer') });
    expect(items(await succeed('GET', `${issuer}keys/`))).to.have.length(1);
    await succeed('PUT', issuer, { ...trust, keys_uri: 'https://issuer.example.org/keys' });
    await succeed('GET', issuer);
    expect(items(await succeed('GET', '/trusted-issuers/'))).to.have.length(1);
    expect((await succeed('GET', `${issuer}forecast/`)).json).to.include({ applications: 1, tokens: 0, exact: true });
    await succeed('DELETE', issuer);

    const provider = { name: 'Company', issuer: 'https://login.example.org', client_id: 'x', secret: 'a secret' };
    await succeed('PATCH', '/providers/company/', provider);
    await succeed('GET', '/providers/company/');
    await succeed('POST', '/providers/company/test/');
    expect(items(await succeed('GET', '/providers/'))).to.have.length(1);
    expect((await succeed('GET', '/providers/company/forecast/')).json).to.include({ users: 0, locked_out: 0 });
    await succeed('DELETE', '/providers/company/');
  });

  it('shows and ends sessions, grants and agents', async () => {
    const user = await running.addUser('grace');
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const client = await running.addClient();
    const code = await running.authorize(client, user);
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const [grant] = items(await succeed('GET', '/grants/?user=grace'));
    await succeed('GET', '/users/grace/sessions/');
    const [session] = items(await succeed('GET', '/sessions/?user=grace'));
    await succeed('DELETE', `/sessions/${path(session?.['id'])}/`);
    await succeed('DELETE', `/grants/${path(grant?.['id'])}/`);
    await succeed('POST', '/users/grace/revoke-grants/', { client_id: client.id });
    await succeed('POST', '/users/grace/sign-out/', {});
    await succeed('GET', '/users/grace/agents/');
    await succeed('POST', '/users/grace/end-agents/', {});
    expect(items(await succeed('GET', '/sessions/?user=grace'))).to.deep.equal([]);
  });

  it('answers questions about the log and the server, ends access, and rotates keys', async () => {
    expect(items(await succeed('GET', '/log/as-of/?limit=3'))).to.have.length(3);
    const client = await running.addClient();
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    await succeed('POST', '/log/chain/', { token: json?.['access_token'] });
    expect(items(await succeed('POST', '/log/blast-radius/', { client: client.id }))).to.have.length(1);
    const result = (await succeed('POST', '/log/blast-radius/end/', { client: client.id })).json;
    expect(result).to.include({ stopped: 'secret-replaced', left: 0 });
    const refusal = await running.token(client, { grant_type: 'client_credentials' });
    await succeed('GET', `/refusals/${path(refusal.headers.get('x-request-id'))}/`);
    for (let times = 0; times < 2; times += 1) {
      running.clock.advance(10);
      const rotation = await succeed('POST', '/signing-keys/', { algorithms: ['ES256'], now: true });
      expect(rotation.json?.['keys']).to.have.length(1);
    }
    const keys = items(await succeed('GET', '/signing-keys/?retired=true'));
    const pastKey = keys.find(({ status }) => status === 'past');
    await succeed('POST', `/signing-keys/${path(pastKey?.['kid'])}/retire/`, {});
    await succeed('GET', '/server/');
  });

  it('changes settings', async () => {
    await succeed('PUT', '/settings/accessTokenLifetimeSeconds/', { value: '600' });
    expect((await succeed('GET', '/settings/accessTokenLifetimeSeconds/')).json).to.include({ value: 600 });
    expect(items(await succeed('GET', '/settings/?changed=true')).map(({ name }) => name)).to.include(
      'accessTokenLifetimeSeconds',
    );
    const forecast = await succeed('POST', '/settings/requirePkce/forecast/', { value: 'all' });
    expect(forecast.json).to.include({ kind: 'simulated', name: 'requirePkce' });
    await succeed('DELETE', '/settings/accessTokenLifetimeSeconds/');
    expect(items(await succeed('GET', '/setting-changes/'))).to.have.length(2);
  });

  it('administers custom texts', async () => {
    await succeed('PUT', '/brand-texts/login.title/en/', { text: 'Log in to {brand}' });
    expect(items(await succeed('GET', '/brand-texts/'))).to.deep.equal([
      {
        key: 'login.title',
        language: 'en',
        standard: 'Log in',
        placeholders: [],
        own: 'Log in to {brand}',
        ignored: null,
      },
    ]);
    await succeed('DELETE', '/brand-texts/login.title/en/');
    expect(items(await succeed('GET', '/brand-texts/'))).to.deep.equal([]);
    expect(items(await succeed('GET', '/brand-texts/?own=false'))).to.have.length.above(10);
  });

  it('administers scopes', async () => {
    await succeed('POST', '/scopes/', { name: 'invoices:read', description: 'Read your invoices', icon: 'card' });
    const scope = `/scopes/${path('invoices:read')}/`;
    expect((await succeed('GET', scope)).json).to.include({ icon: 'card' });
    const scopeRow = (await succeed('PATCH', scope, { sensitivity: 'sensitive', icon: 'none' })).json;
    expect(scopeRow).to.include({ description: 'Read your invoices', sensitivity: 'sensitive', icon: null });
    expect(items(await succeed('GET', '/scopes/')).map((row) => row['scope'])).to.include('invoices:read');
    expect((await succeed('GET', `${scope}forecast/`)).json).to.deep.include({ applications: [] });
    await succeed('DELETE', scope);
    const call = (...parameters: Parameters<Manager['call']>) => calls.call(...parameters);
    expect((await call('DELETE', scope)).status).to.equal(404);
    expect((await call('POST', '/scopes/', { name: 'admin', description: 'Everything' })).status).to.equal(400);
  });

  it('succeeds in every operation, except those that need a mail server', () => {
    const missingIds = MANAGEMENT_TABLE.map(({ id }) => id).filter((id) => !calls.succeeded.has(id));
    expect(missingIds).to.deep.equal(['sendTestMail']);
  });

  it('records the client and the request with every event', async () => {
    const events = (await running.events()).filter(
      ({ actor }) => actor.kind === 'client' && actor.id === manager.client.id,
    );
    expect(new Set(events.map(({ type }) => type)).size).to.be.above(25);
    expect(events.filter(({ type, requestId }) => requestId === null && type !== 'AccessTokenIssued')).to.deep.equal(
      [],
    );
    const operatorEvents = (await running.events()).filter(({ actor }) => actor.kind === 'operator');
    const types = new Set(operatorEvents.map(({ type }) => type));
    expect([...types].toSorted()).to.deep.equal(['ClientRegistered', 'UserRegistered']); // by the set-up of this test
  });

  it('has examples that match their schemas', () => {
    for (const { operationId, requestBody } of operations) {
      const content = requestBody?.content[JSON_TYPE];
      if (content === undefined) continue;
      expect(content.example, `${operationId} has no example`).not.to.equal(undefined);
      expect(schemaViolation(content.schema, content.example), operationId).to.equal(undefined);
    }
  });
});
