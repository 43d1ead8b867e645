import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addManager, type Manager } from './management.ts';
import { runningService } from './running-service.ts';

export interface SchemathesisOptions {
  /** Where the program may write. */
  readonly directory: string;
  readonly examples: string;
  readonly seed: string;
  readonly program: string;
}

/** Long values are refused with the statuses of a long body and a long head, which are not in the default list. */
const REJECTIONS = `[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429, 431]
`;

/** A request that matches the schema may break another rule: every other check applies. */
const WITHOUT_CHECKS = 'positive_data_acceptance';

/** @returns 0 if Schemathesis finds no defect, 1 if it does */
export async function schemathesisDrill(
  { directory, examples, seed, program }: SchemathesisOptions,
  print: (line: string) => void,
): Promise<number> {
  const running = await runningService({ isItsOwnIssuer: true });
  try {
    const manager = await addManager(running);
    await addThings(manager);
    await writeFile(join(directory, 'schemathesis.toml'), REJECTIONS);
    const isFuzzed = Number(examples) > 0;
    const args = [
      'run',
      `${running.origin()}/openapi.json`,
      '--header',
      `Authorization: Bearer ${manager.token}`,
      '--include-tag',
      'Management',
      ...(isFuzzed ? ['--phases', 'examples,coverage,fuzzing'] : ['--phases', 'examples,coverage']),
      '--exclude-checks',
      WITHOUT_CHECKS,
      ...(isFuzzed ? ['--max-examples', examples] : []),
      '--seed',
      seed,
      '--suppress-health-check',
      'all',
      '--warnings',
      'off',
      '--no-color',
    ];
    const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] });
    const [status] = (await once(child, 'close')) as [number | null];
    print(`${running.log.head()} events were recorded`);
    return status === 0 ? 0 : 1;
  } finally {
    await running.close(); // fails if the server met an unexpected error
  }
}

/** Things that the examples of the description name. */
async function addThings({ call }: Manager): Promise<void> {
  await call('POST', '/users/', { username: 'ada', password: 'a long and secret password' });
  await call('POST', '/groups/', { name: 'staff' });
  await call('POST', '/clients/', {
    name: 'Reports',
    client_type: 'confidential',
    grant_types: ['client-credentials'],
  });
}
