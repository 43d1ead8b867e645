import { expect } from 'chai';
import { MANAGEMENT_TABLE } from '../../../src/http/management/table.ts';
import { violation, type DescribedOperation } from '../../support/described-api.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { addManager, describedCalls, managementOperations, type Manager } from '../../support/management.ts';
import { REDIRECT_URI, runningService, type Answer, type RunningService } from '../../support/running-service.ts';

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

  async function done(...parameters: Parameters<Manager['call']>): Promise<Answer> {
    const answer = await calls.call(...parameters);
    expect(answer.status, `${parameters[0]} ${parameters[1]}: ${answer.text}`).to.be.within(200, 299);
    return answer;
  }
  const items = ({ json }: Answer) => json?.['items'] as readonly Record<string, unknown>[];
  const keySet = (name: string) => ({ keys: [keyPairFor('ES256', name).jwk] });
  const path = (text: unknown): string => encodeURIComponent(String(text));

  it('administers accounts', async () => {
    await done('POST', '/users/', { username: 'ada', password: PASSWORD, email: 'ada@example.org' });
    await done('POST', '/invitations/', { address: 'eve@example.org' });
    await done('PATCH', '/users/ada/', { given_name: 'Ada', zoneinfo: 'Europe/Berlin' });
    await done('POST', '/users/ada/verify-email/');
    await done('PUT', '/users/ada/password/', { password: `${PASSWORD} 2` });
    await done('PUT', '/users/ada/roles/', { roles: [] });
    await done('POST', '/users/ada/disable/');
    expect((await done('GET', '/users/ada/')).json).to.include({ active: false, first_name: 'Ada' });
    await done('POST', '/users/ada/enable/');
    expect((await done('GET', '/users/ada/profile/')).json).to.include({ email_verified: true });
    await done('GET', '/users/ada/second-factor/');
    await done('DELETE', '/users/ada/second-factor/');
    expect(items(await done('GET', '/users/')).map(({ username }) => username)).to.include('ada');
    await done('POST', '/users/', { username: 'bob', password: PASSWORD });
    await done('DELETE', '/users/bob/');
  });

  it('administers groups', async () => {
    await done('POST', '/groups/', { name: 'staff' });
    await done('POST', '/groups/staff/members/', { username: 'ada' });
    expect(items(await done('GET', '/groups/staff/members/'))).to.have.length(1);
    expect(items(await done('GET', '/groups/'))).to.have.length(1);
    await done('DELETE', '/groups/staff/members/ada/');
    await done('DELETE', '/groups/staff/');
  });

  it('administers clients', async () => {
    const fields = { name: 'Reports', client_type: 'confidential', grant_types: ['client-credentials'] };
    const added = (await done('POST', '/clients/', fields)).json;
    const id = String(added?.['client_id']);
    expect(added?.['client_secret']).to.be.a('string');
    await done('PATCH', `/clients/${id}/`, { name: 'Reports of the year' });
    expect((await done('GET', `/clients/${id}/`)).json).to.include({ name: 'Reports of the year' });
    await done('PUT', `/clients/${id}/logo/`, { image: null });
    await done('POST', `/clients/${id}/secret/`, { overlap_seconds: 60 });
    const { username: tester } = await running.addUser();
    for (const [role, name] of [
      ['owners', 'ada'],
      ['test-users', tester],
    ]) {
      expect(items(await done('PATCH', `/clients/${id}/${role}/`, { add: [name] }))).to.have.length(1);
      expect(items(await done('GET', `/clients/${id}/${role}/`))).to.have.length(1);
    }
    await done('POST', `/clients/${id}/transfer/`, { to: 'ada' });
    expect((await done('POST', `/clients/${id}/disable/`)).json).to.include({ disabled: true });
    expect((await done('POST', `/clients/${id}/enable/`)).json).to.include({ disabled: false });
    await done('PATCH', `/clients/${id}/`, {
      methods: ['client_secret_basic', 'private_key_jwt'],
      jwks: keySet('one'),
    });
    await done('POST', `/clients/${id}/keys/`, { jwks: keySet('other') });
    const [listed] = items(await done('GET', `/clients/${id}/keys/`));
    await done('PATCH', `/clients/${id}/`, { methods: ['client_secret_basic'] });
    await done('DELETE', `/clients/${id}/keys/${path(listed?.['thumbprint'])}/`);
    expect(items(await done('GET', '/clients/'))).to.have.length.above(1);
    await done('GET', '/logouts/');
    expect((await done('GET', `/clients/${id}/forecast/`)).json).to.include({ users: 0, exact: true });
    await done('DELETE', `/clients/${id}/`);
  });

  it('administers resource servers, domains, exchange policies, issuers and providers', async () => {
    const uri = 'https://api.example.org/v1';
    await done('POST', '/resource-servers/', {
      uri,
      name: 'API',
      scopes: [{ name: 'read', description: 'Read reports' }],
    });
    await done('PATCH', `/resource-servers/${path(uri)}/`, { name: 'Reports' });
    expect((await done('GET', `/resource-servers/${path(uri)}/`)).json).to.include({ name: 'Reports' });
    expect(items(await done('GET', '/resource-servers/'))).to.have.length(1);
    expect((await done('GET', `/resource-servers/${path(uri)}/forecast/`)).json).to.include({ uri, tokens: 0 });
    await done('DELETE', `/resource-servers/${path(uri)}/`);

    await done('PUT', '/domains/app.example.org/', { rule: 'blocked' });
    expect(items(await done('GET', '/domains/'))).to.have.length(1);

    const [one, other] = [await running.addClient(), await running.addClient()];
    const pair = `/exchange-policies/${one.id}/${other.id}/`;
    await done('PUT', pair, { modes: ['delegation'], scope: ['read'] });
    await done('GET', pair);
    expect(items(await done('GET', '/exchange-policies/'))).to.have.length(1);
    await done('DELETE', pair);

    const issuer = `/trusted-issuers/${path('https://issuer.example.org')}/`;
    const trust = { uses: ['assertion'], mapping: 'client', clients: [one.id], scope: ['read'] };
    await done('PUT', issuer, { ...trust, jwks: keySet('issuer') });
    expect(items(await done('GET', `${issuer}keys/`))).to.have.length(1);
    await done('PUT', issuer, { ...trust, keys_uri: 'https://issuer.example.org/keys' });
    await done('GET', issuer);
    expect(items(await done('GET', '/trusted-issuers/'))).to.have.length(1);
    expect((await done('GET', `${issuer}forecast/`)).json).to.include({ applications: 1, tokens: 0, exact: true });
    await done('DELETE', issuer);

    const provider = { name: 'Company', issuer: 'https://login.example.org', client_id: 'x', secret: 'a secret' };
    await done('PATCH', '/providers/company/', provider);
    await done('GET', '/providers/company/');
    await done('POST', '/providers/company/test/');
    expect(items(await done('GET', '/providers/'))).to.have.length(1);
    expect((await done('GET', '/providers/company/forecast/')).json).to.include({ users: 0, locked_out: 0 });
    await done('DELETE', '/providers/company/');
  });

  it('shows and ends sessions, grants and agents', async () => {
    const user = await running.addUser('grace');
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const client = await running.addClient();
    const code = await running.authorize(client, user);
    await running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const [grant] = items(await done('GET', '/grants/?user=grace'));
    await done('GET', '/users/grace/sessions/');
    const [session] = items(await done('GET', '/sessions/?user=grace'));
    await done('DELETE', `/sessions/${path(session?.['id'])}/`);
    await done('DELETE', `/grants/${path(grant?.['id'])}/`);
    await done('POST', '/users/grace/sign-out/', {});
    await done('GET', '/users/grace/agents/');
    await done('POST', '/users/grace/end-agents/', {});
    expect(items(await done('GET', '/sessions/?user=grace'))).to.deep.equal([]);
  });

  it('answers questions about the log, the keys and the server', async () => {
    expect(items(await done('GET', '/log/as-of/?limit=3'))).to.have.length(3);
    const client = await running.addClient();
    const { json } = await running.token(client, { grant_type: 'client_credentials' });
    await done('POST', '/log/chain/', { token: json?.['access_token'] });
    expect(items(await done('POST', '/log/blast-radius/', { client: client.id }))).to.have.length(1);
    const ended = (await done('POST', '/log/blast-radius/end/', { client: client.id })).json;
    expect(ended).to.include({ stopped: 'secret-replaced', left: 0 });
    const refused = await running.token(client, { grant_type: 'client_credentials' });
    await done('GET', `/refusals/${path(refused.headers.get('x-request-id'))}/`);
    for (let times = 0; times < 2; times += 1) {
      running.clock.advance(10);
      const rotated = await done('POST', '/signing-keys/', { algorithms: ['ES256'], now: true });
      expect(rotated.json?.['keys']).to.have.length(1);
    }
    const keys = items(await done('GET', '/signing-keys/?retired=true'));
    const past = keys.find(({ status }) => status === 'past');
    await done('POST', `/signing-keys/${path(past?.['kid'])}/retire/`, {});
    await done('GET', '/server/');
  });

  it('changes settings', async () => {
    await done('PUT', '/settings/accessTokenLifetimeSeconds/', { value: '600' });
    expect((await done('GET', '/settings/accessTokenLifetimeSeconds/')).json).to.include({ value: 600 });
    expect(items(await done('GET', '/settings/?changed=true')).map(({ name }) => name)).to.include(
      'accessTokenLifetimeSeconds',
    );
    const forecast = await done('POST', '/settings/requirePkce/forecast/', { value: 'all' });
    expect(forecast.json).to.include({ kind: 'simulated', name: 'requirePkce' });
    await done('DELETE', '/settings/accessTokenLifetimeSeconds/');
    expect(items(await done('GET', '/setting-changes/'))).to.have.length(2);
  });

  it('administers scopes', async () => {
    await done('POST', '/scopes/', { name: 'invoices:read', description: 'Read your invoices', icon: 'card' });
    const scope = `/scopes/${path('invoices:read')}/`;
    const changed = (await done('PATCH', scope, { sensitivity: 'sensitive', icon: 'none' })).json;
    expect(changed).to.include({ description: 'Read your invoices', sensitivity: 'sensitive', icon: null });
    expect(items(await done('GET', '/scopes/')).map((each) => each['scope'])).to.include('invoices:read');
    expect((await done('GET', `${scope}forecast/`)).json).to.deep.include({ applications: [] });
    await done('DELETE', scope);
    const call = (...parameters: Parameters<Manager['call']>) => calls.call(...parameters);
    expect((await call('DELETE', scope)).status).to.equal(404);
    expect((await call('POST', '/scopes/', { name: 'admin', description: 'Everything' })).status).to.equal(400);
  });

  it('has been tested with every operation, except those that need a mail server', () => {
    const missing = MANAGEMENT_TABLE.map(({ id }) => id).filter((id) => !calls.succeeded.has(id));
    expect(missing).to.deep.equal(['sendTestMail']);
  });

  it('records the client and the request with every event', async () => {
    const events = (await running.events()).filter(
      ({ actor }) => actor.kind === 'client' && actor.id === manager.client.id,
    );
    expect(new Set(events.map(({ type }) => type)).size).to.be.above(25);
    expect(events.filter(({ type, requestId }) => requestId === null && type !== 'AccessTokenIssued')).to.deep.equal(
      [],
    );
    const operator = (await running.events()).filter(({ actor }) => actor.kind === 'operator');
    const types = new Set(operator.map(({ type }) => type));
    expect([...types].toSorted()).to.deep.equal(['ClientRegistered', 'UserRegistered']); // those of this test
  });

  it('has examples that match their schemas', () => {
    for (const { operationId, requestBody } of operations) {
      const content = requestBody?.content[JSON_TYPE];
      if (content === undefined) continue;
      expect(content.example, `${operationId} has no example`).not.to.equal(undefined);
      expect(violation(content.schema, content.example), operationId).to.equal(undefined);
    }
  });
});
