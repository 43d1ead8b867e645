import { Option, type Command } from 'commander';
import {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  CLIENT_MODES,
  CLIENT_TYPES,
  REGISTERED_GRANTS,
  RESTRICTED_SCOPES,
  SIGNING_ALGORITHMS,
} from '../domain/values.ts';
import {
  callOnce,
  collect,
  collectOneOf,
  commandGroup,
  printList,
  printSecret,
  withJsonOption,
  readSecret,
  type CliContext,
} from './context.ts';
import {
  readAuthenticationInput,
  clientKeyCommand,
  withAuthenticationOptions,
  type AuthenticationOptions,
} from './client-keys.ts';
import { openIdInput, withOpenIdOptions, withOpenIdRemovals, type OpenIdOptions } from './openid-options.ts';
import { CLIENT_LABELS, printClient } from './client-details.ts';
import { clientListCommand } from './client-list.ts';
import { clientSecretCommand } from './client-secret.ts';
import { clientStatusCommands } from './client-status.ts';
import { clientMemberCommands } from './client-members.ts';
import {
  presentationInput,
  withPresentationOptions,
  withPresentationRemovals,
  type PresentationOptions,
} from './presentation-options.ts';
import { securityInput, withSecurityOptions, withSecurityRemovals, type SecurityOptions } from './security-options.ts';
import { clientTransferCommand } from './access.ts';
import { readLogoFile } from './read-logo-file.ts';
import { CannotRunError } from './exit.ts';
import { printChanges } from './print-changes.ts';
import { escapeControls } from './print.ts';
import { clientFacts } from './removal-facts.ts';
import { removalCommands } from './removals.ts';

const LOGOUT_COLUMNS = ['client_id', 'sid', 'state', 'reason', 'status', 'attempts', 'at'];

interface ClientOptions extends OpenIdOptions, PresentationOptions, AuthenticationOptions, SecurityOptions {
  readonly name?: string;
  readonly grant?: readonly string[];
  readonly redirectUri?: readonly string[];
  readonly builtinCallback?: true;
  readonly allowedOrigin?: readonly string[];
  readonly skipAuthorization?: boolean;
  readonly requireSecondFactor?: boolean;
  /** False removes all restricted scopes. */
  readonly allowScope?: readonly string[] | false;
  readonly accessTokenFormat?: string;
  readonly applicationType?: string;
  /** False allows all types. */
  readonly detailType?: readonly string[] | false;
  readonly accessTokenAlgorithm?: string;
  readonly mode?: string;
  readonly json?: true;
}

interface AddOptions extends ClientOptions {
  readonly name: string;
  readonly type: string;
  readonly owner?: string;
  readonly clientId?: string;
  readonly clientSecretStdin?: true;
}

/** Adds the options that `add` and `update` share. */
function withClientOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        '--application-type <type>',
        "native if the client runs on the user's device; a public native client may use any port on localhost",
      ).choices(APPLICATION_TYPES),
    )
    .option('--detail-type <type>', 'allow only authorization details of this type (repeatable)', collect)
    .option(
      '--redirect-uri <uri>',
      'redirect URI for authorization codes (repeatable); the authorization-code grant needs at least one',
      collect,
    )
    .option('--builtin-callback', "add the server's own callback page, where an owner can try the whole flow")
    .option('--allowed-origin <origin>', 'origin whose scripts may call the token endpoint (repeatable)', collect)
    .addOption(
      new Option(
        '--access-token-format <format>',
        "format of the client's access tokens: opaque, or signed JWTs (RFC 9068)",
      ).choices(ACCESS_TOKEN_FORMATS),
    )
    .addOption(
      new Option(
        '--access-token-algorithm <algorithm>',
        "algorithm that signs the client's JWT access tokens; every resource server can verify RS256",
      ).choices(SIGNING_ALGORITHMS),
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'test: only owners and test users can authorize the client; live: all users can',
      ).choices(CLIENT_MODES),
    )
    .option('--require-second-factor', 'only users who have logged in with a second factor can authorize the client')
    .option('--skip-authorization', 'skip the consent page; only for trusted first-party applications')
    .addOption(
      new Option(
        '--allow-scope <scope>',
        `allow a restricted scope: ${RESTRICTED_SCOPES.join(' or ')} (repeatable)`,
      ).argParser(collectOneOf(RESTRICTED_SCOPES)),
    );
  return withSecurityOptions(withOpenIdOptions(withPresentationOptions(withAuthenticationOptions(command))));
}

/** @throws CannotRunError if the authorization-code grant has neither a redirect URI nor the built-in callback */
function requireRedirectUri({ grant = [], redirectUri, builtinCallback }: AddOptions): void {
  if (grant.includes('authorization-code') && redirectUri === undefined && builtinCallback === undefined)
    throw new CannotRunError('--grant authorization-code also needs --redirect-uri or --builtin-callback');
}

function grantOption(): Option {
  return new Option('--grant <grant>', `grant type: ${REGISTERED_GRANTS.join(', ')} (repeatable)`).argParser(
    collectOneOf(REGISTERED_GRANTS),
  );
}

/** Adds the `client` command group. */
export function clientCommands(program: Command, context: CliContext): void {
  const client = commandGroup(program, 'client', 'client applications');

  withClientOptions(
    withJsonOption(client.command('add').description('register a client and print its secret once'))
      .requiredOption('--name <name>', 'name shown on the consent page')
      .addOption(
        new Option('--type <type>', 'confidential if the client can keep a secret, public if it cannot')
          .choices(CLIENT_TYPES)
          .makeOptionMandatory(),
      )
      .addOption(grantOption().makeOptionMandatory()),
  )
    .option('--owner <name>', 'user who manages the client')
    .option('--client-id <id>', 'use the id that the client has on another server')
    .option(
      '--client-secret-stdin',
      "with --client-id: also use the client's existing secret, read from standard input or entered at a terminal",
    )
    .action(async (options: AddOptions) => {
      requireRedirectUri(options);
      const input = {
        name: options.name,
        clientType: options.type,
        grantTypes: options.grant ?? [],
        applicationType: options.applicationType,
        detailTypes: options.detailType === false ? null : options.detailType,
        redirectUris: options.redirectUri ?? [],
        builtinCallback: options.builtinCallback,
        allowedOrigins: options.allowedOrigin ?? [],
        skipAuthorization: options.skipAuthorization ?? false,
        secondFactorRequired: options.requireSecondFactor ?? false,
        restrictedScopes: options.allowScope || [],
        accessTokenFormat: options.accessTokenFormat,
        accessTokenAlgorithm: options.accessTokenAlgorithm,
        mode: options.mode,
        openid: openIdInput(options),
        presentation: presentationInput(options),
        security: securityInput(options),
        ...(await readAuthenticationInput(options, context)),
        owner: options.owner ?? null,
        credentials: await readImportedCredentials(options),
      };
      const result = await callOnce(context, 'client add', input, { create: true });
      await printSecret(context, result, 'client_secret', options);
    });

  clientListCommand(client, context);

  withJsonOption(
    client.command('show').description('show a client').argument('<client-id>', 'id or unique name of the client'),
  )
    .option('--all', 'at a terminal, also print unset fields')
    .action(async (clientId: string, options: { json?: true; all?: true }) => {
      await printClient(context, await callOnce(context, 'client show', { clientId }), options);
    });

  withJsonOption(
    client
      .command('logouts')
      .description('list the pending logout tokens and the outcomes of the latest deliveries')
      .argument('[client-id]', 'only logout tokens for this client, by id or unique name'),
  ).action((clientId: string | undefined, options: { json?: true }) =>
    printList(context, 'client logouts', LOGOUT_COLUMNS, options, { clientId: clientId ?? null }),
  );

  clientKeyCommand(client, context);

  const update = withClientOptions(
    withJsonOption(
      client
        .command('update')
        .description('update a client, changing only the specified values')
        .argument('<client-id>', 'id or unique name of the client'),
    )
      .option('--name <name>', 'name shown on the consent page')
      .addOption(grantOption()),
  );
  withSecurityRemovals(withOpenIdRemovals(withPresentationRemovals(update)))
    .option('--no-detail-type', 'allow authorization details of any type')
    .option('--no-skip-authorization', 'show the consent page')
    .option('--no-require-second-factor', 'do not require a second factor')
    .option('--no-allow-scope', 'remove all restricted scopes, from existing tokens as well')
    .action(async (clientId: string, options: ClientOptions) => {
      const { name, grant, redirectUri, allowedOrigin, skipAuthorization, allowScope } = options;
      const restrictedScopes = allowScope === false ? [] : allowScope;
      const changes = {
        name,
        grantTypes: grant,
        applicationType: options.applicationType,
        detailTypes: options.detailType === false ? null : options.detailType,
        redirectUris: redirectUri,
        builtinCallback: options.builtinCallback,
        allowedOrigins: allowedOrigin,
        skipAuthorization,
        secondFactorRequired: options.requireSecondFactor,
        restrictedScopes,
        accessTokenFormat: options.accessTokenFormat,
        accessTokenAlgorithm: options.accessTokenAlgorithm,
        mode: options.mode,
        openid: openIdInput(options),
        presentation: presentationInput(options),
        security: securityInput(options),
        ...(await readAuthenticationInput(options, context)),
      };
      if (Object.values(changes).every((change) => change === undefined))
        throw new CannotRunError('nothing to change; see grantlog client update --help');
      const [show, change] = [
        () => callOnce(context, 'client show', { clientId }),
        () => callOnce(context, 'client update', { clientId, changes }),
      ];
      await printChanges(context, { name: clientId, show, change, labels: CLIENT_LABELS }, options);
    });

  withJsonOption(
    client
      .command('logo')
      .description('set the logo that users see, or remove it with --remove')
      .argument('<client-id>', 'id or unique name of the client')
      .argument('[file]', 'a PNG, JPEG or WebP of at most 24 KiB and 1024 x 1024 pixels; its metadata is removed'),
  )
    .option('--remove', 'remove the logo')
    .action(async (clientId: string, file: string | undefined, options: { remove?: true; json?: true }) => {
      if ((file === undefined) === (options.remove === undefined))
        throw new CannotRunError('specify either a file or --remove');
      const image = file === undefined ? null : readLogoFile(file).base64;
      const previousClient = file === undefined ? await callOnce(context, 'client show', { clientId }) : {};
      const result = await callOnce(context, 'client logo', { clientId, image });
      if (options.json) return printClient(context, result, options);
      const id = escapeControls(clientId);
      await context.terminal.out(
        previousClient['logo_media_type'] === null
          ? `${id} has no logo; nothing was removed\n`
          : `the logo of ${id} was ${file === undefined ? 'removed' : 'set'}\n`,
      );
    });

  clientSecretCommand(client, context);
  clientMemberCommands(client, context);
  clientTransferCommand(client, context);
  clientStatusCommands(client, context);

  removalCommands(client, context, {
    group: 'client',
    member: 'clientId',
    argument: '<client-id>',
    argumentDescription: 'id or unique name of the client',
    description: 'remove a client and revoke its tokens',
    consequence: (clientId) => `${clientId} will be removed, and its tokens will be revoked for all users`,
    done: (clientId) => `${clientId} was removed`,
    facts: clientFacts,
    runsInScripts: true,
  });

  async function readImportedCredentials({ clientId, clientSecretStdin, type }: AddOptions) {
    if (clientId === undefined && clientSecretStdin)
      throw new CannotRunError('--client-secret-stdin requires --client-id');
    if (clientId === undefined) return null;
    if (!clientSecretStdin && type === 'confidential')
      throw new CannotRunError('for a confidential client, --client-id requires --client-secret-stdin');
    return { clientId, clientSecret: clientSecretStdin ? await readSecret(context.terminal, 'client secret') : null };
  }
}
