import { expect } from 'chai';
import type { Candidate } from '../../../src/operations/import/entry.ts';
import { openIdJson } from '../../../src/domain/openid-settings.ts';
import { securityJson } from '../../../src/domain/security-settings.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { readJsonl } from '../../../src/operations/import/jsonl.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';
import { pbkdf2Of } from '../../support/quick-hasher.ts';
import { importFile } from './import-file.ts';

const toLines = (...entries: readonly object[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const SHOP = {
  kind: 'application',
  client_id: 'shop',
  client_secret: 'hunter2',
  name: 'Shop',
  client_type: 'confidential',
  grant_types: ['password'],
  owner: 'ada',
};
const ADA = {
  kind: 'user',
  username: 'ada',
  password: 'correct horse',
  email: 'ada@example.org',
  first_name: 'Ada',
  roles: ['auditor'],
};

describe('an import from JSON lines', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
  });
  afterEach(() => running.close());

  const requestTokenStatus = async (
    id: string,
    secret: string,
    username: string,
    password: string,
  ): Promise<number> => {
    const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    return (await running.token({ id, secret, basic }, { grant_type: 'password', username, password })).status;
  };

  it('puts users into groups in the file or on this server, and refuses users in unknown groups', async () => {
    const entry = (username: string, ...groups: readonly string[]) => ({ kind: 'user', username, groups });
    const file = toLines(entry('ada', 'editors', 'editors'), { kind: 'group', name: 'editors' });
    expect((await importFile(running, readJsonl(file))).outcomes).to.deep.equal({ editors: 'taken', ada: 'taken' });
    const { users, groups } = running.service().projections;
    const ada = users.findByName('ada');
    expect(ada && groups.namesOf(ada.userId)).to.deep.equal(['editors']);
    const secondImport = await importFile(
      running,
      readJsonl(file + toLines(entry('bob', 'editors'), entry('eve', 'nowhere'))),
      {
        leaveOutRefused: true,
      },
    );
    expect(secondImport.outcomes).to.deep.equal({ editors: 'there', ada: 'there', bob: 'taken', eve: 'refused' });
    const problem = readJsonl(toLines({ kind: 'robot' })).candidates[0]?.problem;
    expect(problem).to.include('kind: must be user, group or application');
  });

  it('accepts users, groups and applications in any order, with plaintext or hashed secrets', async () => {
    const hashedShop = {
      ...SHOP,
      client_id: 'other',
      client_secret: undefined,
      client_secret_hash: pbkdf2Of('hunter3'),
      owner: 'bob',
    };
    const bob = { kind: 'user', username: 'bob', password_hash: pbkdf2Of('staple', 3), active: true };
    const { outcomes } = await importFile(
      running,
      readJsonl(`\uFEFF\n${toLines(SHOP, hashedShop, { kind: 'group', name: 'editors' }, ADA, bob)}\r\n`),
    );
    expect(outcomes).to.deep.equal({ editors: 'taken', ada: 'taken', bob: 'taken', shop: 'taken', other: 'taken' });
    const { users, clients } = running.service().projections;
    expect(users.findByName('ada')).to.deep.include({
      email: 'ada@example.org',
      firstName: 'Ada',
      lastName: '',
      active: true,
      roles: ['auditor'],
    });

    expect(clients.find('shop')?.members[0]).to.include({ userId: users.findByName('ada')?.userId, role: 'owner' });
    expect(clients.find('shop')).to.deep.include({
      name: 'Shop',
      skipAuthorization: false,
      accessTokenFormat: 'opaque',
    });
    expect(
      await Promise.all([
        requestTokenStatus('shop', 'hunter2', 'ada', 'correct horse'),
        requestTokenStatus('other', 'hunter3', 'bob', 'staple'),
        requestTokenStatus('other', 'hunter2', 'bob', 'staple'),
      ]),
    ).to.deep.equal([200, 200, 401]);
  });

  it('accepts an account without a password and a client without a secret, but neither can authenticate', async () => {
    await importFile(
      running,
      readJsonl(
        toLines(
          { kind: 'user', username: 'ada' },
          { ...SHOP, client_secret: undefined },
          { ...SHOP, client_id: 'good', owner: null },
        ),
      ),
    );
    expect(await requestTokenStatus('good', 'hunter2', 'ada', 'correct horse')).to.equal(400);
    for (const secret of ['hunter2', 'null', '!'])
      expect(await requestTokenStatus('shop', secret, 'ada', 'correct horse'), secret).to.equal(401);
  });

  it('changes nothing when repeated', async () => {
    const parsedFile = readJsonl(toLines(ADA, SHOP, { kind: 'group', name: ' editors ' }));
    await importFile(running, parsedFile);
    expect((await importFile(running, parsedFile)).outcomes).to.deep.equal({
      ' editors ': 'there',
      ada: 'there',
      shop: 'there',
    });
    expect(await running.events()).to.have.length(3);
  });

  it('accepts settings for OpenID Connect, and reports differences from an existing application', async () => {
    const openIdSettings = {
      access_token_algorithm: 'EdDSA',
      id_token_algorithm: 'ES256',
      userinfo_algorithm: 'PS256',
      subject_type: 'pairwise',
      sector_identifier_uri: null,
      post_logout_redirect_uris: ['https://shop.example/a', 'https://shop.example/b'],
      backchannel_logout_uri: 'https://shop.example/logout',
      backchannel_logout_session_required: true,
      initiate_login_uri: 'https://shop.example/login',
      default_max_age: 3_600,
      require_auth_time: true,
    };
    const shop = { ...SHOP, owner: null, ...openIdSettings };
    expect((await importFile(running, readJsonl(toLines(shop)))).outcomes).to.deep.equal({ shop: 'taken' });
    const client = running.service().projections.clients.find('shop') ?? expect.fail('no client');
    expect({ access_token_algorithm: client.accessTokenAlgorithm, ...openIdJson(client.openid) }).to.deep.equal(
      openIdSettings,
    );
    const reorderedShop = { ...shop, post_logout_redirect_uris: openIdSettings.post_logout_redirect_uris.toReversed() };
    const { access_token_algorithm: _omitted, ...incomplete } = reorderedShop;
    for (const variant of [shop, reorderedShop, incomplete])
      expect((await importFile(running, readJsonl(toLines(variant)))).outcomes).to.deep.equal({ shop: 'there' });
    const changedShop = {
      ...shop,
      access_token_algorithm: 'RS256',
      post_logout_redirect_uris: [],
      default_max_age: null,
    };
    expect((await importFile(running, readJsonl(toLines(changedShop)))).results[0]?.says[0]).to.include(
      'a different access token algorithm, post logout redirect uris, default max age:',
    );
  });

  it('accepts keys and token protection, and reports differences from an existing application', async () => {
    const bank = {
      ...SHOP,
      client_secret: undefined,
      owner: null,
      grant_types: ['client-credentials'],
      profile: 'fapi2',
      jwks: { keys: [keyPairFor('ES256').jwk] },
    };
    expect((await importFile(running, readJsonl(toLines(bank)))).outcomes).to.deep.equal({ shop: 'taken' });
    const client = running.service().projections.clients.find('shop') ?? expect.fail('no client');
    expect(client.authentication.methods).to.deep.equal(['private_key_jwt']);
    expect(client.openid.idTokenAlgorithm).to.equal('PS256');
    expect(client.security).to.include({ profile: 'fapi2', dpopBoundAccessTokens: true });
    const exportedSettings = JSON.parse(JSON.stringify(securityJson(client.security))) as object;
    for (const variant of [bank, { ...bank, ...exportedSettings, auth_methods: ['private_key_jwt'] }])
      expect((await importFile(running, readJsonl(toLines(variant)))).outcomes).to.deep.equal({ shop: 'there' });
    const changedBank = {
      ...bank,
      profile: null,
      require_signed_request_object: true,
      auth_methods: ['client_secret_basic'],
    };
    expect((await importFile(running, readJsonl(toLines(changedBank)))).results[0]?.says[0]).to.include(
      'a different profile, require signed request object, authentication methods:',
    );
  });

  it('refuses private keys and settings that contradict a profile, with all reasons', async () => {
    const { kty, crv, x, y } = keyPairFor('ES256').jwk;
    const shop = { ...SHOP, owner: null, grant_types: ['client-credentials'] };
    const shopWithPrivateKey = { ...shop, jwks: { keys: [{ kty, crv, x, y, d: 'AAAA' }] } };
    expect((await importFile(running, readJsonl(toLines(shopWithPrivateKey)))).results[0]?.says[0]).to.include(
      'Key 1 is private',
    );
    const weakShop = { ...shop, profile: 'fapi2', id_token_algorithm: 'RS256' };
    const { results } = await importFile(running, readJsonl(toLines(weakShop)));
    expect(results[0]?.says.join(' ')).to.include('requires private_key_jwt').and.to.include('forbids RS256');
  });

  it('accepts a presentation, and refuses an existing application with a different one', async () => {
    const presentation = {
      description: 'A shop.',
      client_uri: 'https://shop.example/',
      policy_uri: null,
      tos_uri: null,
    };
    const shop = { ...SHOP, owner: null, ...presentation };
    await importFile(running, readJsonl(toLines(shop)));
    expect(running.service().projections.clients.find('shop')?.presentation).to.deep.equal({
      description: 'A shop.',
      homepageUri: 'https://shop.example/',
      policyUri: null,
      tosUri: null,
    });
    expect((await importFile(running, readJsonl(toLines(shop)))).outcomes).to.deep.equal({ shop: 'there' });
    const changedShop = { ...shop, tos_uri: 'https://shop.example/terms' };
    expect((await importFile(running, readJsonl(toLines(changedShop)))).results[0]?.says[0]).to.include(
      'a different presentation',
    );
    const invalidShop = { ...shop, client_id: 'other', policy_uri: 'http://shop.example/' };
    expect((await importFile(running, readJsonl(toLines(invalidShop)))).results[0]?.says.join()).to.include(
      'must use https',
    );
  });

  const REFUSED_LINES: readonly (readonly [string, string | object, string])[] = [
    ['a line that is not JSON, without quoting it', '{"password":"hunter2', 'is not JSON'],
    ['a line that is not a JSON object', '["user"]', 'expected object'],
    ['an unknown kind', { kind: 'token' }, 'kind'],
    ['an unknown field', { ...ADA, is_staff: true }, 'is_staff'],
    ['two passwords', { ...ADA, password_hash: pbkdf2Of('x') }, 'not both'],
    ['two secrets', { ...SHOP, client_secret_hash: pbkdf2Of('x') }, 'not both'],
    [
      'a hash in an unsupported format',
      { kind: 'user', username: 'ada', password_hash: '$2b$12$abc' },
      'pbkdf2_sha256$',
    ],
    [
      'too many iterations',
      { kind: 'user', username: 'ada', password_hash: pbkdf2Of('x').replace('$1$', '$99999999$') },
      'at most 10000000 iterations',
    ],
    ['no name', { kind: 'user', username: '' }, 'username: This field is required.'],
    ['a name with an invisible character', { kind: 'user', username: 'a\u200bda' }, 'invisible characters'],
    ['an invalid e-mail address', { ...ADA, email: 'ada' }, 'email: '],
    ['an unknown role', { ...ADA, roles: ['king'] }, 'roles'],
    ['an unknown grant type', { ...SHOP, owner: null, grant_types: ['implicit'] }, 'grant_types'],
    ['no grant type', { ...SHOP, owner: null, grant_types: [] }, 'Choose one or more of'],
    ['a client id with a space', { ...SHOP, owner: null, client_id: 'a b' }, 'client id'],
    ['a secret with non-ASCII characters', { ...SHOP, owner: null, client_secret: 'hünter' }, 'client secret'],
    ['an unknown owner', { ...SHOP, owner: 'nobody' }, '"nobody"'],
    [
      'a redirect URI without TLS',
      { ...SHOP, owner: null, redirect_uris: ['http://shop.example/cb'] },
      'plainHttpRedirectUris',
    ],
    ['a group without a name', { kind: 'group', name: ' ' }, '1 to 150 characters'],
  ];
  for (const [content, line, text] of REFUSED_LINES) {
    it(`refuses ${content} with its line number and the reason, and writes nothing`, async () => {
      const parsedFile = readJsonl(
        `${toLines({ kind: 'group', name: 'good' })}${typeof line === 'string' ? line : JSON.stringify(line)}\n`,
      );
      const { results, imported } = await importFile(running, parsedFile);
      const [refusedResult] = results.filter(({ outcome }) => outcome === 'refused');
      expect(refusedResult?.from).to.equal('line 2');
      expect(refusedResult?.says.join()).to.include(text);
      expect(JSON.stringify(results)).to.not.include('hunter2');
      expect({ imported, events: await running.events() }).to.deep.equal({ imported: false, events: [] });
    });
  }

  it('refuses the second of two entries with the same name, or with names that look alike', async () => {
    const { results } = await importFile(
      running,
      readJsonl(toLines(ADA, { ...ADA, username: 'ＡDA' }, { ...SHOP, owner: null }, { ...SHOP, owner: null })),
      { dryRun: true },
    );
    expect(results.map(({ from, outcome }) => [from, outcome])).to.deep.equal([
      ['line 1', 'taken'],
      ['line 2', 'refused'],
      ['line 3', 'taken'],
      ['line 4', 'refused'],
    ]);
  });

  it('refuses a name that looks like that of an existing user', async () => {
    await running.addUser('ada');
    const { results } = await importFile(running, readJsonl(toLines({ ...ADA, username: 'Ada' })), {
      dryRun: true,
    });
    expect(
      results.map(({ outcome, says }) => [outcome, says.join().includes('too similar to an existing one')]),
    ).to.deep.equal([['refused', true]]);
  });

  it('validates every entry again when it is written', async () => {
    const uncheckedCandidate: Candidate = {
      kind: 'user',
      name: 'ada',
      from: 'line 1',
      changes: [],
      problem: null,
      entry: null,
    };
    expect((await importFile(running, { candidates: [uncheckedCandidate], skipped: [] })).outcomes).to.deep.equal({
      ada: 'refused',
    });
  });
});
