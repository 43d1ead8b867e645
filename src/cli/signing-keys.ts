import { confirm, withYesOption } from './confirm.ts';
import { Option, type Command } from 'commander';
import { SIGNING_ALGORITHMS } from '../domain/values.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { describeKeyRefusal, describeTokenLoss, type KeyRow } from '../operations/signing-keys.ts';
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
  /** The id of the key that now signs with the algorithm; null if no key does. */
  readonly signs: string | null;
  readonly invalid_tokens: readonly { readonly client_id: string; readonly name: string | null }[];
}

type Row = Readonly<Record<string, unknown>>;

const COLUMNS = ['kid', 'algorithm', 'status', 'from', 'until', 'private_half'];

/** Adds the `key` command group. */
export function signingKeyCommands(program: Command, context: CliContext): void {
  const keys = commandGroup(program, 'key', 'the keys that sign tokens');

  withJsonOption(
    keys
      .command('list')
      .description('list the current and next signing keys, and past keys whose tokens may still be valid')
      .option('--retired', 'list retired keys as well'),
  ).action(async ({ retired = false, ...options }: { retired?: boolean; json?: true }) => {
    await printList(context, 'key list', COLUMNS, options, { retired });
  });

  withYesOption(
    withJsonOption(
      keys
        .command('rotate')
        .description('introduce new keys, which start signing after a day, once every cached key set contains them')
        .addOption(
          new Option(
            '--algorithm <algorithm>',
            `limit to one algorithm (repeatable): ${SIGNING_ALGORITHMS.join(', ')}`,
          ).argParser(collectOneOf(SIGNING_ALGORITHMS)),
        )
        .option(
          '--now',
          'start signing with them immediately, because an old key may be compromised; asks for confirmation',
        ),
    ),
    'required',
    'with --now',
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
      const consequence =
        'the new keys will sign immediately, and resource servers will refuse new tokens until they fetch the keys';
      if (now) await confirm(context.terminal, { yes, consequence });
      const result = await callOnce(context, 'key rotate', { algorithms, now });
      const rows = (result as { readonly keys: readonly Row[] }).keys;
      await context.terminal.out(
        options.json ? formatJson(result) : formatTable(context.terminal, COLUMNS, rows, NARROW_LISTS['key list']),
      );
      if (!options.json && !now)
        context.terminal.err(
          `the new keys start signing at ${wholeSeconds(String(rows[0]?.['from']))}; ` +
            'until then, the current keys sign\n',
        );
    },
  );

  withYesOption(
    withJsonOption(
      keys
        .command('retire')
        .argument('<kid>', 'the id of the key')
        .description('retire a compromised key early and invalidate every token that it signed')
        .option('--accept-loss', 'accept that its valid tokens become invalid'),
    ),
  ).action(
    async (kid: string, { acceptLoss = false, yes, ...options }: { acceptLoss?: boolean; yes?: true; json?: true }) => {
      const consequence = async (): Promise<string> => {
        requireRetirable(kid, await findKey(kid, context), acceptLoss);
        return `the key ${escapeControls(kid)} will never sign again, and its private half will be deleted`;
      };
      await confirm(context.terminal, { yes, consequence });
      const result = await callOnce(context, 'key retire', { kid, acceptLoss });
      if (options.json) return printOne(context, result, options);
      const { signs: successor, algorithm, invalid_tokens: invalidTokens } = result as unknown as RetiredKey;
      const clients = invalidTokens.map(({ client_id: id, name }) => escapeControls(name ?? id)).join(', ');
      await context.terminal.out(
        `${escapeControls(kid)} is retired; ${successor ?? 'no key'} now signs with ${algorithm}; ` +
          `${clients === '' ? 'no tokens were invalidated' : `invalidated the tokens of ${clients}`}\n`,
      );
    },
  );
}

async function findKey(kid: string, { call }: CliContext): Promise<KeyRow | undefined> {
  for await (const key of call('key list', { retired: true })) if ((key as KeyRow).kid === kid) return key as KeyRow;
  return undefined;
}

/** @throws OperationRefused if the key is unknown or retired, or has valid tokens and `acceptsLoss` is false */
function requireRetirable(kid: string, key: KeyRow | undefined, acceptsLoss: boolean): void {
  if (key === undefined) throw new OperationRefused(describeKeyRefusal('key-unknown', kid), 'unknown');
  if (key.status === 'retired') throw new OperationRefused(describeKeyRefusal('key-retired', kid), 'conflict');
  if (key.valid_tokens.length > 0 && !acceptsLoss)
    throw new OperationRefused(describeTokenLoss(key, key.valid_tokens), 'conflict');
}
