import { settings, SETTING_NAMES } from '../config/settings.ts';
import { MESSAGE_KEYS } from '../language/catalog.ts';
import { isReplaceable } from '../language/custom-texts.ts';
import { isMessage } from '../language/message.ts';
import { openControl } from '../operations/control/client.ts';
import { controlSocketPath } from './operation-target.ts';

interface Listing {
  readonly operation: string;
  /** The member of each listed item that contains its name. */
  readonly member: string;
  /** The member of the input that takes the preceding argument. */
  readonly argument?: string;
}

/** For each kind of name, the operation that lists the names of that kind. */
const LISTINGS = {
  user: { operation: 'user list', member: 'username' },
  client: { operation: 'client list', member: 'client_id' },
  group: { operation: 'group list', member: 'name' },
  scope: { operation: 'scope list', member: 'scope' },
  session: { operation: 'session list', member: 'id' },
  grant: { operation: 'grant list', member: 'id' },
  invitation: { operation: 'invitation list', member: 'id' },
  domain: { operation: 'domain list', member: 'domain' },
  resource: { operation: 'resource list', member: 'uri' },
  provider: { operation: 'provider list', member: 'provider_id' },
  issuer: { operation: 'trusted-issuer list', member: 'issuer' },
  key: { operation: 'key list', member: 'kid' },
  'member-of-group': { operation: 'group show', member: 'username', argument: 'name' },
  'session-of-user': { operation: 'user sessions', member: 'id', argument: 'username' },
  'agent-of-user': { operation: 'user agents', member: 'client_id', argument: 'username' },
  'key-of-client': { operation: 'client keys', member: 'thumbprint', argument: 'clientId' },
} as const satisfies Readonly<Record<string, Listing>>;

/** The functions that list names without contacting a server. */
const LOCAL_NAMES = {
  'brand-text': () => MESSAGE_KEYS.filter(isReplaceable),
  /** The values of the setting that the preceding argument names. */
  value: settingChoices,
} as const satisfies Readonly<Record<string, (precedingArgument: string) => readonly string[]>>;

export type NameKind = keyof typeof LISTINGS | keyof typeof LOCAL_NAMES;

export const NAME_KINDS = [...Object.keys(LISTINGS), ...Object.keys(LOCAL_NAMES)] as readonly NameKind[];

/** The maximum number of names from a server. A longer list would not help the operator. */
const MAX_NAMES = 500;

/** The time limit for the server's greeting, and again for the names. */
const TIMEOUT_MILLISECONDS = 500;

/** Names with other characters are left out, because a shell might interpret these characters. */
const SAFE_NAME = /^[\p{L}\p{M}\p{N}_@.+:/-]+$/u;

/**
 * Lists the names of one kind: at most 500 if a server provides them, without names that a shell might interpret. The
 * server has half a second to respond and another half second to send the names; later names are left out. Never
 * rejects.
 * @param precedingArgument the preceding argument, for kinds that depend on it
 */
export async function listNames(dataDir: string, kind: NameKind, precedingArgument = ''): Promise<readonly string[]> {
  if (hasLocalNames(kind)) return LOCAL_NAMES[kind](precedingArgument);
  const { operation, member, argument }: Listing = LISTINGS[kind];
  const names: string[] = [];
  const channel = await openControl(controlSocketPath(dataDir), TIMEOUT_MILLISECONDS).catch(() => null);
  if (channel === null) return names;
  const timer = setTimeout(channel.close, TIMEOUT_MILLISECONDS);
  try {
    for await (const item of channel.call(operation, argument === undefined ? {} : { [argument]: precedingArgument })) {
      const name = String((item as Readonly<Record<string, unknown>>)[member]);
      if (SAFE_NAME.test(name)) names.push(name);
      if (names.length >= MAX_NAMES) break;
    }
  } catch {
    // The server is slow or cannot list the names. Return the names received so far.
  } finally {
    clearTimeout(timer);
    channel.close();
  }
  return names;
}

function hasLocalNames(kind: NameKind): kind is keyof typeof LOCAL_NAMES {
  return Object.hasOwn(LOCAL_NAMES, kind);
}

function settingChoices(setting: string): readonly string[] {
  const name = SETTING_NAMES.find((settingName) => settingName === setting);
  const expected = name === undefined ? undefined : settings[name].expects;
  if (!isMessage(expected)) return [];
  if (expected.key === 'expects.flag') return ['true', 'false'];
  const choices = expected.key === 'expects.choice' ? expected.values?.['choices'] : undefined;
  return typeof choices === 'string' ? choices.split(', ') : [];
}
