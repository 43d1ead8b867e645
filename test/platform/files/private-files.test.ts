import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePrivateDirectory } from '../../../src/platform/files/private-files.ts';

describe('a private directory', () => {
  it('is created with its parents, accessible only to its owner', () => {
    const parent = mkdtempSync(join(tmpdir(), 'grantlog-'));
    try {
      const path = join(parent, 'a', 'b', 'c');
      makePrivateDirectory(path);
      makePrivateDirectory(path);
      expect(statSync(path).mode & 0o777).to.equal(0o700);
      expect(statSync(join(parent, 'a')).mode & 0o777).to.equal(0o700);
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('is reported as an error if it cannot be created, without endless retries', () => {
    const path = existsSync('/proc/self') ? '/proc/grantlog/data' : '/dev/null/data';
    expect(() => makePrivateDirectory(path)).to.throw(/ENOENT|ENOTDIR|EACCES|EPERM/);
  });
});
