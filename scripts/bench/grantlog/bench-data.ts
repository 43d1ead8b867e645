import { configFromSettings } from '../../../src/config/config.ts';
import { passwordLogin } from '../../../src/domain/login.ts';
import { grantStream } from '../../../src/domain/streams.ts';
import { MAX_EXCHANGE_DEPTH, type ClientId, type EpochSeconds, type UserId } from '../../../src/domain/values.ts';
import { readClientKeys } from '../../../src/oauth/clients/client-keys.ts';
import {
  generatePrivateKey,
  publicKeySet,
  type AssertionAlgorithm,
  type AssertionClient,
  type JwtBearerClient,
} from '../contenders/assertions.ts';
import { mintId, mintNonce } from '../../../src/oauth/credentials/credentials.ts';
import { createTaggedCredentials } from '../../../src/oauth/credentials/tagged-credentials.ts';
import { argon2idHasher, systemClock, systemEntropy } from '../../../src/platform/ports.ts';
import { openService } from '../../../src/composition/open-service.ts';
import type { Service } from '../../../src/composition/service.ts';

/** The data of a measured server: its clients, one user, and codes issued in advance. */
export interface BenchData {
  readonly dataDir: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The clients that get ID tokens, by the algorithm of the tokens. */
  readonly openIdClients: Readonly<Record<'RS256' | 'EdDSA', BenchClient>>;
  /** The clients that authenticate with signed assertions, by the algorithm of the assertions. */
  readonly assertionClients: Readonly<Record<AssertionAlgorithm, AssertionClient>>;
  readonly trustedClient: JwtBearerClient;
  /** Each client may exchange the tokens of the previous one; the first may exchange the tokens of `clientId`. */
  readonly exchangeClients: readonly BenchClient[];
  readonly username: string;
  readonly password: string;
  /** Unredeemed codes. */
  readonly codes: readonly string[];
}

export interface BenchClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export const REDIRECT_URI = 'https://app.example/callback';
/** The maximum, because codes issued before the server starts must outlive the run. */
export const CODE_LIFETIME_SECONDS = 3_600;

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SCOPE = ['read', 'write'];
/** The number of concurrent appends, which share a commit. */
const BATCH_SIZE = 1_024;

/**
 * Creates `dataDir` by running the service's commands.
 * @param codes the number of codes to issue
 * @param settings the locations of the log and the keys, if they are not in `dataDir`
 */
export async function createBenchData(
  dataDir: string,
  codes: number,
  settings: StorageSettings = {},
): Promise<BenchData> {
  const service = await openBenchService(dataDir, settings);
  try {
    const [username, password] = ['bench', 'correct horse battery staple'];
    const registration = await service.accounts.register({ username, password }, OPERATOR);
    if ('errors' in registration) throw new Error(JSON.stringify(registration.errors));
    const { clientId, clientSecret } = await registerClient(service, 'RS256');
    return {
      dataDir,
      clientId,
      clientSecret,
      openIdClients: {
        RS256: await registerClient(service, 'RS256'),
        EdDSA: await registerClient(service, 'EdDSA'),
      },
      assertionClients: {
        ES256: await registerAssertionClient(service, 'ES256'),
        RS256: await registerAssertionClient(service, 'RS256'),
      },
      trustedClient: await registerJwtBearerClient(service),
      exchangeClients: await registerExchangeClients(service, clientId),
      username,
      password,
      codes: await issueCodes(service, clientId, registration.user.userId, codes),
    };
  } finally {
    await service.close();
  }
}

async function registerClient(service: Service, idTokenAlgorithm: 'RS256' | 'EdDSA') {
  const client = await service.registration.register(
    {
      name: 'Bench',
      clientType: 'confidential',
      grantTypes: ['authorization-code', 'client-credentials', 'password'],
      redirectUris: [REDIRECT_URI],
      allowedOrigins: [],
      skipAuthorization: true,
      openid: { idTokenAlgorithm },
    },
    null,
    OPERATOR,
  );
  if (!('clientId' in client) || client.clientSecret === null) throw new Error(JSON.stringify(client));
  return { clientId: client.clientId, clientSecret: client.clientSecret };
}

async function registerExchangeClients(service: Service, firstSubject: ClientId): Promise<readonly BenchClient[]> {
  const clients: BenchClient[] = [];
  let subjectClientId: string = firstSubject;
  for (let depth = 1; depth <= MAX_EXCHANGE_DEPTH; depth += 1) {
    const client = await service.registration.register(
      {
        name: `Bench at depth ${depth}`,
        clientType: 'confidential',
        grantTypes: ['token-exchange', 'client-credentials'],
        redirectUris: [],
        allowedOrigins: [],
        skipAuthorization: true,
      },
      null,
      OPERATOR,
    );
    if (!('clientId' in client) || client.clientSecret === null) throw new Error(JSON.stringify(client));
    const { clientId, clientSecret } = client;
    const policy = { modes: ['impersonation', 'delegation'], scope: null, resources: null };
    const result = await service.exchangePolicyRegistry.set({ clientId, subjectClientId }, policy, OPERATOR);
    if ('errors' in result) throw new Error(JSON.stringify(result));
    clients.push({ clientId, clientSecret });
    subjectClientId = clientId;
  }
  return clients;
}

async function registerAssertionClient(service: Service, algorithm: AssertionAlgorithm): Promise<AssertionClient> {
  const privateKey = generatePrivateKey(algorithm);
  const keySet = await readClientKeys(publicKeySet(privateKey));
  if ('problem' in keySet) throw new Error(keySet.problem.key);
  const client = await service.registration.register(
    {
      name: 'Bench with a key',
      clientType: 'confidential',
      grantTypes: ['client-credentials'],
      redirectUris: [],
      allowedOrigins: [],
      skipAuthorization: true,
      authentication: { methods: ['private_key_jwt'], keys: keySet.keys },
    },
    null,
    OPERATOR,
  );
  if (!('clientId' in client)) throw new Error(JSON.stringify(client));
  return { clientId: client.clientId, privateKey };
}

/** Registers a client and an issuer whose JWTs are mapped to that client. */
async function registerJwtBearerClient(service: Service): Promise<JwtBearerClient> {
  const [issuer, privateKey] = ['https://issuer.example', generatePrivateKey('ES256')];
  const keySet = await readClientKeys(publicKeySet(privateKey));
  if ('problem' in keySet) throw new Error(keySet.problem.key);
  const client = await service.registration.register(
    {
      name: 'Bench for another issuer',
      clientType: 'confidential',
      grantTypes: ['jwt-bearer'],
      redirectUris: [],
      allowedOrigins: [],
      skipAuthorization: true,
    },
    null,
    OPERATOR,
  );
  if (!('clientId' in client) || client.clientSecret === null) throw new Error(JSON.stringify(client));
  const { clientId, clientSecret } = client;
  const fields = {
    keys: keySet.keys,
    keysUri: null,
    audience: [],
    uses: ['assertion'],
    claims: [],
    mapping: 'client',
    nameClaim: '',
    users: [],
    clients: [clientId],
    scope: SCOPE,
    resources: null,
    maxTokenLifetimeSeconds: 3_600,
    maxAssertionAgeSeconds: 600,
  };
  const result = await service.trustedIssuerRegistry.set(issuer, fields, OPERATOR);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return { clientId, clientSecret, issuer, privateKey };
}

interface StorageSettings {
  readonly log?: string;
  readonly keys?: string;
}

/** Opens the service without an HTTP server. Replays the log, and writes snapshots that are due. */
export function openBenchService(dataDir: string, settings: StorageSettings = {}): Promise<Service> {
  const config = configFromSettings({ ...settings, dataDir, authorizationCodeLifetimeSeconds: CODE_LIFETIME_SECONDS });
  return openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: argon2idHasher(),
    issuer: () => 'http://localhost',
  });
}

async function issueCodes(
  service: Service,
  clientId: ClientId,
  userId: UserId,
  count: number,
): Promise<readonly string[]> {
  const codes: string[] = [];
  const credentials = createTaggedCredentials(service.keys.refresh);
  const now = Math.floor(service.clock.now() / 1000) as EpochSeconds;
  const expiresAt = (now + CODE_LIFETIME_SECONDS) as EpochSeconds;
  const issueOne = async (): Promise<void> => {
    const { grantId, code } = credentials.deriveCode(mintNonce(service.entropy));
    await service.grantCommands.execute(
      grantStream(grantId),
      {
        type: 'IssueCode',
        grantId,
        clientId,
        userId,
        scope: SCOPE,
        resource: [],
        consent: 'asked',
        codeHash: code.hash,
        redirectUri: REDIRECT_URI,
        redirectUriRequired: true,
        codeChallenge: null,
        login: passwordLogin(now),
        requested: { scope: SCOPE },
        now,
        expiresAt,
      },
      { actor: { kind: 'user', id: userId }, requestId: mintId(service.entropy) },
    );
    codes.push(code.value);
  };
  while (codes.length < count)
    await Promise.all(Array.from({ length: Math.min(BATCH_SIZE, count - codes.length) }, issueOne));
  return codes;
}
