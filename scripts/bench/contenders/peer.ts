import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import { ID_TOKEN_ALGORITHMS, type RowName } from '../rows.ts';
import { startServer } from '../server-process.ts';
import { assertionRequest, generatePrivateKey, publicKeySet } from './assertions.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { basicAuthHeader, postForm, redeem } from './http-text.ts';
import { createDpopClient } from './proofs.ts';
import { openLedger, TOKEN_ROWS } from './ledger.ts';
import {
  bearerRequest,
  clientCredentialsRequest,
  codeRequest,
  introspectionRequest,
  openIdRequest,
  refreshRequest,
} from './requests.ts';

/** Another authorization server, at the version locked in scripts/bench/peers. */
interface Peer {
  readonly name: string;
  readonly program: string;
  readonly rows: readonly RowName[];
}

/** The most widely used peer. */
export const LARGEST_PEER = 'oidc-provider';

export const PEERS: readonly Peer[] = [
  {
    name: LARGEST_PEER,
    program: 'oidc-provider.mjs',
    rows: [...TOKEN_ROWS, 'introspection', 'openid-rs256', 'openid-eddsa', 'private_key_jwt', 'dpop', 'dpop-userinfo'],
  },
  { name: '@node-oauth/oauth2-server', program: 'node-oauth.mjs', rows: [...TOKEN_ROWS, 'bearer'] },
  { name: '@jmondi/oauth2-server', program: 'jmondi.mjs', rows: [...TOKEN_ROWS, 'introspection'] },
];

const SOURCES = join(CHECKOUT, 'scripts/bench/peers');
/** Outside the sources, so that the project's tools ignore it. */
const INSTALLED = join(CHECKOUT, 'bench-data/peers');

/** Installs the locked versions of the peers, unless they are up to date. */
export function installPeers(): void {
  const lock = readFileSync(join(SOURCES, 'package-lock.json'), 'utf8');
  const installedLock = join(INSTALLED, 'package-lock.json');
  const isUpToDate =
    existsSync(join(INSTALLED, 'node_modules')) &&
    existsSync(installedLock) &&
    readFileSync(installedLock, 'utf8') === lock;
  mkdirSync(INSTALLED, { recursive: true });
  cpSync(SOURCES, INSTALLED, { recursive: true });
  if (isUpToDate) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: INSTALLED,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${INSTALLED}`);
}

/** The issuer of all peers. */
const ISSUER = 'http://localhost';
const CLIENT_ID = '0123456789abcdefghijkl';
export const CLIENT_SECRET = `gls${'0123456'.repeat(7)}`;
export const REDIRECT_URI = 'https://app.example/callback';

/** Starts a peer with its default in-memory storage, so that it is not slowed down by a database. */
export async function startPeer(
  { name, program, rows }: Peer,
  { directory, cores, connections }: ContenderContext,
): Promise<Contender> {
  const privateKey = generatePrivateKey();
  const server = await startServer({
    command: [process.execPath, program],
    cwd: INSTALLED,
    core: cores?.server,
    output: join(directory, `${program}.log`),
    hasIpc: true,
    env: {
      NODE_ENV: 'production',
      BENCH_CLIENT_ID: CLIENT_ID,
      BENCH_CLIENT_SECRET: CLIENT_SECRET,
      BENCH_REDIRECT_URI: REDIRECT_URI,
      BENCH_CLIENT_KEYS: JSON.stringify(publicKeySet(privateKey)),
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const authorization = basicAuthHeader(CLIENT_ID, CLIENT_SECRET);
  const issueCodes = async (count: number) => (await server.ask({ codes: count })) as readonly string[];
  const countTokens = async () => (await server.ask({ tokens: true })) as number;
  const { access_token: token } = await postForm(origin, '/o/token/', authorization, {
    grant_type: 'client_credentials',
  });
  const chains = await Promise.all(
    (await issueCodes(connections)).map((code) => redeem(origin, authorization, code, REDIRECT_URI)),
  );
  const dpop = createDpopClient({ origin, issuer: ISSUER, setupBase: origin });
  const boundToken = rows.includes('dpop-userinfo') ? await redeemBound() : '';
  const ledger = await openLedger({ name, chains, issueCodes, countTokens });

  async function redeemBound(): Promise<string> {
    const [code = ''] = (await server.ask({ codes: 1, algorithm: 'RS256' })) as readonly string[];
    return dpop.redeem(basicAuthHeader(`${CLIENT_ID}-RS256`, CLIENT_SECRET), code, REDIRECT_URI);
  }

  return {
    name,
    server,
    rows,
    async prepare(row, count) {
      switch (row) {
        case 'client_credentials':
          return clientCredentialsRequest(authorization);
        case 'code':
        case 'code-cold':
          return codeRequest(authorization, REDIRECT_URI, await ledger.codes(count));
        case 'openid-rs256':
        case 'openid-eddsa': {
          const algorithm = ID_TOKEN_ALGORITHMS[row];
          const list = (await server.ask({ codes: count, algorithm })) as readonly string[];
          return openIdRequest(basicAuthHeader(`${CLIENT_ID}-${algorithm}`, CLIENT_SECRET), REDIRECT_URI, list);
        }
        case 'private_key_jwt':
          return assertionRequest({ clientId: `${CLIENT_ID}-key`, privateKey }, ISSUER, count);
        case 'dpop':
          return dpop.tokenRequest(authorization, count);
        case 'dpop-userinfo':
          return dpop.userinfoRequest(boundToken, count);
        case 'refresh':
          return refreshRequest(authorization, ledger.chains());
        case 'bearer':
          return bearerRequest(String(token), 'bench');
        case 'introspection':
          return introspectionRequest(authorization, String(token));
        case 'private_key_jwt-rs256':
        case 'jwt_bearer':
        case 'exchange':
        case 'bearer-deep':
        case 'introspection-deep':
          throw new Error(`${name} has no row ${row}`);
      }
    },
    verify: ledger.verify,
  };
}
