import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startNode } from '../cluster/node-process.ts';
import { inTemporaryDirectory, printLine, statusOf } from '../run-drill.ts';
import { runScript } from '../run-script.ts';
import { createCertificate } from './certificate.ts';
import { planConfiguration } from './plan-configuration.ts';
import { runCommand } from './run-command.ts';
import { addClient, type TestClient } from './test-clients.ts';
import { parseTestPlan, usesCertificates, type TestPlan } from './test-plan.ts';

const USAGE = `Usage: npm run conformance -- [--plan PLAN] [--port N] [--mtls-port N] [--suite URL]
                              [--configuration FILE]

Serves Grantlog for the OpenID Foundation's conformance suite, with new data: over https with a
self-signed certificate, with a user and the two clients that the plan needs, and with permission to send
requests to this machine. Writes the configuration of the plan: URLs, clients with their keys, and
the actions of the suite's browser on the pages. Create the plan in the suite with that file, with static
clients and discovery.

Ctrl-C stops the server and removes all data.

  --plan PLAN            the plan with its variant as NAME[CHOICE=VALUE]…; these choices are used:
                         client_auth_type, sender_constrain and openid of FAPI 2.0
                         (default: oidcc-basic-certification-test-plan)
  --port N               the HTTPS port on 127.0.0.1 (default: 9443)
  --mtls-port N          the port for requests with client certificates (default: 9444)
  --suite URL            the URL of the suite (default: https://localhost:8443)
  --configuration FILE   the file to write, with private keys (default: conformance.json)
  --help                 show this help

The server inherits settings from the environment. NODE_EXTRA_CA_CERTS must be the path of the suite's
certificate, so that the server can send logout tokens to it.

Exit status 0: stopped by Ctrl-C. 1: the server exited. 2: usage error, or it cannot start.
`;

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Claims of all scopes, because the suite warns about missing claims. */
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
  readonly plan: TestPlan;
  readonly port: number;
  readonly mtlsPort: number;
  readonly suite: string;
  readonly configuration: string;
}

const interruption = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
});

await runScript<Options>(USAGE, readOptions, (options) =>
  inTemporaryDirectory('conformance', (directory) => statusOf(() => run(options, directory), 2)),
);

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      plan: { type: 'string', default: 'oidcc-basic-certification-test-plan' },
      port: { type: 'string', default: '9443' },
      'mtls-port': { type: 'string', default: '9444' },
      suite: { type: 'string', default: 'https://localhost:8443' },
      configuration: { type: 'string', default: 'conformance.json' },
      help: { type: 'boolean', default: false },
    },
  });
  const readPort = (name: 'port' | 'mtls-port'): number => {
    const port = Number(values[name]);
    if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
    throw new Error(`--${name} must be a whole number from 1 to 65535, not ${values[name]}`);
  };
  return {
    help: values.help,
    plan: parseTestPlan(values.plan),
    port: readPort('port'),
    mtlsPort: readPort('mtls-port'),
    suite: new URL(values.suite).origin,
    configuration: values.configuration,
  };
}

async function run({ plan, port, mtlsPort, suite, configuration }: Options, directory: string): Promise<number> {
  const [issuer, mtlsUrl] = [port, mtlsPort].map((number) => `https://localhost:${number}`) as [string, string];
  const localhost = ['/CN=localhost', 'subjectAltName=DNS:localhost'] as const;
  // The suite accepts any certificate.
  const { certificateFile, keyFile } = createCertificate(directory, 'server', localhost);
  const env = {
    ...process.env,
    PORT: String(port),
    ISSUER: issuer,
    DATA_DIR: join(directory, 'data'),
    GRANTLOG_ADMIN_USERNAME: USER.username,
    GRANTLOG_ADMIN_PASSWORD: USER.password,
    GRANTLOG_TLS_CERTIFICATE_FILE: certificateFile,
    GRANTLOG_TLS_KEY_FILE: keyFile,
    ...(usesCertificates(plan) && { GRANTLOG_MTLS_PORT: String(mtlsPort) }),
    GRANTLOG_OUTGOING_NETWORKS: '["127.0.0.0/8","::1/128"]', // for requests to the suite's clients on this machine
  };
  const grantlog = (...args: readonly string[]): string => runCommand(process.execPath, [MAIN, ...args], env);
  const command = [process.execPath, MAIN, 'serve'];
  const node = await startNode({ name: 'grantlog', command, env, onLine: printLine });
  try {
    grantlog('user', 'profile', USER.username, ...PROFILE.flatMap((claim) => ['--set', claim]));
    const add = (name: string): TestClient =>
      addClient(name, { plan, suite, owner: USER.username, directory, grantlog });
    const clients = [add('first'), add('second')] as const;
    const contents = planConfiguration({ plan, issuer, mtlsUrl, suite, ...USER, clients });
    writeFileSync(configuration, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
    printLine(`serving ${issuer}; the configuration of the plan is in ${configuration}; Ctrl-C stops it`);
    return await Promise.race([interruption.then(() => 0), node.exitStatus.then(() => 1)]);
  } finally {
    await node.stop();
  }
}
