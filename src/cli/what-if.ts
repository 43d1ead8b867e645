import { Option, type Command } from 'commander';
import { OperationRefused } from '../operations/refused.ts';
import type { WhatIfItem, WhatIfSummary } from '../operations/what-if.ts';
import { parseSettingChanges } from '../config/config.ts';
import type { Finding } from '../operations/simulation/findings.ts';
import { collect, withJsonOption, type CliContext } from './context.ts';
import { CannotRun } from './exit.ts';
import { parseTime } from './instant.ts';
import { formatJson, formatTable } from './print.ts';

const COLUMNS = [
  'outcome',
  'application',
  'client',
  'count',
  'followed_by',
  'refreshed_late',
  'position',
  'rule',
  'difference',
];

interface WhatIfOptions {
  readonly set: readonly string[];
  readonly since?: number;
  readonly until?: number;
  readonly json?: true;
}

export function whatIfCommand(log: Command, { terminal, call }: CliContext): void {
  withJsonOption(
    log
      .command('what-if')
      .description(
        'foretell what a setting would break: whose successful requests would have been refused, or answered otherwise',
      ),
  )
    .addOption(
      new Option('--set <name=value>', 'a setting as it would have been, its value as in the environment; may repeat')
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--since <time>',
        'as if it had been changed at this ISO 8601 time; from the beginning otherwise',
      ).argParser(parseTime),
    )
    .addOption(new Option('--until <time>', 'only what was recorded before this ISO 8601 time').argParser(parseTime))
    .addHelpText('after', HELP)
    .action(async ({ set, since, until, json: asJson }: WhatIfOptions) => {
      if (since !== undefined && until !== undefined && since >= until)
        throw new CannotRun('--since must be before --until');
      const texts = parseSettings(set);
      parseSettingChanges(texts); // before anybody is asked
      const findings: Finding[] = [];
      let summary: WhatIfSummary | undefined;
      for await (const item of call('log what-if', { set: texts, since, until })) {
        const part = item as WhatIfItem;
        if ('walked' in part) terminal.err(`looked at ${part.walked} of ${part.head} events\n`);
        else if ('requests' in part) summary = part;
        else findings.push(part);
      }
      if (summary === undefined) throw new CannotRun('stopped; nothing is foretold');
      if (asJson) await terminal.out(formatJson({ ...summary, findings }));
      else await print(summary, findings);
      refuseOnFindings(summary, findings);
    });

  async function print(
    { from, to, requests, cannot_be_judged: unknown, without_influence: indifferent }: WhatIfSummary,
    findings: readonly Finding[],
  ): Promise<void> {
    terminal.err(
      from === null
        ? 'nothing was recorded in this time\n'
        : `${requests} successful requests at positions ${from} to ${to}\n`,
    );
    for (const { setting, because } of indifferent) terminal.err(`${setting} changes no answer: ${because}\n`);
    for (const { setting, because } of unknown) terminal.err(`${setting} cannot be judged: ${because}\n`);
    if (from !== null && findings.length === 0) terminal.err('the log has none that would have ended otherwise\n');
    if (findings.length > 0)
      await terminal.out(
        formatTable(
          COLUMNS,
          findings.map((finding) => ({ ...finding })),
        ),
      );
  }
}

/** @throws CannotRun it is not written as NAME=VALUE, or there twice */
function parseSettings(set: readonly string[]): Readonly<Record<string, string>> {
  const pairs = set.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new CannotRun(`--set ${JSON.stringify(text)} must be NAME=VALUE, such as requirePkce=all`);
    return [name, value] as const;
  });
  const twice = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new CannotRun(`--set ${twice[0]} is there twice; keep one`);
  return Object.fromEntries(pairs);
}

/** Whoever goes on only if nothing breaks must stop where that is not known, too. */
function refuseOnFindings({ cannot_be_judged: unknown }: WhatIfSummary, findings: readonly Finding[]): void {
  const applications = (outcome: Finding['outcome']): number =>
    new Set(findings.filter((finding) => finding.outcome === outcome).map(({ client }) => client)).size;
  const said = [
    ...(findings.length > 0
      ? [`applications refused: ${applications('refused')}; answered otherwise: ${applications('answered otherwise')}`]
      : []),
    ...(unknown.length > 0
      ? [`cannot be judged from the log: ${unknown.map(({ setting }) => setting).join(', ')}`]
      : []),
  ];
  if (said.length > 0) throw new OperationRefused(said.join('; '));
}

const HELP = `
The log is replayed as if the settings had been changed at --since; what was given before keeps its terms, and settings
that are not named are as they were. COUNT is how many successful requests would have ended otherwise by that rule,
POSITION the first event of the first of them, FOLLOWED BY how many more could then not have been made, because they
used a code or a token that would not have been given. REFRESHED LATE: refreshes that came when the access token would
have been dead already.

Only requests that leave an event are judged: not calls of APIs, introspection, or a refresh asked for a second time.
A time is that of the record, a moment after the request, so a limit met within a second may be judged either way. A
person who would have been asked for consent is taken to have said yes. With --since, a redemption or refresh for just
the resource servers of an older grant is taken not to have named them.

A setting that the log cannot judge is named, with the reason. Exit status 1 when anything would have been otherwise or
cannot be judged, else 0.
`;
