import { Option, type Command } from 'commander';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { WhatIfItem, WhatIfSummary } from '../operations/what-if.ts';
import { parseSettingChanges } from '../config/config.ts';
import type { Finding } from '../operations/simulation/findings.ts';
import type { RegistrationProblem } from '../operations/simulation/registrations.ts';
import { SECURITY_PROFILES, type SecurityProfile } from '../domain/security-settings.ts';
import { LOGIN_CLASSES, type LoginClass } from '../domain/login.ts';
import { collect, parseWholeNumber, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { parseNameValuePairs } from './name-value-pairs.ts';
import { parseTime } from './time-arguments.ts';
import { formatJson, formatTable } from './print.ts';

const COLUMNS = [
  'outcome',
  'application',
  'client',
  'count',
  'followed_by',
  'refreshed_late',
  'time',
  'position',
  'rule',
  'difference',
];

/** The columns of the table with advice for applications. */
const ADVICE_COLUMNS = ['rule', 'advice'];
const REGISTRATION_COLUMNS = ['application', 'client', 'field', 'problem'];

const OUTCOME_LABELS: Readonly<Record<Finding['outcome'], string>> = {
  refused: 'refused',
  'answered otherwise': 'answered differently',
};

interface WhatIfOptions {
  readonly set: readonly string[];
  readonly acr?: LoginClass;
  readonly maxAge?: number;
  readonly profile?: SecurityProfile;
  readonly since?: number;
  readonly until?: number;
  readonly json?: true;
}

/** Adds the `log what-if` command. */
export function whatIfCommand(log: Command, { terminal, call }: CliContext): void {
  withJsonOption(
    log
      .command('what-if')
      .description('predict which past requests other settings or stricter login requirements would have broken'),
  )
    .option(
      '--set <name=value>',
      'the changed setting, with its value as in the environment (repeatable)',
      collect,
      [] as readonly string[],
    )
    .addOption(
      new Option(
        '--acr <class>',
        'every authorization would have required a login of this class or a stronger one, from pwd to phr (passkey)',
      ).choices(LOGIN_CLASSES),
    )
    .option(
      '--max-age <seconds>',
      'every authorization would have required a login no older than this',
      parseWholeNumber,
    )
    .addOption(
      new Option('--profile <profile>', 'every application would have had this profile').choices(SECURITY_PROFILES),
    )
    .addOption(
      new Option(
        '--since <time>',
        'when the change would have been made (ISO 8601 time; default: the start of the log)',
      ).argParser(parseTime),
    )
    .addOption(new Option('--until <time>', 'only requests recorded before this ISO 8601 time').argParser(parseTime))
    .addHelpText('after', HELP)
    .action(async ({ set, acr, maxAge: maxAgeSeconds, profile, since, until, json: asJson }: WhatIfOptions) => {
      if (since !== undefined && until !== undefined && since >= until)
        throw new CannotRunError('--since must be before --until');
      if (set.length === 0 && acr === undefined && maxAgeSeconds === undefined && profile === undefined)
        throw new CannotRunError('specify what would change: --set NAME=VALUE, --acr, --max-age or --profile');
      const texts = parseNameValuePairs(set, 'requirePkce=all');
      parseSettingChanges(texts); // fails early, before the operation starts
      const findings: Finding[] = [];
      const registrations: RegistrationProblem[] = [];
      let summary: WhatIfSummary | undefined;
      const input = { set: texts, login: { acr, maxAgeSeconds }, profile, since, until };
      for await (const item of call('log what-if', input)) {
        const part = item as WhatIfItem;
        if ('walked' in part) terminal.err(`processed ${part.walked} of ${part.head} events\n`);
        else if ('requests' in part) summary = part;
        else if ('field' in part) registrations.push(part);
        else findings.push(part);
      }
      if (summary === undefined) throw new CannotRunError('stopped; there is no prediction');
      if (asJson) await terminal.out(formatJson({ ...summary, findings, registrations }));
      else await print(summary, findings, registrations);
      refuseOnFindings(summary, findings, registrations);
    });

  async function print(
    {
      from,
      to,
      requests,
      unknown_logins: unknownLogins,
      unknown_authentications: unknownAuthentications,
      cannot_be_judged: unpredictableSettings,
      without_influence: irrelevantSettings,
    }: WhatIfSummary,
    findings: readonly Finding[],
    registrations: readonly RegistrationProblem[],
  ): Promise<void> {
    terminal.err(
      from === null
        ? 'nothing was recorded in this period\n'
        : `${requests} successful ${requests === 1 ? 'request' : 'requests'} at positions ${from} to ${to}\n`,
    );
    if (unknownLogins > 0) terminal.err(`${unknownLogins} authorizations do not record their login\n`);
    if (unknownAuthentications > 0)
      terminal.err(`${unknownAuthentications} requests do not record how the application authenticated\n`);
    for (const { setting, because } of irrelevantSettings)
      terminal.err(`${setting} does not affect responses: ${because}\n`);
    for (const { setting, because } of unpredictableSettings)
      terminal.err(`${setting} cannot be predicted: ${because}\n`);
    if (from !== null && findings.length === 0) terminal.err('no request would have had a different outcome\n');
    if (findings.length > 0) {
      const rows = findings.map((finding) => ({ ...finding, outcome: OUTCOME_LABELS[finding.outcome] }));
      const byRule = [...new Map(findings.map(({ rule, advice }) => [rule, { rule, advice }])).values()];
      await terminal.out(`${formatTable(terminal, COLUMNS, rows)}\n${formatTable(terminal, ADVICE_COLUMNS, byRule)}`);
    }
    if (registrations.length > 0)
      await terminal.out(
        `${findings.length > 0 ? '\n' : ''}${formatTable(
          terminal,
          REGISTRATION_COLUMNS,
          registrations.map((problem) => ({ ...problem })),
        )}`,
      );
  }
}

/**
 * Scripts that rely on the exit status must also stop if the effect cannot be predicted.
 * @throws OperationRefused if there are findings, or if some effect cannot be predicted
 */
function refuseOnFindings(
  {
    cannot_be_judged: unpredictableSettings,
    unknown_logins: unknownLogins,
    unknown_authentications: unknownAuthentications,
  }: WhatIfSummary,
  findings: readonly Finding[],
  registrations: readonly RegistrationProblem[],
): void {
  const applications = (outcome: Finding['outcome']): number =>
    new Set(findings.filter((finding) => finding.outcome === outcome).map(({ client }) => client)).size;
  const messages = [
    ...(findings.length > 0
      ? [
          `applications refused: ${applications('refused')}`,
          `answered differently: ${applications('answered otherwise')}`,
        ]
      : []),
    ...(unknownLogins > 0 ? [`logins that are not recorded: ${unknownLogins}`] : []),
    ...(unknownAuthentications > 0 ? [`authentications that are not recorded: ${unknownAuthentications}`] : []),
    ...(registrations.length > 0
      ? [`registrations that the profile refuses: ${new Set(registrations.map(({ client }) => client)).size}`]
      : []),
    ...(unpredictableSettings.length > 0
      ? [`cannot be predicted from the log: ${unpredictableSettings.map(({ setting }) => setting).join(', ')}`]
      : []),
  ];
  if (messages.length > 0) throw new OperationRefused(messages.join('; '));
}

const HELP = `
Replays the log as if the settings had been changed at --since. Tokens and codes issued earlier keep their lifetimes,
and all other settings stay as they were. COUNT is the number of successful requests that the rule would have affected;
TIME and POSITION are those of the first event of the first such request. ADVICE says how to fix the application.
FOLLOWED BY counts later requests that would have been impossible, because they used a code or token that would not have
been issued. REFRESHED LATE counts refreshes after the access token would have expired.

Only requests that left an event are simulated: not API calls, introspection, or repeated refreshes. The time of a
request is taken from its record, which is slightly later, so the outcome is uncertain within a second of a limit. A
user who would have been asked for consent is assumed to agree. A recorded reuse of a code or refresh token is assumed
to end its grant. With --since, a redemption or refresh for all resource servers of an older grant is assumed not to
have specified them.

With --acr and --max-age, the login that is recorded with each authorization is checked: how the user logged in, and how
long ago. A user who would have had to log in again is assumed to do so. Earlier releases did not record logins;
their authorizations are counted.

With --set requireDpop=true, a token request counts as refused if its access token is bound neither to a key nor to a
certificate. With --set requirePar=true, an authorization counts as refused if it is not recorded as pushed: earlier
builds accepted no pushed requests, except the builds of 2026-11-22 and 2026-11-23, which did not record them.

With --profile, each request is compared with the rules of the profile, as if its application had that profile: how the
client authenticated, pushed requests, PKCE, redirect URIs, code lifetimes and proofs. Applications that already have
the profile are not affected. A second list shows the parts of registrations that the profile refuses. The algorithms of
proofs and of signed requests are not recorded. If a client could authenticate in several ways, only assertions are
recorded; requests whose authentication remains unknown are counted.

Settings whose effect the log cannot predict are listed with the reason. Exit status 1, instead of 0, if any request
would have had a different outcome, if a setting, login or authentication cannot be predicted, or if the profile refuses
a registration.
`;
