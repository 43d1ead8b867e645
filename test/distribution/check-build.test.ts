import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout } from '../support/checkout.ts';

describe('npm start', () => {
  let checkout: ReturnType<typeof copyCheckout>;
  before(() => {
    checkout = copyCheckout();
  });
  after(() => checkout.remove());

  const { PATH = '', HOME = '' } = process.env;
  /** Runs npm with an invalid PORT: after checking the build, the server refuses to start. */
  function runNpm(...args: readonly string[]) {
    const env = { PATH, HOME, PORT: 'refused' };
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: checkout.path, env, encoding: 'utf8' });
    return { status, stdout, stderr: stderr.replaceAll(/^npm warn .*\n/gm, '') };
  }

  it('tells the user to build a server that was never built, without building it', () => {
    const { status, stderr } = runNpm('start');
    expect([status, stderr]).to.deep.equal([
      1,
      'The server is not built: dist/main.js does not exist.\nRun: npm run build\n',
    ]);
    expect(existsSync(join(checkout.path, 'dist'))).to.equal(false);
  });

  it('runs the build from npm ci until the content of a source file changes', () => {
    expect(runNpm('run', 'prepare').status, 'npm ci runs this').to.equal(0);
    expect(runNpm('start').stderr).to.contain('grantlog: PORT: must be');
    const source = join(checkout.path, 'src', 'index.ts');
    utimesSync(source, new Date(), new Date());
    expect(runNpm('start').stderr, 'only the modification time differs').to.contain('grantlog: PORT: must be');
    appendFileSync(source, '\n');
    expect(runNpm('start').stderr).to.equal(
      'dist is outdated: 1 source file has changed since it was built, such as src/index.ts.\nRun: npm run build\n',
    );
    writeFileSync(join(checkout.path, 'src', 'added.ts'), '');
    expect(runNpm('start').stderr).to.contain('2 source files have changed');
    expect(runNpm('run', 'build').status).to.equal(0);
    expect(runNpm('start').stderr).to.contain('grantlog: PORT: must be');
  });

  it('does not trust a build without a record of its sources', () => {
    rmSync(join(checkout.path, 'dist', '.sources.json'));
    expect(runNpm('start').stderr).to.contain(
      'dist has no record of the sources it was built from.\nRun: npm run build\n',
    );
  });

  it('asks for npm ci if the build was skipped because the compiler is not installed', () => {
    rmSync(join(checkout.path, 'dist'), { recursive: true });
    rmSync(join(checkout.path, 'node_modules'));
    const { status, stdout } = runNpm('run', 'prepare');
    expect([status, stdout]).to.satisfy(
      ([exitCode, output]: [number, string]) => exitCode === 0 && output.includes('dist was not built'),
    );
    expect(runNpm('start').stderr).to.contain('Run: npm ci\n');
  });
});
