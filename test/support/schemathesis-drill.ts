import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { addManager, type Manager } from './management.ts';
import { runningService } from './running-service.ts';

export interface SchemathesisOptions {
  /** Where the program may write. */
  readonly directory: string;
  readonly examples: string;
  readonly seed: string;
  readonly program: string;
}

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
