import { z } from 'zod';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { isResourceUri } from '../domain/resource.ts';
import { message } from '../language/message.ts';
import { isPostgresUrl, POSTGRES_URL_FORM } from '../platform/postgres/connection-url.ts';
import { isIssuer, isLoginUrl, isPrivateUseScheme } from './addresses.ts';
import { brandSettings } from './brand-settings.ts';
import { isKeysSecret } from './keys-secret.ts';
import { mailSettings } from './mail-settings.ts';
import { scopeSettings } from './scope-settings.ts';
import { tlsSettings } from './tls-settings.ts';
import { choice, flag, runTime, seconds, setting, TEN_YEARS_IN_SECONDS, wholeNumber } from './setting.ts';
import { isAllowableNetwork } from '../platform/egress/address-filter.ts';

const issuerUrl = z.string().max(256).refine(isIssuer);

/**
 * The table of settings. The type of the configuration, the names of environment variables, the messages about invalid
 * values and the output of `grantlog config` are derived from this table.
 */
export const settings = {
  host: setting({
    schema: z.string().regex(/^[\w.:-]+$/),
    default: '127.0.0.1',
    expects: 'a host name or an IP address',
  }),
  port: wholeNumber(0, 65_535, 8000),
  dataDir: setting({
    schema: z.string().min(1),
    default: './data',
    expects: 'the path of a directory',
  }),
  log: setting({
    schema: z.string().refine(isPostgresUrl).nullable(),
    default: null,
    expects: `a PostgreSQL URL: ${POSTGRES_URL_FORM}`,
    secret: true,
  }),
  archive: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'the path of a directory',
  }),
  keys: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'the path of a directory, or the word database',
  }),
  keysSecret: setting({
    schema: z.string().refine(isKeysSecret).nullable(),
    default: null,
    expects: '32 random bytes as 64 hexadecimal digits or in base64url, or several of them separated by commas',
    secret: true,
  }),
  keysBackupDays: setting({
    schema: z.int().min(1).max(3_650).nullable(),
    default: null,
    expects: 'null, or a whole number from 1 to 3650',
  }),
  issuer: setting({
    schema: z
      .string()
      .refine(isIssuer)
      .transform((text) => new URL(text).href.replace(/\/+$/, ''))
      .nullable(),
    default: null,
    expects: 'an http or https URL without a query, fragment or user name',
  }),
  adminUsername: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'a user name',
  }),
  adminPassword: setting({
    schema: z.string().min(1).nullable(),
    default: null,
    expects: 'a password',
    secret: true,
  }),
  clientDocuments: runTime(choice(['off', 'list', 'any'], 'off')),
  ...scopeSettings,
  resources: runTime(
    setting({
      schema: z.array(z.string().max(MAX_LENGTH.resourceUri).refine(isResourceUri)).max(100).readonly(),
      default: [],
      expects: message('expects.resources', {
        limit: String(MAX_LENGTH.resourceUri),
        example: '["https://api.example/"]',
      }),
    }),
  ),
  resourceRegistration: runTime(choice(['administrators', 'developers'], 'administrators')),
  accessTokenLifetimeSeconds: runTime(seconds(1, TEN_YEARS_IN_SECONDS, 36_000)),
  signingKeyPeriodDays: wholeNumber(1, 3_650, 90),
  authorizationCodeLifetimeSeconds: runTime(seconds(1, 3600, 60)),
  refreshTokenLifetimeSeconds: runTime(
    setting({
      schema: z.int().min(1).max(TEN_YEARS_IN_SECONDS).nullable(),
      default: null,
      expects: message('expects.seconds-or-null', { min: '1', max: String(TEN_YEARS_IN_SECONDS) }),
      unit: 'seconds',
    }),
  ),
  refreshReuseWindowSeconds: runTime(seconds(0, 3600, 30)),
  loginUrl: setting({
    schema: z.string().refine(isLoginUrl),
    default: '/accounts/login/',
    expects: 'a path that begins with one slash, or an http or https URL',
  }),
  jsonTokenRequests: flag(false),
  approvalPrompt: runTime(choice(['force', 'auto'], 'force')),
  requirePkce: runTime(
    setting({
      schema: z.union([
        z.enum(['all', 'public', 'none']),
        z.boolean().transform((isRequired) => (isRequired ? ('all' as const) : ('none' as const))),
      ]),
      default: 'public',
      expects: message('expects.choice', { choices: 'all, public, none' }),
    }),
  ),
  requirePar: runTime(flag(false)),
  pkceMethods: runTime(
    setting({
      schema: z
        .array(z.enum(['S256', 'plain']))
        .min(1)
        .readonly(),
      default: ['S256'],
      expects: message('expects.pkce-methods', { example: '["S256"]' }),
    }),
  ),
  plainHttpRedirectUris: runTime(flag(false)),
  redirectUriSchemes: runTime(
    setting({
      schema: z.array(z.string().refine(isPrivateUseScheme)).readonly(),
      default: [],
      expects: message('expects.schemes', { example: '["myapp"]' }),
    }),
  ),
  requireSecondFactor: runTime(choice(['none', 'roles', 'all'], 'none')),
  ...brandSettings,
  signup: runTime(choice(['closed', 'open'], 'closed')),
  sampleApi: setting({
    ...flag(true),
    defaultWhenConfigured: false,
  }),
  bodyLimitBytes: setting({
    schema: z.int().min(1024).max(16_777_216),
    default: 65_536,
    expects: 'a whole number of bytes from 1024 to 16777216',
    unit: 'bytes',
  }),
  minFreeDiskBytes: setting({
    schema: z.int().min(1_048_576).max(1_099_511_627_776),
    default: 67_108_864,
    expects: 'a whole number of bytes from 1048576 to 1099511627776',
    unit: 'bytes',
  }),
  tokensPerMinutePerClient: runTime(wholeNumber(1, 1_000_000_000, 6_000)),
  trustedProxies: wholeNumber(0, 10, 0),
  sessionLifetimeSeconds: runTime(seconds(60, TEN_YEARS_IN_SECONDS, 1_209_600)),
  introspectionOwnTokensOnly: runTime(flag(false)),
  snapshotEvents: setting({
    schema: z.int().min(1).max(1_000_000_000),
    default: 100_000,
    expects: 'a whole number from 1 to 1000000000',
  }),
  maxStalenessSeconds: wholeNumber(1, 60, 5),
  dynamicRegistration: choice(['off', 'token', 'open'], 'off'),
  registrationLifetimeSeconds: runTime(seconds(60, TEN_YEARS_IN_SECONDS, 2_592_000)),
  softwareStatementIssuers: setting({
    schema: z.record(issuerUrl, issuerUrl).refine((issuers) => Object.keys(issuers).length <= 20),
    default: {},
    expects:
      'a map of at most 20 issuers to the URLs of their key sets, in JSON: ' +
      '{"https://trust.example":"https://trust.example/jwks.json"}',
  }),
  requireDpop: runTime(flag(false)),
  ...tlsSettings,
  outgoingHttp: flag(false),
  outgoingNetworks: setting({
    schema: z.array(z.string().max(64).refine(isAllowableNetwork)).max(50).readonly(),
    default: [],
    expects:
      'a list of at most 50 blocks of loopback or private addresses in CIDR notation, in JSON: ' +
      '["127.0.0.0/8","10.1.0.0/16"]',
  }),
  ...mailSettings,
  logLevel: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
} as const;

export type SettingName = keyof typeof settings;
export type SettingInputs = { readonly [Name in SettingName]?: z.input<(typeof settings)[Name]['schema']> };
export type SettingValues = { readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };

/** The name of a setting that can change while the server runs. */
export type RunTimeSettingName = {
  [Name in SettingName]: (typeof settings)[Name] extends { readonly atRunTime: true } ? Name : never;
}[SettingName];

export const SETTING_NAMES = Object.keys(settings) as readonly SettingName[];

/** The settings whose environment variables have no prefix. Container platforms set some of these, such as `PORT`. */
const UNPREFIXED: readonly SettingName[] = ['host', 'port', 'dataDir', 'issuer'];

function upperSnake(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();
}

/** Returns the name of a setting's environment variable. */
export function environmentName(name: SettingName): string {
  return UNPREFIXED.includes(name) ? upperSnake(name) : `GRANTLOG_${upperSnake(name)}`;
}

/** Returns the name of the setting with this spelling. Accepts all spellings that a file can use, and ignores case. */
export function findSettingName(text: string): SettingName | undefined {
  return SETTING_NAMES.find((name) =>
    fileSpellings(name).some((spelling) => spelling.toLowerCase() === text.toLowerCase()),
  );
}

/** Returns the spellings of a setting's name in a file, such as readScope, READ_SCOPE and GRANTLOG_READ_SCOPE. */
export function fileSpellings(name: SettingName): readonly string[] {
  return [...new Set([name, upperSnake(name), environmentName(name)])];
}
