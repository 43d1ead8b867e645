import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/command-line.ts';
import { openInspection } from '../../src/composition/inspection.ts';
import { openService } from '../../src/composition/open-service.ts';
import { readConfig, type Config } from '../../src/config/config.ts';
import { systemClock, systemEntropy } from '../../src/platform/ports.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { withoutDatabase } from '../support/without-database.ts';

const open = (config: Config) =>
  openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: quickHasher,
    issuer: () => 'http://localhost:8000',
  });

describe('grantlog domain', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  async function run(...args: readonly string[]) {
    const output = { out: '', err: '' };
    const status = await runCommand(args, {
      version: '1.2.3',
      terminal: {
        signal: new AbortController().signal,
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
        readInput: async () => 'correct horse\n',
      },
      readSettings: () => readConfig(env, () => '{}'),
      open,
      inspect: (config) => openInspection(config, systemEntropy()),
      now: async () => 0,
      ...withoutDatabase,
      serve: async () => 0,
    });
    return { status, ...output };
  }

  const listed = async () => {
    const { out } = await run('domain', 'list', '--json');
    return JSON.parse(out) as readonly { readonly domain: string; readonly rule: string }[];
  };

  it('allows, blocks, lists and removes domains, in normal form', async () => {
    expect((await run('domain', 'allow', 'Example.COM.')).status).to.equal(0);
    expect((await run('domain', 'block', 'evil.example.com')).status).to.equal(0);
    expect((await listed()).map(({ domain, rule }) => [domain, rule])).to.deep.equal([
      ['evil.example.com', 'blocked'],
      ['example.com', 'allowed'],
    ]);
    expect((await run('domain', 'remove', 'example.com')).status).to.equal(0);
    expect((await listed()).map(({ domain }) => domain)).to.deep.equal(['evil.example.com']);
  });

  it('refuses what is no domain, and says what one looks like', async () => {
    const { status, err } = await run('domain', 'allow', 'https://example.com/x');
    expect(status).to.not.equal(0);
    expect(err).to.include('is not a domain such as app.example.com');
  });
});
