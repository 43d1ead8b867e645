import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodeEvent } from '../../../src/domain/events.ts';
import { readKeycloak } from '../../../src/operations/import/keycloak.ts';
import { argon2idHasher } from '../../../src/platform/ports.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { importFile } from './import-file.ts';

const FILE = readFileSync(join(import.meta.dirname, 'keycloak-26.2.5.json'), 'utf8');
const PARSED_FILE = readKeycloak(FILE);

const passwordGrant = (username: string, password = `the password of ${username}`) => ({
  grant_type: 'password',
  username,
  password,
});

describe('an import from Keycloak', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ hasher: argon2idHasher() });
  });
  afterEach(() => running.close());

  const runImport = () => importFile(running, PARSED_FILE, { leaveOutRefused: true });
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);
  /** Returns the changes to an entry, and its problem, as far as they follow from the file itself. */
  function reportFor(name: string): string {
    const entry =
      PARSED_FILE.candidates.find((candidate) => candidate.name === name) ?? expect.fail(`no entry ${name}`);
    return [...entry.changes, entry.problem ?? ''].join('; ');
  }

  it('reports the outcome of each entry, and writes nothing in a dry run', async () => {
    const { outcomes, imported } = await importFile(running, PARSED_FILE, { dryRun: true });
    expect(outcomes).to.deep.equal({
      staff: 'changed',
      'staff/developers': 'changed',
      customers: 'changed',
      ada: 'changed',
      bob: 'changed',
      carol: 'changed',
      dave: 'changed',
      erin: 'changed',
      frank: 'changed',
      grace: 'changed',
      heidi: 'changed',
      webshop: 'changed',
      nightly: 'changed',
      page: 'changed',
      television: 'changed',
      hidden: 'changed',
      signing: 'taken',
      anywhere: 'refused',
      implicit: 'refused',
      certificate: 'refused',
      symmetric: 'refused',
    });
    expect({ imported, events: await eventTypes() }).to.deep.equal({ imported: false, events: [] });
  });

  it('numbers users and clients as in the file, including those that are skipped', () => {
    const { candidates } = readKeycloak(
      JSON.stringify({
        realm: 'staff',
        users: [{ username: 'service-account-job', serviceAccountClientId: 'job' }, { username: 'ada' }],
        clients: [{ clientId: 'account' }, { clientId: 'webshop', enabled: true }],
      }),
    );
    expect(candidates.map(({ name, from }) => [name, from])).to.deep.equal([
      ['ada', 'user 2'],
      ['webshop', 'client 2'],
    ]);
  });

  it('lists all other content of the file, with the reason why it is not imported', () => {
    expect(PARSED_FILE.skipped.map(({ kind, name, outcome }) => [kind, name, outcome])).to.deep.equal([
      ...['account', 'account-console', 'admin-cli', 'broker', 'realm-management', 'security-admin-console'].map(
        (name) => ['client', name, 'left'],
      ),
      ['client', 'api', 'left'],
      ['client', 'https://saml.example/', 'left'],
      ['client', 'gone', 'left'],
      ['client scope', '1', 'left'],
      ['realm role', '1', 'left'],
      ['client role', '1', 'left'],
      ['identity provider', '1', 'left'],
      ['user federation', '1', 'left'],
      ['service account', '1', 'left'],
      ['signing key', '2', 'left'],
    ]);
    for (const { says } of PARSED_FILE.skipped) expect(says.join()).to.match(/^not imported: ./);
  });

  it('keeps the passwords that this server can verify, and replaces PBKDF2 at the first login', async () => {
    await runImport();
    const client = await running.addClient();
    for (const name of ['ada', 'bob', 'grace']) {
      expect((await running.token(client, passwordGrant(name))).status, name).to.equal(200);
      expect((await running.token(client, passwordGrant(name, 'a wrong password'))).status, name).to.equal(400);
      expect(running.service().projections.users.findByName(name)?.passwordHash).to.match(/^\$argon2id\$/);
    }
    expect((await running.token(client, passwordGrant('bob'))).status).to.equal(200);
  });

  it('does not import passwords that had to be changed, or whose hashes this server cannot verify', async () => {
    await runImport();
    const { users } = running.service().projections;
    for (const name of ['carol', 'erin', 'frank', 'heidi'])
      expect(users.findByName(name)?.passwordHash, name).to.equal('');
    expect(reportFor('carol')).to.include('because pbkdf2-sha512 hashes are not supported');
    expect(reportFor('erin')).to.include('because the user was required to change it');
    expect(reportFor('heidi')).to.include('because the user was required to change it');
    expect(reportFor('frank')).to.include('the password is stored in another directory');
  });

  it('keeps the names, addresses, states and groups of users', async () => {
    await runImport();
    const { users, groups } = running.service().projections;
    const ada = users.findByName('ada')!;
    expect(ada).to.deep.include({ email: 'ada@example.org', emailVerified: true, firstName: 'Ada', active: true });
    expect(groups.namesOf(ada.userId)).to.deep.equal(['staff', 'staff/developers']);
    expect(users.findByName('bob')).to.include({ emailVerified: false });
    expect(users.findByName('dave')).to.include({ active: false });
    expect(groups.namesOf(users.findByName('grace')!.userId)).to.deep.equal([]);
    expect(reportFor('grace')).to.include('those in groups outside the file are not imported');
  });

  it('makes only realm administrators administrators here, and reports other roles', async () => {
    await runImport();
    const { users } = running.service().projections;
    expect(users.findByName('ada')?.roles).to.deep.equal(['administrator']);
    for (const name of ['bob', 'carol']) expect(users.findByName(name)?.roles, name).to.deep.equal([]);
    expect(reportFor('carol')).to.include('roles: not imported (editor, seller of webshop)');
    expect(reportFor('ada')).not.to.include('view-profile');
  });

  it('reports second factors, attributes, required actions and links of users that it does not import', () => {
    expect(reportFor('dave')).to.include('second factor: not imported');
    expect(reportFor('bob')).to.include('attributes: not imported (locale)');
    expect(reportFor('erin')).to.include('required actions: not imported (UPDATE_PASSWORD)');
    expect(reportFor('frank')).to.include('links to identity providers: not imported');
  });

  it('keeps the ids, secrets, redirect URIs and grants of clients', async () => {
    await runImport();
    const { clients } = running.service().projections;
    expect(clients.find('webshop')).to.deep.include({
      name: 'Web shop',
      clientType: 'confidential',
      grantTypes: ['authorization-code'],
      redirectUris: ['https://shop.example/callback', 'https://shop.example/other'],
      allowedOrigins: ['https://shop.example'],
      skipAuthorization: false,
    });
    expect(clients.find('webshop')?.openid).to.deep.include({
      postLogoutRedirectUris: ['https://shop.example/callback', 'https://shop.example/other'],
      backchannelLogoutUri: 'https://shop.example/logout',
      backchannelLogoutSessionRequired: true,
    });
    expect(clients.find('page')).to.deep.include({
      clientType: 'public',
      redirectUris: ['https://page.example/callback'],
      allowedOrigins: ['https://page.example'],
      skipAuthorization: true,
    });
    expect(clients.find('television')?.grantTypes).to.deep.equal(['device-code']);
    const requestToken = (id: string, secret: string) => {
      const basic = `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`;
      return running.token({ id, secret, basic } satisfies TestClient, { grant_type: 'client_credentials' });
    };
    expect((await requestToken('nightly', 'the secret of the nightly job')).status).to.equal(200);
    expect((await requestToken('nightly', 'another secret')).status).to.equal(401);
    expect((await requestToken('hidden', '**********')).status).to.equal(401);
  });

  it('explains changes to clients, and why clients are refused', () => {
    expect(reportFor('webshop'))
      .to.include('its plain-text secret is stored as a hash')
      .and.include('its own token lifetimes: not imported')
      .and.include('protocol mappers: not imported')
      .and.include('new ids (sub)');
    expect(reportFor('page'))
      .to.include('redirect URIs that are not exact: not imported (https://page.example/*)')
      .and.include('web origins: * is not imported');
    expect(reportFor('hidden')).to.include('its secret is hidden in the file');
    expect(reportFor('anywhere')).to.include('none of its redirect URIs is exact (*)');
    expect(reportFor('implicit')).to.include('the implicit grant is not supported');
    expect(reportFor('certificate')).to.include('client-x509');
    expect(reportFor('symmetric')).to.include('signed with HS256, which is not supported');
  });

  it('changes nothing when repeated', async () => {
    await runImport();
    const countBefore = (await eventTypes()).length;
    const { outcomes } = await runImport();
    expect(new Set(Object.values(outcomes))).to.deep.equal(new Set(['there', 'refused']));
    expect(await eventTypes()).to.have.length(countBefore);
  });

  it('does not disclose passwords, secrets or hashes in the report or in the log', async () => {
    const { results } = await runImport();
    const records = (await running.events()).map((event) => event.record + JSON.stringify(decodeEvent(event)));
    const output = JSON.stringify([results, PARSED_FILE.skipped]) + records.join('\n');
    for (const secret of ['the password of', 'the secret of', 'a secret of dave', 'pbkdf2_sha256$'])
      expect(output, secret).not.to.include(secret);
  });

  it('accepts an export of exactly one realm, with or without an array around it', () => {
    expect(readKeycloak(`[${FILE}]`)).to.deep.equal(PARSED_FILE);
    for (const [file, problem] of [
      ['realm:', 'the file is not JSON'],
      [`[${FILE},${FILE}]`, 'the file has 2 realms'],
      ['{}', 'is not the export of a Keycloak realm'],
      ['{"realm":"x","users":[{"username":7}]}', 'users: 0: username'],
    ] as const)
      expect(() => readKeycloak(file), file.slice(0, 40)).to.throw(problem);
  });

  it('refuses groups that are nested too deeply, and continues to read', () => {
    const nestedGroup = (depth: number): object => ({
      name: 'g',
      subGroups: depth === 0 ? [] : [nestedGroup(depth - 1)],
    });
    const { candidates } = readKeycloak(JSON.stringify({ realm: 'x', groups: [nestedGroup(500)] }));
    expect(candidates.filter(({ entry }) => entry === null)).to.have.length(1);
    expect(candidates).to.have.length(33);
  });
});
