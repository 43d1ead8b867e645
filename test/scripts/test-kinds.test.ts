import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findImport } from '../../scripts/test/imports.ts';
import { findTests } from '../../scripts/test/test-kinds.ts';

describe('The kinds of tests', () => {
  it('contain every file whose name ends in .test.ts exactly once', () => {
    const folders = readdirSync('test', { recursive: true, withFileTypes: true });
    const files = folders
      .filter((entry) => entry.isFile() && /\.test\.\w+$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    const tests = (['suite', 'browser', 'sweeps', 'system', 'distribution'] as const).flatMap(findTests);
    expect(tests).to.have.members(files).and.to.have.lengthOf(files.length);
    expect(findTests('suite')).to.have.length.above(250);
  });

  it('depend on the folders of the files', () => {
    expect(findTests('browser')).to.include('test/browser/every-page.test.ts');
    expect(findTests('sweeps')).to.include('test/sweeps/every-route.test.ts');
    expect(findTests('distribution')).to.include('test/distribution/package.test.ts');
    expect(findTests('system')).to.include.members(['test/crash/kill.test.ts', 'test/cluster/commands.test.ts']);
    expect(findTests('suite')).to.include('test/contract/level-log.test.ts');
  });

  it('count every test that starts a server, PostgreSQL, or a program in another language as a system test', () => {
    expect(findTests('system')).to.include.members([
      'test/cli/serve.test.ts',
      'test/contract/postgres-log.test.ts',
      'test/http/try-it/snippets.test.ts',
    ]);
    expect(findTests('suite')).to.include('test/cli/command-line.test.ts');
  });

  it('exclude browsers from the suite and the sweeps', () => {
    for (const file of [...findTests('suite'), ...findTests('sweeps')])
      expect(findImport(file, [/^playwright-core$/]), file).to.equal(undefined);
  });
});
