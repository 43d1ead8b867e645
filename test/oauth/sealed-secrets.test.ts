import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { exportLine } from '../../src/event-store/export-line.ts';
import { toCandidate } from '../../src/operations/import/entry.ts';
import type { PasswordHasher } from '../../src/platform/ports.ts';
import { CLIENT_KEYS, type ClientKeys } from '../../src/platform/keys/client-keys.ts';
import {
  findGuessableSecrets,
  importClient,
  requestToken,
  IMPORT_FORMATS,
  SECRETS_BY_FORMAT,
  type ImportedSecret,
} from '../support/chosen-secrets.ts';
import { pbkdf2Of, quickHasher } from '../support/quick-hasher.ts';
import { runningService, type RunningOptions, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NEVER_ABORTED = new AbortController().signal;

describe('an imported client secret', () => {
  let running: RunningService;
  let clientKeys: ClientKeys;

  async function start(options: RunningOptions = {}): Promise<void> {
    clientKeys = CLIENT_KEYS.inMemory();
    running = await runningService({ clientKeys, ...options });
  }
  afterEach(() => running.close());

  const exportLog = async (): Promise<string> => (await running.events()).map(exportLine).join('\n');
  const removeClient = (clientId: string) => running.service().registration.remove(clientId as ClientId, OPERATOR);

  async function runOperation(name: string, input: object): Promise<string> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())(name, input, NEVER_ABORTED)) items.push(item);
    return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n');
  }

  /** Collects all output that shows records to an administrator: the page of each event, the API and every export. */
  async function collectOutput(): Promise<string> {
    const { username, password } = await running.addUser('root', ['administrator']);
    const browser = running.browser();
    await browser.logIn(username, password);
    const auditor = await running.addClient({ restrictedScopes: ['audit'], grantTypes: ['password'] });
    const { json } = await running.token(auditor, { grant_type: 'password', username, password, scope: 'audit' });
    const authorization = `Bearer ${String(json?.['access_token'])}`;
    const head = running.service().log.head();
    const headers = { authorization };
    const tile = await fetch(`${running.origin()}/o/log/tile/entries/000.p/${head}`, { headers });
    const outputs = [
      await exportLog(),
      await runOperation('log tail', { limit: 1_000, follow: false }),
      await runOperation('log export', {}),
      await runOperation('log bundle', {}),
      await runOperation('backup', {}),
      await runOperation('log as-of', {}),
      (await running.get('/o/events/', { authorization })).text,
      Buffer.from(await tile.arrayBuffer()).toString(),
      (await browser.get('/audit/log/export?format=jsonl')).html,
      (await browser.get('/audit/log/export?format=csv')).html,
    ];
    for (let position = 1; position <= head; position += 1) {
      outputs.push((await browser.get(`/audit/events/${position}`)).html);
    }
    for (const text of outputs) expect(text, 'the output to search').to.have.length.greaterThan(100);
    return outputs.join('\n');
  }

  it('leaves no hash in any record, page or export that guesses could be tested against', async () => {
    await start();
    const secrets: ImportedSecret[] = [];
    for (const format of IMPORT_FORMATS) secrets.push(await importClient(running.service(), format));
    const publicClient = { clientType: 'public', grantTypes: ['password'] };
    secrets.push(await importClient(running.service(), 'in plain text', 'a-public-one', publicClient));
    const candidates = [
      toCandidate('line 1', {
        kind: 'application',
        client_id: 'by-import',
        client_secret_hash: pbkdf2Of('of a file'),
        name: 'By import',
        client_type: 'confidential',
        grant_types: ['client-credentials'],
      }),
    ];
    expect(await runOperation('import', { candidates, dryRun: false, leaveOutRefused: false })).to.not.include(
      'refused',
    );
    secrets.push({ clientId: 'by-import', secret: 'of a file', hash: pbkdf2Of('of a file').split('$').at(-1) ?? '' });
    for (const importedSecret of secrets) {
      if (importedSecret.clientId !== 'a-public-one')
        expect((await requestToken(running, importedSecret)).status, importedSecret.clientId).to.equal(200);
    }
    expect(
      (await running.events()).map(({ type }) => type),
      'the PBKDF2 hash is replaced',
    ).to.include('ClientSecretRehashed');
    const { registration, projections } = running.service();
    const client = projections.clients.find('in-plain-text') ?? expect.fail('the client is not registered');
    await registration.update(client.clientId, { ...client, name: 'Renamed' }, OPERATOR);
    expect(await findGuessableSecrets(await collectOutput(), secrets)).to.deep.equal([]);
  });

  it('is found by the same search if it is recorded without encryption', async () => {
    await start();
    const { hash, ...importedSecret } = await importClient(running.service(), 'as a PBKDF2 hash');
    const text = `{"verifier":"pbkdf2_sha256$1$salt$${hash}"}`;
    expect(await findGuessableSecrets(text, [{ ...importedSecret, hash }])).to.not.deep.equal([]);
  });

  for (const format of IMPORT_FORMATS) {
    it(`authenticates its client, even after a restart: ${format}`, async () => {
      await start();
      const client = await importClient(running.service(), format);
      for (const attempt of ['first', 'rehashed', 'remembered']) {
        expect((await requestToken(running, client)).status, attempt).to.equal(200);
      }
      await running.restart();
      expect((await requestToken(running, client)).status).to.equal(200);
      expect((await requestToken(running, { ...client, secret: `${client.secret}!` })).status).to.equal(401);
    });

    it(`is permanently deleted with its client: ${format}`, async () => {
      await start();
      const client = await importClient(running.service(), format);
      await requestToken(running, client);
      const key = Buffer.from(clientKeys.find(client.clientId as ClientId) ?? expect.fail('no key'));
      await removeClient(client.clientId);
      expect(clientKeys.ids()).to.deep.equal([]);
      expect(await runOperation('backup', {})).to.not.include(key.toString('base64url'));
      await running.restart();
      expect((await requestToken(running, client)).status).to.equal(401);
      expect(running.service().lostClientKeys.problem(), 'nothing is missing').to.equal(undefined);
    });
  }

  it('of a removed client gets no new key if the id is imported again', async () => {
    await start();
    const client = await importClient(running.service(), 'in plain text');
    await removeClient(client.clientId);
    const secondImport = importClient(running.service(), 'in plain text').then(
      () => 'registered',
      (error: Error) => error.message,
    );
    expect(await secondImport).to.include('client-id-taken');
    expect(clientKeys.ids()).to.deep.equal([]);
  });

  it('stays valid if other imports use its id, later or at the same time', async () => {
    await start();
    const results = await Promise.allSettled(
      IMPORT_FORMATS.map((format) => importClient(running.service(), format, 'the-same')),
    );
    const [winner, ...otherWinners] = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(otherWinners).to.deep.equal([]);
    if (winner === undefined) throw new Error('no import succeeded');
    await importClient(running.service(), 'as a PBKDF2 hash', 'the-same').catch(() => {});
    expect((await requestToken(running, winner)).status).to.equal(200);
    await running.restart();
    expect((await requestToken(running, winner)).status).to.equal(200);
  });

  it('gets no new key if its client is removed while it is being rehashed', async () => {
    let signalHashing: (() => void) | undefined;
    const hashingStarted = new Promise<void>((resolve) => (signalHashing = resolve));
    let allowHashing: (() => void) | undefined;
    const hashingAllowed = new Promise<void>((resolve) => (allowHashing = resolve));
    const slowHasher: PasswordHasher = {
      ...quickHasher,
      async hash(password) {
        if (password === SECRETS_BY_FORMAT['as a PBKDF2 hash']) {
          signalHashing?.();
          await hashingAllowed;
        }
        return quickHasher.hash(password);
      },
    };
    await start({ hasher: slowHasher });
    const client = await importClient(running.service(), 'as a PBKDF2 hash');
    const response = requestToken(running, client);
    await hashingStarted;
    await removeClient(client.clientId);
    allowHashing?.();
    await response;
    expect(clientKeys.ids()).to.deep.equal([]);
  });

  it('needs no key after a rotation, because generated secrets are recorded as SHA-256', async () => {
    await start();
    const client = await importClient(running.service(), 'in plain text');
    const secret = await running.service().registration.rotateSecret(client.clientId as ClientId, OPERATOR);
    const generatedClient = await running.addClient();
    const algorithms = (await running.events()).map(decodeEvent).flatMap(({ type, data }) => {
      const isGenerated =
        (type === 'ClientRegistered' && data.clientId === generatedClient.id) || type === 'ClientSecretRotated';
      return isGenerated ? [data.secret?.algorithm] : [];
    });
    expect(algorithms).to.deep.equal(['sha256', 'sha256']);
    expect((await requestToken(running, { ...client, secret: secret ?? '' })).status).to.equal(200);
    expect((await requestToken(running, client)).status).to.equal(401);
  });

  it('is refused if its hash cannot be decrypted, and the explanation says which file lacks the key', async () => {
    await start();
    const client = await importClient(running.service(), 'in plain text');
    await clientKeys.destroy(client.clientId as ClientId);
    await running.restart();
    for (const secret of [client.secret, 'another', SECRETS_BY_FORMAT['in the format of generated secrets']]) {
      const { status, headers, json } = await requestToken(running, { ...client, secret });
      expect([status, json?.['error']]).to.deep.equal([401, 'invalid_client']);
      const explanation = running.service().explanations.find(headers.get('x-request-id') ?? '');
      expect(explanation?.rule).to.equal('client-key-missing');
      expect(englishMessages(explanation)['expected']).to.include('keys/clients.keys');
    }
  });

  it('leaves the digests of the projections unchanged if its key is destroyed', async () => {
    await start();
    for (const format of IMPORT_FORMATS) await importClient(running.service(), format);
    const digestsBefore = running.service().projector.digests();
    for (const clientId of clientKeys.ids()) await clientKeys.destroy(clientId);
    await running.restart();
    expect(running.service().projector.digests()).to.deep.equal(digestsBefore);
  });
});
