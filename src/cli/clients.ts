import { Option, type Command } from 'commander';
import { ACCESS_TOKEN_FORMATS, CLIENT_TYPES, REGISTERED_GRANTS, RESTRICTED_SCOPES } from '../domain/values.ts';
import {
  callOnce,
  collect,
  collectOneOf,
  commandGroup,
  printList,
  printOne,
  withJsonOption,
  readSecret,
  type CliContext,
} from './context.ts';
import { parseDuration } from './duration.ts';
import { CannotRun } from './exit.ts';
import { escapeControls } from './print.ts';

const COLUMNS = ['client_id', 'name', 'client_type', 'grant_types', 'owner'];

interface ClientOptions {
  readonly name?: string;
  readonly grant?: readonly string[];
  readonly redirectUri?: readonly string[];
  readonly allowedOrigin?: readonly string[];
  readonly skipAuthorization?: boolean;
  /** False: none any more. */
  readonly allowScope?: readonly string[] | false;
  readonly accessTokenFormat?: string;
  readonly json?: true;
}

interface AddOptions extends ClientOptions {
  readonly name: string;
  readonly type: string;
  readonly owner?: string;
  readonly clientId?: string;
  readonly clientSecretStdin?: true;
}

/** The options that `add` and `update` share. */
function withClientOptions(command: Command): Command {
  return command
    .option('--redirect-uri <uri>', 'where codes may be sent (may repeat)', collect)
    .option('--allowed-origin <origin>', 'origin whose scripts may call the token endpoint (may repeat)', collect)
    .addOption(
      new Option(
        '--access-token-format <format>',
        'what its access tokens are: random, or signed and readable (RFC 9068)',
      ).choices(ACCESS_TOKEN_FORMATS),
    )
    .option('--skip-authorization', 'do not ask for consent: for applications of the house')
    .addOption(
      new Option('--allow-scope <scope>', `let it hold ${RESTRICTED_SCOPES.join(' or ')} (may repeat)`).argParser(
        collectOneOf(RESTRICTED_SCOPES),
      ),
    );
}

function grantOption(): Option {
  return new Option('--grant <grant>', `${REGISTERED_GRANTS.join(', ')} (may repeat)`).argParser(
    collectOneOf(REGISTERED_GRANTS),
  );
}

export function clientCommands(program: Command, bench: CliContext): void {
  const client = commandGroup(program, 'client', 'client applications');

  withClientOptions(
    withJsonOption(client.command('add').description('register a client; its secret is printed this once'))
      .requiredOption('--name <name>', 'what people see when they are asked to authorize it')
      .addOption(
        new Option('--type <type>', 'whether it can keep a secret').choices(CLIENT_TYPES).makeOptionMandatory(),
      )
      .addOption(grantOption().makeOptionMandatory()),
  )
    .option('--owner <name>', 'the user who manages it')
    .option('--client-id <id>', 'keep the id it has on another server')
    .option('--client-secret-stdin', 'keep the secret it has there, read from standard input (a terminal is prompted)')
    .action(async (options: AddOptions) => {
      const input = {
        name: options.name,
        clientType: options.type,
        grantTypes: options.grant ?? [],
        redirectUris: options.redirectUri ?? [],
        allowedOrigins: options.allowedOrigin ?? [],
        skipAuthorization: options.skipAuthorization ?? false,
        restrictedScopes: options.allowScope || [],
        accessTokenFormat: options.accessTokenFormat,
        owner: options.owner ?? null,
        brought: await broughtCredentials(options),
      };
      await printOne(bench, await callOnce(bench, 'client add', input, { create: true }), options);
    });

  withJsonOption(client.command('list').description('list the clients')).action((options: { json?: true }) =>
    printList(bench, 'client list', COLUMNS, options),
  );

  withJsonOption(
    client.command('show').description('show a client').argument('<client-id>', 'id of the client'),
  ).action(async (clientId: string, options: { json?: true }) => {
    await printOne(bench, await callOnce(bench, 'client show', { clientId }), options);
  });

  withClientOptions(
    withJsonOption(
      client
        .command('update')
        .description('change a client; what is not named stays')
        .argument('<client-id>', 'id of the client'),
    )
      .option('--name <name>', 'what people see when they are asked to authorize it')
      .addOption(grantOption()),
  )
    .option('--no-skip-authorization', 'ask for consent')
    .option('--no-allow-scope', 'take its restricted scopes away, from its live tokens as well')
    .action(async (clientId: string, options: ClientOptions) => {
      const { name, grant, redirectUri, allowedOrigin, skipAuthorization, allowScope, accessTokenFormat } = options;
      const restrictedScopes = allowScope === false ? [] : allowScope;
      const changes = {
        name,
        grantTypes: grant,
        redirectUris: redirectUri,
        allowedOrigins: allowedOrigin,
        skipAuthorization,
        restrictedScopes,
        accessTokenFormat,
      };
      if (Object.values(changes).every((change) => change === undefined))
        throw new CannotRun('name what to change; see --help');
      await printOne(bench, await callOnce(bench, 'client update', { clientId, changes }), options);
    });

  withJsonOption(
    client
      .command('rotate-secret')
      .description('give a client a new secret, printed this once')
      .argument('<client-id>', 'id of the client'),
  )
    .addOption(
      new Option(
        '--overlap <duration>',
        'how long the old secret still works: seconds, or such as 90m, 36h, 7d; at most 30d; one before it ends at once',
      )
        .argParser(parseDuration)
        .default(0, 'it is dead at once'),
    )
    .action(async (clientId: string, { overlap, ...options }: { overlap: number; json?: true }) => {
      await printOne(
        bench,
        await callOnce(bench, 'client rotate-secret', { clientId, overlapSeconds: overlap }),
        options,
      );
    });

  withJsonOption(
    client
      .command('remove')
      .description('remove a client and end all its tokens')
      .argument('<client-id>', 'id of the client'),
  ).action(async (clientId: string, options: { json?: true }) => {
    const removed = await callOnce(bench, 'client remove', { clientId });
    if (options.json) await printOne(bench, removed, options);
    else await bench.terminal.out(`${escapeControls(clientId)} is removed\n`);
  });

  async function broughtCredentials({ clientId, clientSecretStdin, type }: AddOptions) {
    if (clientId === undefined && clientSecretStdin) throw new CannotRun('--client-secret-stdin needs --client-id');
    if (clientId === undefined) return null;
    if (!clientSecretStdin && type === 'confidential')
      throw new CannotRun('--client-id of a confidential client needs --client-secret-stdin');
    return { clientId, clientSecret: clientSecretStdin ? await readSecret(bench.terminal, 'client secret') : null };
  }
}
