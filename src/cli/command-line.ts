import { Command, CommanderError } from 'commander';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { ConfigError, type Config, type LoadedConfig } from '../config/config.ts';
import { accessCommands } from './access.ts';
import { backupCommands, type RestoreContext } from './backup.ts';
import { resolveClientId } from './client-ids.ts';
import { clientCommands } from './clients.ts';
import { completeHelp, expandHelp, PROGRAM_HELP, requireKnownCommand, SERVE_HELP } from './command-help.ts';
import { clockCommands } from './clock.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import type { CliContext } from './context.ts';
import { copyCommand, type CopyDeps } from './copy-log.ts';
import { doctorCommand, type DoctorDeps } from './doctor.ts';
import { CANNOT_RUN, DONE, REFUSED, type ExitStatus } from './exit.ts';
import { domainCommands } from './domains.ts';
import { scopeCommands } from './scopes.ts';
import { brandCommands } from './brand.ts';
import { brandTextCommands } from './brand-texts.ts';
import { settingCommands } from './settings.ts';
import { exchangePolicyCommands } from './exchange-policies.ts';
import { providerCommands } from './providers.ts';
import { groupCommands } from './groups.ts';
import { invitationCommands } from './invitations.ts';
import { fitHelp, HELP_WIDTH } from './help-text.ts';
import { importCommands } from './import.ts';
import { keysCommands, type KeysDeps } from './keys.ts';
import { logCommands } from './log.ts';
import { mailCommands } from './mail.ts';
import { migrateCommand, type MigrateDeps } from './migrate.ts';
import { acceptOtherNames } from './named-things.ts';
import { nodesCommand, type NodesDeps } from './nodes.ts';
import { escapeControls } from './print.ts';
import { resourceCommands } from './resources.ts';
import { signingKeyCommands } from './signing-keys.ts';
import {
  isLocked,
  openTarget,
  type OpenedInspection,
  type OpenedService,
  type Operations,
} from './operation-target.ts';
import { refuseOpposites } from './opposite-options.ts';
import { repairCommand } from './repair.ts';
import type { Terminal } from './terminal.ts';
import { trustedIssuerCommands } from './trusted-issuers.ts';
import { usageProblem } from './usage-problem.ts';
import { userCommands } from './users.ts';
import { whyCommand } from './why.ts';

export interface CommandLine {
  readonly version: string;
  readonly terminal: Terminal;
  /**
   * @param dataDir the data directory to use instead of the configured one
   * @throws ConfigError if a setting is invalid
   */
  readonly readSettings: (dataDir?: string) => LoadedConfig;
  /**
   * Opens the data directory for a single command.
   * @throws LogLocked if another process has it open
   */
  readonly open: (config: Config) => Promise<OpenedService>;
  /**
   * Opens only the log, for inspection, even if the log is damaged.
   * @throws LogLocked if another process has the log open
   */
  readonly inspect: (config: Config) => Promise<OpenedInspection>;
  /** Loads the operations on demand, because most commands send their operations to a running server instead. */
  readonly loadOperations: () => Promise<Operations>;
  readonly loadRestore: RestoreContext['loadRestore'];
  /** Resolves with the current time in milliseconds since the epoch. */
  readonly now: () => Promise<number>;
  readonly openCopySource: CopyDeps['openCopySource'];
  readonly openCopyTarget: CopyDeps['openCopyTarget'];
  readonly copyKeys: CopyDeps['copyKeys'];
  /** Creates or migrates the schema of the database at a URL. */
  readonly migrate: MigrateDeps['migrate'];
  readonly changeKeys: KeysDeps['changeKeys'];
  readonly examineDatabase: DoctorDeps['examineDatabase'];
  readonly listNodes: NodesDeps['listNodes'];
  /** Runs the server until it is stopped. */
  readonly serve: (config: Config) => Promise<ExitStatus>;
}

/**
 * Runs a command and resolves with its exit status. Errors are reported as one line on standard error (configuration
 * errors as one line per problem), never with a stack trace.
 */
export async function runCommand(words: readonly string[], commandLine: CommandLine): Promise<ExitStatus> {
  let status: ExitStatus = DONE;
  let currentCommand: Command | undefined;
  const program = createProgram(commandLine, (newStatus) => {
    status = newStatus;
  });
  program.hook('preAction', (_program, command) => void (currentCommand = command));
  try {
    requireKnownCommand(expandHelp(words), program);
    refuseOpposites(words);
    await program.parseAsync(expandHelp(words), { from: 'user' });
    return status;
  } catch (error) {
    return reportError(error, commandLine.terminal, currentCommand);
  }
}

function createProgram(deps: CommandLine, setStatus: (status: ExitStatus) => void): Command {
  const readSettings = (): LoadedConfig => deps.readSettings(program.opts<{ dataDir?: string }>().dataDir);
  const commandLine = { ...deps, readSettings };
  const { version, terminal, open, serve } = commandLine;
  const program = new Command('grantlog')
    .description('OAuth 2.0 and OpenID Connect server built on an append-only event log')
    .version(version)
    .configureOutput({
      writeOut: (text) => void terminal.out(fitHelp(text)),
      writeErr: (text) => terminal.err(fitHelp(text)),
      outputError: () => {}, // `reportError` prints the error
    })
    .configureHelp({ helpWidth: HELP_WIDTH, showGlobalOptions: true })
    .option('--data-dir <directory>', 'the data directory, instead of DATA_DIR')
    .addHelpText('after', PROGRAM_HELP)
    .helpCommand(false);

  program.commandsGroup('Server:');
  program
    .command('serve')
    .description('serve HTTP until SIGTERM')
    .addHelpText('after', SERVE_HELP)
    .action(async () => setStatus(await serve(readSettings().config)));
  const context: CliContext = { terminal, call: createCall(commandLine) };
  program.commandsGroup('Users and access:');
  userCommands(program, context);
  accessCommands(program, context);
  invitationCommands(program, context);
  groupCommands(program, context);
  program.commandsGroup('Settings and texts:');
  settingCommands(program, context);
  brandCommands(program, context);
  brandTextCommands(program, context);
  program.commandsGroup('Applications and other servers:');
  clientCommands(program, acceptOtherNames(context, ['clientId'], resolveClientId));
  domainCommands(program, context);
  scopeCommands(program, context);
  resourceCommands(program, context);
  exchangePolicyCommands(program, context);
  trustedIssuerCommands(program, context);
  providerCommands(program, context);
  importCommands(program, context);
  program.commandsGroup('Event log:');
  const log = logCommands(program, context);
  repairCommand(log, commandLine);
  copyCommand(log, commandLine);
  backupCommands(program, {
    ...context,
    loadRestore: deps.loadRestore,
    // A backup contains its keys and is restored into a single directory, without a separate log or key store.
    openDirectory: (dataDir) => open({ ...readSettings().config, dataDir, keys: null, log: null }),
    storageSettings: () => readSettings().config,
  });
  program.commandsGroup('Keys and operation:');
  migrateCommand(program, commandLine);
  nodesCommand(program, commandLine);
  keysCommands(program, commandLine);
  clockCommands(program, context);
  mailCommands(program, context);
  signingKeyCommands(program, context);
  whyCommand(program, context);
  configCommand(program, commandLine);
  doctorCommand(program, commandLine, setStatus);
  completionCommand(program, commandLine);
  completeHelp(program);
  return program;
}

function createCall({
  terminal: { signal },
  readSettings,
  open,
  inspect,
  loadOperations,
}: CommandLine): CliContext['call'] {
  return async function* (operation, input, { create } = { create: false }) {
    const { config } = readSettings();
    const target = await openTarget(config.dataDir, operation, {
      open: () => open(config),
      inspect: () => inspect(config),
      loadOperations,
      create: create || config.log !== null, // a node's directory contains only data that can be recreated
      signal,
    });
    try {
      yield* target.call(operation, input);
    } catch (error) {
      if (!signal.aborted) throw error; // an interruption by the operator is not an error
    } finally {
      await target.close();
    }
  };
}

function reportError(error: unknown, { err }: Pick<Terminal, 'err'>, command: Command | undefined): ExitStatus {
  // Commander has already printed the help or the version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : CANNOT_RUN;
  if (error instanceof ConfigError) {
    for (const problem of error.problems) err(`grantlog: ${escapeControls(problem)}\n`);
    return CANNOT_RUN;
  }
  const usageMessage = error instanceof OperationRefused ? usageProblem(error, command) : undefined;
  err(`grantlog: ${escapeControls(usageMessage ?? errorMessage(error))}\n`);
  return error instanceof OperationRefused && usageMessage === undefined ? REFUSED : CANNOT_RUN;
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isLocked(error)) return `${error.message}; stop that process, or set a different DATA_DIR`;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
