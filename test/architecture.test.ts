import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';

/** What a folder, or a file at the top of src, may import. Whatever is not listed is forbidden. */
interface Row {
  /** Folders or files of src whose functions and classes it may call. */
  readonly values: readonly string[];
  /** Those of which it may know the types only; who stands behind them is the composition root's to say. */
  readonly types: readonly string[];
  readonly packages: readonly string[];
}

const PURE: Row = { values: [], types: [], packages: [] };

const MAY_IMPORT: Readonly<Record<string, Row>> = {
  domain: { ...PURE, values: ['eventsourcing/decider.ts'], types: ['eventsourcing/event-log.ts'], packages: ['zod'] },
  eventsourcing: {
    ...PURE,
    packages: [
      'level', 'lru-cache', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:timers/promises',
      'node:util', 'node:zlib',
    ],
  },
  policy: { ...PURE, values: ['domain/scope.ts'] },
  projections: { ...PURE, values: ['domain'], types: ['eventsourcing'] },
  audit: { values: ['domain/events.ts', 'domain/values.ts'], types: ['eventsourcing'], packages: ['node:crypto'] },
  transparency: { ...PURE, packages: ['node:crypto'] },
  attestation: {
    values: ['audit', 'eventsourcing/event-log.ts', 'eventsourcing/record.ts', 'storage/private-files.ts', 'transparency'],
    types: ['eventsourcing', 'ports.ts'],
    packages: [
      'node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:timers/promises', 'node:worker_threads',
    ],
  },
  abuse: { ...PURE, types: ['eventsourcing/once.ts', 'ports.ts'], packages: ['node:crypto'] },
  snapshots: {
    values: ['storage/private-files.ts'],
    types: ['eventsourcing'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'node:timers/promises'],
  },
  storage: {
    ...PURE, types: ['domain/values.ts', 'ports.ts'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
  },
  hashing: { ...PURE, values: ['domain/password-hashes.ts'], types: ['domain/values.ts', 'eventsourcing/event-log.ts', 'eventsourcing/once.ts', 'ports.ts'] },
  accounts: {
    values: [
      'domain', 'eventsourcing/decide-again.ts', 'eventsourcing/event-log.ts', 'hashing', 'key-removal.ts',
      'lost-keys.ts', 'seals.ts',
    ],
    types: ['abuse', 'even-verifier.ts', 'eventsourcing', 'ports.ts', 'projections', 'storage'],
    packages: ['@simplewebauthn/server', '@simplewebauthn/server/helpers', 'node:crypto', 'node:net', 'zod'],
  },
  refusals: { ...PURE, types: ['abuse', 'domain'], packages: ['lru-cache'] },
  oauth: {
    values: [
      'domain', 'eventsourcing/decide-again.ts', 'hashing/caller.ts', 'hashing/hashing-overloaded.ts',
      'input-limits.ts', 'key-removal.ts', 'lost-keys.ts', 'refusals', 'seals.ts',
    ],
    types: ['abuse', 'even-verifier.ts', 'eventsourcing', 'hashing', 'ports.ts', 'projections', 'storage'],
    packages: ['lru-cache', 'node:crypto'],
  },
  http: {
    values: ['abuse/too-many-attempts.ts', 'accounts/last-administrator.ts', 'accounts/password-advice.ts', 'domain', 'eventsourcing/decide-again.ts', 'eventsourcing/event-log.ts', 'eventsourcing/export-line.ts', 'eventsourcing/out-of-space.ts', 'growing-buffer.ts', 'hashing/caller.ts', 'hashing/hashing-once.ts', 'hashing/hashing-overloaded.ts', 'input-limits.ts', 'inquiry', 'key-removal.ts', 'oauth', 'policy', 'refusals', 'resource-server/introspection-unavailable.ts', 'settings-in-force.ts', 'slots.ts', 'transparency'],
    types: ['abuse', 'accounts', 'attestation', 'config.ts', 'eventsourcing', 'hashing', 'monitoring', 'ports.ts', 'projections'],
    packages: [
      '@koa/router', '@opentelemetry/api', 'ejs', 'keygrip', 'koa', 'koa-session',
      'node:buffer', 'node:crypto', 'node:events', 'node:fs', 'node:http', 'node:net', 'node:path', 'node:querystring', 'node:stream', 'node:timers/promises', 'node:url', 'node:util', 'node:zlib',
    ],
  },
  'moving-in': { ...PURE, values: ['domain', 'input-limits.ts'], packages: ['zod'] },
  inquiry: { ...PURE, values: ['domain'], types: ['eventsourcing', 'projections'] },
  'what-if': { ...PURE, values: ['config.ts', 'domain', 'eventsourcing/event-log.ts', 'input-limits.ts', 'oauth', 'settings.ts'], types: ['eventsourcing', 'projections'], packages: ['node:timers/promises'] },
  'resource-server': { ...PURE, values: ['domain/scope.ts', 'growing-buffer.ts', 'ports.ts', 'slots.ts'], packages: ['lru-cache', 'node:crypto'] },
  admin: {
    values: [
      'accounts/last-administrator.ts', 'attestation', 'audit', 'backup', 'clock-behind.ts', 'config.ts', 'domain',
      'eventsourcing/decide-again.ts', 'eventsourcing/event-log.ts', 'eventsourcing/export-line.ts',
      'input-limits.ts', 'inquiry',
      'moving-in', 'oauth/credentials.ts', 'oauth/new-credentials.ts', 'oauth/registration.ts',
      'oauth/unsealed-secrets.ts', 'open-files.ts', 'refusals/explanations.ts', 'transparency', 'what-if',
    ],
    types: [
      'accounts', 'eventsourcing', 'lost-keys.ts', 'oauth/lost-client-keys.ts', 'ports.ts', 'projections', 'storage',
    ],
    packages: ['node:events', 'node:stream', 'node:timers/promises', 'zod'],
  },
  backup: {
    values: ['admin/refused.ts', 'attestation', 'eventsourcing', 'storage', 'transparency'],
    types: ['domain/values.ts', 'ports.ts'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path', 'zod'],
  },
  control: {
    ...PURE,
    values: ['admin/refused.ts', 'growing-buffer.ts', 'open-files.ts'],
    packages: ['node:events', 'node:fs/promises', 'node:net', 'node:path'],
  },
  cli: {
    values: [
      'addresses.ts', 'admin', 'attestation/bundle-directory.ts', 'attestation/issued-checkpoints.ts',
      'attestation/verify-bundle.ts', 'backup', 'config.ts', 'control', 'did-you-mean.ts', 'domain/values.ts',
      'eventsourcing/out-of-space.ts', 'inquiry', 'keys-use.ts', 'monitoring/request-lines.ts', 'moving-in',
      'oauth/redirect-uris.ts', 'open-files.ts', 'repair', 'settings-in-force.ts',
      'ports.ts', 'settings-schema.ts', 'storage',
    ],
    types: ['accounts', 'attestation', 'eventsourcing', 'projections', 'what-if'],
    packages: [
      'commander', 'node:events', 'node:fs', 'node:http', 'node:net', 'node:path', 'node:stream', 'node:tls',
      'pino', 'pino-pretty', 'zod',
    ],
  },
  monitoring: { ...PURE, types: ['eventsourcing', 'ports.ts'], packages: ['node:fs/promises', 'node:path', 'node:perf_hooks', 'pino', 'prom-client'] },
  'addresses.ts': PURE,
  'clock-behind.ts': { ...PURE, values: ['domain/clock.ts'] },
  'growing-buffer.ts': PURE,
  'input-limits.ts': { ...PURE, values: ['domain/lengths.ts', 'domain/normal-form.ts'] },
  'did-you-mean.ts': PURE,
  'open-files.ts': { ...PURE, packages: ['node:net'] },
  'slots.ts': PURE,
  'key-removal.ts': PURE,
  'lost-keys.ts': PURE,
  'seals.ts': { ...PURE, types: ['ports.ts'], packages: ['node:crypto'] },
  'vaults.ts': {
    ...PURE, values: ['accounts', 'domain/streams.ts', 'oauth', 'storage'],
    types: ['domain', 'ports.ts', 'projections'],
  },
  'even-verifier.ts': { ...PURE, values: ['domain/password-hashes.ts'], types: ['ports.ts'] },
  'ports.ts': { ...PURE, values: ['domain/password-hashes.ts'], packages: ['@node-rs/argon2', 'node:crypto', 'node:os', 'node:perf_hooks', 'node:util'] },
  'settings.ts': { ...PURE, values: ['addresses.ts', 'domain/scope.ts', 'domain/values.ts'], packages: ['zod'] },
  'effective-defaults.ts': { ...PURE, values: ['settings.ts'], packages: ['zod'] },
  'settings-in-force.ts': { ...PURE, values: ['effective-defaults.ts', 'settings.ts'], types: ['config.ts'] },
  'settings-schema.ts': { ...PURE, values: ['effective-defaults.ts', 'settings.ts'], packages: ['zod'] },
  'config.ts': {
    ...PURE, values: ['did-you-mean.ts', 'effective-defaults.ts', 'settings.ts'], types: ['domain/values.ts'],
  },
  'keys-use.ts': { values: ['attestation'], types: ['storage'], packages: ['node:fs', 'node:path'] },
  'data-directory.ts': {
    values: ['attestation', 'domain/streams.ts', 'eventsourcing', 'keys-use.ts', 'snapshots', 'storage'],
    types: ['ports.ts'],
    packages: ['node:path'],
  },
  'projected.ts': {
    values: ['attestation', 'eventsourcing', 'projections'],
    types: ['snapshots'],
    packages: [],
  },
  'inspection.ts': {
    values: [
      'attestation', 'data-directory.ts', 'eventsourcing', 'projected.ts', 'snapshots', 'vaults.ts',
    ],
    types: ['config.ts', 'ports.ts'],
    packages: [],
  },
  repair: {
    values: [
      'admin/refused.ts', 'attestation', 'data-directory.ts', 'eventsourcing', 'keys-use.ts', 'storage', 'transparency',
    ],
    types: ['ports.ts'],
    packages: ['node:fs', 'node:path'],
  },
  'open-service.ts': {
    values: ['attestation/recorded-head.ts', 'data-directory.ts', 'eventsourcing/event-log.ts', 'service.ts', 'storage'],
    types: ['config.ts'],
    packages: [],
  },
  'command-handlers.ts': { ...PURE, values: ['domain', 'eventsourcing'] },
  'service.ts': {
    values: [
      'abuse', 'accounts', 'attestation', 'clock-behind.ts', 'command-handlers.ts', 'data-directory.ts', 'domain',
      'even-verifier.ts', 'eventsourcing', 'hashing', 'monitoring', 'oauth', 'policy', 'projected.ts', 'projections', 'refusals',
      'snapshots', 'storage', 'vaults.ts',
    ],
    types: ['config.ts', 'ports.ts'],
    packages: [],
  },
};

/** Where a process or a library begins: they join what nobody else may see together. */
const ENTRY_POINTS = ['main.ts', 'index.ts'];

/** Longer than a reader can hold at once, each for a reason. */
const MAX_LINES = 250;
const LONG_FOR_A_REASON: Readonly<Record<string, string>> = {
  'domain/authorization-grant.ts': 'one stream, one decider: its commands, its rules and its state change together',
  'domain/events.ts': 'one schema for each event: a reader looks for all of them in one place',
};

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
  /** Without comments and without what strings say. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const sources = filesBelow(SRC, '.ts').map(readSource);

describe('the architecture', () => {
  it('lets imports go one way: whatever is not in the table is forbidden', () => {
    const forbidden = sources.filter(({ path }) => !ENTRY_POINTS.includes(path)).flatMap(({ imports }) => imports).filter((edge) => !isAllowed(edge));
    expect(forbidden.map(({ from, to, typeOnly }) => `${from} → ${to}${typeOnly ? ' (types)' : ''}`)).to.deep.equal([]);
  });

  it('has no circle of imports, once types are erased', () => {
    expect(circles()).to.deep.equal([]);
  });

  it('keeps the web framework and the templates in http', () => {
    const web = /^(koa|@koa\/|ejs|keygrip)/;
    const outside = importers((to) => web.test(to), (path) => !path.startsWith('http/') && path !== 'index.ts');
    expect(outside).to.deep.equal([]);
    expect(sources.find(({ path }) => path === 'index.ts')?.imports.every(({ to, typeOnly }) => !web.test(to) || typeOnly) ?? true).to.equal(true);
  });

  it('keeps LevelDB in its engine', () => {
    expect(importers((to) => to === 'level', (path) => !path.startsWith('eventsourcing/engines/level'))).to.deep.equal([]);
  });

  it('keeps schemas out of deciders: in the domain only events.ts knows zod', () => {
    expect(importers((to) => to === 'zod', (path) => path.startsWith('domain/') && path !== 'domain/events.ts')).to.deep.equal([]);
  });

  it('keeps the domain and the policies pure: no effect, no time, no chance, no waiting', () => {
    const impure = /\bDate\b|\bMath\.random\b|\bPromise\b|\basync\b|\bawait\b|\bprocess\b|\bsetTimeout\b|\bglobalThis\b|\bconsole\b|\bBuffer\b/;
    expect(where(impure, ({ path }) => /^(domain|policy)\//.test(path))).to.deep.equal([]);
  });

  it('reads the environment in main.ts alone', () => {
    expect(where(/\bprocess\s*\.\s*env\b|\bprocess\s*\[/, ({ path }) => path !== 'main.ts')).to.deep.equal([]);
  });

  it('asks for the time and for randomness in ports.ts alone', () => {
    const ambient = /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bhrtime\b|\brandomBytes\b|\brandomFill(Sync)?\b|\brandomInt\b|\brandomUUID\b|\bMath\.random\b|\bgetRandomValues\b/;
    expect(where(ambient, ({ path }) => path !== 'ports.ts')).to.deep.equal([]);
  });

  it('has no `any` and no silenced compiler', () => {
    expect(where(/(?:[:<|&,(]|\bas|\bextends|=>)\s*any\b(?!\s*[('])/, () => true)).to.deep.equal([]);
    const silenced = sources.filter(({ text }) => /@ts-(?:ignore|nocheck|expect-error)|oxlint-disable|eslint-disable/.test(text));
    expect(silenced.map(({ path }) => path)).to.deep.equal([]);
  });

  it(`has no file of more than ${MAX_LINES} lines but those with a reason`, () => {
    const long = sources.filter(({ text }) => text.split('\n').length > MAX_LINES).map(({ path }) => path);
    expect(long.filter((path) => LONG_FOR_A_REASON[path] === undefined)).to.deep.equal([]);
  });

  it('exports nothing that nobody uses', () => {
    expect(deadExports()).to.deep.equal([]);
  });

  it('reads the input of callers only in the readers that check limits', () => {
    const readers: readonly (readonly [what: RegExp, files: readonly string[]])[] = [
      [/\breq\.(?:url|headers)\b|\b(?:ctx|request)\.headers\b|\bctx\.get\(|\bheaders\b[^}]*\}: (?:Pick<)?RequestContext/, [
        'http/request-head.ts',
        'http/read-body.ts', // Content-Length
        'http/middleware/trace-requests.ts', // handed to OpenTelemetry
        'http/middleware/bearer-token.ts', // part of the public API, and usable without the rest
      ]],
      [/\bctx\.(?:query|querystring|search|originalUrl|href|host|hostname|origin|URL)\b/, []],
      [/\['params'\]|\bctx\.params\b/, ['http/path-parameter.ts', 'http/dispatch.ts']],
      [/\b(?:req|request)\.(?:on|once)\('data'/, ['http/read-body.ts']],
    ];
    for (const [what, files] of readers) {
      const found = where(what, ({ path }) => path.startsWith('http/'), ({ text }) => withoutComments(text));
      const elsewhere = found.filter((line) => !files.some((file) => line.startsWith(`${file}:`)));
      expect(elsewhere, String(what)).to.deep.equal([]);
      const idle = files.filter((file) => !found.some((line) => line.startsWith(`${file}:`)));
      expect(idle, 'these read nothing any more').to.deep.equal([]);
    }
  });

  it('limits every text that operations and imports take', () => {
    const unlimited = /z\.string\(\)(?!(?:\.min\(1\))?\.max\()/;
    const checkedAfterwards = 'moving-in/django-oauth-toolkit.ts'; // its result has to pass the schema of entries
    const isMeant = ({ path }: Source): boolean => /^(?:admin|moving-in)\//.test(path) && path !== checkedAfterwards;
    expect(where(unlimited, isMeant)).to.deep.equal([]);
  });

  it('says nothing of the machine that it was written on', () => {
    const local = /(?:^|[\s"'`(=:])\/(?:home|root|Users|work|mnt|srv)\/\w/m;
    const texts = ['src', 'test', 'scripts', 'views', 'static', 'bench', 'docs'].flatMap((folder) => filesBelow(join(ROOT, folder), ''));
    const named = [...texts, ...['README.md', 'package.json'].map((file) => join(ROOT, file))].filter((file) => local.test(readIfThere(file)));
    expect(named.map((file) => relative(ROOT, file))).to.deep.equal([]);
  });
});

function isAllowed({ from, to, isInternal, typeOnly }: Import): boolean {
  const [home] = from.split('/');
  const row = MAY_IMPORT[home ?? ''];
  if (row === undefined) return false;
  if (!isInternal) return row.packages.includes(to);
  if (from.includes('/') && to.startsWith(`${home}/`)) return true;
  const open = typeOnly ? [...row.values, ...row.types] : row.values;
  return open.some((place) => to === place || to.startsWith(`${place}/`));
}

function circles(): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.filter(({ isInternal, typeOnly }) => isInternal && !typeOnly).map(({ to }) => to)]));
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }
  for (const { path } of sources) visit(path, []);
  return found;
}

function importers(isIt: (to: string) => boolean, isWrong: (path: string) => boolean): readonly string[] {
  return sources.flatMap(({ imports }) => imports).filter(({ from, to }) => isIt(to) && isWrong(from)).map(({ from, to }) => `${from} → ${to}`);
}

/** @param linesOf the text to search; by default without comments and the content of strings */
function where(
  pattern: RegExp,
  isMeant: (source: Source) => boolean,
  linesOf = ({ code }: Source): string => code,
): readonly string[] {
  return sources.filter(isMeant).flatMap((source) => linesOf(source).split('\n').flatMap((line, index) =>
    (pattern.test(line) ? [`${source.path}:${index + 1} ${line.trim()}`] : [])));
}

/**
 * A type may be exported because another export of its file speaks of it, an error because a docstring
 * promises it; any other value must be wanted by somebody.
 */
function deadExports(): readonly string[] {
  const others = ['test', 'scripts', 'bench'].flatMap((folder) => filesBelow(join(ROOT, folder), '.ts')).map(readSource);
  const used = new Set([...sources, ...others].flatMap(({ imports }) => imports).flatMap(({ to, names }) => names.map((name) => `${to}#${name}`)));
  return sources.filter(({ path }) => !ENTRY_POINTS.includes(path)).flatMap(({ path, code, text }) =>
    [...code.matchAll(/^export (?:declare )?(?:async )?(const|let|function\*?|class|interface|type) (\w+)/gm)].flatMap(([, kind = '', name = '']) => {
      const isSpokenOf = /interface|type/.test(kind) && code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length !== 1;
      const isPromised = kind === 'class' && text.includes(`@throws ${name}`);
      return used.has(`${path}#${name}`) || isSpokenOf || isPromised ? [] : [`${path}: ${name}`];
    }));
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const path = relative(SRC, file);
  const bare = withoutComments(text);
  return { path, text, code: withoutStrings(bare), imports: importsOf(file, path, bare) };
}

function importsOf(file: string, from: string, text: string): readonly Import[] {
  const stated = [...text.matchAll(/^(?:import|export)\s+(type\s)?([\w*\s{},]*?)\s*from\s*'([^']+)'/gm)].map(([, type, clause = '', target = '']) => {
    const names = clause.replaceAll(/[{}]/g, ',').split(',').map((name) => name.trim()).filter((name) => name !== '');
    const typeOnly = type !== undefined || names.every((name) => name.startsWith('type '));
    return { typeOnly, target, names: names.map((name) => name.replace(/^type /, '').replace(/ as \w+$/, '')) };
  });
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm)].map(([, called, bare]) => ({ typeOnly: false, target: called ?? bare ?? '', names: [] }));
  return [...stated, ...dynamic].map(({ target, ...rest }) => {
    const isInternal = target.startsWith('.');
    return { from, to: isInternal ? relative(SRC, join(dirname(file), target)) : target, isInternal, ...rest };
  });
}

/** Lines stay where they are, so that a finding can be named by its line. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' ')).replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

function withoutStrings(text: string): string {
  return text.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

function filesBelow(folder: string, ending: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
