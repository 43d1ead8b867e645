import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { startPostgres } from '../postgres.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { findInstalledSoftware, missingPackages, PYTHON } from './django-packages.ts';
import { basicAuthHeader, postForm, redeem } from './http-text.ts';
import { openLedger, TOKEN_ROWS } from './ledger.ts';
import { CLIENT_SECRET, REDIRECT_URI } from './peer.ts';
import { clientCredentialsRequest, codeRequest, introspectionRequest, refreshRequest } from './requests.ts';

export const DJANGO_TOOLKIT = 'django-oauth-toolkit';

const SOURCES = join(CHECKOUT, 'scripts/bench/peers/django-oauth-toolkit');

/**
 * Starts django-oauth-toolkit, the only contender other than Grantlog that stores its tokens durably. It uses
 * PostgreSQL. If its packages are not installed, reports them and returns no contender.
 */
export async function startDjangoToolkit(
  context: ContenderContext,
  report: (line: string) => void,
): Promise<readonly Contender[]> {
  const installedSoftware = findInstalledSoftware();
  const missing = missingPackages(installedSoftware);
  if (installedSoftware.postgres === undefined || missing.length > 0) {
    report(`skipping ${DJANGO_TOOLKIT}: apt-get install ${missing.join(' ')}`);
    return [];
  }
  const directory = join(context.directory, 'postgresql');
  const postgres = await startPostgres({
    programs: installedSoftware.postgres,
    directory,
    core: context.cores?.server,
  });
  try {
    return [
      await startContender(context, postgres, {
        DJANGO_SETTINGS_MODULE: 'settings',
        PYTHONPATH: SOURCES,
        PYTHONDONTWRITEBYTECODE: '1',
        BENCH_SOCKETS: directory,
        BENCH_SECRET_KEY: randomBytes(50).toString('base64url'),
        BENCH_CLIENT_SECRET: CLIENT_SECRET,
        BENCH_REDIRECT_URI: REDIRECT_URI,
      }),
    ];
  } catch (error) {
    await postgres.end('SIGQUIT');
    throw error;
  }
}

async function startContender(
  { directory, cores, connections }: ContenderContext,
  postgres: ServerProcess,
  env: Readonly<Record<string, string>>,
): Promise<Contender> {
  const runRecords = (...args: readonly string[]): unknown =>
    JSON.parse(
      execFileSync(PYTHON, ['records.py', ...args], { cwd: SOURCES, env, encoding: 'utf8', maxBuffer: 2 ** 30 }),
    );
  runRecords('set-up');
  const gunicorn = await startServer({
    command: [
      'setpriv',
      '--pdeathsig',
      'QUIT',
      PYTHON,
      '-m',
      'gunicorn',
      '-c',
      'gunicorn.conf.py',
      'django.core.wsgi:get_wsgi_application()',
    ],
    cwd: SOURCES,
    core: cores?.server,
    env,
    output: join(directory, 'gunicorn.log'),
    killSignal: 'SIGQUIT',
  });
  const origin = `http://127.0.0.1:${gunicorn.port}`;
  const [clientAuthorization, userAuthorization] = ['client-credentials', 'authorization-code'].map((grantType) =>
    basicAuthHeader(`bench-${grantType}`, CLIENT_SECRET),
  ) as [string, string];
  const issueCodes = async (count: number) => runRecords('codes', String(count)) as readonly string[];
  const { access_token: token } = await postForm(origin, '/o/token/', clientAuthorization, {
    grant_type: 'client_credentials',
  });
  let chains: readonly string[] = [];
  for (const code of await issueCodes(connections))
    chains = [...chains, await redeem(origin, userAuthorization, code, REDIRECT_URI)];
  const ledger = await openLedger({
    name: DJANGO_TOOLKIT,
    chains,
    issueCodes,
    countTokens: async () => runRecords('tokens') as number,
  });

  return {
    name: DJANGO_TOOLKIT,
    server: combineProcesses(gunicorn, postgres),
    rows: [...TOKEN_ROWS, 'introspection'],
    async prepare(row, count) {
      switch (row) {
        case 'client_credentials':
          return withPythonSpacing(clientCredentialsRequest(clientAuthorization));
        case 'refresh':
          return withPythonSpacing(refreshRequest(userAuthorization, ledger.chains()));
        case 'introspection':
          return withPythonSpacing(introspectionRequest(clientAuthorization, String(token)));
        case 'code':
        case 'code-cold':
          return withPythonSpacing(codeRequest(userAuthorization, REDIRECT_URI, await ledger.codes(count)));
        case 'openid-rs256':
        case 'openid-eddsa':
        case 'private_key_jwt':
        case 'private_key_jwt-rs256':
        case 'dpop':
        case 'dpop-userinfo':
        case 'jwt_bearer':
        case 'exchange':
        case 'bearer':
        case 'bearer-deep':
        case 'introspection-deep':
          throw new Error(`${DJANGO_TOOLKIT} is not measured in the row ${row}`);
      }
    },
    verify: ledger.verify,
  };
}

/** Python's JSON has a space after each colon. */
function withPythonSpacing(request: LoadRequest): LoadRequest {
  return { ...request, expects: request.expects.replace(':', ': ') };
}

/** Adds up the processor time of both processes. */
function combineProcesses(gunicorn: ServerProcess, postgres: ServerProcess): ServerProcess {
  return {
    ...gunicorn,
    cpu() {
      const [python, database] = [gunicorn.cpu(), postgres.cpu()];
      return python === undefined || database === undefined ? undefined : python + database;
    },
    async end() {
      await gunicorn.end('SIGQUIT'); // SIGKILL would leave workers and shared memory behind
      await postgres.end('SIGQUIT');
    },
  };
}
