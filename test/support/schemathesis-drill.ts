import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PREFIX } from '../../src/http/management/row.ts';
import { keyPairFor } from './assertions.ts';
import { addManager, type Manager } from './management.ts';
import { runningService } from './running-service.ts';

export interface SchemathesisOptions {
  /** A directory that the program may write to. */
  readonly directory: string;
  readonly examples: string;
  readonly seed: string;
  readonly program: string;
}

/** Includes the statuses for oversized bodies and headers, because the server refuses long values with them. */
const REJECTIONS = `[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429, 431]
`;

/** A request that matches the schema may still break another rule. All other checks apply. */
const EXCLUDED_CHECKS = 'positive_data_acceptance';

/** Schemathesis treats multiple include filters as alternatives, so these methods are excluded instead. */
const READS_ONLY = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => ['--exclude-method', method]);

/** * Runs Schemathesis on the management API of a new server. * @returns 0 if it finds no defects, 1 if it does */
export async function runSchemathesisDrill(
  { directory, examples, seed, program }: SchemathesisOptions,
  print: (line: string) => void,
): Promise<number> {
  const running = await runningService({ isItsOwnIssuer: true });
  try {
    const manager = await addManager(running);
    const objects = await addObjects(manager);
    const args = [
      'run',
      `${running.origin()}/openapi.json`,
      '--header',
      `Authorization: Bearer ${manager.token}`,
      '--exclude-checks',
      EXCLUDED_CHECKS,
      '--seed',
      seed,
      '--suppress-health-check',
      'all',
      '--warnings',
      'off',
      '--no-color',
    ];
    const run = async (config: string, extraArgs: readonly string[]): Promise<boolean> => {
      await writeFile(join(directory, 'schemathesis.toml'), config);
      const child = spawn(program, [...args, ...extraArgs], {
        cwd: directory,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const [status] = (await once(child, 'close')) as [number | null];
      return status === 0;
    };
    print('reading objects that exist');
    const paths = objects.flatMap(({ path }) => ['--include-path', path]);
    const areReadsSound = await run(REJECTIONS + configureOperations(objects), [
      '--phases',
      'coverage',
      '--mode',
      'positive',
      ...READS_ONLY,
      ...paths,
    ]);
    print('all operations, mostly on objects that do not exist');
    const isFuzzed = Number(examples) > 0;
    const areAllSound = await run(
      REJECTIONS,
      ['--include-tag', 'Management', '--phases', isFuzzed ? 'examples,coverage,fuzzing' : 'examples,coverage'].concat(
        isFuzzed ? ['--max-examples', examples] : [],
      ),
    );
    print(`${running.log.head()} events were recorded`);
    return areReadsSound && areAllSound ? 0 : 1;
  } finally {
    await running.close(); // throws if the server had an unexpected error
  }
}

/** A path from the API description, with parameters that identify an existing object. */
interface ObjectPath {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function configureOperations(objects: readonly ObjectPath[]): string {
  return objects
    .map(({ path, parameters }) => {
      const values = Object.entries(parameters).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`);
      return `[[operations]]\ninclude-path = ${JSON.stringify(path)}\nparameters = { ${values.join(', ')} }\n`;
    })
    .join('\n');
}

/** Adds the objects that the examples in the API description refer to, and objects for lists and reads to return. */
async function addObjects({ call, client }: Manager): Promise<readonly ObjectPath[]> {
  const add = async (method: string, path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const { status, json, text } = await call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} failed: ${status} ${text}`);
    return json ?? {};
  };
  const objectPath = (path: string, parameters: ObjectPath['parameters']): ObjectPath => ({
    path: `${PREFIX}${path}/`,
    parameters,
  });
  await add('POST', '/users/', { username: 'ada', password: 'a long and secret password' });
  await add('POST', '/groups/', { name: 'staff' });
  const reports = await add('POST', '/clients/', {
    name: 'Reports',
    client_type: 'confidential',
    grant_types: ['client-credentials'],
  });
  const id = String(reports['client_id']);
  await add('POST', '/groups/staff/members/', { username: 'ada' });
  await add('PUT', '/domains/app.example.org/', { rule: 'blocked' });
  const api = 'https://api.example.net';
  await add('POST', '/resource-servers/', {
    uri: api,
    name: 'API',
    scopes: [{ name: 'read', description: 'Read reports' }],
  });
  await add('PATCH', '/providers/company/', {
    name: 'Company',
    issuer: 'https://login.example.org',
    client_id: 'grantlog',
    secret: 'its secret',
  });
  const uri = 'https://issuer.example.org';
  const jwks = { keys: [keyPairFor('ES256', 'issuer').jwk] };
  await add('PUT', `/trusted-issuers/${encodeURIComponent(uri)}/`, {
    uses: ['assertion'],
    mapping: 'client',
    clients: [id],
    scope: ['read'],
    jwks,
  });
  await add('PUT', `/exchange-policies/${id}/${client.id}/`, { modes: ['delegation'], scope: ['read'] });
  return [
    objectPath('/users/{username}', { username: 'ada' }),
    objectPath('/users/{username}/sessions', { username: 'ada' }),
    objectPath('/users/{username}/agents', { username: 'ada' }),
    objectPath('/groups/{name}/members', { name: 'staff' }),
    objectPath('/clients/{id}', { id }),
    objectPath('/clients/{id}/keys', { id }),
    objectPath('/providers/{provider}', { provider: 'company' }),
    objectPath('/trusted-issuers/{uri}', { uri: encodeURIComponent(uri) }),
    objectPath('/trusted-issuers/{uri}/keys', { uri: encodeURIComponent(uri) }),
    objectPath('/exchange-policies/{id}/{client}', { id, client: client.id }),
    objectPath('/users/{username}/profile', { username: 'ada' }),
    objectPath('/users/{username}/second-factor', { username: 'ada' }),
    objectPath('/resource-servers/{uri}', { uri: encodeURIComponent(api) }),
    objectPath('/scopes/{name}/forecast', { name: 'read' }),
    objectPath('/settings/{name}', { name: 'accessTokenLifetimeSeconds' }),
  ];
}
