import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PREFIX } from '../../src/http/management/row.ts';
import { keyPairFor } from './assertions.ts';
import { addManager, type Manager } from './management.ts';
import { runningService } from './running-service.ts';

export interface SchemathesisOptions {
  /** The directory to which the program may write. */
  readonly directory: string;
  readonly examples: string;
  readonly seed: string;
  readonly program: string;
}

/** Includes the statuses for a long body and a long head, with which the server refuses long values. */
const REJECTIONS = `[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429, 431]
`;

/** A request that matches the schema may break another rule. All other checks apply. */
const EXCLUDED_CHECKS = 'positive_data_acceptance';

/** Schemathesis treats several including filters as alternatives, so methods are excluded instead. */
const READS_ONLY = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => ['--exclude-method', method]);

/** @returns 0 if Schemathesis finds no defect, 1 if it does */
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
    const run = async (config: string, more: readonly string[]): Promise<boolean> => {
      await writeFile(join(directory, 'schemathesis.toml'), config);
      const child = spawn(program, [...args, ...more], { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] });
      const [status] = (await once(child, 'close')) as [number | null];
      return status === 0;
    };
    print('reads of objects that exist');
    const paths = objects.flatMap(({ path }) => ['--include-path', path]);
    const areReadsSound = await run(REJECTIONS + operationsOn(objects), [
      '--phases',
      'coverage',
      '--mode',
      'positive',
      ...READS_ONLY,
      ...paths,
    ]);
    print('all operations, on objects that mostly do not exist');
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
    await running.close(); // fails if the server met an unexpected error
  }
}

/** A path of the API description, with parameters that identify an existing object. */
interface ObjectPath {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function operationsOn(objects: readonly ObjectPath[]): string {
  return objects
    .map(({ path, parameters }) => {
      const values = Object.entries(parameters).map(([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`);
      return `[[operations]]\ninclude-path = ${JSON.stringify(path)}\nparameters = { ${values.join(', ')} }\n`;
    })
    .join('\n');
}

/** Adds the objects to which the examples in the API description refer, and objects that lists and reads return. */
async function addObjects({ call, client }: Manager): Promise<readonly ObjectPath[]> {
  const add = async (method: string, path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const { status, json, text } = await call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} failed: ${status} ${text}`);
    return json ?? {};
  };
  const objectAt = (path: string, parameters: ObjectPath['parameters']): ObjectPath => ({
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
    objectAt('/users/{username}', { username: 'ada' }),
    objectAt('/users/{username}/sessions', { username: 'ada' }),
    objectAt('/users/{username}/agents', { username: 'ada' }),
    objectAt('/groups/{name}/members', { name: 'staff' }),
    objectAt('/clients/{id}', { id }),
    objectAt('/clients/{id}/keys', { id }),
    objectAt('/providers/{provider}', { provider: 'company' }),
    objectAt('/trusted-issuers/{uri}', { uri: encodeURIComponent(uri) }),
    objectAt('/trusted-issuers/{uri}/keys', { uri: encodeURIComponent(uri) }),
    objectAt('/exchange-policies/{id}/{client}', { id, client: client.id }),
    objectAt('/users/{username}/profile', { username: 'ada' }),
    objectAt('/users/{username}/second-factor', { username: 'ada' }),
    objectAt('/resource-servers/{uri}', { uri: encodeURIComponent(api) }),
    objectAt('/scopes/{name}/forecast', { name: 'read' }),
    objectAt('/settings/{name}', { name: 'accessTokenLifetimeSeconds' }),
  ];
}
