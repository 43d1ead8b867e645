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

export const OUTCOME_LABELS: Readonly<Record<Finding['outcome'], string>> = {
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
      .description(
        'show which past requests would have had a different outcome under other settings or stricter logins',
      ),
  )
    .option(
      '--set <name=value>',
      'a setting to change, with its new value, written as in its environment variable (repeatable)',
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
        throw new CannotRunError('specify what to change: --set NAME=VALUE, --acr, --max-age or --profile');
      const changes = parseNameValuePairs(set, 'requirePkce=all');
      parseSettingChanges(changes); // fails early, before the operation starts
      const findings: Finding[] = [];
      const registrations: RegistrationProblem[] = [];
      let summary: WhatIfSummary | undefined;
      const input = { set: changes, login: { acr, maxAgeSeconds }, profile, since, until };
      for await (const item of call('log what-if', input)) {
        const part = item as WhatIfItem;
        if ('walked' in part) terminal.err(`processed ${part.walked} of ${part.head} events\n`);
        else if ('requests' in part) summary = part;
        else if ('field' in part) registrations.push(part);
        else findings.push(part);
      }
      if (summary === undefined) throw new CannotRunError('stopped before a prediction was made');
      if (asJson) await terminal.out(formatJson({ ...summary, findings, registrations }));
      else await print(summary, findings, registrations);
      requireSameOutcome(summary, findings, registrations);
    });

  async function print(
    {
      from,
      to,
      requests,
      unknown_logins: unknownLogins,
      unknown_authentications: unknownAuthentications,
      cannot_be_judged: unknownEffects,
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
    if (unknownLogins > 0) terminal.err(`authorizations without a recorded login: ${unknownLogins}\n`);
    if (unknownAuthentications > 0)
      terminal.err(`requests without a recorded authentication method: ${unknownAuthentications}\n`);
    for (const { setting, because } of irrelevantSettings)
      terminal.err(`${setting} does not affect responses: ${because}\n`);
    for (const { setting, because } of unknownEffects)
      terminal.err(`the effect of ${setting} cannot be predicted: ${because}\n`);
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
 * Fails unless the change certainly has no effect, so that scripts can rely on the exit status.
 * @throws OperationRefused if there are findings, or if some effect cannot be predicted
 */
function requireSameOutcome(
  {
    cannot_be_judged: unknownEffects,
    unknown_logins: unknownLogins,
    unknown_authentications: unknownAuthentications,
  }: WhatIfSummary,
  findings: readonly Finding[],
  registrations: readonly RegistrationProblem[],
): void {
  const countApplications = (outcome: Finding['outcome']): number =>
    new Set(findings.filter((finding) => finding.outcome === outcome).map(({ client }) => client)).size;
  const messages = [
    ...(findings.length > 0
      ? [
          `applications refused: ${countApplications('refused')}`,
          `applications with different responses: ${countApplications('answered otherwise')}`,
        ]
      : []),
    ...(unknownLogins > 0 ? [`authorizations without a recorded login: ${unknownLogins}`] : []),
    ...(unknownAuthentications > 0
      ? [`requests without a recorded authentication method: ${unknownAuthentications}`]
      : []),
    ...(registrations.length > 0
      ? [`registrations that violate the profile: ${new Set(registrations.map(({ client }) => client)).size}`]
      : []),
    ...(unknownEffects.length > 0
      ? [`effect cannot be predicted from the log: ${unknownEffects.map(({ setting }) => setting).join(', ')}`]
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

Only requests that recorded an event are simulated, so API calls, introspection and repeated refreshes are not. The time
of a request is taken from its record, which is slightly later, so the outcome is uncertain within a second of a limit.
A user who would have been asked for consent is assumed to agree. A recorded reuse of a code or refresh token is assumed
to end its grant. With --since, a grant can be older than the change. If a redemption or refresh of such a grant covered
all its resource servers, it is assumed to have specified none of them.

With --acr and --max-age, the login that is recorded with each authorization is checked: how the user logged in, and how
long ago. A user who would have had to log in again is assumed to have done so. Early builds did not record logins;
authorizations from these builds are only counted.

With --set requireDpop=true, a token request counts as refused if its access token is bound neither to a key nor to a
certificate. With --set requirePar=true, an authorization counts as refused if it is not recorded as pushed: early
builds accepted no pushed requests, except the builds of 2026-11-22 and 2026-11-23, which did not record them.

With --profile, each request is checked against the rules of the profile, as if its application had that profile: how
the client authenticated, pushed requests, PKCE, redirect URIs, code lifetimes and proofs. Applications that already
have the profile are not affected. A second list shows the parts of registrations that violate the profile. The
algorithms of proofs and of signed requests are not recorded, so they are not checked. If a client could authenticate in
several ways, the method is recorded only if it was an assertion; requests whose method is unknown are counted.

Settings whose effect cannot be predicted from the log are listed with the reason. The exit status is 1 if any request
would have had a different outcome, if the effect of a setting cannot be predicted, if a login or an authentication
method was not recorded, or if a registration violates the profile. Otherwise, it is 0.
`;
