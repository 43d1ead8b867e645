import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startNode } from '../cluster/node-process.ts';
import { startRoundRobin, type TlsCredentials } from '../cluster/round-robin.ts';
import { inTemporaryDirectory, printLine, statusOf } from '../run-drill.ts';
import { runScript } from '../run-script.ts';
import { clientAddresses, planConfiguration, type ConformanceClient } from './plan-configuration.ts';

const USAGE = `Usage: npm run conformance -- [--port N] [--suite URL] [--configuration FILE] [--back-channel-logout]

Serves Grantlog for the conformance suite of the OpenID Foundation, with new data: over https with a
certificate of its own, with a user and two clients, and with permission to send requests to this
machine. Writes the configuration of a test plan with static clients: addresses, clients, and what
the suite's browser does on the pages. Create the plan in the suite with that file, with the variants
server_metadata=discovery and client_registration=static_client.

Ctrl-C stops it and removes all data.

  --port N               the port of https on 127.0.0.1 (default: 9443)
  --suite URL            the address of the suite (default: https://localhost:8443)
  --configuration FILE   the file to write (default: conformance.json)
  --back-channel-logout  sends logout tokens to the suite: only for plans that expect them
  --help                 this text

The server gets the settings in the environment. NODE_EXTRA_CA_CERTS names the certificate of the
suite, without which no logout token reaches it.

Exit status 0: stopped by Ctrl-C. 1: the server ended. 2: wrong usage, or it cannot start.
`;

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Claims of all scopes, because the suite warns about those that are missing. */
const PROFILE = [
  'given_name=Ada',
  'family_name=Judge',
  'email=judge@judge.example',
  'nickname=Judge',
  'middle_name=B.',
  'profile=https://judge.example/about',
  'picture=https://judge.example/picture.png',
  'website=https://judge.example/',
  'gender=unknown',
  'birthdate=1970-01-01',
  'zoneinfo=Europe/Berlin',
  'locale=en-GB',
  'phone_number=+4930123456',
  'street_address=Street 1',
  'locality=Berlin',
  'postal_code=10115',
  'country=Germany',
];
const USER = { username: 'judge', password: 'correct horse battery' };

interface Options {
  readonly help: boolean;
  readonly port: number;
  readonly suite: string;
  readonly configuration: string;
  readonly 'back-channel-logout': boolean;
}

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
});

await runScript<Options>(USAGE, readOptions, (options) =>
  inTemporaryDirectory('conformance', (directory) => statusOf(() => run(options, directory), 2)),
);

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      port: { type: 'string', default: '9443' },
      suite: { type: 'string', default: 'https://localhost:8443' },
      configuration: { type: 'string', default: 'conformance.json' },
      'back-channel-logout': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port must be a whole number from 1 to 65535, not ${values.port}`);
  }
  return { ...values, port, suite: new URL(values.suite).origin };
}

async function run({ port, suite, configuration, ...options }: Options, directory: string): Promise<number> {
  const issuer = `https://localhost:${port}`;
  const env = {
    ...process.env,
    PORT: '0',
    ISSUER: issuer,
    DATA_DIR: join(directory, 'data'),
    GRANTLOG_ADMIN_USERNAME: USER.username,
    GRANTLOG_ADMIN_PASSWORD: USER.password,
    GRANTLOG_TRUSTED_PROXIES: '1',
    GRANTLOG_OUTGOING_NETWORKS: '["127.0.0.0/8","::1/128"]', // the suite's clients are on this machine
  };
  const proxy = await startRoundRobin(port, createCertificate(directory));
  try {
    const command = [process.execPath, MAIN, 'serve'];
    const node = await startNode({ name: 'grantlog', command, env, onLine: printLine });
    proxy.setNodes([node.port]);
    runCommand(
      process.execPath,
      [MAIN, 'user', 'profile', USER.username, ...PROFILE.flatMap((claim) => ['--set', claim])],
      env,
    );
    const addresses = clientAddresses(suite);
    const logout = options['back-channel-logout'] ? [addresses.backchannelLogoutUri] : [];
    const add = (name: string): ConformanceClient =>
      addClient({ ...addresses, name, backchannelLogoutUris: logout }, env);
    const clients = [add('first'), add('second')] as const;
    const contents = planConfiguration({ issuer, suite, ...USER, clients });
    writeFileSync(configuration, `${JSON.stringify(contents, null, 2)}\n`);
    printLine(`serving ${issuer}; the configuration of the plan is in ${configuration}; Ctrl-C stops it`);
    const status = await Promise.race([interrupted.then(() => 0), node.ended.then(() => 1)]);
    await node.stop();
    return status;
  } finally {
    await proxy.close();
  }
}

/** A certificate for localhost that only this run uses. The suite accepts any. @throws Error if OpenSSL is missing */
function createCertificate(directory: string): TlsCredentials {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  runCommand('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '7',
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

interface NewClient extends Pick<ReturnType<typeof clientAddresses>, 'redirectUris' | 'postLogoutRedirectUri'> {
  readonly name: string;
  /** At most one. */
  readonly backchannelLogoutUris: readonly string[];
}

function addClient(client: NewClient, env: NodeJS.ProcessEnv): ConformanceClient {
  const options = {
    '--name': [client.name],
    '--type': ['confidential'],
    '--owner': [USER.username],
    '--grant': ['authorization-code'],
    '--redirect-uri': client.redirectUris,
    '--post-logout-redirect-uri': [client.postLogoutRedirectUri],
    '--backchannel-logout-uri': client.backchannelLogoutUris,
  };
  const args = Object.entries(options).flatMap(([option, values]) => values.flatMap((value) => [option, value]));
  const output = runCommand(process.execPath, [MAIN, 'client', 'add', '--json', ...args], env);
  const { client_id, client_secret } = JSON.parse(output) as ConformanceClient;
  return { client_id, client_secret };
}

/** @returns the standard output @throws Error if the command failed */
function runCommand(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
