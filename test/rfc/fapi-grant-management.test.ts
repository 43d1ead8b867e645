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
import { push, pushedPath, signRequestObject, secureRequests } from '../support/signed-requests.ts';
import { allowExchange, exchangeForToken } from '../support/token-exchange.ts';

const [MAIL, FILES] = ['https://mail.example', 'https://files.example'];
const UNKNOWN_ID = 'AAAAAAAAAAAAAAAAAAAAAA';

describe('In FAPI Grant Management,', () => {
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
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const obtainGrant = (
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
  const listRefusalRules = (application = client) =>
    running
      .service()
      .explanations.listByClient(application.id)
      .map(({ rule }) => rule);

  /** Returns the error in the redirect, after checking that the request added no event. */
  async function authorizationError(
    parameters: Readonly<Record<string, string>>,
    user = ada,
    application = client,
  ): Promise<string> {
    const browser = await openSession(running, user);
    const head = running.log.head();
    const error = errorOf(await browser.get(authorizePath(application, { scope: 'read', ...parameters }))) ?? 'none';
    expect(running.log.head()).to.equal(head);
    return error;
  }

  describe('a token response', () => {
    it('has a grant_id if the request had a grant management action, even after a refresh', async () => {
      const grant = await obtainGrant({ scope: 'read', ...create });
      expect(grant.id).to.match(/^[\w-]{22}$/);
      expect((await refresh(grant.refresh)).json?.['grant_id']).to.equal(grant.id);
      await running.restart();
      const response = await redeem(running, client, await running.authorize(client, ada, { scope: 'read' }));
      expect(response.json).to.not.have.property('grant_id');
    });

    it('has a different grant_id for each grant, and the grants are independent', async () => {
      const [grant, otherGrant] = [
        await obtainGrant({ scope: 'read', ...create }),
        await obtainGrant({ scope: 'read', ...create }),
      ];
      expect(grant.id).to.not.equal(otherGrant.id);
      expect((await revoke(grant.id)).status).to.equal(204);
      expect([await isActive(grant.access), await isActive(otherGrant.access)]).to.deep.equal([false, true]);
    });
  });

  describe('replace', () => {
    it('ends the earlier grant and revokes all its tokens when the code is redeemed, and keeps the id', async () => {
      const earlierGrant = await obtainGrant({ scope: 'read write', ...create });
      const code = await running.authorize(client, ada, { scope: 'read', ...replace(earlierGrant.id) });
      expect(await isActive(earlierGrant.access)).to.equal(true);
      const updatedGrant = readManagedGrant(await redeem(running, client, code));
      expect([updatedGrant.id, updatedGrant.scope]).to.deep.equal([earlierGrant.id, 'read']);
      expect([await isActive(earlierGrant.access), await isActive(updatedGrant.access)]).to.deep.equal([false, true]);
      expect((await refresh(earlierGrant.refresh)).json?.['error']).to.equal('invalid_grant');
      expect((await query(earlierGrant.id)).json).to.deep.equal({ scopes: [{ scope: 'read' }] });
    });

    it('can be repeated, with the same id', async () => {
      let grant = await obtainGrant({ scope: 'read', ...create });
      for (const scope of ['write', 'read write', 'read']) {
        const next = await obtainGrant({ scope, ...replace(grant.id) });
        expect([next.id, next.scope, await isActive(grant.access)]).to.deep.equal([grant.id, scope, false]);
        grant = next;
      }
      await running.restart();
      expect((await query(grant.id)).json).to.deep.equal({ scopes: [{ scope: 'read' }] });
      expect((await obtainGrant({ scope: 'write', ...replace(grant.id) })).id).to.equal(grant.id);
    });

    it('revokes tokens that were obtained in exchange for tokens of the earlier grant', async () => {
      const api = await running.addClient({ name: 'Api', grantTypes: ['token-exchange'], redirectUris: [] });
      await allowExchange(running, api, client);
      const earlierGrant = await obtainGrant({ scope: 'read', ...create });
      const token = await exchangeForToken(running, api, earlierGrant.access);
      await obtainGrant({ scope: 'read', ...replace(earlierGrant.id) });
      expect(await isActive(token)).to.equal(false);
    });

    it('redeems the code and ends the earlier grant in a single append', async () => {
      const earlierGrant = await obtainGrant({ scope: 'read', ...create });
      await obtainGrant({ scope: 'read', ...replace(earlierGrant.id) });
      const events = (await running.events()).slice(-4);
      expect(events.map(({ type }) => type)).to.deep.equal([
        'AuthorizationCodeRedeemed',
        'AccessTokenIssued',
        'RefreshTokenIssued',
        'GrantRevoked',
      ]);
      const revocation = events.at(-1) ?? expect.fail();
      expect(revocation.stream).to.equal(`grant-${earlierGrant.id}`);
      expect(decodeEvent(revocation).data).to.deep.equal({
        reason: 'updated',
        replacedBy: events[0]?.stream.slice('grant-'.length),
      });
    });

    it('requires consent even with approval_prompt=auto, and explains the effect', async () => {
      const { id } = await obtainGrant({ scope: 'read write', ...create });
      const page = await open(running, client, ada, { scope: 'read', ...replace(id), approval_prompt: 'auto' });
      expect(page.html).to.include('This replaces what you authorized').and.include('name="allow"');
      const silentRequest = { scope: 'openid', prompt: 'none', ...replace(id) };
      expect(await authorizationError(silentRequest)).to.equal('consent_required');
    });

    it('needs no consent for an application that skips consent', async () => {
      const trustedClient = await addManager(running, { skipAuthorization: true });
      const earlierGrant = readManagedGrant(
        await redeem(
          running,
          trustedClient,
          readCode(await open(running, trustedClient, ada, { scope: 'read', ...create })),
        ),
      );
      const page = await open(running, trustedClient, ada, { scope: 'write', ...replace(earlierGrant.id) });
      expect(readManagedGrant(await redeem(running, trustedClient, readCode(page))).id).to.equal(earlierGrant.id);
    });

    const readCode = (page: Parameters<typeof parseRedirect>[0]): string =>
      parseRedirect(page).parameters['code'] ?? '';

    it('leaves the earlier grant unchanged if the user denies the request or the code is not redeemed', async () => {
      const earlierGrant = await obtainGrant({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const page = await browser.get(authorizePath(client, { scope: 'write', ...replace(earlierGrant.id) }));
      expect(errorOf(await browser.submit(page, { deny: 'Deny' }))).to.equal('access_denied');
      const code = await running.authorize(client, ada, { scope: 'write', ...replace(earlierGrant.id) });
      running.clock.advance(600_000);
      expect((await redeem(running, client, code)).json?.['error']).to.equal('invalid_grant');
      expect((await query(earlierGrant.id)).json).to.deep.equal({ scopes: [{ scope: 'read' }] });
      expect((await refresh(earlierGrant.refresh)).status).to.equal(200);
    });
  });

  describe('merge', () => {
    it('grants the old and the new scope, as the consent page shows', async () => {
      const earlierGrant = await obtainGrant({ scope: 'read', ...create });
      const page = await open(running, client, ada, { scope: 'write', ...merge(earlierGrant.id) });
      expect(page.html).to.include('This adds to what you authorized');
      for (const scope of ['read', 'write']) expect(page.html).to.include(`value="${scope}"`);
      const updatedGrant = await obtainGrant({ scope: 'write', ...merge(earlierGrant.id) });
      expect([updatedGrant.id, updatedGrant.scope, await isActive(earlierGrant.access)]).to.deep.equal([
        earlierGrant.id,
        'read write',
        false,
      ]);
      expect((await query(earlierGrant.id)).json).to.deep.equal({ scopes: [{ scope: 'read write' }] });
    });

    it('records the requested scope in addition to the granted scope', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      await obtainGrant({ scope: 'write', ...merge(id) });
      const consents = (await running.events()).filter(({ type }) => type === 'ConsentGiven');
      const { data } = decodeEvent(consents.at(-1) ?? expect.fail());
      expect(data).to.deep.include({
        scope: ['read', 'write'],
        management: { action: 'merge', grantId: id, updates: id },
      });
      expect(data).to.have.nested.property('requested.scope').that.deep.equals(['write']);
    });

    it('is shown to the user and to administrators with the id known to the application', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const path = `/o/authorized_tokens/applications/${client.id}/`;
      expect((await browser.get(path)).html).to.include(`manages this authorization as <code>${id}</code>`);
      await obtainGrant({ scope: 'write', ...merge(id) });
      const { html } = await browser.get(path);
      expect(html).to.include(`<code>${id}</code>`).and.include('It also contains your earlier one.');
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
      const earlierGrant = await obtainGrant({ scope: 'read', resource: MAIL, ...create });
      const updatedGrant = await obtainGrant({ scope: 'write', resource: FILES, ...merge(earlierGrant.id) });
      expect((await query(updatedGrant.id)).json).to.deep.equal({
        scopes: [{ scope: 'read write', resource: [MAIL, FILES] }],
      });
    });

    it('adds authorization details without duplicates, and shows all of them to the user and the client', async () => {
      await registerBank(running);
      const statusDetail = { ...RENT, actions: ['status'] };
      const earlierGrant = await obtainGrant({ scope: 'read', ...detailsParameter(RENT), ...create });
      expect((await query(earlierGrant.id)).json).to.deep.include({ authorization_details: [RENT] });
      const page = await open(running, client, ada, {
        ...detailsParameter(statusDetail, RENT),
        ...merge(earlierGrant.id),
      });
      expect(page.html).to.include('Already allowed').and.include('&#34;initiate&#34;').and.include('All details');
      const updatedGrant = await obtainGrant({ ...detailsParameter(statusDetail, RENT), ...merge(earlierGrant.id) });
      const { json } = await query(earlierGrant.id);
      expect(json?.['scopes']).to.deep.equal([{ scope: 'read', resource: [BANK] }]);
      expect(json?.['authorization_details']).to.have.deep.members([RENT, statusDetail]).and.have.length(2);
      expect(updatedGrant.id).to.equal(earlierGrant.id);
      const refreshResponse = await refresh(updatedGrant.refresh);
      expect(refreshResponse.json?.['authorization_details']).to.have.deep.members([RENT, statusDetail]);
      const consents = (await running.events()).map(decodeEvent).filter(({ type }) => type === 'ConsentGiven');
      expect(consents.at(-1)?.data).to.have.nested.property('requested.details').with.length(2);
      await obtainGrant({ ...detailsParameter({ type: ACCOUNTS.type }), ...merge(earlierGrant.id) });
      const lastConsent = (await running.events())
        .map(decodeEvent)
        .filter(({ type }) => type === 'ConsentGiven')
        .at(-1);
      expect(lastConsent?.data).to.have.nested.property('requested.details').with.length(1);
      expect(lastConsent?.data).to.have.property('details').with.length(3);
      const replacedGrant = await obtainGrant({ ...detailsParameter(statusDetail), ...replace(earlierGrant.id) });
      expect((await query(replacedGrant.id)).json).to.deep.include({ authorization_details: [statusDetail] });
    });

    it('is refused if a resource server no longer declares the type of an authorization detail', async () => {
      const bank = await registerBank(running);
      const { id } = await obtainGrant({ scope: 'read', ...detailsParameter(RENT), ...create });
      const { resourceRegistry } = running.service();
      await resourceRegistry.update(
        bank.uri,
        { ...bank, detailTypes: '' },
        { actor: { kind: 'operator' }, requestId: null },
      );
      expect((await query(id)).json).not.to.have.property('authorization_details');
      expect(await authorizationError({ resource: BANK, ...merge(id) })).to.equal('invalid_authorization_details');
    });

    it('is refused if either the grant or the request, but not both, covers all resource servers', async () => {
      const [restrictedGrant, unrestrictedGrant] = [
        await obtainGrant({ scope: 'read', resource: MAIL, ...create }),
        await obtainGrant({ scope: 'read', ...create }),
      ];
      expect(await authorizationError(merge(restrictedGrant.id))).to.equal('invalid_target');
      expect(await authorizationError({ resource: MAIL, ...merge(unrestrictedGrant.id) })).to.equal('invalid_target');
      expect(listRefusalRules()).to.include('merge-of-all-resources');
    });

    it('adds individually requested claims', async () => {
      const claims = (name: string) => ({ claims: JSON.stringify({ userinfo: { [name]: null } }) });
      const earlierGrant = await obtainGrant({ scope: 'openid', ...claims('nickname'), ...create });
      const page = await open(running, client, ada, {
        scope: 'openid',
        ...claims('zoneinfo'),
        ...merge(earlierGrant.id),
      });
      expect(page.html)
        .to.match(/nickname/i)
        .and.match(/time zone/i);
      await obtainGrant({ scope: 'openid', ...claims('zoneinfo'), ...merge(earlierGrant.id) });
      expect((await query(earlierGrant.id)).json).to.deep.equal({
        scopes: [{ scope: 'openid' }],
        claims: ['zoneinfo', 'nickname'],
      });
    });

    it('keeps openid from the scope of the earlier grant', async () => {
      const earlierGrant = await obtainGrant({ scope: 'openid', ...create });
      const response = await redeem(
        running,
        client,
        await running.authorize(client, ada, { scope: 'read', ...merge(earlierGrant.id) }),
      );
      expect(response.json).to.include({ scope: 'openid read' }).and.have.property('id_token');
    });

    it('is refused if a scope of the earlier grant no longer exists', async () => {
      const [scopes, otherSettings] = [
        { read: 'Read', write: 'Write' },
        { resources: [MAIL, FILES], sampleApi: false },
      ];
      await running.restart({ scopes: { ...scopes, extra: 'More' }, ...otherSettings });
      const { id } = await obtainGrant({ scope: 'extra', ...create });
      await running.restart({ scopes, ...otherSettings });
      expect(await authorizationError(merge(id))).to.equal('invalid_scope');
    });

    it('grants only the scopes that the user leaves checked', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const code = await running.authorize(client, ada, { scope: 'write', ...merge(id) }, { leave_out: 'read' });
      expect(readManagedGrant(await redeem(running, client, code)).scope).to.equal('write');
    });

    it('shows the consent page again if the grant has been updated in the meantime', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const page = await browser.get(authorizePath(client, { scope: 'write', ...merge(id) }));
      await obtainGrant({ scope: 'groups', ...replace(id) });
      const secondPage = await browser.submitAndFollow(page, { allow: 'Authorize' });
      expect(secondPage.html).to.include('has changed').and.include('value="groups"');
    });
  });

  describe('a pushed request', () => {
    it('can update a grant, but is refused immediately if its grant id is unknown', async () => {
      const earlierGrant = await obtainGrant({ scope: 'read', ...create });
      const response = await push(running, client, { scope: 'write', ...merge(earlierGrant.id) });
      const browser = await openSession(running, ada);
      const page = await browser.get(pushedPath(client, String(response.json?.['request_uri'])));
      const { code = '' } = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
      expect(readManagedGrant(await redeem(running, client, code))).to.include({
        id: earlierGrant.id,
        scope: 'read write',
      });
      const refusal = await push(running, client, { scope: 'write', ...merge(UNKNOWN_ID) });
      expect(refusal.json).to.include({ error: 'invalid_grant_id' });
    });
  });

  describe('a signed request object', () => {
    it('can create and update a grant, but is refused if its grant id is unknown', async () => {
      const key = keyPairFor('ES256');
      await secureRequests(running, client, [key]);
      const browser = await openSession(running, ada);
      const requestPage = async (claims: Readonly<Record<string, string>>) => {
        const request = await signRequestObject(running, client, key, { claims: { scope: 'read', ...claims } });
        return browser.get(`/o/authorize/?${new URLSearchParams({ client_id: client.id, request }).toString()}`);
      };
      const obtainSignedGrant = async (claims: Readonly<Record<string, string>>): Promise<ManagedGrantTokens> => {
        const response = await browser.submit(await requestPage(claims), { allow: 'Authorize' });
        return readManagedGrant(await redeem(running, client, parseRedirect(response).parameters['code'] ?? ''));
      };
      const earlierGrant = await obtainSignedGrant({ ...create });
      const updatedGrant = await obtainSignedGrant({ scope: 'write', ...merge(earlierGrant.id) });
      expect([updatedGrant.id, updatedGrant.scope]).to.deep.equal([earlierGrant.id, 'read write']);
      expect(await isActive(earlierGrant.access)).to.equal(false);
      expect(errorOf(await requestPage(replace(UNKNOWN_ID)))).to.equal('invalid_grant_id');
    });
  });

  describe('a device authorization request', () => {
    it('is refused if it has a grant management action or a grant id', async () => {
      const tv = await addManager(running, { grantTypes: ['device-code', 'client-credentials'] });
      for (const parameters of [create, { grant_id: UNKNOWN_ID }])
        expectRefusal(await requestDevice(running, tv, parameters), 'invalid_request');
      expect(listRefusalRules(tv)).to.include('grant-management-for-device');
    });
  });

  describe('an authorization request', () => {
    it('is refused if its grant id is unknown, or belongs to another client or user', async () => {
      const otherClient = await addManager(running, { name: 'Other' });
      const otherClientGrant = await obtainGrant({ scope: 'read', ...create }, ada, otherClient);
      const bobGrant = await obtainGrant({ scope: 'read', ...create }, bob);
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
          expect(await authorizationError(update(id)), id.slice(0, 30)).to.equal('invalid_grant_id');
      expect(listRefusalRules()).to.include('grant-id-unknown');
    });

    it('is refused if its grant is not managed, has ended, or has a code that has not been redeemed', async () => {
      const code = await running.authorize(client, ada, { scope: 'read' });
      const unmanagedId = (await running.events()).at(-1)?.stream.slice('grant-'.length) ?? '';
      await redeem(running, client, code);
      await running.authorize(client, ada, { scope: 'read', ...create });
      const unredeemedId = (await running.events()).at(-1)?.stream.slice('grant-'.length) ?? '';
      const endedGrant = await obtainGrant({ scope: 'read', ...create });
      await revoke(endedGrant.id);
      for (const id of [unmanagedId, unredeemedId, endedGrant.id])
        expect(await authorizationError(replace(id))).to.equal('invalid_grant_id');
    });

    it('is refused if its grant id is the internal id of an update', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      await obtainGrant({ scope: 'read', ...replace(id) });
      const consents = (await running.events()).filter(({ type }) => type === 'ConsentGiven');
      const internalId = consents.at(-1)?.stream.slice('grant-'.length) ?? '';
      expect(internalId).to.not.equal(id);
      expect(await authorizationError(replace(internalId))).to.equal('invalid_grant_id');
    });

    it('is refused if its parameters are inconsistent', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const requestWithoutAction = { grant_id: id };
      expect(await authorizationError(requestWithoutAction)).to.equal('invalid_request');
      expect(await authorizationError({ ...create, grant_id: id })).to.equal('invalid_request');
      expect(await authorizationError({ grant_management_action: 'replace' })).to.equal('invalid_request');
      expect(await authorizationError({ grant_management_action: 'merge' })).to.equal('invalid_request');
      expect(await authorizationError({ grant_management_action: 'update', grant_id: id })).to.equal('invalid_request');
      expect(await authorizationError({ grant_management_action: 'x'.repeat(4_000) })).to.equal('invalid_request');
      expect(listRefusalRules()).to.include.members(['grant-id-misplaced', 'parameter-missing', 'parameter-value']);
    });

    it('is refused for a public client, and for a client without the permission to manage grants', async () => {
      const plainClient = await running.addClient({ name: 'Plain' });
      expect(await authorizationError(create, ada, plainClient)).to.equal('unauthorized_client');
      const publicClient = await addManager(running, {
        clientType: 'public',
        grantTypes: ['authorization-code'],
      });
      const challenge = {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      expect(await authorizationError({ ...create, ...challenge }, ada, publicClient)).to.equal('unauthorized_client');
    });

    it('is refused after consent if the grant ended while the consent page was open', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const browser = await openSession(running, ada);
      const page = await browser.get(authorizePath(client, { scope: 'write', ...merge(id) }));
      await revoke(id);
      expect(errorOf(await browser.submit(page, { allow: 'Authorize' }))).to.equal('invalid_grant_id');
    });
  });

  describe('a code for an update', () => {
    it('cannot be redeemed after the grant has ended or has been updated with another code', async () => {
      const waysToEnd = {
        client: async ({ id }: ManagedGrantTokens) => revoke(id),
        token: async ({ refresh: token }: ManagedGrantTokens) =>
          running.post('/o/revoke_token/', { token }, { authorization: client.basic }),
        update: async ({ id }: ManagedGrantTokens) => obtainGrant({ scope: 'read', ...replace(id) }),
      };
      for (const [name, endGrant] of Object.entries(waysToEnd)) {
        const earlierGrant = await obtainGrant({ scope: 'read', ...create });
        const code = await running.authorize(client, ada, { scope: 'write', ...merge(earlierGrant.id) });
        await endGrant(earlierGrant);
        const head = running.log.head();
        expect((await redeem(running, client, code)).json?.['error'], name).to.equal('invalid_grant');
        expect(running.log.head()).to.equal(head);
      }
      expect(listRefusalRules()).to.include('updated-grant-ended');
    });

    it('ends the grant if it is presented twice', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const code = await running.authorize(client, ada, { scope: 'write', ...merge(id) });
      const { access } = readManagedGrant(await redeem(running, client, code));
      expect((await redeem(running, client, code)).json?.['error']).to.equal('invalid_grant');
      expect(await isActive(access)).to.equal(false);
      expect((await query(id)).status).to.equal(404);
    });
  });

  describe('the grant management API', () => {
    it('revokes a grant and its tokens, and returns 404 for the grant from then on', async () => {
      const grant = await obtainGrant({ scope: 'read', ...create });
      const { status, text } = await revoke(grant.id);
      expect([status, text, await isActive(grant.access)]).to.deep.equal([204, '', false]);
      expect((await refresh(grant.refresh)).json?.['error']).to.equal('invalid_grant');
      expect([(await revoke(grant.id)).status, (await query(grant.id)).status]).to.deep.equal([404, 404]);
    });

    it('requires a token that was issued to the client itself, with the scope for the method', async () => {
      const { id, access } = await obtainGrant({ scope: 'read', ...create });
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

    it("refuses a user's token, even with the required scope", async () => {
      const { id, access } = await obtainGrant({ scope: 'read grant_management_query', ...create });
      expect((await callGrant(running, 'GET', id, access)).status).to.equal(403);
    });

    it("returns 404 for other clients' grants, unmanaged grants and unknown ids", async () => {
      const otherClient = await addManager(running, { name: 'Other' });
      const { id } = await obtainGrant({ scope: 'read', ...create });
      await redeem(running, client, await running.authorize(client, ada, { scope: 'read' }));
      const unmanagedId = (await running.events()).at(-1)?.stream.slice('grant-'.length) ?? '';
      expect([(await query(id, otherClient)).status, (await revoke(id, otherClient)).status]).to.deep.equal([404, 404]);
      for (const candidateId of [unmanagedId, UNKNOWN_ID, 'x', 'x'.repeat(200), '%00', '..%2F'])
        expect((await query(candidateId)).status, candidateId.slice(0, 30)).to.equal(404);
      expect((await query(id)).status).to.equal(200);
    });

    it('does not show a grant whose tokens have all expired, or whose user was disabled', async () => {
      await running.restart({ refreshTokenLifetimeSeconds: 1_000, resources: [MAIL, FILES] });
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const otherGrant = await obtainGrant({ scope: 'read', ...create }, bob);
      const { accounts, projections } = running.service();
      const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
      await accounts.disable(projections.users.findByName('bob') ?? expect.fail(), OPERATOR);
      expect((await query(otherGrant.id)).status).to.equal(404);
      running.clock.advance(40_000_000);
      expect((await query(id)).status).to.equal(404);
    });

    it('refuses unsupported methods', async () => {
      const { id } = await obtainGrant({ scope: 'read', ...create });
      const token = await managementToken(running, client);
      const response = await running.send(`/o/grants/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'GET, DELETE, HEAD, OPTIONS']);
    });

    it('is listed in the server metadata', async () => {
      const { json } = await running.get('/.well-known/oauth-authorization-server');
      expect(json).to.deep.include({
        grant_management_endpoint: 'http://localhost:8000/o/grants',
        grant_management_actions_supported: ['query', 'revoke', 'create', 'replace', 'merge'],
        grant_management_action_required: false,
      });
    });
  });

  it('users can revoke a managed grant on their page like any other grant', async () => {
    const { id, access } = await obtainGrant({ scope: 'read', ...create });
    const browser = await openSession(running, ada);
    const page = await browser.get('/o/authorized_tokens/');
    expect(page.html).to.include('Bank');
    const { grants } = running.service().projections;
    const grant = grants.findManaged(id) ?? expect.fail();
    const { csrf_token = '' } = hiddenFields(page.html);
    await browser.post(`/o/authorized_tokens/${grant.grantId}/revoke/`, { csrf_token });
    expect([await isActive(access), (await query(id)).status]).to.deep.equal([false, 404]);
  });
});
