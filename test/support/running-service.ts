import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS, type Limits } from '../../src/platform/limits/limits.ts';
import { memoryCheckpoints } from '../../src/audit/proofs/issued-checkpoints.ts';
import { memoryHeadStore } from '../../src/audit/proofs/head-file.ts';
import { memoryTileStore } from '../../src/audit/proofs/tile-store.ts';
import { configFromSettings, type Config } from '../../src/config/config.ts';
import type { SecuritySettings } from '../../src/domain/security-settings.ts';
import type { OpenIdSettings } from '../../src/domain/openid-settings.ts';
import type { Role } from '../../src/domain/events.ts';
import type { ApplicationType, RegisteredGrant } from '../../src/domain/values.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import type { EventLog, RecordedEvent } from '../../src/event-store/event-log.ts';
import { START } from '../../src/event-store/event-log.ts';
import { refuseMalformed } from '../../src/cli/refuse-malformed.ts';
import { createApp } from '../../src/http/app.ts';
import { createBrand } from '../../src/http/pages/brand.ts';
import type { ErrorLog } from '../../src/http/pipeline/error-response.ts';
import type { RequestLog } from '../../src/platform/metrics/request-lines.ts';
import type { Translators } from '../../src/language/translators.ts';
import type { MailTransport } from '../../src/platform/mail/mail-message.ts';
import type { Resolve } from '../../src/platform/egress/egress.ts';
import type { Entropy, PasswordHasher, StartTimer } from '../../src/platform/ports.ts';
import { createService, type Service } from '../../src/composition/service.ts';
import { memorySnapshotStore } from '../../src/event-store/snapshots/snapshot-store.ts';
import { UNLIMITED_SPACE, type DiskSpace } from '../../src/platform/files/disk-space.ts';
import type { CookieKeys } from '../../src/platform/keys/cookie-keys.ts';
import type { Certificate } from '../../src/platform/certificates/certificate.ts';
import { ephemeralKeys, KEY_NAMES, type Keys } from '../../src/platform/keys/keys.ts';
import { CLIENT_KEYS, type ClientKeys } from '../../src/platform/keys/client-keys.ts';
import type { GenerateSigningKey } from '../../src/platform/keys/key-pairs.ts';
import { PERSONAL_KEYS, type PersonalKeys } from '../../src/platform/keys/personal-keys.ts';
import { SIGNING_KEYS, type SigningKeyring } from '../../src/platform/keys/signing-keyring.ts';
import { browserSession, type BrowserSession } from './browser-session.ts';
import { closeIdleConnections, httpRequest } from './http-request.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';
import { quickHasher } from './quick-hasher.ts';
import { readyMadeKeys } from './ready-made-keys.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { createWatchedLogs, watchPassword } from './watched-output.ts';

/** A registered application with its credentials. */
export interface TestClient {
  readonly id: string;
  /** Empty for a public client. */
  readonly secret: string;
  /** The `Authorization` header for HTTP Basic. */
  readonly basic: string;
}

export interface TestUser {
  readonly username: string;
  readonly password: string;
}

/** A response with its whole body; `json` is undefined if the body is not JSON. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** Sends requests to a service over HTTP. */
export interface Requests {
  post(
    path: string,
    body: string | Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestResponse>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  /** Sends a request unchanged, with any method and any bytes. */
  send(path: string, init: RequestInit): Promise<TestResponse>;
  /** Sends POST /o/token/, authenticated as the client with HTTP Basic. */
  token(client: TestClient, parameters: Readonly<Record<string, string>>): Promise<TestResponse>;
  browser(headers?: Readonly<Record<string, string>>): BrowserSession;
  /** Logs in and consents over HTTP, and returns the client's new code. */
  authorize(
    client: TestClient,
    user: TestUser,
    parameters?: Readonly<Record<string, string>>,
    /** Additional fields of the consent form. */
    fields?: Readonly<Record<string, string>>,
  ): Promise<string>;
}

export interface RunningService extends Requests {
  readonly clock: ManualClock;
  readonly log: EventLog;
  /** Returns the current service, which a restart replaces. */
  service(): Service;
  origin(): string;
  /** The unexpected errors so far. `close` throws if there are any. */
  readonly unexpected: readonly unknown[];
  /** Replays the log into a new service, like a restart of the process with `changedSettings`. */
  restart(changedSettings?: NonNullable<RunningOptions['settings']>): Promise<void>;
  close(): Promise<void>;

  addUser(username?: string, roles?: readonly Role[]): Promise<TestUser>;
  addClient(options?: Partial<ClientOptions>): Promise<TestClient>;
  events(): Promise<readonly RecordedEvent[]>;
}

export interface ClientOptions {
  readonly clientType: 'confidential' | 'public';
  readonly grantTypes: readonly RegisteredGrant[];
  readonly redirectUris: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly skipAuthorization: boolean;
  readonly restrictedScopes: readonly string[];
  readonly accessTokenFormat: string;
  readonly accessTokenAlgorithm?: string;
  readonly secondFactorRequired?: boolean;
  readonly applicationType?: ApplicationType;
  readonly detailTypes?: readonly string[];
  readonly openid?: Partial<OpenIdSettings>;
  readonly security?: Partial<SecuritySettings>;
  readonly owner: string | null;
  readonly name: string;
}

export const REDIRECT_URI = 'https://app.example/callback';

export interface RunningOptions {
  /** Settings, named as in the configuration file; the defaults are those of the sample configuration. */
  readonly settings?: Parameters<typeof configFromSettings>[0];
  readonly log?: EventLog;
  readonly hasher?: PasswordHasher;
  readonly seed?: string | number;
  readonly personalKeys?: PersonalKeys;
  readonly clientKeys?: ClientKeys;
  readonly signingKeyring?: SigningKeyring;
  /** Replaces the ready-made keys. */
  readonly generateSigningKey?: GenerateSigningKey;
  /** Replaces some of the keys that are derived from `seed`. */
  readonly keys?: Partial<Keys>;
  /** Derived from `keys` by default. */
  readonly cookieKeys?: CookieKeys;
  /** `ROOMY_LIMITS` by default; the product's own are `LIMITS`. */
  readonly limits?: Limits;
  /** The translators of the pages; by default, those for the catalog. */
  readonly translators?: Translators;
  /** Receives a line for each request. */
  readonly requestLog?: RequestLog;
  /** Receives the log lines about rate limits. */
  readonly warn?: NonNullable<ErrorLog['warn']>;
  /** Milliseconds since the epoch. */
  readonly startsAt?: number;
  /** By default, a clock that starts at `startsAt`. */
  readonly clock?: ManualClock;
  /** Receives notices for the operator. */
  readonly notice?: (line: string) => void;
  /** Whether the issuer is the service's actual origin, as client libraries with discovery require. */
  readonly isItsOwnIssuer?: boolean;
  /** The disk space; unlimited by default. */
  readonly space?: DiskSpace;
  /** Resolves the host names of other servers; the system's resolver by default. */
  readonly resolve?: Resolve;
  /** Starts timers for outgoing requests and deliveries; system timers by default. */
  readonly startTimer?: StartTimer;
  /** Replaces the transport from the settings. */
  readonly mailTransport?: MailTransport;
  /** The authorities whose client certificates the service accepts. */
  readonly clientAuthorities?: readonly Certificate[];
  /** Replaces the configuration at every start. */
  readonly replaceConfig?: (config: Config) => Config;
  /** The port; a free one by default. */
  readonly port?: number;
}

/** For tests that are not about limits, but cause many failures from one address. */
const ROOMY_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, limit]) => [name, { ...limit, max: 1_000_000 }]),
) as Limits;

const KEY_BYTES = 32;
const DEFAULT_SEED = 'grantlog';

/** The keys derived from the default seed. Cached, because deriving them takes a quarter of a server's startup. */
const DEFAULT_KEYS = ephemeralKeys(seededEntropy(DEFAULT_SEED));

function deriveKeys(seed: string | number, entropy: Entropy): Keys {
  if (seed !== DEFAULT_SEED) return ephemeralKeys(entropy);
  KEY_NAMES.forEach(() => entropy.bytes(KEY_BYTES)); // consumes the bytes that generating keys would
  return DEFAULT_KEYS;
}

/** Starts the real service with real HTTP and a manual clock, by default on a log in memory. */
export async function runningService(options: RunningOptions = {}): Promise<RunningService> {
  const {
    settings = {},
    log = createMemoryLog(),
    hasher = quickHasher,
    seed = DEFAULT_SEED,
    personalKeys = PERSONAL_KEYS.inMemory(),
    limits = ROOMY_LIMITS,
  } = options;
  const { space = UNLIMITED_SPACE } = options;
  const { clientKeys = CLIENT_KEYS.inMemory(), signingKeyring = SIGNING_KEYS.inMemory() } = options;
  const { generateSigningKey = readyMadeKeys() } = options;
  const logs = createWatchedLogs();
  const { warn = logs.server.warn.bind(logs.server), requestLog = logs.requests } = options;
  const { clock = manualClock(options.startsAt), notice = () => {} } = options;
  const entropy = seededEntropy(seed);
  const keys = { ...deriveKeys(seed, entropy), ...options.keys };
  const tiles = memoryTileStore();
  const checkpoints = memoryCheckpoints();
  const heads = memoryHeadStore();
  const snapshots = memorySnapshotStore();
  let config: Config = configFromSettings({ sampleApi: true, ...settings });
  const unexpectedErrors: unknown[] = [];
  let service: Service;
  let server: Server;
  const issuer = (): string =>
    options.isItsOwnIssuer === true ? origin() : (config.issuer ?? 'http://localhost:8000');
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function start(): Promise<void> {
    service = await createService({
      config: options.replaceConfig?.(config) ?? config,
      log,
      keys,
      personalKeys,
      clientKeys,
      signingKeyring,
      generateSigningKey,
      tiles,
      checkpoints,
      heads,
      recordedHead: heads.read()?.head,
      snapshots,
      clock,
      entropy,
      hasher,
      limits,
      issuer,
      space,
      notice,
      ...(options.clientAuthorities && { clientAuthorities: options.clientAuthorities }),
      ...(options.resolve && { resolve: options.resolve }),
      ...(options.startTimer && { startTimer: options.startTimer }),
      ...(options.mailTransport && { mailTransport: options.mailTransport }),
    });
    // By default, the server would close idle connections while a test keeps the process busy, and the next request on
    // such a connection would fail.
    server = createServer({ keepAliveTimeout: 0 }).listen(options.port ?? 0, '127.0.0.1');
    refuseMalformed(server);
    await once(server, 'listening');
    const errorLog: ErrorLog = {
      error(details, message) {
        unexpectedErrors.push(details['err']);
        logs.server.error(details, message);
      },
      debug: logs.server.debug.bind(logs.server),
      warn,
    };
    const { cookieKeys = service.cookieKeys } = options;
    const brand = createBrand(service.config);
    const { translators = brand.translators } = options;
    const deps = { ...service, cookieKeys, brand: { ...brand, translators } };
    const handle = createApp(deps, errorLog, undefined, requestLog).callback();
    // in the same turn as the listening event, so that no request is missed
    server.on('request', (request, response) => void handle(request, response));
  }

  async function stop(): Promise<void> {
    const closeEvent = once(server, 'close');
    server.on('connection', (socket) => socket.destroy()); // already accepted, but not emitted yet
    server.close();
    server.closeAllConnections();
    closeIdleConnections();
    await closeEvent;
  }

  await start();
  let userCount = 0;

  const running: RunningService = {
    ...requestsTo(origin),
    clock,
    log,
    origin,
    unexpected: unexpectedErrors,
    service: () => service,

    async restart(changedSettings = {}) {
      await stop();
      config = configFromSettings({ sampleApi: true, ...settings, ...changedSettings });
      await start();
    },

    async close() {
      await stop();
      await log.close();
      if (unexpectedErrors.length > 0)
        throw new Error('the service had unexpected errors', { cause: unexpectedErrors[0] });
    },

    async addUser(username = `user${(userCount += 1)}`, roles = []) {
      const password = `${username}'s password`;
      watchPassword(password);
      const result = await service.accounts.register({ username, password, roles }, OPERATOR);
      if ('errors' in result) throw new Error(JSON.stringify(result.errors));
      return { username, password };
    },

    async addClient(registration = {}) {
      const { owner = null, ...fields } = registration;
      const ownerId = owner === null ? null : (service.projections.users.findByName(owner)?.userId ?? null);
      const result = await service.registration.register({ ...CLIENT, ...fields }, ownerId, OPERATOR);
      if (!('clientId' in result)) throw new Error(JSON.stringify(result));
      const secret = result.clientSecret ?? '';
      return {
        id: result.clientId,
        secret,
        basic: `Basic ${Buffer.from(`${result.clientId}:${secret}`).toString('base64')}`,
      };
    },

    async events() {
      const events: RecordedEvent[] = [];
      for await (const batch of log.readAll(START)) events.push(...batch);
      return events;
    },
  };
  return running;
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

const CLIENT: Omit<ClientOptions, 'owner'> = {
  name: 'Test application',
  clientType: 'confidential',
  grantTypes: ['authorization-code', 'client-credentials', 'password'],
  redirectUris: [REDIRECT_URI],
  allowedOrigins: [],
  skipAuthorization: false,
  restrictedScopes: [],
  accessTokenFormat: 'opaque',
};

/** * Returns functions that send requests to a server. * @param origin called for each request */
export function requestsTo(origin: () => string): Requests {
  async function send(path: string, init: RequestInit): Promise<TestResponse> {
    const response = await httpRequest(new URL(path, origin()), init);
    return { ...response, json: parse(response.text) };
  }

  const requests: Requests = {
    send,
    post: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    get: (path, headers = {}) => send(path, { headers: { ...headers } }),
    token: (client, parameters) => requests.post('/o/token/', parameters, { authorization: client.basic }),
    browser: (headers) => browserSession(origin, headers),

    async authorize(client, user, parameters = {}, fields = {}) {
      const browser = requests.browser();
      await browser.logIn(user.username, user.password);
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri: REDIRECT_URI,
        ...parameters,
      });
      const consent = await browser.get(`/o/authorize/?${query.toString()}`);
      const { location } = await browser.submit(consent, { allow: 'Authorize', ...fields });
      const code = location === null ? null : new URL(location).searchParams.get('code');
      if (code === null) throw new Error(`the server returned no code: ${consent.status} ${location ?? consent.html}`);
      return code;
    },
  };
  return requests;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
