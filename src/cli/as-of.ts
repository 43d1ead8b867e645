import { Option, type Command } from 'commander';
import type { AsOfHeader } from '../operations/as-of.ts';
import { createAuthorizationsAtPosition } from '../audit/queries/authorizations-at-position.ts';
import type { AccessEntry } from '../audit/queries/access-report.ts';
import { withJsonOption, parseWholeNumber, type CliContext } from './context.ts';
import { parseTime } from './time-arguments.ts';
import { isoTime } from '../operations/iso-time.ts';
import { printEmptyList } from './empty-lists.ts';
import { formatJson, formatTable } from './print.ts';

interface Section {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

interface AsOfOptions {
  readonly position?: number;
  readonly time?: number;
  readonly user?: string;
  readonly client?: string;
  readonly scope?: string;
  readonly json?: true;
}

/** Adds the `log as-of` command. */
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
    .option('--client <id>', 'only access of this application')
    .option('--scope <name>', 'only access with this scope')
    .addHelpText('after', HELP)
    .action(async ({ json: asJson, ...query }: AsOfOptions) => {
      const entries: AccessEntry[] = [];
      let asOf: AsOfHeader = { as_of: 0, recorded_at: null };
      for await (const item of call('log as-of', query)) {
        if ('as_of' in (item as AsOfHeader | AccessEntry)) asOf = item as AsOfHeader;
        else entries.push(item as AccessEntry);
      }
      const authorizations = combineGrants(entries);
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
            authorizations: authorizations.map((authorization) => ({
              ...authorization,
              expires_at_iso: isoOrNull(authorization.expires_at),
            })),
          }),
        );
      const recordedSuffix = recordedAt === null ? '' : `, recorded ${recordedAt}`;
      terminal.err(`as of position ${asOf.as_of}${recordedSuffix}\n`);
      const sections = toSections(entries, authorizations).filter(({ rows }) => rows.length > 0);
      if (sections.length === 0) printEmptyList(terminal, 'log as-of');
      await terminal.out(sections.map((section) => formatSection(section, terminal)).join('\n'));
    });
}

const HELP = `
There is a table for each kind of access. A row under "Grants" combines all grants by one user to one application. Its
POSITION is that of the first grant, and GRANTS, shown only if a row combines several grants, is the number of grants.

With --json, "held" lists every entry, and "authorizations" lists the combined rows. In "held", "login" is the method
with which the user authenticated before authorizing the access, and "authenticated_at" is the time. Times in JSON are
in seconds since the epoch, except for "recorded_at", which is in milliseconds; each is repeated in ISO 8601 in a field
whose name ends in _iso, such as "expires_at_iso".
`;

/** Returns one table for each kind of access, with the columns for that kind. */
function toSections(entries: readonly AccessEntry[], authorizations: ReturnType<typeof combineGrants>): Section[] {
  const entriesOfKind = (kind: AccessEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  const accessColumns = ['position', 'user', 'application', 'scope', 'expires_at'];
  const hasCombinedGrants = authorizations.some(({ grants }) => grants > 1);
  return [
    {
      heading: 'Accounts',
      columns: ['position', 'user', 'roles'],
      rows: entriesOfKind('account').map(({ position, user, scope }) => ({ position, user, roles: scope || null })),
    },
    {
      heading: 'Group memberships',
      columns: ['position', 'user', 'group'],
      rows: entriesOfKind('membership').map((entry) => ({ ...entry })),
    },
    {
      heading: 'Applications',
      columns: ['position', 'application', 'owner'],
      rows: entriesOfKind('application').map((entry) => ({ ...toAccessRow(entry), owner: entry.user })),
    },
    {
      heading: 'Grants',
      columns: hasCombinedGrants ? [...accessColumns, 'grants'] : accessColumns,
      rows: authorizations.map((authorization) => ({ ...toAccessRow(authorization), grants: authorization.grants })),
    },
    { heading: 'Tokens', columns: accessColumns, rows: entriesOfKind('token').map(toAccessRow) },
  ];
}

/** Puts the client id below the name, and resource servers below the scope, so that long values fit in a terminal. */
function toAccessRow({
  position,
  user,
  client,
  application,
  scope,
  resource,
  expires_at: expiresAt,
}: Pick<AccessEntry, 'position' | 'user' | 'client' | 'application' | 'scope' | 'resource' | 'expires_at'>) {
  return {
    position,
    user,
    application: { lines: [application, client].filter((text) => text !== null) },
    scope: { lines: [scope || null, ...(resource === null ? [] : [`for ${resource}`])] },
    expires_at: isoOrNull(expiresAt),
  };
}

function formatSection({ heading, columns, rows }: Section, terminal: CliContext['terminal']): string {
  return `${heading}\n${formatTable(terminal, columns, rows)}`;
}

function combineGrants(entries: readonly AccessEntry[]) {
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
