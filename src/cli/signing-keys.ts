import { confirm, withYesOption } from './confirm.ts';
import { Option, type Command } from 'commander';
import { SIGNING_ALGORITHMS } from '../domain/values.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { keyRefusalText, lossText, type KeyRow } from '../operations/signing-keys.ts';
import {
  callOnce,
  collectOneOf,
  commandGroup,
  printList,
  printOne,
  withJsonOption,
  type CliContext,
} from './context.ts';
import { NARROW_LISTS } from './narrow-lists.ts';
import { escapeControls, formatJson, formatTable, wholeSeconds } from './print.ts';

interface RetiredKey {
  readonly algorithm: string;
  /** The id of the key that now signs with the algorithm. */
  readonly signs: string | null;
  readonly invalid_tokens: readonly { readonly client_id: string; readonly name: string | null }[];
}

type Row = Readonly<Record<string, unknown>>;

const COLUMNS = ['kid', 'algorithm', 'status', 'from', 'until', 'private_half'];

/** Adds the command group `key`. */
export function signingKeyCommands(program: Command, context: CliContext): void {
  const keys = commandGroup(program, 'key', 'the keys that sign tokens');

  withJsonOption(
    keys
      .command('list')
      .description('list the current and next signing keys, and past keys whose tokens may be valid')
      .option('--retired', 'list retired keys as well'),
  ).action(async ({ retired = false, ...options }: { retired?: boolean; json?: true }) => {
    await printList(context, 'key list', COLUMNS, options, { retired });
  });

  withYesOption(
    withJsonOption(
      keys
        .command('rotate')
        .description('introduce new keys, which sign after a day, when every cached key set has them')
        .addOption(
          new Option(
            '--algorithm <algorithm>',
            `only for this algorithm: ${SIGNING_ALGORITHMS.join(', ')} (repeatable)`,
          ).argParser(collectOneOf(SIGNING_ALGORITHMS)),
        )
        .option('--now', 'let them sign at once: for a key that somebody else may have; asks at a terminal'),
    ),
  ).action(
    async ({
      algorithm: algorithms = [],
      now = false,
      yes,
      ...options
    }: {
      algorithm?: readonly string[];
      now?: boolean;
      yes?: true;
      json?: true;
    }) => {
      const consequence = 'programs that have read the published keys refuse new tokens until they read them again';
      if (now) await confirm(context.terminal, { yes, consequence });
      const rotated = await callOnce(context, 'key rotate', { algorithms, now });
      const rows = (rotated as { readonly keys: readonly Row[] }).keys;
      await context.terminal.out(
        options.json ? formatJson(rotated) : formatTable(context.terminal, COLUMNS, rows, NARROW_LISTS['key list']),
      );
      if (!options.json && !now)
        context.terminal.err(
          `they sign from ${wholeSeconds(String(rows[0]?.['from']))}; until then, the current keys sign\n`,
        );
    },
  );

  withYesOption(
    withJsonOption(
      keys
        .command('retire')
        .argument('<kid>', 'the id of the key')
        .description('end a key early, and every token that it signed: for a key that somebody else may have')
        .option('--accept-loss', 'confirm that its valid tokens end'),
    ),
  ).action(
    async (kid: string, { acceptLoss = false, yes, ...options }: { acceptLoss?: boolean; yes?: true; json?: true }) => {
      const consequence = async (): Promise<string> => {
        requireRetirable(kid, await findKey(kid, context), acceptLoss);
        return `the key ${escapeControls(kid)} never signs again, and its private half is deleted`;
      };
      await confirm(context.terminal, { yes, consequence });
      const retired = await callOnce(context, 'key retire', { kid, acceptLoss });
      if (options.json) return printOne(context, retired, options);
      const { signs, algorithm, invalid_tokens: affected } = retired as unknown as RetiredKey;
      const clients = affected.map(({ client_id: id, name }) => escapeControls(name ?? id)).join(', ');
      await context.terminal.out(
        `${escapeControls(kid)} is retired; ${signs ?? 'no key'} now signs with ${algorithm}; ` +
          `tokens ended: ${clients === '' ? 'none' : `those of ${clients}`}\n`,
      );
    },
  );
}

async function findKey(kid: string, { call }: CliContext): Promise<KeyRow | undefined> {
  for await (const key of call('key list', { retired: true })) if ((key as KeyRow).kid === kid) return key as KeyRow;
  return undefined;
}

/** @throws OperationRefused if the operation would refuse to retire the key */
function requireRetirable(kid: string, key: KeyRow | undefined, acceptsLoss: boolean): void {
  if (key === undefined) throw new OperationRefused(keyRefusalText('key-unknown', kid), 'unknown');
  if (key.status === 'retired') throw new OperationRefused(keyRefusalText('key-retired', kid), 'conflict');
  if (key.valid_tokens.length > 0 && !acceptsLoss)
    throw new OperationRefused(lossText(key, key.valid_tokens), 'conflict');
}
