import { expect } from 'chai';
import type { AccessEntry } from '../../src/audit/queries/access-report.ts';
import { operate } from '../../src/operations/operations.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { expectRefusal, expectTokens, isAccepted, expectNothingAppended } from '../support/protocol-answers.ts';
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
  type Answer,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const HERE = 'http://localhost:8000';
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

/** A token request whose parameters may repeat. */
const ask = (...parameters: readonly [string, string][]): Promise<Answer> =>
  running.post('/o/token/', new URLSearchParams(parameters).toString(), { authorization: client.basic });
const resources = (...uris: readonly string[]): [string, string][] => uris.map((uri) => ['resource', uri]);
const byPassword = (...uris: readonly string[]): Promise<Answer> =>
  ask(['grant_type', 'password'], ['username', owner.username], ['password', owner.password], ...resources(...uris));
const forItself = (...uris: readonly string[]): Promise<Answer> =>
  ask(['grant_type', 'client_credentials'], ...resources(...uris));
const refresh = (token: unknown, ...uris: readonly string[]): Promise<Answer> =>
  ask(['grant_type', 'refresh_token'], ['refresh_token', String(token)], ...resources(...uris));
const redeem = (code: string, ...uris: readonly string[]): Promise<Answer> =>
  ask(['grant_type', 'authorization_code'], ['code', code], ['redirect_uri', REDIRECT_URI], ...resources(...uris));
const audienceOf = async ({ json }: Answer): Promise<unknown> =>
  (await running.post('/o/introspect/', { token: String(json?.['access_token']) }, { authorization: client.basic }))
    .json?.['aud'];

describe('RFC 8707 §2: the resource parameter', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  it('restricts a token to the named resource servers, sent once or several times', async () => {
    expect(await audienceOf(await forItself(CALENDAR))).to.equal(CALENDAR);
    expect(await audienceOf(await forItself(CALENDAR, CONTACTS))).to.deep.equal([CALENDAR, CONTACTS]);
    expect(await audienceOf(await byPassword(CONTACTS, CONTACTS))).to.equal(CONTACTS);
  });

  it('restricts nothing if omitted or empty: the token has no audience and no event mentions one', async () => {
    expect(await audienceOf(await byPassword())).to.equal(undefined);
    expect(await audienceOf(await forItself(''))).to.equal(undefined);
    for (const event of await running.events()) expect(event.data).not.to.have.property('resource');
  });

  it('is invalid_target for an unknown resource server, and leaves no trace', async () => {
    for (const uri of [
      'https://elsewhere.example',
      `${CALENDAR}/`,
      `${CALENDAR}/x`,
      CALENDAR.toUpperCase(),
      `${CALENDAR} ${CONTACTS}`,
    ]) {
      expectRefusal(await expectNothingAppended(running, () => forItself(uri)), 'invalid_target');
      expectRefusal(await expectNothingAppended(running, () => byPassword(CALENDAR, uri)), 'invalid_target');
    }
  });

  it('is invalid_target unless it is an absolute URI without a fragment', async () => {
    for (const uri of [`${CALENDAR}#top`, '/api', 'cal.example', 'not a uri', '\u0000'])
      expectRefusal(await forItself(uri), 'invalid_target');
  });

  it('is invalid_target if too many are named', async () => {
    expectRefusal(await forItself(...Array.from({ length: 11 }, () => CALENDAR)), 'invalid_target');
  });

  it('may end with the slash of an empty path or not, and is reported as the operator wrote it', async () => {
    expect(await audienceOf(await forItself(`${CONTACTS}/`))).to.equal(CONTACTS);
    expect(await audienceOf(await forItself(`${HERE}/`))).to.equal(HERE);
  });

  it('can be any that the metadata name, and no other', async () => {
    const { json } = await running.get('/.well-known/oauth-authorization-server');
    expect(json?.['protected_resources']).to.deep.equal([HERE, CALENDAR, CONTACTS]);
  });

  it('is the only parameter that may be repeated', async () => {
    expectRefusal(
      await ask(['grant_type', 'client_credentials'], ['scope', 'read'], ['scope', 'read'], ...resources(CALENDAR)),
      'invalid_request',
    );
  });
});

describe('RFC 8707 §2: the resource parameter in JSON', () => {
  beforeEach(() => setUp({ jsonTokenRequests: true }));
  afterEach(() => running.close());

  const json = (body: string): Promise<Answer> =>
    running.post('/o/token/', body, { authorization: client.basic, 'content-type': 'application/json' });

  it('is a string or a list of strings', async () => {
    const requestParameters = { grant_type: 'client_credentials' };
    expect(await audienceOf(await json(JSON.stringify({ ...requestParameters, resource: CALENDAR })))).to.equal(
      CALENDAR,
    );
    expect(
      await audienceOf(await json(JSON.stringify({ ...requestParameters, resource: [CALENDAR, CONTACTS] }))),
    ).to.deep.equal([CALENDAR, CONTACTS]);
    expect(await audienceOf(await json(JSON.stringify({ ...requestParameters, resource: [] })))).to.equal(undefined);
    for (const resource of [[1], [[CALENDAR]], { uri: CALENDAR }, null])
      expectRefusal(await json(JSON.stringify({ ...requestParameters, resource })), 'invalid_request');
    expectRefusal(await json(JSON.stringify({ ...requestParameters, scope: ['read'] })), 'invalid_request');
  });

  it('is refused as a repeated member', async () => {
    expectRefusal(
      await json(`{"grant_type":"client_credentials","resource":"${CALENDAR}","resource":["${CONTACTS}"]}`),
      'invalid_request',
    );
    expectRefusal(
      await json(`{"grant_type":"client_credentials","resource":["${CALENDAR}"],"resource":"${CONTACTS}"}`),
      'invalid_request',
    );
  });
});

describe('RFC 8707 §2.1: resources of an authorization request', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  const withResources = (...uris: readonly string[]): string =>
    `${authorizePath(client)}&${new URLSearchParams(resources(...uris)).toString()}`;

  it('are shown on the consent page, and bound to what was shown', async () => {
    const browser = await openSession(running, owner);
    const page = await browser.get(withResources(CALENDAR, CONTACTS));
    expect(page.html).to.include(CALENDAR).and.to.include(CONTACTS).and.to.include('Valid for these APIs');
    const { parameters } = parseRedirect(await browser.submit(page, { allow: 'Authorize', resource: HERE }));
    expect(await audienceOf(await redeem(parameters['code'] ?? ''))).to.deep.equal([CALENDAR, CONTACTS]);
    expect((await browser.get(authorizePath(client))).html).not.to.include('Valid for these APIs');
    expect((await browser.get('/o/authorized_tokens/')).html).to.include(`for <code>${CALENDAR}</code>`);
  });

  it('survive the login', async () => {
    const browser = running.browser();
    const { location } = await browser.get(withResources(CALENDAR, CONTACTS));
    const next = new URL(location ?? '', HERE).searchParams.get('next') ?? '';
    expect(new URL(next, HERE).searchParams.getAll('resource')).to.deep.equal([CALENDAR, CONTACTS]);
  });

  it('that are unknown result in invalid_target; repeating any other parameter, in an error page', async () => {
    const browser = await openSession(running, owner);
    expectErrorRedirect(await browser.get(withResources('https://elsewhere.example')), 'invalid_target');
    expectErrorRedirect(await browser.get(withResources(`${CALENDAR}#top`)), 'invalid_target');
    expectErrorPage(await browser.get(`${withResources(CALENDAR)}&scope=read&scope=write`));
  });

  it('are part of a recorded consent: consent for one resource server covers neither another one nor all', async () => {
    await redeem(await running.authorize(client, owner, { resource: CALENDAR }));
    const browser = await openSession(running, owner);
    const isAsked = async (...uris: readonly string[]): Promise<boolean> =>
      (await browser.get(`${withResources(...uris)}&approval_prompt=auto`)).status === 200;
    expect(await isAsked(CALENDAR)).to.equal(false);
    expect(await isAsked(CONTACTS)).to.equal(true);
    expect(await isAsked(CALENDAR, CONTACTS)).to.equal(true);
    expect(await isAsked()).to.equal(true);
  });
});

describe('RFC 8707 §2.2: resources of a token request', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  const both = (): Promise<string> => authorizeFor(CALENDAR, CONTACTS);
  async function authorizeFor(...uris: readonly string[]): Promise<string> {
    const browser = await openSession(running, owner);
    const query = new URLSearchParams(resources(...uris)).toString();
    return (
      parseRedirect(
        await browser.submit(await browser.get(`${authorizePath(client)}&${query}`), { allow: 'Authorize' }),
      ).parameters['code'] ?? ''
    );
  }

  it('are those of the code, or some of them', async () => {
    expect(await audienceOf(await redeem(await both()))).to.deep.equal([CALENDAR, CONTACTS]);
    expect(await audienceOf(await redeem(await both(), CONTACTS))).to.equal(CONTACTS);
    expect(await audienceOf(await redeem(await running.authorize(client, owner), CONTACTS))).to.equal(CONTACTS);
  });

  it('beyond those of the code are refused, and the code stays valid', async () => {
    const code = await authorizeFor(CALENDAR);
    expectRefusal(await expectNothingAppended(running, () => redeem(code, CONTACTS)), 'invalid_target');
    expectRefusal(await expectNothingAppended(running, () => redeem(code, CALENDAR, CONTACTS)), 'invalid_target');
    expect(await audienceOf(await redeem(code, CALENDAR))).to.equal(CALENDAR);
  });

  it('narrow a refreshed access token but not the grant: the next token may be for another one', async () => {
    const first = await redeem(await both(), CALENDAR);
    const second = await refresh(first.json?.['refresh_token'], CONTACTS);
    expect(await audienceOf(second)).to.equal(CONTACTS);
    const third = await refresh(second.json?.['refresh_token']);
    expect(await audienceOf(third)).to.deep.equal([CALENDAR, CONTACTS]);
    expectRefusal(
      await expectNothingAppended(running, () => refresh(third.json?.['refresh_token'], HERE)),
      'invalid_target',
    );
    expect((await refresh(third.json?.['refresh_token'])).status).to.equal(200);
  });

  it('must be the same when a lost response is repeated', async () => {
    const { json } = await byPassword(CALENDAR, CONTACTS);
    const answer = await refresh(json?.['refresh_token'], CALENDAR);
    expect(answer.status).to.equal(200);
    expect((await expectNothingAppended(running, () => refresh(json?.['refresh_token'], CALENDAR))).text).to.equal(
      answer.text,
    );
    for (const uris of [[], [CONTACTS], [CALENDAR, CONTACTS]]) {
      expectRefusal(
        await expectNothingAppended(running, () => refresh(json?.['refresh_token'], ...uris)),
        'invalid_target',
      );
    }
    await running.restart();
    expect((await expectNothingAppended(running, () => refresh(json?.['refresh_token'], CALENDAR))).text).to.equal(
      answer.text,
    );
  });

  it('are shown to auditors who ask about past access', async () => {
    await redeem(await both(), CALENDAR);
    const held: unknown[] = [];
    for await (const item of operate(running.service())('log as-of', {}, new AbortController().signal)) held.push(item);
    const places = held.flatMap((item) =>
      (item as AccessEntry).kind === undefined ? [] : [[(item as AccessEntry).kind, (item as AccessEntry).resource]],
    );
    expect(places).to.deep.include.members([
      ['account', null],
      ['grant', `${CALENDAR} ${CONTACTS}`],
      ['token', CALENDAR],
    ]);
  });

  it('are recorded with every token', async () => {
    await redeem(await both(), CALENDAR);
    const recorded = (await running.events())
      .map(decodeEvent)
      .flatMap(({ type, data }) =>
        type === 'AuthorizationCodeIssued' || type === 'AccessTokenIssued' || type === 'RefreshTokenIssued'
          ? [[type, data.resource]]
          : [],
      );
    expect(recorded).to.deep.equal([
      ['AuthorizationCodeIssued', [CALENDAR, CONTACTS]],
      ['AccessTokenIssued', [CALENDAR]],
      ['RefreshTokenIssued', [CALENDAR, CONTACTS]],
    ]);
  });
});

describe('RFC 8707 §3, RFC 9068 §4: a restricted token', () => {
  beforeEach(() => setUp());
  afterEach(() => running.close());

  const tokenOf = ({ json }: Answer): string => String(json?.['access_token']);

  it('is accepted here if it is for this server or unrestricted', async () => {
    expect(await isAccepted(running, tokenOf(await byPassword()))).to.equal(true);
    expect(await isAccepted(running, tokenOf(await byPassword(HERE)))).to.equal(true);
    expect(await isAccepted(running, tokenOf(await byPassword(CALENDAR, HERE)))).to.equal(true);
  });

  it('is invalid_token if it is only for other resource servers, whatever its scope', async () => {
    const token = tokenOf(await byPassword(CALENDAR));
    const { status, headers } = await running.get('/users/', { authorization: `Bearer ${token}` });
    expect(status).to.equal(401);
    expect(headers.get('www-authenticate')).to.include('error="invalid_token"');
  });

  it('only for other resource servers cannot be used to introspect here', async () => {
    client = await running.addClient({ restrictedScopes: ['introspection'] });
    const introspector = async (...uris: readonly string[]): Promise<string> =>
      tokenOf(await ask(['grant_type', 'client_credentials'], ['scope', 'introspection'], ...resources(...uris)));
    const token = tokenOf(await forItself());
    const introspect = async (bearer: string): Promise<number> =>
      (await running.post('/o/introspect/', { token }, { authorization: `Bearer ${bearer}` })).status;
    expect(await introspect(await introspector())).to.equal(200);
    expect(await introspect(await introspector(HERE))).to.equal(200);
    expect(await introspect(await introspector(CALENDAR))).to.equal(401);
  });

  it('is introspected like any other', async () => {
    expectTokens(await byPassword(CALENDAR), { scope: 'read write groups', refresh: true });
  });
});
