import { withOperations } from './with-operations.ts';
import { expect } from 'chai';
import { runCommand } from '../../src/cli/command-line.ts';
import { changeStoredKeys } from '../../src/composition/change-keys.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { quickHasher } from './quick-hasher.ts';
import { withoutDatabase } from './without-database.ts';

type Environment = Readonly<Record<string, string>>;
type Service = Awaited<ReturnType<typeof openService>>;

/** Opens the service on the data directory in `env`, with fast password hashes. */
export function openServiceOf(env: Environment): Promise<Service> {
  return openService(readConfig(env, () => '{}').config, SERVICE_PARTS);
}

const SERVICE_PARTS = {
  clock: systemClock,
  entropy: systemEntropy(),
  hasher: quickHasher,
  issuer: () => 'http://localhost:8000',
};

/**
 * Runs a command in this process on the data directory in `env`, or through the server that uses the directory.
 * @param tableWidth the width of the terminal; undefined if there is no terminal
 * @param ask returns a terminal user's reply to a question
 */
export async function runCommandOn(
  env: Environment,
  args: readonly string[],
  input = '',
  tableWidth?: number,
  ask?: (question: string) => Promise<string>,
) {
  const output = { out: '', err: '' };
  const status = await runCommand(args, {
    version: '1.2.3',
    terminal: {
      signal: new AbortController().signal,
      out: async (text) => void (output.out += text),
      err: (text) => void (output.err += text),
      readInput: async () => input,
      tableWidth,
      ask,
    },
    readSettings: (dataDir) => readConfig(dataDir === undefined ? env : { ...env, DATA_DIR: dataDir }, () => '{}'),
    open: (config) => openService(config, SERVICE_PARTS),
    inspect: (config) => openInspection(config, systemEntropy()),
    now: async () => 0,
    ...withoutDatabase,
    ...withOperations,
    changeKeys: (config, work) => changeStoredKeys(config, systemEntropy(), work),
    serve: async () => 0,
  });
  return { status, ...output };
}

/** Runs `grantlog COMMAND --help`, which must not read or open anything, and returns its output and exit status. */
export async function printHelp(args: readonly string[]) {
  const output = { out: '', err: '' };
  const failIfUsed = (): never => expect.fail('--help must only print help');
  const status = await runCommand([...args, '--help'], {
    version: '1',
    readSettings: failIfUsed,
    open: failIfUsed,
    inspect: failIfUsed,
    now: failIfUsed,
    ...withoutDatabase,
    ...withOperations,
    serve: failIfUsed,
    terminal: {
      signal: new AbortController().signal,
      readInput: failIfUsed,
      out: async (text) => void (output.out += text),
      err: (text) => void (output.err += text),
    },
  });
  return { status, ...output };
}

/** Returns the names of the subcommands in a help text. They can be under several headings. */
export function parseSubcommands(help: string): readonly string[] {
  const sections = help.split('\n\n').filter((section) => /^[A-Z][\w ]+:\n/.test(section));
  const commands = sections.filter((section) => !/^(?:Options|Global Options|Arguments|Examples?):/.test(section));
  return [...commands.join('\n').matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name);
}
