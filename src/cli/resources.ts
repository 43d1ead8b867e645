import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ResourceRow } from '../operations/resources.ts';
import { ACCESS_TOKEN_FORMATS, SIGNING_ALGORITHMS } from '../domain/values.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { orNull } from './client-option-groups.ts';
import { CannotRunError } from './exit.ts';
import { printChanges } from './print-changes.ts';
import { resourceFacts } from './removal-facts.ts';
import { removalCommands } from './removals.ts';
import { readText } from './read-file.ts';
import { parseDuration } from './time-arguments.ts';

const COLUMNS = ['uri', 'name', 'source', 'owner', 'access_token_format', 'metadata_url'];

interface DefinedScope {
  readonly name: string;
  readonly description: string;
}

/** False removes a value. Without the option, an update keeps it. */
interface ResourceOptions {
  readonly name?: string;
  readonly owner?: string | false;
  readonly scope?: readonly DefinedScope[] | false;
  readonly accessTokenFormat?: string | false;
  readonly accessTokenAlgorithm?: string | false;
  readonly accessTokenLifetime?: number | false;
  readonly publishMetadata?: boolean;
  /** The path of the file that contains the types. */
  readonly detailTypes?: string | false;
  readonly introspectionClient?: string | false;
  readonly json?: true;
}

/** Parses a repeatable NAME=DESCRIPTION option. A server scope needs no description. */
function collectScope(value: string, previousScopes: readonly DefinedScope[] | undefined): readonly DefinedScope[] {
  const [, name, description = ''] = /^([^=]+)(?:=(.+))?$/s.exec(value) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError('It must be NAME=DESCRIPTION, such as files:read="Read your files".');
  return [...(previousScopes ?? []), { name, description }];
}

/** Adds the options that `add` and `update` share. */
function withResourceOptions(command: Command): Command {
  return command
    .option('--owner <name>', 'user who manages it')
    .addOption(
      new Option(
        '--scope <name=description>',
        'a scope that it defines, with the description for users (repeatable); its tokens have no other scopes',
      ).argParser(collectScope),
    )
    .addOption(
      new Option('--access-token-format <format>', 'format of its access tokens, for all clients').choices(
        ACCESS_TOKEN_FORMATS,
      ),
    )
    .addOption(
      new Option('--access-token-algorithm <algorithm>', 'algorithm that signs its JWT access tokens').choices(
        SIGNING_ALGORITHMS,
      ),
    )
    .addOption(
      new Option(
        '--access-token-lifetime <duration>',
        'lifetime of its access tokens, at most the lifetime of other tokens (e.g. 300, 10m)',
      ).argParser(parseDuration),
    )
    .option('--publish-metadata', 'serve its metadata (RFC 9728), for clients that contact it first')
    .option(
      '--detail-types <file>',
      'a JSON array of the types of authorization details that it declares (RFC 9396), each with the members type, ' +
        'schema (JSON Schema) and sentence (for users); - for standard input',
    )
    .option(
      '--introspection-client <id>',
      'the client that it introspects with; only this client sees details of its types, and no details of other types',
    );
}

async function toFields(options: ResourceOptions, context: CliContext) {
  const { detailTypes } = options;
  return {
    name: options.name,
    owner: orNull(options.owner),
    scopes: options.scope === false ? [] : options.scope,
    accessTokenFormat: orNull(options.accessTokenFormat),
    accessTokenAlgorithm: orNull(options.accessTokenAlgorithm),
    accessTokenLifetimeSeconds: orNull(options.accessTokenLifetime),
    publishesMetadata: options.publishMetadata,
    detailTypes:
      typeof detailTypes === 'string' ? await readText(detailTypes, context) : detailTypes === false ? '' : undefined,
    introspectionClient: orNull(options.introspectionClient),
  };
}

type Row = Readonly<Record<string, unknown>>;

const printResource = (context: CliContext, row: Row, options: { readonly json?: true }): Promise<void> =>
  printOne(context, withReadableMembers(row, options), options);

/** Without `--json`, replaces the scopes and the types of authorization details with short strings. */
function withReadableMembers(row: Row, { json }: { readonly json?: true }): Row {
  if (json) return row;
  const { scopes, detail_types: types } = row as unknown as ResourceRow;
  return {
    ...row,
    scopes:
      scopes.map(({ name, description }) => (description === '' ? name : `${name} (${description})`)).join(', ') ||
      null,
    detail_types: types.map(({ type }) => type).join(', ') || null,
  };
}

/** Adds the `resource` command group. */
export function resourceCommands(program: Command, context: CliContext): void {
  const resource = commandGroup(program, 'resource', 'resource servers: APIs that tokens can be restricted to');

  withResourceOptions(
    withJsonOption(resource.command('add').description('register a resource server; it takes effect immediately'))
      .argument('<uri>', 'the URI that clients send as resource, and the audience of its tokens')
      .requiredOption('--name <name>', 'name shown on the consent page'),
  ).action(async (uri: string, options: ResourceOptions) => {
    const fields = await toFields(options, context);
    const input = {
      uri,
      name: fields.name,
      owner: fields.owner ?? null,
      scopes: fields.scopes ?? [],
      accessTokenFormat: fields.accessTokenFormat ?? null,
      accessTokenAlgorithm: fields.accessTokenAlgorithm ?? null,
      accessTokenLifetimeSeconds: fields.accessTokenLifetimeSeconds ?? null,
      publishesMetadata: fields.publishesMetadata ?? false,
      detailTypes: fields.detailTypes ?? '',
      introspectionClient: fields.introspectionClient ?? null,
    };
    await printResource(context, await callOnce(context, 'resource add', input, { create: true }), options);
  });

  withJsonOption(
    resource.command('list').description('list the resource servers in the log and in the settings'),
  ).action((options: { json?: true }) => printList(context, 'resource list', COLUMNS, options));

  withJsonOption(
    resource.command('show').description('show a resource server').argument('<uri>', 'URI of the resource server'),
  ).action(async (uri: string, options: { json?: true }) => {
    await printResource(context, await callOnce(context, 'resource show', { uri }), options);
  });

  withResourceOptions(
    withJsonOption(
      resource
        .command('update')
        .description('update a resource server, changing only the specified values')
        .argument('<uri>', 'URI of the resource server'),
    ).option('--name <name>', 'name shown on the consent page'),
  )
    .option('--no-owner', 'let only administrators manage it')
    .option('--no-scope', 'let it define no scopes, so that its tokens have all granted scopes')
    .option('--no-access-token-format', "use the client's format")
    .option('--no-access-token-algorithm', "use the client's algorithm")
    .option('--no-access-token-lifetime', "use the server's lifetime")
    .option('--no-publish-metadata', 'do not serve its metadata')
    .option('--no-detail-types', 'let it declare no types of authorization details')
    .option('--no-introspection-client', 'show details of its types to every client that may introspect')
    .action(async (uri: string, options: ResourceOptions) => {
      const changes = await toFields(options, context);
      if (Object.values(changes).every((change) => change === undefined))
        throw new CannotRunError('nothing to change; see grantlog resource update --help');
      const [show, change] = [
        async () => withReadableMembers(await callOnce(context, 'resource show', { uri }), options),
        async () => withReadableMembers(await callOnce(context, 'resource update', { uri, changes }), options),
      ];
      await printChanges(context, { name: uri, show, change }, options);
    });

  removalCommands(resource, context, {
    group: 'resource',
    member: 'uri',
    argument: '<uri>',
    argumentDescription: 'URI of the resource server',
    description: 'remove a resource server, and invalidate tokens that are only for it',
    consequence: (uri) => `${uri} and its scopes will be removed, and tokens that are only for it will become invalid`,
    done: (uri) => `${uri} was removed`,
    facts: resourceFacts,
  });
}
