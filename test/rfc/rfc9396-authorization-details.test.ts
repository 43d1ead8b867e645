import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { START } from '../../src/event-store/event-log.ts';
import { keyPairFor } from '../support/assertions.ts';
import { authorizePath, expectErrorRedirect, openSession, parseRedirect } from '../support/authorize-requests.ts';
import { approveForCode, detailsParameter, BANK, consentPage, introspect, redeemCode } from '../support/details.ts';
import { refreshWith, registerBank } from '../support/details.ts';
import { ACCOUNTS, PAYMENT, RENT } from '../support/detail-types.ts';
import { approveDevice, requestCodes, poll, requestDevice } from '../support/devices.ts';
import { seconds } from '../support/domain-values.ts';
import { expectNothingAppended, expectRefusal } from '../support/protocol-responses.ts';
import { registerResource } from '../support/resource-servers.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { pushForUri, pushedPath, signRequestObject, secureRequests } from '../support/signed-requests.ts';

const STATUS = { ...RENT, actions: ['status'] };
const DEPOSIT = { ...RENT, instructedAmount: { currency: 'EUR', amount: '3000.00' } };
const INVALID = 'invalid_authorization_details';

describe('RFC 9396: authorization details', () => {
  let running: RunningService;
  let client: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient({ grantTypes: ['authorization-code', 'client-credentials'] });
    ada = await running.addUser('ada');
    await registerBank(running);
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const requestTokens = async (parameters?: Readonly<Record<string, string | null>>) =>
    (await redeemCode(running, client, await approveForCode(running, client, ada, parameters))).json ?? {};
  const openAuthorizationPage = async (parameters: Readonly<Record<string, string | null>>) =>
    (await openSession(running, ada)).get(authorizePath(client, parameters));
  const decodedEvents = async () => (await running.events()).map(decodeEvent);

  it('are shown as sentences, granted, and returned with the token and by introspection (§3, §7, §9.2)', async () => {
    const { page, approve } = await consentPage(running, client, ada);
    expect(page.html)
      .to.include('Pay <bdi><strong>950.00</strong></bdi> <bdi><strong>EUR</strong></bdi> to <bdi><strong>Landlord')
      .and.include('All details')
      .and.include('&#34;creditorName&#34;: &#34;Landlord Ltd&#34;');
    const { json } = await redeemCode(running, client, await approve());
    expect(json?.['authorization_details']).to.deep.equal([RENT]);
    expect(json).to.include({ scope: '' });
    const introspection = await introspect(running, client, json?.['access_token']);
    expect(introspection).to.deep.include({ active: true, scope: '', aud: BANK, authorization_details: [RENT] });
    const refreshIntrospection = await introspect(running, client, json?.['refresh_token']);
    expect(refreshIntrospection).to.deep.include({ active: true, authorization_details: [RENT] });
  });

  it('are included in JWT access tokens (§9.1)', async () => {
    await running.close();
    running = await runningService();
    client = await running.addClient({ accessTokenFormat: 'jwt' });
    ada = await running.addUser('ada');
    await registerBank(running);
    const { access_token: token, refresh_token: refresh } = await requestTokens();
    expect(decodeJwt(String(token))).to.deep.include({ aud: BANK, authorization_details: [RENT] });
    const first = await refreshWith(running, client, refresh, detailsParameter(STATUS));
    expect(decodeJwt(String(first.json?.['access_token']))).to.deep.include({ authorization_details: [STATUS] });
    const repeatedResponse = await refreshWith(running, client, refresh, detailsParameter(STATUS));
    expect(repeatedResponse.json, 'a lost response').to.deep.equal(first.json);
  });

  it('are never recorded in clear text, not even in the recorded page text', async () => {
    await requestTokens();
    const [consent] = (await decodedEvents()).flatMap((event) => (event.type === 'ConsentGiven' ? [event.data] : []));
    expect(consent?.details).to.have.length(1);
    expect(consent?.details?.[0]).to.have.all.keys('type', 'hash', 'sealed');
    expect(consent?.requested?.details).to.deep.equal([{ type: RENT.type, hash: consent?.details?.[0]?.hash }]);
    expect(consent?.shown?.details).to.deep.equal([{ type: RENT.type, text: PAYMENT.sentence }]);
    const logText = JSON.stringify(await running.events());
    for (const value of ['Landlord', '950.00', 'EUR']) expect(logText, value).not.to.include(value);
  });

  it('can be requested with a scope, in a pushed request (RFC 9126) and in a request object (RFC 9101)', async () => {
    expect(await requestTokens({ ...detailsParameter(RENT), scope: 'read' })).to.deep.include({
      scope: 'read',
      authorization_details: [RENT],
    });
    const browser = await openSession(running, ada);
    const pushedUri = await pushForUri(running, client, { ...detailsParameter(STATUS), scope: 'read' });
    const page = await browser.get(pushedPath(client, pushedUri));
    const { code = '' } = parseRedirect(await browser.submit(page, { allow: 'Authorize' })).parameters;
    expect((await redeemCode(running, client, code)).json).to.deep.include({ authorization_details: [STATUS] });
    const key = keyPairFor('ES256');
    await secureRequests(running, client, [key]);
    const request = await signRequestObject(running, client, key, { claims: { authorization_details: [DEPOSIT] } });
    const signedPage = await browser.get(
      `/o/authorize/?${new URLSearchParams({ client_id: client.id, request }).toString()}`,
    );
    expect(signedPage.html).to.include('3000.00');
  });

  it('require consent each time, even for the same details', async () => {
    const autoApproval = { approval_prompt: 'auto', scope: 'read' };
    await requestTokens({ ...autoApproval, ...detailsParameter(RENT) });
    expect(
      (await openAuthorizationPage({ ...autoApproval, ...detailsParameter(RENT) })).status,
      'with the same details',
    ).to.equal(200);
    expectErrorRedirect(
      await openAuthorizationPage({ scope: 'openid', prompt: 'none', ...detailsParameter(RENT) }),
      'consent_required',
    );
  });

  it('are refused if a type is unknown or a detail violates its schema (§5)', async () => {
    for (const details of [
      [{ ...RENT, type: 'gift' }],
      [{ ...RENT, creditorName: 7 }],
      [{ ...RENT, more: true }],
      [{ type: RENT.type }],
      [RENT, { ...RENT, actions: [] }],
    ]) {
      expectErrorRedirect(await openAuthorizationPage(detailsParameter(...details)), INVALID);
      const request = { grant_type: 'client_credentials', ...detailsParameter(...details) };
      await expectNothingAppended(running, () => running.token(client, request));
      expectRefusal(await running.token(client, request), INVALID);
    }
    const [explanation] = running.service().explanations.listByClient(client.id);
    expect(explanation?.details).to.include({ member: 'actions', keyword: 'minItems' });
    expect(JSON.stringify(explanation)).not.to.include('Landlord');
  });

  it('are refused if they are too large, too deeply nested, too many, or not an array of objects', async () => {
    const nestedDetails = `[{"type":"${RENT.type}","x":${'['.repeat(200)}${']'.repeat(200)}}]`;
    for (const text of [
      nestedDetails,
      '['.repeat(2_000),
      JSON.stringify([{ ...RENT, creditorName: 'x'.repeat(5_000) }]),
      JSON.stringify(Array.from({ length: 11 }, (_, index) => ({ type: ACCOUNTS.type, index }))),
      JSON.stringify([{ type: ACCOUNTS.type, many: Array.from({ length: 300 }, () => 0) }]),
      '{}',
      '[]',
      '[null]',
      '["payment"]',
      '[{}]',
      '[{"type":7}]',
      '[{"type":"account_information","amount":1e999}]',
      '[{"type":"account_information","__proto__":{"actions":[]}}]',
      'payment',
    ]) {
      const response = await running.token(client, { grant_type: 'client_credentials', authorization_details: text });
      expectRefusal(response, INVALID);
    }
    const request = {
      grant_type: 'client_credentials',
      ...detailsParameter({ ...RENT, creditorName: 'x'.repeat(1_048_576) }),
    };
    expect((await running.token(client, request)).status).to.equal(413);
    expectErrorRedirect(await openAuthorizationPage({ authorization_details: nestedDetails }), INVALID);
    const key = keyPairFor('ES256');
    await secureRequests(running, client, [key]);
    const claims = { authorization_details: JSON.parse(nestedDetails) as unknown };
    const nestedRequest = await signRequestObject(running, client, key, { claims });
    const browser = await openSession(running, ada);
    const path = `/o/authorize/?${new URLSearchParams({ client_id: client.id, request: nestedRequest }).toString()}`;
    expectErrorRedirect(await browser.get(path), INVALID);
  });

  it('cannot delay the server with a pattern that needs exponential time in other engines', async () => {
    const hostileType = {
      type: 'hostile',
      schema: { properties: { text: { type: 'string', pattern: '^(\\w+\\s?)*$' } } },
      sentence: 'Do {text}',
    };
    const uri = 'https://hostile.example/';
    await registerResource(running, { uri, scopes: [], detailTypes: JSON.stringify([hostileType]) });
    const details = detailsParameter({ type: 'hostile', text: `${'a'.repeat(3_900)}!` });
    expectRefusal(await running.token(client, { grant_type: 'client_credentials', ...details }), INVALID);
  });

  it('are shown on the page with escaped and truncated values, without characters that disguise them', async () => {
    const creditorName = '<b>Land\u202elord</b> & Co';
    const { page } = await consentPage(running, client, ada, detailsParameter({ ...RENT, creditorName }));
    expect(page.html)
      .to.include('&lt;b&gt;Land\ufffdlord&lt;/b&gt; &amp; Co')
      .and.not.include('<b>Land')
      .and.not.include('\u202e');
    const longDetail = { type: ACCOUNTS.type, actions: Array.from({ length: 60 }, (_, index) => `action${index}`) };
    expect((await consentPage(running, client, ada, detailsParameter(longDetail))).page.html).to.include('…</strong>');
  });

  it('can be narrowed when the code is redeemed and at each refresh, but never widened (§6)', async () => {
    const code = await approveForCode(
      running,
      client,
      ada,
      detailsParameter(RENT, { type: ACCOUNTS.type, actions: ['list', 'read'] }),
    );
    for (const widerDetail of [
      DEPOSIT,
      { ...RENT, actions: ['initiate', 'status', 'cancel'] },
      { ...RENT, actions: undefined },
    ])
      expectRefusal(await redeemCode(running, client, code, detailsParameter(widerDetail)), INVALID);
    const { json } = await redeemCode(running, client, code, detailsParameter(STATUS));
    expect(json?.['authorization_details']).to.deep.equal([STATUS]);
    const narrowedDetail = { type: ACCOUNTS.type, actions: ['read'] };
    const second = await refreshWith(running, client, json?.['refresh_token'], detailsParameter(narrowedDetail));
    expect(second.json?.['authorization_details']).to.deep.equal([narrowedDetail]);
    expect(await introspect(running, client, second.json?.['access_token'])).to.deep.include({
      authorization_details: [narrowedDetail],
    });
    const refusal = await refreshWith(running, client, second.json?.['refresh_token'], detailsParameter(DEPOSIT));
    expectRefusal(refusal, INVALID);
    const response = await refreshWith(running, client, second.json?.['refresh_token']);
    expect(response.json?.['authorization_details']).to.have.length(2);
    expectRefusal(await refreshWith(running, client, second.json?.['refresh_token'], detailsParameter(RENT)), INVALID);
  });

  it('survive grant summaries', async () => {
    let { refresh_token: token } = await requestTokens();
    for (let count = 0; count < 30; count += 1)
      token = (await refreshWith(running, client, token)).json?.['refresh_token'];
    expect((await refreshWith(running, client, token)).json).to.deep.include({ authorization_details: [RENT] });
    expect((await decodedEvents()).some(({ type }) => type === 'GrantSummarized')).to.equal(true);
  });

  it('belong only to tokens for the resource server that declares their type', async () => {
    await registerResource(running, { scopes: [] });
    const otherResource = 'https://files.example/mcp';
    expectErrorRedirect(await openAuthorizationPage({ ...detailsParameter(RENT), resource: otherResource }), INVALID);
    const encodedResource = encodeURIComponent(otherResource);
    const path = `${authorizePath(client, { ...detailsParameter(RENT), resource: BANK })}&resource=${encodedResource}`;
    const browser = await openSession(running, ada);
    const page = await browser.submit(await browser.get(`${path}&scope=read`), { allow: 'Authorize' });
    const { code = '' } = parseRedirect(page).parameters;
    const { json } = await redeemCode(running, client, code, { resource: otherResource });
    expect(json).not.to.have.property('authorization_details');
    expectRefusal(
      await refreshWith(running, client, json?.['refresh_token'], {
        resource: otherResource,
        ...detailsParameter(RENT),
      }),
      INVALID,
    );
    const bankResponse = await refreshWith(running, client, json?.['refresh_token'], { resource: BANK });
    expect(bankResponse.json?.['authorization_details']).to.deep.equal([RENT]);
  });

  it('are unavailable while their type is not declared', async () => {
    const { refresh_token: token } = await requestTokens();
    const { resourceRegistry, projections } = running.service();
    const bank = projections.resources.find(BANK) ?? expect.fail('not registered');
    const context = { actor: { kind: 'operator' }, requestId: null } as const;
    await resourceRegistry.update(BANK, { ...bank, detailTypes: '' }, context);
    expectRefusal(await refreshWith(running, client, token), INVALID);
    const detailTypes = JSON.stringify([PAYMENT]);
    await resourceRegistry.update(BANK, { ...bank, detailTypes }, context);
    expect((await refreshWith(running, client, token)).json).to.deep.include({ authorization_details: [RENT] });
  });

  it('can be granted to a client without a user, and are not recorded in clear text', async () => {
    const { json } = await running.token(client, { grant_type: 'client_credentials', ...detailsParameter(RENT) });
    expect(json).to.deep.include({ scope: '', authorization_details: [RENT] });
    expect(await introspect(running, client, json?.['access_token'])).to.deep.include({
      aud: BANK,
      authorization_details: [RENT],
    });
    expect(JSON.stringify(await running.events())).not.to.include('Landlord');
  });

  it('are refused for the password grant, because no user consents to them', async () => {
    const passwordClient = await running.addClient({ grantTypes: ['password'] });
    expectRefusal(
      await running.token(passwordClient, { grant_type: 'password', ...ada, ...detailsParameter(RENT) }),
      INVALID,
    );
  });

  it('can be approved for a device (RFC 8628)', async () => {
    const tv = await running.addClient({ clientType: 'public', grantTypes: ['device-code'], redirectUris: [] });
    expectRefusal(await requestDevice(running, tv, detailsParameter({ type: 'gift' })), INVALID);
    const codes = await requestCodes(running, tv, detailsParameter(RENT));
    const browser = await openSession(running, ada);
    const page = await browser.get(`/o/device/?user_code=${codes.user}`);
    expect(page.html).to.include('Landlord');
    await approveDevice(running, ada, codes);
    running.clock.advance(5);
    const { json } = await poll(running, tv, codes, detailsParameter(STATUS));
    expect(json).to.deep.include({ authorization_details: [STATUS] });
  });

  it('are shown to administrators, and to the user on pages and in the export', async () => {
    await requestTokens();
    const browser = await openSession(running, ada);
    const page = await browser.get(`/o/authorized_tokens/applications/${client.id}/`);
    expect(page.html).to.include('Landlord Ltd').and.include('950.00');
    const sentence = 'It may: Pay “950.00” “EUR” to “Landlord Ltd”';
    const stripTags = (html: string): string => html.replaceAll(/<[^>]*>/g, '');
    expect(stripTags((await browser.get('/accounts/activity/')).html)).to.include(sentence);
    const root = await running.addUser('root');
    const [account, administrator] = ['ada', 'root'].map((name) =>
      running.service().projections.users.findByName(name),
    );
    if (administrator === undefined) return expect.fail('no account');
    await running.service().accounts.changeRoles(administrator, ['administrator'], {
      actor: { kind: 'operator' },
      requestId: null,
    });
    const admin = await openSession(running, root);
    const { html } = await admin.get(`/admin/users/${account?.id}/authorizations/${client.id}/`);
    expect(html).to.include('Pay “950.00” “EUR” to “Landlord Ltd”');
    const { accountExport, projections } = running.service();
    const user = projections.users.findByName('ada') ?? expect.fail('no account');
    const exportText = [...accountExport(user, seconds(Math.floor(running.clock.now() / 1000)))].join('');
    const { access_given: grants } = JSON.parse(exportText) as { access_given: readonly object[] };
    expect(grants).to.have.length(1);
    expect(grants[0]).to.deep.include({ authorization_details: [RENT] });
  });

  it('cannot be read after the user has been erased', async () => {
    await requestTokens();
    const { accounts, projections } = running.service();
    const user = projections.users.findByName('ada') ?? expect.fail('no account');
    const [consent] = (await decodedEvents()).flatMap((event) => (event.type === 'ConsentGiven' ? [event.data] : []));
    await accounts.erase(user, { actor: { kind: 'operator' }, requestId: null });
    const sealedDetail = consent?.details?.[0]?.sealed ?? expect.fail('the detail is not sealed');
    expect(running.service().personalKeys.find(user.userId)).to.equal(undefined);
    expect(Buffer.from(sealedDetail, 'base64url').toString('latin1')).not.to.include('Landlord');
  });
});
