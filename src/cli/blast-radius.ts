import { Option, type Command } from 'commander';
import { usesSecret } from '../domain/client-authentication.ts';
import type { AffectedRow, RevocationResult, RadiusHeader } from '../operations/blast-radius.ts';
import { isoTime } from '../operations/iso-time.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { confirm, withYesOption } from './confirm.ts';
import { callOnce, withJsonOption, type CliContext } from './context.ts';
import { printEmptyList } from './empty-lists.ts';
import { CannotRunError } from './exit.ts';
import { pluralize, formatJson, formatTable, isoSeconds } from './print.ts';
import { parsePositionOrTime } from './time-arguments.ts';

const COLUMNS = ['origin', 'position', 'application', 'user', 'scope', 'tokens', 'expires_at'];

interface RadiusOptions {
  readonly token?: string;
  readonly grant?: string;
  readonly client?: string;
  readonly key?: string;
  readonly session?: string;
  readonly user?: string;
  readonly asOf?: { readonly position: number } | { readonly time: number };
  readonly end?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Adds the `log blast-radius` command, which lists or ends the grants that came from a leaked source. */
export function blastRadiusCommand(log: Command, context: CliContext): void {
  const { terminal, call } = context;
  withYesOption(
    withJsonOption(
      log
        .command('blast-radius')
        .description('list, or end, everything valid that came from a leaked token, key, client or session'),
    ),
    'required',
    'with --end',
  )
    .option('--token <->', 'an access token, refresh token or code; - reads standard input')
    .option('--grant <id>', 'a grant: its stream name without the prefix `grant-`')
    .option('--client <id>', 'an application and its secret')
    .option(
      '--key <thumbprint>',
      "a signing key, a client's key or certificate, or a key or certificate that tokens are bound to",
    )
    .option('--session <hash>', 'a session; with --user, the id that `user sessions` shows')
    .option('--user <name>', 'user of the session')
    .addOption(
      new Option('--as-of <position or time>', 'state after the event at this position, or at this ISO 8601 time')
        .argParser(parsePositionOrTime)
        .conflicts('end'),
    )
    .option('--end', 'stop the source, and end all of these grants')
    .addHelpText('after', HELP)
    .action(async ({ asOf, end, yes, json, ...sourceOptions }: RadiusOptions) => {
      if (sourceOptions.token !== undefined && sourceOptions.token !== '-')
        throw new CannotRunError(
          'pass the token on standard input, with --token -: other users can see the command line',
        );
      const { user, ...sources } = sourceOptions;
      const count = Object.values(sources).filter((value) => value !== undefined).length;
      if (count !== 1 || (user !== undefined && sources.session === undefined))
        throw new CannotRunError(
          'specify exactly one of --token, --grant, --client, --key and --session; --user requires --session',
        );
      const source = {
        ...sourceOptions,
        ...(sourceOptions.token === undefined ? {} : { token: await readToken(context) }),
      };
      const describeConsequence = async (): Promise<string> => {
        const rows: AffectedRow[] = [];
        for await (const item of call('log blast-radius', source))
          if (!('as_of' in (item as RadiusHeader | AffectedRow))) rows.push(item as AffectedRow);
        return `${await describeStop(source)}everything that came from the source will end: ${formatCounts(rows)}`;
      };
      if (end) await confirm(terminal, { yes, consequence: describeConsequence });
      if (end)
        return printResult(
          (await callOnce(context, 'log blast-radius end', source)) as unknown as RevocationResult,
          json,
        );
      let header: RadiusHeader = { as_of: 0, at: 0 };
      const rows: AffectedRow[] = [];
      for await (const item of call('log blast-radius', { ...source, ...asOf })) {
        if ('as_of' in (item as RadiusHeader | AffectedRow)) header = item as RadiusHeader;
        else rows.push(item as AffectedRow);
      }
      if (json)
        return terminal.out(formatJson({ ...header, at_iso: isoTime(header.at), affected: rows.map(withIsoTime) }));
      await printRows(rows);
      terminal.err(`as of position ${header.as_of}, ${isoSeconds(header.at)}: ${formatCounts(rows)}\n`);
    });

  /**
   * Returns the beginning of the consequence: whether the source, which must exist, will be stopped. Returns an empty
   * string for a token or grant.
   */
  async function describeStop({ token, grant, client }: RadiusOptions): Promise<string> {
    if (token !== undefined || grant !== undefined) return '';
    if (client !== undefined && !(await hasSecret(client)))
      return 'the source cannot be stopped, because it has no secret to replace, but ';
    return 'the source will be stopped, and ';
  }

  /** Reports whether the application authenticates with a secret. Returns false if the application was removed. */
  async function hasSecret(clientId: string): Promise<boolean> {
    for await (const item of call('client list', { search: clientId })) {
      const { client_id: id, auth_methods: methods } = item as { client_id: string; auth_methods: readonly string[] };
      if (id === clientId) return usesSecret({ methods });
    }
    return false;
  }

  async function printRows(rows: readonly AffectedRow[]): Promise<void> {
    if (rows.length === 0) printEmptyList(terminal, 'log blast-radius');
    else await terminal.out(formatTable(terminal, COLUMNS, rows.map(toTableRow)));
  }

  async function printResult(result: RevocationResult, json: true | undefined): Promise<void> {
    if (json) await terminal.out(formatJson({ ...result, ended: result.ended.map(withIsoTime) }));
    else {
      await printRows(result.ended);
      terminal.err(`ended ${formatCounts(result.ended)}; source: ${STOP_OUTCOMES[result.stopped] ?? result.stopped}\n`);
      if (result.client_secret !== null) await terminal.out(`new client secret: ${result.client_secret}\n`);
    }
    if (result.left > 0)
      throw new OperationRefused(
        `${pluralize(result.left, 'more grant')} came from the source in the meantime; stop the source, and try again`,
      );
    if (result.problem !== null) throw new OperationRefused(result.problem);
  }
}

const HELP = `
The list contains the grants that came from the source itself and, at any depth, the grants that resulted from token
exchanges in which a token of a listed grant was the subject token or the actor token. For such a grant, ORIGIN shows
the role of the token and the listed grant, after "via".

--end first stops the source: it ends the session, replaces the client secret, removes the client key, or retires the
signing key. It then revokes the grants in the list, and repeats this until none is left. Every run replaces the client
secret again, because the new secret may have leaked as well. The exit status is 1 if the source could not be stopped,
for example because it is a public client: users can then authorize it again.

Times in JSON are in seconds since the epoch; each is repeated in ISO 8601 in a field whose name ends in _iso, such as
"at_iso".
`;

const STOP_OUTCOMES: Readonly<Record<string, string>> = {
  'session-ended': 'the session was ended',
  'secret-replaced': 'the client secret was replaced',
  'client-key-removed': 'the client key was removed',
  'signing-key-retired': 'the signing key was retired',
  'nothing-to-stop': 'nothing to stop',
  'not-stopped': 'NOT STOPPED',
};

async function readToken({ terminal }: CliContext): Promise<string> {
  const token = (await terminal.readInput()).trim();
  if (token === '') throw new CannotRunError('standard input is empty; pass a token or code on standard input');
  return token;
}

const withIsoTime = (row: AffectedRow) => ({
  ...row,
  expires_at_iso: row.expires_at === null ? null : isoTime(row.expires_at),
});

function formatCounts(rows: readonly AffectedRow[]): string {
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  return `${pluralize(rows.length, 'grant')} with ${pluralize(tokens, 'token')}`;
}

function toTableRow(row: AffectedRow) {
  const { is: kind, via, application, client, scope, resource } = row;
  return {
    ...row,
    origin: { lines: via === 'source' ? [kind] : [kind, `via ${via}`] },
    application: { lines: application === null ? [client] : [application, client] },
    scope: { lines: resource === null ? [scope] : [scope, `for ${resource}`] },
    expires_at: row.expires_at === null ? null : isoSeconds(row.expires_at),
  };
}
