import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';

/**
 * The allowed imports of a folder or file; all other imports are forbidden. A folder's row also covers its subfolders
 * without a row.
 */
interface Row {
  /** Folders or files of src whose functions and classes it may call, except subfolders with a row. */
  readonly values: readonly string[];
  /** Folders or files whose types it may import. The composition root supplies the implementations. */
  readonly types: readonly string[];
  readonly packages: readonly string[];
}

const NO_IMPORTS: Row = { values: [], types: [], packages: [] };

const ALLOWED_IMPORTS: Readonly<Record<string, Row>> = {
  accounts: {
    ...NO_IMPORTS,
    values: [
      'language',
      'language/languages.ts',
      'platform/urls.ts',
      'domain',
      'event-store/decide-again.ts',
      'event-store/event-log.ts',
      'platform/hashing',
      'platform/keys/key-removal.ts',
      'platform/keys/lost-keys.ts',
      'platform/keys/seals.ts',
      'platform/limits/too-many-attempts.ts',
      'platform/mail/mail-sender.ts',
    ],
    types: [
      'accounts/constant-work-verifier.ts',
      'event-store',
      'platform/keys',
      'platform/limits',
      'platform/mail',
      'platform/ports.ts',
      'projections',
    ],
    packages: [
      '@simplewebauthn/server',
      '@simplewebauthn/server/helpers',
      'lru-cache',
      'node:crypto',
      'node:net',
      'otpauth',
      'zod',
    ],
  },
  'accounts/constant-work-verifier.ts': {
    ...NO_IMPORTS,
    values: ['domain/password-hashes.ts'],
    types: ['platform/ports.ts'],
  },
  'audit/merkle': { ...NO_IMPORTS, packages: ['node:crypto'] },
  'audit/proofs': {
    ...NO_IMPORTS,
    values: [
      'audit/merkle',
      'audit/rules',
      'event-store/event-log.ts',
      'event-store/record.ts',
      'platform/files/private-files.ts',
    ],
    types: ['event-store', 'event-store/postgres', 'platform/ports.ts'],
    packages: [
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:timers/promises',
      'node:worker_threads',
    ],
  },
  'audit/queries': {
    ...NO_IMPORTS,
    values: ['domain', 'language'],
    types: ['event-store', 'projections'],
    packages: ['node:crypto'],
  },
  'audit/rules': {
    ...NO_IMPORTS,
    values: ['domain/confirmation.ts', 'domain/events.ts', 'domain/resource.ts', 'domain/values.ts'],
    types: ['event-store'],
    packages: ['node:crypto'],
  },
  cli: {
    ...NO_IMPORTS,
    values: [
      'audit/proofs/bundle-directory.ts',
      'audit/proofs/issued-checkpoints.ts',
      'audit/proofs/verify-bundle.ts',
      'audit/queries',
      'composition/directory-state.ts',
      'composition/key-history.ts',
      'config/addresses.ts',
      'config/brand-logo.ts',
      'config/brand-texts.ts',
      'config/config.ts',
      'config/did-you-mean.ts',
      'config/effective-settings.ts',
      'config/live-config.ts',
      'config/reserved-member.ts',
      'config/scope-display.ts',
      'config/settings.ts',
      'config/settings-schema.ts',
      'config/tls-settings.ts',
      'language',
      'domain/client-authentication.ts',
      'domain/group.ts',
      'domain/openid-settings.ts',
      'domain/security-settings.ts',
      'domain/login.ts',
      'domain/profile.ts',
      'domain/provider-settings.ts',
      'domain/logo.ts',
      'domain/same-value.ts',
      'domain/values.ts',
      'event-store/out-of-space.ts',
      'language',
      'language/languages.ts',
      'oauth/clients/redirect-uris.ts',
      'oauth/issuers/client-lines.ts',
      'oauth/refusals/messages.ts',
      'oauth/upstream/presets.ts',
      'operations',
      'operations/backup',
      'operations/control',
      'operations/import',
      'operations/repair',
      'platform/certificates',
      'platform/files',
      'platform/keys',
      'platform/logos',
      'platform/mail',
      'platform/mail/mail-target.ts',
      'platform/metrics/request-lines.ts',
      'platform/open-files.ts',
      'platform/ports.ts',
    ],
    types: [
      'accounts',
      'audit/proofs',
      'event-store',
      'oauth',
      'oauth/signing',
      'operations/simulation',
      'projections',
    ],
    packages: [
      'commander',
      'node:events',
      'node:fs',
      'node:http',
      'node:https',
      'node:net',
      'node:path',
      'node:readline/promises',
      'node:tls',
      'pino',
      'pino-pretty',
      'zod',
    ],
  },
  composition: {
    ...NO_IMPORTS,
    values: [
      'accounts',
      'accounts/constant-work-verifier.ts',
      'audit/proofs',
      'audit/queries',
      'domain',
      'language',
      'config/email-brand.ts',
      'config/keys-secret.ts',
      'config/live-config.ts',
      'config/tls-settings.ts',
      'domain/clock.ts',
      'domain/streams.ts',
      'event-store',
      'event-store/postgres',
      'event-store/snapshots',
      'language/languages.ts',
      'oauth',
      'oauth/refusals',
      'oauth/settings',
      'oauth/signing',
      'operations',
      'platform/broadcast',
      'platform/certificates',
      'platform/egress',
      'platform/files',
      'platform/hashing',
      'platform/keys',
      'platform/limits',
      'platform/mail',
      'platform/mail/mail-target.ts',
      'platform/metrics',
      'platform/ports.ts',
      'platform/postgres',
      'platform/postgres/connection-url.ts',
      'platform/release.ts',
      'projections',
    ],
    types: ['config/config.ts', 'domain', 'event-store/snapshots', 'platform/keys', 'platform/ports.ts', 'projections'],
    packages: ['node:fs', 'node:path'],
  },
  config: {
    ...NO_IMPORTS,
    values: [
      'platform/urls.ts',
      'language',
      'language/languages.ts',
      'domain/lengths.ts',
      'domain/logo.ts',
      'domain/normal-form.ts',
      'domain/profile.ts',
      'domain/resource.ts',
      'domain/scope.ts',
      'domain/values.ts',
      'platform/egress/address-filter.ts',
      'platform/logos',
      'platform/networks.ts',
      'platform/mail/mail-sender.ts',
      'platform/mail/mail-target.ts',
      'platform/postgres/connection-url.ts',
    ],
    types: ['domain/values.ts'],
    packages: ['zod'],
  },
  domain: { ...NO_IMPORTS, values: ['event-store/decider.ts'], types: ['event-store/event-log.ts'], packages: ['zod'] },
  'event-store': {
    ...NO_IMPORTS,
    types: ['platform/broadcast'],
    packages: [
      'level',
      'lru-cache',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:timers/promises',
      'node:util',
      'node:zlib',
    ],
  },
  'event-store/postgres': {
    ...NO_IMPORTS,
    values: ['event-store', 'event-store/engines', 'platform/postgres', 'platform/semaphore.ts'],
    types: ['event-store/snapshots', 'platform/broadcast', 'platform/postgres/connection-url.ts'],
    packages: ['node:path', 'node:timers/promises'],
  },
  'event-store/snapshots': {
    ...NO_IMPORTS,
    values: ['platform/files/private-files.ts'],
    types: ['event-store'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:timers/promises'],
  },
  http: {
    ...NO_IMPORTS,
    values: [
      'platform/urls.ts',
      'language',
      'language/languages.ts',
      'accounts/account-problems.ts',
      'accounts/authentication-used.ts',
      'accounts/last-administrator.ts',
      'accounts/mail-examples.ts',
      'accounts/mail-link-limits.ts',
      'accounts/password-advice.ts',
      'accounts/same-address.ts',
      'audit/merkle',
      'audit/queries',
      'config/brand-colors.ts',
      'config/brand-logo.ts',
      'config/brand-settings.ts',
      'config/built-in-scopes.ts',
      'config/input-limits.ts',
      'config/effective-settings.ts',
      'config/scope-display.ts',
      'config/named-problem.ts',
      'config/setting-groups.ts',
      'config/json-syntax.ts',
      'config/reserved-member.ts',
      'config/setting-inputs.ts',
      'config/settings.ts',
      'domain',
      'event-store/decide-again.ts',
      'event-store/event-log.ts',
      'event-store/export-line.ts',
      'event-store/log-unreachable.ts',
      'event-store/out-of-space.ts',
      'lists',
      'http/management/routes.ts',
      'oauth',
      'oauth/refusals',
      'platform/certificates',
      'platform/escape-html.ts',
      'platform/growing-buffer.ts',
      'platform/hashing/hash-caller.ts',
      'platform/hashing/hash-once-per-request.ts',
      'platform/hashing/hashing-overloaded.ts',
      'platform/keys/key-removal.ts',
      'platform/limits/too-many-attempts.ts',
      'platform/logos',
      'platform/mail/mail-sender.ts',
      'platform/networks.ts',
      'platform/semaphore.ts',
      'policy',
      'policy/resource-server/introspection-unavailable.ts',
      'policy/resource-server/login-check.ts',
    ],
    types: [
      'accounts',
      'audit/proofs',
      'config/config.ts',
      'event-store',
      'oauth/settings',
      'oauth/signing',
      'operations/operation-context.ts',
      'platform/hashing',
      'platform/keys/rotating-key.ts',
      'platform/limits',
      'platform/metrics',
      'platform/ports.ts',
      'projections',
    ],
    packages: [
      '@opentelemetry/api',
      'bowser',
      'ejs',
      'keygrip',
      'koa',
      'koa-session',
      'node:buffer',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:http',
      'node:net',
      'node:path',
      'node:querystring',
      'node:stream',
      'node:timers/promises',
      'node:tls',
      'node:url',
      'node:util',
      'node:zlib',
      'path-to-regexp',
      'uqr',
    ],
  },
  language: {
    ...NO_IMPORTS,
    values: [
      'domain/printable.ts',
      'language/languages.ts',
      'platform/escape-html.ts',
      'platform/mail/email-content.ts',
    ],
    types: ['platform/mail'],
    packages: ['intl-messageformat'],
  },
  'language/languages.ts': NO_IMPORTS,
  lists: { ...NO_IMPORTS, types: ['language'] },
  'http/management': {
    ...NO_IMPORTS,
    values: [
      'config/input-limits.ts',
      'config/reserved-member.ts',
      'domain',
      'event-store/event-log.ts',
      'event-store/once.ts',
      'http/openapi',
      'http/pipeline',
      'oauth/clients/domain-list.ts',
      'oauth/issuers/issuer-texts.ts',
      'operations/control/operation-refused.ts',
      'operations/operations.ts',
      'platform/semaphore.ts',
      'policy',
    ],
    types: [
      'event-store',
      'http',
      'http/protocol',
      'operations/operation-context.ts',
      'platform/limits',
      'projections',
    ],
    packages: ['node:crypto', 'node:timers/promises', 'zod'],
  },
  oauth: {
    ...NO_IMPORTS,
    values: [
      'language',
      'language/languages.ts',
      'platform/urls.ts',
      'config/input-limits.ts',
      'domain',
      'event-store/decide-again.ts',
      'oauth/refusals',
      'oauth/signing/jws.ts',
      'oauth/signing/public-keys.ts',
      'platform/broadcast/broadcast.ts',
      'event-store/event-log.ts',
      'platform/certificates',
      'platform/egress/egress-failed.ts',
      'platform/egress/outgoing-url.ts',
      'platform/hashing/hash-caller.ts',
      'platform/hashing/hashing-overloaded.ts',
      'platform/keys/key-removal.ts',
      'platform/keys/lost-keys.ts',
      'platform/keys/seals.ts',
      'platform/limits/too-many-attempts.ts',
    ],
    types: [
      'accounts/constant-work-verifier.ts',
      'event-store',
      'oauth/signing',
      'platform/egress',
      'platform/hashing',
      'platform/keys',
      'platform/limits',
      'platform/mail',
      'platform/ports.ts',
      'projections',
    ],
    packages: ['jsonschema', 'lru-cache', 'node:crypto', 'node:zlib', 're2js'],
  },
  'oauth/signing': {
    ...NO_IMPORTS,
    values: ['domain'],
    types: ['event-store', 'platform/keys', 'projections'],
    packages: ['jose', 'node:crypto', 'node:util'],
  },
  'oauth/settings': {
    ...NO_IMPORTS,
    values: [
      'config/built-in-scopes.ts',
      'config/scope-display.ts',
      'config/checked-value.ts',
      'config/config.ts',
      'config/effective-defaults.ts',
      'config/effective-settings.ts',
      'config/live-config.ts',
      'config/named-problem.ts',
      'config/settings.ts',
      'domain',
      'event-store/event-log.ts',
      'language',
      'language/languages.ts',
    ],
    types: ['event-store', 'projections'],
  },
  'oauth/refusals': {
    ...NO_IMPORTS,
    values: ['domain/recent-counts.ts', 'language', 'platform/broadcast', 'platform/files/slot-file.ts'],
    types: ['domain', 'platform/certificates', 'platform/limits', 'platform/ports.ts'],
    packages: ['lru-cache', 'node:crypto'],
  },
  operations: {
    ...NO_IMPORTS,
    values: [
      'accounts/last-administrator.ts',
      'accounts/password-advice.ts',
      'accounts/same-address.ts',
      'audit/merkle',
      'audit/proofs',
      'audit/queries',
      'composition/clock-behind.ts',
      'language',
      'language/languages.ts',
      'config/config.ts',
      'config/did-you-mean.ts',
      'config/input-limits.ts',
      'config/settings.ts',
      'domain',
      'event-store/decide-again.ts',
      'event-store/event-log.ts',
      'event-store/export-line.ts',
      'event-store/log-unreachable.ts',
      'lists',
      'oauth/clients/client-keys.ts',
      'oauth/clients/domain-list.ts',
      'oauth/clients/new-credentials.ts',
      'oauth/clients/registration.ts',
      'oauth/clients/transfer-client.ts',
      'oauth/clients/unsealed-secrets.ts',
      'oauth/credentials/credentials.ts',
      'oauth/details/entered-types.ts',
      'oauth/endpoints/protected-resource.ts',
      'oauth/endpoints/revoke-grant.ts',
      'oauth/incidents/issue-search.ts',
      'oauth/issuers/issuer-texts.ts',
      'oauth/exchange/policy-rules.ts',
      'oauth/openid/session-id.ts',
      'oauth/refusals/explanations.ts',
      'oauth/upstream/provider-fields.ts',
      'oauth/upstream/token-requests.ts',
      'platform/logos',
      'platform/mail/email-content.ts',
      'platform/mail/mail-failed.ts',
      'platform/mail/mail-sender.ts',
      'operations/backup',
      'operations/control/operation-refused.ts',
      'operations/import',
      'operations/simulation',
      'platform/open-files.ts',
    ],
    types: [
      'oauth/clients/domain-list.ts',
      'oauth/clients/client-key-finder.ts',
      'oauth/clients/memberships.ts',
      'accounts',
      'event-store',
      'oauth/clients/lost-client-keys.ts',
      'oauth/clients/openid-rules.ts',
      'oauth/clients/presentation-rules.ts',
      'oauth/clients/security-rules.ts',
      'oauth/clients/registration-rules.ts',
      'oauth/exchange',
      'oauth/settings',
      'oauth/incidents',
      'oauth/issuers',
      'oauth/upstream',
      'oauth/resources',
      'oauth/signing',
      'platform/keys',
      'platform/keys/lost-keys.ts',
      'platform/mail',
      'platform/ports.ts',
      'projections',
    ],
    packages: ['node:events', 'node:stream', 'node:timers/promises', 'zod'],
  },
  'operations/backup': {
    ...NO_IMPORTS,
    values: [
      'audit/merkle',
      'audit/proofs',
      'domain/invitation-keys.ts',
      'event-store',
      'operations/control/operation-refused.ts',
      'platform/files',
      'platform/keys',
    ],
    types: ['domain/values.ts', 'platform/ports.ts'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'zod'],
  },
  'operations/control': {
    ...NO_IMPORTS,
    values: ['platform/growing-buffer.ts', 'platform/open-files.ts'],
    packages: ['node:events', 'node:fs/promises', 'node:net', 'node:path'],
  },
  'operations/import': { ...NO_IMPORTS, values: ['config/input-limits.ts', 'domain'], packages: ['zod'] },
  'operations/repair': {
    ...NO_IMPORTS,
    values: [
      'audit/merkle',
      'audit/proofs',
      'composition/data-directory.ts',
      'composition/key-history.ts',
      'event-store',
      'operations/control/operation-refused.ts',
      'platform/files',
      'platform/keys',
    ],
    types: ['platform/ports.ts'],
    packages: ['node:fs', 'node:path'],
  },
  'operations/simulation': {
    ...NO_IMPORTS,
    values: [
      'platform/urls.ts',
      'config/config.ts',
      'config/input-limits.ts',
      'config/settings.ts',
      'domain',
      'event-store/event-log.ts',
      'language',
      'oauth',
      'oauth/refusals/refusal-messages.ts',
    ],
    types: ['event-store', 'projections'],
    packages: ['node:timers/promises'],
  },
  platform: {
    ...NO_IMPORTS,
    values: ['domain/password-hashes.ts'],
    packages: ['@node-rs/argon2', 'node:crypto', 'node:net', 'node:os', 'node:perf_hooks', 'node:util'],
  },
  'platform/broadcast': {
    ...NO_IMPORTS,
    values: ['platform/keys/seals.ts'],
    types: ['platform/ports.ts'],
    packages: ['node:crypto'],
  },
  'platform/certificates': {
    ...NO_IMPORTS,
    values: ['language/message.ts', 'platform/urls.ts'],
    packages: ['node:crypto', 'node:tls'],
  },
  'platform/egress': {
    ...NO_IMPORTS,
    values: ['language', 'platform/urls.ts', 'platform/growing-buffer.ts', 'platform/limits'],
    types: ['platform/ports.ts'],
    packages: ['lru-cache', 'node:crypto', 'node:dns/promises', 'node:http', 'node:https', 'node:net'],
  },
  'platform/files': {
    ...NO_IMPORTS,
    types: ['platform/ports.ts'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path', 'node:timers/promises'],
  },
  'platform/hashing': {
    ...NO_IMPORTS,
    values: ['domain/password-hashes.ts'],
    types: ['domain/values.ts', 'event-store/event-log.ts', 'event-store/once.ts', 'platform/ports.ts'],
  },
  'platform/keys': {
    ...NO_IMPORTS,
    values: [
      'platform/files/change-reader.ts',
      'platform/files/checksum.ts',
      'platform/files/directory-problem.ts',
      'platform/files/file-lock.ts',
      'platform/files/private-files.ts',
      'platform/keys/seals.ts',
    ],
    types: ['domain/values.ts', 'platform/ports.ts', 'platform/postgres/connect.ts'],
    packages: ['node:crypto', 'node:fs', 'node:path', 'node:util'],
  },
  'platform/keys/key-removal.ts': { ...NO_IMPORTS },
  'platform/logos': { ...NO_IMPORTS, values: ['domain/logo.ts', 'language'], types: ['domain/logo.ts'] },
  'platform/keys/lost-keys.ts': { ...NO_IMPORTS },
  'platform/keys/seals.ts': { ...NO_IMPORTS, types: ['platform/ports.ts'], packages: ['node:crypto'] },
  'platform/limits': {
    ...NO_IMPORTS,
    values: ['platform/broadcast'],
    types: ['event-store/once.ts', 'platform/ports.ts'],
    packages: ['node:crypto'],
  },
  'platform/mail': {
    ...NO_IMPORTS,
    values: [
      'platform/escape-html.ts',
      'platform/mail/mail-outcomes.ts',
      'platform/mail/mail-sender.ts',
      'platform/mail/mail-target.ts',
    ],
    types: ['platform/ports.ts'],
    packages: [
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'nodemailer/lib/mail-composer',
      'nodemailer/lib/smtp-connection',
    ],
  },
  'platform/mail/mail-outcomes.ts': NO_IMPORTS,
  'platform/mail/mail-sender.ts': NO_IMPORTS,
  'platform/mail/mail-target.ts': { ...NO_IMPORTS, values: ['platform/urls.ts'] },
  'platform/postgres': { ...NO_IMPORTS, values: ['platform/postgres/connection-url.ts'], packages: ['node:fs', 'pg'] },
  'platform/postgres/connection-url.ts': NO_IMPORTS,
  'platform/metrics': {
    ...NO_IMPORTS,
    values: ['platform/egress/egress-failed.ts', 'platform/egress/purposes.ts', 'platform/mail/mail-outcomes.ts'],
    types: ['event-store', 'platform/ports.ts'],
    packages: ['node:fs/promises', 'node:path', 'node:perf_hooks', 'pino', 'prom-client'],
  },
  'platform/release.ts': { ...NO_IMPORTS, packages: ['node:fs'] },
  policy: {
    ...NO_IMPORTS,
    values: ['domain/login.ts', 'domain/scope.ts'],
    types: ['domain/authorization-details.ts', 'domain/confirmation.ts'],
  },
  'platform/urls.ts': NO_IMPORTS,
  'policy/resource-server': {
    ...NO_IMPORTS,
    values: [
      'platform/urls.ts',
      'domain/confirmation.ts',
      'domain/scope.ts',
      'platform/growing-buffer.ts',
      'platform/ports.ts',
      'platform/semaphore.ts',
      'policy/required-login.ts',
    ],
    types: ['domain/authorization-details.ts', 'policy/policy.ts'],
    packages: ['lru-cache', 'node:crypto'],
  },
  projections: { ...NO_IMPORTS, values: ['domain'], types: ['event-store'] },
};

/** The entry points of the process and the library, which may import from every folder. */
const ENTRY_POINTS = ['main.ts', 'index.ts'];

/** Longer files need a reason in REASONS_FOR_LENGTH. */
const MAX_LINES = 300;
const REASONS_FOR_LENGTH: Readonly<Record<string, string>> = {
  'domain/authorization-grant.ts': 'one stream, one decider: its commands, its rules and its state change together',
  'config/input-limits.ts': 'one limit for each input: readers look for all limits in one place',
  'domain/events.ts': 'one schema for each event: readers look for all schemas in one place',
};

const MAX_LINE_LENGTH = 120;
/** A line that consists of a regular expression, which cannot be split. */
const UNBREAKABLE_LINE = /^\s*\/(?![/*]).*\/[a-z]*[,;]?$/;

interface Import {
  readonly from: string;
  /** A path below src, or a package's name. */
  readonly to: string;
  readonly isInternal: boolean;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

interface Source {
  readonly path: string;
  readonly text: string;
  /** The text without comments and string contents. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const sources = filesBelow(SRC, '.ts').map(readSource);

describe('the architecture', () => {
  it('forbids every import that is not in the table', () => {
    const forbiddenImports = sources
      .filter(({ path }) => !ENTRY_POINTS.includes(path))
      .flatMap(({ imports }) => imports)
      .filter((edge) => !isAllowed(edge));
    expect(
      forbiddenImports.map(({ from, to, typeOnly }) => `${from} → ${to}${typeOnly ? ' (types)' : ''}`),
    ).to.deep.equal([]);
  });

  it('has no import cycles, not even of types', () => {
    expect(findImportCycles()).to.deep.equal([]);
  });

  it('uses the web framework and the template engine only in http', () => {
    const webPackages = /^(koa|@koa\/|ejs|keygrip)/;
    const importersOutside = importers(
      (to) => webPackages.test(to),
      (path) => !path.startsWith('http/') && path !== 'index.ts',
    );
    expect(importersOutside).to.deep.equal([]);
    expect(
      sources
        .find(({ path }) => path === 'index.ts')
        ?.imports.every(({ to, typeOnly }) => !webPackages.test(to) || typeOnly) ?? true,
    ).to.equal(true);
  });

  it('uses LevelDB only in its engine', () => {
    expect(
      importers(
        (to) => to === 'level',
        (path) => !path.startsWith('event-store/engines/level'),
      ),
    ).to.deep.equal([]);
  });

  it('opens outgoing connections only in platform/egress, unless clients cannot choose the address', () => {
    const allowedOutside = [
      'cli/doctor-server.ts', // the server's own address
      'http/pages/applications/try-it/javascript.ts', // only shows a program to developers
      'operations/control/client.ts', // a socket in the data directory
      'platform/mail/smtp-transport.ts', // the mail server
      'platform/postgres/connect.ts', // the database
      'policy/resource-server/introspection-request.ts', // part of the public API for resource servers
      'policy/resource-server/legacy-metadata.ts', // part of the public API for resource servers
    ];
    const connectingModules =
      /^(?:pg|undici|nodemailer(?!\/lib\/mail-composer$).*|(?:node:)?(?:http2|dns|dns\/promises|dgram))$/;
    const connectingFunctions = /^(?:request|get|connect|createConnection|Agent|\*.*)$/;
    const connectingSources = sources.filter(({ code, imports }) => {
      const fetches = /\bfetch\(/.test(code) && !/(?:function|async|readonly|[{,])\s+fetch\b/.test(code);
      const constructs = /\bnew (?:\w+\.)?(?:Socket|WebSocket|EventSource)\b/.test(code);
      const connects = imports.some(
        ({ to, names, typeOnly }) =>
          !typeOnly &&
          (connectingModules.test(to) ||
            (/^(?:node:)?(?:https?|net|tls)$/.test(to) && names.some((name) => connectingFunctions.test(name)))),
      );
      return fetches || constructs || connects;
    });
    const [insideEgress, outsideEgress] = [true, false].map((isInside) =>
      connectingSources.map(({ path }) => path).filter((path) => path.startsWith('platform/egress/') === isInside),
    );
    expect(outsideEgress?.toSorted()).to.deep.equal(allowedOutside);
    expect(insideEgress).to.include('platform/egress/exchange.ts');
  });

  it('keeps schemas out of deciders: within the domain, only events.ts imports zod', () => {
    expect(
      importers(
        (to) => to === 'zod',
        (path) => path.startsWith('domain/') && path !== 'domain/events.ts',
      ),
    ).to.deep.equal([]);
  });

  it('keeps the domain, lists and policies pure: no effects, time, randomness or promises', () => {
    const impurePattern =
      /\bDate\b|\bMath\.random\b|\bPromise\b|\basync\b|\bawait\b|\bprocess\b|\bsetTimeout\b|\bglobalThis\b|\bconsole\b|\bBuffer\b/;
    expect(matchingLines(impurePattern, ({ path }) => /^(?:domain|lists|policy\/[^/]+\.ts)/.test(path))).to.deep.equal(
      [],
    );
  });

  it('reads the environment only in main.ts', () => {
    expect(matchingLines(/\bprocess\s*\.\s*env\b|\bprocess\s*\[/, ({ path }) => path !== 'main.ts')).to.deep.equal([]);
  });

  it('checks URLs in platform/urls.ts, except those that can contain only ASCII', () => {
    const mustNotParse = ({ path }: Source): boolean => !['platform/urls.ts', 'domain/resource.ts'].includes(path);
    expect(matchingLines(/\bcanParse\b/, mustNotParse)).to.deep.equal([]);
  });

  it('reads the time and randomness only in platform/ports.ts', () => {
    const clockOrRandomness =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b|\brandomBytes\b|\brandomFill(Sync)?\b|\brandomInt\b|\brandomUUID\b|\bMath\.random\b|\bgetRandomValues\b/;
    expect(matchingLines(clockOrRandomness, ({ path }) => path !== 'platform/ports.ts')).to.deep.equal([]);
  });

  it('passes the revision that was read whenever settings of a client or resource server are replaced', () => {
    const revisionFunctions = { registration: 'observedClient', resourceRegistry: 'observedResource' };
    for (const [registry, revisionFunction] of Object.entries(revisionFunctions)) {
      const call = new RegExp(String.raw`\b${registry}\s*\.update\(`);
      const replacers = sources.filter(({ code }) => call.test(code));
      expect(replacers).to.have.length.above(1);
      const offendingSources = replacers.filter(({ code }) => !code.includes(`${revisionFunction}(`));
      expect(offendingSources.map(({ path }) => path)).to.deep.equal([]);
    }
  });

  it('has no `any` and no suppressed compiler error', () => {
    expect(matchingLines(/(?:[:<|&,(]|\bas|\bextends|=>)\s*any\b(?!\s*[('])/, () => true)).to.deep.equal([]);
    const suppressingSources = sources.filter(({ text }) =>
      /@ts-(?:ignore|nocheck|expect-error)|oxlint-disable|eslint-disable/.test(text),
    );
    expect(suppressingSources.map(({ path }) => path)).to.deep.equal([]);
  });

  it(`has no file with more than ${MAX_LINES} lines, except for a stated reason`, () => {
    const longFiles = sources.filter(({ text }) => text.split('\n').length > MAX_LINES).map(({ path }) => path);
    expect(longFiles.toSorted()).to.deep.equal(Object.keys(REASONS_FOR_LENGTH).toSorted());
  });

  it(`has no line with more than ${MAX_LINE_LENGTH} characters, even in tests, scripts and examples`, () => {
    const longLines = ['src', 'test', 'scripts', 'examples']
      .flatMap((folder) => [...filesBelow(join(ROOT, folder), '.ts'), ...filesBelow(join(ROOT, folder), '.mjs')])
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .flatMap((line, index) => (isTooLong(line) ? [`${relative(ROOT, file)}:${index + 1} ${line.trim()}`] : [])),
      );
    expect(longLines).to.deep.equal([]);
  });

  it('has no unused export', () => {
    expect(findUnusedExports()).to.deep.equal([]);
  });

  it("reads callers' input only in the readers that check limits", () => {
    const readers: readonly (readonly [pattern: RegExp, files: readonly string[]])[] = [
      [
        /\breq\.(?:url|headers)\b|\b(?:ctx|request)\.headers\b|\bctx\.get\(|\bheaders\b[^}]*\}: (?:Pick<)?RequestContext/,
        [
          'http/pipeline/request-head.ts',
          'http/pipeline/read-body.ts', // Content-Length
          'http/pipeline/trace-requests.ts', // passed to OpenTelemetry
          'http/pipeline/sender-check.ts', // part of the public API, and usable without other middleware
        ],
      ],
      [/\bctx\.(?:query|querystring|search|originalUrl|href|host|hostname|origin|URL)\b/, []],
      [
        /\['params'\]|\bctx\.params\b|\bpathParameters\b/,
        ['http/pipeline/path-parameter.ts', 'http/pipeline/dispatch.ts', 'http/pipeline/state.ts'],
      ],
      [/\b(?:req|request)\.(?:on|once)\('data'/, ['http/pipeline/read-body.ts']],
    ];
    for (const [pattern, files] of readers) {
      const matches = matchingLines(
        pattern,
        ({ path }) => path.startsWith('http/'),
        ({ text }) => withoutComments(text),
      );
      const otherMatches = matches.filter((line) => !files.some((file) => line.startsWith(`${file}:`)));
      expect(otherMatches, String(pattern)).to.deep.equal([]);
      const unusedReaders = files.filter((file) => !matches.some((line) => line.startsWith(`${file}:`)));
      expect(unusedReaders, 'files that no longer read input').to.deep.equal([]);
    }
  });

  it('limits the length of every text input to operations and imports', () => {
    const unlimitedString = /z\.string\(\)(?!(?:\.min\(1\))?\.max\()/;
    // The results of these files must match the schema for entries.
    const checkedLater = /^operations\/import\/(?:django-oauth-toolkit|keycloak(?:-clients|-users)?)\.ts$/;
    const isIncluded = ({ path }: Source): boolean =>
      /^operations\/(?:import\/)?[^/]+$/.test(path) && !checkedLater.test(path);
    expect(matchingLines(unlimitedString, isIncluded)).to.deep.equal([]);
  });

  it("mentions no paths on a developer's machine", () => {
    const localPath = /(?:^|[\s"'`(=:])\/(?:home|root|Users|work|mnt|srv)\/\w/m;
    const folders = ['src', 'test', 'scripts', 'views', 'static', 'bench', 'docs', 'deploy', 'examples'];
    const files = folders.flatMap((folder) => filesBelow(join(ROOT, folder), ''));
    const offendingFiles = [
      ...files,
      ...['README.md', 'Dockerfile', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json'].map((file) =>
        join(ROOT, file),
      ),
    ].filter((file) => localPath.test(readIfPresent(file)));
    expect(offendingFiles.map((file) => relative(ROOT, file))).to.deep.equal([]);
  });
});

function isTooLong(line: string): boolean {
  return line.length > MAX_LINE_LENGTH && !UNBREAKABLE_LINE.test(line);
}

const UNITS = Object.keys(ALLOWED_IMPORTS).toSorted((a, b) => b.length - a.length);

/** Returns the folder or file in the table that a path belongs to, which is the one with the longest name. */
function findUnit(path: string): string | undefined {
  return UNITS.find((unit) => path === unit || path.startsWith(`${unit}/`));
}

function isAllowed({ from, to, isInternal, typeOnly }: Import): boolean {
  const unit = findUnit(from);
  const row = ALLOWED_IMPORTS[unit ?? ''];
  if (row === undefined) return false;
  if (!isInternal) return row.packages.includes(to);
  if (findUnit(to) === unit) return true;
  const allowedTargets = typeOnly ? [...row.values, ...row.types] : row.values;
  return allowedTargets.some(
    (entry) => to === entry || (to.startsWith(`${entry}/`) && findUnit(to) === findUnit(entry)),
  );
}

function findImportCycles(): readonly string[] {
  const visitedPaths = new Set<string>();
  const cycles: string[] = [];
  const targets = new Map(
    sources.map(({ path, imports }) => [path, imports.filter(({ isInternal }) => isInternal).map(({ to }) => to)]),
  );
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (visitedPaths.has(path) || trail.includes(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    visitedPaths.add(path);
  }
  for (const { path } of sources) visit(path, []);
  return cycles;
}

function importers(isTarget: (to: string) => boolean, isForbidden: (path: string) => boolean): readonly string[] {
  return sources
    .flatMap(({ imports }) => imports)
    .filter(({ from, to }) => isTarget(to) && isForbidden(from))
    .map(({ from, to }) => `${from} → ${to}`);
}

/** @param getText returns the text to search; by default, comments and string contents are left out */
function matchingLines(
  pattern: RegExp,
  isIncluded: (source: Source) => boolean,
  getText = ({ code }: Source): string => code,
): readonly string[] {
  return sources.filter(isIncluded).flatMap((source) =>
    getText(source)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${source.path}:${index + 1} ${line.trim()}`] : [])),
  );
}

/**
 * Returns the unused exports. A type may be exported because another export in its file refers to it, and an error
 * because a docstring mentions it. Any other export must be imported somewhere.
 */
function findUnusedExports(): readonly string[] {
  const otherSources = ['test', 'scripts', 'bench']
    .flatMap((folder) => filesBelow(join(ROOT, folder), '.ts'))
    .map(readSource);
  const usedNames = new Set(
    [...sources, ...otherSources]
      .flatMap(({ imports }) => imports)
      .flatMap(({ to, names }) => names.map((name) => `${to}#${name}`)),
  );
  return sources
    .filter(({ path }) => !ENTRY_POINTS.includes(path))
    .flatMap(({ path, code, text }) =>
      [
        ...code.matchAll(/^export (?:declare )?(?:async )?(const|let|function\*?|class|interface|type) (\w+)/gm),
      ].flatMap(([, kind = '', name = '']) => {
        const isReferenced = /interface|type/.test(kind) && code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length !== 1;
        const isDocumented = kind === 'class' && text.includes(`@throws ${name}`);
        return usedNames.has(`${path}#${name}`) || isReferenced || isDocumented ? [] : [`${path}: ${name}`];
      }),
    );
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const path = relative(SRC, file);
  const textWithoutComments = withoutComments(text);
  return {
    path,
    text,
    code: withoutStrings(textWithoutComments),
    imports: parseImports(file, path, textWithoutComments),
  };
}

function parseImports(file: string, from: string, text: string): readonly Import[] {
  const staticImports = [...text.matchAll(/^(?:import|export)\s+(type\s)?([\w*\s{},]*?)\s*from\s*'([^']+)'/gm)].map(
    ([, type, clause = '', target = '']) => {
      const names = clause
        .replaceAll(/[{}]/g, ',')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      const typeOnly = type !== undefined || names.every((name) => name.startsWith('type '));
      return { typeOnly, target, names: names.map((name) => name.replace(/^type /, '').replace(/ as \w+$/, '')) };
    },
  );
  const dynamicImports = [
    ...text.matchAll(/(?:\{([\w\s,]*)\} = await )?\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm),
  ].map(([, clause = '', calledTarget, bareTarget]) => ({
    typeOnly: false,
    target: calledTarget ?? bareTarget ?? '',
    names: clause.split(',').map((name) => name.trim()),
  }));
  return [...staticImports, ...dynamicImports].map(({ target, ...rest }) => {
    const isInternal = target.startsWith('.');
    return { from, to: isInternal ? relative(SRC, join(dirname(file), target)) : target, isInternal, ...rest };
  });
}

/** Removes comments. Line numbers stay the same, because findings report them. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

function withoutStrings(text: string): string {
  return text.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

function filesBelow(folder: string, extension: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
