import { Option, type Command } from 'commander';
import type { AsOfHeader } from '../operations/as-of.ts';
import { createAuthorizationsAtPosition } from '../audit/queries/authorizations-at-position.ts';
import type { AccessEntry } from '../audit/queries/access-report.ts';
import { withJsonOption, parseWholeNumber, type CliContext } from './context.ts';
import { parseTime } from './time-arguments.ts';
import { isoTime } from '../operations/iso-time.ts';
import { formatJson, formatTable } from './print.ts';

const COLUMNS = [
  'kind',
  'position',
  'user',
  'group',
  'client',
  'application',
  'scope',
  'resource',
  'expires_at',
  'grants',
];

interface AsOfOptions {
  readonly position?: number;
  readonly time?: number;
  readonly user?: string;
  readonly client?: string;
  readonly scope?: string;
  readonly json?: true;
}

export function asOfCommand(log: Command, { terminal, call }: CliContext): void {
  withJsonOption(
    log
      .command('as-of')
      .description('show who had access to what at a position or time, with the event that granted it'),
  )
    .addOption(
      new Option('--position <position>', 'state after the event at this position')
        .argParser(parseWholeNumber)
        .conflicts('time'),
    )
    .addOption(
      new Option('--time <time>', 'state at this ISO 8601 time, such as 2026-11-21T09:00:00Z').argParser(parseTime),
    )
    .option('--user <name>', 'only access that this user had or granted')
    .option('--client <id>', 'only this application')
    .option('--scope <name>', 'only access with this scope')
    .addHelpText('after', HELP)
    .action(async ({ json: asJson, ...question }: AsOfOptions) => {
      const entries: AccessEntry[] = [];
      let asOf: AsOfHeader = { as_of: 0, recorded_at: null };
      for await (const item of call('log as-of', question)) {
        if ('as_of' in (item as AsOfHeader | AccessEntry)) asOf = item as AsOfHeader;
        else entries.push(item as AccessEntry);
      }
      const authorizations = byApplication(entries);
      const recordedAt = asOf.recorded_at === null ? null : new Date(asOf.recorded_at).toISOString();
      if (asJson)
        return terminal.out(
          formatJson({
            ...asOf,
            recorded_at_iso: recordedAt,
            held: entries.map((entry) => ({
              ...entry,
              expires_at_iso: isoOrNull(entry.expires_at),
              authenticated_at_iso: isoOrNull(entry.authenticated_at),
            })),
            authorizations: authorizations.map((one) => ({ ...one, expires_at_iso: isoOrNull(one.expires_at) })),
          }),
        );
      const recorded = recordedAt === null ? '' : `, recorded ${recordedAt}`;
      terminal.err(`as of position ${asOf.as_of}${recorded}\n`);
      const others = entries.filter(({ kind }) => kind !== 'token' && kind !== 'grant');
      const tokens = entries.filter(({ kind }) => kind === 'token');
      const rows = [...others, ...authorizations.map((one) => ({ kind: 'grant', ...one })), ...tokens];
      await terminal.out(
        formatTable(
          terminal,
          COLUMNS,
          rows.map((row) => ({ ...row, expires_at: isoOrNull(row.expires_at) })),
        ),
      );
    });
}

const HELP = `
The table combines all grants of one user to one application into a row: POSITION is the position of the first grant,
and GRANTS is their number. With --json, "held" lists every entry, and "authorizations" lists the combined rows. In
"held", "login" says how the user who authorized a grant had authenticated, and "authenticated_at" says when; GROUP is
that of a membership. Times in JSON are in seconds since the epoch, except for "recorded_at", which is in milliseconds;
beside each is the same in ISO 8601, such as "expires_at_iso".
`;

function byApplication(entries: readonly AccessEntry[]) {
  const authorizations = createAuthorizationsAtPosition(1);
  entries.forEach(authorizations.add);
  return authorizations
    .all()
    .map(({ position, user, user_id, client, application, scope, resource, expires_at, grants }) => ({
      position,
      user,
      user_id,
      client,
      application,
      scope,
      resource,
      expires_at,
      grants,
    }));
}

function isoOrNull(seconds: number | null): string | null {
  return seconds === null ? null : isoTime(seconds);
}
