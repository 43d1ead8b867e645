import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { copyCheckout } from '../support/checkout.ts';
import { startPackageRegistry, listProductionPackages } from '../support/package-registry.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';

const MAX_BYTES = 2.5 * 1024 * 1024;
const { PATH = '' } = process.env;
const DEVELOPMENT_PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** A TypeScript program that uses the package's declarations and the types of its optional peers. */
const EMBEDDING_PROGRAM = `
import { bearerToken, createGrantlog, policies, remoteIntrospection, requirePolicy, type Grantlog } from 'grantlog';
const app: Grantlog = await createGrantlog({ dataDir: './data', issuer: 'http://localhost:8000' });
const endpoint = 'https://login.example/o/introspect/';
app.use(bearerToken({ find: remoteIntrospection({ endpoint, clientId: 'id', clientSecret: 'secret' }) }));
app.use(requirePolicy(policies.allScopes(['read'])));
app.use((ctx) => { ctx.body = ctx.state.principal satisfies { kind: string }; });
// @ts-expect-error a setting that does not exist
await createGrantlog({ dataDirectory: './data' });
`;

interface PackResult {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Runs `npm pack` and installs the package into an empty directory. A registry on the loopback interface offers only
 * this installation's production packages (`startPackageRegistry`), so the test needs no network, and fails if the
 * server needs a development dependency.
 */
describe('The npm package', function () {
  this.timeout(180_000);

  let checkout: ReturnType<typeof copyCheckout>;
  let directory: string;
  let packResult: PackResult;
  let server: ServerProcess | undefined;

  before(async () => {
    checkout = copyCheckout();
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'grantlog-package-')));
    const { stdout } = await npm(checkout.path, ['pack', '--json', '--pack-destination', directory]);
    const [result] = JSON.parse(stdout) as [PackResult];
    packResult = result;
    // A version that `grantlog --version` would show if it read the working directory.
    writeFileSync(join(directory, 'package.json'), '{ "name": "operator", "version": "99.0.0", "private": true }');
    const registry = await startPackageRegistry();
    try {
      await npm(directory, ['install', '--ignore-scripts', '--registry', registry.url, `./${packResult.filename}`]);
    } finally {
      await registry.close();
    }
  });
  after(async () => {
    await server?.destroy();
    checkout.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Runs npm without the current user's configuration and cache. */
  function npm(cwd: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
    const options = ['--no-audit', '--no-fund', '--no-update-notifier', '--cache', join(directory, 'npm-cache')];
    return promisify(execFile)('npm', [...args, ...options], { cwd, env: { PATH, HOME: directory } });
  }

  const installedPath = (...path: readonly string[]): string => join(directory, 'node_modules', 'grantlog', ...path);
  const commandPath = (): string => join(directory, 'node_modules', '.bin', 'grantlog');
  async function grantlog(args: readonly string[], dataDir = ''): Promise<string> {
    const options = { cwd: directory, env: { PATH, DATA_DIR: dataDir } };
    return (await promisify(execFile)(commandPath(), args, options)).stdout;
  }

  it('contains the built program, but no sources, tests, build state or source maps', () => {
    const paths = packResult.files.map(({ path }) => path);
    expect(paths).to.include.members(['dist/main.js', 'dist/index.js', 'dist/index.d.ts', 'README.md']);
    expect(paths.filter((path) => /^(?:src|test|node_modules)\/|\.tsbuildinfo$|\.map$/.test(path))).to.deep.equal([]);
    const filesWithSourceMap = paths
      .filter((path) => /^dist\/.*\.js$/.test(path))
      .filter((path) => readFileSync(installedPath(path), 'utf8').includes('sourceMappingURL'));
    expect(filesWithSourceMap, 'files that refer to a source map').to.deep.equal([]);
  });

  it('contains every file that is listed in "files", "bin" and "exports"', () => {
    const manifest = JSON.parse(readFileSync(installedPath('package.json'), 'utf8')) as {
      readonly files: readonly string[];
      readonly bin: Readonly<Record<string, string>>;
      readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
    };
    const exportedPaths = Object.values(manifest.exports).flatMap((conditions) => Object.values(conditions));
    const patterns = manifest.files.filter((pattern) => !pattern.startsWith('!'));
    for (const path of [...patterns, ...Object.values(manifest.bin), ...exportedPaths]) {
      expect(existsSync(installedPath(path)), path).to.equal(true);
    }
  });

  it(`is smaller than ${MAX_BYTES} bytes`, () => {
    expect(packResult.size).to.be.below(MAX_BYTES);
  });

  it('is built with a lock file that npm ci accepts', async () => {
    const lockedDirectory = join(directory, 'locked');
    mkdirSync(lockedDirectory);
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(checkout.path, file), join(lockedDirectory, file));
    const { stdout } = await npm(lockedDirectory, ['ci', '--dry-run', '--offline', '--ignore-scripts']);
    expect(stdout).to.match(/added \d+ packages/);
  });

  it('depends on only one package with an install script, which contains the binary for this machine', () => {
    const packagesWithScripts = [...listProductionPackages()].filter(
      ([, { hasInstallScript }]) => hasInstallScript === true,
    );
    expect(packagesWithScripts.map(([path]) => path)).to.deep.equal(['node_modules/classic-level']);
    const levelDirectory = join(directory, 'node_modules', 'classic-level');
    const { scripts } = JSON.parse(readFileSync(join(levelDirectory, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$/.test(name))).to.deep.equal(['install']);
    expect(scripts['install'], 'the script finds the binary without a download').to.equal('node-gyp-build');
    expect(existsSync(join(levelDirectory, 'build')), 'not built from source').to.equal(false);
  });

  it('has declarations that compile in a strict program, even without skipLibCheck', async () => {
    symlinkSync(join(DEVELOPMENT_PACKAGES, '@types'), join(directory, 'node_modules', '@types'));
    writeFileSync(join(directory, 'program.mts'), EMBEDDING_PROGRAM);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const compiler = join(DEVELOPMENT_PACKAGES, 'typescript', 'bin', 'tsc');
    const compilation = promisify(execFile)(process.execPath, [compiler, ...options, 'program.mts'], {
      cwd: directory,
    });
    expect((await compilation.catch((error: unknown) => error as typeof compilation)) as object).to.include({
      stdout: '',
    });
  });

  it('reports its own version even if the working directory contains a different package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      readonly version: string;
    };
    expect((await grantlog(['--version'])).trim()).to.equal(version);
    expect(await grantlog(['--help']))
      .to.match(/^Usage: grantlog /)
      .and.to.include('serve');
  });

  it('contains examples that run in the installed package', async () => {
    const example = await startServer(join(directory, 'tasks'), {
      cwd: directory,
      command: [process.execPath, installedPath('examples', 'embedded', 'server.mjs')],
    });
    try {
      expect((await fetch(`${example.origin}/tasks`)).status).to.equal(401);
    } finally {
      await example.destroy();
    }
  });

  it('serves pages and scripts and issues tokens from an installation, and stops on SIGTERM', async () => {
    const dataDir = join(directory, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    server = await startServer(dataDir, { cwd: directory, command: [commandPath(), 'serve'] });
    const { origin } = server;
    const login = await fetch(`${origin}/accounts/login/`);
    expect([login.status, login.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const assets = [...(await login.text()).matchAll(/(?:href|src)="(\/static\/[^"#]+)/g)].map(([, path = '']) => path);
    expect(assets).to.have.length.above(2);
    for (const path of new Set(assets)) expect((await fetch(origin + path)).status, path).to.equal(200);

    const clientOptions = ['--type', 'confidential', '--grant', 'client-credentials'];
    const output = await grantlog(['client', 'add', '--name', 'Nightly', ...clientOptions, '--json'], dataDir);
    const { client_id: id = '', client_secret: secret = '' } = JSON.parse(output) as Readonly<Record<string, string>>;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    const response = await fetch(`${origin}/o/token/`, { method: 'POST', body: form });
    expect(await response.json()).to.include({ token_type: 'Bearer', scope: 'read write' });

    server.kill('SIGTERM');
    expect(await server.exitStatus, server.output()).to.equal(0);
    expect(await grantlog(['log', 'verify'], dataDir)).to.match(/of \d+ records/);
  });
});
