import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { DRAIN_TIMEOUT_MILLISECONDS } from '../src/cli/drain.ts';
import { readConfig } from '../src/config/config.ts';
import { FILES_FOR_MAX_CONNECTIONS } from '../src/platform/open-files.ts';
import { environmentName, SETTING_NAMES } from '../src/config/settings.ts';
import { findFreePort } from './support/free-port.ts';
import { startServer } from './support/server-process.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const MANIFEST = JSON.parse(readText('package.json')) as {
  readonly version: string;
  readonly files: readonly string[];
  readonly bin: { readonly grantlog: string };
  readonly engines: { readonly node: string };
};
const SHIPPED_PATHS = MANIFEST.files.filter((path) => !path.startsWith('!'));
const BUILD_DIRECTORY = 'dist';

/** Expects the server to accept the environment variables, and the sample API to be off. */
function expectSettings(words: readonly string[]): void {
  const environment = Object.fromEntries(words.map((word) => [word.replace(/=.*/, ''), word.replace(/^\w+=/, '')]));
  const names = ['NODE_ENV', 'GRANTLOG_CONFIG', ...SETTING_NAMES.map(environmentName)];
  expect(Object.keys(environment).filter((name) => !names.includes(name))).to.deep.equal([]);
  const { config } = readConfig(environment, () => readText('deploy/grantlog.json'));
  expect(config.sampleApi).to.equal(false);
}

/** Expects the `serve` command, with options that this version of Node.js accepts. */
function expectServe(words: readonly string[], packageDirectory: string): void {
  const [node, ...rest] = words;
  const options = rest.filter((word) => word.startsWith('--'));
  expect([node, ...rest.filter((word) => !word.startsWith('--'))]).to.deep.equal([
    'node',
    join(packageDirectory, MANIFEST.bin.grantlog),
    'serve',
  ]);
  const { status, stderr } = spawnSync(process.execPath, [...options, '--eval', '0'], { encoding: 'utf8' });
  expect({ status, stderr }, 'Node.js with these options').to.deep.equal({ status: 0, stderr: '' });
}

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** Returns the stages of a Dockerfile. Each begins with FROM. */
function parseStages(text: string): readonly (readonly Instruction[])[] {
  const joinedLines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\s*\\\n\s*/g, ' ');
  const lines = joinedLines.split('\n').filter((line) => line !== '');
  const stages: Instruction[][] = [[]];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? expect.fail(`no instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages.slice(1);
}

describe('the container image', () => {
  const [build = [], image = [], ...otherStages] = parseStages(readText('Dockerfile'));
  const valuesOf = (stage: readonly Instruction[], instruction: string): readonly string[] =>
    stage.filter(({ name }) => name === instruction).map(({ value }) => value);
  function onlyValueOf(instruction: string): string {
    const [value = expect.fail(`no ${instruction}`), ...otherValues] = valuesOf(image, instruction);
    expect(otherValues, instruction).to.deep.equal([]);
    return value;
  }
  const parseList = (text: string): readonly string[] => JSON.parse(text) as readonly string[];
  const dockerignoreLines = readText('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isInContext = (path: string): boolean =>
    dockerignoreLines.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`));

  it('contains exactly what npm packs, plus the production packages in the lock file', () => {
    expect(otherStages).to.deep.equal([]);
    const [install = '', pack = '', ...otherCommands] = valuesOf(build, 'RUN');
    expect(otherCommands).to.deep.equal([]);
    expect(install).to.match(/^npm ci --ignore-scripts /);
    expect(pack.split(' && ')).to.deep.equal([
      'npm pack --pack-destination /tmp',
      'mkdir /package',
      'tar -xzf /tmp/grantlog-*.tgz -C /package --strip-components=1',
      'npm prune --omit=dev --ignore-scripts --no-audit --no-fund',
      'mv node_modules /package/node_modules',
    ]);
    expect(valuesOf(image, 'COPY')).to.deep.equal(['--from=build /package /app']);
    expect(valuesOf(build, 'FROM')[0]).to.equal('${NODE_IMAGE} AS build');
    expect(onlyValueOf('FROM')).to.equal('${NODE_IMAGE}');
  });

  it('is built from a context with everything that it needs', () => {
    expect(dockerignoreLines[0], 'the line that excludes everything that is not listed').to.equal('*');
    expect(dockerignoreLines.slice(1).filter((line) => !/^![\w./-]+$/.test(line))).to.deep.equal([]);
    const sources = SHIPPED_PATHS.filter((path) => !`${path}/`.startsWith(`${BUILD_DIRECTORY}/`));
    const neededPaths = [...sources, 'src', 'package.json', 'package-lock.json'];
    for (const path of [...neededPaths, 'tsconfig.json', 'tsconfig.build.json', 'README.md']) {
      expect(isInContext(path), path).to.equal(true);
      expect(execFileSync('git', ['ls-files', path], { cwd: ROOT, encoding: 'utf8' }), path).not.to.equal('');
    }
    for (const path of ['data', BUILD_DIRECTORY, 'node_modules', '.git', '.env', 'test', 'demo.json']) {
      expect(isInContext(path), path).to.equal(false);
    }
  });

  it('runs as a numeric user id, which owns the data volume', () => {
    const [, user = ''] = /^([1-9]\d*):\1$/.exec(onlyValueOf('USER')) ?? expect.fail('not a number');
    const volume = parseList(onlyValueOf('VOLUME'))[0] ?? '';
    expect(onlyValueOf('RUN')).to.include(`install -d -o ${user} -g ${user} -m 0700 ${volume} `);
    expect(onlyValueOf('ENV').split(' ')).to.include.members([
      `DATA_DIR=${volume}`,
      `PORT=${onlyValueOf('EXPOSE')}`,
      'HOST=0.0.0.0',
    ]);
    expectSettings(onlyValueOf('ENV').split(' '));
    expectServe([...parseList(onlyValueOf('ENTRYPOINT')), ...parseList(onlyValueOf('CMD'))], '/app');
    expect(onlyValueOf('STOPSIGNAL')).to.equal('SIGTERM');
  });

  it('has the package version and a supported Node.js release', () => {
    expect(valuesOf(image, 'ARG')).to.include(`VERSION=${MANIFEST.version}`);
    const [, major = ''] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readText('Dockerfile')) ?? [];
    expect(MANIFEST.engines.node).to.include(`>=${major}.`);
  });

  it('has a health check that passes while the server responds, and fails otherwise', async () => {
    const check = parseList(/ CMD (\[.*\])$/.exec(onlyValueOf('HEALTHCHECK'))?.[1] ?? '[]');
    async function statusAt(port: string): Promise<number> {
      const execution = promisify(execFile)(process.execPath, check.slice(1), { env: { PORT: port } });
      return execution.then(
        () => 0,
        ({ code }: { readonly code: number }) => code,
      );
    }
    expect(check[0]).to.equal('node');
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-image-'));
    const server = await startServer(join(directory, 'data'));
    try {
      expect(await statusAt(new URL(server.origin).port)).to.equal(0);
      expect(await statusAt(String(await findFreePort()))).to.equal(1);
    } finally {
      await server.destroy();
      rmSync(directory, { recursive: true });
    }
  });
});

describe('the container cluster example', () => {
  const text = readText('examples/compose.yaml');
  const secrets = { POSTGRES_PASSWORD: 'a'.repeat(32), GRANTLOG_KEYS_SECRET: 'b'.repeat(64) };
  const filledText = Object.entries(secrets).reduce(
    (partlyFilledText, [name, value]) => partlyFilledText.replaceAll(`\${${name}:?is not set}`, value),
    text,
  );
  const settings = /environment: &settings\n((?: {4}.*\n)+)/.exec(filledText)?.[1] ?? '';

  it('has settings that the server accepts', () => {
    const words = settings.split('\n').flatMap((line) => {
      const [, name, value = ''] = /^ {4}(\w+): (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [`${name}=${value.replaceAll("'", '')}`];
    });
    expect(words.map((word) => word.replace(/=.*/, ''))).to.include.members(['GRANTLOG_LOG', 'GRANTLOG_KEYS']);
    expectSettings([...words, 'GRANTLOG_SAMPLE_API=false']); // set by the image
  });

  it('contains no secret, and requires each secret in a variable', () => {
    expect([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)).to.have.members([
      'POSTGRES_PASSWORD',
      'POSTGRES_PASSWORD',
      'GRANTLOG_KEYS_SECRET',
    ]);
    for (const name of Object.keys(secrets)) expect(text).to.match(new RegExp(`^# .*${name}=\\$\\(openssl rand`, 'm'));
  });

  it('sends requests to all of its nodes, each of which has its own volume', () => {
    const nodes = [...text.matchAll(/^ {2}(node-\d+):\n {4}<<: \*node\n/gm)].map(([, name]) => name);
    expect(nodes).to.have.lengthOf(3);
    expect(text).to.include(`reverse_proxy ${nodes.map((name) => `${name}:8000`).join(' ')} {`);
    for (const name of nodes) expect(text).to.include(`volumes: ['${name}:/data']`);
  });

  it('migrates the schema with an existing command before the nodes start', () => {
    const command = /command: (\w+)/.exec(text)?.[1] ?? '';
    const help = execFileSync(process.execPath, ['dist/main.js', '--help'], { cwd: ROOT, encoding: 'utf8' });
    expect(help).to.match(new RegExp(`^  ${command}\\b`, 'm'));
    expect(text).to.match(/migrate:\n {6}condition: service_completed_successfully/);
  });
});

describe('the deployment documentation', () => {
  const text = readText('docs/deployment.md');
  const findAll = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, match = '']) => match);

  it('mentions only existing settings, commands, packages and files', () => {
    const names = ['GRANTLOG_CONFIG', ...SETTING_NAMES.map(environmentName)];
    const settings = findAll(/\b(GRANTLOG_[A-Z_]+|ISSUER|DATA_DIR|HOST|PORT)\b/g);
    expect(settings.filter((name) => !names.includes(name))).to.deep.equal([]);
    const help = execFileSync(process.execPath, ['dist/main.js', '--help'], { cwd: ROOT, encoding: 'utf8' });
    const commands = findAll(/(?:^|`|grantlog )grantlog ([a-z]+)/gm);
    expect(commands).to.include.members(['backup', 'doctor', 'log', 'user']);
    for (const command of commands) expect(help).to.match(new RegExp(`^  ${command}\\b`, 'm'));
    expect(new Set(findAll(/grantlog[-:](\d+\.\d+\.\d+)/g))).to.deep.equal(new Set([MANIFEST.version]));
    for (const path of findAll(/\]\(([^)#]+)\)/g)) expect(existsSync(join(ROOT, 'docs', path)), path).to.equal(true);
    for (const path of findAll(/\b(grantlog\.(?:service|sysusers|json)) /g)) {
      expect(existsSync(join(ROOT, 'deploy', path)), path).to.equal(true);
    }
  });
});

describe('the systemd unit', () => {
  const PATH = 'deploy/grantlog.service';
  const lines = readText(PATH)
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  const valuesOf = (key: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const onlyValueOf = (key: string): string => {
    const values = valuesOf(key);
    expect(values, key).to.have.length(1);
    return values[0] ?? '';
  };

  it('runs the command of an installed package with existing settings', () => {
    expectServe(onlyValueOf('ExecStart').split(' '), '/opt/grantlog/node_modules/grantlog');
    expectSettings(onlyValueOf('Environment').replaceAll('%S', '/var/lib').split(' '));
    expect(onlyValueOf('Environment')).to.include(`DATA_DIR=%S/${onlyValueOf('StateDirectory')}`);
    const { dataDir } = JSON.parse(readText('deploy/grantlog.json')) as { readonly dataDir: string };
    expect(dataDir, 'the data directory that commands use').to.equal(`/var/lib/${onlyValueOf('StateDirectory')}`);
    expect(onlyValueOf('Documentation')).to.match(/\/node_modules\/grantlog\/docs\/\w+\.md$/);
  });

  it('allows enough time for requests in flight when the server stops, and enough open files', () => {
    const [, seconds = ''] = /^(\d+)s$/.exec(onlyValueOf('TimeoutStopSec')) ?? [];
    expect(Number(seconds) * 1000).to.be.above(2 * DRAIN_TIMEOUT_MILLISECONDS);
    expect(Number(onlyValueOf('LimitNOFILE'))).to.be.at.least(FILES_FOR_MAX_CONNECTIONS);
  });

  it('denies the server privileges, file system changes and memory dumps', () => {
    const expected = {
      NoNewPrivileges: 'true',
      CapabilityBoundingSet: '',
      AmbientCapabilities: '',
      ProtectSystem: 'strict',
      ProtectHome: 'true',
      PrivateTmp: 'true',
      RestrictNamespaces: 'true',
      UMask: '0077',
      LimitCORE: '0',
      StateDirectoryMode: '0700',
      RestrictAddressFamilies: 'AF_INET AF_INET6 AF_UNIX',
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, onlyValueOf(name)]))).to.deep.equal(expected);
    expect(valuesOf('MemoryDenyWriteExecute'), 'this setting would prevent V8 from compiling code').to.deep.equal([]);
    const user = readText('deploy/grantlog.sysusers')
      .split('\n')
      .find((line) => line.startsWith('u '));
    expect(user?.split(' ')[1]).to.equal(onlyValueOf('User'));
  });

  it('passes systemd-analyze verify', function () {
    const result = spawnSync('systemd-analyze', ['verify', PATH], { cwd: ROOT, encoding: 'utf8' });
    const { error, status, stdout, stderr } = result;
    if (error !== undefined) {
      console.warn('NOT RUN: the systemd unit was not verified, because systemd-analyze is not installed');
      return this.skip();
    }
    expect({ status, output: stdout + stderr }).to.deep.equal({ status: 0, output: '' });
  });
});
