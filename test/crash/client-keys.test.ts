import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import { operate } from '../../src/operations/operations.ts';
import { checkDirectory } from '../../src/cli/doctor-directory.ts';
import { checkServerState } from '../../src/cli/doctor-server.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { configFromSettings } from '../../src/config/config.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import type { ClientId, EpochSeconds } from '../../src/domain/values.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import type { EventLog } from '../../src/event-store/event-log.ts';
import { OAuthError } from '../../src/oauth/endpoints/errors.ts';
import type { Service } from '../../src/composition/service.ts';
import { CLIENT_KEYS } from '../../src/platform/keys/client-keys.ts';
import {
  importClient,
  requestToken,
  SECRETS_BY_FORMAT,
  type ImportedSecret,
  type ImportFormat,
} from '../support/chosen-secrets.ts';
import { readFilesBelow, findLeaks } from '../support/at-rest.ts';
import { manualClock } from '../support/manual-clock.ts';
import { runningService } from '../support/running-service.ts';
import { createStarter } from '../support/stored-files.ts';
import { requestTokens } from '../support/client-requests.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const CLIENT_FORMATS: Readonly<Record<string, ImportFormat>> = {
  ant: 'in plain text',
  bee: 'as a PBKDF2 hash',
  cat: 'as an argon2id hash',
};
const removeClient = (service: Service, clientId: string) =>
  service.registration.remove(clientId as ClientId, OPERATOR);

describe('client keys', () => {
  let dataDir: string;
  const clock = manualClock();
  const starter = createStarter(3);
  let service: Service;
  let intactFile: string;
  const path = (): string => join(dataDir, 'keys', 'clients.keys');

  async function restart(whileStopped: () => unknown = () => {}): Promise<void> {
    await service.close();
    await whileStopped();
    service = await starter.start(dataDir, clock);
  }

  const changeChecksum = (line: string): string => line.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

  /** Changes the line with this number, counting from 1. */
  function damage(number: number, change: (line: string) => string = changeChecksum): void {
    const lines = readFileSync(path(), 'utf8').trimEnd().split('\n');
    writeFileSync(path(), lines.map((line, index) => `${index + 1 === number ? change(line) : line}\n`).join(''));
  }

  async function authenticates(clientId: string, secret: string): Promise<boolean> {
    const parameters = new Map([
      ['client_id', clientId],
      ['client_secret', secret],
      ['grant_type', 'client_credentials'],
    ] as const);
    const now = Math.floor(clock.now() / 1000) as EpochSeconds;
    try {
      await requestTokens(service, {
        parameters,
        authorization: undefined,
        address: '127.0.0.1',
        requestMetadata: { requestId: null },
        now: () => now,
      });
      return true;
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'invalid_client') return false;
      throw error;
    }
  }

  const findAuthenticatingClients = async (): Promise<readonly string[]> => {
    const clients: string[] = [];
    for (const [name, format] of Object.entries(CLIENT_FORMATS))
      if (await authenticates(name, SECRETS_BY_FORMAT[format])) clients.push(name);
    return clients;
  };

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-client-keys-'));
    service = await starter.start(dataDir, clock);
    for (const [name, format] of Object.entries(CLIENT_FORMATS)) await importClient(service, format, name);
    intactFile = readFileSync(path(), 'utf8');
  });
  afterEach(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true });
  });

  it('are stored one per line in a file that only its owner can access, and survive a restart', async () => {
    expect(
      intactFile
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).to.deep.equal(Object.keys(CLIENT_FORMATS));
    expect(statSync(path()).mode & 0o777).to.equal(0o600);
    await restart();
    expect(await findAuthenticatingClients()).to.deep.equal(Object.keys(CLIENT_FORMATS));
    expect(starter.notices()).to.deep.equal([]);
  });

  it('are in no other file, nor are the hashes that they seal', async () => {
    expect(await findAuthenticatingClients(), 'including the client with a rehashed secret').to.deep.equal(
      Object.keys(CLIENT_FORMATS),
    );
    await restart();
    expect(service.state.snapshots(), 'snapshots to search').to.not.deep.equal([]);
    const hashes = service.projections.clients
      .all()
      .flatMap(({ secret }) =>
        secret?.algorithm === 'argon2id' ? [{ name: 'a hash', text: secret.phc.split('$').at(-1) ?? '' }] : [],
      );
    const keys = intactFile
      .trimEnd()
      .split('\n')
      .map((line) => ({ name: 'a key', text: line.split(' ')[1] ?? '' }));
    expect([hashes.length, keys.length]).to.deep.equal([3, 3]);
    const otherFiles = new Map([...readFilesBelow(dataDir)].filter(([file]) => file !== path()));
    expect(findLeaks(otherFiles, [...hashes, ...keys])).to.deep.equal([]);
  });

  for (const [damageKind, change] of [
    ['damaged in its key', changeChecksum],
    ['damaged in its id', (line: string) => `_${line.slice(1)}`],
    ['damaged beyond recognition', () => '\u0000'],
    ['missing', () => ''],
  ] as const) {
    it(`lock out only one client if a line is ${damageKind}, and the server names the client and file`, async () => {
      await restart(() => damage(2, change));
      expect(await findAuthenticatingClients()).to.deep.equal(['ant', 'cat']);
      const [notice = '', ...otherNotices] = starter.notices();
      expect(otherNotices).to.deep.equal([]);
      for (const part of ['1 client has no key', path(), ': bee', 'rotate-secret', 'grantlog restore FILE DIR']) {
        expect(notice).to.include(part);
      }
      expect(notice.includes('damaged lines in the key file: 2')).to.equal(damageKind !== 'missing');
      expect(service.lostClientKeys.clients().map(({ clientId }) => clientId)).to.deep.equal(['bee']);
    });
  }

  it('lock out only clients with imported secrets if the file is missing', async () => {
    const client = await service.registration.register(
      {
        name: 'Made here',
        clientType: 'confidential',
        grantTypes: ['client-credentials'],
        redirectUris: [],
        allowedOrigins: [],
        skipAuthorization: false,
      },
      null,
      OPERATOR,
    );
    if (!('clientId' in client)) throw new Error('not registered');
    await restart(() => rmSync(path()));
    expect(await findAuthenticatingClients()).to.deep.equal([]);
    expect(await authenticates(client.clientId, client.clientSecret ?? '')).to.equal(true);
    expect(starter.notices()[0]).to.include('3 clients have no key');
  });

  it('are reported by doctor if one is missing, with or without a running server', async () => {
    await restart(() => damage(3));
    const control = await serveControl(controlSocketPath(dataDir), operate(service));
    const serverResults = await checkServerState({ dataDir });
    await control.close();
    const clientsResult = serverResults.find(({ check }) => check === 'clients');
    expect([clientsResult?.ok, clientsResult?.says.includes(': cat')], clientsResult?.says).to.deep.equal([
      false,
      true,
    ]);
    const keysResult = () => checkDirectory(configFromSettings({ dataDir })).find(({ check }) => check === 'keys');
    expect(keysResult()?.ok).to.equal(false);
    expect(keysResult()?.says).to.include('line 3 of clients.keys');
    writeFileSync(path(), intactFile);
    expect(keysResult()?.ok).to.equal(true);
  });

  it('are reported before a backup if one is missing, but the backup is still written', async () => {
    await restart(() => damage(2));
    const items: unknown[] = [];
    for await (const item of operate(service)('backup', {}, new AbortController().signal)) items.push(item);
    const { warning } = items[0] as { readonly warning: string };
    expect(warning).to.include('some keys will be missing from the backup').and.include('bee');
    expect(items.at(-1)).to.include({ client_keys: 2 });
  });

  it('are no longer needed for a client with a new secret', async () => {
    await restart(() => damage(1));
    const secret = await service.registration.rotateSecret('ant' as ClientId, OPERATOR);
    expect(await authenticates('ant', secret ?? '')).to.equal(true);
    expect(service.lostClientKeys.problem()).to.equal(undefined);
    await restart();
    expect(await authenticates('ant', secret ?? '')).to.equal(true);
  });

  it('are repaired by restoring the line from a backup', async () => {
    await restart(() => damage(2));
    await restart(() => damage(2, () => intactFile.split('\n')[1] ?? ''));
    expect(await findAuthenticatingClients()).to.deep.equal(Object.keys(CLIENT_FORMATS));
    expect(starter.notices()).to.deep.equal([]);
  });

  it('are removed along with their clients, even from a damaged line', async () => {
    const keys = intactFile
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    await removeClient(service, 'ant');
    expect(readFileSync(path(), 'utf8')).to.not.include(keys[0]);
    await restart(() => damage(1, (line) => `_${line.slice(1)}`));
    expect(readFileSync(path(), 'utf8')).to.include(keys[1]);
    await removeClient(service, 'bee');
    expect(readFileSync(path(), 'utf8')).to.not.include(keys[1]);
    await restart();
    expect(await findAuthenticatingClients()).to.deep.equal(['cat']);
    expect(service.lostClientKeys.problem()).to.equal(undefined);
  });

  it('are destroyed at the next startup if a crash prevented their destruction', async () => {
    await removeClient(service, 'ant');
    await restart(() => writeFileSync(path(), intactFile));
    expect(readFileSync(path(), 'utf8')).to.not.match(/^ant /m);
    expect(await findAuthenticatingClients()).to.deep.equal(['bee', 'cat']);
  });

  it('are harmless if a crash prevented the registration event, and the id can still be registered', async () => {
    await restart(async () => {
      await (
        await keyDirectory(join(dataDir, 'keys')).keyring(CLIENT_KEYS)
      ).add('dog' as ClientId, Buffer.alloc(32, 1));
    });
    await importClient(service, 'in plain text', 'dog');
    await restart();
    expect(await authenticates('dog', SECRETS_BY_FORMAT['in plain text'])).to.equal(true);
  });
});

describe('the key of a new client', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-client-keys-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is durable before the event for a registration or a rehash is appended', async () => {
    const memory = createMemoryLog();
    const appendedTypes: string[] = [];
    const log: EventLog = {
      ...memory,
      append(stream, expected, events) {
        const file = join(directory, 'clients.keys');
        for (const { type, data } of events) {
          if (!stream.startsWith('client-') || !JSON.stringify(data).includes('"sealed":')) continue;
          const clientId = stream.slice('client-'.length);
          expect(readFileSync(file, 'utf8')).to.match(new RegExp(`^${clientId} \\S{43} [0-9a-f]{8}$`, 'm'));
          appendedTypes.push(type);
        }
        return memory.append(stream, expected, events);
      },
    };
    const running = await runningService({ log, clientKeys: await keyDirectory(directory).keyring(CLIENT_KEYS) });
    const client: ImportedSecret = await importClient(running.service(), 'as a PBKDF2 hash');
    expect((await requestToken(running, client)).status).to.equal(200);
    expect(appendedTypes).to.deep.equal(['ClientRegistered', 'ClientSecretRehashed']);
    await running.close();
  });

  it('that cannot be written prevents the registration', async () => {
    const running = await runningService({ clientKeys: await keyDirectory(directory).keyring(CLIENT_KEYS) });
    const headBefore = running.service().log.head();
    rmSync(directory, { recursive: true });
    const failure = await importClient(running.service(), 'in plain text').then(
      () => undefined,
      (error: Error) => error,
    );
    expect(failure).to.have.property('code', 'ENOENT');
    expect(running.service().log.head()).to.equal(headBefore);
    await running.close();
  });
});
