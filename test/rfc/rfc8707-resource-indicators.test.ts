import { expect } from 'chai';
import type { AccessEntry } from '../../src/audit/queries/access-report.ts';
import { operate } from '../../src/operations/operations.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-responses.ts';
import {
  parseRedirect,
  authorizePath,
  expectErrorPage,
  expectErrorRedirect,
  openSession,
} from '../support/authorize-requests.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const SERVER = 'http://localhost:8000';
const CALENDAR = 'https://cal.example/api';
const CONTACTS = 'https://contacts.example';

let running: RunningService;
let client: TestClient;
let owner: TestUser;

async function setUp(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  running = await runningService({ settings: { resources: [CALENDAR, CONTACTS], ...settings } });
  client = await running.addClient();
  owner = await running.addUser();
}

/** Sends a token request with parameters that may be repeated. */
const request = (...parameters: readonly [string, string][]): Promise<TestResponse> =>
  running.post('/o/token/', new URLSearchParams(parameters).toString(), { authorization: client.basic });
const resources = (...uris: readonly string[]): [string, string][] => uris.map((uri) => ['resource', uri]);
const requestWithPassword = (...uris: readonly string[]): Promise<TestResponse> =>
  request(
    ['grant_type', 'password'],
    ['username', owner.username],
    ['password', owner.password],
    ...resources(...uris),
  );
const requestWithClientCredentials = (...uris: readonly string[]): Promise<TestResponse> =>
  request(['grant_type', 'client_credentials'], ...resources(...uris));
const refresh = (token: unknown, ...uris: readonly string[]): Promise<TestResponse> =>
  request(['grant_type', 'refresh_token'], ['refresh_token', String(token)], ...resources(...uris));
const redeem = (code: string, ...uris: readonly string[]): Promise<TestResponse> =>
  request(['grant_type', 'authorization_code'], ['code', code], ['redirect_uri', REDIRECT_URI], ...resources(...uris));
const readAudience = async ({ json }: TestResponse): Promise<unknown> =>
  (await running.post('/o/introspect/', { token: String(json?.['access_token']) }, { authorization: client.basic }))
    .json?.['aud'];

describe('RFC 8707 §2: the resource parameter', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  it('restricts a token to one or more resource servers', async () => {
    expect(await readAudience(await requestWithClientCredentials(CALENDAR))).to.equal(CALENDAR);
    expect(await readAudience(await requestWithClientCredentials(CALENDAR, CONTACTS))).to.deep.equal([
      CALENDAR,
      CONTACTS,
    ]);
    expect(await readAudience(await requestWithPassword(CONTACTS, CONTACTS))).to.equal(CONTACTS);
  });

  it('has no effect on the token or the log if it is omitted or empty', async () => {
    expect(await readAudience(await requestWithPassword())).to.equal(undefined);
    expect(await readAudience(await requestWithClientCredentials(''))).to.equal(undefined);
    for (const event of await running.events()) expect(event.data).not.to.have.property('resource');
  });

  it('is refused with invalid_target for an unknown resource server, without an event in the log', async () => {
    for (const uri of [
      'https://elsewhere.example',
      `${CALENDAR}/`,
      `${CALENDAR}/x`,
      CALENDAR.toUpperCase(),
      `${CALENDAR} ${CONTACTS}`,
    ]) {
      expectRefusal(await expectNothingAppended(running, () => requestWithClientCredentials(uri)), 'invalid_target');
      expectRefusal(await expectNothingAppended(running, () => requestWithPassword(CALENDAR, uri)), 'invalid_target');
    }
  });

  it('is refused with invalid_target unless it is an absolute URI without a fragment', async () => {
    for (const uri of [`${CALENDAR}#top`, '/api', 'cal.example', 'not a uri', '\u0000'])
      expectRefusal(await requestWithClientCredentials(uri), 'invalid_target');
  });

  it('is refused with invalid_target for too many resource servers', async () => {
    expectRefusal(await requestWithClientCredentials(...Array.from({ length: 11 }, () => CALENDAR)), 'invalid_target');
  });

  it('can end with the slash of an empty path, and is reported as configured', async () => {
    expect(await readAudience(await requestWithClientCredentials(`${CONTACTS}/`))).to.equal(CONTACTS);
    expect(await readAudience(await requestWithClientCredentials(`${SERVER}/`))).to.equal(SERVER);
  });

  it('has its allowed values listed in the metadata', async () => {
    const { json } = await running.get('/.well-known/oauth-authorization-server');
    expect(json?.['protected_resources']).to.deep.equal([SERVER, CALENDAR, CONTACTS]);
  });

  it('can be repeated, but the scope cannot', async () => {
    expectRefusal(
      await request(['grant_type', 'client_credentials'], ['scope', 'read'], ['scope', 'read'], ...resources(CALENDAR)),
      'invalid_request',
    );
  });
});

describe('RFC 8707 §2: the resource parameter in JSON', () => {
  beforeEach(() => setUp({ jsonTokenRequests: true }));
  afterEach(() => running.close());

  const postJson = (body: string): Promise<TestResponse> =>
    running.post('/o/token/', body, { authorization: client.basic, 'content-type': 'application/json' });

  it('is a string or an array of strings', async () => {
    const requestParameters = { grant_type: 'client_credentials' };
    expect(await readAudience(await postJson(JSON.stringify({ ...requestParameters, resource: CALENDAR })))).to.equal(
      CALENDAR,
    );
    expect(
      await readAudience(await postJson(JSON.stringify({ ...requestParameters, resource: [CALENDAR, CONTACTS] }))),
    ).to.deep.equal([CALENDAR, CONTACTS]);
    expect(await readAudience(await postJson(JSON.stringify({ ...requestParameters, resource: [] })))).to.equal(
      undefined,
    );
    for (const resource of [[1], [[CALENDAR]], { uri: CALENDAR }, null])
      expectRefusal(await postJson(JSON.stringify({ ...requestParameters, resource })), 'invalid_request');
    expectRefusal(await postJson(JSON.stringify({ ...requestParameters, scope: ['read'] })), 'invalid_request');
  });

  it('is refused if the member is repeated', async () => {
    expectRefusal(
      await postJson(`{"grant_type":"client_credentials","resource":"${CALENDAR}","resource":["${CONTACTS}"]}`),
      'invalid_request',
    );
    expectRefusal(
      await postJson(`{"grant_type":"client_credentials","resource":["${CALENDAR}"],"resource":"${CONTACTS}"}`),
      'invalid_request',
    );
  });
});

describe('RFC 8707 §2.1: resources in an authorization request', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  const pathWithResources = (...uris: readonly string[]): string =>
    `${authorizePath(client)}&${new URLSearchParams(resources(...uris)).toString()}`;

  it('are shown on the consent page, and cannot be changed by the form', async () => {
    const browser = await openSession(running, owner);
    const page = await browser.get(pathWithResources(CALENDAR, CONTACTS));
    expect(page.html).to.include(CALENDAR).and.to.include(CONTACTS).and.to.include('Valid for these APIs');
    const { parameters } = parseRedirect(await browser.submit(page, { allow: 'Authorize', resource: SERVER }));
    expect(await readAudience(await redeem(parameters['code'] ?? ''))).to.deep.equal([CALENDAR, CONTACTS]);
    expect((await browser.get(authorizePath(client))).html).not.to.include('Valid for these APIs');
    expect((await browser.get('/o/authorized_tokens/')).html).to.include(`for <code>${CALENDAR}</code>`);
  });

  it('are preserved during the login', async () => {
    const browser = running.browser();
    const { location } = await browser.get(pathWithResources(CALENDAR, CONTACTS));
    const next = new URL(location ?? '', SERVER).searchParams.get('next') ?? '';
    expect(new URL(next, SERVER).searchParams.getAll('resource')).to.deep.equal([CALENDAR, CONTACTS]);
  });

  it('are refused with invalid_target if they are unknown, but other repetitions show an error page', async () => {
    const browser = await openSession(running, owner);
    expectErrorRedirect(await browser.get(pathWithResources('https://elsewhere.example')), 'invalid_target');
    expectErrorRedirect(await browser.get(pathWithResources(`${CALENDAR}#top`)), 'invalid_target');
    expectErrorPage(await browser.get(`${pathWithResources(CALENDAR)}&scope=read&scope=write`));
  });

  it('are part of the consent, which does not cover other or unrestricted resource servers', async () => {
    await redeem(await running.authorize(client, owner, { resource: CALENDAR }));
    const browser = await openSession(running, owner);
    const needsConsent = async (...uris: readonly string[]): Promise<boolean> =>
      (await browser.get(`${pathWithResources(...uris)}&approval_prompt=auto`)).status === 200;
    expect(await needsConsent(CALENDAR)).to.equal(false);
    expect(await needsConsent(CONTACTS)).to.equal(true);
    expect(await needsConsent(CALENDAR, CONTACTS)).to.equal(true);
    expect(await needsConsent()).to.equal(true);
  });
});

describe('RFC 8707 §2.2: resources in a token request', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  const authorizeForBoth = (): Promise<string> => authorizeFor(CALENDAR, CONTACTS);
  async function authorizeFor(...uris: readonly string[]): Promise<string> {
    const browser = await openSession(running, owner);
    const query = new URLSearchParams(resources(...uris)).toString();
    return (
      parseRedirect(
        await browser.submit(await browser.get(`${authorizePath(client)}&${query}`), { allow: 'Authorize' }),
      ).parameters['code'] ?? ''
    );
  }

  it("are all or some of the code's resources", async () => {
    expect(await readAudience(await redeem(await authorizeForBoth()))).to.deep.equal([CALENDAR, CONTACTS]);
    expect(await readAudience(await redeem(await authorizeForBoth(), CONTACTS))).to.equal(CONTACTS);
    expect(await readAudience(await redeem(await running.authorize(client, owner), CONTACTS))).to.equal(CONTACTS);
  });

  it('are refused if the code does not include them, and the code stays valid', async () => {
    const code = await authorizeFor(CALENDAR);
    expectRefusal(await expectNothingAppended(running, () => redeem(code, CONTACTS)), 'invalid_target');
    expectRefusal(await expectNothingAppended(running, () => redeem(code, CALENDAR, CONTACTS)), 'invalid_target');
    expect(await readAudience(await redeem(code, CALENDAR))).to.equal(CALENDAR);
  });

  it('limit a refreshed access token but not the grant, so that the next token can have different ones', async () => {
    const first = await redeem(await authorizeForBoth(), CALENDAR);
    const second = await refresh(first.json?.['refresh_token'], CONTACTS);
    expect(await readAudience(second)).to.equal(CONTACTS);
    const third = await refresh(second.json?.['refresh_token']);
    expect(await readAudience(third)).to.deep.equal([CALENDAR, CONTACTS]);
    expectRefusal(
      await expectNothingAppended(running, () => refresh(third.json?.['refresh_token'], SERVER)),
      'invalid_target',
    );
    expect((await refresh(third.json?.['refresh_token'])).status).to.equal(200);
  });

  it('must be the same when a lost response is repeated', async () => {
    const { json } = await requestWithPassword(CALENDAR, CONTACTS);
    const response = await refresh(json?.['refresh_token'], CALENDAR);
    expect(response.status).to.equal(200);
    expect((await expectNothingAppended(running, () => refresh(json?.['refresh_token'], CALENDAR))).text).to.equal(
      response.text,
    );
    for (const uris of [[], [CONTACTS], [CALENDAR, CONTACTS]]) {
      expectRefusal(
        await expectNothingAppended(running, () => refresh(json?.['refresh_token'], ...uris)),
        'invalid_target',
      );
    }
    await running.restart();
    expect((await expectNothingAppended(running, () => refresh(json?.['refresh_token'], CALENDAR))).text).to.equal(
      response.text,
    );
  });

  it('appear in the report on past access', async () => {
    await redeem(await authorizeForBoth(), CALENDAR);
    const entries: unknown[] = [];
    for await (const item of operate(running.service())('log as-of', {}, new AbortController().signal))
      entries.push(item);
    const resourcesByKind = entries.flatMap((item) =>
      (item as AccessEntry).kind === undefined ? [] : [[(item as AccessEntry).kind, (item as AccessEntry).resource]],
    );
    expect(resourcesByKind).to.deep.include.members([
      ['account', null],
      ['grant', `${CALENDAR} ${CONTACTS}`],
      ['token', CALENDAR],
    ]);
  });

  it('are recorded with every token', async () => {
    await redeem(await authorizeForBoth(), CALENDAR);
    const recordedResources = (await running.events())
      .map(decodeEvent)
      .flatMap(({ type, data }) =>
        type === 'AuthorizationCodeIssued' || type === 'AccessTokenIssued' || type === 'RefreshTokenIssued'
          ? [[type, data.resource]]
          : [],
      );
    expect(recordedResources).to.deep.equal([
      ['AuthorizationCodeIssued', [CALENDAR, CONTACTS]],
      ['AccessTokenIssued', [CALENDAR]],
      ['RefreshTokenIssued', [CALENDAR, CONTACTS]],
    ]);
  });
});

describe('RFC 8707 §3, RFC 9068 §4: a restricted token', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  const readToken = ({ json }: TestResponse): string => String(json?.['access_token']);

  it('is accepted by this server if it is for this server or unrestricted', async () => {
    expect(await isAccepted(running, readToken(await requestWithPassword()))).to.equal(true);
    expect(await isAccepted(running, readToken(await requestWithPassword(SERVER)))).to.equal(true);
    expect(await isAccepted(running, readToken(await requestWithPassword(CALENDAR, SERVER)))).to.equal(true);
  });

  it('is refused with invalid_token if it is only for other resource servers', async () => {
    const token = readToken(await requestWithPassword(CALENDAR));
    const { status, headers } = await running.get('/users/', { authorization: `Bearer ${token}` });
    expect(status).to.equal(401);
    expect(headers.get('www-authenticate')).to.include('error="invalid_token"');
  });

  it('cannot be used for introspection if it is only for other resource servers', async () => {
    client = await running.addClient({ restrictedScopes: ['introspection'] });
    const requestBearerToken = async (...uris: readonly string[]): Promise<string> =>
      readToken(await request(['grant_type', 'client_credentials'], ['scope', 'introspection'], ...resources(...uris)));
    const token = readToken(await requestWithClientCredentials());
    const introspect = async (bearer: string): Promise<number> =>
      (await running.post('/o/introspect/', { token }, { authorization: `Bearer ${bearer}` })).status;
    expect(await introspect(await requestBearerToken())).to.equal(200);
    expect(await introspect(await requestBearerToken(SERVER))).to.equal(200);
    expect(await introspect(await requestBearerToken(CALENDAR))).to.equal(401);
  });

  it('is issued with the same response as any other token', async () => {
    expectTokens(await requestWithPassword(CALENDAR), { scope: 'read write groups', refresh: true });
  });
});
