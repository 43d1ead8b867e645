import { expect } from 'chai';
import fc from 'fast-check';
import { logoUrl } from '../../src/config/brand-logo.ts';
import { readConfig } from '../../src/config/config.ts';
import {
  environmentName,
  SETTING_NAMES,
  settings,
  type SettingName,
  type SettingValues,
} from '../../src/config/settings.ts';
import { effectiveSettings, formatSettingValue } from '../../src/config/effective-settings.ts';
import { png } from '../support/images.ts';

const noFile = (): string => expect.fail('the test has no file');

const words = fc.stringMatching(/^[a-z]{1,8}$/);
/** Strings with characters that need escaping or are invisible. */
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', "'", 'é', '€', '\u200d', '\u{e0001}', '\n', '\u2028', '{', ','),
  minLength: 1,
  maxLength: 12,
});
const seconds = (min: number) => fc.integer({ min, max: 3_600 });
const scopeNames = fc.uniqueArray(fc.constantFrom('read', 'write', 'groups'), { maxLength: 3 });

/** Valid values of every setting. The compiler requires an entry for each new setting. */
const VALUES: { readonly [Name in SettingName]: fc.Arbitrary<SettingValues[Name]> } = {
  host: fc.constantFrom('127.0.0.1', '::1', 'localhost', 'id.example'),
  port: fc.integer({ min: 1, max: 65_535 }),
  dataDir: fc.constantFrom('./data', '/var/lib/grantlog', 'null', '12', 'with a space'),
  log: fc.constantFrom('postgres://grantlog:secret@one,two:5433/grantlog?sslmode=verify-full', null),
  keys: fc.constantFrom('/var/lib/keys', 'null', 'database', null),
  archive: fc.constantFrom('/var/lib/archive', 'null', null),
  keysSecret: fc.constantFrom('0f'.repeat(32), `${'A'.repeat(43)},${'0f'.repeat(32)}`, null),
  keysBackupDays: fc.option(fc.integer({ min: 1, max: 3_650 })),
  issuer: fc.constantFrom('https://id.example', 'http://localhost:8000', 'https://id.example/path'),
  adminUsername: fc.constantFrom('root', 'null', '12', 'true', null),
  adminPassword: fc.constantFrom('hush', null),
  scopes: fc
    .dictionary(words, text, { minKeys: 1, maxKeys: 4 })
    .map((scopes) => ({ read: 'Read', write: 'Write', ...scopes })),
  defaultScopes: fc.record({
    'authorization-code': scopeNames,
    'client-credentials': scopeNames,
    password: scopeNames,
    'device-code': scopeNames,
  }),
  scopeDisplay: fc.constantFrom({}, { read: { icon: 'file', sensitivity: 'sensitive' } } as const),
  scopeClaims: fc.constantFrom(
    {},
    { read: ['name' as const] },
    { read: ['email' as const], groups: ['address' as const] },
  ),
  readScope: fc.constantFrom('read', 'write', 'groups'),
  writeScope: fc.constantFrom('read', 'write', 'groups'),
  brandName: fc.constantFrom('Grantlog', 'null', '12', 'Ördög & Söhne "Ltd"'),
  brandColor: fc.constantFrom('#0b6b5b', null),
  brandColorDark: fc.constantFrom('#64d2bb', null),
  brandLogo: fc.constantFrom(logoUrl({ mediaType: 'image/png', base64: png().toString('base64') }), null),
  brandLogoDark: fc.constant(null),
  brandTexts: fc.constantFrom({}, { en: { 'login.title': '<b>Log</b> in to {brand}' } }),
  brandLinks: fc.constantFrom({}, { support: 'mailto:help@id.example', privacy: 'https://id.example/privacy' }),
  resourceRegistration: fc.constantFrom('administrators', 'developers'),
  resources: fc.uniqueArray(fc.constantFrom('https://api.example/', 'https://calendar.example/api', 'urn:example:api')),
  accessTokenLifetimeSeconds: seconds(1),
  authorizationCodeLifetimeSeconds: seconds(1),
  refreshTokenLifetimeSeconds: fc.option(seconds(1)),
  refreshReuseWindowSeconds: seconds(0),
  loginUrl: fc.constantFrom('/accounts/login/', 'https://sso.example/login?x=1'),
  jsonTokenRequests: fc.boolean(),
  approvalPrompt: fc.constantFrom('force', 'auto'),
  requirePar: fc.boolean(),
  requirePkce: fc.constantFrom('all', 'public', 'none'),
  pkceMethods: fc.constantFrom(['S256'], ['S256', 'plain']),
  plainHttpRedirectUris: fc.boolean(),
  redirectUriSchemes: fc.uniqueArray(fc.constantFrom('myapp', 'other-app')),
  requireSecondFactor: fc.constantFrom('none', 'roles', 'all'),
  languages: fc.constantFrom<['en'] | ['de', 'en']>(['en'], ['de', 'en']),
  signup: fc.constantFrom('closed', 'open'),
  sampleApi: fc.boolean(),
  bodyLimitBytes: fc.integer({ min: 1024, max: 65_536 }),
  trustedProxies: fc.integer({ min: 0, max: 10 }),
  sessionLifetimeSeconds: seconds(60),
  dynamicRegistration: fc.constantFrom('off', 'token', 'open'),
  registrationLifetimeSeconds: seconds(60),
  softwareStatementIssuers: fc.constantFrom({}, { 'https://trust.example': 'https://trust.example/jwks.json' }),
  requireDpop: fc.boolean(),
  introspectionOwnTokensOnly: fc.boolean(),
  minFreeDiskBytes: fc.integer({ min: 1_048_576, max: 1_099_511_627_776 }),
  tokensPerMinutePerClient: fc.integer({ min: 1, max: 1_000_000_000 }),
  snapshotEvents: fc.integer({ min: 1, max: 1_000 }),
  signingKeyPeriodDays: fc.integer({ min: 1, max: 3_650 }),
  maxStalenessSeconds: fc.integer({ min: 1, max: 60 }),
  tlsCertificateFile: fc.constantFrom('/etc/tls/cert.pem', null),
  tlsKeyFile: fc.constantFrom('/etc/tls/key.pem', null),
  tlsClientCaFile: fc.constantFrom('/etc/tls/clients.pem', null),
  mtlsPort: fc.option(fc.integer({ min: 1, max: 7_999 })),
  mtlsUrl: fc.constantFrom('https://mtls.example', 'https://id.example:8443/base', null),
  clientCertificateProxies: fc.uniqueArray(fc.constantFrom('10.0.0.5', '10.1.0.0/16', '::1', 'fd00::/8')),
  outgoingHttp: fc.boolean(),
  outgoingNetworks: fc.uniqueArray(fc.constantFrom('127.0.0.0/8', '::1/128', '10.1.2.0/24', 'fd00::/8')),
  mail: fc.constantFrom('console', 'file:/var/mail', 'smtps://u:p@mail.example', 'smtp://localhost?ca=/ca.pem', null),
  mailFrom: fc.constantFrom('no-reply@id.example', 'Example <no-reply@id.example>', null),
  clientDocuments: fc.constantFrom('off', 'list', 'any'),
  logLevel: fc.constantFrom('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
};

/** Returns the variables of the other settings that a value requires. */
function requiredVariables(name: SettingName, value: unknown): Readonly<Record<string, string>> {
  if (name === 'scopes') return { GRANTLOG_DEFAULT_SCOPES: '{}' };
  if (value === null) return {};
  if (name === 'tlsCertificateFile') return { GRANTLOG_TLS_KEY_FILE: '/key.pem' };
  if (name === 'tlsKeyFile') return { GRANTLOG_TLS_CERTIFICATE_FILE: '/cert.pem' };
  if (name === 'mtlsPort') return { GRANTLOG_TLS_CERTIFICATE_FILE: '/cert.pem', GRANTLOG_TLS_KEY_FILE: '/key.pem' };
  if (name === 'clientCertificateProxies') return { GRANTLOG_TRUSTED_PROXIES: '1' };
  if (name === 'signup') return { GRANTLOG_SAMPLE_API: 'false' };
  if (name === 'keys') return { GRANTLOG_LOG: 'postgres://u@one/g', GRANTLOG_KEYS_SECRET: '0f'.repeat(32) };
  if (name === 'archive') return { GRANTLOG_LOG: 'postgres://u@one/g' };
  if (name === 'mail') return { GRANTLOG_MAIL_FROM: 'no-reply@id.example' };
  if (name === 'adminUsername') return { GRANTLOG_ADMIN_PASSWORD: 'hush' };
  return name === 'adminPassword' ? { GRANTLOG_ADMIN_USERNAME: 'root' } : {};
}

/** Mail targets are hidden only if they contain a login. */
const isHidden = (name: SettingName, value: unknown): boolean =>
  'secret' in settings[name] && value !== null && (name !== 'mail' || JSON.stringify(value).includes('@'));

describe('A setting', () => {
  for (const name of SETTING_NAMES) {
    it(`keeps its value if it is printed and read from the environment: ${name}`, () => {
      fc.assert(
        fc.property(VALUES[name] as fc.Arbitrary<unknown>, (value) => {
          const formattedValue = formatSettingValue(name, value);
          const { config } = readConfig(
            { ...requiredVariables(name, value), [environmentName(name)]: formattedValue },
            noFile,
          );
          const row = effectiveSettings(config).find((setting) => setting.name === name);
          expect(row?.value).to.deep.equal(isHidden(name, value) ? '(hidden)' : value);
          expect(formattedValue).not.to.match(/^(?:yes|no|-)$/);
          if (typeof value !== 'string')
            expect(formattedValue, 'invisible in a terminal').not.to.match(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        }),
      );
    });
  }

  it('keeps its default if that is printed and read from the environment', () => {
    const { config } = readConfig({}, noFile);
    for (const { name, default: defaultValue } of effectiveSettings(config)) {
      const secondConfig = readConfig(
        { [environmentName(name)]: formatSettingValue(name, defaultValue) },
        noFile,
      ).config;
      const { value } = effectiveSettings(secondConfig).find((setting) => setting.name === name) ?? expect.fail();
      if (name !== 'issuer') expect(value, name).to.deep.equal(settings[name].default);
    }
  });
});
