import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { startPostgres } from '../postgres.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { findInstalled, missingPackages, PYTHON } from './django-packages.ts';
import { basicOf, postForm, redeem } from './http-text.ts';
import { openLedger, TOKEN_ROWS } from './ledger.ts';
import { CLIENT_SECRET, REDIRECT_URI } from './peer.ts';
import { clientCredentialsRequest, codeRequest, introspectionRequest, refreshRequest } from './requests.ts';

export const DJANGO_TOOLKIT = 'django-oauth-toolkit';

const SOURCES = join(CHECKOUT, 'scripts/bench/peers/django-oauth-toolkit');

/** The one that keeps what it answers, as Grantlog does: in PostgreSQL. None where the system lacks its packages, which is said. */
export async function djangoToolkit(
  surroundings: ContenderContext,
  say: (line: string) => void,
): Promise<readonly Contender[]> {
  const there = findInstalled();
  const missing = missingPackages(there);
  if (there.postgres === undefined || missing.length > 0) {
    say(`${DJANGO_TOOLKIT} takes no part: apt-get install ${missing.join(' ')}`);
    return [];
  }
  const directory = join(surroundings.directory, 'postgresql');
  const postgres = await startPostgres({ programs: there.postgres, directory, core: surroundings.cores?.server });
  try {
    return [
      await contender(surroundings, postgres, {
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

async function contender(
  { directory, cores, connections }: ContenderContext,
  postgres: ServerProcess,
  env: Readonly<Record<string, string>>,
): Promise<Contender> {
  const ask = (...words: readonly string[]): unknown =>
    JSON.parse(
      execFileSync(PYTHON, ['records.py', ...words], { cwd: SOURCES, env, encoding: 'utf8', maxBuffer: 2 ** 30 }),
    );
  ask('furnish');
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
  const [own, forUsers] = ['client-credentials', 'authorization-code'].map((grantType) =>
    basicOf(`bench-${grantType}`, CLIENT_SECRET),
  ) as [string, string];
  const issueCodes = async (count: number) => ask('codes', String(count)) as readonly string[];
  const { access_token: token } = await postForm(origin, '/o/token/', own, { grant_type: 'client_credentials' });
  let chains: readonly string[] = [];
  for (const code of await issueCodes(connections))
    chains = [...chains, await redeem(origin, forUsers, code, REDIRECT_URI)];
  const ledger = await openLedger({
    name: DJANGO_TOOLKIT,
    chains,
    issueCodes,
    countTokens: async () => ask('tokens') as number,
  });

  return {
    name: DJANGO_TOOLKIT,
    server: asOne(gunicorn, postgres),
    rows: [...TOKEN_ROWS, 'introspection'],
    async prepare(row, count) {
      switch (row) {
        case 'client_credentials':
          return written(clientCredentialsRequest(own));
        case 'refresh':
          return written(refreshRequest(forUsers, ledger.chains()));
        case 'introspection':
          return written(introspectionRequest(own, String(token)));
        case 'code':
        case 'code-cold':
        case 'bearer':
        default:
          return written(codeRequest(forUsers, REDIRECT_URI, await ledger.codes(count)));
      }
    },
    verify: ledger.verify,
  };
}

/** Python writes a blank behind each colon. */
function written(request: LoadRequest): LoadRequest {
  return { ...request, expects: request.expects.replace(':', ': ') };
}

/** What an answer costs is what both take. */
function asOne(gunicorn: ServerProcess, postgres: ServerProcess): ServerProcess {
  return {
    ...gunicorn,
    cpu() {
      const [python, database] = [gunicorn.cpu(), postgres.cpu()];
      return python === undefined || database === undefined ? undefined : python + database;
    },
    async end() {
      await gunicorn.end('SIGQUIT'); // SIGKILL would leave workers behind, and shared memory
      await postgres.end('SIGQUIT');
    },
  };
}
