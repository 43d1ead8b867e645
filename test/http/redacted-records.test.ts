import { join } from 'node:path';
import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { toCsvRow } from '../../src/cli/exported-event.ts';
import type { Role } from '../../src/domain/events.ts';
import { exportLine } from '../../src/event-store/export-line.ts';
import { redactUserChosenSecret } from '../../src/audit/queries/redaction.ts';
import { listCorpora, readEvents, readKeys, thaw } from '../corpus/frozen.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { readEvents as readLive } from '../support/event-reader.ts';
import type { RunningService, TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER_ABORTED = new AbortController().signal;
/** A log from the last release that recorded unsealed hashes of user-chosen secrets. */
const CORPUS = listCorpora().find((directory) => directory.endsWith(join('corpus', 'v4'))) ?? '';
/** The argon2id hashes and PBKDF2 verifiers that redaction must remove. */
const HASH_PATTERN = /\$argon2id\$quick\$[\w-]+|pbkdf2_sha256\$\d+\$\w+\$[\w+/=]+/g;

describe('A record from an earlier release that contains the hash of a user-chosen secret', () => {
  const oldEvents = readEvents(CORPUS);
  const hashes = oldEvents.flatMap(({ record }) => record.match(HASH_PATTERN) ?? []);
  const positions = oldEvents
    .filter(({ record }) => record.match(HASH_PATTERN) !== null)
    .map(({ position }) => position);
  let running: RunningService;

  beforeEach(async () => {
    running = await thaw(oldEvents, readKeys(CORPUS));
  });
  afterEach(() => running.close());

  /** Returns the number of hashes in the text, plain or escaped for HTML. */
  const countHashes = (text: string): number =>
    hashes.filter((hash) => text.replaceAll('&#43;', '+').replaceAll('&#x2F;', '/').includes(hash)).length;

  async function addUserWith(...roles: readonly Role[]): Promise<TestUser> {
    const user = await running.addUser();
    const account =
      running.service().projections.users.findByName(user.username) ?? expect.fail('there is no such user');
    await running.service().accounts.changeRoles(account, roles, OPERATOR);
    return user;
  }

  async function openBrowserAs(...roles: readonly Role[]): Promise<BrowserSession> {
    const { username, password } = await addUserWith(...roles);
    const browser = running.browser();
    await browser.logIn(username, password);
    return browser;
  }

  async function issueToken(user: TestUser | null): Promise<string> {
    const grantTypes = ['password', 'client-credentials'] as const;
    const client = await running.addClient({ restrictedScopes: ['audit'], grantTypes });
    const grant = user === null ? { grant_type: 'client_credentials' } : { grant_type: 'password', ...user };
    const { json } = await running.token(client, { ...grant, scope: 'audit' });
    return String(json?.['access_token']);
  }

  async function runOperation(name: string, input: object): Promise<string> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())(name, input, NEVER_ABORTED)) items.push(item);
    return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n');
  }

  it('occurs in the test log with each kind of hash and each event type that has one', () => {
    expect(hashes).to.have.length(4);
    const types = oldEvents.filter(({ position }) => positions.includes(position)).map(({ type }) => type);
    expect(new Set(types)).to.deep.equal(new Set(['ClientRegistered', 'ClientSecretRehashed']));
  });

  it('loses only the hash when redacted, and all other records stay unchanged', () => {
    for (const event of oldEvents) {
      const redactedEvent = redactUserChosenSecret(event);
      if (!positions.includes(event.position)) {
        expect(redactedEvent).to.equal(event);
        continue;
      }
      const { secret, ...otherFields } = event.data as { readonly secret: { readonly algorithm: string } };
      const redactedData = { ...otherFields, secret: { algorithm: secret.algorithm, redacted: true } };
      expect(redactedEvent.data).to.deep.equal(redactedData);
      expect(JSON.parse(redactedEvent.record)).to.deep.equal({
        ...(JSON.parse(event.record) as object),
        data: redactedData,
      });
      expect(countHashes(redactedEvent.record)).to.equal(0);
    }
  });

  for (const [roles, hashCount] of [
    [['auditor'], 0],
    [['administrator'], 4],
    [['administrator', 'auditor'], 4],
  ] as const) {
    describe(`for ${roles.join(' and ')}`, () => {
      it(`has ${hashCount === 0 ? 'no hash' : 'its hash'} on its page`, async () => {
        const browser = await openBrowserAs(...roles);
        let text = '';
        for (const position of positions) text += (await browser.get(`/audit/events/${position}`)).html;
        expect(text).to.include('brought-along');
        expect(countHashes(text)).to.equal(hashCount);
        expect(text.includes('data-verify'), 'the page verifies what it shows').to.equal(hashCount > 0);
        expect(text.includes('with a secret’s hash removed'), 'the page mentions the removal').to.equal(
          hashCount === 0,
        );
      });

      for (const format of ['jsonl', 'csv']) {
        it(`has ${hashCount === 0 ? 'no hash' : 'its hash'} in the export as ${format}`, async () => {
          const browser = await openBrowserAs(...roles);
          const { html } = await browser.get(`/audit/log/export?format=${format}`);
          expect(html.trimEnd().split('\n')).to.have.length.at.least(oldEvents.length);
          expect(countHashes(html)).to.equal(hashCount);
        });
      }

      it(`has ${hashCount === 0 ? 'no hash' : 'its hash'} in /o/events/, both in pages and live`, async () => {
        const token = await issueToken(await addUserWith(...roles));
        const page = await running.get('/o/events/', { authorization: `Bearer ${token}` });
        expect(page.text.trimEnd().split('\n')).to.have.length.at.least(oldEvents.length);
        expect(countHashes(page.text)).to.equal(hashCount);
        const liveStream = await readLive(running.origin(), token);
        const events = await liveStream.readUntil(({ id }) => id === oldEvents.length);
        liveStream.disconnect();
        expect(countHashes(events.map(({ data }) => data).join('\n'))).to.equal(hashCount);
      });
    });
  }

  it('has no hash in /o/events/ for a client that acts on its own behalf', async () => {
    const page = await running.get('/o/events/', { authorization: `Bearer ${await issueToken(null)}` });
    expect(page.text).to.include('brought-along');
    expect(countHashes(page.text)).to.equal(0);
  });

  it('has no hash in /o/events/ for a former administrator', async () => {
    const user = await addUserWith('administrator', 'auditor');
    const authorization = `Bearer ${await issueToken(user)}`;
    expect(countHashes((await running.get('/o/events/', { authorization })).text)).to.equal(4);
    const account =
      running.service().projections.users.findByName(user.username) ?? expect.fail('there is no such user');
    await running.service().accounts.changeRoles(account, ['auditor'], OPERATOR);
    expect(countHashes((await running.get('/o/events/', { authorization })).text)).to.equal(0);
  });

  it('has no hash in log tail or in CSV', async () => {
    const tail = await runOperation('log tail', { limit: 1_000, follow: false });
    expect(tail).to.include('brought-along');
    expect(countHashes(tail)).to.equal(0);
    const filteredTail = await runOperation('log tail', { limit: 1_000, follow: false, types: ['ClientRegistered'] });
    expect(filteredTail).to.include('brought-along');
    expect(countHashes(filteredTail)).to.equal(0);
    expect(countHashes(oldEvents.map(exportLine).map(toCsvRow).join(''))).to.equal(0);
  });

  it('is unchanged in log exports, bundles, backups and tiles, because proofs need it', async () => {
    const lines = (await runOperation('log export', {})).split('\n');
    expect(lines).to.deep.equal((await running.events()).map(exportLine));
    const bundle = await runOperation('log bundle', {});
    const backup = await runOperation('backup', {});
    for (const { record } of oldEvents.filter(({ position }) => positions.includes(position))) {
      expect(bundle).to.include(JSON.stringify(record).slice(1, -1));
      expect(backup).to.include(record);
    }
    const authorization = `Bearer ${await issueToken(null)}`;
    const { length } = oldEvents;
    const tile = await fetch(`${running.origin()}/o/log/tile/entries/000.p/${length}`, { headers: { authorization } });
    expect(countHashes(Buffer.from(await tile.arrayBuffer()).toString())).to.equal(4);
  });

  it('is followed by a sealed hash once the secret is used', async () => {
    const basic = `Basic ${Buffer.from('unused:the secret of unused').toString('base64')}`;
    const client = { id: 'unused', secret: '', basic };
    await running.token(client, { grant_type: 'password', username: 'emil', password: 'wrong' });
    const newEvents = (await running.events()).slice(oldEvents.length);
    expect(newEvents.map(({ type }) => type)).to.include('ClientSecretRehashed');
    expect(newEvents.map(({ record }) => record).join('\n')).to.not.match(HASH_PATTERN);
  });
});
