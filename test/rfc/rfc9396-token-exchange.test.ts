import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent, type EventOf } from '../../src/domain/events.ts';
import { START } from '../../src/event-store/event-log.ts';
import { authorizePath, openSession, parseRedirect } from '../support/authorize-requests.ts';
import {
  approveForCode,
  detailsParameter,
  BANK,
  introspect,
  redeemCode,
  refreshWith,
  registerBank,
} from '../support/details.ts';
import { ACCOUNTS, RENT } from '../support/detail-types.ts';
import { expectNothingAppended, expectRefusal } from '../support/protocol-responses.ts';
import { registerResource } from '../support/resource-servers.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { expectAccessToken, allowExchange, exchange, exchangeForToken, ownToken } from '../support/token-exchange.ts';

const RENT_STATUS = { ...RENT, actions: ['status'] };
const WIDER_RENT = { ...RENT, actions: ['initiate', 'status', 'cancel'] };
const READ_ACCOUNTS = { type: ACCOUNTS.type, actions: ['read'] };
const LIST_ACCOUNTS = { type: ACCOUNTS.type, actions: ['list', 'read'] };
const FILES = 'https://files.example/mcp';
const INVALID = 'invalid_authorization_details';
const GRANT_TYPES = ['token-exchange', 'client-credentials'] as const;

describe('RFC 9396: a token exchange (RFC 8693)', () => {
  let running: RunningService;
  let web: TestClient;
  let api: TestClient;
  let nextClient: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    web = await running.addClient({ name: 'Web', grantTypes: ['authorization-code', 'client-credentials'] });
    api = await running.addClient({ name: 'Api', grantTypes: GRANT_TYPES, redirectUris: [] });
    nextClient = await running.addClient({ name: 'Next', grantTypes: GRANT_TYPES, redirectUris: [] });
    ada = await running.addUser('ada');
    await registerBank(running);
    await allowExchange(running, api, web);
    await allowExchange(running, nextClient, api);
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const requestTokens = async (parameters: Readonly<Record<string, string>> = detailsParameter(RENT, LIST_ACCOUNTS)) =>
    (await redeemCode(running, web, await approveForCode(running, web, ada, parameters))).json ?? {};
  const issueSubjectToken = async (parameters?: Readonly<Record<string, string>>): Promise<string> =>
    String((await requestTokens(parameters))['access_token']);
  const introspectDetails = async (token: unknown, client = api): Promise<unknown> =>
    (await introspect(running, client, token))['authorization_details'];
  const listExchanges = async (): Promise<readonly EventOf<'TokenExchanged'>['data'][]> =>
    (await running.events()).map(decodeEvent).flatMap((event) => (event.type === 'TokenExchanged' ? [event.data] : []));
  const findRule = (client = api): string | undefined =>
    running.service().explanations.listByClient(client.id).at(0)?.rule;

  it('passes on the details of the subject token, even without a scope', async () => {
    const { json } = await exchange(running, api, await issueSubjectToken());
    expect(json).to.deep.include({ scope: '', authorization_details: [RENT, LIST_ACCOUNTS] });
    expect(await introspect(running, api, json?.['access_token'])).to.deep.include({
      aud: BANK,
      client_id: api.id,
      authorization_details: [RENT, LIST_ACCOUNTS],
    });
    const [event] = await listExchanges();
    expect(event?.details?.map(({ type }) => type)).to.deep.equal([RENT.type, LIST_ACCOUNTS.type]);
    expect(event?.requested).not.to.have.property('details');
    expect(JSON.stringify(await running.events())).not.to.include('Landlord');
  });

  it('narrows details to those in the request at each step of a chain, and never widens them again', async () => {
    const subject = await issueSubjectToken();
    const first = await exchangeForToken(running, api, subject, detailsParameter(RENT_STATUS, READ_ACCOUNTS));
    expect(await introspectDetails(first)).to.deep.equal([RENT_STATUS, READ_ACCOUNTS]);
    expect((await listExchanges())[0])
      .to.have.nested.property('requested.details')
      .with.length(2);
    const second = await exchangeForToken(running, nextClient, first, detailsParameter(RENT_STATUS));
    expect(await introspectDetails(second)).to.deep.equal([RENT_STATUS]);
    for (const widerDetail of [
      RENT,
      WIDER_RENT,
      LIST_ACCOUNTS,
      { ...READ_ACCOUNTS, more: 1 },
      { ...RENT_STATUS, creditorName: 'Thief' },
    ]) {
      expectRefusal(
        await expectNothingAppended(running, async () =>
          exchange(running, nextClient, first, detailsParameter(widerDetail)),
        ),
        INVALID,
      );
      expect(findRule(nextClient)).to.equal('exchange-details-beyond');
    }
    const [explanation] = running.service().explanations.listByClient(nextClient.id);
    expect(explanation?.details).to.deep.include({ limit: 'subject', allowed: [RENT_STATUS.type, READ_ACCOUNTS.type] });
    expect(JSON.stringify(explanation)).not.to.include('Thief');
  });

  it("narrows the details of a token that is not its grant's newest token", async () => {
    const { access_token: first, refresh_token: refresh } = await requestTokens();
    const narrowedResponse = await refreshWith(running, web, refresh, detailsParameter(RENT_STATUS));
    const { json } = await refreshWith(
      running,
      web,
      narrowedResponse.json?.['refresh_token'],
      detailsParameter(READ_ACCOUNTS),
    );
    expect(
      await introspectDetails(await exchangeForToken(running, api, String(narrowedResponse.json?.['access_token']))),
    ).to.deep.equal([RENT_STATUS]);
    expect(await introspectDetails(await exchangeForToken(running, api, String(json?.['access_token'])))).to.deep.equal(
      [READ_ACCOUNTS],
    );
    expect(
      await introspectDetails(await exchangeForToken(running, api, String(first), detailsParameter(READ_ACCOUNTS))),
    ).to.deep.equal([READ_ACCOUNTS]);
  });

  it('is limited by an actor token with details, but not by an actor token without details', async () => {
    const subject = await issueSubjectToken({ ...detailsParameter(RENT, LIST_ACCOUNTS), scope: 'read' });
    const plainActor = await ownToken(running, api, { scope: 'read' });
    expect(await introspectDetails(await exchangeForToken(running, api, subject, { actor: plainActor }))).to.deep.equal(
      [RENT, LIST_ACCOUNTS],
    );
    const restrictedActor = await ownToken(running, api, { scope: 'read', ...detailsParameter(READ_ACCOUNTS) });
    const limitedToken = await exchangeForToken(running, api, subject, {
      actor: restrictedActor,
      ...detailsParameter(READ_ACCOUNTS),
    });
    expect(await introspectDetails(limitedToken)).to.deep.equal([READ_ACCOUNTS]);
    expectRefusal(
      await exchange(running, api, subject, { actor: restrictedActor, ...detailsParameter(LIST_ACCOUNTS) }),
      INVALID,
    );
    expect(running.service().explanations.listByClient(api.id).at(0)?.details).to.deep.include({ limit: 'actor' });
    const response = await exchange(running, api, subject, { actor: restrictedActor });
    expect(response.json, 'only details that both tokens allow').not.to.have.property('authorization_details');
    const subjectWithoutScope = await issueSubjectToken();
    expectRefusal(await exchange(running, api, subjectWithoutScope, { actor: restrictedActor }), INVALID);
    expect(findRule()).to.equal('exchange-no-details-left');
  });

  it('passes on only details for the requested resource servers', async () => {
    await registerResource(running, { uri: FILES });
    const path = authorizePath(web, { ...detailsParameter(RENT), scope: 'files:read', resource: BANK });
    const browser = await openSession(running, ada);
    const page = await browser.get(`${path}&resource=${encodeURIComponent(FILES)}`);
    const { code = '' } = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
    const subject = expectAccessToken(await redeemCode(running, web, code));
    const filesResponse = await exchange(running, api, subject, { audience: FILES });
    expect(filesResponse.json).to.include({ scope: 'files:read' }).and.not.have.property('authorization_details');
    expectRefusal(await exchange(running, api, subject, { audience: FILES, ...detailsParameter(RENT) }), INVALID);
    const bankResponse = await exchange(running, api, subject, { audience: BANK });
    expect(bankResponse.json).to.deep.include({ authorization_details: [RENT] });
  });

  it('passes on only types that the client may use', async () => {
    const clients = running.service().projections.clients;
    const registeredClient = clients.find(api.id) ?? expect.fail('not registered');
    await running.service().registration.update(
      registeredClient.clientId,
      { ...registeredClient, detailTypes: [READ_ACCOUNTS.type] },
      {
        actor: { kind: 'operator' },
        requestId: null,
      },
    );
    const subject = await issueSubjectToken();
    expect(await introspectDetails(await exchangeForToken(running, api, subject))).to.deep.equal([LIST_ACCOUNTS]);
    expectRefusal(await exchange(running, api, subject, detailsParameter(RENT_STATUS)), INVALID);
    expect(findRule()).to.equal('details-type-not-allowed');
  });

  it("seals details with the client's key if the first token has no user", async () => {
    const ownAccessToken = expectAccessToken(
      await running.token(web, { grant_type: 'client_credentials', ...detailsParameter(RENT) }),
    );
    const first = await exchangeForToken(running, api, ownAccessToken, detailsParameter(RENT_STATUS));
    expect(await introspectDetails(await exchangeForToken(running, nextClient, first), nextClient)).to.deep.equal([
      RENT_STATUS,
    ]);
    expect(JSON.stringify(await running.events())).not.to.include('Landlord');
  });

  it('includes details in a JWT', async () => {
    const jwtClient = await running.addClient({
      name: 'Jwts',
      grantTypes: GRANT_TYPES,
      redirectUris: [],
      accessTokenFormat: 'jwt',
    });
    await allowExchange(running, jwtClient, web);
    const token = await exchangeForToken(running, jwtClient, await issueSubjectToken(), detailsParameter(RENT_STATUS));
    expect(decodeJwt(token)).to.deep.include({ authorization_details: [RENT_STATUS] });
    await allowExchange(running, nextClient, jwtClient);
    expect(await introspectDetails(await exchangeForToken(running, nextClient, token))).to.deep.equal([RENT_STATUS]);
  });

  it('refuses large, deeply nested, unknown and invalid details', async () => {
    const subject = await issueSubjectToken();
    const nestedDetails = `[{"type":"${RENT.type}","x":${'['.repeat(200)}${']'.repeat(200)}}]`;
    for (const text of [
      nestedDetails,
      JSON.stringify([{ ...RENT, creditorName: 'x'.repeat(5_000) }]),
      JSON.stringify([{ ...RENT, creditorName: 7 }]),
      JSON.stringify([{ type: 'gift' }]),
    ]) {
      const response = await expectNothingAppended(running, async () =>
        exchange(running, api, subject, { authorization_details: text }),
      );
      expectRefusal(response, INVALID);
    }
    const response = await exchange(
      running,
      api,
      subject,
      detailsParameter({ ...RENT, creditorName: 'x'.repeat(1_048_576) }),
    );
    expect(response.status).to.equal(413);
  });

  it('makes details unreadable when the user is erased', async () => {
    const token = await exchangeForToken(running, api, await issueSubjectToken());
    const { accounts, projections } = running.service();
    const user = projections.users.findByName('ada') ?? expect.fail('no account');
    await accounts.erase(user, { actor: { kind: 'operator' }, requestId: null });
    expect(await introspect(running, api, token)).to.deep.equal({ active: false });
    const [issuance] = (await running.events())
      .map(decodeEvent)
      .flatMap((event) => (event.type === 'AccessTokenIssued' && event.data.exchanged === true ? [event.data] : []));
    expect(issuance?.details?.every(({ sealed }) => sealed !== undefined)).to.equal(true);
  });
});
