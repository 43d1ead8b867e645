import { cpSync } from 'node:fs';
import { configFromSettings } from '../../src/config/config.ts';
import type { EpochSeconds } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { openService } from '../../src/composition/open-service.ts';
import type { Service } from '../../src/composition/service.ts';
import { importClient, IMPORT_FORMATS, type ImportedSecret } from './chosen-secrets.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { parametersOf, type NamedParameters } from './parameters-of.ts';
import { quickHasher } from './quick-hasher.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { readRecordedHead, waitUntilRecorded } from './stored-files.ts';
import { requestIntrospection, requestRevocation, requestTokens } from './client-requests.ts';

/** Everything that the server's responses had confirmed before it was killed. */
export interface Image {
  readonly clientBasic: string;
  /** Access and refresh tokens, some of them revoked. */
  readonly tokens: readonly string[];
  readonly users: readonly string[];
  /** Clients with imported secrets, whose hashes are sealed under separate keys in the log. */
  readonly imported: readonly Pick<ImportedSecret, 'clientId' | 'secret'>[];
  /** Every stream of the log. */
  readonly streams: readonly string[];
  /** The position in the recorded head when the server was killed. */
  readonly recordedHead: number;
  /** When the server was killed, in milliseconds since the epoch. */
  readonly endsAt: number;
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SNAPSHOT_EVENTS = 500;
/** Tokens issued right before the kill, which only the log contains. */
const LAST_MOMENT_TOKENS = 6;
const USER_COUNT = 12;

export const passwordOf = (username: string): string => `the password of ${username}`;

const HOUR_SECONDS = 3_600;

/** Lifetimes of years, so that nothing expires before it is inspected. */
const SETTINGS = { accessTokenLifetimeSeconds: 10 * 365 * 24 * HOUR_SECONDS, snapshotEvents: SNAPSHOT_EVENTS };

export function openImage(
  dataDir: string,
  {
    clock,
    seed,
    notice = () => {},
  }: {
    readonly clock: ManualClock;
    readonly seed: string;
    readonly notice?: (line: string) => void;
  },
): Promise<Service> {
  return openService(configFromSettings({ dataDir, ...SETTINGS }), {
    clock,
    entropy: seededEntropy(seed),
    hasher: quickHasher,
    issuer: () => 'http://localhost:8000',
    notice,
  });
}

/**
 * Creates the data directory of a server that was killed while it worked, with every kind of file: an archive, LevelDB
 * tables, a write-ahead log, snapshots, tiles and checkpoints. This takes more than a thousand small requests.
 * @param directory where the server works; its files at the kill are copied to `dataDir`
 */
export async function makeImage(directory: string, dataDir: string, seed: string): Promise<Image> {
  const clock = manualClock();
  const tokens: string[] = [];
  const users: string[] = [];
  const importedSecrets: ImportedSecret[] = [];
  const streams = new Set<string>();
  let basic = '';

  async function runService(name: string, work: (service: Service) => Promise<void>): Promise<Service> {
    const service = await openImage(directory, { clock, seed: `${seed} ${name}` });
    await work(service);
    return service;
  }

  async function issue(service: Service, count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const username = users[index % users.length] ?? '';
        const parameters =
          index % 3 === 0
            ? { grant_type: 'client_credentials' }
            : { grant_type: 'password', username, password: passwordOf(username) };
        const response = await requestTokens(service, clientRequest(parameters, basic, clock));
        tokens.push(response.access_token);
        if (response.refresh_token !== undefined) tokens.push(response.refresh_token);
      }),
    );
  }

  async function revoke(service: Service, every: number): Promise<void> {
    const tokensToRevoke = tokens.filter((_, index) => index % every === 0);
    await Promise.all(
      tokensToRevoke.map((token) => requestRevocation(service, clientRequest({ token }, basic, clock))),
    );
  }

  const firstService = await runService('first', async (service) => {
    for (let index = 0; index < USER_COUNT; index += 1) users.push(await addUser(service, `user${index}`));
    basic = await addClient(service);
    for (const format of IMPORT_FORMATS) importedSecrets.push(await importClient(service, format));
    for (let round = 0; round < 4; round += 1) {
      await issue(service, 90);
      await revoke(service, 7);
      await service.snapshotsSettled();
      await service.attestation.checkpointNow();
    }
    clock.advance(HOUR_SECONDS);
    await issue(service, 40);
    const { signal } = new AbortController();
    await service.log.archive?.archiveBefore(clock.now() - 1, { signal, progress: () => {} });
  });
  await firstService.close();
  const secondService = await runService('second', async (service) => {
    await issue(service, 120);
    for (const client of importedSecrets) await introspect(service, { client, clock }); // replaces the PBKDF2 hash
    importedSecrets.push(await importClient(service, 'as a PBKDF2 hash', 'never-used'));
    await revoke(service, 11);
    await service.attestation.checkpointNow();
  });
  await secondService.close();
  const lastService = await runService('last', async (service) => {
    await issue(service, 150);
    await service.attestation.checkpointNow();
    await issue(service, 60);
    await revoke(service, 13);
    const profile = { email: 'new@example.org', firstName: 'New', lastName: 'Name' };
    const user = service.projections.users.findByName('user1');
    if (user === undefined) throw new Error('user1 is not registered');
    await service.accounts.changeProfile(user, profile, OPERATOR);
    await service.snapshotsSettled();
    await waitUntilRecorded(directory, service.log.head());
    await issue(service, LAST_MOMENT_TOKENS);
    await requestRevocation(service, clientRequest({ token: tokens.at(-3) ?? '' }, basic, clock));
    cpSync(directory, dataDir, { recursive: true }); // synchronous, so the copy is consistent, as after a SIGKILL
    for await (const events of service.log.readAll(START)) for (const { stream } of events) streams.add(stream);
  });
  await lastService.close();
  const recordedHead = readRecordedHead(dataDir);
  return {
    clientBasic: basic,
    tokens,
    users,
    imported: importedSecrets,
    streams: [...streams],
    recordedHead,
    endsAt: clock.now(),
  };
}

async function addUser({ accounts }: Service, username: string): Promise<string> {
  const account = { username, password: passwordOf(username), email: `${username}@example.org` };
  const result = await accounts.register(account, OPERATOR);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return username;
}

async function addClient({ registration }: Service): Promise<string> {
  const result = await registration.register(
    {
      name: 'Drill',
      clientType: 'confidential',
      grantTypes: ['client-credentials', 'password'],
      redirectUris: [],
      allowedOrigins: [],
      skipAuthorization: false,
    },
    null,
    OPERATOR,
  );
  if (!('clientId' in result)) throw new Error(JSON.stringify(result));
  return `Basic ${Buffer.from(`${result.clientId}:${result.clientSecret}`).toString('base64')}`;
}

/** Introspects an unknown token, which fails unless the secret authenticates the client. */
export function introspect(
  service: Service,
  {
    client: { clientId, secret },
    clock,
  }: {
    readonly client: Pick<ImportedSecret, 'clientId' | 'secret'>;
    readonly clock: ManualClock;
  },
): Promise<unknown> {
  const basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
  return requestIntrospection(service, clientRequest({ token: 'unknown' }, basic, clock));
}

export function clientRequest(parameters: NamedParameters, authorization: string, clock: ManualClock) {
  return {
    parameters: parametersOf(parameters),
    authorization,
    address: '127.0.0.1',
    requestMetadata: { requestId: null },
    now: () => Math.floor(clock.now() / 1000) as EpochSeconds,
  };
}
