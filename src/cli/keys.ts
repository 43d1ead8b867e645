import { Argument, Option, type Command } from 'commander';
import type { Config, LoadedConfig } from '../config/config.ts';
import { KEY_NAMES, KEY_LOSS_CONSEQUENCES, type KeyName } from '../platform/keys/keys.ts';
import type { KeyStore } from '../platform/keys/key-store.ts';
import type { PreviousCookieKey } from '../platform/keys/previous-cookie-keys.ts';
import type { Entropy } from '../platform/ports.ts';
import { confirm, withYesOption } from './confirm.ts';
import { commandGroup, withJsonOption } from './context.ts';
import { CannotRunError } from './exit.ts';
import { roundDuration } from '../oauth/refusals/messages.ts';
import { isoTime } from '../operations/iso-time.ts';
import { fitMessage, formatJson } from './print.ts';
import type { Terminal } from './terminal.ts';

export interface KeysDeps {
  readonly terminal: Pick<Terminal, 'out' | 'err' | 'ask' | 'tableWidth'>;
  readonly readSettings: () => LoadedConfig;
  /** Milliseconds since the epoch. */
  readonly now: () => Promise<number>;
  /** Runs `work` on the keys at the configured location, and resolves with a description of that location. */
  readonly changeKeys: (
    config: Config,
    work: (store: RotationStore, entropy: Entropy) => Promise<void>,
  ) => Promise<string>;
}

type RotationStore = Pick<KeyStore, 'rotate' | 'dropPreviousCookieKeys' | 'previousCookieKeys'>;

interface RotateOptions {
  readonly dropPrevious?: boolean;
  readonly acceptLoss?: boolean;
  readonly yes?: true;
  readonly json?: boolean;
}

const HELP = `
cookies  signs cookies and forms. Running nodes use a new key within seconds, and accept all previous keys until you
         run "grantlog keys drop-previous". Use --drop-previous if a previous key may be compromised: within seconds,
         nodes refuse all previous keys. Then ${KEY_LOSS_CONSEQUENCES.cookies}.
refresh  takes effect when a node starts, and needs --accept-loss: ${KEY_LOSS_CONSEQUENCES.refresh}.
         Stop all nodes, run the command, and start all nodes: nodes with different keys refuse each other's
         refresh tokens.
names    is never replaced: the stream names of users and groups are derived from it.
log      signs checkpoints, and is replaced only if it has been lost: see "grantlog log repair --help".
`;

/** Adds the `keys` command group, which replaces the server's keys, wherever they are stored. */
export function keysCommands(program: Command, { terminal, readSettings, now, changeKeys }: KeysDeps): void {
  const print = (text: string): Promise<void> => terminal.out(fitMessage(terminal, text));
  const group = commandGroup(program, 'keys', "replace the server's keys");

  withYesOption(
    withJsonOption(group.command('rotate').description('replace a key with a new one')),
    'required',
    'with --drop-previous',
  )
    .argument('<key>', `one of ${KEY_NAMES.join(', ')}`)
    .addOption(
      new Option('--drop-previous', 'stop accepting previous cookie keys; use this if one of them may be compromised'),
    )
    .addOption(new Option('--accept-loss', 'accept that everything that depends on the old key becomes invalid'))
    .addHelpText('after', HELP)
    .action(async (name: string, { dropPrevious = false, acceptLoss = false, yes, json: asJson }: RotateOptions) => {
      assertKeyName(name);
      if (name === 'names' || name === 'log') throw new CannotRunError(`the ${name} key ${NOT_ROTATED[name]}`);
      if (name === 'refresh' && !acceptLoss)
        throw new CannotRunError(`without the old key, ${KEY_LOSS_CONSEQUENCES.refresh}: add --accept-loss to confirm`);
      if (name === 'cookies' && dropPrevious)
        await confirm(terminal, { yes, consequence: KEY_LOSS_CONSEQUENCES.cookies });
      const { config } = readSettings();
      const seconds = Math.floor((await now()) / 1000);
      let previousKeys: readonly PreviousCookieKey[] = [];
      const place = await changeKeys(config, async (store, entropy) => {
        await store.rotate(name, entropy, { keepPrevious: !dropPrevious, now: seconds });
        previousKeys = await store.previousCookieKeys();
      });
      const count = previousKeys.length;
      if (asJson) {
        const accepted = { previous_accepted: arePreviousKeysKept(name, dropPrevious), accepted_previous_keys: count };
        return terminal.out(formatJson({ key: name, place, ...accepted }));
      }
      await print(
        `Replaced the ${name} key in ${place}.\n${describeEffect(name, dropPrevious, count, config, seconds)}.\n`,
      );
    });

  withYesOption(withJsonOption(group.command('drop-previous').description('stop accepting previous cookie keys')))
    .addArgument(new Argument('[key]', 'only the cookies key has previous keys').choices(['cookies']))
    .action(async (_key: string | undefined, { yes, json: asJson }: { yes?: true; json?: true }) => {
      const { config } = readSettings();
      const { sessionLifetimeSeconds } = config;
      let previousKeys: readonly PreviousCookieKey[] = [];
      const place = await changeKeys(config, async (store) => void (previousKeys = await store.previousCookieKeys()));
      const consequence = describeInvalidation(previousKeys, sessionLifetimeSeconds);
      if (previousKeys.length > 0) await confirm(terminal, { yes, consequence });
      await changeKeys(config, (store) => store.dropPreviousCookieKeys());
      if (asJson) return terminal.out(formatJson({ place, dropped: previousKeys.length }));
      await print(
        previousKeys.length === 0
          ? `${place} has no previous cookie key; nothing changed\n`
          : `${formatPreviousKeys(previousKeys.length)} for cookies in ${place} will be refused within seconds\n`,
      );
    });
}

const formatPreviousKeys = (count: number): string => `the ${count === 1 ? 'previous key' : `${count} previous keys`}`;

/** Describes what becomes invalid when the previous keys are no longer accepted. */
function describeInvalidation(previousKeys: readonly PreviousCookieKey[], lifetimeSeconds: number): string {
  const consequence = `sessions and forms signed with ${formatPreviousKeys(previousKeys.length)} will become invalid`;
  const replacedAt = previousKeys[0]?.replacedAt;
  if (replacedAt === undefined) return consequence;
  const [day, end] = [replacedAt, replacedAt + lifetimeSeconds].map(formatDate);
  return `${consequence}; the newest of these keys was replaced on ${day}, so sessions can depend on it until ${end}`;
}

/** The length of the date in an ISO 8601 time. */
const DATE_LENGTH = 10;

const formatDate = (seconds: number): string => isoTime(seconds).slice(0, DATE_LENGTH);

const arePreviousKeysKept = (name: KeyName, dropPrevious: boolean): boolean => name === 'cookies' && !dropPrevious;

function describeEffect(
  name: KeyName,
  dropPrevious: boolean,
  previousKeyCount: number,
  { sessionLifetimeSeconds }: Config,
  seconds: number,
): string {
  if (name === 'refresh') return 'Restart all nodes now: nodes that are still running use the old key';
  if (dropPrevious) return `Within seconds, ${KEY_LOSS_CONSEQUENCES.cookies}`;
  const [amount, unit] = roundDuration(sessionLifetimeSeconds);
  const duration = `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  return (
    'Within about ten seconds, every node will sign with the new key. Each node accepts ' +
    `${formatPreviousKeys(previousKeyCount)} until you run grantlog keys drop-previous.\nRun it after ${duration} ` +
    `(${formatDate(seconds + sessionLifetimeSeconds)} or later), when no session depends on a previous key`
  );
}

const NOT_ROTATED = {
  names: 'is never replaced: the stream names of users and groups are derived from it',
  log: 'is replaced only if it has been lost, because it proves the history: see grantlog log repair --help',
} as const;

function assertKeyName(name: string): asserts name is KeyName {
  if (!(KEY_NAMES as readonly string[]).includes(name))
    throw new CannotRunError(`there is no key ${name}; the keys are ${KEY_NAMES.join(', ')}`);
}
