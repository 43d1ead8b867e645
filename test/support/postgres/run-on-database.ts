import { withOperations } from '../with-operations.ts';
import { runCommand } from '../../../src/cli/command-line.ts';
import { changeStoredKeys } from '../../../src/composition/change-keys.ts';
import { copyLogKeys, openCopySource, openCopyTarget } from '../../../src/composition/copy-locations.ts';
import { examineDatabase, listNodes } from '../../../src/composition/examine-database.ts';
import { openInspection } from '../../../src/composition/inspection.ts';
import { openService } from '../../../src/composition/open-service.ts';
import { migrateDatabase } from '../../../src/composition/postgres-directory.ts';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../../src/platform/ports.ts';
import { quickHasher } from '../quick-hasher.ts';

export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a `grantlog` command in this process.
 * @param env the environment variables of the command
 */
export async function runOnDatabase(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<CommandResult> {
  const [entropy, output] = [systemEntropy(), { out: '', err: '' }];
  const notice = (line: string): void => void (output.err += `${line}\n`);
  const status = await runCommand(args, {
    version: '1.2.3',
    readSettings: () => readConfig(env, () => '{}'),
    open: (config) =>
      openService(config, {
        clock: systemClock,
        entropy,
        hasher: quickHasher,
        issuer: () => 'http://localhost',
        notice,
      }),
    inspect: (config) => openInspection(config, entropy, notice),
    ...withOperations,
    now: async () => systemClock.now(),
    migrate: migrateDatabase,
    openCopySource: (location) => openCopySource(location, readConfig(env, () => '{}').config, entropy),
    openCopyTarget,
    copyKeys: (locations) => copyLogKeys(locations, readConfig(env, () => '{}').config, entropy),
    changeKeys: (config, work) => changeStoredKeys(config, entropy, work),
    examineDatabase,
    listNodes,
    serve: () => Promise.reject(new Error('tests must not run the server')),
    terminal: {
      signal: new AbortController().signal,
      out: async (text) => void (output.out += text),
      err: (text) => void (output.err += text),
      readInput: async () => input,
    },
  });
  return { status, ...output };
}
