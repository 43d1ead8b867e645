import { z } from 'zod';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { isResourceUri } from '../domain/resource.ts';
import { isPostgresUrl, POSTGRES_URL_FORM } from '../platform/postgres/connection-url.ts';
import { isIssuer, isLoginUrl, isPrivateUseScheme } from './addresses.ts';
import { brandSettings } from './brand-settings.ts';
import { clientSettings } from './client-settings.ts';
import { isKeysSecret } from './keys-secret.ts';
import { mailSettings } from './mail-settings.ts';
import { outgoingSettings } from './outgoing-settings.ts';
import { registrationSettings } from './registration-settings.ts';
import { scopeSettings } from './scope-settings.ts';
import { securitySettings } from './security-settings.ts';
import { tlsSettings } from './tls-settings.ts';
import { choice, flag, runTime, seconds, setting, TEN_YEARS_IN_SECONDS, wholeNumber } from './setting.ts';

/**
 * The table of settings. The type of the configuration, the names of environment variables, the messages about invalid
 * values and the output of `grantlog config` derive from it.
 */

export const settings = {
  host: setting({
    schema: z.string().regex(/^[\w.:-]+$/),
    default: '127.0.0.1',
    expects: 'a host name or an IP address',
    description: 'The address to listen on.',
  }),
  port: wholeNumber(0, 65_535, 8000, 'The port to listen on; 0 picks a free port and logs it.'),
  dataDir: setting({
    schema: z.string().min(1),
    default: './data',
    expects: 'the path of a directory',
    description: 'The directory of the log, the snapshots and the keys; created if it does not exist.',
  }),
  log: setting({
    schema: z.string().refine(isPostgresUrl).nullable(),
    default: null,
    expects: `a PostgreSQL URL: ${POSTGRES_URL_FORM}`,
    description:
      'The PostgreSQL database of the log, for several nodes. Without it, the log is in dataDir, for one process. Of ' +
      'several hosts, the first primary is used.',
    secret: true,
  }),
  archive: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'the path of a directory',
    description:
      'The archive of a log in PostgreSQL: a directory that all nodes share. Without it, such a log cannot be ' +
      'archived. A log in dataDir has its archive there.',
  }),
  keys: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'the path of a directory, or the word database',
    description:
      'Where the keys are stored: a directory, which several nodes can share, or the word database for the database ' +
      'of the log. If not set, the directory keys in dataDir.',
  }),
  keysSecret: setting({
    schema: z.string().refine(isKeysSecret).nullable(),
    default: null,
    expects: '32 random bytes as 64 hexadecimal digits or in base64url, or several of them separated by commas',
    description:
      'Encrypts keys that are stored in a database; not needed otherwise. Of several secrets, the first encrypts and ' +
      'all decrypt, so that a secret can be replaced.',
    secret: true,
  }),
  keysBackupDays: setting({
    schema: z.int().min(1).max(3_650).nullable(),
    default: null,
    expects: 'null, or a whole number from 1 to 3650',
    description:
      'How many days you keep backups and write-ahead logs of a database with keys. The pages that erase an account ' +
      'state it.',
  }),
  issuer: setting({
    schema: z
      .string()
      .refine(isIssuer)
      .transform((text) => new URL(text).href.replace(/\/+$/, ''))
      .nullable(),
    default: null,
    expects: 'an http or https URL without query, fragment or user name',
    description: 'The public base address; never derived from a request. http://localhost:PORT if not set.',
  }),
  adminUsername: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'a user name',
    description: 'Creates the first administrator if there is none; needs adminPassword as well.',
  }),
  adminPassword: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'a password',
    description: "The first administrator's password.",
    secret: true,
  }),
  ...clientSettings,
  ...scopeSettings,
  resources: runTime(
    setting({
      schema: z.array(z.string().max(MAX_LENGTH.resourceUri).refine(isResourceUri)).max(100).readonly(),
      default: [],
      expects:
        'a list of absolute URIs without a fragment, each of at most 256 characters, in JSON: ["https://api.example/"]',
      description:
        'The resource servers that a token can be restricted to (RFC 8707), besides the issuer, ' +
        'which stands for the APIs of this server.',
    }),
  ),
  resourceRegistration: runTime(
    choice(
      ['administrators', 'developers'],
      'administrators',
      'Who can register resource servers on the page: administrators, or every user. Owners manage theirs anyway. ' +
        'Whoever registers a resource server writes what the consent page says about its scopes.',
    ),
  ),
  accessTokenLifetimeSeconds: runTime(seconds(1, TEN_YEARS_IN_SECONDS, 36_000, 'How long an access token is valid.')),
  signingKeyPeriodDays: wholeNumber(
    1,
    3_650,
    90,
    'How many days a key signs tokens. The next one is published a week before, or half of that time.',
  ),
  authorizationCodeLifetimeSeconds: runTime(seconds(1, 3600, 60, 'How long an authorization code can be redeemed.')),
  refreshTokenLifetimeSeconds: runTime(
    setting({
      schema: z.int().min(1).max(TEN_YEARS_IN_SECONDS).nullable(),
      default: null,
      expects: `null, or a whole number of seconds from 1 to ${TEN_YEARS_IN_SECONDS}`,
      description: 'How long a refresh token is valid; null: until it is used or revoked.',
      unit: 'seconds',
    }),
  ),
  refreshReuseWindowSeconds: runTime(
    seconds(
      0,
      3600,
      30,
      'How long a refresh token presented again gets the same response, for clients that lost it, and how long the ' +
        'access token before a refresh stays valid; 0: not at all.',
    ),
  ),
  loginUrl: setting({
    schema: z.string().refine(isLoginUrl),
    default: '/accounts/login/',
    expects: 'a path that begins with one slash, or an http or https URL',
    description: 'Where the authorization endpoint sends a user who is not logged in.',
  }),
  jsonTokenRequests: flag(false, 'Whether token requests may be JSON as well as forms.'),
  approvalPrompt: runTime(
    choice(['force', 'auto'], 'force', 'Whether to ask for consent again when an earlier grant covers the request.'),
  ),
  requirePkce: runTime(
    setting({
      schema: z.union([
        z.enum(['all', 'public', 'none']),
        z.boolean().transform((all) => (all ? ('all' as const) : ('none' as const))),
      ]),
      default: 'public',
      expects: 'one of all, public, none',
      description: 'Which clients must send a PKCE challenge (RFC 7636).',
    }),
  ),
  requirePar: runTime(
    flag(false, 'Whether every authorization request must be pushed (RFC 9126), whatever the client.'),
  ),
  pkceMethods: runTime(
    setting({
      schema: z
        .array(z.enum(['S256', 'plain']))
        .min(1)
        .readonly(),
      default: ['S256'],
      expects: 'a list of S256, plain or both, in JSON: ["S256"]',
      description: 'The PKCE challenge methods that the server accepts.',
    }),
  ),
  plainHttpRedirectUris: runTime(flag(false, 'Whether redirect URIs may use http on hosts other than loopback.')),
  redirectUriSchemes: runTime(
    setting({
      schema: z.array(z.string().refine(isPrivateUseScheme)).readonly(),
      default: [],
      expects: 'a list of private-use URI schemes in lower case, without the colon, in JSON: ["myapp"]',
      description:
        'Schemes without a dot that public clients may redirect to; com.example.app and the like need no entry.',
    }),
  ),
  requireSecondFactor: runTime(
    choice(
      ['none', 'roles', 'all'],
      'none',
      'Who must log in with a second factor besides the password, or with a passkey: nobody, administrators and ' +
        'auditors, or all users. Users without one set it up at their next login.',
    ),
  ),
  ...brandSettings,
  signup: runTime(choice(['closed', 'open'], 'closed', 'Whether anybody may create an account.')),
  sampleApi: setting({
    ...flag(
      true,
      'Whether the sample API (/users/, /groups/) is served. It shows the user name, names and e-mail address of ' +
        'every user to every application with a token of the read scope. On in the sample configuration; ' +
        'off once a configuration file is named or another program embeds the server.',
    ),
    defaultWhenConfigured: false,
  }),
  bodyLimitBytes: setting({
    schema: z.int().min(1024).max(16_777_216),
    default: 65_536,
    expects: 'a whole number of bytes from 1024 to 16777216',
    description: 'The largest request body that the server reads.',
    unit: 'bytes',
  }),
  minFreeDiskBytes: setting({
    schema: z.int().min(1_048_576).max(1_099_511_627_776),
    default: 67_108_864,
    expects: 'a whole number of bytes from 1048576 to 1099511627776',
    description:
      'Requests that record something are refused while the disk of dataDir has less free space, besides a reserve ' +
      'of 16 MiB.',
    unit: 'bytes',
  }),
  tokensPerMinutePerClient: runTime(
    wholeNumber(
      1,
      1_000_000_000,
      6_000,
      'The number of tokens that a confidential client, or each user of a public client, may get per minute; ' +
        'more requests are refused with 429.',
    ),
  ),
  trustedProxies: wholeNumber(
    0,
    10,
    0,
    'The number of your proxies in front of the server. It trusts that many entries at the end of X-Forwarded-For.',
  ),
  sessionLifetimeSeconds: runTime(
    seconds(60, TEN_YEARS_IN_SECONDS, 1_209_600, 'How long a session on the pages lasts.'),
  ),
  introspectionOwnTokensOnly: runTime(flag(false, 'Whether a client may introspect only its own tokens.')),
  snapshotEvents: setting({
    schema: z.int().min(1).max(1_000_000_000),
    default: 100_000,
    expects: 'a whole number from 1 to 1000000000',
    description:
      'The number of events after which the projections are written to a snapshot, from which a start continues.',
  }),
  maxStalenessSeconds: wholeNumber(
    1,
    60,
    5,
    'The number of seconds after which a node without contact to its shared log refuses requests. Until then, it ' +
      'accepts access tokens that were revoked on other nodes.',
  ),
  ...registrationSettings,
  ...securitySettings,
  ...tlsSettings,
  ...outgoingSettings,
  ...mailSettings,
  logLevel: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'The lowest level that is logged; info logs a line for each request, warn does not.',
  ),
} as const;

export type SettingName = keyof typeof settings;
export type SettingInputs = { readonly [Name in SettingName]?: z.input<(typeof settings)[Name]['schema']> };
export type SettingValues = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };

/** A setting that can change while the server runs. */
export type RunTimeSettingName = {
  [Name in SettingName]: (typeof settings)[Name] extends { readonly atRunTime: true } ? Name : never;
}[SettingName];

export const SETTING_NAMES = Object.keys(settings) as readonly SettingName[];

/** Variables without the prefix, because container platforms set them, too. */
const UNPREFIXED: readonly SettingName[] = ['host', 'port', 'dataDir', 'issuer'];

function upperSnake(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();
}

/** The name of a setting's environment variable. */
export function environmentName(name: SettingName): string {
  return UNPREFIXED.includes(name) ? upperSnake(name) : `GRANTLOG_${upperSnake(name)}`;
}

/** The spellings that a file can use: dataDir, DATA_DIR; readScope, READ_SCOPE, GRANTLOG_READ_SCOPE. */
export function fileSpellings(name: SettingName): readonly string[] {
  return [...new Set([name, upperSnake(name), environmentName(name)])];
}
