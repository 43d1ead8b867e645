import { escapeControls } from './print.ts';
import type { Terminal } from './terminal.ts';

/** The sentence that replaces an empty table, by operation. */
const SENTENCES = {
  'user list': 'No users.',
  'user sessions': 'No open sessions.',
  'user agents': 'No agent acts for this user.',
  'session list': 'No open sessions.',
  'grant list': 'No grants.',
  'invitation list': 'No pending invitations.',
  'group list': 'No groups.',
  'group show': 'No members.',
  'domain list': 'No domains.',
  'setting list': 'No settings.',
  'setting history': 'No changes.',
  'scope list': 'No scopes.',
  'client list': 'No clients.',
  'client members': 'No users.',
  'client keys': 'No public keys.',
  'client logouts': 'No logout tokens.',
  'resource list': 'No resource servers.',
  'exchange-policy list': 'No policies.',
  'trusted-issuer list': 'No trusted issuers.',
  'trusted-issuer keys': 'The issuer publishes no keys.',
  'provider list': 'No providers.',
  'provider test': 'No checks.',
  'key list': 'No keys.',
  'log tail': 'No events.',
  'log as-of': 'Nobody had access.',
  'log blast-radius': 'Nothing valid came from the source.',
  'brand texts': 'No texts.',
  'brand-text list': 'No custom texts.',
} as const satisfies Readonly<Record<string, string>>;

export type ListOperation = keyof typeof SENTENCES;

/** The command that adds the first item, by operation. */
const FIRST_ITEM_COMMANDS: Readonly<Partial<Record<ListOperation, string>>> = {
  'user list': 'grantlog user add NAME --admin',
  'invitation list': 'grantlog user invite ADDRESS',
  'group list': 'grantlog group add NAME',
  'group show': 'grantlog group add-user NAME USER',
  'client list': 'grantlog client add --help',
  'resource list': 'grantlog resource add --help',
  'exchange-policy list': 'grantlog exchange-policy set --help',
  'trusted-issuer list': 'grantlog trusted-issuer set --help',
  'provider list': 'grantlog provider set --help',
  'domain list': 'grantlog domain allow DOMAIN',
  'client keys': 'grantlog client keys NAME --add FILE',
  'brand-text list': 'grantlog brand-text set KEY TEXT',
};

/**
 * Reports an empty list on standard error, so that programs that read standard output get no lines.
 * @param isNarrowed whether filters narrow the list
 * @param parent the name or client id of the object whose items are listed
 */
export function printEmptyList(
  { err }: Pick<Terminal, 'err'>,
  operation: ListOperation,
  { isNarrowed = false, parent }: { readonly isNarrowed?: boolean; readonly parent?: string | undefined } = {},
): void {
  const command =
    parent === undefined
      ? FIRST_ITEM_COMMANDS[operation]
      : FIRST_ITEM_COMMANDS[operation]?.replace('NAME', () => escapeControls(parent));
  if (isNarrowed) err(`${SENTENCES[operation].replace(/\.$/, ' match.')}\n`);
  else err(`${SENTENCES[operation]}${command === undefined ? '' : ` To add one: ${command}`}\n`);
}
