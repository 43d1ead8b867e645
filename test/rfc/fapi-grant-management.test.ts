import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { START } from '../../src/event-store/event-log.ts';
import { authorizePath, openSession, parseRedirect } from '../support/authorize-requests.ts';
import { detailsParameter, BANK, registerBank } from '../support/details.ts';
import { ACCOUNTS, RENT } from '../support/detail-types.ts';
import { keyPairFor } from '../support/assertions.ts';
import { requestDevice } from '../support/devices.ts';
import { hiddenFields } from '../support/browser-session.ts';
import {
  addManager,
  callGrant,
  create,
  errorOf,
  readManagedGrant,
  managementToken,
  merge,
  obtain,
  open,
  redeem,
  replace,
  type ManagedGrantTokens,
} from '../support/managed-grants.ts';
import { expectRefusal, isAccepted } from '../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { push, pushedPath, requestObjectOf, secureRequests } from '../support/signed-requests.ts';
import { allowExchange, exchangeForToken } from '../support/token-exchange.ts';

const [MAIL, FILES] = ['https://mail.example', 'https://files.example'];
const UNKNOWN_ID = 'AAAAAAAAAAAAAAAAAAAAAA';

describe('FAPI Grant Management', () => {
  let running: RunningService;
  let client: TestClient;
  let ada: TestUser;
  let bob: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [MAIL, FILES] } });
    client = await addManager(running, { name: 'Bank' });
    ada = await running.addUser('ada');
    bob = await running.addUser('bob');
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'findings of an audit').to.deep.equal([]);
    await running.close();
  });

  const get = (
    parameters: Readonly<Record<string, string>>,
    user = ada,
    application = client,
  ): Promise<ManagedGrantTokens> => obtain(running, application, user, parameters);
  const query = async (id: string, application = client) =>
    callGrant(running, 'GET', id, await managementToken(running, application));
  const revoke = async (id: string, application = client) =>
    callGrant(running, 'DELETE', id, await managementToken(running, application));
  const isActive = (token: string): Promise<boolean> => isAccepted(running, token);
  const refresh = (token: string) => running.token(client, { grant_type: 'refresh_token', refresh_token: token });
  const rules = (application = client) =>
    running
      .service()
      .explanations.listByClient(application.id)
      .map(({ rule }) => rule);

  /** Checks that the request adds no event, and resolves with the error in its redirect. */
  async function errorFor(
    parameters: Readonly<Record<string, string>>,
    user = ada,
    application = client,
  ): Promise<string> {
    const browser = await openSession(running, user);
    const before = running.log.head();
    const error = errorOf(await browser.get(authorizePath(application, { scope: 'read', ...parameters }))) ?? 'none';
    expect(running.log.head()).to.equal(before);
    return error;
  }

  describe('a token response', () => {
    it('has a grant_id if the request had an action, even after a refresh', async () => {
      const grant = await get({ scope: 'read', ...create });
      expect(grant.id).to.match(/^[\w-]{22}$/);
      expect((await refresh(grant.refresh)).json?.['grant_id']).to.equal(grant.id);
      await running.restart();
      const plain = await redeem(running, client, await running.authorize(client, ada, { scope: 'read' }));
      expect(plain.json).to.not.have.property('grant_id');
    });

    it('has a different grant_id for each grant, and the grants are independent', async () => {
      const [one, other] = [await get({ scope: 'read', ...create }), await get({ scope: 'read', ...create })];
      expect(one.id).to.not.equal(other.id);
      expect((await revoke(one.id)).status).to.equal(204);
      expect([await isActive(one.access), await isActive(other.access)]).to.deep.equal([false, true]);
    });
  });

  describe('replace', () => {
    it('ends the earlier grant with all its tokens when the code is redeemed, and keeps the id', async () => {
      const before = await get({ scope: 'read write', ...create });
      const code = await running.authorize(client, ada, { scope: 'read', ...replace(before.id) });
      expect(await isActive(before.access)).to.equal(true);
      const after = readManagedGrant(await redeem(running, client, code));
      expect([after.id, after.scope]).to.deep.equal([before.id, 'read']);
      expect([await isActive(before.access), await isActive(after.access)]).to.deep.equal([false, true]);
      expect((await refresh(before.refresh)).json?.['error']).to.equal('invalid_grant');
      expect((await query(before.id)).json).to.deep.equal({ scopes: [{ scope: 'read' }] });
    });

    it('can be repeated, with the same id', async () => {
      let grant = await get({ scope: 'read', ...create });
      for (const scope of ['write', 'read write', 'read']) {
        const next = await get({ scope, ...replace(grant.id) });
        expect([next.id, next.scope, await isActive(grant.access)]).to.deep.equal([grant.id, scope, false]);
        grant = next;
      }
      await running.restart();
      expect((await query(grant.id)).json).to.deep.equal({ scopes: [{ scope: 'read' }] });
      expect((await get({ scope: 'write', ...replace(grant.id) })).id).to.equal(grant.id);
    });

    it('ends tokens that were exchanged for tokens of the earlier grant', async () => {
      const api = await running.addClient({ name: 'Api', grantTypes: ['token-exchange'], redirectUris: [] });
      await allowExchange(running, api, client);
      const before = await get({ scope: 'read', ...create });
      const token = await exchangeForToken(running, api, before.access);
      await get({ scope: 'read', ...replace(before.id) });
      expect(await isActive(token)).to.equal(false);
    });

    it('redeems the code and ends the earlier grant in one append', async () => {
      const before = await get({ scope: 'read', ...create });
      await get({ scope: 'read', ...replace(before.id) });
      const events = (await running.events()).slice(-4);
      expect(events.map(({ type }) => type)).to.deep.equal([
        'AuthorizationCodeRedeemed',
        'AccessTokenIssued',
        'RefreshTokenIssued',
        'GrantRevoked',
      ]);
      const end = events.at(-1) ?? expect.fail();
      expect(end.stream).to.equal(`grant-${before.id}`);
      expect(decodeEvent(end).data).to.deep.equal({
        reason: 'updated',
        replacedBy: events[0]?.stream.slice('grant-'.length),
      });
    });

    it('requires consent even with approval_prompt=auto, and explains the effect', async () => {
      const { id } = await get({ scope: 'read write', ...create });
      const page = await open(running, client, ada, { scope: 'read', ...replace(id), approval_prompt: 'auto' });
      expect(page.html).to.include('This takes the place of what you authorized').and.include('name="allow"');
      const silent = { scope: 'openid', prompt: 'none', ...replace(id) };
      expect(await errorFor(silent)).to.equal('consent_required');
    });

    it('needs no consent for an application that skips consent', async () => {
      const trusted = await addManager(running, { skipAuthorization: true });
      const before = readManagedGrant(
        await redeem(running, trusted, codeIn(await open(running, trusted, ada, { scope: 'read', ...create }))),
      );
      const page = await open(running, trusted, ada, { scope: 'write', ...replace(before.id) });
      expect(readManagedGrant(await redeem(running, trusted, codeIn(page))).id).to.equal(before.id);
    });

    const codeIn = (page: Parameters<typeof parseRedirect>[0]): string => parseRedirect(page).parameters['code'] ?? '';

    it('leaves the earlier grant unchanged if the user denies the request or the code is not redeemed', async () => {
      const before = await get({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const page = await browser.get(authorizePath(client, { scope: 'write', ...replace(before.id) }));
      expect(errorOf(await browser.submit(page, { deny: 'Deny' }))).to.equal('access_denied');
      const code = await running.authorize(client, ada, { scope: 'write', ...replace(before.id) });
      running.clock.advance(600_000);
      expect((await redeem(running, client, code)).json?.['error']).to.equal('invalid_grant');
      expect((await query(before.id)).json).to.deep.equal({ scopes: [{ scope: 'read' }] });
      expect((await refresh(before.refresh)).status).to.equal(200);
    });
  });

  describe('merge', () => {
    it('grants the old and the new scope, as the consent page shows', async () => {
      const before = await get({ scope: 'read', ...create });
      const page = await open(running, client, ada, { scope: 'write', ...merge(before.id) });
      expect(page.html).to.include('This adds to what you authorized');
      for (const scope of ['read', 'write']) expect(page.html).to.include(`value="${scope}"`);
      const after = await get({ scope: 'write', ...merge(before.id) });
      expect([after.id, after.scope, await isActive(before.access)]).to.deep.equal([before.id, 'read write', false]);
      expect((await query(before.id)).json).to.deep.equal({ scopes: [{ scope: 'read write' }] });
    });

    it('records the requested scope in addition to the granted scope', async () => {
      const { id } = await get({ scope: 'read', ...create });
      await get({ scope: 'write', ...merge(id) });
      const consents = (await running.events()).filter(({ type }) => type === 'ConsentGiven');
      const { data } = decodeEvent(consents.at(-1) ?? expect.fail());
      expect(data).to.deep.include({
        scope: ['read', 'write'],
        management: { action: 'merge', grantId: id, updates: id },
      });
      expect(data).to.have.nested.property('requested.scope').that.deep.equals(['write']);
    });

    it('is shown to the user and to administrators with the id that the application knows', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const path = `/o/authorized_tokens/applications/${client.id}/`;
      expect((await browser.get(path)).html).to.include(`manages this as <code>${id}</code>`);
      await get({ scope: 'write', ...merge(id) });
      const { html } = await browser.get(path);
      expect(html).to.include(`<code>${id}</code>`).and.include('contains what you authorized before, too');
      const { accounts, projections } = running.service();
      const root = await running.addUser('root');
      const [account, administrator] = ['ada', 'root'].map(
        (name) => projections.users.findByName(name) ?? expect.fail(),
      );
      if (account === undefined || administrator === undefined) return expect.fail();
      await accounts.changeRoles(administrator, ['administrator'], { actor: { kind: 'operator' }, requestId: null });
      const page = await (
        await openSession(running, root)
      ).get(`/admin/users/${account.id}/authorizations/${client.id}/`);
      expect(page.html.replaceAll('<wbr>', '')).to.include(`managed as ${id} (merge)`);
    });

    it('adds resource servers', async () => {
      const before = await get({ scope: 'read', resource: MAIL, ...create });
      const after = await get({ scope: 'write', resource: FILES, ...merge(before.id) });
      expect((await query(after.id)).json).to.deep.equal({
        scopes: [{ scope: 'read write', resource: [MAIL, FILES] }],
      });
    });

    it('adds authorization details without duplicates, and shows all to the user and to the client', async () => {
      await registerBank(running);
      const status = { ...RENT, actions: ['status'] };
      const before = await get({ scope: 'read', ...detailsParameter(RENT), ...create });
      expect((await query(before.id)).json).to.deep.include({ authorization_details: [RENT] });
      const page = await open(running, client, ada, { ...detailsParameter(status, RENT), ...merge(before.id) });
      expect(page.html)
        .to.include('You already allowed')
        .and.include('&#34;initiate&#34;')
        .and.include('Everything in it');
      const after = await get({ ...detailsParameter(status, RENT), ...merge(before.id) });
      const { json } = await query(before.id);
      expect(json?.['scopes']).to.deep.equal([{ scope: 'read', resource: [BANK] }]);
      expect(json?.['authorization_details']).to.have.deep.members([RENT, status]).and.have.length(2);
      expect(after.id).to.equal(before.id);
      const refreshed = await refresh(after.refresh);
      expect(refreshed.json?.['authorization_details']).to.have.deep.members([RENT, status]);
      const consents = (await running.events()).map(decodeEvent).filter(({ type }) => type === 'ConsentGiven');
      expect(consents.at(-1)?.data).to.have.nested.property('requested.details').with.length(2);
      await get({ ...detailsParameter({ type: ACCOUNTS.type }), ...merge(before.id) });
      const last = (await running.events())
        .map(decodeEvent)
        .filter(({ type }) => type === 'ConsentGiven')
        .at(-1);
      expect(last?.data).to.have.nested.property('requested.details').with.length(1);
      expect(last?.data).to.have.property('details').with.length(3);
      const replaced = await get({ ...detailsParameter(status), ...replace(before.id) });
      expect((await query(replaced.id)).json).to.deep.include({ authorization_details: [status] });
    });

    it('is refused if a resource server no longer declares the type of a detail', async () => {
      const bank = await registerBank(running);
      const { id } = await get({ scope: 'read', ...detailsParameter(RENT), ...create });
      const { resourceRegistry } = running.service();
      await resourceRegistry.update(
        bank.uri,
        { ...bank, detailTypes: '' },
        { actor: { kind: 'operator' }, requestId: null },
      );
      expect((await query(id)).json).not.to.have.property('authorization_details');
      expect(await errorFor({ resource: BANK, ...merge(id) })).to.equal('invalid_authorization_details');
    });

    it('is refused if only the grant or only the request is for all resource servers', async () => {
      const [some, all] = [
        await get({ scope: 'read', resource: MAIL, ...create }),
        await get({ scope: 'read', ...create }),
      ];
      expect(await errorFor(merge(some.id))).to.equal('invalid_target');
      expect(await errorFor({ resource: MAIL, ...merge(all.id) })).to.equal('invalid_target');
      expect(rules()).to.include('merge-of-all-resources');
    });

    it('adds individually requested claims', async () => {
      const claims = (name: string) => ({ claims: JSON.stringify({ userinfo: { [name]: null } }) });
      const before = await get({ scope: 'openid', ...claims('nickname'), ...create });
      const page = await open(running, client, ada, { scope: 'openid', ...claims('zoneinfo'), ...merge(before.id) });
      expect(page.html)
        .to.match(/nickname/i)
        .and.match(/time zone/i);
      await get({ scope: 'openid', ...claims('zoneinfo'), ...merge(before.id) });
      expect((await query(before.id)).json).to.deep.equal({
        scopes: [{ scope: 'openid' }],
        claims: ['zoneinfo', 'nickname'],
      });
    });

    it('keeps openid from the scope of the earlier grant', async () => {
      const before = await get({ scope: 'openid', ...create });
      const response = await redeem(
        running,
        client,
        await running.authorize(client, ada, { scope: 'read', ...merge(before.id) }),
      );
      expect(response.json).to.include({ scope: 'openid read' }).and.have.property('id_token');
    });

    it('is refused if a scope of the earlier grant no longer exists', async () => {
      const [scopes, others] = [
        { read: 'Read', write: 'Write' },
        { resources: [MAIL, FILES], sampleApi: false },
      ];
      await running.restart({ scopes: { ...scopes, extra: 'More' }, ...others });
      const { id } = await get({ scope: 'extra', ...create });
      await running.restart({ scopes, ...others });
      expect(await errorFor(merge(id))).to.equal('invalid_scope');
    });

    it('grants only the scopes that the user leaves ticked', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const code = await running.authorize(client, ada, { scope: 'write', ...merge(id) }, { leave_out: 'read' });
      expect(readManagedGrant(await redeem(running, client, code)).scope).to.equal('write');
    });

    it('shows the consent page again if the grant was updated in the meantime', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const page = await browser.get(authorizePath(client, { scope: 'write', ...merge(id) }));
      await get({ scope: 'groups', ...replace(id) });
      const secondPage = await browser.submitAndFollow(page, { allow: 'Authorize' });
      expect(secondPage.html).to.include('has changed').and.include('value="groups"');
    });
  });

  describe('a pushed request', () => {
    it('can update a grant, and is refused immediately with an unknown grant id', async () => {
      const before = await get({ scope: 'read', ...create });
      const response = await push(running, client, { scope: 'write', ...merge(before.id) });
      const browser = await openSession(running, ada);
      const page = await browser.get(pushedPath(client, String(response.json?.['request_uri'])));
      const { code = '' } = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
      expect(readManagedGrant(await redeem(running, client, code))).to.include({ id: before.id, scope: 'read write' });
      const refusal = await push(running, client, { scope: 'write', ...merge(UNKNOWN_ID) });
      expect(refusal.json).to.include({ error: 'invalid_grant_id' });
    });
  });

  describe('a signed request object', () => {
    it('can create and update a grant, and is refused with an unknown grant id', async () => {
      const key = keyPairFor('ES256');
      await secureRequests(running, client, [key]);
      const browser = await openSession(running, ada);
      const requestPage = async (claims: Readonly<Record<string, string>>) => {
        const request = await requestObjectOf(running, client, key, { claims: { scope: 'read', ...claims } });
        return browser.get(`/o/authorize/?${new URLSearchParams({ client_id: client.id, request }).toString()}`);
      };
      const obtainGrant = async (claims: Readonly<Record<string, string>>): Promise<ManagedGrantTokens> => {
        const response = await browser.submit(await requestPage(claims), { allow: 'Authorize' });
        return readManagedGrant(await redeem(running, client, parseRedirect(response).parameters['code'] ?? ''));
      };
      const before = await obtainGrant({ ...create });
      const after = await obtainGrant({ scope: 'write', ...merge(before.id) });
      expect([after.id, after.scope]).to.deep.equal([before.id, 'read write']);
      expect(await isActive(before.access)).to.equal(false);
      expect(errorOf(await requestPage(replace(UNKNOWN_ID)))).to.equal('invalid_grant_id');
    });
  });

  describe('a device authorization request', () => {
    it('is refused with an action or an id', async () => {
      const tv = await addManager(running, { grantTypes: ['device-code', 'client-credentials'] });
      for (const parameters of [create, { grant_id: UNKNOWN_ID }])
        expectRefusal(await requestDevice(running, tv, parameters), 'invalid_request');
      expect(rules(tv)).to.include('grant-management-for-device');
    });
  });

  describe('an authorization request', () => {
    it('is refused with the grant id of another client or user, or with an unknown grant id', async () => {
      const other = await addManager(running, { name: 'Other' });
      const otherClientGrant = await get({ scope: 'read', ...create }, ada, other);
      const bobGrant = await get({ scope: 'read', ...create }, bob);
      for (const id of [
        otherClientGrant.id,
        bobGrant.id,
        UNKNOWN_ID,
        'short',
        'ä'.repeat(22),
        'x'.repeat(4_000),
        `${bobGrant.id}=`,
      ])
        for (const update of [replace, merge])
          expect(await errorFor(update(id)), id.slice(0, 30)).to.equal('invalid_grant_id');
      expect(rules()).to.include('grant-id-unknown');
    });

    it('is refused with the id of a grant that was not managed, is not redeemed, or has ended', async () => {
      const code = await running.authorize(client, ada, { scope: 'read' });
      const unmanaged = (await running.events()).at(-1)?.stream.slice('grant-'.length) ?? '';
      await redeem(running, client, code);
      await running.authorize(client, ada, { scope: 'read', ...create });
      const unredeemed = (await running.events()).at(-1)?.stream.slice('grant-'.length) ?? '';
      const ended = await get({ scope: 'read', ...create });
      await revoke(ended.id);
      for (const id of [unmanaged, unredeemed, ended.id])
        expect(await errorFor(replace(id))).to.equal('invalid_grant_id');
    });

    it('is refused with the internal id of an update', async () => {
      const { id } = await get({ scope: 'read', ...create });
      await get({ scope: 'read', ...replace(id) });
      const consents = (await running.events()).filter(({ type }) => type === 'ConsentGiven');
      const updated = consents.at(-1)?.stream.slice('grant-'.length) ?? '';
      expect(updated).to.not.equal(id);
      expect(await errorFor(replace(updated))).to.equal('invalid_grant_id');
    });

    it('is refused if its parameters are inconsistent', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const actionless = { grant_id: id };
      expect(await errorFor(actionless)).to.equal('invalid_request');
      expect(await errorFor({ ...create, grant_id: id })).to.equal('invalid_request');
      expect(await errorFor({ grant_management_action: 'replace' })).to.equal('invalid_request');
      expect(await errorFor({ grant_management_action: 'merge' })).to.equal('invalid_request');
      expect(await errorFor({ grant_management_action: 'update', grant_id: id })).to.equal('invalid_request');
      expect(await errorFor({ grant_management_action: 'x'.repeat(4_000) })).to.equal('invalid_request');
      expect(rules()).to.include.members(['grant-id-misplaced', 'parameter-missing', 'parameter-value']);
    });

    it('is refused for a public client, and for a client without the permission to manage grants', async () => {
      const plain = await running.addClient({ name: 'Plain' });
      expect(await errorFor(create, ada, plain)).to.equal('unauthorized_client');
      const publicClient = await addManager(running, {
        clientType: 'public',
        grantTypes: ['authorization-code'],
      });
      const challenge = {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      expect(await errorFor({ ...create, ...challenge }, ada, publicClient)).to.equal('unauthorized_client');
    });

    it('is refused after consent if the grant ended while the page was open', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const page = await browser.get(authorizePath(client, { scope: 'write', ...merge(id) }));
      await revoke(id);
      expect(errorOf(await browser.submit(page, { allow: 'Authorize' }))).to.equal('invalid_grant_id');
    });
  });

  describe('the code of an update', () => {
    it('cannot be redeemed after the grant has ended or was updated by another code', async () => {
      const ends = {
        client: async ({ id }: ManagedGrantTokens) => revoke(id),
        token: async ({ refresh: token }: ManagedGrantTokens) =>
          running.post('/o/revoke_token/', { token }, { authorization: client.basic }),
        update: async ({ id }: ManagedGrantTokens) => get({ scope: 'read', ...replace(id) }),
      };
      for (const [name, end] of Object.entries(ends)) {
        const before = await get({ scope: 'read', ...create });
        const code = await running.authorize(client, ada, { scope: 'write', ...merge(before.id) });
        await end(before);
        const head = running.log.head();
        expect((await redeem(running, client, code)).json?.['error'], name).to.equal('invalid_grant');
        expect(running.log.head()).to.equal(head);
      }
      expect(rules()).to.include('updated-grant-ended');
    });

    it('ends the grant if it is presented twice', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const code = await running.authorize(client, ada, { scope: 'write', ...merge(id) });
      const { access } = readManagedGrant(await redeem(running, client, code));
      expect((await redeem(running, client, code)).json?.['error']).to.equal('invalid_grant');
      expect(await isActive(access)).to.equal(false);
      expect((await query(id)).status).to.equal(404);
    });
  });

  describe('the grant management API', () => {
    it('ends a grant with its tokens, and then returns 404', async () => {
      const grant = await get({ scope: 'read', ...create });
      const { status, text } = await revoke(grant.id);
      expect([status, text, await isActive(grant.access)]).to.deep.equal([204, '', false]);
      expect((await refresh(grant.refresh)).json?.['error']).to.equal('invalid_grant');
      expect([(await revoke(grant.id)).status, (await query(grant.id)).status]).to.deep.equal([404, 404]);
    });

    it('requires a token of the client with the scope for the method', async () => {
      const { id, access } = await get({ scope: 'read', ...create });
      expect((await callGrant(running, 'GET', id, undefined)).status).to.equal(401);
      const refusal = await callGrant(running, 'GET', id, 'gla_wrong');
      expect([refusal.status, refusal.headers.get('www-authenticate')]).to.satisfy(
        ([status, header]: [number, string]) => status === 401 && header.includes('invalid_token'),
      );
      const [queryToken, revokeToken] = [
        await managementToken(running, client, 'grant_management_query'),
        await managementToken(running, client, 'grant_management_revoke'),
      ];
      expect((await callGrant(running, 'DELETE', id, queryToken)).status).to.equal(403);
      expect((await callGrant(running, 'GET', id, revokeToken)).status).to.equal(403);
      expect((await callGrant(running, 'GET', id, access)).status).to.equal(403);
      expect((await callGrant(running, 'GET', id, queryToken)).status).to.equal(200);
      expect((await callGrant(running, 'DELETE', id, revokeToken)).status).to.equal(204);
    });

    it('refuses the token of a user, even with the required scope', async () => {
      const { id, access } = await get({ scope: 'read grant_management_query', ...create });
      expect((await callGrant(running, 'GET', id, access)).status).to.equal(403);
    });

    it('returns 404 for grants of other clients, unmanaged grants and unknown ids', async () => {
      const other = await addManager(running, { name: 'Other' });
      const { id } = await get({ scope: 'read', ...create });
      await redeem(running, client, await running.authorize(client, ada, { scope: 'read' }));
      const unmanaged = (await running.events()).at(-1)?.stream.slice('grant-'.length) ?? '';
      expect([(await query(id, other)).status, (await revoke(id, other)).status]).to.deep.equal([404, 404]);
      for (const each of [unmanaged, UNKNOWN_ID, 'x', 'x'.repeat(200), '%00', '..%2F'])
        expect((await query(each)).status, each.slice(0, 30)).to.equal(404);
      expect((await query(id)).status).to.equal(200);
    });

    it('does not show a grant whose tokens have all expired, or whose user was disabled', async () => {
      await running.restart({ refreshTokenLifetimeSeconds: 1_000, resources: [MAIL, FILES] });
      const { id } = await get({ scope: 'read', ...create });
      const other = await get({ scope: 'read', ...create }, bob);
      const { accounts, projections } = running.service();
      const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
      await accounts.disable(projections.users.findByName('bob') ?? expect.fail(), OPERATOR);
      expect((await query(other.id)).status).to.equal(404);
      running.clock.advance(40_000_000);
      expect((await query(id)).status).to.equal(404);
    });

    it('refuses other methods', async () => {
      const { id } = await get({ scope: 'read', ...create });
      const token = await managementToken(running, client);
      const response = await running.send(`/o/grants/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'GET, DELETE, HEAD, OPTIONS']);
    });

    it('is in the metadata', async () => {
      const { json } = await running.get('/.well-known/oauth-authorization-server');
      expect(json).to.deep.include({
        grant_management_endpoint: 'http://localhost:8000/o/grants',
        grant_management_actions_supported: ['query', 'revoke', 'create', 'replace', 'merge'],
        grant_management_action_required: false,
      });
    });
  });

  it('lets users revoke a managed grant on their page like any other grant', async () => {
    const { id, access } = await get({ scope: 'read', ...create });
    const browser = await openSession(running, ada);
    const page = await browser.get('/o/authorized_tokens/');
    expect(page.html).to.include('Bank');
    const { grants } = running.service().projections;
    const current = grants.findManaged(id) ?? expect.fail();
    const { csrf_token = '' } = hiddenFields(page.html);
    await browser.post(`/o/authorized_tokens/${current.grantId}/revoke/`, { csrf_token });
    expect([await isActive(access), (await query(id)).status]).to.deep.equal([false, 404]);
  });
});
