import { Option, type Command } from 'commander';
import { ISSUER_USES, SUBJECT_MAPPINGS } from '../domain/values.ts';
import {
  callOnce,
  collect,
  collectOneOf,
  commandGroup,
  printList,
  printOne,
  withJsonOption,
  type CliContext,
} from './context.ts';
import { ONE_OF_TWO } from './command-help.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { withClientIds } from './client-ids.ts';
import { CannotRunError } from './exit.ts';
import { escapeControls } from './print.ts';
import { issuerFacts } from './removal-facts.ts';
import { removalCommands } from './removals.ts';
import { readText } from './read-file.ts';
import { parseDuration } from './time-arguments.ts';

const KEY_COLUMNS = ['thumbprint', 'kid', 'kty', 'alg'];
const COLUMNS = ['issuer', 'uses', 'mapping', 'clients', 'scope', 'resources'];

interface SetOptions {
  readonly jwks?: string;
  readonly jwksUri?: string;
  readonly audience?: readonly string[];
  readonly use: readonly string[];
  readonly claim?: readonly string[];
  readonly map: string;
  readonly nameClaim?: string;
  readonly user?: readonly string[];
  readonly client: readonly string[];
  readonly scope: readonly string[];
  readonly resource?: readonly string[];
  readonly tokenLifetime: number;
  readonly assertionAge: number;
  readonly json?: true;
}

function withIssuer(command: Command): Command {
  return withJsonOption(command.argument('<issuer>', 'the issuer, exactly as in the iss claim of its tokens'));
}

const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description} (repeatable)`).argParser(collect);

function withSetOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--use <use>', `what its tokens are accepted as: ${ISSUER_USES.join(', ')} (repeatable)`)
        .argParser(collectOneOf(ISSUER_USES))
        .makeOptionMandatory(),
    )
    .option('--jwks <file>', `its public keys, as a JWK set; - reads standard input ${ONE_OF_TWO}`)
    .option('--jwks-uri <url>', `URL where it publishes its public keys, instead of --jwks ${ONE_OF_TWO}`)
    .addOption(
      repeatable(
        '--client <id>',
        'an application that may present its tokens, by id or name; "ID NAME=VALUE" requires a claim',
      ).makeOptionMandatory(),
    )
    .addOption(
      repeatable(
        '--scope <name>',
        'a scope that tokens issued in exchange for its tokens may have',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--map <how>', `how the subject identifies a user: ${SUBJECT_MAPPINGS.join(', ')}`)
        .choices(SUBJECT_MAPPINGS)
        .makeOptionMandatory(),
    )
    .option('--name-claim <claim>', 'the claim with the user name, for --map user-name (default: sub)')
    .addOption(repeatable('--user <subject=name>', 'a subject and the user that it identifies, for --map table'))
    .addOption(
      repeatable('--claim <name=value>', 'a claim that all its tokens must have; use /a/b for member b of claim a'),
    )
    .addOption(repeatable('--audience <text>', 'an accepted audience (default: this server)'))
    .addOption(repeatable('--resource <uri>', 'a resource server that tokens may be issued for (default: any)'))
    .addOption(
      new Option('--token-lifetime <duration>', 'maximum lifetime of tokens issued in exchange for its tokens')
        .argParser(parseDuration)
        .default(3_600, '1h'),
    )
    .addOption(
      new Option('--assertion-age <duration>', 'maximum age and maximum lifetime of its tokens')
        .argParser(parseDuration)
        .default(600, '10m'),
    );
}

/** Warns if the keys cannot be read. The issuer may publish them later, so the command does not fail. */
async function warnAboutKeys(issuer: string, { call, terminal }: CliContext): Promise<void> {
  try {
    let keyCount = 0;
    for await (const key of call('trusted-issuer keys', { issuer })) if (key !== undefined) keyCount += 1;
    if (keyCount === 0) throw new OperationRefused('the issuer publishes no keys');
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    const command = `grantlog trusted-issuer keys ${issuer}`;
    const advice = `until its keys can be read, its tokens are refused; to try again, run ${command}`;
    terminal.err(`grantlog: warning: ${escapeControls(`${error.message}; ${advice}`)}\n`);
  }
}

/** Adds the commands that manage other servers whose JWTs are accepted (RFC 7523, RFC 8693). */
export function trustedIssuerCommands(program: Command, context: CliContext): void {
  const issuers = commandGroup(
    program,
    'trusted-issuer',
    'other servers whose tokens are accepted here: identity providers, clusters, CI systems',
  );

  withSetOptions(
    withIssuer(
      issuers.command('set').description('trust an issuer, or replace its settings; this takes effect immediately'),
    ),
  ).action(async (issuer: string, options: SetOptions) => {
    const { jwks, jwksUri, audience = [], claim = [], nameClaim = '', user = [], resource } = options;
    if ((jwks === undefined) === (jwksUri === undefined))
      throw new CannotRunError('specify exactly one of --jwks and --jwks-uri; see grantlog trusted-issuer set --help');
    const input = {
      issuer,
      jwks: jwks === undefined ? null : await readText(jwks, context),
      keysUri: jwksUri ?? null,
      audience,
      uses: options.use,
      claims: claim,
      mapping: options.map,
      nameClaim,
      users: user,
      clients: await withClientIds(options.client, context),
      scope: options.scope,
      resources: resource ?? null,
      maxTokenLifetimeSeconds: options.tokenLifetime,
      maxAssertionAgeSeconds: options.assertionAge,
    };
    await printOne(context, await callOnce(context, 'trusted-issuer set', input), options);
    if (jwksUri !== undefined) await warnAboutKeys(issuer, context);
  });

  withJsonOption(issuers.command('list').description('list the trusted issuers')).action((options: { json?: true }) =>
    printList(context, 'trusted-issuer list', COLUMNS, options),
  );

  withIssuer(issuers.command('show').description('show the settings of a trusted issuer')).action(
    async (issuer: string, options: { json?: true }) => {
      await printOne(context, await callOnce(context, 'trusted-issuer show', { issuer }), options);
    },
  );

  withIssuer(issuers.command('keys').description('list the keys of a trusted issuer, as it publishes them')).action(
    (issuer: string, options: { json?: true }) =>
      printList(context, 'trusted-issuer keys', KEY_COLUMNS, options, { issuer }),
  );

  removalCommands(issuers, context, {
    group: 'trusted-issuer',
    member: 'issuer',
    argument: '<issuer>',
    argumentDescription: 'the issuer, exactly as in the iss claim of its tokens',
    description: 'stop accepting tokens from an issuer, and revoke all access that was granted for them',
    consequence: (issuer) => `all access that was granted for tokens from ${issuer} will be revoked`,
    done: (issuer) => `${issuer} is no longer trusted`,
    facts: issuerFacts,
  });
}
