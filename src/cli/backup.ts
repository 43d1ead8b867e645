import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { BackupWarning } from '../operations/backup.ts';
import { createBackupFile } from '../operations/backup/backup-file.ts';
import type { restoreBackup } from '../operations/backup/restore.ts';
import type { BackupProgress, BackupSummary } from '../operations/backup/write-backup.ts';
import { printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { requireReadable } from './read-file.ts';
import { formatFields, formatJson, escapeControls } from './print.ts';
import type { OpenedService } from './operation-target.ts';

/** The context of `restore`, which opens the new data directory once to check that a server can use it. */
export interface RestoreContext extends CliContext {
  /** Loads `restoreBackup` on demand, because most commands do not need the audit that it loads. */
  readonly loadRestore: () => Promise<typeof restoreBackup>;
  readonly openDirectory: (dataDir: string) => Promise<OpenedService>;
  /** The settings that may place the keys and the log outside the data directory. */
  readonly storageSettings: () => Pick<Config, 'keys' | 'log'>;
}

/** Adds the `backup` and `restore` commands. */
export function backupCommands(program: Command, context: RestoreContext): void {
  const { terminal, call } = context;

  withJsonOption(
    program
      .command('backup')
      .description('back up the log and keys to one file, without stopping the server. The file contains all secrets')
      .argument('<file>', 'a new file'),
  ).action(async (path: string, options: { json?: true }) => {
    const file = await createBackupFile(path);
    try {
      let summary: BackupSummary | undefined;
      for await (const item of call('backup', {})) {
        const part = item as string | BackupWarning | BackupProgress | BackupSummary;
        if (typeof part === 'string') await file.write(part);
        else if ('warning' in part) terminal.err(`${escapeControls(part.warning)}\n`);
        else if ('written' in part) terminal.err(`backed up ${part.written} of ${part.head} events\n`);
        else summary = part;
      }
      if (summary === undefined) throw new CannotRunError('the backup was interrupted; nothing was written');
      await file.finish();
      await printOne(context, options.json ? { ...summary } : { ...summary, file: path }, options);
      if (!options.json) terminal.err(`${escapeControls(path)} contains all secrets: keep it as safe as the server\n`);
    } finally {
      await file.discard();
    }
  });

  withJsonOption(
    program
      .command('restore')
      .description('verify a backup, and restore it into a new data directory')
      .argument('<file>', 'the backup file')
      .argument('<dir>', 'a new or empty directory'),
  ).action(async (file: string, directory: string, options: { json?: true }) => {
    const { signal } = terminal;
    requireReadable(file);
    const restoreBackup = await context.loadRestore();
    const request = {
      file,
      directory,
      replay,
      signal,
      notice: (line: string) => terminal.err(`${escapeControls(line)}\n`),
    };
    const result = await restoreBackup(request).catch((error: unknown) => {
      throw signal.aborted ? new CannotRunError('the restore was interrupted; nothing was restored') : error;
    });
    const { digests: _digests, findings, ...fields } = result;
    const text = { ...fields, 'audit findings': `${findings} (grantlog log verify lists them)` };
    await terminal.out(options.json ? formatJson(result) : formatFields(text, terminal.tableWidth));
    const { keys, log } = context.storageSettings();
    if (log !== null) terminal.err(`${logNotice(directory)}\n`);
    else if (keys !== null) terminal.err(`${keysNotice(directory, keys)}\n`);
    else terminal.err(`restored to ${directory}; start the server with DATA_DIR=${directory}\n`);
  });

  async function replay(dataDir: string): Promise<Pick<OpenedService['projector'], 'position' | 'digests'>> {
    const service = await context.openDirectory(dataDir);
    const position = service.projector.position();
    const digests = service.projector.digests();
    await service.close();
    return { position: () => position, digests: () => digests };
  }
}

/**
 * Explains how to use a restored log. A restore never writes to the configured database, because nodes may be using the
 * log there.
 */
function logNotice(directory: string): string {
  const state = `the restored log and keys are in ${directory}, but GRANTLOG_LOG is set to a database`;
  const copyAdvice = `copy the log into an empty one (grantlog log copy --from ${directory} --to URL)`;
  const keysAdvice = `set GRANTLOG_KEYS to a copy of ${directory}/keys, unless its value is "database"`;
  const directoryAdvice = `To use ${directory} itself, unset GRANTLOG_LOG and GRANTLOG_KEYS`;
  return escapeControls(`${state}. To use a database, ${copyAdvice}, and ${keysAdvice}. ${directoryAdvice}`);
}

/**
 * Explains how to use the restored keys. A restore never writes to the location in GRANTLOG_KEYS, because a server may
 * be using the keys there.
 */
function keysNotice(directory: string, keysLocation: string): string {
  const state = `the restored keys are in ${directory}/keys, not at the location in GRANTLOG_KEYS (${keysLocation})`;
  const advice = `copy them there, or unset GRANTLOG_KEYS, before you start a server on ${directory}`;
  return escapeControls(`${state}; ${advice}`);
}
