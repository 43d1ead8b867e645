import { InvalidArgumentError, Option, type Command } from 'commander';
import { CLIENT_AUTHENTICATION_METHODS, TLS_SUBJECT_KINDS } from '../domain/client-authentication.ts';
import { unknownClientKeyError } from '../operations/client-keys.ts';
import { callOnce, collectOneOf, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { confirm, withYesOption } from './confirm.ts';
import { printEmptyList } from './empty-lists.ts';
import { CannotRunError } from './exit.ts';
import { escapeControls, formatTable } from './print.ts';
import { readText } from './read-file.ts';

const COLUMNS = ['thumbprint', 'kid', 'kty', 'alg', 'last_used_at'];

export interface AuthenticationOptions {
  readonly authMethod?: readonly string[];
  readonly jwks?: string;
  readonly jwksUri?: string;
  readonly tlsSubject?: TlsSubjectInput;
}

interface TlsSubjectInput {
  readonly kind: string;
  readonly value: string;
}

/** Adds the options of `client add` and `client update` that determine how the client authenticates. */
export function withAuthenticationOptions(command: Command): Command {
  const method = new Option(
    '--auth-method <method>',
    `authentication method: ${CLIENT_AUTHENTICATION_METHODS.join(', ')} (repeatable)`,
  ).argParser(collectOneOf(CLIENT_AUTHENTICATION_METHODS));
  return command
    .addOption(method)
    .addOption(
      new Option(
        '--tls-subject <kind=value>',
        `subject of the client's certificate, for tls_client_auth; kind is one of ${TLS_SUBJECT_KINDS.join(', ')}`,
      ).argParser(parseTlsSubject),
    )
    .option(
      '--jwks <file>',
      'public keys for private_key_jwt or self_signed_tls_client_auth, as a JWK set; - reads standard input',
    )
    .option('--jwks-uri <url>', 'URL where the client publishes its public keys, instead of --jwks');
}

interface AuthenticationInput {
  readonly methods?: readonly string[] | undefined;
  readonly jwks?: string | undefined;
  readonly jwksUri?: string | undefined;
  readonly tls?: TlsSubjectInput | undefined;
}

/** Converts the options to the input of an operation. Reads the JWK set from its file or from standard input. */
export async function readAuthenticationInput(
  { authMethod, jwks, jwksUri, tlsSubject }: AuthenticationOptions,
  context: CliContext,
): Promise<AuthenticationInput> {
  const keys = jwks === undefined ? undefined : await readText(jwks, context);
  return { methods: authMethod, jwks: keys, jwksUri, tls: tlsSubject };
}

function parseTlsSubject(text: string): TlsSubjectInput {
  const separator = text.indexOf('=');
  const [kind, value] = [text.slice(0, separator), text.slice(separator + 1)];
  if (!TLS_SUBJECT_KINDS.some((validKind) => validKind === kind) || value === '')
    throw new InvalidArgumentError(
      `It must be ${TLS_SUBJECT_KINDS.map((validKind) => `${validKind}=VALUE`).join(' or ')}.`,
    );
  return { kind, value };
}

interface KeyOptions {
  readonly add?: string;
  readonly remove?: string;
  readonly yes?: true;
  readonly json?: true;
}

/**
 * Checks that the client has the key.
 * @throws OperationRefused if it does not
 */
async function requireKey(clientId: string, key: string, { call }: CliContext): Promise<void> {
  for await (const item of call('client keys', { clientId })) {
    const { thumbprint, kid } = item as Readonly<Record<'thumbprint' | 'kid', unknown>>;
    if (thumbprint === key || kid === key) return;
  }
  throw unknownClientKeyError(clientId, key);
}

/** Prints the keys that a client has after a change. */
async function printKeys(
  context: CliContext,
  client: Readonly<Record<string, unknown>>,
  options: { readonly json?: true },
): Promise<void> {
  if (options.json) return printOne(context, client, options);
  const { terminal } = context;
  const keys = client['keys'] as readonly Readonly<Record<string, unknown>>[];
  if (keys.length === 0) printEmptyList(terminal, 'client keys', { parent: String(client['client_id']) });
  else await terminal.out(formatTable(terminal, COLUMNS, keys));
}

/** Adds the `client keys` command. */
export function clientKeyCommand(client: Command, context: CliContext): void {
  withYesOption(
    withJsonOption(
      client
        .command('keys')
        .description('list the registered or published keys of a client and their last use, add keys, or remove a key')
        .argument('<client-id>', 'id or unique name of the client'),
    ),
    'optional',
    'with --remove',
  )
    .option('--add <file>', 'add the keys of a JWK set to the existing ones; - reads standard input')
    .option('--remove <key>', 'remove the key with this thumbprint or kid; it no longer authenticates the client')
    .action(async (clientId: string, { yes, ...options }: KeyOptions) => {
      const { add, remove } = options;
      if (add !== undefined && remove !== undefined)
        throw new CannotRunError('--add and --remove cannot be combined; run one after the other');
      if (add !== undefined) {
        const jwks = await readText(add, context);
        await printKeys(context, await callOnce(context, 'client keys add', { clientId, jwks }), options);
      } else if (remove !== undefined) {
        const consequence = async (): Promise<string> => {
          const { name } = await callOnce(context, 'client show', { clientId });
          await requireKey(clientId, remove, context);
          const label = `${escapeControls(String(name))} (${escapeControls(clientId)})`;
          return `the key ${escapeControls(remove)} will no longer authenticate ${label}`;
        };
        await confirm(context.terminal, { yes, consequence, runsInScripts: true });
        await printKeys(context, await callOnce(context, 'client keys remove', { clientId, key: remove }), options);
      } else {
        await printList(context, 'client keys', COLUMNS, options, { clientId });
      }
    });
}
