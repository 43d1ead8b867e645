import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDirectoryProblem } from '../../../src/platform/files/directory-problem.ts';

describe('the problem with a path that must become a directory', () => {
  let parent: string;
  const at = (...names: readonly string[]): string => join(parent, ...names);

  beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'grantlog-'))));
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is undefined for a directory, a link to one, and a path that can be created below one', () => {
    mkdirSync(at('directory'));
    symlinkSync(at('directory'), at('link'));
    for (const path of [at('directory'), at('link'), at('link', 'a', 'b'), at('new', 'a'), '/'])
      expect(findDirectoryProblem(path), path).to.equal(undefined);
  });

  it('names the file or the broken link that is in the way', () => {
    writeFileSync(at('file'), '');
    symlinkSync('nowhere', at('dangling'));
    expect(findDirectoryProblem(at('file'))).to.equal('it is not a directory');
    expect(findDirectoryProblem(at('file', 'a', 'b'))).to.equal(`${at('file')} is not a directory`);
    const broken = 'is a symbolic link to nowhere, which does not exist';
    expect(findDirectoryProblem(at('dangling'))).to.equal(`it ${broken}`);
    expect(findDirectoryProblem(at('dangling', 'a'))).to.equal(`${at('dangling')} ${broken}`);
  });

  it('includes the error of the system if the path cannot be read', () => {
    symlinkSync(at('loop'), at('loop'));
    expect(findDirectoryProblem(at('loop'))).to.match(/^it cannot be read \(ELOOP/);
  });
});
