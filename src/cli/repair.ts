import { Option, type Command } from 'commander';
import { requireLog } from '../composition/directory-state.ts';
import type { LoadedConfig } from '../config/config.ts';
import { KEY_NAMES, KEY_LOSS_CONSEQUENCES, type KeyName } from '../platform/keys/keys.ts';
import { withJsonOption } from './context.ts';
import { CannotRunError } from './exit.ts';
import { isLocked } from './operation-target.ts';
import { formatFields, formatJson, escapeControls } from './print.ts';
import type { Terminal } from './terminal.ts';

interface RepairCommandOptions {
  readonly json?: boolean;
  readonly acceptLoss?: boolean;
  readonly replaceKey?: readonly KeyName[];
}

const DESCRIPTION = 'repair a data directory on which the server refuses to start';
const ACCEPT_LOSS = 'discard events at the end of the log that cannot be proven complete';
const REPLACE_KEY = 'replace a key that is damaged or missing, and not in any backup, with a new key';

/** Adds `log repair`, which opens the data directory itself. No other process may have it open. */
export function repairCommand(
  log: Command,
  { terminal, readSettings }: { readonly terminal: Terminal; readonly readSettings: () => LoadedConfig },
): void {
  withJsonOption(log.command('repair').description(DESCRIPTION))
    .option('--accept-loss', ACCEPT_LOSS)
    .addOption(new Option('--replace-key <key...>', REPLACE_KEY).choices(KEY_NAMES))
    .addHelpText('after', REPAIR_HELP)
    .action(async ({ json: asJson, acceptLoss = false, replaceKey: keysToReplace = [] }: RepairCommandOptions) => {
      const { dataDir, keys, log: database } = readSettings().config;
      if (database !== null) throw new CannotRunError(IN_DATABASE);
      requireLog(dataDir);
      // Loaded lazily, so that other commands start without LevelDB.
      const [{ repairDataDirectory }, { systemEntropy }] = await Promise.all([
        import('../operations/repair/repair.ts'),
        import('../platform/ports.ts'),
      ]);
      const notice = (line: string): void => terminal.err(`${escapeControls(line)}\n`);
      const options = { acceptLoss, keysToReplace, entropy: systemEntropy(), notice };
      const { repaired, ...summary } = await repairDataDirectory({ dataDir, keys }, options).catch((error: unknown) => {
        throw isLocked(error) ? new CannotRunError(`${dataDir} is in use; stop its server first`) : error;
      });
      if (asJson) return terminal.out(formatJson({ ...summary, repaired }));
      const lines = repaired.length === 0 ? ['nothing was wrong'] : repaired;
      await terminal.out(`${lines.map((line) => `${line}\n`).join('')}${formatFields(summary)}`);
    });
}

const IN_DATABASE =
  'log repair works on the log in a data directory, but GRANTLOG_LOG is set to a database; nothing was changed. ' +
  'Restore the database from its own backup, or from a Grantlog backup (grantlog restore FILE DIR, then grantlog log ' +
  'copy). ' +
  'To repair a data directory, unset GRANTLOG_LOG';

const describeCost = (name: KeyName): string =>
  `- ${name}: ${KEY_LOSS_CONSEQUENCES[name]}${name === 'log' ? '; needs --accept-loss' : ''}`;

const REPAIR_HELP = `
Stop the server first, and copy the data directory. If the records are intact, this rewrites damaged tiles, checkpoints
and the recorded head (log.head). It moves damaged parts of the log to DATA_DIR/damaged.

Without --accept-loss it discards no event: it exits with status 1 and reports the events that would be lost. With
--accept-loss the log ends before them, and the tokens, accounts and revocations in them are lost: a token that one of
them revoked becomes valid again. A log that ends before the newest checkpoint cannot be repaired, because the server
would then sign two histories of the same size. Restore a backup in that case.

Restore a damaged or missing key file from a backup. If no backup has it, --replace-key creates a new one:
${KEY_NAMES.map(describeCost).join('\n')}
`;
