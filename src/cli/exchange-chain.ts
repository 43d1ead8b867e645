import { Option, type Command } from 'commander';
import type { Chain, ChainRow, EndRow, PauseRow } from '../operations/exchange-chain.ts';
import { callOnce, parseWholeNumber, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { escapeControls, formatJson, isoSeconds } from './print.ts';
import { parsePositionOrTime } from './time-arguments.ts';

interface ChainOptions {
  readonly asOf?: { readonly position: number } | { readonly time: number };
  readonly limit: number;
  readonly json?: true;
}

/** Adds the `log chain` command, which draws the exchanges around a grant. */
export function exchangeChainCommand(log: Command, context: CliContext): void {
  const { terminal } = context;
  withJsonOption(
    log
      .command('chain')
      .description('draw the tree of exchanges around a grant, with the parties, scope, validity and end of each grant')
      .argument('<grant>', 'the id of a grant; - reads an access token, refresh token or code from standard input'),
  )
    .addOption(
      new Option(
        '--as-of <position or time>',
        'state after the event at this position, or at this ISO 8601 time',
      ).argParser(parsePositionOrTime),
    )
    .addOption(
      new Option('--limit <count>', 'maximum number of exchanges to draw: the newest ones, and their ancestors')
        .argParser(parseWholeNumber)
        .default(100),
    )
    .addHelpText('after', HELP)
    .action(async (subject: string, { asOf, limit, json: asJson }: ChainOptions) => {
      const query = subject === '-' ? { token: await readToken(context) } : { grant: subject };
      const chain = (await callOnce(context, 'log chain', { ...query, ...asOf, limit })) as unknown as Chain;
      if (asJson) return terminal.out(formatJson(chain));
      await terminal.out(`${[...draw(chain.tree, chain.grant)].join('\n')}\n`);
      terminal.err(`as of position ${chain.as_of}, ${isoSeconds(chain.at)}: ${formatCount(chain)}\n`);
    });
}

const HELP = `
Each grant is shown with a sentence about its start, its first event, its scope, and the state of its tokens. A grant
also ends when a grant above it or its actor's grant ends; an ended grant is shown with the first event that ended it.
The requested grant is marked with *. The log contains all of this, even for grants that ended or expired long ago.
`;

async function readToken({ terminal }: CliContext): Promise<string> {
  const token = (await terminal.readInput()).trim();
  if (token === '') throw new CannotRunError('standard input is empty; pass a token or code on standard input');
  return token;
}

function formatCount({ exchanges, shown }: Chain): string {
  const total = exchanges === 1 ? '1 exchange' : `${exchanges} exchanges`;
  return shown < exchanges ? `${total}, of which ${shown} ${shown === 1 ? 'is' : 'are'} shown; see --limit` : total;
}

/**
 * Yields the lines of a tree of grants.
 * @param prefix the characters before each line about the grant, except for the first line
 */
function* draw(row: ChainRow, grantId: string, firstPrefix = '', prefix = ''): Generator<string, void, void> {
  const childCount = row.exchanges.length + (row.omitted > 0 ? 1 : 0);
  const textPrefix = `${prefix}${childCount > 0 ? '│  ' : '   '}`;
  yield escapeControls(`${firstPrefix}${row.grant === grantId ? '* ' : ''}${row.says}`);
  yield escapeControls(`${textPrefix}grant ${row.grant}, event ${row.position}, ${isoSeconds(row.recorded_at)}`);
  yield escapeControls(`${textPrefix}${row.scope || 'no scope'}, for ${row.resource ?? 'every resource server'}`);
  yield escapeControls(`${textPrefix}${describeState(row)}`);
  if (row.omitted > 0) yield `${prefix}${row.exchanges.length > 0 ? '├─ ' : '└─ '}${formatOmitted(row.omitted)}`;
  for (const [index, child] of row.exchanges.entries()) {
    const isLastChild = index === row.exchanges.length - 1;
    yield* draw(child, grantId, `${prefix}${isLastChild ? '└─ ' : '├─ '}`, `${prefix}${isLastChild ? '   ' : '│  '}`);
  }
}

function formatOmitted(count: number): string {
  return count === 1 ? '(1 other exchange is not shown)' : `(${count} other exchanges are not shown)`;
}

function describeState({ expires_at: expiresAt, ended, paused }: ChainRow): string {
  const validity = expiresAt === null ? 'until it is revoked' : `until ${isoSeconds(expiresAt)}`;
  if (ended === null) return paused === null ? `live, ${validity}` : `paused: ${describeEnd(paused)}`;
  return ended.cause === 'expired' ? `expired ${validity.replace('until ', 'at ')}` : `ended: ${describeEnd(ended)}`;
}

function describeEnd({ says, position, recorded_at: recordedAt }: EndRow | PauseRow): string {
  return position === null || recordedAt === null ? says : `${says} (event ${position}, ${isoSeconds(recordedAt)})`;
}
