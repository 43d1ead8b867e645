import { expect } from 'chai';
import type { UserId } from '../../../src/domain/values.ts';
import { decodeEvent } from '../../../src/domain/events.ts';
import { DEFAULT_OPENID } from '../../../src/domain/openid-settings.ts';
import { readDjangoOAuthToolkit } from '../../../src/operations/import/django-oauth-toolkit.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { FIXTURE, importFile } from './import-file.ts';

const PARSED_FILE = readDjangoOAuthToolkit(FIXTURE);

const testClient = (id: string, secret: string): TestClient => ({
  id,
  secret,
  basic: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const NIGHTLY = testClient('nightly', 'nightly secret');
const DESK = testClient('desk', 'desk secret, in plain text');
const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };
const passwordGrant = (username: string, password: string): Readonly<Record<string, string>> => ({
  grant_type: 'password',
  username,
  password,
});

describe('an import from django-oauth-toolkit', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
  });
  afterEach(() => running.close());

  const runImport = () => importFile(running, PARSED_FILE, { leaveOutRefused: true });
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);
  const countEvents = async (type: string): Promise<number> =>
    (await eventTypes()).filter((eventType) => eventType === type).length;

  it('reports the outcome of each entry, and writes nothing in a dry run', async () => {
    const { outcomes, imported } = await importFile(running, PARSED_FILE, { dryRun: true });
    expect(outcomes).to.deep.equal({
      editors: 'changed',
      readers: 'taken',
      root: 'changed',
      alice: 'taken',
      bob: 'changed',
      gone: 'taken',
      sso: 'changed',
      old: 'changed',
      scrypted: 'changed',
      early: 'taken',
      ALICE: 'refused',
      webshop: 'taken',
      nightly: 'taken',
      desk: 'changed',
      phone: 'taken',
      house: 'taken',
      nameless: 'changed',
      page: 'refused',
      hybrid: 'refused',
      television: 'taken',
      intranet: 'refused',
    });
    expect(PARSED_FILE.skipped.map(({ kind, outcome }) => [kind, outcome])).to.deep.equal(
      ['oauth2_provider.grant', 'oauth2_provider.accesstoken', 'oauth2_provider.refreshtoken'].map((kind) => [
        kind,
        'left',
      ]),
    );
    expect({ imported, events: await eventTypes() }).to.deep.equal({ imported: false, events: [] });
  });

  it('writes nothing if an entry is refused, unless such entries are left out', async () => {
    expect((await importFile(running, PARSED_FILE)).imported).to.equal(false);
    expect(await eventTypes()).to.deep.equal([]);
    expect((await runImport()).imported).to.equal(true);
    expect({
      users: await countEvents('UserRegistered'),
      clients: await countEvents('ClientRegistered'),
      groups: await countEvents('GroupCreated'),
      disabled: await countEvents('UserDisabled'),
    }).to.deep.equal({ users: 8, clients: 7, groups: 2, disabled: 1 });
  });

  it('refuses unknown grant types, even if they are names of object members', () => {
    for (const grant of ['constructor', '__proto__', 'toString']) {
      const fields = { client_id: 'x', client_type: 'confidential', authorization_grant_type: grant };
      const [candidate] = readDjangoOAuthToolkit(
        JSON.stringify([{ model: 'oauth2_provider.application', pk: 1, fields }]),
      ).candidates;
      expect(candidate, grant).to.deep.include({ entry: null, problem: `the grant type ${grant} is not supported` });
    }
  });

  it('puts users into their groups, by primary or natural keys', async () => {
    await runImport();
    const { users, groups } = running.service().projections;
    const groupsOf = (name: string) => groups.namesOf(users.findByName(name)?.userId as UserId);
    expect([groupsOf('alice'), groupsOf('bob')]).to.deep.equal([['editors'], []]);
    const rows = [
      { model: 'auth.group', pk: 7, fields: { name: 'writers', permissions: [] } },
      { model: 'auth.user', pk: 1, fields: { username: 'natural', password: '!', groups: [['writers']] } },
      { model: 'auth.user', pk: 2, fields: { username: 'numbered', password: '!', groups: [7, 8] } },
    ];
    const { candidates } = readDjangoOAuthToolkit(JSON.stringify(rows));
    expect(candidates.map(({ entry }) => entry?.kind === 'user' && entry.groups)).to.deep.equal([
      false,
      ['writers'],
      ['writers'],
    ]);
    expect(candidates[2]?.changes.join()).to.include('those in groups outside the file are not imported');
  });

  it('keeps post-logout redirect URIs', async () => {
    await runImport();
    expect(running.service().projections.clients.find('webshop')?.openid).to.deep.equal({
      ...DEFAULT_OPENID,
      postLogoutRedirectUris: ['https://shop.example/bye'],
    });
  });

  describe('of applications with OpenID Connect', () => {
    const exportShopWith = (fields: Readonly<Record<string, string>>): string =>
      JSON.stringify([
        {
          model: 'oauth2_provider.application',
          pk: 1,
          fields: {
            client_id: 'shop',
            name: 'Web shop',
            client_type: 'public',
            authorization_grant_type: 'authorization-code',
            redirect_uris: 'https://shop.example/',
            ...fields,
          },
        },
      ]);
    const parseWithAlgorithm = (algorithm: string, grant = 'authorization-code') =>
      readDjangoOAuthToolkit(
        exportShopWith({
          authorization_grant_type: grant,
          post_logout_redirect_uris: 'https://shop.example/bye\r\nhttps://shop.example/ciao',
          algorithm,
        }),
      );

    it('keeps the ID token algorithm, and says that users get new ids', async () => {
      const { results } = await importFile(running, parseWithAlgorithm('RS256'));
      expect(results[0]).to.deep.include({ name: 'shop', outcome: 'changed' });
      expect(results[0]?.says.join()).to.match(/identify users by new ids \(sub\)/);
      expect(running.service().projections.clients.find('shop')).to.deep.include({
        accessTokenAlgorithm: 'RS256',
        openid: {
          ...DEFAULT_OPENID,
          postLogoutRedirectUris: ['https://shop.example/bye', 'https://shop.example/ciao'],
        },
      });
      expect((await importFile(running, parseWithAlgorithm('RS256'))).outcomes).to.deep.equal({ shop: 'there' });
    });

    it('refuses applications with ID tokens signed with the client secret or an unsupported algorithm', async () => {
      for (const [algorithm, reason] of [
        ['HS256', 'the ID tokens of "Web shop" are signed with its client secret (HS256)'],
        ['none', 'the ID tokens of "Web shop" are signed with none, which is not supported'],
      ] as const) {
        const { results, imported } = await importFile(running, parseWithAlgorithm(algorithm));
        expect([results[0]?.outcome, imported], algorithm).to.deep.equal(['refused', false]);
        expect(results[0]?.says.join()).to.include(reason).and.include('change the algorithm to RS256');
      }
    });

    it('ignores the ID token algorithm of applications without ID tokens', async () => {
      const { results } = await importFile(running, parseWithAlgorithm('HS256', 'password'));
      expect(results[0]).to.deep.include({
        outcome: 'changed',
        says: ['ID token algorithm HS256 not imported: the application gets no ID tokens'],
      });
    });

    it('refuses a post-logout redirect URI without TLS, and suggests the setting that allows it', async () => {
      const file = exportShopWith({ post_logout_redirect_uris: 'http://shop.example/bye' });
      const { results } = await importFile(running, readDjangoOAuthToolkit(file));
      expect(results[0]?.outcome).to.equal('refused');
      expect(results[0]?.says.join(' '))
        .to.include('The post-logout redirect URI "http://shop.example/bye" must use https')
        .and.include('plainHttpRedirectUris');
    });
  });

  const EXPECTED_EXPLANATIONS: readonly (readonly [string, string])[] = [
    ['root', 'administrator'],
    ['bob', 'staff'],
    ['sso', 'no usable password'],
    ['old', 'pbkdf2_sha1'],
    ['scrypted', 'grantlog user passwd "scrypted"'],
    ['ALICE', 'auth.user 2'],
    ['desk', 'plain-text secret'],
    ['nameless', 'unnamed'],
    ['editors', 'permissions'],
    ['page', 'implicit'],
    ['hybrid', 'hybrid'],
    ['intranet', 'plainHttpRedirectUris'],
  ];

  it('explains the changes to an entry, and why an entry is refused', async () => {
    const { results } = await importFile(running, PARSED_FILE, { dryRun: true });
    for (const [name, expected] of EXPECTED_EXPLANATIONS)
      expect(results.find((result) => result.name === name)?.says.join('; '), name).to.include(expected);
    expect(
      results.filter(({ outcome, says }) => (outcome === 'taken') !== (says.length === 0)),
      'exactly the changed, refused and skipped entries have an explanation',
    ).to.deep.equal([]);
    expect(JSON.stringify(results)).to.not.include('secret, in plain').and.not.include('pbkdf2_sha256$');
  });

  it("accepts a client's original secret, and stores its argon2id hash on first use", async () => {
    await runImport();
    expect((await running.token(testClient('nightly', 'another'), CLIENT_CREDENTIALS)).status).to.equal(401);
    expect(await countEvents('ClientSecretRehashed')).to.equal(0);
    const responses = await Promise.all([1, 2, 3].map(() => running.token(NIGHTLY, CLIENT_CREDENTIALS)));
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect((await running.token(NIGHTLY, CLIENT_CREDENTIALS)).status).to.equal(200);
    expect(await countEvents('ClientSecretRehashed'), 'only once for three concurrent requests').to.equal(1);
    expect(running.service().projections.clients.find('nightly')?.secret?.algorithm).to.equal('argon2id');
    await running.restart();
    expect((await running.token(NIGHTLY, CLIENT_CREDENTIALS)).status).to.equal(200);
    expect((await running.token(testClient('nightly', 'another'), CLIENT_CREDENTIALS)).status).to.equal(401);
  });

  it("accepts a user's original password, and stores its argon2id hash on first use", async () => {
    await runImport();
    expect((await running.token(DESK, passwordGrant('alice', 'another'))).status).to.equal(400);
    const browsers = [running.browser(), running.browser()];
    for (const page of await Promise.all(browsers.map((browser) => browser.logIn('alice', 'correct horse battery'))))
      expect(page.status).to.equal(302);
    expect(await countEvents('PasswordRehashed'), 'only once for two concurrent logins').to.equal(1);
    expect(running.service().projections.users.findByName('alice')?.passwordHash).to.match(/^\$argon2id\$/);
    for (const browser of browsers)
      expect((await browser.get('/accounts/')).status, 'the session continues').to.equal(200);
    await running.restart();
    expect((await running.token(DESK, passwordGrant('alice', 'correct horse battery'))).status).to.equal(200);
    expect((await running.token(DESK, passwordGrant('alice', 'another'))).status).to.equal(400);
    expect(await countEvents('PasswordRehashed')).to.equal(1);
  });

  it('does not accept passwords of inactive users or passwords that could not be imported', async () => {
    await runImport();
    for (const [username, password] of [
      ['gone', 'was here once'],
      ['sso', ''],
      ['sso', '!'],
      ['old', 'from long ago'],
      ['scrypted', 'a salty one'],
      ['ALICE', 'not alice'],
    ] as const) {
      expect((await running.token(DESK, passwordGrant(username, password))).json, username).to.include({
        error: password === '' ? 'invalid_request' : 'invalid_grant',
      });
    }
    const oldUser = running.service().projections.users.findByName('old');
    if (oldUser !== undefined)
      await running
        .service()
        .accounts.changePassword(oldUser, 'a new one', { actor: { kind: 'operator' }, requestId: null });
    expect((await running.token(DESK, passwordGrant('old', 'a new one'))).status).to.equal(200);
  });

  it('changes nothing when repeated, before and after the first login to an imported account', async () => {
    await runImport();
    const typesBefore = await eventTypes();
    const { results } = await runImport();
    expect(results.filter(({ outcome }) => outcome !== 'refused').map(({ outcome }) => outcome)).to.deep.equal(
      Array.from({ length: 17 }, () => 'there'),
    );
    expect(await eventTypes()).to.deep.equal(typesBefore);
    await running.token(DESK, passwordGrant('early', 'an early one'));
    const typesAfterLogin = await eventTypes();
    expect((await runImport()).outcomes).to.include({ early: 'there', desk: 'there' });
    expect(await eventTypes()).to.deep.equal(typesAfterLogin);
  });

  it('continues after an interruption', async () => {
    const [first, ...otherCandidates] = PARSED_FILE.candidates;
    await importFile(
      running,
      { candidates: [first, ...otherCandidates].slice(0, 4).flatMap((candidate) => candidate ?? []), skipped: [] },
      { leaveOutRefused: true },
    );
    const { outcomes } = await runImport();
    expect(Object.values(outcomes).filter((outcome) => outcome === 'there')).to.have.length(4);
    expect(Object.values(outcomes).filter((outcome) => outcome === 'taken' || outcome === 'changed')).to.have.length(
      13,
    );
  });

  it('refuses an existing entry with different data, and reports the difference', async () => {
    await runImport();
    const changedFixture = FIXTURE.replace('alice@example.org', 'alice@example.com')
      .replace('https://house.example/cb', 'https://house.example/other')
      .replace('pbkdf2_sha256$260000$', 'pbkdf2_sha256$260001$');
    const { results } = await importFile(running, readDjangoOAuthToolkit(changedFixture), { dryRun: true });
    expect(
      results.filter(({ outcome }) => outcome === 'refused').map(({ name }) => name),
      'the applications of the refused user',
    ).to.include.members(['webshop', 'phone']);
    const messageFor = (name: string): string =>
      results.find((result) => result.name === name && result.outcome === 'refused')?.says.join() ?? '';
    expect(
      [messageFor('alice'), messageFor('house'), messageFor('early')].map(
        (says) => /with a different (.*?):/.exec(says)?.[1],
      ),
    ).to.deep.equal(['e-mail', 'redirect URIs', 'password']);
  });

  it('never reuses the id of a removed application, and does not import an application without its owner', async () => {
    await runImport();
    await running
      .service()
      .registration.remove(running.service().projections.clients.find('nightly')?.clientId ?? failUnknownClient(), {
        actor: { kind: 'operator' },
        requestId: null,
      });
    expect((await runImport()).results.find(({ name }) => name === 'nightly')).to.deep.include({ outcome: 'refused' });
    const withoutUsers = JSON.stringify(
      (JSON.parse(FIXTURE) as { readonly model: string }[]).filter(({ model }) => model !== 'auth.user'),
    );
    const webshop = readDjangoOAuthToolkit(withoutUsers).candidates.find(({ name }) => name === 'webshop');
    expect(webshop?.problem).to.include('include the users in the dump');
  });

  it('recognizes owners by natural keys and custom models by their fields', async () => {
    const fixtureWithNaturalKeys = FIXTURE.replaceAll('"user": 2', '"user": ["alice"]')
      .replaceAll('auth.user', 'people.person')
      .replaceAll('oauth2_provider.application', 'shop.client');
    const { outcomes } = await importFile(running, readDjangoOAuthToolkit(fixtureWithNaturalKeys), { dryRun: true });
    expect(outcomes).to.include({ alice: 'taken', webshop: 'taken', phone: 'taken' });
  });

  it("records every event as the operator's, under its schema", async () => {
    await runImport();
    const events = await running.events();
    expect(new Set(events.map(({ actor }) => actor.kind))).to.deep.equal(new Set(['operator']));
    for (const event of events) expect(decodeEvent(event).type).to.equal(event.type);
    expect(JSON.stringify(events)).to.not.include('alice').and.not.include('Liddell');
  });

  for (const [content, text] of [
    ['text that is not JSON', 'auth:'],
    ['an object instead of an array', '{}'],
    ['an array of unrelated objects', '[{"pk": 1}]'],
  ] as const) {
    it(`describes the expected fixture when it gets ${content}`, () =>
      expect(() => readDjangoOAuthToolkit(text)).to.throw(/manage\.py dumpdata/));
  }
});

function failUnknownClient(): never {
  throw new Error('there is no such client');
}
