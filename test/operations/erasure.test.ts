import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessEntry } from '../../src/audit/queries/access-report.ts';
import { operate } from '../../src/operations/operations.ts';
import type { BundlePart } from '../../src/audit/proofs/bundle.ts';
import { openBundle, writeBundle } from '../../src/audit/proofs/bundle-directory.ts';
import { verifyBundle } from '../../src/audit/proofs/verify-bundle.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { callControl } from '../../src/operations/control/client.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { createApp } from '../../src/http/app.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { compact, readEntries, readFilesBelow, findLeaks, type NamedSecret } from '../support/at-rest.ts';
import { addPasskey, createAuthenticator } from '../support/authenticator.ts';
import { browserSession, type BrowserSession } from '../support/browser-session.ts';
import { withServer } from '../support/with-server.ts';
import { headsOf } from '../support/issued-heads.ts';
import { manualClock } from '../support/manual-clock.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER = new AbortController().signal;
const REDIRECT_URI = 'https://app.example/callback';
const HYPATIA = {
  username: 'hypatia-theonos',
  email: 'hypatia@mouseion.example',
  firstName: 'Hypatía',
  lastName: 'of Alexandria',
  password: 'conic sections',
};
const NEW_PASSWORD = 'astronomical canon';
const PASSKEY_NAME = 'The astrolabe on my desk';
const BOB = { username: 'bob-who-stays', password: 'still here' };
const PROFILE = {
  nickname: 'Hypatia the Geometer',
  birthdate: '0370-03-15',
  website: 'https://mouseion.example/hypatia',
  phone_number: '+20312345678',
  street_address: '7 Canopic Way',
  locality: 'Rhakotis upon the Sea',
};
/** Enough events to write complete tiles to disk. */
const ENOUGH_EVENTS = 300;

describe('the erasure of a user', function () {
  this.timeout(180_000);

  let parentDirectory: string;
  let dataDir: string;
  let seed = 0;
  const clock = manualClock();
  const secrets: NamedSecret[] = [];
  /** The checkpoints that were signed before the erasure. */
  let earlierCheckpoints: readonly string[];
  let erasedAfter: number;

  /** Runs `use` against a server on the data directory, over HTTP and the control socket. */
  async function whileServing<T>(use: (service: Service, origin: string) => Promise<T>): Promise<T> {
    const service = await openService(configFromSettings({ dataDir, snapshotEvents: 20, sampleApi: true }), {
      clock,
      entropy: seededEntropy(`erasure ${(seed += 1)}`),
      hasher: quickHasher,
      issuer: () => 'http://localhost:8000',
    });
    const control = await serveControl(join(dataDir, 'control.sock'), operate(service));
    const unexpectedErrors: unknown[] = [];
    try {
      return await withServer(createApp(service, { error: ({ err }) => void unexpectedErrors.push(err) }), (origin) =>
        use(service, origin),
      );
    } finally {
      await control.close();
      await service.close();
      expect(unexpectedErrors).to.deep.equal([]);
    }
  }

  async function callOperation<T>(operation: string, input: object = {}): Promise<readonly T[]> {
    const items: T[] = [];
    for await (const item of callControl(join(dataDir, 'control.sock'), operation, input)) items.push(item as T);
    return items;
  }

  before(async () => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-erasure-'));
    dataDir = join(parentDirectory, 'data');
    await whileServing(createAndErase);
  });
  after(() => rmSync(parentDirectory, { recursive: true }));

  async function createAndErase(service: Service, origin: string): Promise<void> {
    const { accounts, registration, projections, attestation } = service;
    const result = await accounts.register(HYPATIA, OPERATOR);
    await accounts.register(BOB, OPERATOR);
    if ('errors' in result) throw new Error(JSON.stringify(result.errors));
    const { user } = result;
    await accounts.changePassword(user, NEW_PASSWORD, OPERATOR);
    expect(await accounts.changeProfile(user, { profile: PROFILE }, OPERATOR)).to.equal(undefined);
    const app = await registration.register(
      {
        name: 'Astrolabe',
        clientType: 'confidential',
        grantTypes: ['authorization-code', 'client-credentials', 'password'],
        redirectUris: [REDIRECT_URI],
        allowedOrigins: [],
        skipAuthorization: false,
        restrictedScopes: [],
      },
      user.userId,
      OPERATOR,
    );
    if (!('clientId' in app)) throw new Error(JSON.stringify(app));
    const authorization = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret ?? ''}`).toString('base64')}`;
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      fetch(new URL(path, origin), { method: 'POST', body: new URLSearchParams(fields), headers: { authorization } });
    const requestToken = async (fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> =>
      (await (await post('/o/token/', fields)).json()) as Record<string, string>;

    while (service.log.head() < ENOUGH_EVENTS) {
      await Promise.all(Array.from({ length: 20 }, () => requestToken({ grant_type: 'client_credentials' })));
      await attestation.checkpointNow();
    }
    const password = { grant_type: 'password', username: HYPATIA.username, password: NEW_PASSWORD };
    const { access_token: access = '', refresh_token: refresh = '' } = await requestToken(password);
    const browser = browserSession(() => origin);
    await browser.logIn(HYPATIA.username, NEW_PASSWORD);
    const device = createAuthenticator();
    expect(
      (await addPasskey(browser, NEW_PASSWORD, device, { name: PASSKEY_NAME })).status,
      'adding a passkey',
    ).to.equal(302);
    const code = await requestCode(browser, app.clientId);
    const users = () => fetch(new URL('/users/', origin), { headers: { authorization: `Bearer ${access}` } });
    expect((await users()).status).to.equal(200);
    expect((await browser.get('/o/applications/')).status).to.equal(200);
    await attestation.checkpointNow();

    const currentUser = projections.users.find(user.userId);
    const key = service.personalKeys.find(user.userId)?.toString('base64url') ?? '';
    for (const [name, text] of Object.entries({
      ...HYPATIA,
      NEW_PASSWORD,
      firstHash: user.passwordHash,
      newHash: currentUser?.passwordHash ?? '',
      PASSKEY_NAME,
      ...PROFILE,
      credential: device.credentialId,
      publicKey: projections.passkeys.listByUser(user.userId)[0]?.publicKey ?? '',
      key,
    }))
      secrets.push({ name, text });
    expect(secrets.filter(({ text }) => text === '')).to.deep.equal([]);
    expect(new Set(findLeaks(readFilesBelow(dataDir), secrets).map(({ name }) => name))).to.deep.equal(
      new Set(['key']),
    );
    earlierCheckpoints = headsOf(service.inspection.checkpoints).map((head) => attestation.sign(head));
    erasedAfter = service.log.head();

    await callOperation('user erase', { username: HYPATIA.username });
    expect(findLeaks(readFilesBelow(dataDir), secrets), 'while the server runs').to.deep.equal([]);

    expect((await users()).status, 'an access token').to.equal(401);
    expect(await (await post('/o/introspect/', { token: access })).json()).to.deep.equal({ active: false });
    expect(await requestToken({ grant_type: 'refresh_token', refresh_token: refresh })).to.include({
      error: 'invalid_grant',
    });
    expect(await requestToken({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })).to.include({
      error: 'invalid_grant',
    });
    expect(await requestToken(password)).to.include({ error: 'invalid_grant' });
    expect((await browser.get('/o/applications/')).location, 'a session').to.match(/\/accounts\/login\//);
    expect((await browserSession(() => origin).logIn(HYPATIA.username, NEW_PASSWORD)).status, 'a login').to.equal(422);
  }

  async function requestCode(browser: BrowserSession, clientId: string): Promise<string> {
    const query = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT_URI });
    const { location } = await browser.submit(await browser.get(`/o/authorize/?${query.toString()}`), {
      allow: 'Authorize',
    });
    return new URL(location ?? '').searchParams.get('code') ?? expect.fail('no code');
  }

  it('leaves no personal data in files, records, tiles, checkpoints, snapshots or keys', async () => {
    const names = [...readFilesBelow(dataDir).keys()].map((path) => path.slice(dataDir.length + 1));
    for (const prefix of ['log/', 'tile/', 'checkpoints/', 'snapshots/', 'keys/'])
      expect(
        names.filter((name) => name.startsWith(prefix)),
        prefix,
      ).not.to.deep.equal([]);
    expect(findLeaks(readFilesBelow(dataDir), secrets)).to.deep.equal([]);
    const entries = await readEntries(join(dataDir, 'log'));
    expect(findLeaks(entries, [{ name: 'an application', text: 'Astrolabe' }])).not.to.deep.equal([]);
    expect(findLeaks(entries, secrets)).to.deep.equal([]);
    await compact(join(dataDir, 'log'));
    expect(findLeaks(readFilesBelow(dataDir), secrets)).to.deep.equal([]);
  });

  it('leaves no personal data in a new backup, export or bundle, and the bundle verifies', () =>
    whileServing(async ({ attestation }) => {
      const contents = new Map<string, Buffer>();
      for (const operation of ['backup', 'log export'])
        contents.set(
          operation,
          Buffer.from(
            (await callOperation<unknown>(operation))
              .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
              .join('\n'),
          ),
        );
      const directory = join(parentDirectory, `bundle ${seed}`);
      await writeBundle(
        directory,
        callControl(join(dataDir, 'control.sock'), 'log bundle', {}) as AsyncGenerator<BundlePart, void, void>,
      );
      for (const [path, content] of readFilesBelow(directory)) contents.set(path, content);
      expect(findLeaks(contents, [{ name: 'an application', text: 'Astrolabe' }]).length).to.be.at.least(3);
      expect(findLeaks(contents, secrets)).to.deep.equal([]);

      const damages: unknown[] = [];
      for await (const item of verifyBundle(openBundle(directory), attestation.verifierKey(), NEVER))
        if ('damage' in item) damages.push(item);
      expect(damages).to.deep.equal([]);
    }));

  it('leaves the signed log unchanged, so that every earlier checkpoint verifies', () =>
    whileServing(async ({ attestation, inspection }) => {
      expect(earlierCheckpoints.length).to.be.above(10);
      expect(headsOf(inspection.checkpoints).map((head) => attestation.sign(head))).to.include.members([
        ...earlierCheckpoints,
      ]);
      const rows = await callOperation<Readonly<Record<string, unknown>>>('log verify');
      expect(rows.filter((item) => 'damage' in item || item['severity'] === 'finding')).to.deep.equal([]);
      expect(rows.find((item) => 'checkpoints' in item)?.['checkpoints']).to.be.at.least(earlierCheckpoints.length);
    }));

  it('leaves a log that replays to the state of the running server', () =>
    whileServing(async () => {
      const [result] = (await callOperation<{ readonly same?: boolean }>('log replay')).filter(
        (item) => 'same' in item,
      );
      expect(result).to.include({ same: true });
    }));

  it("leaves the user's grants visible, without the user's name", () =>
    whileServing(async () => {
      const [, ...entries] = await callOperation<AccessEntry>('log as-of', { position: erasedAfter });
      const usersIn = (kind: AccessEntry['kind']) =>
        entries.filter((entry) => entry.kind === kind).flatMap(({ user }) => user ?? []);
      expect(usersIn('account')).to.deep.equal(['erased user', BOB.username]);
      expect(usersIn('application')).to.deep.equal(['erased user']);
      expect(usersIn('grant')).to.deep.equal(['erased user']);
      expect(usersIn('token')).to.deep.equal(['erased user']);
    }));

  it('frees the name for another user, who inherits nothing', () =>
    whileServing(async ({ accounts, projections }, origin) => {
      const registration = await accounts.register({ username: HYPATIA.username, password: 'somebody else' }, OPERATOR);
      expect(registration).to.have.property('user');
      expect(projections.users.findByName(HYPATIA.username)).to.include({ email: '', firstName: '' });
      expect((await browserSession(() => origin).logIn(HYPATIA.username, NEW_PASSWORD)).status).to.equal(422);
      const [, ...entries] = await callOperation<AccessEntry>('log as-of', { position: erasedAfter });
      expect(entries.filter(({ user }) => user === HYPATIA.username)).to.deep.equal([]);
    }));

  it('survives restarts', async () => {
    for (let round = 0; round < 2; round += 1) await whileServing(async () => {});
    expect(findLeaks(readFilesBelow(dataDir), secrets)).to.deep.equal([]);
    expect(findLeaks(await readEntries(join(dataDir, 'log')), secrets)).to.deep.equal([]);
  });
});
